"""Score sheets as columns: brought into whole units, never copied as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.errors import SheetError
from prefxl.rules.conventions import Convention
from prefxl.rules.numbers import LIMIT, as_fraction
from prefxl.rules.settlement import Sheet, largest_intermediate

Column = npt.NDArray[Any]


class TooNarrowError(Exception):
    """An integer type is too narrow for these columns: a wider one is taken. Never leaves the batch."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Score sheets of as many players as columns, seat by seat, in units of a point.

    Attributes
    ----------
    pulya, gora, whists
        A column a seat, a matrix of columns (``None`` on the diagonal); of any integer or exact float type.
    unit
        How many units make a point.
    factor
        What the columns' numbers are multiplied by to give units: 2 for a float column in halves.
    corrected
        The seat to correct, one number or a column; -1 for nobody.
    """

    pulya: tuple[Column, ...]
    gora: tuple[Column, ...]
    whists: tuple[tuple[Column | None, ...], ...]
    unit: int = 1
    factor: int = 1
    corrected: int | Column = -1

    @property
    def games(self) -> int:
        """How many sheets."""
        return len(self.pulya[0])

    @property
    def players(self) -> int:
        """How many players each has."""
        return len(self.pulya)

    def every(self) -> list[Column]:
        """Return all columns, the diagonal left out."""
        return [*self.pulya, *self.gora, *(column for row in self.whists for column in row if column is not None)]

    def sheet(self, block: slice, convention: Convention, kind: Any) -> Sheet:
        """Return the games of ``block`` in whole units, as integers of ``kind``.

        Raises
        ------
        SheetError
            If a value is above the limit.
        TooNarrowError
            If settling them could overflow ``kind``.
        """
        taken = [self.units(column[block]) for column in self.every()]
        self.check(max((largest_value(column) for column in taken), default=0), convention, kind)
        columns = iter([column.astype(kind, copy=False) for column in taken])
        pulya, gora = (tuple(next(columns) for _ in self.pulya) for _ in range(2))
        whists = tuple(tuple(0 if column is None else next(columns) for column in row) for row in self.whists)
        named = self.corrected if isinstance(self.corrected, int) else self.corrected[block]
        return Sheet(pulya=pulya, gora=gora, whists=whists, unit=self.unit, corrected=named)

    def check(self, largest: int, convention: Convention, kind: Any) -> None:
        """Look whether numbers up to ``largest``, in units, can be settled in integers of ``kind``.

        Raises
        ------
        SheetError
            If a value is above the limit.
        TooNarrowError
            If settling them could overflow ``kind``.
        """
        if largest > LIMIT * self.unit:
            raise _too_large(largest // self.unit)
        if not fits(largest_intermediate(self.players, self.unit, largest, convention), kind):
            raise TooNarrowError

    def units(self, column: Column) -> Column:
        """Return a column's numbers in whole units."""
        if self.factor != 1:
            column = column * self.factor
        return column if column.dtype.kind in "iuO" else column.astype(np.int64)


def largest_value(column: Column) -> int:
    """Return the largest absolute value of a column, 0 for an empty one."""
    if column.dtype.kind == "i" and len(column):
        # without a sign bit a number below 0 is a very large one: mostly there is none, and one look is enough
        largest = int(np.maximum.reduce(column.view(f"u{column.dtype.itemsize}")))
        if largest < 1 << (8 * column.dtype.itemsize - 1):
            return largest
    return max(int(np.maximum.reduce(column)), -int(np.minimum.reduce(column))) if len(column) else 0


#: Integer types from narrow to wide. Beyond 64 bits a column holds Python's own integers: slow, still exact.
KINDS: tuple[Any, ...] = (np.int32, np.int64, np.object_)


def fits(bound: int, kind: Any) -> bool:
    """Tell whether every number up to ``bound`` fits an integer type."""
    return kind is np.object_ or bound < 2 ** (8 * np.dtype(kind).itemsize - 1)


def multiplied(numbers: Column, factor: int) -> Column:
    """Return whole numbers times ``factor``, in a type that holds the products."""
    if factor == 1:
        return numbers
    if largest_value(numbers.ravel()) * factor >= 2**63:
        numbers = numbers.astype(object)
    return numbers * factor


def make_columns(pulya: Any, gora: Any, whists: Any, corrected: Any = None) -> Columns:
    """Return columns seat by seat from arrays, frames, or lists of columns.

    Raises
    ------
    SheetError
        If shapes do not fit, a value is missing or no exact number, or the diagonal is not empty.
    """
    by_rows = _rows_come_first(pulya, whists)
    pulyas, goras = (_seat_columns(scores, by_rows) for scores in (pulya, gora))
    matrix = _whist_columns(whists, len(pulyas), by_rows)
    _check_shapes(pulyas, goras, matrix)
    _check_diagonal(matrix)
    off = [[None if i == j else column for j, column in enumerate(row)] for i, row in enumerate(matrix)]
    named: Any = -1 if corrected is None else corrected
    plain = Columns(
        pulya=tuple(pulyas),
        gora=tuple(goras),
        whists=tuple(tuple(row) for row in off),
        corrected=named if isinstance(named, int) else np.asarray(named, dtype=np.int64),
    )
    return _in_units(plain)


