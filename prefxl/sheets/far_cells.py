"""Lone cells far beyond everything else on an ``.xlsx`` worksheet: a reader would make room for every cell before them.

Ctrl+End leads there in many an old workbook, and nobody knows why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from string import ascii_letters
from typing import cast
from xml.etree import ElementTree

from prefxl.sheets.guard import MALFORMED, Near, Package, damaged
from prefxl.tables import cell_name, column_number

#: So many empty rows or columns part a lone cell from the tables.
ROWS_APART, COLUMNS_APART = 1_000, 100
#: A worksheet of more is not gone through cell by cell.
MOST_CELLS = 4_000_000

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TOLD = 5


def find_near(package: Package, part: str) -> Near:
    """Return where a worksheet's tables end: the end of the rows, and of the columns, that most cells stand in."""
    filled = [(row, column) for row, cells in cell_rows(package, part) for column, cell in cells if _is_filled(cell)]
    last_row = _end(Counter(row for row, _ in filled), ROWS_APART)
    last_column = _end(Counter(column for row, column in filled if row <= last_row), COLUMNS_APART)
    beyond = [cell_name(row, column) for row, column in filled if row > last_row or column > last_column]
    return Near(last_row, last_column, len(beyond), tuple(beyond[:_TOLD]))


def near_part(package: Package, part: str, near: Near) -> Iterator[bytes]:
    """Yield the worksheet without the cells beyond, as XML: its cells and what is merged, nothing else."""
    yield f'<worksheet xmlns="{_MAIN}"><sheetData>'.encode()
    merged: list[ElementTree.Element] = []
    for row, cells in cell_rows(package, part, merged):
        kept = b"".join(ElementTree.tostring(cell) for column, cell in cells if column <= near.last_column)
        if row <= near.last_row and kept:
            yield b'<row r="%d">%b</row>' % (row, kept)
    yield b"</sheetData>" + b"".join(map(ElementTree.tostring, merged)) + b"</worksheet>"


def _end(numbers: Counter[int], apart: int) -> int:
    """Return the last of the rows (or columns) that stand together and hold most cells."""
    groups: list[list[int]] = []
    for number in sorted(numbers):
        if not groups or number - groups[-1][-1] > apart:
            groups.append([])
        groups[-1].append(number)
    fullest = max(groups, key=lambda group: sum(numbers[number] for number in group), default=[0])
    return fullest[-1]


def _is_filled(cell: ElementTree.Element) -> bool:
    return any(_local(inner) in ("v", "f", "is") for inner in cell)


def cell_rows(
    package: Package, part: str, merged: list[ElementTree.Element] | None = None, hidden: set[int] | None = None
) -> Iterator[tuple[int, list[tuple[int, ElementTree.Element]]]]:
    """Yield row by row its number and the cells with their columns; no more than a row is held.

    ``merged`` takes the element that tells merged areas, ``hidden`` the numbers of rows that are not shown.
    """
    parser: ElementTree.XMLPullParser[ElementTree.Element] = ElementTree.XMLPullParser(events=("start", "end"))
    number, rows = 0, None
    try:
        for block in package.blocks(part):
            parser.feed(block)
            for event, element in cast("Iterator[tuple[str, ElementTree.Element]]", parser.read_events()):
                name = _local(element)
                if event == "start":
                    rows = element if name == "sheetData" else rows
                elif name == "row":
                    number = _number(element) or number + 1
                    if hidden is not None and element.get("hidden") in ("1", "true"):
                        hidden.add(number)
                    yield number, list(_cells(element, number))
                    if rows is not None:
                        rows.clear()
                elif name == "mergeCells" and merged is not None:
                    merged.append(element)
        parser.close()
    except MALFORMED:
        raise damaged(package.name) from None


def _number(row: ElementTree.Element) -> int:
    """Return the number of a row, 0 where it has none; its cells' names come first, as they do for the reader."""
    names = [cell.get("r") or "" for cell in row if _local(cell) == "c"]
    return int(names[-1].strip().lstrip(ascii_letters) if names and names[-1] else row.get("r") or 0)


def _cells(row: ElementTree.Element, number: int) -> Iterator[tuple[int, ElementTree.Element]]:
    column = 0
    for cell in row:
        if _local(cell) == "c":
            letters = (cell.get("r") or "").strip().rstrip("0123456789")
            column = column_number(letters.encode()) if letters else column + 1
            cell.set("r", cell_name(number, column))
            yield column, cell


def _local(element: ElementTree.Element) -> str:
    return str(element.tag).rpartition("}")[2]
