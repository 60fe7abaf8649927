"""Pieces of the long layout: a row is a player in a game, the rows of a game together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prefxl.sheets.headers import is_total
from prefxl.stream.batches import Batch, Made, dates, ids, own_columns, worded_totals
from prefxl.stream.cells import Flags, Integers, Numbers, coded, numbers
from prefxl.stream.pieces import NotStreamableError, Piece
from prefxl.stream.plan import Plan

#: More rows than this are no game of Preferans.
MOST_SEATS = 5


def long_batch(piece: Piece, plan: Plan) -> Batch:
    """Return the games of a piece; games that are not plain are left to the ordinary reader.

    Raises
    ------
    NotStreamableError
        If a row has no id of its own.
    """
    made = Made(piece.table.num_rows)
    own, names = coded(piece.table.column(plan.places["player"]).chunk(0), plan.body.name_of)
    made.strange |= own < 0
    totals = [code for code, value in enumerate(names) if is_total(value)]
    made.strange |= np.isin(own, totals) | worded_totals(piece, plan, ("game", "date"))
    made.no_settings(piece, plan)
    game, date = ids(piece, plan, made), dates(piece, plan, made)
    if game.null_count:
        raise NotStreamableError
    rows = Rows(piece, game, date, made)
    codes = rows.spread(own, -1)
    for seat in range(1, len(codes)):
        for earlier in range(seat):
            rows.strange |= (codes[seat] == codes[earlier]) & (codes[seat] >= 0)
    scores = {role: numbers(piece.table.column(plan.places[role]).chunk(0)) for role in plan.scores}
    unit = max((column.unit for column in scores.values()), default=1)
    pulya, gora, whists = rows.matrix(scores, unit)
    return Batch(
        plan=plan,
        game=game.take(pa.array(rows.starts)),
        date=None if date is None else (date[0][rows.starts], date[1]),
        seats=rows.counts,
        codes=codes,
        names=names,
        pulya=pulya,
        gora=gora,
        whists=whists,
        unit=unit,
        own=own_columns(piece, plan),
        lines=rows.spread(piece.lines, 0),
        strange=rows.strange,
        empties=rows.empties,
    )


class Rows:
    """R rows of a piece as G games: ids that follow each other are one game."""

    def __init__(self, piece: Piece, game: pa.Array, date: tuple[Integers, list[Any]] | None, made: Made) -> None:
        count = piece.table.num_rows
        fresh = np.ones(count, bool)
        fresh[1:] = pc.not_equal(game[1:], game[:-1]).to_numpy(zero_copy_only=False)
        self.starts: Integers = np.flatnonzero(fresh)
        self.counts: Integers = np.diff(self.starts, append=count)
        self.made = made
        self.of_row: Integers = np.cumsum(fresh) - 1
        self.seat: Integers = np.arange(count) - self.starts[self.of_row]
        made.strange[1:] |= ~fresh[1:] & (np.diff(piece.lines) != 1)
        if date is not None:
            # one id on two dates is two games, and a gap is filled from above: the ordinary reader knows
            made.strange |= date[0] != date[0][self.starts][self.of_row]
        made.strange |= beside(piece)
        self.strange: Flags = self.any_row(made.strange) | (self.counts < 2) | (self.counts > MOST_SEATS)
        self.empties: dict[str, Flags] = {}
        self.shape = (min(int(self.counts.max(initial=2)), MOST_SEATS), len(self.counts))
        self.placed: Flags | None = None if int(self.counts.max(initial=0)) <= MOST_SEATS else self.seat < MOST_SEATS

    def any_row(self, rows: Flags) -> Flags:
        """(G,) whether any row of the game is so."""
        found = np.zeros(len(self.counts), bool)
        found[self.of_row[rows]] = True
        return found

    def spread(self, values: Integers, filler: Any) -> Integers:
        """(S, G) a column seat by seat."""
        if bool((self.counts == self.shape[0]).all()):
            return np.ascontiguousarray(values.reshape(-1, self.shape[0]).T)
        spread = np.full(self.shape, filler, dtype=values.dtype)
        chosen: Any = slice(None) if self.placed is None else self.placed
        spread[self.seat[chosen], self.of_row[chosen]] = values[chosen]
        return spread

    def matrix(self, scores: dict[str, Numbers], unit: int) -> tuple[Integers, Integers, list[list[Any]]]:
        """Return pulyas, goras and whists seat by seat, and mark what only the ordinary reader can judge."""
        seats = range(self.shape[0])
        pulya, gora = (self._scores(scores.get(role), role, unit) for role in ("pulya", "gora"))
        self.strange |= (pulya < 0).any(axis=0)
        whists: list[list[Any]] = [[np.zeros(self.shape[1], np.int64) for _ in seats] for _ in seats]
        for role, column in scores.items():
            if not role.startswith("whists_"):
                continue
            on = int(role.removeprefix("whists_")) - 1
            values = self._scores(column, role, unit, on)
            if on >= self.shape[0]:
                self.strange |= (values != 0).any(axis=0)
                continue
            self.strange |= (values != 0).any(axis=0) & (self.counts <= on)
            self.strange |= values[on] != 0
            for writer in seats:
                whists[writer][on] = values[writer]
        for seat in seats:
            whists[seat][seat] = None
        self._seats_in_order(scores.get("seat"))
        self._nothing_written(scores)
        return pulya, gora, whists

    def _scores(self, column: Numbers | None, role: str, unit: int, on: int | None = None) -> Integers:
        if column is None:
            return np.zeros(self.shape, np.int64)
        if column.strange is not None:
            # what crosses out the diagonal is no fault, but for the ordinary reader to say
            self.strange |= self.any_row(column.strange)
        if column.empty is not None:
            empty = self.spread(column.empty, False)
            if on is not None:
                empty &= self.counts > on
                if on < len(empty):
                    empty[on] = False
            if empty.any():
                self.empties[role] = empty
        return self.spread(column.over(unit), 0)

    def _seats_in_order(self, column: Numbers | None) -> None:
        if column is not None:
            down = ~(np.diff(column.values, prepend=-1) > 0) & (self.seat > 0)
            self.strange |= self.any_row(down)

    def _nothing_written(self, scores: dict[str, Numbers]) -> None:
        told = [column.empty for role, column in scores.items() if role != "seat"]
        empty = [flags for flags in told if flags is not None]
        if len(empty) == len(told):
            self.strange |= self.any_row(np.logical_and.reduce(empty))


def beside(piece: Piece) -> Flags:
    """(R,) rows next to lines of another width: those may belong to their game."""
    odd = np.array([line for line, record in piece.strange if any(cell.strip() for cell in record)], np.int64)
    around = np.isin(piece.lines - 1, odd) | np.isin(piece.lines + 1, odd)
    return around