def _rows_come_first(pulya: Any, whists: Any) -> bool:
    """Tell (games, players) from a list of columns; plain nested lists are told apart by the whists' shape."""
    if hasattr(pulya, "shape"):
        return True
    if any(hasattr(column, "shape") for column in pulya):
        return False
    outer, inner = len(pulya), len(pulya[0])
    seats_first = len(whists) == outer and all(len(row) == outer for row in whists)
    return not (seats_first and _length(whists[0][-1]) in (inner, None))


def _length(value: Any) -> int | None:
    return len(value) if hasattr(value, "__len__") else None


def _seat_columns(scores: Any, by_rows: bool) -> list[Column]:
    if hasattr(scores, "columns"):
        return [_column(scores.iloc[:, seat]) for seat in range(scores.shape[1])]
    if by_rows:
        table = scores if hasattr(scores, "shape") else _column(scores)
        return [table[:, seat] for seat in range(table.shape[1])]
    return [_column(column) for column in scores]


def _whist_columns(whists: Any, players: int, by_rows: bool) -> list[list[Any]]:
    if by_rows:
        table = whists if hasattr(whists, "shape") else _column(whists)
        if table.ndim != 3:
            raise SheetError("whists must be (games, players, players)", "висты: (игры, участники, участники)")
        return [[table[:, i, j] for j in range(table.shape[2])] for i in range(table.shape[1])]
    return [[None if _is_nothing(column) else _column(column) for column in row] for row in whists]


def _is_nothing(column: Any) -> bool:
    return column is None or (not hasattr(column, "__len__") and column == 0)


def _column(values: Any) -> Column:
    column: Column = values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)
    return column


def _check_shapes(pulya: list[Column], gora: list[Column], whists: list[list[Any]]) -> None:
    players = len(pulya)
    square = len(whists) == players and all(len(row) == players for row in whists)
    lengths = {len(column) for column in (*pulya, *gora, *(c for row in whists for c in row)) if column is not None}
    if len(gora) != players or not square or len(lengths) > 1:
        raise SheetError(
            f"{players} columns of pulyas need as many of gora and {players} x {players} of whists, all as long",
            f"к {players} столбцам пуль нужно столько же столбцов гор и {players} x {players} вистов той же длины",
        )
    missing = any(whists[i][j] is None for i in range(players) for j in range(players) if i != j)
    if missing:
        raise SheetError("a column of whists is missing", "не хватает столбца вистов")


def _check_diagonal(whists: list[list[Any]]) -> None:
    for seat, row in enumerate(whists):
        own = row[seat]
        if own is None or not len(own):
            continue
        # NaN on the diagonal is an empty cell
        wrong = (own != 0) & (own == own)
        if bool(np.any(wrong)):
            game = int(np.argmax(wrong))
            raise SheetError(
                f"player {seat + 1} has whists written on themselves in game {game}: {own[game]}",
                f"у игрока {seat + 1} висты на самого себя в игре {game}: {own[game]}",
                (game,),
            )


def _in_units(columns: Columns) -> Columns:
    """Return the columns with their unit: 1 for whole numbers, 2 for halves, else what fractions need."""
    every = columns.every()
    kinds = {column.dtype.kind for column in every}
    if kinds <= set("iu"):
        return columns
    if kinds <= set("iuf"):
        factor = max(_float_factor(column) for column in every if column.dtype.kind == "f")
        return _replace(columns, unit=factor, factor=factor)
    return _from_fractions(columns)


def _float_factor(column: Column) -> int:
    if not bool(np.isfinite(column).all()):
        raise SheetError("a score is missing (NaN) or infinite", "счёт пропущен (NaN) или бесконечен")
    for factor in (1, 2, 4):
        if not bool(np.any((column * factor) % 1)):
            return factor
    raise SheetError(
        "a float column holds fractions other than halves: give Fractions",
        "в столбце дроби, кроме половин: дайте Fraction",
    )


def _from_fractions(columns: Columns) -> Columns:
    exact: dict[int, list[Fraction]] = {id(c): [as_fraction(value) for value in c] for c in columns.every()}
    unit = lcm(1, *(number.denominator for column in exact.values() for number in column))
    too_large = max((abs(number) for column in exact.values() for number in column), default=Fraction(0))
    if too_large > LIMIT:
        raise _too_large(int(too_large))

    def whole(column: Column | None) -> Column | None:
        if column is None:
            return None
        numbers: Column = np.array([int(number * unit) for number in exact[id(column)]], dtype=object)
        return numbers

    return _replace(columns, unit=unit, through=whole)


def _replace(columns: Columns, *, unit: int, factor: int = 1, through: Callable[[Any], Any] = lambda c: c) -> Columns:
    return Columns(
        pulya=tuple(through(column) for column in columns.pulya),
        gora=tuple(through(column) for column in columns.gora),
        whists=tuple(tuple(through(column) for column in row) for row in columns.whists),
        unit=unit,
        factor=factor,
        corrected=columns.corrected,
    )


def _too_large(value: int) -> SheetError:
    return SheetError(f"{value} is too large: at most {LIMIT}", f"{value} — слишком много: не больше {LIMIT}")
