"""A worksheet or a text file as columns of cells, with where they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from prefxl.sheets.cells import Column, Integers
from prefxl.sheets.values import is_empty


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
    hidden, hidden_rows, hidden_columns
        Whether the worksheet is hidden, and its hidden rows and columns.
    percents
        Column to the rows of its cells that are shown in per cent, which their values do not tell.
    from_1904
        Whether days are counted from 1904.
    ours, our_areas
        Whether an earlier run added this worksheet, and the cells it placed on it, as ``merged``.
    unmarked
        Whether such marks may be missing, for the format keeps none or another program has moved cells without
        them: what is ours is known by its headings, too.
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
    hidden_columns: frozenset[int] = frozenset()
    percents: Mapping[int, Sequence[int]] = field(default_factory=dict)
    from_1904: bool = False
    ours: bool = False
    our_areas: tuple[tuple[int, int, int, int], ...] = ()
    unmarked: bool = False
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

    def columns_of_ours(self, index: int) -> set[int]:
        """Return the columns of the cells an earlier run placed in a stored row."""
        line, (tops, bottoms) = self.lines[index], self._ours_between
        found = np.flatnonzero((tops <= line) & (bottoms >= line))
        areas = (self.our_areas[place] for place in found)
        return {column for _, left, _, right in areas for column in range(left, right + 1)}

    @cached_property
    def _ours_between(self) -> tuple[Integers, Integers]:
        """The first and the last lines of what an earlier run placed."""
        tops, bottoms = ([area[side] for area in self.our_areas] for side in (0, 2))
        return np.array(tops, np.int64), np.array(bottoms, np.int64)
