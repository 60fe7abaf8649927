"""Whists written the wrong way round: what the user's own columns of results, saldo and sums say about it.

Nothing inside the whists themselves can tell: turned round they are as sound a sheet. But
a result, a saldo or a sum that a person has noted beside them comes out in one way only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from prefxl.findings import Finding
from prefxl.games import UNIT, Games
from prefxl.names import same_name
from prefxl.sheets.headers import words_of
from prefxl.sheets.values import score, shown
from prefxl.tables import cell_name

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

#: What a column of the user's own holds to the words that head it.
_WORDS: Mapping[str, frozenset[str]] = {
    "result": frozenset(
        {
            "итог", "итоги", "итого", "результат", "результаты", "выигрыш", "проигрыш", "выигрыш/проигрыш", "финал",
            "итог игры", "результат игры", "итог в вистах", "результат в вистах", "общий итог", "+/-", "расчет",
            "result", "results", "score", "total", "net", "net result", "final", "itog", "rezultat",
        }
    ),
    "money": frozenset(
        {
            "деньги", "выигрыш", "сумма", "рубли", "руб", "рублей", "выплата", "к выплате", "к оплате", "в деньгах",
            "итог в деньгах", "итог в рублях", "money", "amount", "payout", "rub", "dengi",
        }
    ),
    "saldo": frozenset(
        {
            "сальдо", "сальдо вистов", "вистовое сальдо", "баланс вистов", "разница вистов", "висты сальдо",
            "saldo", "whist saldo", "saldo of whists", "whist balance", "net whists",
        }
    ),
    "sum": frozenset(
        {
            "сумма вистов", "висты всего", "всего вистов", "итого вистов", "висты итого", "висты сумма",
            "whists total", "total whists", "sum of whists", "whists sum",
        }
    ),
}  # fmt: skip

#: The settlements people note by hand: convention and rounding.
_TRIED = (("rozaliev", None), ("rozaliev", "exact"), ("leningrad", None), ("sochi", None))

#: How many independent numbers must agree before a person is bothered.
_ENOUGH = 2


def transposed_whists(games: Games) -> Iterator[Finding]:
    """Yield a warning on each table, or on single games of one, whose whists look written the wrong way round."""
    if not len(games) or not len(games.own.columns):
        return
    both = _BothWays(games)
    done: set[int] = set()
    for kind in _WORDS:
        for text, noted in _noted(games, kind).items():
            for finding, positions in both.findings(text, noted, kind):
                if not done & positions:
                    done |= positions
                    yield finding


def _noted(games: Games, kind: str) -> dict[str, Floats]:
    """Return what the user has noted, (R,) a row a player a game: heading to numbers, ``nan`` where there is none."""
    found: dict[str, Floats] = {}
    for name in games.own.columns:
        whole = words_of(str(name))
        if whole in _WORDS[kind]:
            found[str(name)] = _numbers(games.own[name])
            continue
        word, _, whose = whole.rpartition(" ")
        if word in _WORDS[kind] and whose:
            into = found.setdefault(word, np.full(len(games.own), np.nan))
            rows = _rows_of(games, whose)
            into[rows] = _numbers(games.own[name])[rows]
    return found


def _rows_of(games: Games, whose: str) -> Flags:
    """(R,) the rows of a seat of the table's columns, or of the player a heading of the wide layout names."""
    if whose.isdecimal():
        seats = games.places if games.places.size else np.indices(games.pulya.shape)[0]
        rows: Flags = games.by_player(seats) == int(whose) - 1
        return rows
    names = {name for name in games.players.ravel() if name is not None and same_name(whose, name)}
    return np.array([name in names for name in games.by_player(games.players)], dtype=bool)


def _numbers(column: pd.Series) -> Floats:
    if column.dtype.kind in "iuf":
        return column.to_numpy(np.float64)
    return np.array([_number(value) for value in column], np.float64)


def _number(value: Any) -> float:
    text = shown(value).replace("\u00a0", "").replace(" ", "").replace(",", ".").replace("−", "-").replace("–", "-")
    try:
        return float(text)
    except ValueError:
        halves, reason = score(text)
        return float("nan") if halves is None or reason == "empty" else halves / UNIT


