"""What is known of a workbook before it is annotated: where there is room, and what must be left alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from prefxl.workbook.package.coordinates import LAST_COLUMN, LAST_ROW, Area
from prefxl.workbook.package.fed import Read
from prefxl.workbook.package.marker import Marker
from prefxl.workbook.package.our_sheets import OurSheet
from prefxl.workbook.package.runs import Runs, bits, stacked


class Visibility(Enum):
    """Whether a sheet is shown."""

    VISIBLE = "visible"
    HIDDEN = "hidden"
    VERY_HIDDEN = "veryHidden"


class Kind(Enum):
    """What keeps an area occupied although its cells may look empty."""

    ARRAY = "array formula, spill or data table"
    MERGED = "merged area"
    TABLE = "table"
    PIVOT = "pivot table"
    FILTER = "filter"
    NOTE = "note"
    THREAD = "threaded comment"
    DRAWING = "picture, chart or shape"
    CONTROL = "form control"
    SPARKLINE = "sparkline"


class Obstacle(NamedTuple):
    """An area nothing may be written into, and why."""

    area: Area
    kind: Kind


@dataclass(slots=True)
class SheetInspection:
    """One worksheet as the user left it: cells, notes and sheets of an earlier run of ours do not count.

    Parameters
    ----------
    name, part, visibility
        Its name, its member of the package, whether it is shown.
    runs
        Which columns are filled in which rows, in ascending order of rows.
    obstacles
        Areas that are taken although their cells may be empty.
    rules
        Areas with conditional formats or data validation (they may be written into).
    hidden_columns
        Runs (first, last) of columns that are not shown.
    reads
        Areas that formulas of the workbook read, empty cells of theirs included, and these formulas' cells.
    sorted_apart
        Areas whose rows the user may sort without what stands beside them: tables and filters.
    frozen
        How many rows and columns stay in view: (rows, columns).
    protected
        Whether the sheet is protected; we write nevertheless, the user cannot.
    ours
        Areas of cells we placed in an earlier run; reading the sheet, skip them.
    foreign
        Cells within ``ours`` that hold something of the user's, and what it is.
    """

    name: str
    part: str
    visibility: Visibility = Visibility.VISIBLE
    runs: Runs = field(default_factory=Runs)
    obstacles: list[Obstacle] = field(default_factory=list)
    rules: list[Area] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    sorted_apart: list[Area] = field(default_factory=list)
    frozen: tuple[int, int] = (0, 0)
    protected: bool = False
    ours: tuple[Area, ...] = ()
    foreign: Mapping[tuple[int, int], str] = field(default_factory=dict)
    _around: Runs | None = field(default=None, init=False, repr=False, compare=False)
    _mine: Runs | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def used(self) -> Area | None:
        """The smallest area around every filled cell and every obstacle; None for an empty sheet."""
        areas = [obstacle.area for obstacle in self.obstacles]
        filled = self.runs.filled(1, LAST_ROW)
        if filled:
            first = (filled & -filled).bit_length() - 1
            areas.append(Area(self.runs[0].first_row, first, self.runs[-1].last_row, filled.bit_length() - 1))
        if not areas:
            return None
        whole = areas[0]
        for area in areas[1:]:
            whole = whole.joined(area)
        return whole

    def first_free_column(self, first_row: int, last_row: int, after_column: int, width: int) -> int | None:
        """Return the first column after which ``width`` columns are free in all the rows.

        Parameters
        ----------
        first_row, last_row
            The rows to be written, heading included.
        after_column
            The answer is greater than this (pass the table's last column plus
            one to leave an empty column between).
        width
            Number of columns that must be free side by side.

        Returns
        -------
        int or None
            The first such column all of whose block is shown and read by no
            formula of the user's; failing that, the first that is shown;
            failing that, the first free one; None if there is none.
        """
        rows = Area(first_row, 1, last_row, LAST_COLUMN)
        taken = self._taken(rows)
        shown = taken
        for first, last in self.hidden_columns:
            shown |= bits(first, last)
        unread = shown
        for area in self.fed:
            if area.meets(rows):
                unread |= bits(area.first_column, area.last_column)
        for blocked in (unread, shown, taken):
            if (column := _gap(blocked, after_column, width)) is not None:
                return column
        return None

    @property
    def fed(self) -> list[Area]:
        """Areas that formulas of the workbook read."""
        return [read.area for read in self.reads]

    def readers(self, block: Area) -> tuple[str, ...]:
        """Return the cells of formulas that read ``block`` and more: the user's own totals, taking it in.

        A formula that reads nothing outside the block's columns does so on purpose.
        """
        found = (read for read in self.reads if read.area.meets(block))
        wide = (
            read.readers
            for read in found
            if read.area.first_column < block.first_column or read.area.last_column > block.last_column
        )
        return tuple(dict.fromkeys(reader for readers in wide for reader in readers))

    def is_free(self, area: Area) -> bool:
        """Tell whether nothing at all is in the area."""
        return not self._taken(area) & bits(area.first_column, area.last_column)

    def is_bare(self, column: int) -> bool:
        """Tell whether nothing stands in a column; a title merged across it stands in a column before it."""
        whole = Area(1, column, LAST_ROW, column)
        if self.is_free(whole) or self.runs.filled(1, LAST_ROW) >> column & 1:
            return self.is_free(whole)
        around = (item for item in self.obstacles if item.area.meets(whole))
        return all(item.kind is Kind.MERGED and item.area.first_column < column for item in around)

    def is_free_in(self, rows: Sequence[int], column: int) -> bool:
        """Tell whether nothing is in a column's cells in these rows, which ascend."""
        around = Area(rows[0], column, rows[-1], column)
        if self.is_free(around):
            return True
        assert self._around is not None
        blocked = self._around.filled(rows[0], rows[-1]) >> column & 1
        return not blocked and not any(self.is_filled(row, column) for row in rows)

    def columns_of_ours(self, first_row: int, last_row: int) -> int:
        """Return the columns (as bits) in which an earlier run of ours placed cells in any of the rows."""
        if self._mine is None:
            self._mine = stacked(self.ours)
        return self._mine.filled(first_row, last_row)

    def is_filled(self, row: int, column: int) -> bool:
        """Tell whether the cell holds a value or a formula."""
        run = self.runs.at(row)
        return run is not None and bool(run.filled >> column & 1)

    def is_formula(self, row: int, column: int) -> bool:
        """Tell whether the cell holds a formula, or lies in the area an array formula or data table fills."""
        run = self.runs.at(row)
        return bool(run is not None and run.formulas >> column & 1) or self._covered(row, column, Kind.ARRAY)

    def has_note(self, row: int, column: int) -> bool:
        """Tell whether the cell has a note that is not ours."""
        return self._covered(row, column, Kind.NOTE)

    def has_thread(self, row: int, column: int) -> bool:
        """Tell whether the cell has a threaded comment."""
        return self._covered(row, column, Kind.THREAD)

    def _covered(self, row: int, column: int, kind: Kind) -> bool:
        return any(item.kind is kind and item.area.covers(row, column) for item in self.obstacles)

    def _taken(self, area: Area) -> int:
        if self._around is None:
            self._around = stacked(obstacle.area for obstacle in self.obstacles)
        rows = area.first_row, area.last_row
        return self.runs.filled(*rows) | self._around.filled(*rows)


