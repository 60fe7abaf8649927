"""A column of cells, worked on by its distinct values, so that a million rows cost no loop in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.sheets.values import CellError, Truth, Uncached, identifier, is_empty, score, shown
from prefxl.texts import clean

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Scores:
    """A column of scores.

    Attributes
    ----------
    table, codes
        Halves by code, and (R,) the codes.
    empty
        (R,) where nothing is written.
    complete
        Whether something is written everywhere.
    faults
        Rows that hold no number, with the reason.
    """

    table: Integers
    codes: npt.NDArray[Any]
    empty: Flags
    complete: bool
    faults: dict[int, str]

    @cached_property
    def halves(self) -> Integers:
        """(R,) the numbers in halves, 0 where there is none."""
        halves = np.empty(len(self.codes), np.int64)
        self.into(halves)
        return halves

    def into(self, out: Integers) -> None:
        """Write the numbers, in halves, into a column that is there already."""
        np.take(self.table, self.codes, out=out, mode="clip")


@dataclass(frozen=True, eq=False)
class Column:
    """R cells as (R,) ``codes`` into their distinct ``values``."""

    values: tuple[Any, ...]
    codes: npt.NDArray[Any]

    @classmethod
    def of(cls, cells: Sequence[Any]) -> Column:
        """Return a column of the raw ``cells``."""
        kinds = set(map(type, cells))
        if bool in kinds:
            # True and 1 are the same key of a dictionary, but not the same entry of a sheet
            cells = [Truth(str(cell).upper()) if isinstance(cell, bool) else cell for cell in cells]
        index = dict.fromkeys(cells)
        for code, value in enumerate(index):
            index[value] = code
        codes = np.fromiter(map(index.__getitem__, cells), np.int64, len(cells))
        return cls(tuple(index), codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> Any:
        return self.values[self.codes[row]]

    def take(self, rows: npt.NDArray[Any] | slice) -> Column:
        """Return the cells of ``rows``."""
        codes = self.codes[rows]
        if 4 * len(codes) >= len(self.values):
            return Column(self.values, codes)
        # one form of many: only its own values are worth looking at
        return Column(self.values, codes).compacted()

    def compacted(self) -> Column:
        """Return the column with only those values that occur."""
        used, codes = np.unique(self.codes, return_inverse=True)
        return Column(tuple(self.values[code] for code in used), codes)

    def replaced(self, others: dict[int, Any]) -> Column:
        """Return the column with the cells at the rows of ``others`` replaced."""
        codes = self.codes.copy()
        codes[list(others)] = np.arange(len(self.values), len(self.values) + len(others))
        return Column((*self.values, *others.values()), codes)

    def where(self, test: Callable[[Any], bool]) -> Flags:
        """(R,) whether the cell's value passes ``test``."""
        return self._flags([test(value) for value in self.values])

    def mapped(self, change: Callable[[Any], Any]) -> Objects:
        """(R,) ``change`` of every cell, called once a distinct value."""
        changed = np.empty(len(self.values), dtype=object)
        changed[:] = [change(value) for value in self.values]
        taken: Objects = changed[self.codes]
        return taken

    def identifiers(self) -> Objects:
        """(R,) the cells as games' ids."""
        return self.mapped(identifier)

    @cached_property
    def empty(self) -> Flags:
        """(R,) where there is nothing to be seen."""
        return self.where(is_empty)

    @cached_property
    def texts(self) -> Objects:
        """(R,) the cells as cleaned text, ``None`` where empty."""
        return self.mapped(text_of)

    @cached_property
    def scores(self) -> Scores:
        """The cells read as scores."""
        read = [score(value) for value in self.values]
        table = np.array([number or 0 for number, _ in read] or [0], np.int64)
        empty = self._flags([reason == "empty" for _, reason in read])
        faults = {}
        if any(number is None for number, _ in read):
            bad = self._flags([number is None for number, _ in read])
            faults = {int(row): read[self.codes[row]][1] for row in np.flatnonzero(bad)}
        return Scores(table, self.codes, empty, not empty.any(), faults)

    def _flags(self, values: Sequence[bool]) -> Flags:
        """(R,) a flag for each distinct value, cell by cell."""
        if not any(values):
            # pages of zeros nobody writes to take neither time nor memory
            return np.zeros(len(self.codes), bool)
        return np.ones(len(self.codes), bool) if all(values) else np.array(values, bool)[self.codes]


def absent(values: Objects) -> Flags:
    """(R,) where there is ``None``."""
    flags: Flags = np.equal(values, np.array(None, dtype=object)).astype(np.bool_)
    return flags


def text_of(value: Any) -> str | None:
    """Return a cell as a name or remark is read: text without invisible characters, ``None`` where empty."""
    if is_empty(value) or isinstance(value, (CellError, Uncached)):
        return None
    return clean(value) if isinstance(value, str) else shown(value)
