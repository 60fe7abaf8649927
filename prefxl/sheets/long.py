"""The long layout and the forms: a row is a player in a game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.findings import Finding
from prefxl.games import Games, Who
from prefxl.matching import Meant, match_names
from prefxl.sheets.body import Body
from prefxl.sheets.cells import absent
from prefxl.sheets.drafts import Draft, Spot, own_frame, settings_of
from prefxl.sheets.grouping import Groups, group_rows
from prefxl.sheets.told import rows_aside
from prefxl.sheets.values import shown
from prefxl.texts import folded

Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
Objects = npt.NDArray[np.object_]

#: More seats than this are no game of Preferans.
MOST_SEATS = 5

_CROSSED_OUT = re.compile(r"[xхXХ*/\\|#■█▒░=~.+×–—-]{1,5}")


def read_long(body: Body, number: int, start_from: int | None = None) -> Draft:
    """Return the games of a long table or of a form.

    Parameters
    ----------
    body
        Its rows.
    number
        How many games without an id came before.
    start_from
        Where the pulya is kept downwards: the number it starts from.
    """
    groups, rows = group_rows(body)
    findings = list(_aside(body, groups))
    counts = np.bincount(groups.of_row, minlength=len(groups.game)) if len(rows) else np.zeros(0, np.int64)
    crowded = counts > MOST_SEATS
    for group in np.flatnonzero(crowded):
        findings.append(_crowd(body, rows[groups.of_row == group], groups.game[group]))
    if crowded.any():
        kept = ~crowded[groups.of_row]
        renumbered = np.cumsum(~crowded) - 1
        groups = Groups(
            renumbered[groups.of_row[kept]],
            groups.game[~crowded],
            groups.date[~crowded],
            groups.named_by[~crowded],
            groups.blocks,
        )
        rows = rows[kept]
    return _Long(body.keep(rows), groups, start_from).draft(findings, number)


def _aside(body: Body, groups: Groups) -> Iterator[Finding]:
    """Yield notes on the rows that are no games, save those that name one."""
    named = {body.cell(row, body.first_filled(row)) for row in groups.named_by.tolist() if row >= 0}
    for finding in rows_aside(body):
        if finding.cell not in named:
            yield finding


def _crowd(body: Body, rows: Integers, game: Any) -> Finding:
    """Return the finding on a game with too many rows: a player twice, else too many players."""
    column = body.found.columns["player"]
    names = [body.name_of(body.column(column)[int(row)]) for row in rows]
    details = {"rows": tuple(int(line) for line in body.lines[rows]), "game": game}
    for place, name in enumerate(names):
        if name is not None and name in names[:place]:
            return body.finding("player-twice", int(rows[place]), column, **details)
    return body.finding("too-many-players", int(rows[MOST_SEATS]), column, len(rows), **details)


@dataclass(frozen=True, eq=False)
class _Long:
    """The rows of games of a long table, each with its game."""

    body: Body
    groups: Groups
    start_from: int | None

    @cached_property
    def counts(self) -> Integers:
        """(G,) the rows of each game."""
        return np.bincount(self.groups.of_row, minlength=len(self.groups.game)).astype(np.int64)

    @cached_property
    def order(self) -> Integers:
        """(R,) the rows game by game, seat by seat."""
        seats = self.body.role("seat")
        if seats is None:
            return np.argsort(self.groups.of_row, kind="stable").astype(np.int64)
        return np.lexsort((seats.scores.halves, self.groups.of_row)).astype(np.int64)

    @cached_property
    def seat(self) -> Integers:
        """(R,) each row's seat, from 0."""
        firsts = np.cumsum(self.counts) - self.counts
        seats = np.empty(len(self.body), np.int64)
        seats[self.order] = np.arange(len(self.body)) - np.repeat(firsts, self.counts)
        return seats

    @cached_property
    def names(self) -> Objects:
        """(R,) the players."""
        column = self.body.role("player")
        return column.mapped(self.body.name_of) if column is not None else np.full(len(self.body), None)

    @property
    def shape(self) -> tuple[int, int]:
        """Seats and games."""
        return max(int(self.counts.max(initial=2)), 2), len(self.counts)

    def draft(self, findings: list[Finding], number: int) -> Draft:
        body, groups = self.body, self.groups
        first = self.order[np.cumsum(self.counts) - self.counts]
        ids, numbered = self._ids(number)
        columns, notes = self._table_columns()
        whists, given, strays = self._whists()
        who = Who(tuple(self._name_codes[1]), self._spread(self._name_codes[0], -1))
        games = Games(
            game=ids,
            date=groups.date,
            seats=self.counts,
            players=who.players,
            pulya=self._numbers("pulya"),
            gora=self._numbers("gora"),
            whists=whists,
            settings=settings_of(body, first),
            own=own_frame(body, self.order),
            tables=(body.table(columns, body.lines),),
            table=np.zeros(len(ids), np.int64),
            rows=self._spread(body.lines, 0),
            seated_as=who,
        )
        marks = {"pulya": self._given("pulya"), "gora": self._given("gora"), "whists": given}
        spots = (*self._broken(), *self._no_player(), *self._faults(), *strays)
        bare = None if body.has_score.all() else self._spread(~body.has_score, False)
        return Draft(body, games, marks, spots, (*findings, *notes), numbered, bare)

    def _ids(self, number: int) -> tuple[Objects, Flags]:
        """Return the games' ids, and where they are numbers of ours or the worksheet's name."""
        ids = self.groups.game.copy()
        missing = absent(ids)
        sheet = self.body.grid.sheet or self.body.grid.file.rpartition(".")[0]
        if self.groups.blocks and len(ids) == 1 and missing.all() and sheet:
            ids[:] = [sheet]
            return ids, missing
        numbers = np.empty(len(ids), dtype=object)
        numbers[:] = (np.cumsum(missing) + number).tolist()
        return np.where(missing, numbers, ids), missing

    def _spread(self, values: npt.NDArray[Any], filler: Any) -> npt.NDArray[Any]:
        spread = np.full(self.shape, filler, dtype=values.dtype)
        spread[self.seat, self.groups.of_row] = values
        return spread

    def _numbers(self, name: str) -> Integers:
        column = self.body.role(name)
        if column is None:
            return np.zeros(self.shape, np.int64)
        halves = column.scores.halves
        if name == "pulya" and self.start_from is not None:
            halves = 2 * self.start_from - halves
        return self._spread(halves, 0)

    def _given(self, name: str) -> Flags:
        column = self.body.role(name)
        return np.ones(self.shape, dtype=bool) if column is None else self._spread(~column.scores.empty, False)

    @cached_property
    def _targets(self) -> dict[int, tuple[Integers, Flags]]:
        """Whist column to (G,) the seat it is about, -1 for nobody, and (G,) where several fit."""
        found: dict[int, tuple[Integers, Flags]] = {}
        for role, column in self.body.found.columns.items():
            if role.startswith("whists_"):
                seat = int(role.removeprefix("whists_")) - 1
                found[column] = (np.where(self.counts > seat, seat, -1), np.zeros(len(self.counts), dtype=bool))
        for column, meant in self._meant.items():
            rows = np.isin(self._name_codes[0], [self._name_codes[1][name] for name in meant.names])
            target = np.full(len(self.counts), -1, np.int64)
            target[self.groups.of_row[rows]] = self.seat[rows]
            fitting = np.bincount(self.groups.of_row[rows], minlength=len(self.counts))
            found[column] = (target, fitting > (1 if meant.clear else 0))
        return found

    @cached_property
    def _name_codes(self) -> tuple[npt.NDArray[np.int32], dict[str, int]]:
        """(R,) the players as numbers, -1 for none, and the number of each name."""
        names: dict[str, int] = {}
        column = self.body.role("player")
        if column is None:
            return np.full(len(self.body), -1, np.int32), names
        codes = self.body.name_codes(column, names)
        # the column may know texts that stand in none of these rows, such as its heading
        there, first = np.unique(codes, return_index=True)
        there = there[np.argsort(first)]
        there = there[there >= 0]
        renumbered = np.full(len(names) + 1, -1, np.int32)
        renumbered[there] = np.arange(len(there))
        spelt = list(names)
        return renumbered[codes], {spelt[old]: new for new, old in enumerate(there.tolist())}

    @cached_property
    def _meant(self) -> dict[int, Meant]:
        """Whist column to the players its heading may name."""
        players = list(self._name_codes[1])
        named = self.body.found.named_whists
        mapped = {column: self.body.name_of(name) or name for column, name in named.items()}
        return match_names(mapped, players, of_whom=self.body.found.turned)

    def _table_columns(self) -> tuple[dict[str, int], list[Finding]]:
        """Return the table's columns with the whists on names under the players' own names."""
        columns = dict(self.body.found.columns)
        notes = []
        heading = self.body.found.heading_lines[1]
        for column, said in self.body.found.named_whists.items():
            meant = self._meant[column]
            columns |= {f"whists_on:{name}": column for name in meant.names}
            if meant.names and (not meant.sure or all(folded(name) != folded(said) for name in meant.names)):
                names = ", ".join(meant.names)
                role = {"role_en": f"whists on {names}", "role_ru": f"висты на игрока {names}"}
                if self.body.found.turned:
                    role = {"role_en": f"whists {names} wrote", "role_ru": f"висты, которые пишет {names}"}
                reason = "matched-heading" if meant.sure else "guessed-heading"
                notes.append(self._on_heading(reason, heading, column, role))
        return columns, notes

    def _on_heading(self, reason: str, line: int, column: int, details: dict[str, Any]) -> Finding:
        from prefxl.tables import cell_name

        grid, text = self.body.grid, self.body.found.labels.get(column, "")
        return Finding(reason, grid.file, grid.sheet, cell_name(line, column), text, details)

    def _whists(self) -> tuple[Integers, Flags, list[Spot]]:
        """Return whists (S, S, G), where they were written, and those on nobody."""
        seats, games = self.shape
        whists = np.zeros((seats, seats, games), np.int64)
        given = np.zeros((seats, seats, games), dtype=bool)
        spots: list[Spot] = []
        for column, (target, several) in sorted(self._targets.items()):
            scores = self.body.column(column).scores
            other = target[self.groups.of_row]
            at = np.flatnonzero(other >= 0)
            place: tuple[Any, ...] = (self.seat[at], other[at], self.groups.of_row[at])
            if self.body.found.turned:
                place = (place[1], place[0], place[2])
            whists[place] = scores.halves[at]
            given[place] = ~scores.empty[at]
            stray = (scores.halves != 0) & (other < 0)
            spots += [self._spot(int(row), column, "whists-on-nobody") for row in np.flatnonzero(stray)]
            unclear = (scores.halves != 0) & several[self.groups.of_row]
            spots += [self._spot(int(row), column, "unclear-name") for row in np.flatnonzero(unclear)]
        if not self._targets:
            given[:] = True
        return whists, given, spots

    def _spot(self, row: int, column: int, reason: str, details: Mapping[str, Any] = MappingProxyType({})) -> Spot:
        return Spot(int(self.groups.of_row[row]), row, column, reason, details)

    def _broken(self) -> Iterator[Spot]:
        for row in np.flatnonzero(self.body.is_broken).tolist():
            yield Spot(int(self.groups.of_row[row]), row, 1, "broken-line", self.body.broken_details(row))

    def _no_player(self) -> Iterator[Spot]:
        column = self.body.found.columns["player"]
        for row in np.flatnonzero(absent(self.names)):
            yield self._spot(int(row), column, "no-player")

    def _faults(self) -> Iterator[Spot]:
        """Yield the cells that hold no number, save what crosses out the diagonal."""
        for column in self.body.score_columns:
            cells = self.body.column(column)
            for row, reason, details in self.body.faults(column):
                if not (_CROSSED_OUT.fullmatch(shown(cells[row])) and self._is_nobodys(row, column)):
                    yield self._spot(row, column, reason, details)

    def _is_nobodys(self, row: int, column: int) -> bool:
        """Return whether a cell has no place for whists: the diagonal, or somebody who is not in the game."""
        if column not in self._targets:
            return False
        target = int(self._targets[column][0][self.groups.of_row[row]])
        if target < 0 or target == self.seat[row] or self.names[row] is None:
            return True
        # a name that stands twice has its diagonal twice
        meant = self._meant.get(column)
        return meant is not None and self.names[row] in meant.names
