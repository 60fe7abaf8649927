"""Where pictures, charts, shapes, controls and open notes lie over a worksheet."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.coordinates import LAST_COLUMN, LAST_ROW, Area

_ANCHORS = ("twoCellAnchor", "oneCellAnchor", "absoluteAnchor")
# English metric units of a pixel and of a point; pixels of a digit, of what a column has around its digits
_PIXEL, _POINT, _DIGIT, _PADDING = 9_525, 12_700, 7, 5
# default columns are so many digits wide, made up to so many pixels
_DIGITS, _STEP = 8, 8
_ROW_POINTS = 15.0

_ANCHOR = re.compile(rb"<(?:[\w.-]+:)?Anchor>([\d,\s]+)</")
_OPEN = re.compile(rb"<(?:[\w.-]+:)?Visible\s*(?:/>|>\s*[Tt1]|></)")


class Measures:
    """How wide the columns of a worksheet are, and how high a row usually is [English metric units].

    Rows are told apart nowhere: one that is higher than usual only makes room look smaller than it is.
    """

    def __init__(self, root: etree._Element) -> None:
        usual = xml.child(root, "sheetFormatPr")
        told: dict[str, str] = {} if usual is None else {str(key): str(text) for key, text in usual.attrib.items()}
        self.row = max(int((xml.size(told.get("defaultRowHeight")) or _ROW_POINTS) * _POINT), 1)
        bare = int(xml.size(told.get("baseColWidth")) or _DIGITS) * _DIGIT + _PADDING
        width = xml.size(told.get("defaultColWidth"))
        self._usual = _pixels(width) * _PIXEL if width is not None else -(-bare // _STEP) * _STEP * _PIXEL
        self._runs = [
            (int(item.get("min") or 1), int(item.get("max") or 1), self._width(item))
            for item in xml.children(xml.child(root, "cols"), "col")
        ]

    def _width(self, item: etree._Element) -> int:
        if xml.truth(item.get("hidden")):
            return 0
        width = xml.size(item.get("width"))
        return self._usual if width is None else _pixels(width) * _PIXEL

    def column_at(self, start: int, distance: int) -> int:
        """Return the column (from 0) in which a point lies that is so far from the left edge of column ``start``."""
        column = start
        while column < LAST_COLUMN - 1:
            width = next((size for first, last, size in self._runs if first <= column + 1 <= last), self._usual)
            if distance < width:
                break
            distance -= width
            column += 1
        return column


def _pixels(width: float) -> int:
    return int((256 * width + 128 // _DIGIT) / 256 * _DIGIT)


def drawn_areas(root: etree._Element, measures: Measures) -> Iterator[Area]:
    """Yield the areas of what a drawing holds; some of it stands within an alternative for older programs."""
    for anchor in root.iter():
        area = _anchored(anchor, measures) if xml.local(anchor) in _ANCHORS else None
        if area is not None:
            yield area


def _anchored(anchor: etree._Element, measures: Measures) -> Area | None:
    start, end, extent = (xml.child(anchor, name) for name in ("from", "to", "ext"))
    if start is None:
        position = xml.child(anchor, "pos")
        if position is None or extent is None:
            return None
        left, top = _number(position, "x"), _number(position, "y")
        row, column, along = 0, 0, (left, top)
    else:
        row, column = _corner(start, "row"), _corner(start, "col")
        along = _corner(start, "colOff"), _corner(start, "rowOff")
    if end is not None:
        return clipped(row, column, _corner(end, "row"), _corner(end, "col"))
    first = row + along[1] // measures.row, measures.column_at(column, along[0])
    wide, high = (0, 0) if extent is None else (_number(extent, "cx"), _number(extent, "cy"))
    last = row + (along[1] + high) // measures.row, measures.column_at(column, along[0] + wide)
    return clipped(*first, *last)


def _corner(element: etree._Element, name: str) -> int:
    item = xml.child(element, name)
    return 0 if item is None else int(float(item.text or 0))


def _number(element: etree._Element, attribute: str) -> int:
    return int(float(element.get(attribute) or 0))


def clipped(row: int, column: int, last_row: int, last_column: int) -> Area:
    """Return an area given by two corners counted from 0, as far as it lies on the sheet."""
    rows, columns = sorted((row + 1, last_row + 1)), sorted((column + 1, last_column + 1))
    return Area(max(rows[0], 1), max(columns[0], 1), min(rows[1], LAST_ROW), min(columns[1], LAST_COLUMN))


def box_area(shape: bytes) -> Area | None:
    """Return the area of a shape of a VML drawing, if it tells one."""
    anchor = _ANCHOR.search(shape)
    numbers = [] if anchor is None else [int(word) for word in anchor[1].replace(b",", b" ").split()]
    if len(numbers) != 8:
        return None
    left, _, top, _, right, _, bottom, _ = numbers
    return clipped(top, left, bottom, right)


def is_open(shape: bytes) -> bool:
    """Tell whether the box of a note is shown all the time."""
    return _OPEN.search(shape) is not None


__all__ = ["Measures", "box_area", "clipped", "drawn_areas", "is_open"]
