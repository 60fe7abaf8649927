"""Columns of numbers straight from a fast reader: arrays, with a few other cells among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.rules.numbers import LIMIT
from prefxl.sheets.cells import Column, Flags, Integers, Objects, Scores
from prefxl.sheets.values import UNIT, identifier, is_empty, score

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
    """A column that is gathered block by block, as an array as long as its cells are floats but for a few."""

    def __init__(self) -> None:
        self.parts: list[npt.NDArray[np.float64] | tuple[Any, ...]] = []
        self.others: dict[int, Any] = {}
        self.size = 0

    def add(self, cells: tuple[Any, ...]) -> None:
        """Take the next cells."""
        kinds = set(map(type, cells))
        if kinds == {float}:
            self.parts.append(np.array(cells, np.float64))
        elif float not in kinds or not kinds <= {float, str}:
            self.parts.append(cells)
        else:
            self._add_mixed(cells)
        self.size += len(cells)

    def _add_mixed(self, cells: tuple[Any, ...]) -> None:
        """Take numbers with texts among them: an array while these are few."""
        others = {row: cell for row, cell in enumerate(cells) if cell.__class__ is not float}
        if len(self.others) + len(others) <= _FEW:
            self.others |= {self.size + row: cell for row, cell in others.items()}
            floats = [0.0 if row in others else cell for row, cell in enumerate(cells)]
            self.parts.append(np.array(floats, np.float64))
        else:
            self.parts.append(cells)

    def column(self) -> Column:
        """Return the column."""
        arrays = [part for part in self.parts if isinstance(part, np.ndarray)]
        if len(arrays) == len(self.parts) and self.size > _MANY:
            return Floats(np.concatenate(arrays), self.others)
        return Column.of(list(self._cells()) if arrays else list(chain.from_iterable(self.parts)))

    def _cells(self) -> Iterator[Any]:
        row = 0
        for part in self.parts:
            for cell in part.tolist() if isinstance(part, np.ndarray) else part:
                yield self.others.get(row, cell) if self.others else cell
                row += 1


class Floats(Column):
    """A column of floats and a few ``others`` by row, as a workbook has them."""

    def __init__(self, numbers: npt.NDArray[np.float64], others: dict[int, Any]) -> None:
        object.__setattr__(self, "numbers", numbers)
        object.__setattr__(self, "others", others)

    numbers: npt.NDArray[np.float64]
    others: dict[int, Any]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, row: int) -> Any:
        return self.others[row] if row in self.others else float(self.numbers[row])

    @cached_property
    def _parted(self) -> tuple[tuple[Any, ...], Integers]:
        distinct, codes = np.unique(self.numbers, return_inverse=True)
        codes[list(self.others)] = np.arange(len(distinct), len(distinct) + len(self.others))
        return (*distinct.tolist(), *self.others.values()), codes

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
        if isinstance(rows, slice):
            start, stop, _ = rows.indices(len(self))
            others = {row - start: value for row, value in self.others.items() if start <= row < stop}
            return Floats(self.numbers[rows], others)
        index = np.flatnonzero(rows) if rows.dtype == bool else rows
        places = {row: np.flatnonzero(index == row) for row in self.others}
        return Floats(
            self.numbers[index], {int(place): self.others[row] for row, found in places.items() for place in found}
        )

    def where(self, test: Callable[[Any], bool]) -> Flags:
        """(R,) whether the cell's value passes ``test``, which looks only at what kind of a number it is."""
        flags = np.full(len(self), test(1.0), dtype=bool)
        for row, value in self.others.items():
            flags[row] = test(value)
        return flags

    def identifiers(self) -> Objects:
        """(R,) the cells as games' ids."""
        if bool((self.numbers == np.floor(self.numbers)).all()) and bool((np.abs(self.numbers) < 2**53).all()):
            ids = self.numbers.astype(np.int64).astype(object)
        else:
            ids = np.array([identifier(float(number)) for number in self.numbers], dtype=object)
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
        empty = np.zeros(len(self), dtype=bool)
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
        return WholeScores(self.numbers, self.numbers, self.empty, self.missing is None, {})
