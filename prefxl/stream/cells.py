"""Columns of a piece as numbers and names: vectorised where the cells are plain, ``None`` of it guessed.

A cell that is not plain makes its row strange; strange rows go the ordinary way.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prefxl.rules.numbers import LIMIT
from prefxl.tabular import WHOLE, all_match

Integers = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]

#: A plain number as text: a whole one, or one with a half after a point or a comma.
_PLAIN = r"^-?[0-9]{1,9}([.,][05]0*)?$"

#: Text that the ordinary reader takes as it stands: no blanks but single spaces, nothing unseen.
_TIDY = r"^[\pL\pN\pP\pS\pM]+( [\pL\pN\pP\pS\pM]+)*$"


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column of scores.

    Attributes
    ----------
    values
        (R,) in units, 0 where empty or strange.
    unit
        1 where all are whole, 2 where they are counted in halves.
    empty, strange
        (R,) flags, ``None`` for nowhere.
    """

    values: Integers
    unit: int
    empty: Flags | None = None
    strange: Flags | None = None

    def over(self, unit: int) -> Integers:
        """Return the values in another unit."""
        return self.values if unit == self.unit else self.values * (unit // self.unit)


def numbers(column: pa.Array) -> Numbers:
    """Return a column of scores."""
    kind = column.type
    if pa.types.is_null(kind):
        return Numbers(np.zeros(len(column), np.int64), 1, np.ones(len(column), bool))
    empty = flags(column.is_null()) if column.null_count else None
    if pa.types.is_integer(kind) and not pa.types.is_uint64(kind):
        return _checked(integers(column), 1, empty, None)
    if pa.types.is_floating(kind):
        halves = pc.fill_null(column, 0.0).to_numpy(zero_copy_only=False).astype(np.float64) * 2
        return _from_halves(halves, empty)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _from_text(column, empty)
    return Numbers(np.zeros(len(column), np.int64), 1, empty, np.ones(len(column), bool))


def integers(column: pa.Array) -> Integers:
    """Return a column of whole numbers, 0 where empty."""
    filled = pc.fill_null(column, 0) if column.null_count else column
    values: Integers = filled.to_numpy(zero_copy_only=False)
    return values if values.dtype.itemsize >= 4 else values.astype(np.int64)


def flags(column: pa.Array) -> Flags:
    """Return a column of truth values, false where empty."""
    values: Flags = pc.fill_null(column, False).to_numpy(zero_copy_only=False)
    return values


def _from_text(column: pa.Array, empty: Flags | None) -> Numbers:
    plain = flags(pc.match_substring_regex(column, _PLAIN))
    strange = ~plain if empty is None else ~plain & ~empty
    text = pc.replace_substring(pc.if_else(plain, column, "0"), ",", ".")
    halves = pc.cast(text, pa.float64()).to_numpy() * 2
    return _from_halves(halves, empty, strange)


def _from_halves(halves: npt.NDArray[np.float64], empty: Flags | None, strange: Flags | None = None) -> Numbers:
    odd = ~np.isfinite(halves)
    odd |= np.floor(np.where(odd, 0, halves)) != halves
    odd |= np.abs(halves) > 2 * LIMIT
    if odd.any():
        strange = odd if strange is None else strange | odd
        halves = np.where(odd, 0, halves)
    units = halves.astype(np.int64)
    if not (units & 1).any():
        return _checked(units >> 1, 1, empty, strange)
    return _checked(units, 2, empty, strange)


def _checked(values: Integers, unit: int, empty: Flags | None, strange: Flags | None) -> Numbers:
    """Return the column with numbers too large for the rules made strange."""
    if len(values) and max(int(values.max()), -int(values.min())) > LIMIT * unit:
        large = (values > LIMIT * unit) | (values < -LIMIT * unit)
        strange = large if strange is None else strange | large
        values = np.where(large, 0, values)
    return Numbers(values, unit, empty, strange if strange is not None and strange.any() else None)


def coded(column: pa.Array, change: Callable[[Any], Hashable]) -> tuple[Integers, list[Any]]:
    """Return a column as codes of its distinct changed values; -1 where empty or changed to ``None``.

    Parameters
    ----------
    column
        (R,) text, or anything that can be told apart.
    change
        Called once for each distinct value.
    """
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    index: dict[Any, int] = {}
    changed = [change(value) for value in column.dictionary.to_pylist()]
    for value in changed:
        if value is not None:
            index.setdefault(value, len(index))
    table = np.array([*(-1 if value is None else index[value] for value in changed), -1], np.int32)
    codes = integers(pc.fill_null(column.indices, len(changed)))
    return table[codes], list(index)


def as_dictionary(codes: Integers, values: Sequence[str] | pa.Array) -> pa.DictionaryArray:
    """Return codes with their values as an Arrow column, empty where the code is -1."""
    codes = np.asarray(codes, np.int32)
    missing = codes < 0
    indices = pa.array(codes, mask=missing) if missing.any() else pa.array(codes)
    shown = values if isinstance(values, pa.Array) else pa.array(values, pa.string())
    return pa.DictionaryArray.from_arrays(indices, shown)


def identifiers(column: pa.Array, change: Callable[[Any], Any]) -> tuple[pa.Array, bool]:
    """Return a column of games' ids as text or whole numbers, null for none, and whether all of them are numbers."""
    if pa.types.is_integer(column.type):
        return column, True
    text = column if pa.types.is_string(column.type) else pc.cast(column, pa.string())
    if all_match(text, WHOLE):
        return text, True
    if all_match(text, _TIDY) and int(pc.max(pc.utf8_length(text)).as_py() or 0) <= 200:
        return text, False
    changed = map(change, text.to_pylist())
    return pa.array([None if value is None else str(value) for value in changed], pa.string()), False
