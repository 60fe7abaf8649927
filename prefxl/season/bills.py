"""Payments people can act on: for a game, an evening or the season; in money, or in whists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from prefxl.batch import exact_text, settle_columns
from prefxl.columns import multiplied
from prefxl.errors import OptionError
from prefxl.rules.conventions import fold
from prefxl.rules.numbers import halves_up
from prefxl.rules.payments import fewest, find_payment_kind
from prefxl.season.ledger import Integers, Ledger, choose, day_numbers, exact_sums
from prefxl.season.pairs import Pair, each_pair

if TYPE_CHECKING:
    from prefxl.settled import Settled

#: The columns of :func:`payments`, in order.
PAYMENT_COLUMNS = ("period", "payer", "payee", "whists", "whists_exact", "money", "proved", "note")

#: The columns of :func:`payment_differences`, in order.
DIFFERENCE_COLUMNS = ("period", "player", "money", "pairwise", "difference")

#: What payments are gathered by, and what they are in.
PERIODS = ("season", "date", "game")
UNITS = ("money", "whists")
_PERIOD_ALIASES = {"сезон": "season", "дата": "date", "вечер": "date", "evening": "date", "игра": "game"}

_NOT_PROVED = {"en": "not proved to be the fewest", "ru": "не доказано, что переводов меньше не бывает"}
_DIFFERS = {
    "en": "{player}: {pairwise} by pairs, {money} by results",
    "ru": "{player}: попарно {pairwise}, по результатам {money}",
}


@dataclass(frozen=True)
class _Line:
    """One transfer of a period: whole whist numerators or minor units (or both)."""

    period: int
    payer: int
    payee: int
    whists: int | None
    money: int | None
    proved: bool | None
    note: str = ""


def payments(
    settled: Settled,
    kind: str = "fewest",
    *,
    by: str = "season",
    unit: str | None = None,
    since: Any = None,
    until: Any = None,
    table: Any = None,
    lang: str | None = None,
) -> pd.DataFrame:
    """Return who pays whom.

    Parameters
    ----------
    settled
        The settled season.
    kind
        ``"fewest"`` transfers, or ``"pairwise"`` as the players would write it down.
    by
        ``"season"``, ``"date"`` (an evening) or ``"game"``: each is settled by itself.
    unit
        ``"money"`` (games with a stake only), ``"whists"`` (as if there were no stake); by default money for
        the games with a stake and whists for those without, in separate rows.
    since, until, table
        Which games count, as for :func:`prefxl.season.standings`.
    lang
        The language of the notes; by default that of the season.

    Returns
    -------
    pandas.DataFrame
        :data:`PAYMENT_COLUMNS`, a row a transfer: ``period`` the date, the game's id, ``""`` for the season
        (and for games without a date); ``whists`` and ``whists_exact`` (text), missing and ``""`` where the
        transfer is of money alone; ``money``, missing where it is of whists; ``proved`` whether there is
        provably no shorter list (missing for pairwise); ``note``. The pairwise money of a pair is rounded
        once a period, halves up, the same for both sides: the note says where a player's pairs differ from
        the player's money. What ``truncate`` left over is paid by the exact results.

    Raises
    ------
    OptionError
        If an option has no meaning, or no game has a stake and money is asked for.
    """
    kind = find_payment_kind(kind)
    bill = _Bill(settled.ledger.only(choose(settled, since, until, table)), find_period(by), _find_unit(settled, unit))
    lines = list(_fewest(bill, lang or settled.lang) if kind == "fewest" else _pairwise(bill, lang or settled.lang))
    return bill.frame(lines)


def payment_differences(
    settled: Settled, *, by: str = "season", since: Any = None, until: Any = None, table: Any = None
) -> pd.DataFrame:
    """Return where the pairwise payments of a player differ from the player's money by the rounding.

    Columns :data:`DIFFERENCE_COLUMNS`; a row for each player of a period whose ``pairwise`` payments, gains
    above 0, do not sum to the player's ``money``. The parameters are those of :func:`payments`.
    """
    if settled.ledger.money is None:
        return pd.DataFrame({name: [] for name in DIFFERENCE_COLUMNS})
    bill = _Bill(settled.ledger.only(choose(settled, since, until, table)), find_period(by), "money")
    rows = [
        (bill.labels[period], bill.ledger.names[player], money, pairwise)
        for (period, player), (money, pairwise) in _differences(bill, list(_pair_lines(bill, staked=True))).items()
    ]
    frame = pd.DataFrame(rows, columns=list(DIFFERENCE_COLUMNS[:4]), dtype=object)
    for name in ("money", "pairwise"):
        frame[name] = frame[name].astype(float) / bill.ledger.scale
    return frame.assign(difference=(frame["pairwise"] - frame["money"]).round(6))


def find_period(by: str) -> str:
    """Return one of :data:`PERIODS` for a name in either language.

    Raises
    ------
    OptionError
        If there is no such period.
    """
    folded = fold(by)
    period = folded if folded in PERIODS else _PERIOD_ALIASES.get(folded)
    if period is None:
        names = ", ".join(PERIODS)
        raise OptionError(f"payments go by {names}, not by {by!r}", f"платежи бывают по {names}, а не по «{by}»")
    return period


def _find_unit(settled: Settled, unit: str | None) -> str | None:
    if unit is not None and unit not in UNITS:
        raise OptionError(
            f"payments are in money or in whists, not in {unit!r}", f"платежи — в money или whists, а не в «{unit}»"
        )
    if unit == "money" and settled.ledger.money is None:
        raise OptionError("no game has a stake", "ни у одной игры нет ставки")
    return unit


class _Bill:
    """The games to be paid, which of them in money, and the period of each."""

    def __init__(self, ledger: Ledger, by: str, unit: str | None) -> None:
        self.ledger, self.unit = ledger, unit
        self.players = max(len(ledger.names), 1)
        self.labels, self.period_of = _periods(ledger, by)
        self.denominator = 1

    def counted(self, staked: Any, *, money: bool) -> Any:
        """Return where the games are to be paid in money, or in whists."""
        if money:
            return staked if self.unit != "whists" else staked & False
        return {"whists": staked | True, "money": staked & False, None: ~staked}[self.unit]

    def frame(self, lines: list[_Line]) -> pd.DataFrame:
        """Return the lines by period, payer and payee."""
        names = self.ledger.names
        lines = sorted(lines, key=lambda one: (one.period, str(names[one.payer]), str(names[one.payee])))
        whists = np.array([one.whists or 0 for one in lines], dtype=object)
        there = np.array([one.whists is not None for one in lines], dtype=bool)
        money = [np.nan if one.money is None else one.money / self.ledger.scale for one in lines]
        labels = np.empty(len(lines), dtype=object)
        labels[:] = [self.labels[one.period] for one in lines]
        columns = {
            "period": labels,
            "payer": np.array([names[one.payer] for one in lines], dtype=object),
            "payee": np.array([names[one.payee] for one in lines], dtype=object),
            "whists": np.where(there, np.true_divide(whists, self.denominator).astype(float), np.nan),
            "whists_exact": np.where(there, exact_text(whists, self.denominator), ""),
            "money": np.array(money, dtype=float),
            "proved": pd.array([one.proved for one in lines], dtype="boolean"),
            "note": np.array([one.note for one in lines], dtype=object),
        }
        return pd.DataFrame({name: columns[name] for name in PAYMENT_COLUMNS})


def _periods(ledger: Ledger, by: str) -> tuple[list[Any], Integers]:
    """Return the labels of the periods, and the period of each game of the season (by position)."""
    games = ledger.settled.games
    period = np.zeros(len(games), np.int64)
    if by == "season":
        return [""], period
    if by == "game":
        period[ledger.order] = np.arange(ledger.games)
        return list(games.game[ledger.order]), period
    numbers, known = day_numbers(games.date)
    numbers = np.where(known, numbers, np.iinfo(np.int64).max)
    found, first, period = np.unique(numbers, return_index=True, return_inverse=True)
    return ["" if not known[at] else games.date[at] for at in first[: len(found)]], period


def _fewest(bill: _Bill, lang: str) -> Iterator[_Line]:
    ledger = bill.ledger
    if ledger.money is not None:
        staked = bill.counted(ledger.staked, money=True)
        for period, paid, proved in _transfers(bill, ledger.money, staked):
            note = "" if proved else _NOT_PROVED[lang]
            yield _Line(period, paid.payer, paid.payee, None, paid.amount, proved, note)
    unstaked = bill.counted(ledger.staked, money=False)
    if not unstaked.any():
        return
    payable, bill.denominator = _payable(ledger)
    for period, paid, proved in _transfers(bill, payable, unstaked):
        yield _Line(period, paid.payer, paid.payee, paid.amount, None, proved, "" if proved else _NOT_PROVED[lang])


def _transfers(bill: _Bill, amounts: Integers, rows: Any) -> Iterator[tuple[int, Any, bool]]:
    """Yield the fewest transfers of each period for the (R,) amounts at ``rows``."""
    for period, balances in _balances(bill, amounts, rows):
        paid, proved = fewest(balances)
        for one in paid:
            yield period, one, proved


def _balances(bill: _Bill, amounts: Integers, rows: Any) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield each period with the exact balances of its players."""
    ledger = bill.ledger
    keys = (bill.period_of[ledger.position] * bill.players + ledger.code)[rows]
    found, where = np.unique(keys, return_inverse=True)
    sums = exact_sums(where, amounts[rows], len(found))
    balances: list[tuple[int, int]] = []
    last = -1
    for key, amount in zip(found.tolist(), sums.tolist(), strict=True):
        period, player = divmod(key, bill.players)
        if period != last and balances:
            yield last, balances
            balances = []
        last = period
        balances.append((player, amount))
    if balances:
        yield last, balances


