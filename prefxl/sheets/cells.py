"""A column of cells, worked on by its distinct values, so that a million rows cost no loop in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.sheets.values import UNIT, CellError, Truth, Uncached, clean, identifier, is_empty, score, shown

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.object_]


@dataclass(frozen=True)
class Scores:
    """A column of scores: ``halves`` (R,), where ``empty`` (R,), and faults by row with their reason."""

    halves: Integers
    empty: Flags
    faults: dict[int, str]


@dataclass(frozen=True, eq=False)
class Column:
    """R cells as (R,) ``codes`` into their distinct ``values``."""

    values: tuple[Any, ...]
    codes: Integers

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
        return Column(self.values, self.codes[rows])

    def replaced(self, others: dict[int, Any]) -> Column:
        """Return the column with the cells at the rows of ``others`` replaced."""
        codes = self.codes.copy()
        codes[list(others)] = np.arange(len(self.values), len(self.values) + len(others))
        return Column((*self.values, *others.values()), codes)

    def where(self, test: Callable[[Any], bool]) -> Flags:
        """(R,) whether the cell's value passes ``test``."""
        return self._by_code([test(value) for value in self.values], bool)

    def mapped(self, change: Callable[[Any], Any]) -> Objects:
        """(R,) ``change`` of every cell, called once a distinct value."""
        changed = np.empty(len(self.values), dtype=object)
        changed[:] = [change(value) for value in self.values]
        return changed[self.codes]

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
        halves = self._by_code([number or 0 for number, _ in read], np.int64)
        empty = self._by_code([reason == "empty" for _, reason in read], bool)
        bad = self._by_code([number is None for number, _ in read], bool)
        return Scores(halves, empty, {int(row): read[self.codes[row]][1] for row in np.flatnonzero(bad)})

    def _by_code(self, values: Sequence[Any], dtype: Any) -> npt.NDArray[Any]:
        return np.array(values, dtype=dtype)[self.codes] if values else np.zeros(len(self.codes), dtype)


class Whole(Column):
    """A column of whole numbers and empty cells, straight from a fast reader."""

    def __init__(self, numbers: Integers, missing: Flags | None) -> None:
        object.__setattr__(self, "numbers", numbers)
        object.__setattr__(self, "missing", missing)

    numbers: Integers
    missing: Flags | None

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, row: int) -> Any:
        return None if self.missing is not None and self.missing[row] else int(self.numbers[row])

    @cached_property
    def _parted(self) -> tuple[tuple[Any, ...], Integers]:
        distinct, codes = np.unique(self.numbers, return_inverse=True)
        values: tuple[Any, ...] = (*distinct.tolist(), None)
        return values, codes if self.missing is None else np.where(self.missing, len(distinct), codes)

    @cached_property
    def values(self) -> tuple[Any, ...]:  # type: ignore[override]
        """The distinct values, ``None`` the last."""
        return self._parted[0]

    @cached_property
    def codes(self) -> Integers:  # type: ignore[override]
        """(R,) codes into :attr:`values`."""
        return self._parted[1]

    def take(self, rows: npt.NDArray[Any] | slice) -> Column:
        """Return the cells of ``rows``."""
        if isinstance(rows, slice) and rows == slice(0, len(self)):
            return self
        return Whole(self.numbers[rows], None if self.missing is None else self.missing[rows])

    def where(self, test: Callable[[Any], bool]) -> Flags:
        """(R,) whether the cell's value passes ``test``, which only looks at what kind of a value it is."""
        return np.where(self.empty, test(None), test(1)).astype(np.bool_)

    def identifiers(self) -> Objects:
        """(R,) the cells as games' ids."""
        ids = self.numbers.astype(object)
        if self.missing is not None:
            ids[self.missing] = None
        return ids

    @cached_property
    def empty(self) -> Flags:
        """(R,) where there is nothing to be seen."""
        return np.zeros(len(self), dtype=bool) if self.missing is None else self.missing

    @cached_property
    def scores(self) -> Scores:
        """The cells read as scores."""
        return Scores(self.numbers * UNIT, self.empty, {})


def text_of(value: Any) -> str | None:
    """Return a cell as a name or remark is read: text without invisible characters, ``None`` where empty."""
    if is_empty(value) or isinstance(value, (CellError, Uncached)):
        return None
    return clean(value) if isinstance(value, str) else shown(value)


@dataclass(frozen=True, eq=False)
class Grid:
    """One worksheet, or one text file, as columns of cells.

    Attributes
    ----------
    file, sheet
        Where it comes from; ``sheet`` is ``""`` for text.
    columns
        The columns from ``first_column`` on (counted from 1), all R rows long.
    lines
        (R,) the row or line each row stands in, counted from 1.
    widths
        (R,) in text: how many fields the line has; else ``None``.
    separator
        What parts the fields of a text file.
    tables
        The tables of the grid, where they are known already.
    merged
        Top, left, bottom, right of merged cells, counted from 1.
    hidden, hidden_rows
        Whether the worksheet is hidden, and its hidden rows.
    from_1904
        Whether days are counted from 1904.
    ours, our_areas
        Whether an earlier run added this worksheet, and the cells it placed on it, as ``merged``.
    """

    file: str
    sheet: str
    columns: tuple[Column, ...]
    first_column: int
    lines: Integers
    widths: Integers | None = None
    merged: tuple[tuple[int, int, int, int], ...] = ()
    hidden: bool = False
    hidden_rows: frozenset[int] = frozenset()
    from_1904: bool = False
    ours: bool = False
    our_areas: tuple[tuple[int, int, int, int], ...] = ()
    separator: str = ""
    tables: tuple[Any, ...] | None = None

    def __len__(self) -> int:
        return len(self.lines)

    def row(self, index: int) -> dict[int, Any]:
        """Return the cells of a stored row that are not empty, by sheet column counted from 1."""
        cells = ((self.first_column + place, column[index]) for place, column in enumerate(self.columns))
        return {column: value for column, value in cells if not is_empty(value)}

    def column(self, number: int) -> Column:
        """Return the column with this number in the sheet, counted from 1."""
        return self.columns[number - self.first_column]
