"""The rows below a heading: which hold games, and which are blank, totals or remarks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.findings import Finding
from prefxl.names import key
from prefxl.sheets.asides import is_heading_between, is_remark, may_be_one
from prefxl.sheets.cells import Column, text_of
from prefxl.sheets.grid import Grid
from prefxl.sheets.headers import SCORE_ROLES, is_total
from prefxl.sheets.layouts import Found
from prefxl.sheets.percents import as_shown
from prefxl.sheets.values import score, shown
from prefxl.tables import Table, cell_name
from prefxl.texts import folded

Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]

#: What stands for an empty seat besides an empty cell.
_NOBODY = frozenset({"-", "–", "—", "−", "--", "―", "...", "…", "n/a", "нет игрока", "пусто"})


@dataclass(frozen=True, eq=False)
class Body:
    """The rows of one table that are not blank.

    Attributes
    ----------
    grid, found
        The grid and the recognised table.
    rows
        (R,) positions in the grid.
    names
        Folded nickname to name, from the user's own table of names.
    elsewhere
        Keys of names that play in other tables, so that here they are no remarks.
    """

    grid: Grid
    found: Found
    rows: Integers
    names: dict[str, str]
    elsewhere: frozenset[str] = frozenset()

    @classmethod
    def of(cls, grid: Grid, found: Found, names: dict[str, str], elsewhere: frozenset[str] = frozenset()) -> Body:
        """Return the rows of ``found`` that hold anything in its columns."""
        span = slice(found.bottom + 1, found.stop)
        filled = np.zeros(len(grid.lines[span]), dtype=bool)
        for number in found.labels:
            filled |= ~grid.column(number).take(span).empty
            if filled.all():
                break
        return cls(grid, found, np.flatnonzero(filled) + found.bottom + 1, names, elsewhere)

    def __len__(self) -> int:
        return len(self.rows)

    def keep(self, rows: npt.NDArray[Any]) -> Body:
        """Return the body with only these of its rows (positions or flags)."""
        if rows.dtype == bool and bool(rows.all()):
            return self
        return Body(self.grid, self.found, self.rows[rows], self.names, self.elsewhere)

    @cached_property
    def lines(self) -> Integers:
        """(R,) the rows or lines in the file."""
        lines: Integers = self.grid.lines[self._chosen]
        return lines

    @cached_property
    def _chosen(self) -> Integers | slice:
        """The rows as a slice where they follow each other: a slice copies nothing."""
        rows = self.rows
        if len(rows) and int(rows[-1]) - int(rows[0]) + 1 == len(rows):
            return slice(int(rows[0]), int(rows[-1]) + 1)
        return rows

    @cached_property
    def _columns(self) -> dict[int, Column]:
        return {}

    def column(self, number: int) -> Column:
        """Return the cells of a sheet column."""
        if number not in self._columns:
            self._columns[number] = self.grid.column(number).take(self._chosen)
        return self._columns[number]

    def role(self, role: str) -> Column | None:
        """Return the cells of the column with a role."""
        number = self.found.columns.get(role)
        return self.column(number) if number else None

    def name_of(self, value: Any) -> str | None:
        """Return a player's name as the season knows it, ``None`` where nobody sits."""
        text = text_of(value)
        if text is None or text.casefold() in _NOBODY:
            return None
        # a single quote keeps a leading = + - @ from becoming a formula; it is not part of the name
        if text.startswith("'") and text[1:2] in tuple("=+-@"):
            text = text[1:]
        return self.names.get(folded(text), text) if self.names else text

    def name_codes(self, column: Column, names: dict[str, int]) -> npt.NDArray[np.int32]:
        """(R,) the column's names as numbers, -1 where nobody sits; new ones are added to ``names``."""
        codes = np.array([coded(self.name_of(value), names) for value in column.values] or [-1], np.int32)
        return np.take(codes, column.codes)

    def named(self, number: int) -> Flags:
        """(R,) where a column names somebody."""
        if number not in self._named:
            self._named[number] = self.column(number).where(lambda value: self.name_of(value) is not None)
        return self._named[number]

    @cached_property
    def _named(self) -> dict[int, Flags]:
        return {}

    def is_role(self, *names: str) -> list[int]:
        """Return the columns whose role begins with one of ``names``, from the left."""
        found = self.found
        numbers = [column for role, column in found.columns.items() if role.split("_")[0] in names]
        return sorted(numbers + (list(found.named_whists) if "whists" in names else []))

    @cached_property
    def score_columns(self) -> list[int]:
        """The columns of scores, from the left."""
        return self.is_role(*SCORE_ROLES)

    def faults(self, number: int) -> Iterator[tuple[int, str, dict[str, Any]]]:
        """Yield the rows in which a column of scores holds no plain number: row, reason, what else is to be said."""
        column = self.column(number)
        percents = set()
        if number in self.grid.percents:
            # 5% is no score, whether it stands for 5 or for 0.05
            rows = np.flatnonzero(np.isin(self.lines, self.grid.percents[number]) & ~column.empty).tolist()
            percents = {row for row in rows if not isinstance(column[row], str) and column[row]}
        for row in sorted({*percents, *column.scores.faults}):
            if row in percents:
                yield row, "not-a-number", {"found": as_shown(column[row])}
            else:
                yield row, column.scores.faults[row], {}

    @cached_property
    def has_player(self) -> Flags:
        """(R,) where somebody is named."""
        flags = np.zeros(len(self), dtype=bool)
        for number in self.is_role("player"):
            flags |= self.named(number)
        return flags

    @cached_property
    def has_score(self) -> Flags:
        """(R,) where some score cell holds anything."""
        flags = np.zeros(len(self), dtype=bool)
        for number in self.score_columns:
            flags |= ~self.column(number).scores.empty
        return flags

    @cached_property
    def is_total(self) -> Flags:
        """(R,) rows of totals: a word says so, or nobody is named and the numbers are sums."""
        flags = np.zeros(len(self), dtype=bool)
        for number in self.is_role("game", "date", "player"):
            flags |= self.column(number).where(is_total)
        for number in self.found.own:
            flags |= self.column(number).where(is_total) & ~self.has_player
        flags &= ~self.is_broken
        if not self.found.seats:
            for row in np.flatnonzero(self.has_score & ~self.has_player & ~flags & ~self.is_broken):
                flags[row] = self._sums_up(int(row), flags)
        return flags

    def _sums_up(self, row: int, totals: Flags) -> bool:
        """Return whether the numbers of ``row`` are the sums of the columns above."""
        before = np.flatnonzero(totals[:row])
        since = np.arange(int(before[-1]) + 1 if len(before) else 0, row)
        return self._sums(row, since) or self._sums(row, np.flatnonzero(~totals[:row]))

    def _sums(self, row: int, above: Integers) -> bool:
        checked = 0
        for number in self.score_columns:
            scores = self.column(number).scores
            if scores.empty[row]:
                continue
            if row in scores.faults or int(scores.halves[above].sum()) != scores.halves[row]:
                return False
            checked += 1
        return checked > 1 and len(above) > 1

    def cell(self, row: int, column: int) -> str:
        """Return the A1 name of a cell; ``row`` is a position in the body."""
        return cell_name(int(self.lines[row]), column)

    def finding(self, reason: str, row: int, column: int, found: Any = None, **details: Any) -> Finding:
        """Return a finding on a cell; by default ``found`` is what stands there."""
        text = shown(self.column(column)[row]) if found is None else str(found)
        return Finding(reason, self.grid.file, self.grid.sheet, self.cell(row, column), text, details)

    def first_filled(self, row: int, among: list[int] | None = None) -> int:
        """Return the leftmost column with something in it."""
        numbers = sorted(self.found.labels) if among is None else among
        return next((number for number in numbers if not self.column(number).empty[row]), self.found.first_column)

    @cached_property
    def is_broken(self) -> Flags:
        """(R,) lines of a text file that have more fields than the heading."""
        return _too_wide(self.grid, self.found)[self.rows]

    def broken_details(self, row: int) -> dict[str, Any]:
        """Return what the finding on a broken line says: its fields and the heading's."""
        widths = self.grid.widths
        if widths is None:
            return {}
        return {"found": int(widths[self.rows[row]]), "count": int(widths[self.found.bottom])}

    @cached_property
    def is_note(self) -> Flags:
        """(R,) rows without a number in which a remark stands where one player's name is looked for."""
        return self._is_sure_note | self.is_doubtful

    @cached_property
    def _is_sure_note(self) -> Flags:
        flags = self.has_player & ~self.has_score & ~self.is_total
        if not flags.any():
            return flags
        columns = self.is_role("player")
        filled = self._filled
        for row in np.flatnonzero(flags).tolist():
            texts = [self.name_of(self.column(column)[row]) for column in columns]
            said = [text for text in texts if text is not None]
            flags[row] = len(said) == 1 and key(said[0]) not in self._known and self._says(row, said[0], filled)
        return flags

    def _says(self, row: int, text: str, filled: Integers) -> bool:
        """Return whether a text in a row without a number is a remark."""
        if self.is_broken[row]:
            return False
        alone = self.grid.widths is not None and int(self.grid.widths[self.rows[row]]) == 1
        # one cell of a wide table is no game, whatever it says
        alone |= self.found.layout == "wide" and filled[row] == 1
        return is_heading_between(text) or is_remark(text, alone=alone) or (alone and self.found.layout == "wide")

    @property
    def _filled(self) -> Integers:
        """(R,) how many cells have something in them."""
        filled: Integers = np.sum([~self.column(number).empty for number in self.found.labels], axis=0, dtype=np.int64)
        return filled

    @cached_property
    def is_doubtful(self) -> Flags:
        """(R,) rows of nothing but two words where a player's name is looked for: none of a player who is known.

        Where names here are of several words as well, or a column waits for the whists on that seat, it is a player.
        """
        flags = np.zeros(len(self), dtype=bool)
        if self.found.layout == "wide" or "player" not in self.found.columns:
            return flags
        place = self.found.columns["player"]
        column = self.column(place)
        alone = self.has_player & ~(self.has_score | self.is_total | self.is_broken | self.is_caption)
        alone &= ~self._is_sure_note
        if not alone.any():
            return flags
        for number in set(self.found.labels) - {place}:
            alone &= self.column(number).empty
        if not alone.any() or any(" " in name for name in self._known):
            return flags
        for row in np.flatnonzero(alone).tolist():
            name = self.name_of(column[row]) or ""
            flags[row] = may_be_one(name) and key(name) not in self._known and not self._has_seat(row)
        return flags

    def _has_seat(self, row: int) -> bool:
        """Return whether a column of whists is left for the seat of a row, the rows above being taken."""
        seats = [int(role.removeprefix("whists_")) for role in self.found.columns if role.startswith("whists_")]
        if "game" in self.found.columns or not seats:
            return False
        above = 0
        while above < row and self.lines[row - above - 1] == self.lines[row] - above - 1:
            above += 1
        return int(self.has_score[row - above : row].sum()) < max(seats)

    @cached_property
    def _known(self) -> frozenset[str]:
        """Who plays elsewhere in the table, or is named by its headings."""
        known = {key(name) for name in (*self.found.seats, *self.found.named_whists.values())}
        for number in self.is_role("player"):
            column = self.column(number)
            used = set(column.codes[self.has_score].tolist())
            names = [self.name_of(column.values[code]) for code in used]
            known |= {key(name) for name in names if name is not None}
        return frozenset(known) | self.elsewhere

    @cached_property
    def _nothing(self) -> Flags:
        nothing: Flags = ~(self.has_player | self.has_score | self.is_total | self.is_broken)
        return nothing | self.is_caption | self.is_note | self._is_stray

    @cached_property
    def _is_stray(self) -> Flags:
        """(R,) rows of one remark alone, in a column of scores."""
        flags = self.has_score & ~(self.has_player | self.is_total | self.is_broken)
        if flags.any():
            flags &= self._filled == 1
        for row in np.flatnonzero(flags).tolist():
            text = self.column(self.first_filled(row))[row]
            flags[row] = isinstance(text, str) and score(text)[1] == "not-a-number" and is_remark(text, alone=True)
        return flags

    @cached_property
    def is_empty_game(self) -> Flags:
        """(R,) rows with an id and at most a date, waiting for their game."""
        game = self.role("game")
        if game is None:
            return np.zeros(len(self), dtype=bool)
        flags = self._nothing & ~game.empty
        if flags.any():
            flags &= game.where(_is_id)
        for number in set(self.found.labels) - {self.found.columns["game"], self.found.columns.get("date", 0)}:
            flags &= self.column(number).empty
        return flags

    @cached_property
    def is_caption(self) -> Flags:
        """(R,) in a form: rows that name the block just below, by a text alone in the players' column."""
        flags = np.zeros(len(self), dtype=bool)
        if self.found.layout != "form" or "game" in self.found.columns or len(self) < 2:
            return flags
        alone = self.has_player & ~self.has_score
        for number in set(self.found.labels) - {self.found.columns["player"]}:
            alone &= self.column(number).empty
        apart = np.concatenate([[self.lines[0] - 1], self.lines[:-1]]) != self.lines - 1
        below = np.concatenate([(np.diff(self.lines) == 1) & self.has_score[1:], [False]])
        flags |= alone & apart & below
        return flags

    @cached_property
    def is_remark(self) -> Flags:
        """(R,) rows with text only."""
        return self._nothing & ~self.is_empty_game

    @cached_property
    def is_data(self) -> Flags:
        """(R,) rows that belong to games, or should."""
        return ~(self._nothing | self.is_total)

    def table(self, columns: dict[str, int], rows: Integers) -> Table:
        """Return the table for :class:`prefxl.games.Games`, its rows those of ``rows``."""
        found = self.found
        return Table(
            file=self.grid.file,
            sheet=self.grid.sheet,
            layout=found.layout,
            heading=found.heading_lines[1],
            first_row=int(rows.min()) if len(rows) else found.heading_lines[1] + 1,
            last_row=int(rows.max()) if len(rows) else found.heading_lines[1] + 1,
            first_column=found.first_column,
            last_column=found.last_column,
            columns=columns,
            caption=shown(found.caption) if found.layout == "form" else "",
            heading_top=found.heading_lines[0],
            turned=found.turned,
        )


def _too_wide(grid: Grid, found: Found) -> Flags:
    """(R,) lines with something beyond the last field of the heading.

    Between commas an empty field too many counts: a decimal comma has moved all the others.
    """
    flags = np.zeros(len(grid), dtype=bool)
    if grid.widths is None:
        return flags
    width = int(grid.widths[found.bottom])
    if grid.separator == ",":
        wider: Flags = grid.widths > width
        return wider
    for column in grid.columns[width:]:
        flags |= ~column.empty
    return flags


def _is_id(value: Any) -> bool:
    """Return whether a cell may be an id: a number, or a word or two that are no remark."""
    return not isinstance(value, str) or (len(value.split()) <= 2 and not is_remark(value))


def coded(name: str | None, names: dict[str, int]) -> int:
    """Return the number of a name, a new one's being the next; -1 for nobody."""
    return -1 if name is None else names.setdefault(name, len(names))
