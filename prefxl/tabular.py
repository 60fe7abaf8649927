"""Frames as Arrow tables, and numbers as text: the same whether a season is written at once or streamed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

#: How dates are written as text, ``None`` for dates that stay dates.
DayFormat: TypeAlias = str | None

#: How dates are written as text in a plain CSV: :meth:`datetime.date.isoformat`.
ISO = "%Y-%m-%d"


def arrow_table(frame: pd.DataFrame, days: DayFormat) -> pa.Table:
    """Return a frame as an Arrow table.

    Parameters
    ----------
    frame
        Columns of numbers, of text, or of anything; ``date`` holds dates, texts and ``None``.
    days
        How dates are written.
    """
    columns = {str(name): arrow_column(frame[name]) for name in frame.columns}
    if "date" in columns:
        columns["date"] = shown_days(frame["date"].tolist(), days)
    return pa.table(columns)


def arrow_column(column: pd.Series[Any]) -> pa.Array:
    """Return a column of one type; numbers and texts in one column are texts, and NaN is nothing."""
    if pd.api.types.is_numeric_dtype(column) and column.dtype.kind in "iuf":
        return pa.array(column.to_numpy(), from_pandas=True)
    return arrow_values([None if value is None or value != value else value for value in column])


def arrow_values(values: Sequence[Any]) -> pa.Array:
    """Return values as a column of one type, texts where they are of several.

    >>> arrow_values([1, "б", 2.5, None]).to_pylist()
    ['1', 'б', '2.5', None]
    """
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) > 1 and not kinds <= {int, float}:
        return pa.array([None if value is None else value_text(value) for value in values], pa.string())
    if kinds and all(issubclass(kind, str) for kind in kinds):
        return pa.array([None if value is None else str(value) for value in values], pa.string())
    if pd.Timestamp in kinds:
        return pa.array(values, pa.timestamp("us"))
    return pa.array(values, pa.float64() if len(kinds) > 1 else None)


def value_text(value: Any) -> str:
    """Return a value as text, a number as :func:`number_text` has it."""
    return number_text(value) if isinstance(value, float) else str(value)


def number_text(value: float) -> str:
    """Return a number as it is written in text files: whole ones without a point.

    >>> number_text(38.0), number_text(-102.5)
    ('38', '-102.5')
    """
    return str(int(value)) if value.is_integer() else repr(value)


def number_texts(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return a column of floats as text; few different numbers stand in many rows, each is told once."""
    values: npt.NDArray[np.float64] = (
        column.to_numpy(zero_copy_only=False) if isinstance(column, pa.Array) else (column.to_numpy())
    )
    filled = np.isfinite(values)
    known, codes = np.unique(np.where(filled, values, 0.0), return_inverse=True)
    texts = pa.array([number_text(value) for value in known.tolist()], pa.string())
    indices = pa.array(codes.astype(np.int32), mask=None if filled.all() else ~filled)
    return pa.DictionaryArray.from_arrays(indices, texts)


def shown_days(values: Sequence[Any], days: DayFormat) -> pa.Array:
    """Return dates and texts as one Arrow column: dates as they are where all are dates and no format is asked for."""
    if days is None and all(value is None or isinstance(value, date) for value in values):
        return pa.array(values, pa.date32())
    return pa.array([_shown_day(value, days or ISO) for value in values], pa.string())


def _shown_day(value: Any, days: str) -> str | None:
    if isinstance(value, date):
        # strftime leaves out the zeros of early years
        return value.isoformat() if days == ISO else f"{value:{days}}"
    return None if value is None or value != value else str(value)


def own_type(column: pa.Array | pa.ChunkedArray) -> pa.DataType | None:
    """Return the type a user's own column has in Parquet; ``None`` where nothing stands in it.

    Whole numbers are integers, even those that a text file holds, other numbers floats.
    """
    kind = plain_type(column.type)
    if pa.types.is_null(kind) or column.null_count == len(column):
        return None
    if pa.types.is_string(kind):
        return pa.int64() if _all_whole(column) else kind
    if pa.types.is_integer(kind):
        return pa.int64()
    if pa.types.is_floating(kind):
        whole = pc.all(pc.equal(pc.floor(column), column), min_count=0).as_py()
        small = pc.all(pc.less(pc.abs(column), 2.0**53), min_count=0).as_py()
        return pa.int64() if whole and small else pa.float64()
    return kind


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column's values, whatever they are packed in."""
    if pa.types.is_dictionary(kind):
        return plain_type(kind.value_type)
    return pa.string() if pa.types.is_large_string(kind) or pa.types.is_string_view(kind) else kind


#: A game's id, or a number of the user's own, that is whole: the same number written otherwise is another text.
WHOLE = r"^(0|-?[1-9][0-9]{0,16})$"


def _all_whole(text: pa.Array | pa.ChunkedArray) -> bool:
    return all_match(text, WHOLE)


def all_match(text: pa.Array | pa.ChunkedArray, pattern: str) -> bool:
    """Return whether every text, as far as there is one, matches ``pattern``."""
    if pa.types.is_dictionary(text.type):
        text = text.cast(pa.string())
    return pc.all(pc.match_substring_regex(text, pattern), min_count=0).as_py() is True


def shared_type(one: pa.DataType | None, other: pa.DataType | None) -> pa.DataType | None:
    """Return the type of a column whose parts have these types.

    >>> shared_type(pa.int64(), pa.float64()), shared_type(pa.int64(), pa.string()), shared_type(None, pa.date32())
    (DataType(double), DataType(string), DataType(date32[day]))
    """
    if one is None or other is None or one == other:
        return one if other is None else other
    numbers = (pa.int64(), pa.float64())
    return pa.float64() if one in numbers and other in numbers else pa.string()
