"""What stands on a worksheet besides its cells: merged areas, tables, pictures, controls, notes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.anchors import Measures, box_area, drawn_areas, is_open
from prefxl.workbook.package.coordinates import LAST_COLUMN, Area, parse_area, parse_areas, parse_reference
from prefxl.workbook.package.inspection import Kind, Obstacle
from prefxl.workbook.package.note_markup import as_drawing
from prefxl.workbook.package.notes import SHAPE, cell_of_box, cells_noted
from prefxl.workbook.package.parts import Package

_KIND = re.compile(rb"""ObjectType\s*=\s*["'](\w+)["']""")
_LINKED = re.compile(rb"<(?:[\w.-]+:)?FmlaLink>([^<]+)</")


def obstacles(
    package: Package, part: str, root: etree._Element, ours: Collection[tuple[int, int]] = ()
) -> Iterator[Obstacle]:
    """Yield what keeps areas of a worksheet occupied.

    Parameters
    ----------
    package, part
        The workbook's package and the worksheet's part.
    root
        The worksheet without its rows.
    ours
        Cells whose note is ours: these do not count.
    """
    yield from _merged(root)
    yield from _tables(package, part, root)
    yield from _drawings(package, part, root)
    yield from _boxes(package, part, ours)
    yield from _sparklines(root)
    yield from _notes(package, part, ours)


def rules(root: etree._Element) -> Iterator[Area]:
    """Yield areas with conditional formats or data validation."""
    for element in root.iter():
        if xml.local(element) in ("conditionalFormatting", "dataValidation"):
            yield from parse_areas(element.get("sqref") or _inner_areas(element))


def sorted_apart(package: Package, part: str, root: etree._Element) -> Iterator[Area]:
    """Yield the areas of tables and of the sheet's filter: their rows are sorted without what stands beside them."""
    for area, kind in _tables(package, part, root):
        if kind in (Kind.TABLE, Kind.FILTER):
            yield area


def hidden_columns(root: etree._Element) -> list[tuple[int, int]]:
    """Return runs (first, last) of columns that are not shown."""
    found = []
    for column in xml.children(xml.child(root, "cols"), "col"):
        if xml.truth(column.get("hidden")) or xml.size(column.get("width")) == 0:
            found.append((int(column.get("min") or 1), min(int(column.get("max") or 1), LAST_COLUMN)))
    return found


def frozen(root: etree._Element) -> tuple[int, int]:
    """Return how many rows and columns stay in view."""
    for view in xml.children(xml.child(root, "sheetViews"), "sheetView"):
        pane = xml.child(view, "pane")
        if pane is not None and (pane.get("state") or "").startswith("frozen"):
            return int(float(pane.get("ySplit") or 0)), int(float(pane.get("xSplit") or 0))
    return 0, 0


def is_protected(root: etree._Element) -> bool:
    """Tell whether the sheet is protected."""
    lock = xml.child(root, "sheetProtection")
    return lock is not None and xml.truth(lock.get("sheet"))


def _inner_areas(element: etree._Element) -> str:
    return " ".join(item.text or "" for item in element.iter() if xml.local(item) == "sqref")


def _of_kind(kind: Kind, *texts: str | None) -> Iterator[Obstacle]:
    for text in texts:
        for area in parse_areas(text):
            yield Obstacle(area, kind)


def _merged(root: etree._Element) -> Iterator[Obstacle]:
    for cell in xml.children(xml.child(root, "mergeCells"), "mergeCell"):
        yield from _of_kind(Kind.MERGED, cell.get("ref"))


def _tables(package: Package, part: str, root: etree._Element) -> Iterator[Obstacle]:
    for table in package.related(part, "table"):
        yield from _of_kind(Kind.TABLE, package.tree(table).get("ref"))
    for pivot in package.related(part, "pivotTable"):
        location = xml.child(package.tree(pivot), "location")
        yield from _of_kind(Kind.PIVOT, None if location is None else location.get("ref"))
    filter_ = xml.child(root, "autoFilter")
    yield from _of_kind(Kind.FILTER, None if filter_ is None else filter_.get("ref"))


def _sparklines(root: etree._Element) -> Iterator[Obstacle]:
    for element in root.iter():
        if xml.local(element) == "sparkline":
            yield from _of_kind(Kind.SPARKLINE, _inner_areas(element))


def _notes(package: Package, part: str, ours: Collection[tuple[int, int]]) -> Iterator[Obstacle]:
    for comments in package.related(part, "comments"):
        for row, column in sorted(cells_noted(package.tree(comments)).difference(ours)):
            yield Obstacle(Area(row, column, row, column), Kind.NOTE)
    for row, column in threads(package, part):
        yield Obstacle(Area(row, column, row, column), Kind.THREAD)


def threads(package: Package, part: str) -> Iterator[tuple[int, int]]:
    """Yield the cells (row, column) of a worksheet that have a threaded comment."""
    for name in package.related(part, "threadedComment"):
        for comment in xml.children(package.tree(name), "threadedComment"):
            yield parse_reference(comment.get("ref") or "")


def _drawings(package: Package, part: str, root: etree._Element) -> Iterator[Obstacle]:
    measures = Measures(root)
    for drawing in package.related(part, "drawing"):
        for area in drawn_areas(package.tree(drawing), measures):
            yield Obstacle(area, Kind.DRAWING)


def _boxes(package: Package, part: str, ours: Collection[tuple[int, int]]) -> Iterator[Obstacle]:
    """Yield the places of form controls and of open notes, and the cells controls write their state into."""
    for name in package.related(part, "vmlDrawing"):
        for match in SHAPE.finditer(as_drawing(package.read(name))):
            yield from _box(match[0], ours)
    for properties in package.related(part, "ctrlProp"):
        yield from _linked(package.tree(properties).get("fmlaLink"))


def _box(shape: bytes, ours: Collection[tuple[int, int]]) -> Iterator[Obstacle]:
    kind, area, linked = _KIND.search(shape), box_area(shape), _LINKED.search(shape)
    is_note = kind is not None and kind[1] == b"Note"
    if kind is None or (is_note and (not is_open(shape) or cell_of_box(shape) in ours)):
        return
    if area is not None:
        yield Obstacle(area, Kind.DRAWING if is_note else Kind.CONTROL)
    if linked is not None:
        yield from _linked(linked[1].decode("utf-8", "replace"))


def _linked(text: str | None) -> Iterator[Obstacle]:
    # a link to another sheet is that sheet's; taking it for this one's costs a cell and loses nothing
    area = parse_area((text or "").rsplit("!", 1)[-1])
    if area is not None:
        yield Obstacle(area, Kind.CONTROL)
