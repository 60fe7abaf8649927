"""The results beside one table, column by column, before it is decided how their cells look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from prefxl.workbook.guard import Guard

Rows = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]


class Single(NamedTuple):
    """A cell by itself, with a formula as a rule: its row, its column (from 0 within the block), its value."""

    row: int
    offset: int
    value: int | float
    formula: str | None


@dataclass(eq=False)
class Block:
    """The cells of one table's results.

    Attributes
    ----------
    columns, headings
        The columns of the sheet, and the headings above the results.
    styles
        For each column what its numbers are (``result``, ``money``, ``check``), and to how many decimals.
    guard
        What writes the formulas of check cells, if they have any.
    singles
        The cells with formulas.
    notes
        The texts of notes, by offset and row.
    """

    columns: Sequence[int]
    headings: list[str]
    styles: list[tuple[str, int]]
    guard: Guard | None = None
    singles: list[Single] = field(default_factory=list)
    notes: dict[int, dict[int, str]] = field(default_factory=dict)
    _numbers: list[tuple[Rows, Rows, Numbers]] = field(default_factory=list)

    def take(self, rows: Rows, offsets: Rows | int, values: Numbers) -> None:
        """Add plain numbers; there is no cell for what is not a number."""
        there = ~np.isnan(values)
        self._numbers.append((rows[there], np.broadcast_to(offsets, rows.shape)[there], values[there]))

    def plain(self) -> Iterator[tuple[int, Rows, Numbers]]:
        """Yield the plain numbers of each column from top to bottom: offset, rows, values."""
        for offset in range(len(self.columns)):
            found = [(rows[at == offset], values[at == offset]) for rows, at, values in self._numbers]
            rows = np.concatenate([rows for rows, _ in found] or [np.zeros(0, np.int64)])
            values = np.concatenate([values for _, values in found] or [np.zeros(0)])
            order = np.argsort(rows, kind="stable")
            yield offset, rows[order].astype(np.int64), values[order]

    def values(self, offset: int) -> Numbers:
        """Return all numbers of a column, in no order."""
        plain = [values[at == offset] for _, at, values in self._numbers]
        return np.concatenate([*plain, np.array([cell.value for cell in self.singles if cell.offset == offset])])

    def best(self) -> Best:
        """Return the best result of each row."""
        wanted = np.array([kind == "result" for kind, _ in self.styles])
        plain = [(rows[wanted[at]], values[wanted[at]]) for rows, at, values in self._numbers]
        single = [(cell.row, float(cell.value)) for cell in self.singles if wanted[cell.offset]]
        rows = np.concatenate([*(rows for rows, _ in plain), np.array([row for row, _ in single], np.int64)])
        values = np.concatenate([*(values for _, values in plain), np.array([value for _, value in single])])
        found, at = np.unique(rows, return_inverse=True)
        best = np.full(len(found), -np.inf)
        np.maximum.at(best, at, values)
        return Best(found, best)


class Best(NamedTuple):
    """The best results: the rows, ascending, and the number of each."""

    rows: Rows
    values: Numbers

    def has(self, rows: Rows, values: Numbers) -> npt.NDArray[np.bool_]:
        """Tell of numbers in rows whether they are the best there."""
        if not len(self.rows):
            return np.zeros(len(rows), bool)
        at = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        best: npt.NDArray[np.bool_] = (self.rows[at] == rows) & (self.values[at] == values)
        return best
