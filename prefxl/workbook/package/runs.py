"""Which columns of a sheet are filled, row by row, however many rows and areas it has."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import NamedTuple, TypeAlias, overload

import numpy as np

from prefxl.workbook.package.coordinates import Area

#: Answers which columns (as bits) something has cells in, in any of the rows from one to another.
ColumnsIn: TypeAlias = Callable[[int, int], int]


class RowRun(NamedTuple):
    """Rows that follow each other and have the same columns filled (bit ``1 << column``)."""

    first_row: int
    last_row: int
    filled: int
    formulas: int


class Runs(Sequence[RowRun]):
    """The rows of a sheet that have something in them, equal ones that follow each other joined.

    A sheet has few different rows, however many it has.

    Parameters
    ----------
    runs
        Rows to begin with, in ascending order.
    """

    def __init__(self, runs: Iterable[RowRun] = ()) -> None:
        self._first, self._last, self._look = array("l"), array("l"), array("l")
        self._looks: list[tuple[int, int]] = []
        self._numbers: dict[tuple[int, int], int] = {}
        for run in runs:
            self._first.append(run.first_row)
            self._last.append(run.last_row)
            self._look.append(self._number((run.filled, run.formulas)))

    def add_rows(self, rows: Sequence[int], looks: Sequence[tuple[int, int]]) -> None:
        """Add rows below all others, each with its filled columns and formulas; those without any are passed over."""
        known = {look: self._number(look) for look in set(looks) if look[0]}
        numbers = np.array([known.get(look, -1) for look in looks], np.int64)
        there = numbers >= 0
        numbers, lines = numbers[there], np.array(rows, np.int64)[there]
        if not len(lines):
            return
        starts = np.flatnonzero(np.diff(lines, prepend=lines[0] - 2) - 1 | np.diff(numbers, prepend=numbers[0]))
        first, look = lines[starts].tolist(), numbers[starts].tolist()
        last = lines[np.append(starts[1:], len(lines)) - 1].tolist()
        if self._first and self._look[-1] == look[0] and self._last[-1] == first[0] - 1:
            self._last[-1] = last[0]
            first, last, look = first[1:], last[1:], look[1:]
        self._first.extend(first)
        self._last.extend(last)
        self._look.extend(look)

    def _number(self, look: tuple[int, int]) -> int:
        if look not in self._numbers:
            self._numbers[look] = len(self._looks)
            self._looks.append(look)
        return self._numbers[look]

    def at(self, row: int) -> RowRun | None:
        """Return the run a row belongs to, if there is anything in it."""
        position = bisect_right(self._first, row) - 1
        return None if position < 0 or self._last[position] < row else self[position]

    def filled(self, first_row: int, last_row: int) -> int:
        """Return the columns (as bits) that are filled in any of the rows."""
        if self._first and first_row <= self._first[0] and self._last[-1] <= last_row:
            return self._everywhere()
        start = bisect_right(self._first, first_row) - 1
        if start < 0 or self._last[start] < first_row:
            start += 1
        filled = 0
        for look in set(self._look[start : bisect_right(self._first, last_row)]):
            filled |= self._looks[look][0]
        return filled

    def _everywhere(self) -> int:
        return reduce(or_, (filled for filled, _ in self._looks), 0)

    def __len__(self) -> int:
        return len(self._first)

    @overload
    def __getitem__(self, index: int) -> RowRun: ...

    @overload
    def __getitem__(self, index: slice) -> list[RowRun]: ...

    def __getitem__(self, index: int | slice) -> RowRun | list[RowRun]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        return RowRun(self._first[index], self._last[index], *self._looks[self._look[index]])


def stacked(areas: Iterable[Area]) -> Runs:
    """Return the rows that areas have cells in, with the columns of all of them: thousands are looked at once."""
    return Runs(_stacked(areas))


def _stacked(areas: Iterable[Area]) -> Iterator[RowRun]:
    # of each column range how many areas begin in a row, less those that ended above it
    changes: dict[int, Counter[tuple[int, int]]] = {}
    for area in areas:
        columns = (area.first_column, area.last_column)
        changes.setdefault(area.first_row, Counter())[columns] += 1
        changes.setdefault(area.last_row + 1, Counter())[columns] -= 1
    here: Counter[tuple[int, int]] = Counter()
    rows = sorted(changes)
    for row, following in pairwise(rows):
        here.update(changes[row])
        for columns in changes[row]:
            if not here[columns]:
                del here[columns]
        if here:
            yield RowRun(row, following - 1, reduce(or_, (bits(*columns) for columns in here)), 0)


def bits(first: int, last: int) -> int:
    """Return columns that follow each other as bits."""
    return ((1 << (last - first + 1)) - 1) << first
