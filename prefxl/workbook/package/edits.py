"""What is to happen to the rows of one worksheet, and what has happened."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from prefxl.workbook.package.coordinates import LAST_COLUMN, LAST_ROW, Area, Cover
from prefxl.workbook.package.dress import Dressed
from prefxl.workbook.package.gaps import pack_gaps
from prefxl.workbook.package.looks import Look
from prefxl.workbook.package.model import CellChange, ColumnChange, Mark, NotPlaced, Reason, StyleRole
from prefxl.workbook.package.prints import digest, pack, plain_number, skeleton

#: Of a column with more different numbers none is remembered: any number in it counts as ours.
MOST_NUMBERS = 4000
#: A column in more pieces than this is marked as a whole, gaps of so many rows included.
MOST_RUNS, WIDEST_GAP = 200, 30


class Restore(NamedTuple):
    """A cell whose look is to be as it was: ``rgb`` our tint, or None for a cell of ours that was blank before.

    ``new`` tells that there was no cell at all.
    """

    look: Look
    rgb: str | None
    new: bool


@dataclass(slots=True)
class Edits:
    """What is to happen to the rows of one worksheet.

    Parameters
    ----------
    name
        The sheet's name, for the report.
    removed
        Row to the column ranges whose cells of ours go.
    foreign
        Cells within these ranges that hold something of the user's: they stay.
    restores
        Row to column to the look that comes back.
    cells, marks
        Row to column to what is to be placed.
    columns
        Numbers that are to be placed besides, none of them in a cell that is among ``cells`` or in two columns.
    blocked
        Areas nothing may be placed in, with the reason.
    noted
        Cells of an earlier run with a note of the user's, with the reason: they get no other note.
    column_styles
        Ranges (first, last, style) of columns that have a format of their own.
    gapped
        The ranges may have rows in them in which nothing was placed: what is blank there is the user's.
    dressed
        Cells of ours, where they are to be placed now, whose look the user has changed.
    """

    name: str
    removed: Mapping[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    foreign: dict[int, set[int]] = field(default_factory=dict)
    restores: dict[int, dict[int, Restore]] = field(default_factory=dict)
    cells: dict[int, dict[int, CellChange]] = field(default_factory=dict)
    columns: list[ColumnChange] = field(default_factory=list)
    marks: dict[int, dict[int, Mark]] = field(default_factory=dict)
    blocked: list[tuple[Area, Reason]] = field(default_factory=list)
    noted: list[tuple[Area, Reason]] = field(default_factory=list)
    column_styles: list[tuple[int, int, int]] = field(default_factory=list)
    gapped: bool = False
    dressed: Dressed | None = None

    def coming(self) -> npt.NDArray[np.int64]:
        """Return the rows, ascending, in which there is more to do than to take cells of ours away."""
        single = {*self.restores, *self.cells, *self.marks}
        rows = np.concatenate([np.array([*single], np.int64), *(change.rows for change in self.columns)])
        # most of them ascend already
        rows.sort(kind="stable")
        different: npt.NDArray[np.int64] = rows[np.diff(rows, prepend=0) != 0]
        return different

    def cells_at(self, row: int) -> Mapping[int, CellChange]:
        """Return what is to be placed in a row, by column."""
        here = self.cells.get(row, {})
        more = {change.column: cell for change in self.columns if (cell := change.cell(row)) is not None}
        return here | more if more else here

    def target(self) -> Area | None:
        """Return the area around all cells that are to be placed."""
        area = around(self.cells)
        for change in self.columns:
            own = Area(int(change.rows[0]), change.column, int(change.rows[-1]), change.column)
            area = own if area is None else area.joined(own)
        return area

    def take_columns(self, changes: Iterable[ColumnChange]) -> Iterator[ColumnChange]:
        """Take numbers down columns; yield those that are to be taken cell by cell.

        Hundreds of blocks one below the other, such as a form for each game, are one change a column and look.
        """
        alike: dict[tuple[int, StyleRole | None], list[ColumnChange]] = {}
        for change in changes:
            alike.setdefault((change.column, change.style), []).append(change)
        for (column, style), found in alike.items():
            if len(found) > 1:
                rows = np.concatenate([change.rows for change in found])
                values = np.concatenate([change.values for change in found])
                order = np.argsort(rows, kind="stable")
                if self.take_column(ColumnChange(column, rows[order], values[order], style)):
                    continue
            for change in found:
                if not self.take_column(change):
                    yield change

    def take_column(self, change: ColumnChange) -> bool:
        """Take numbers down a column; tell whether that was possible as a whole."""
        rows, column = change.rows, change.column
        sound = (
            len(rows) == len(change.values)
            and 1 <= column <= LAST_COLUMN
            and bool((rows[1:] > rows[:-1]).all())
            and bool(np.isfinite(change.values).all())
        )
        if not sound or (len(rows) and not (rows[0] >= 1 and rows[-1] <= LAST_ROW)):
            return False
        taken = [np.array([row for row, here in self.cells.items() if column in here], dtype=np.int64)]
        taken += [other.rows for other in self.columns if other.column == column]
        if any(np.isin(rows, other).any() for other in taken):
            return False
        if len(rows):
            self.columns.append(change)
        return True


class OurColumn:
    """The cells we placed in one column: where, and what, so that they are known again."""

    def __init__(self) -> None:
        self.runs: list[list[int]] = []
        # where the results are, if that are not all rows of the runs
        self._results: list[list[int]] = []
        self.heading: str | None = None
        # the formats of cells with numbers, and of those with texts
        self.number_styles: set[int] = set()
        self.text_styles: set[int] = set()
        self._texts: set[str] = set()
        self._numbers: set[float] = set()
        self._formulas: set[str] = set()
        self._any_number = False

    def add(self, row: int, change: CellChange, headings: Sequence[int] = ()) -> None:
        """Take a cell; its row must be below the last one's. ``headings`` are rows with texts of ours, ascending."""
        self._extend(row, row, headings)
        value = change.value
        if change.formula is not None:
            value = change.cached
            self._formulas.add(skeleton(change.formula))
        if isinstance(value, str):
            if self.heading is None and not self._texts and self.runs[0][0] == row:
                self.heading = value
            self._texts.add(value)
        elif isinstance(value, bool):
            self._texts.add(str(value))
        elif isinstance(value, date):
            # which number it becomes depends on the workbook
            self._any_number = True
        elif value is not None and len(self._numbers) <= MOST_NUMBERS:
            self._numbers.add(float(value))

    def add_numbers(
        self, rows: npt.NDArray[np.int64], values: npt.NDArray[np.float64], headings: Sequence[int] = ()
    ) -> None:
        """Take many cells at once; their rows must be below the last one's."""
        ends = np.flatnonzero(np.diff(rows) != 1)
        starts = [int(rows[0]), *rows[ends + 1].tolist()]
        for start, stop in zip(starts, [*rows[ends].tolist(), int(rows[-1])], strict=True):
            self._extend(start, stop, headings)
        if len(self._numbers) <= MOST_NUMBERS:
            self._numbers.update(values.tolist())

    def _extend(self, start: int, stop: int, headings: Sequence[int]) -> None:
        adjoins = bool(self.runs) and self.runs[-1][1] == start - 1
        if not adjoins and self.runs and self._bridges(start, headings):
            # from here on the marked rows are not those with results
            self._results = self._results or [run[:] for run in self.runs]
            self.runs[-1][1] = stop
        elif adjoins:
            self.runs[-1][1] = stop
        else:
            self.runs.append([start, stop])
        if self._results and adjoins:
            self._results[-1][1] = stop
        elif self._results and self._results[-1][1] < start:
            self._results.append([start, stop])

    def _bridges(self, row: int, headings: Sequence[int]) -> bool:
        """Tell whether to pass over a gap: a name for each of thousands of cells would weigh more than they do.

        What the user writes into the gap is told from ours by where results were. Where a block of ours begins in other
        columns this one would be taken for one of the block's in the next run.
        """
        last = self.runs[-1][1]
        bridges = len(self.runs) > MOST_RUNS and row - last <= WIDEST_GAP
        if bridges and headings:
            above = bisect_left(headings, row) - 1
            bridges = above < 0 or headings[above] <= last
        return bridges

    def memo(self, areas: Iterable[Area] = (), kept: Sequence[int] = ()) -> dict[str, Any]:
        """Return what this column's cells are known by.

        Parameters
        ----------
        areas
            How the column is marked.
        kept
            Rows in which a result was to stand, but something of the user's does.
        """
        memo: dict[str, Any] = {"t": pack(map(digest, self._texts))}
        if self.heading is not None:
            memo["h"] = digest(self.heading)
        if self._results:
            memo["g"] = pack_gaps(areas, sorted([*self._results, *([row, row] for row in kept)]))
        if len(self._numbers) <= MOST_NUMBERS and not self._any_number:
            memo["v"] = " ".join(sorted(map(plain_number, self._numbers)))
        if self._formulas:
            memo["f"] = sorted(self._formulas)
        return memo


