"""Columns of numbers straight from a fast reader: arrays, with a few other cells among them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.rules.numbers import LIMIT
from prefxl.sheets.cells import Column, Flags, Integers, Objects, Scores
from prefxl.sheets.values import UNIT, identifier, is_empty, score

Numbers = npt.NDArray[np.float64]

#: From so many cells on, a column of floats with so few other cells is kept as an array.
_MANY, _FEW = 2000, 64


class WholeScores(Scores):
    """Scores that are whole numbers, their own codes."""

    def into(self, out: Integers) -> None:
        """Write the numbers, in halves, into a column that is there already."""
        np.multiply(self.codes, UNIT, out=out)


class HalfScores(Scores):
    """Scores that are in halves already."""

    def into(self, out: Integers) -> None:
        """Write the numbers, in halves, into a column that is there already."""
        out[:] = self.codes


class Gathered:
    """A column that is gathered block by block, as an array as long as its cells are floats or empty but for a few."""

    def __init__(self) -> None:
        self.parts: list[Numbers | tuple[Any, ...]] = []
        self.others: dict[int, Any] = {}
        self.empty: list[Integers] = []
        self.size = 0

    def add(self, cells: tuple[Any, ...]) -> None:
        """Take the next cells."""
        kinds = set(map(type, cells))
        if kinds == {float}:
            self.parts.append(np.array(cells, np.float64))
        elif kinds <= {float, str} and (float in kinds or not any(cells)):
            self._add_mixed(cells)
        else:
            self.parts.append(cells)
        self.size += len(cells)

    def _add_mixed(self, cells: tuple[Any, ...]) -> None:
        """Take numbers with empty cells among them, and with texts while these are few."""
        others = {row: cell for row, cell in enumerate(cells) if cell.__class__ is not float and cell}
        if len(self.others) + len(others) > _FEW:
            self.parts.append(cells)
            return
        self.others |= {self.size + row: cell for row, cell in others.items()}
        self.empty.append(np.array([row for row, cell in enumerate(cells) if cell == ""], np.int64) + self.size)
        self.parts.append(np.array([cell if cell.__class__ is float else 0.0 for cell in cells], np.float64))

    def column(self) -> Column:
        """Return the column."""
        arrays = [part for part in self.parts if isinstance(part, np.ndarray)]
        empty = np.concatenate(self.empty) if self.empty else np.empty(0, np.int64)
        if len(arrays) == len(self.parts) and self.size > _MANY:
            missing = np.zeros(self.size, dtype=bool) if len(empty) else None
            if missing is not None:
                missing[empty] = True
            return Floats(np.concatenate(arrays), self.others, missing)
        cells = list(
            chain.from_iterable(part.tolist() if isinstance(part, np.ndarray) else part for part in self.parts)
        )
        for row in empty.tolist():
            cells[row] = ""
        for row, cell in self.others.items():
            cells[row] = cell
        return Column.of(cells)


class Floats(Column):
    """A column of floats as a workbook has them: ``missing`` where a cell is empty, a few ``others`` by row."""

    def __init__(self, numbers: Numbers, others: dict[int, Any], missing: Flags | None = None) -> None:
        object.__setattr__(self, "numbers", numbers)
        object.__setattr__(self, "others", others)
        object.__setattr__(self, "missing", missing)

    numbers: Numbers
    others: dict[int, Any]
    missing: Flags | None

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, row: int) -> Any:
        if self.missing is not None and self.missing[row]:
            return ""
        return self.others[row] if row in self.others else float(self.numbers[row])

    @cached_property
    def _parted(self) -> tuple[tuple[Any, ...], Integers]:
        distinct, codes = np.unique(self.numbers, return_inverse=True)
        codes[list(self.others)] = np.arange(len(distinct), len(distinct) + len(self.others))
        values: tuple[Any, ...] = (*distinct.tolist(), *self.others.values())
        if self.missing is None:
            return values, codes
        codes[self.missing] = len(values)
        return (*values, ""), codes

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """The distinct values."""
        return self._parted[0]

    @cached_property
    def codes(self) -> npt.NDArray[Any]:
        """(R,) codes into :attr:`values`."""
        return self._parted[1]

    def take(self, rows: npt.NDArray[Any] | slice) -> Column:
        """Return the cells of ``rows``."""
        missing = None if self.missing is None else self.missing[rows]
        if isinstance(rows, slice):
            start, stop, _ = rows.indices(len(self))
            others = {row - start: value for row, value in self.others.items() if start <= row < stop}
            return Floats(self.numbers[rows], others, missing)
        index = np.flatnonzero(rows) if rows.dtype == bool else rows
        places = {row: np.flatnonzero(index == row) for row in self.others}
        others = {int(place): self.others[row] for row, found in places.items() for place in found}
        return Floats(self.numbers[index], others, missing)

    def where(self, test: Callable[[Any], bool]) -> Flags:
        """(R,) whether the cell's value passes ``test``, which looks only at what kind of a number it is."""
        flags = np.full(len(self), test(1.0), dtype=bool)
        if self.missing is not None:
            flags[self.missing] = test("")
        for row, value in self.others.items():
            flags[row] = test(value)
        return flags

    def identifiers(self) -> Objects:
        """(R,) the cells as games' ids."""
        if bool((self.numbers == np.floor(self.numbers)).all()) and bool((np.abs(self.numbers) < 2**53).all()):
            ids = self.numbers.astype(np.int64).astype(object)
        else:
            ids = np.array([identifier(float(number)) for number in self.numbers], dtype=object)
        if self.missing is not None:
            ids[self.missing] = identifier("")
        for row, value in self.others.items():
            ids[row] = identifier(value)
        return ids

    @cached_property
    def empty(self) -> Flags:
        """(R,) where there is nothing to be seen."""
        return self.where(is_empty)

    @cached_property
    def scores(self) -> Scores:
        """The cells read as scores."""
        doubled = self.numbers * UNIT
        sound = np.isfinite(doubled) & (np.abs(self.numbers) <= LIMIT)
        halves = np.rint(np.where(sound, doubled, 0)).astype(np.int64)
        # a formula's stored value may carry the noise of binary fractions in its last digits
        sound &= np.abs(doubled - halves) <= 1e-9 * np.maximum(1.0, np.abs(self.numbers))
        faults = {int(row): score(float(self.numbers[row]))[1] for row in np.flatnonzero(~sound)}
        empty = np.zeros(len(self), dtype=bool) if self.missing is None else self.missing.copy()
        halves[~sound] = 0
        for row, value in sorted(self.others.items()):
            number, reason = score(value)
            halves[row], empty[row] = number or 0, reason == "empty"
            if number is None:
                faults[row] = reason
        return HalfScores(halves, halves, empty, not empty.any(), dict(sorted(faults.items())))


class Whole(Column):
    """A column of whole numbers and empty cells, straight from a fast reader."""

    def __init__(self, numbers: npt.NDArray[Any], missing: Flags | None) -> None:
        object.__setattr__(self, "numbers", numbers)
        object.__setattr__(self, "missing", missing)

    numbers: npt.NDArray[Any]
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
    def values(self) -> tuple[Any, ...]:
        """The distinct values, ``None`` the last."""
        return self._parted[0]

    @cached_property
    def codes(self) -> Integers:
        """(R,) codes into :attr:`values`."""
        return self._parted[1]

    def take(self, rows: npt.NDArray[Any] | slice) -> Column:
        """Return the cells of ``rows``."""
        if isinstance(rows, slice) and rows == slice(0, len(self)):
            return self
        return Whole(self.numbers[rows], None if self.missing is None else self.missing[rows])

    def where(self, test: Callable[[Any], bool]) -> Flags:
        """(R,) whether the cell's value passes ``test``, which only looks at what kind of a value it is."""
        if self.missing is None:
            return np.full(len(self), test(1), dtype=bool)
        return np.where(self.missing, test(None), test(1)).astype(np.bool_)

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
        return WholeScores(self.numbers, self.numbers, self.empty, self.missing is None, {})
