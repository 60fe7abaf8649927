"""Cell references and areas, both one-based as Excel counts them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

LAST_ROW = 1_048_576
LAST_COLUMN = 16_384

_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_COLUMNS_ONLY = re.compile(r"\$?([A-Za-z]{1,3})")
_ROWS_ONLY = re.compile(r"\$?(\d{1,7})")


@lru_cache(maxsize=32768)
def column_letters(column: int) -> str:
    """Return the letters of a column: 1 is ``A``, 28 is ``AB``."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


@lru_cache(maxsize=32768)
def column_number(letters: str) -> int:
    """Return the number of a column: ``A`` is 1, ``AB`` is 28."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def reference(row: int, column: int) -> str:
    """Return the name of a cell: row 4, column 2 is ``B4``."""
    return f"{column_letters(column)}{row}"


def parse_reference(text: str) -> tuple[int, int]:
    """Return (row, column) of a cell such as ``B4`` or ``$B$4``.

    Raises
    ------
    ValueError
        If ``text`` does not name one cell.
    """
    match = _REFERENCE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"not a cell: {text!r}")
    return int(match[2]), column_number(match[1])


class Area(NamedTuple):
    """A rectangle of cells, all four edges included."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int

    def __str__(self) -> str:
        first = reference(self.first_row, self.first_column)
        last = reference(self.last_row, self.last_column)
        return first if first == last else f"{first}:{last}"

    def covers(self, row: int, column: int) -> bool:
        """Tell whether a cell lies in the area."""
        return self.first_row <= row <= self.last_row and self.first_column <= column <= self.last_column

    def has_row(self, row: int) -> bool:
        """Tell whether a row goes through the area."""
        return self.first_row <= row <= self.last_row

    def meets(self, other: Area) -> bool:
        """Tell whether the two areas have a cell in common."""
        return (
            self.first_row <= other.last_row
            and other.first_row <= self.last_row
            and self.first_column <= other.last_column
            and other.first_column <= self.last_column
        )

    @property
    def columns(self) -> range:
        """The numbers of its columns."""
        return range(self.first_column, self.last_column + 1)

    def joined(self, other: Area) -> Area:
        """Return the smallest area that covers both."""
        return Area(
            min(self.first_row, other.first_row),
            min(self.first_column, other.first_column),
            max(self.last_row, other.last_row),
            max(self.last_column, other.last_column),
        )

    def absolute(self) -> str:
        """Return the area as ``$B$4:$C$7``."""
        first = f"${column_letters(self.first_column)}${self.first_row}"
        last = f"${column_letters(self.last_column)}${self.last_row}"
        return first if first == last else f"{first}:{last}"


def parse_area(text: str) -> Area | None:
    """Return the area named ``B4``, ``B4:C7``, ``B:C`` or ``4:7``; None for anything else (``#REF!``)."""
    ends = text.strip().split(":")
    if len(ends) > 2:
        return None
    first, last = ends[0], ends[-1]
    if (top := _REFERENCE.fullmatch(first)) and (bottom := _REFERENCE.fullmatch(last)):
        area = Area(int(top[2]), column_number(top[1]), int(bottom[2]), column_number(bottom[1]))
    elif len(ends) == 2 and (top := _COLUMNS_ONLY.fullmatch(first)) and (bottom := _COLUMNS_ONLY.fullmatch(last)):
        area = Area(1, column_number(top[1]), LAST_ROW, column_number(bottom[1]))
    elif len(ends) == 2 and (top := _ROWS_ONLY.fullmatch(first)) and (bottom := _ROWS_ONLY.fullmatch(last)):
        area = Area(int(top[1]), 1, int(bottom[1]), LAST_COLUMN)
    else:
        return None
    rows, columns = sorted((area[0], area[2])), sorted((area[1], area[3]))
    return Area(rows[0], columns[0], rows[1], columns[1])


