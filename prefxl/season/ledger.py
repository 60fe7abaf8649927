"""The ledger of a season: who won how much in which game, as exact integer columns.

Every table of the season adds up from here. Results stay whole numerators over
one denominator common to the season, so that a sum never drifts and a tie is
decided on whole numbers; floats are made at the very end, for showing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import reduce
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from prefxl.errors import OptionError, SettlementMissingError
from prefxl.rules.conventions import fold

if TYPE_CHECKING:
    from prefxl.settled import Settled

Integers = npt.NDArray[Any]
Objects = npt.NDArray[np.object_]

#: Headings of a user's own column that says at which table, or in which round, a game was played.
TABLE_HEADINGS = ("table", "round", "стол", "тур", "раунд", "турнир", "лига", "stol", "tur")

#: Floats hold every whole number up to here, so a sum of them below it is exact.
_EXACT_FLOATS = 2**53

#: The day of games before which there is no dated game.
_NO_DAY = np.iinfo(np.int64).min


@dataclass(frozen=True, eq=False)
class Ledger:
    """One row a player a game, games in the order of their dates; R rows, G games, P players.

    Attributes
    ----------
    names
        (P,) the players, as the user spells them.
    order
        (G,) the games' positions in the season, by date; games of one date in the order of the file,
        a game without a date right after the game before it in the file.
    place
        (R,) the index of the row's game in ``order``.
    seat
        (R,) the row's seat, from 0.
    code
        (R,) the row's player, an index of ``names``.
    won, denominator
        (R,) numerators of the results [whists], and what they are divided by.
    first
        (R,) whether nobody at the table won more.
    money, scale
        (R,) money in whole minor units, and how many make one; ``None`` where no game has a stake.
    staked
        (R,) whether the game has a stake.
    """

    settled: Settled
    names: Objects
    order: Integers
    place: Integers
    seat: Integers
    code: Integers
    won: Integers
    denominator: int
    first: npt.NDArray[np.bool_]
    money: Integers | None
    scale: int
    staked: npt.NDArray[np.bool_]

    @property
    def games(self) -> int:
        """How many games are counted."""
        return len(self.order)

    @property
    def position(self) -> Integers:
        """(R,) the position of the row's game in the season."""
        return self.order[self.place]

    def only(self, chosen: npt.NDArray[np.bool_] | None) -> Ledger:
        """Return the ledger of the games at the true places of ``chosen`` (G,), and of their players alone."""
        if chosen is None or bool(chosen.all()):
            return self
        kept = chosen[self.order]
        rows = kept[self.place]
        there, codes = np.unique(self.code[rows], return_inverse=True)
        return replace(
            self,
            names=self.names[there],
            order=self.order[kept],
            place=(np.cumsum(kept) - 1)[self.place[rows]],
            seat=self.seat[rows],
            code=codes,
            won=self.won[rows],
            first=self.first[rows],
            money=None if self.money is None else self.money[rows],
            staked=self.staked[rows],
        )

    def codes_by_seat(self) -> Integers:
        """Return (S, G) the players as indices of ``names``, seat by seat in the season's order; -1 at empty seats."""
        games = self.settled.games
        codes = np.full((games.max_seats, len(games)), -1, np.int64)
        codes[self.seat, self.position] = self.code
        return codes

    def sums(self, values: Integers) -> Integers:
        """Return (P,) the exact sum of a column of R whole numbers for each player."""
        return exact_sums(self.code, values, len(self.names))


def make_ledger(settled: Settled) -> Ledger:
    """Return the ledger of a settled season."""
    games = settled.games
    order = date_order(games.date)
    # numbered again in the order they first played
    codes, numbers = pd.factorize(games.by_player(games.who.codes))
    names = np.array(games.who.names, dtype=object)[numbers]
    won, denominator = _results(settled)
    money, scale = _money(settled)
    staked = np.array([terms.stake is not None for terms in settled.terms], dtype=bool)
    top = np.where(games.seated.T, won, _below(won)).max(axis=0) if len(games) else np.empty(0, np.int64)
    place, seat = _rows(settled, order)
    position = order[place]
    return Ledger(
        settled=settled,
        names=names,
        order=order,
        place=place,
        seat=seat,
        code=codes[games.offsets[position] + seat],
        won=won[seat, position],
        denominator=denominator,
        first=(won == top)[seat, position],
        money=None if money is None else money[seat, position],
        scale=scale,
        staked=staked[position],
    )


def _rows(settled: Settled, order: Integers) -> tuple[Integers, Integers]:
    """Return (R,) the place in ``order`` and the seat of each row."""
    seats = settled.games.seats[order]
    place = np.repeat(np.arange(len(order)), seats)
    return place, np.arange(len(place)) - np.repeat(np.cumsum(seats) - seats, seats)


def _below(won: Integers) -> Any:
    """Return a number no result reaches down to."""
    return -(int(np.abs(won).max(initial=0)) + 1)


