"""Columns of few different values: each value once, and for every row its number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


class Coded(Sequence[Any]):
    """A column whose few different values stand once.

    Parameters
    ----------
    values
        The different values.
    codes
        (rows,) which of them stands in a row.
    """

    def __init__(self, values: Sequence[Any], codes: npt.NDArray[Any]) -> None:
        self.values, self.codes = values, codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: Any) -> Any:
        """Return the value of a row, or a column of some of the rows."""
        return Coded(self.values, self.codes[row]) if isinstance(row, slice) else self.values[self.codes[row]]

    def __iter__(self) -> Iterator[Any]:
        """Yield the values row by row."""
        return map(self.values.__getitem__, self.codes.tolist())

    def array(self) -> npt.NDArray[np.object_]:
        """Return the column as an array of objects.

        >>> Coded(["а", None], np.array([0, 1, 0])).array().tolist()
        ['а', None, 'а']
        """
        values = np.empty(len(self.values), dtype=object)
        values[:] = list(self.values)
        column: npt.NDArray[np.object_] = values[self.codes]
        return column