@dataclass(frozen=True, slots=True)
class Inspection:
    """A workbook that may be annotated.

    Parameters
    ----------
    path
        Where it is.
    sheets
        The user's worksheets in their order; chart and dialog sheets are not among them.
    our_sheets
        The sheets an earlier run of ours appended, and what the user has typed on them.
    structure_locked
        No sheet may be added (:class:`Refusal.LOCKED` if a donor is given).
    macros, macros_signed
        Whether there is VBA, and whether it is signed (our change leaves that signature valid).
    date1904
        Dates count from 1904 instead of 1900.
    marker
        What an earlier run placed, as it was found again.
    """

    path: Path
    sheets: tuple[SheetInspection, ...]
    our_sheets: tuple[OurSheet, ...] = ()
    structure_locked: bool = False
    macros: bool = False
    macros_signed: bool = False
    date1904: bool = False
    marker: Marker = field(default_factory=Marker)

    def sheet(self, name: str) -> SheetInspection:
        """Return the worksheet of that name, upper and lower case alike as in Excel.

        Raises
        ------
        KeyError
            If the user has no worksheet of that name.
        """
        for sheet in self.sheets:
            if sheet.name.casefold() == name.casefold():
                return sheet
        raise KeyError(name)


def _gap(taken: int, after: int, width: int) -> int | None:
    column = after + 1
    while column + width - 1 <= LAST_COLUMN:
        blocked = taken >> column & ((1 << width) - 1)
        if not blocked:
            return column
        # the last blocked column of the block decides where to look next
        column += blocked.bit_length()
    return None
