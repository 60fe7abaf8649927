"""Where beside a table there is room for its results."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator, Sequence

from prefxl.tables import Table
from prefxl.workbook.package import Area, SheetInspection


class Promised:
    """Areas of a sheet that are promised to tables; none of them meets another."""

    def __init__(self) -> None:
        # by column: first row, last row, and the last column of the area
        self._columns: dict[int, list[tuple[int, int, int]]] = {}

    def add(self, area: Area) -> None:
        """Promise an area."""
        for column in area.columns:
            insort(self._columns.setdefault(column, []), (area.first_row, area.last_row, area.last_column))

    def last_met(self, area: Area) -> int | None:
        """Return the last column of the areas that meet ``area``, ``None`` if there are none."""
        last = None
        for column in area.columns:
            here = self._columns.get(column, [])
            at = bisect_right(here, (area.last_row + 1,)) - 1
            while at >= 0 and here[at][1] >= area.first_row:
                last = max(last or 0, here[at][2])
                at -= 1
        return last


def room_beside(
    sheet: SheetInspection, table: Table, width: int, taken: Promised, rows: Sequence[int] | None = None
) -> Sequence[int] | None:
    """Return columns for a table's results: those of an earlier run, if they are still there, else free ones.

    Parameters
    ----------
    sheet
        What is known of the worksheet.
    width
        How many columns.
    taken
        What is promised to other tables.
    rows
        Those that get results, ascending, by default all of the table: what the user has written between
        results of an earlier run does not move these.

    Returns
    -------
    sequence of int or None
        Ascending; None if there is no room.
    """
    top, bottom = table_rows(table)

    def free(columns: Sequence[int]) -> bool:
        areas = [Area(top, column, bottom, column) for column in columns]
        return all(taken.last_met(area) is None for area in areas) and all(
            sheet.is_free(area) if rows is None else sheet.is_free_in(rows, area.first_column) for area in areas
        )

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
    sheet: SheetInspection, rows: tuple[int, int], width: int, after: int, taken: Promised
) -> Sequence[int] | None:
    """Return the first free columns after one."""
    top, bottom = rows
    while True:
        column = sheet.first_free_column(top, bottom, after, width)
        if column is None:
            return None
        block = Area(top, column, bottom, column + width - 1)
        met = taken.last_met(block)
        if met is None:
            return block.columns
        after = met


def table_rows(table: Table) -> tuple[int, int]:
    """Return the first and the last row of a table, its heading included."""
    return min(table.heading, table.heading_top or table.heading), table.last_row


def _earlier(table: Table, sheet: SheetInspection, width: int) -> Iterator[Sequence[int]]:
    """Yield columns of an earlier run beside the table, so many; a column the user has put between is left out."""
    ours = sheet.columns_of_ours(table.heading, table.heading)
    mine = [column for column in range(heading_column(table) + 1, ours.bit_length()) if ours >> column & 1]
    for start in range(len(mine) - width + 1):
        yield mine[start : start + width]
    for column in mine:
        if column - 1 not in mine:
            yield range(column, column + width)


def _last_column(table: Table, sheet: SheetInspection) -> int:
    """Return the table's last column, results of an earlier run not counted: they are replaced."""
    column, ours = table.last_column, sheet.columns_of_ours(table.heading, table.heading)
    while column > 1 and ours >> column & 1:
        column -= 1
    return column


def heading_column(table: Table) -> int:
    """Return the last column of the table that has a role: its heading is not empty."""
    return max(table.columns.values(), default=table.last_column)