def _results(settled: Settled) -> tuple[Integers, int]:
    """Return (S, G) numerators over a denominator common to the season."""
    denominator = reduce(lcm, (group.done.denominator for group in settled.groups), 1)
    shape = (settled.games.max_seats, len(settled))
    factors = [denominator // group.done.denominator for group in settled.groups]
    largest = max(
        (
            int(np.abs(group.done.numerators).max(initial=0)) * factor
            for group, factor in zip(settled.groups, factors, strict=True)
        ),
        default=0,
    )
    won = np.zeros(shape, whole_type(largest * max(len(settled), 1) * shape[0]))
    for group, factor in zip(settled.groups, factors, strict=True):
        numerators = group.done.numerators.T.astype(won.dtype, copy=False)
        won[: len(numerators), group.positions] = numerators * factor if factor != 1 else numerators
    return won, denominator


def _money(settled: Settled) -> tuple[Integers | None, int]:
    """Return (S, G) money in whole minor units of the finest stake, and how many make one."""
    stakes = [group.done.stake for group in settled.groups if group.done.stake is not None]
    if not stakes:
        return None, 1
    scale = max(stake.scale for stake in stakes)
    money = np.zeros((settled.games.max_seats, len(settled)), np.int64)
    for group in settled.groups:
        units, stake = group.done.money_units, group.done.stake
        if units is not None and stake is not None:
            money[: len(units), group.positions] = units * (scale // stake.scale)
    return money, scale


def whole_type(bound: int) -> Any:
    """Return the type of a column of whole numbers whose sums do not pass ``bound``."""
    # beyond 64 bits a column holds Python's own integers: slow, and still exact
    return np.int64 if bound < 2**63 else np.object_


def exact_sums(code: Integers, values: Integers, groups: int) -> Integers:
    """Return (groups,) the sums of whole ``values`` for each code, exact."""
    if not len(values):
        return np.zeros(groups, np.int64)
    if values.dtype == np.bool_:
        return np.bincount(code[values], minlength=groups)
    bound = int(np.abs(values).max()) * len(values)
    if bound < _EXACT_FLOATS:
        return np.bincount(code, weights=values, minlength=groups).astype(np.int64)
    sums = np.zeros(groups, whole_type(bound))
    np.add.at(sums, code, values.astype(sums.dtype, copy=False))
    return sums


def days(dates: Objects) -> Integers:
    """Return (G,) each game's date as a day number; a game without a date takes the one before it in the file."""
    numbers, known = day_numbers(dates)
    last = np.maximum.accumulate(np.where(known, np.arange(len(dates)), -1)) if len(dates) else numbers
    return np.where(last >= 0, numbers[np.maximum(last, 0)], _NO_DAY)


def day_numbers(dates: Objects) -> tuple[Integers, npt.NDArray[np.bool_]]:
    """Return (G,) each game's own day as a number, and which games have one: text that is no date does not count."""
    codes, values = pd.factorize(dates)
    found = [day_of(value) for value in values]
    numbers = np.array([day.toordinal() if day else 0 for day in found] + [0], np.int64)
    known = np.array([day is not None for day in found] + [False], bool)
    return numbers[codes], known[codes]


def day_of(value: Any) -> date | None:
    """Return the day of a date, a timestamp or an ISO text; ``None`` for anything else."""
    if isinstance(value, datetime):
        return None if value != value else value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, np.datetime64):
        return day_of(pd.Timestamp(value))
    for shape in ("%Y-%m-%d", "%d.%m.%Y") if isinstance(value, str) else ():
        try:
            return datetime.strptime(value.strip(), shape).date()
        except ValueError:
            continue
    return None


def date_order(dates: Objects) -> Integers:
    """Return (G,) the positions of the games by date; those of one day stay in the order of the file."""
    numbers = days(dates)
    if bool((numbers[1:] >= numbers[:-1]).all()):
        return np.arange(len(dates))
    return np.argsort(numbers, kind="stable")


def choose(settled: Settled, since: Any = None, until: Any = None, table: Any = None) -> npt.NDArray[np.bool_] | None:
    """Return (G,) which games are asked for, ``None`` for all of them.

    Parameters
    ----------
    since, until
        The first and the last day, both counted: a date, or text (``2026-01-31``, ``31.01.2026``).
        A game without a date is left out where either is given.
    table
        What the user's own column of tables or rounds holds, compared as text.

    Raises
    ------
    OptionError
        If a day cannot be read, or there is no column of tables.
    SettlementMissingError
        If no game was played at that table.
    """
    chosen: npt.NDArray[np.bool_] | None = None
    if since is not None or until is not None:
        numbers, chosen = day_numbers(settled.games.date)
        if since is not None:
            chosen = chosen & (numbers >= _asked_day(since).toordinal())
        if until is not None:
            chosen = chosen & (numbers <= _asked_day(until).toordinal())
    if table is not None:
        at_table = _at_table(settled, str(table).strip())
        chosen = at_table if chosen is None else chosen & at_table
    return chosen


def _asked_day(value: Any) -> date:
    day = day_of(value)
    if day is None:
        raise OptionError(
            f"{value!r} is not a day: write 2026-01-31 or 31.01.2026",
            f"«{value}» — не день: пишите 31.01.2026 или 2026-01-31",
        )
    return day


def _at_table(settled: Settled, table: str) -> npt.NDArray[np.bool_]:
    games = settled.games
    columns = [name for name in games.own.columns if fold(str(name)) in TABLE_HEADINGS]
    if not columns:
        raise OptionError(
            "the sheets have no column of tables or rounds",
            "в таблице нет столбца со столами или турами",
        )
    values = games.own[columns[0]].to_numpy(dtype=object)[games.offsets[:-1]]
    chosen = np.array([_plain(value) == table for value in values], dtype=bool)
    if not chosen.any():
        raise SettlementMissingError(f"no game was played at table {table!r}", f"за столом «{table}» игр нет")
    return chosen


def _plain(value: Any) -> str:
    # a column of numbers with gaps comes as floats: table 2 is not "2.0"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()