@dataclass(slots=True)
class Outcome:
    """What happened: places of our cells, and looks we changed, by (style before, tint or None, no cell before)."""

    placed: dict[int, OurColumn] = field(default_factory=dict)
    count: int = 0
    tinted: int = 0
    looks: dict[tuple[int, str | None, bool], Cover] = field(default_factory=dict)
    not_placed: list[NotPlaced] = field(default_factory=list)
    removed: int = 0
    removed_formulas: list[str] = field(default_factory=list)
    _headings: list[int] = field(default_factory=list)

    def place(self, row: int, column: int, change: CellChange, style: int) -> None:
        """Take note of a cell of ours, and of the format it has if nobody changes it."""
        self.count += 1
        record = self.placed.get(column)
        if record is None:
            record = self.placed[column] = OurColumn()
        record.add(row, change, self._headings)
        is_text = isinstance(change.value if change.formula is None else change.cached, str)
        (record.text_styles if is_text else record.number_styles).add(style)
        if isinstance(change.value, str) and change.formula is None:
            self._headings.append(row)

    def place_numbers(self, changes: Iterable[ColumnChange]) -> None:
        """Take note of cells of ours down columns, below those taken note of before.

        A column may come in several changes, such as one for each look of its cells.
        """
        parts: dict[int, list[ColumnChange]] = {}
        for change in changes:
            parts.setdefault(change.column, []).append(change)
        for column, found in parts.items():
            rows = np.concatenate([change.rows for change in found])
            values = np.concatenate([change.values for change in found])
            order = np.argsort(rows, kind="stable")
            self.count += len(rows)
            self.placed.setdefault(column, OurColumn()).add_numbers(rows[order], values[order], self._headings)

    def wear(self, column: int, styles: Iterable[int]) -> None:
        """Take note of the formats of numbers of ours."""
        self.placed[column].number_styles.update(styles)


def off_grid(row: int, column: int) -> bool:
    """Tell whether a cell lies outside any worksheet."""
    return not (1 <= row <= LAST_ROW and 1 <= column <= LAST_COLUMN)


def around(cells: Mapping[int, Mapping[int, object]]) -> Area | None:
    """Return the area around cells given by row and column."""
    if not cells:
        return None
    columns = {column for row in cells.values() for column in row}
    return Area(min(cells), min(columns), max(cells), max(columns))