@dataclass(frozen=True, eq=False)
class _BothWays:
    """A season whose games come out in two ways: as written, and with the whists turned round."""

    games: Games

    @cached_property
    def _written(self) -> Floats:
        """(R,) the whists each player wrote."""
        return np.asarray(self.games.by_player(self.games.whists.sum(axis=1)) / UNIT, np.float64)

    @cached_property
    def _saldo(self) -> Floats:
        on_them = self.games.by_player(self.games.whists.sum(axis=0)) / UNIT
        return np.asarray(self._written - on_them, np.float64)

    @cached_property
    def _settled(self) -> dict[tuple[str, str | None], Floats]:
        return {}

    def _results(self) -> Iterator[Floats]:
        # what a game says of its own settlement may be what cannot be settled
        plain = replace(self.games, settings={})
        for convention, rounding in _TRIED:
            if (convention, rounding) not in self._settled:
                settled = plain.settle(convention, rounding=rounding)
                if len(settled) < len(plain):
                    return
                self._settled[convention, rounding] = settled.by_player("result").astype(np.float64)
            yield self._settled[convention, rounding]

    def _ways(self, kind: str) -> Iterator[tuple[Floats, Floats]]:
        """Yield what a column may hold, as written and turned round."""
        if kind == "sum":
            yield self._written, self._written - self._saldo
        elif kind == "saldo":
            yield self._saldo, -self._saldo
        else:
            for result in self._results():
                # a settlement is a gora's worth and the saldo, of which only the latter turns
                yield result, result - 2 * self._saldo

    def findings(self, text: str, noted: Floats, kind: str) -> Iterator[tuple[Finding, set[int]]]:
        """Yield findings on the games where ``noted`` is as it comes out turned round, with their positions."""
        known = self._whole(np.isfinite(noted))
        if not known.any():
            return
        straight, turned = np.zeros_like(known), np.zeros_like(known)
        for one, other in self._ways(kind):
            for price in self._prices(noted, known, one, other) if kind == "money" else (1.0,):
                straight |= self._agree(noted, price * one, price)
                turned |= self._agree(noted, price * other, price)
            if straight[known].all():
                return
        wrong = turned & ~straight & known
        for table in np.unique(self.games.table[wrong]):
            here = self.games.table == table
            # what a whist costs is itself found from the money
            free = 1 if kind == "money" else 0
            yield from self._told(text, np.flatnonzero(wrong & here), known & here, straight, free)

    def _told(
        self, text: str, wrong: npt.NDArray[np.int64], known: Flags, straight: Flags, free: int
    ) -> Iterator[tuple[Finding, set[int]]]:
        evidence = int((self.games.seats[wrong] - 1).sum()) - free
        if len(wrong) > 0.8 * known.sum() and evidence >= _ENOUGH:
            table = self.games.tables[self.games.table[wrong[0]]]
            columns = [column for role, column in table.columns.items() if role.startswith("whists")]
            cell = cell_name(table.heading, min(columns))
            yield Finding("transposed-whists", table.file, table.sheet, cell, text), set(wrong.tolist())
        elif (straight & known).sum() > len(wrong):
            # most games show that the column is understood, so that a few speak for themselves
            for position in wrong.tolist():
                place = self.games.cell(position, "whists", 0, 1)
                yield Finding("transposed-whists", *place, text, {"game": self.games.game[position]}), {position}

    def _prices(self, noted: Floats, known: Flags, *ways: Floats) -> set[float]:
        """Return what a whist may cost: of all games the middle one, so that some gone wrong do not count."""
        rows = np.repeat(known, self.games.seats)
        prices = {float(np.median(noted[some] / way[some])) for way in ways if (some := rows & (way != 0)).any()}
        return {price for price in prices if price > 0}

    def _agree(self, noted: Floats, expected: Floats, price: float) -> Flags:
        """(G,) whether all that is noted of a game is as expected, to a whist."""
        return self._whole(np.abs(noted - expected) <= max(price, 0.01))

    def _whole(self, rows: Flags) -> Flags:
        """(G,) whether all rows of a game are so."""
        return np.asarray(np.logical_and.reduceat(rows, self.games.offsets[:-1]), dtype=bool)