def _payable(ledger: Ledger) -> tuple[Integers, int]:
    """Return (R,) results that sum to zero in every game: what ``truncate`` left over is paid exactly."""
    settled = ledger.settled
    exact: list[tuple[Integers, Integers, int]] = []
    for group in settled.groups:
        off = group.done.numerators.sum(axis=1) != 0
        if off.any():
            again = settle_columns(group.done.columns, group.done.convention, rounding="exact", steps=False)
            exact.append((group.positions[off], again.numerators[off].T, again.denominator))
    if not exact:
        return ledger.won, ledger.denominator
    denominator = reduce(lcm, (below for *_, below in exact), ledger.denominator)
    won = multiplied(ledger.won, denominator // ledger.denominator).copy()
    by_seat = np.zeros((settled.games.max_seats, len(settled)), won.dtype)
    instead = np.zeros(len(settled), bool)
    for at, numerators, below in exact:
        by_seat[: len(numerators), at] = multiplied(numerators, denominator // below)
        instead[at] = True
    rows = instead[ledger.position]
    won[rows] = by_seat[ledger.seat, ledger.position][rows]
    return won, denominator


def _pairwise(bill: _Bill, lang: str) -> Iterator[_Line]:
    lines = list(_pair_lines(bill, staked=True))
    notes = _notes(bill, _differences(bill, lines), lang)
    for one in lines:
        told = [notes.pop((one.period, player), "") for player in (one.payer, one.payee)]
        yield _Line(one.period, one.payer, one.payee, one.whists, one.money, None, "; ".join(filter(None, told)))
    yield from _pair_lines(bill, staked=False)


def _pair_lines(bill: _Bill, *, staked: bool) -> Iterator[_Line]:
    """Yield what each pair of a period owes: whists exact, money rounded once."""
    ledger = bill.ledger
    pairs = [pair for pair in each_pair(ledger) if _is_counted(bill, pair, staked=staked)]
    if not pairs:
        return
    prices = [_price(pair, ledger) if staked else Fraction(1) for pair in pairs]
    below = reduce(
        lcm,
        (pair.group.done.pair_denominator * price.denominator for pair, price in zip(pairs, prices, strict=True)),
        1,
    )
    bill.denominator = lcm(bill.denominator, below)
    keys = np.concatenate([_pair_keys(bill, pair) for pair in pairs])
    whists = np.concatenate([_over(pair, Fraction(1), bill.denominator) for pair in pairs])
    due = np.concatenate([_over(pair, price, below) for pair, price in zip(pairs, prices, strict=True)])
    found, where = np.unique(keys, return_inverse=True)
    sums = (exact_sums(where, column, len(found)).tolist() for column in (whists, due))
    for key, won, owed in zip(found.tolist(), *sums, strict=True):
        amount = halves_up(abs(owed), below) if staked else abs(owed)
        if not amount:
            continue
        rest, other = divmod(key, bill.players)
        period, one = divmod(rest, bill.players)
        payer, payee, sign = (other, one, 1) if owed > 0 else (one, other, -1)
        yield _Line(period, payer, payee, sign * won, amount if staked else None, None)


def _is_counted(bill: _Bill, pair: Pair, *, staked: bool) -> bool:
    has_stake = pair.group.done.stake is not None
    return bool(bill.counted(np.array([has_stake]), money=staked)[0])


def _price(pair: Pair, ledger: Ledger) -> Fraction:
    """Return the minor units a whist costs in the games of the pair's group."""
    stake = pair.group.done.stake
    return stake.per_whist * ledger.scale if stake is not None else Fraction(0)


def _pair_keys(bill: _Bill, pair: Pair) -> Integers:
    lower, upper = np.minimum(pair.one, pair.other), np.maximum(pair.one, pair.other)
    keys: Integers = (bill.period_of[pair.position] * bill.players + lower) * bill.players + upper
    return keys


def _over(pair: Pair, price: Fraction, denominator: int) -> Integers:
    """Return what the player of the lower index wins, times ``price``, as numerators over ``denominator``."""
    won = np.where(pair.one > pair.other, -pair.won, pair.won)
    return multiplied(won, int(price * denominator / pair.group.done.pair_denominator))


def _differences(bill: _Bill, lines: list[_Line]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return (period, player) to money by results and by pairs [minor units], where the two differ."""
    ledger = bill.ledger
    if ledger.money is None or not lines:
        return {}
    rows = bill.counted(ledger.staked, money=True)
    by_pairs: dict[tuple[int, int], int] = {}
    for one in lines:
        for player, sign in ((one.payer, -1), (one.payee, 1)):
            key = one.period, player
            by_pairs[key] = by_pairs.get(key, 0) + sign * (one.money or 0)
    different = {}
    for period, balances in _balances(bill, ledger.money, rows):
        for player, money in balances:
            paid = by_pairs.get((period, player), 0)
            if paid != money:
                different[period, player] = (money, paid)
    return different


def _notes(bill: _Bill, differences: dict[tuple[int, int], tuple[int, int]], lang: str) -> dict[tuple[int, int], str]:
    notes = {}
    for key, (money, pairwise) in differences.items():
        shown = {"money": _shown(money, bill, lang), "pairwise": _shown(pairwise, bill, lang)}
        notes[key] = _DIFFERS[lang].format(player=bill.ledger.names[key[1]], **shown)
    return notes


def _shown(units: int, bill: _Bill, lang: str) -> str:
    """Return minor units as signed money: ``+12,34``."""
    places = len(str(bill.ledger.scale)) - 1
    text = f"{Decimal(units).scaleb(-places):+}".replace("-", "\N{MINUS SIGN}")
    return text.replace(".", ",") if lang == "ru" else text
