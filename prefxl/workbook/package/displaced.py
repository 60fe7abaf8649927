"""Cells of ours that are no longer where the marker says: a program that moves no names has moved rows or columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from prefxl.workbook.package.coordinates import Area, Covered
from prefxl.workbook.package.markup import Cell
from prefxl.workbook.package.page import Page


def beside_columns(wanted: Mapping[int, int | None], there: Mapping[int, int], standing: set[int]) -> dict[int, int]:
    """Return the new column of each column whose heading stands elsewhere in the row of headings.

    Parameters
    ----------
    wanted
        Column to the fingerprint of the heading it had.
    there
        Column to the fingerprint of the text that stands in this row now.
    standing
        The columns of ours whose heading is where it was.
    """
    found: dict[int, int] = {}
    for column, heading in sorted(wanted.items()):
        free = [at for at, text in there.items() if text == heading and at not in standing and at not in found.values()]
        if free:
            found[column] = min(free, key=lambda at: (abs(at - column), at))
    return found


def elsewhere(
    page: Page, columns: Mapping[int, Area], ours: Covered, is_ours: Mapping[int, Callable[[Cell], bool]]
) -> dict[int, list[int]]:
    """Return by column the rows, outside our areas, that have nothing but results of ours from there on in our columns.

    Parameters
    ----------
    page
        The worksheet.
    columns
        Our columns, each with the area around its cells.
    ours
        Where the marker says our cells are.
    is_ours
        For each column what tells whether a cell holds what we wrote.
    """
    found: dict[int, dict[int, bool]] = {}
    for row, cell in _filled(page, columns):
        if row >= columns[cell.column].first_row - 1 and not ours.covers(row, cell.column):
            found.setdefault(row, {})[cell.column] = is_ours[cell.column](cell)
    rows: dict[int, list[int]] = {}
    for row, here in sorted(found.items()):
        # scores of a form of more players may stand where other forms have their results
        theirs = max((column for column, mine in here.items() if not mine), default=0)
        for column in here:
            if column > theirs:
                rows.setdefault(column, []).append(row)
    return rows


def _filled(page: Page, columns: Mapping[int, Area]) -> Iterator[tuple[int, Cell]]:
    """Yield the filled cells of some columns, each with its row."""
    for block in page.blocks():
        usual = page.from_column(block, min(columns))
        for column in columns if usual else ():
            for number, *content in page.filled(usual, column):
                yield int(number), Cell(column, content[0], content[1], b"", b"")
        for at, kind in enumerate(block.kinds):
            if kind is None:
                row = page.row(block, at)
                for cell in page.cells(row, min(columns), max(columns)):
                    if cell.inner and cell.column in columns:
                        yield row.number, cell


def begins_with_results(page: Page, area: Area, is_result: Mapping[int, Callable[[Cell], bool]]) -> bool:
    """Tell whether the first row of an area that holds anything in our columns holds nothing but results there.

    Parameters
    ----------
    page
        The worksheet.
    area
        The rows to look through.
    is_result
        Column of ours to what tells whether a cell of it is a result that we wrote there.
    """
    for row in page.rows():
        if area.has_row(row.number):
            cells = [cell for cell in page.cells(row) if cell.column in is_result and cell.inner]
            if cells:
                return all(is_result[cell.column](cell) for cell in cells)
    return False
