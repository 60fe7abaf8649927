"""The results of games, put into the block beside their table: numbers down columns, or formulas one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from prefxl.settled import Settled
from prefxl.tables import Table, cell_name
from prefxl.workbook.block import Block, Single
from prefxl.workbook.canvas import needed_decimals
from prefxl.workbook.guard import Content
from prefxl.workbook.live_cells import Raw, live_game
from prefxl.workbook.notes import result_notes
from prefxl.workbook.pages.task import NOTED_GAMES, minor_units, money_by_seat, result_sums, seat_labels
from prefxl.workbook.words import heading

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Options:
    """How the results are to look: the language, money's sign, formulas or numbers, how many games get notes."""

    lang: str = "ru"
    currency: str = ""
    raw: Raw | None = None
    content: Content | None = None
    noted_games: int = NOTED_GAMES


class Results:
    """The results of a season as cells.

    Attributes
    ----------
    formulas
        How many results have become formulas.
    fixed
        Games whose results stay numbers where formulas were wanted.
    """

    def __init__(self, settled: Settled, options: Options) -> None:
        self.settled = settled
        self.options = options
        self.results = settled.by_seat("result")
        self.money = money_by_seat(settled)
        self.sums = result_sums(settled)
        self.formulas = 0
        self.fixed: list[str] = []

    def has_money(self, positions: Positions) -> bool:
        """Tell whether any of the games was played for money."""
        return self.money is not None and not bool(np.isnan(self.money[:, positions]).all())

    def headings(
        self, positions: Positions, names: npt.NDArray[np.object_] | None, money: bool
    ) -> tuple[list[str], list[tuple[str, int]]]:
        """Return the headings of a block, and for each column what its numbers are and to how many decimals."""
        lang = self.options.lang
        kinds = ["result", "money"] if money else ["result"]
        decimals = {"result": needed_decimals(self.results[:, positions].ravel()), "money": minor_units(self.settled)}
        labels = [""] if names is None else seat_labels(names)
        headings = [f"{heading(kind, lang)} {label}".strip() for kind in kinds for label in labels]
        styles = [(kind, decimals[kind]) for kind in kinds for _ in labels]
        return [*headings, heading("check", lang)], [*styles, ("check", 0)]

    def fill(self, block: Block, table: Table, positions: Positions, money: bool) -> None:
        """Put the games of a table into its block, with their money if so wanted."""
        games, wide = self.settled.games, table.layout == "wide"
        step = (len(block.headings) - 1) // (2 if money else 1) if wide else 1
        fixed = positions if self.options.raw is None else self._live_games(block, table, positions, step)
        for seat in range(int(games.seats[fixed].max(initial=0))):
            there = fixed[games.seats[fixed] > seat]
            rows = games.rows[seat, there]
            offsets = _seats(self.settled, seat, there) if wide else np.zeros(len(there), np.int64)
            block.take(rows, offsets, self.results[seat, there])
            if money and self.money is not None:
                block.take(rows, offsets + step, self.money[seat, there])
        self._notes(block, positions[positions < self.options.noted_games], wide)
        self._checks(block, fixed)

    def _checks(self, block: Block, positions: Positions) -> None:
        """Plan the check cells of games that are no formulas."""
        games, last = self.settled.games, len(block.headings) - 1
        rows, sums = games.rows[:, positions].max(axis=0, initial=0), self.sums[positions]
        if block.guard is None:
            block.take(rows, last, sums)
            return
        formulas = [block.guard.check(int(at), _number(total), None) for at, total in zip(positions, sums, strict=True)]
        plain = np.array([formula is None for formula in formulas], bool)
        block.take(rows[plain], last, sums[plain])
        for row, total, formula in zip(rows.tolist(), sums.tolist(), formulas, strict=True):
            if formula is not None:
                block.singles.append(Single(row, last, _number(total), formula))

    def _live_games(self, block: Block, table: Table, positions: Positions, step: int) -> Positions:
        """Plan the cells of games whose results are formulas; return the other games."""
        live = [self._live_game(block, table, int(position), step) for position in positions]
        others: Positions = positions[~np.array(live, bool)]
        return others

    def _live_game(self, block: Block, table: Table, position: int, step: int) -> bool:
        assert self.options.raw is not None
        wide, last = table.layout == "wide", len(block.headings) - 1
        spots = self._spots(position, wide)
        names = [cell_name(row, block.columns[offset]) for row, offset in spots]
        live = live_game(self.settled, table, position, names, self.options.raw)
        if live is None:
            self.fixed.append(str(self.settled.games.game[position]))
            return False
        for seat, (row, offset) in enumerate(spots):
            result = _number(self.results[seat, position])
            block.singles.append(Single(row, offset, result, live.results[seat]))
            money = np.nan if self.money is None else self.money[seat, position]
            if not np.isnan(money):
                formula = live.money[seat] if live.money else None
                block.singles.append(Single(row, offset + step, _number(money), formula))
        total = _number(self.sums[position])
        check = live.check if block.guard is None else block.guard.check(position, total, live.check) or live.check
        block.singles.append(Single(max(row for row, _ in spots), last, total, check))
        self.formulas += len(spots)
        return True

    def _spots(self, position: int, wide: bool) -> list[tuple[int, int]]:
        """Return row and offset of each seat's result."""
        games, places = self.settled.games, _places(self.settled, position)
        return [(int(games.rows[seat, position]), place if wide else 0) for seat, place in enumerate(places)]

    def _notes(self, block: Block, positions: Positions, wide: bool) -> None:
        for position, texts in result_notes(self.settled, positions, self.options.lang):
            for (row, offset), text in zip(self._spots(position, wide), texts, strict=True):
                block.notes.setdefault(offset, {})[row] = text


def _seats(settled: Settled, seat: int, positions: Positions) -> Positions:
    """Return in which seat of the table's columns the players of one seat sat in each game, from 0."""
    places = settled.games.places
    return places[seat, positions].astype(np.int64) if places.size else np.full(len(positions), seat)


def _places(settled: Settled, position: int) -> list[int]:
    """Return the seat of the table's columns each player of a game sat in, from 0."""
    games = settled.games
    count = int(games.seats[position])
    if not games.places.size:
        return list(range(count))
    return [int(place) for place in games.places[:count, position]]


def names_by_place(settled: Settled, positions: Positions) -> npt.NDArray[np.object_]:
    """Return (places, games) who sat in which seat of a wide table's columns, ``None`` where nobody did."""
    games, seats = settled.games, settled.games.seats[positions]
    sat = [(seat, np.flatnonzero(seats > seat)) for seat in range(int(seats.max(initial=0)))]
    places = [_seats(settled, seat, positions[there]) for seat, there in sat]
    names = np.full((max(int(taken.max()) for taken in places) + 1, len(positions)), None, dtype=object)
    for (seat, there), taken in zip(sat, places, strict=True):
        names[taken, there] = games.players[seat, positions[there]]
    return names


def _number(value: float) -> int | float:
    number = float(value)
    return int(number) if number.is_integer() else number