def parse_areas(text: str | None) -> Iterator[Area]:
    """Yield the areas of a list parted by blanks, as ``sqref`` has them; what is no area is left out."""
    for word in (text or "").split():
        if (area := parse_area(word)) is not None:
            yield area


def rectangles(cells: Iterable[tuple[int, int]]) -> list[Area]:
    """Cover exactly the given (row, column) cells with few rectangles.

    Runs within a row are joined first, then equal runs of rows that follow
    each other: a block of results, however long, is one rectangle.

    Examples
    --------
    >>> [str(area) for area in rectangles([(1, 2), (1, 3), (2, 2), (2, 3), (4, 2)])]
    ['B1:C2', 'B4']
    """
    cover = Cover()
    for row, column in sorted(set(cells)):
        cover.add(row, column)
    return cover.areas()


class AreaRows:
    """Areas, asked for by rows that ascend."""

    def __init__(self, areas: list[Area]) -> None:
        self._waiting = sorted(areas, reverse=True)
        self._row = 0
        self._here: list[Area] = []

    def at(self, row: int) -> list[Area]:
        """Return the areas that have cells in a row."""
        if row != self._row:
            self._row = row
            while self._waiting and self._waiting[-1].first_row <= row:
                self._here.append(self._waiting.pop())
            if self._here:
                self._here = [area for area in self._here if area.last_row >= row]
        return self._here

    def __contains__(self, row: int) -> bool:
        return bool(self.at(row))

    def covers(self, row: int, column: int) -> bool:
        """Tell whether a cell lies in one of the areas."""
        return any(area.first_column <= column <= area.last_column for area in self.at(row))


class Covered:
    """Areas that are asked for single cells."""

    def __init__(self, areas: Iterable[Area]) -> None:
        runs: dict[int, list[tuple[int, int]]] = {}
        for area in areas:
            for column in range(area.first_column, area.last_column + 1):
                runs.setdefault(column, []).append((area.first_row, area.last_row))
        self._columns = {column: _merged(found) for column, found in runs.items()}

    def covers(self, row: int, column: int) -> bool:
        """Tell whether a cell lies in one of the areas."""
        runs = self._columns.get(column)
        if not runs:
            return False
        at = bisect_right(runs, (row, LAST_ROW)) - 1
        return at >= 0 and runs[at][1] >= row

    def covers_all(self, rows: Sequence[int], column: int) -> bool:
        """Tell whether the cells of a column in all the rows, which ascend, lie in the areas."""
        runs = self._columns.get(column)
        if not runs or not rows:
            return not rows
        at = bisect_right(runs, (rows[0], LAST_ROW)) - 1
        if at >= 0 and runs[at][1] >= rows[-1]:
            return True
        return all(self.covers(row, column) for row in rows)

    def columns(self) -> Iterable[int]:
        """Return the columns that have cells in the areas."""
        return self._columns.keys()


def _merged(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for first, last in sorted(runs):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged


class Cover:
    """Gathers cells, row by row and from left to right, into few rectangles."""

    def __init__(self) -> None:
        self.count = 0
        self._row = 0
        self._runs: list[list[int]] = []
        self._open: dict[tuple[int, int], Area] = {}
        self._done: list[Area] = []

    def add(self, row: int, column: int) -> None:
        """Add a cell; it must follow the last one in reading order."""
        self.count += 1
        if row != self._row:
            self._close_row()
            self._row = row
        if self._runs and self._runs[-1][1] == column - 1:
            self._runs[-1][1] = column
        else:
            self._runs.append([column, column])

    def areas(self) -> list[Area]:
        """Return rectangles that cover exactly the cells added so far."""
        self._close_row()
        return sorted([*self._done, *self._open.values()])

    def _close_row(self) -> None:
        for first, last in self._runs:
            above = self._open.get((first, last))
            if above is not None and above.last_row == self._row - 1:
                self._open[first, last] = above._replace(last_row=self._row)
                continue
            if above is not None:
                self._done.append(above)
            self._open[first, last] = Area(self._row, first, self._row, last)
        self._runs = []
