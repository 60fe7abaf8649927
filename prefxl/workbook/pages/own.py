"""Columns of the user's own on a sheet of ours, so that they read as they do on theirs."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.workbook.canvas import Column
from prefxl.workbook.fill import Values

_MIDNIGHT = time()


def own_column(name: Any, values: npt.NDArray[Any], lang: str) -> Column:
    """Return a column of the user's; days, and days with a time, are shown as such, and as words among other things."""
    if values.dtype.kind == "M":
        values = values.astype("datetime64[us]").astype(object)
    # hardly any column has days, and the types of values are told quickly
    if values.dtype != object or not any(issubclass(kind, date) for kind in set(map(type, values))):
        return Column(f"own:{name}", str(name), plain_numbers(values))
    kinds = set(map(_kind, values)) - {None}
    if kinds <= {"date", "moment"}:
        return Column(f"own:{name}", str(name), values, "moment" if "moment" in kinds else "date")
    return Column(f"own:{name}", str(name), [_worded(value, lang) for value in values])


def _kind(value: Any) -> str | None:
    if value is None or value != value:
        return None
    if isinstance(value, datetime) and value.time() != _MIDNIGHT:
        return "moment"
    return "date" if isinstance(value, date) else ""


def _worded(value: Any, lang: str) -> Any:
    kind = _kind(value)
    shape = "%d.%m.%Y" if lang == "ru" else "%Y-%m-%d"
    return value.strftime(f"{shape} %H:%M" if kind == "moment" else shape) if kind else value


def plain_numbers(values: npt.NDArray[Any]) -> Values:
    """Return a column of objects as an array of floats where all of it is numbers or nothing."""
    if values.dtype != object:
        return values
    kinds = {type(value) for value in values}
    if not kinds <= {int, float, type(None)} or kinds == {type(None)}:
        return values
    return np.array([np.nan if value is None else value for value in values], float)
