"""Column widths and the dimension of a worksheet, changed so that the earlier state can come back."""

from __future__ import annotations

import copy
from collections.abc import Container, Mapping
from typing import Any

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.coordinates import Area, parse_area
from prefxl.workbook.package.styles import rebuild
from prefxl.workbook.package.worksheet import Frame

Memo = dict[str, Any]


def column_styles(root: etree._Element) -> list[tuple[int, int, int]]:
    """Return (first column, last column, style) of the columns that have a format of their own."""
    return [
        (int(item.get("min") or 1), int(item.get("max") or 1), int(item.get("style") or 0))
        for item in xml.children(xml.child(root, "cols"), "col")
        if item.get("style")
    ]


def set_widths(frame: Frame, widths: Mapping[int, float], hidden: Container[int] = ()) -> Memo:
    """Set widths [characters] of columns and show them, but for ``hidden`` ones; return what :func:`restore` needs."""
    if not widths:
        return {}
    before = _text(frame.child("cols"))
    # made anew as in :func:`restore`, where line breaks between columns go: the next run writes the same bytes
    columns = _renewed(frame, before)
    for column, width in sorted(widths.items()):
        _set_width(columns, column, width, shown=column not in hidden)
    frame.changed = True
    return {"cols": [before, _text(columns)]}


def widen(frame: Frame, area: Area | None) -> Memo:
    """Let the dimension cover ``area`` too and return what :func:`restore` needs."""
    element = frame.child("dimension")
    present = parse_area(element.get("ref") or "") if element is not None else None
    if element is None or present is None or area is None:
        return {}
    wider = present.joined(area)
    if wider == present:
        return {}
    before = element.get("ref")
    element.set("ref", str(wider))
    frame.changed = True
    return {"dimension": [before, str(wider)]}


def restore(frame: Frame, memo: Memo) -> None:
    """Bring back what was, unless the user or another program has changed it since."""
    if "dimension" in memo:
        before, ours = memo["dimension"]
        element = frame.child("dimension")
        if element is not None and element.get("ref") == ours:
            element.set("ref", before)
            frame.changed = True
    if "cols" in memo:
        _restore_columns(frame, *memo["cols"])


def _restore_columns(frame: Frame, before: str | None, ours: str) -> None:
    present = frame.child("cols")
    if present is None or _text(present) != ours:
        return
    if before is not None:
        _renewed(frame, before)
    else:
        frame.remove(present)


def _renewed(frame: Frame, text: str | None) -> etree._Element:
    """Put an element with the given columns in the place of the present one."""
    present = frame.child("cols")
    if present is not None:
        frame.remove(present)
    columns = etree.Element(xml.main("cols"))
    frame.insert(columns)
    for item in () if text is None else etree.fromstring(text):
        rebuild(columns, item)
    return columns


def _text(columns: etree._Element | None) -> str | None:
    if columns is None:
        return None
    return etree.tostring(rebuild(etree.fromstring(f'<x xmlns="{xml.MAIN}"/>'), columns), encoding="unicode")


def _set_width(columns: etree._Element, column: int, width: float, *, shown: bool) -> None:
    for item in list(xml.children(columns, "col")):
        first, last = int(item.get("min") or 1), int(item.get("max") or 1)
        if first <= column <= last:
            _split(columns, item, column)
            break
    else:
        following = [item for item in xml.children(columns, "col") if int(item.get("min") or 1) > column]
        element = etree.Element(xml.main("col"))
        element.attrib.update({"min": str(column), "max": str(column)})
        columns.insert(columns.index(following[0]) if following else len(columns), element)
    for item in xml.children(columns, "col"):
        if int(item.get("min") or 1) == column == int(item.get("max") or 1):
            # the user's column is never made narrower
            if not (xml.truth(item.get("customWidth")) and (xml.size(item.get("width")) or 0) > width):
                item.set("width", f"{width:g}")
            item.set("customWidth", "1")
            if shown:
                item.attrib.pop("hidden", "")


def _split(columns: etree._Element, item: etree._Element, column: int) -> None:
    """Part a run of columns so that one column stands alone."""
    first, last = int(item.get("min") or 1), int(item.get("max") or 1)
    position = columns.index(item)
    pieces = [(first, column - 1), (column, column), (column + 1, last)]
    for low, high in pieces:
        if low <= high:
            piece = copy.deepcopy(item)
            piece.tail = None
            piece.attrib.update({"min": str(low), "max": str(high)})
            columns.insert(position, piece)
            position += 1
    xml.drop(item)
