"""Where beside a table there is room for its results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prefxl.tables import Table
from prefxl.workbook.package import Area, SheetInspection


def room_beside(sheet: SheetInspection, table: Table, width: int, taken: Sequence[Area]) -> Sequence[int] | None:
    """Return columns for a table's results: those of an earlier run, if they are still there, else free ones.

    Parameters
    ----------
    sheet
        What is known of the worksheet.
    width
        How many columns.
    taken
        Areas promised to other tables.

    Returns
    -------
    sequence of int or None
        Ascending; None if there is no room.
    """
    top, bottom = table_rows(table)

    def free(columns: Sequence[int]) -> bool:
        areas = [Area(top, column, bottom, column) for column in columns]
        return all(sheet.is_free(area) and not any(area.meets(other) for other in taken) for area in areas)

    # formulas of the user's may point to them
    earlier = next(filter(free, _earlier(table, sheet, width)), None)
    if earlier is not None:
        return earlier
    # past everything that is headed; where something stands at the sheet's end, next to the last column of scores
    beside = (
        _after(sheet, (top, bottom), width, after, taken)
        for after in (_last_column(table, sheet), heading_column(table))
    )
    return next((columns for columns in beside if columns is not None), None)


def _after(
    sheet: SheetInspection, rows: tuple[int, int], width: int, after: int, taken: Sequence[Area]
) -> Sequence[int] | None:
    """Return the first free columns after one."""
    top, bottom = rows
    while True:
        column = sheet.first_free_column(top, bottom, after, width)
        if column is None:
            return None
        block = Area(top, column, bottom, column + width - 1)
        met = [area for area in taken if area.meets(block)]
        if not met:
            return block.columns
        after = max(area.last_column for area in met)


def table_rows(table: Table) -> tuple[int, int]:
    """Return the first and the last row of a table, its heading included."""
    return min(table.heading, table.heading_top or table.heading), table.last_row


def _earlier(table: Table, sheet: SheetInspection, width: int) -> Iterator[Sequence[int]]:
    """Yield columns of an earlier run beside the table, so many; a column the user has put between is left out."""
    ours = sorted({column for area in sheet.ours if area.has_row(table.heading) for column in area.columns})
    mine = [column for column in ours if column > heading_column(table)]
    for start in range(len(mine) - width + 1):
        yield mine[start : start + width]
    for column in mine:
        if column - 1 not in mine:
            yield range(column, column + width)


def _last_column(table: Table, sheet: SheetInspection) -> int:
    """Return the table's last column, results of an earlier run not counted: they are replaced."""
    column = table.last_column
    while column > 1 and any(area.covers(table.heading, column) for area in sheet.ours):
        column -= 1
    return column


def heading_column(table: Table) -> int:
    """Return the last column of the table that has a role: its heading is not empty."""
    return max(table.columns.values(), default=table.last_column)
