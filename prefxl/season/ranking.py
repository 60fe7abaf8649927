"""The table of a season: one line a player, ranked."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from prefxl.batch import exact_text
from prefxl.errors import OptionError, SettlementMissingError
from prefxl.games import UNIT
from prefxl.rules.conventions import fold
from prefxl.season.ledger import Integers, Ledger, choose, exact_sums

if TYPE_CHECKING:
    from prefxl.settled import Settled

#: What the table can be ranked by.
ORDERS = ("sum", "average", "share")
_ORDER_ALIASES = {"сумма": "sum", "среднее": "average", "средний": "average", "доля": "share", "победы": "share"}

#: The columns of :func:`standings`, in order.
STANDING_COLUMNS = (
    "rank",
    "shared",
    "player",
    "games",
    "games_share",
    "won",
    "lost",
    "level",
    "won_share",
    "first",
    "sum",
    "sum_exact",
    "average",
    "median",
    "best",
    "worst",
    "streak",
    "longest_won",
    "longest_lost",
    "form",
    "pulya",
    "gora",
    "whists_written",
    "whists_received",
    "money",
)

#: How many of the last games ``form`` shows, and its signs: won, level, lost.
FORM_GAMES = 5
_FORM_SIGNS = {1: "▲", 0: "●", -1: "▼"}


def standings(
    settled: Settled,
    *,
    by: str = "sum",
    min_games: int = 0,
    since: Any = None,
    until: Any = None,
    table: Any = None,
    player: str | Iterable[str] | None = None,
) -> pd.DataFrame:
    """Return the table of the season, one row a player, best first.

    Parameters
    ----------
    settled
        The settled season.
    by
        ``"sum"`` of the results, ``"average"`` a game, or ``"share"`` of games won; in either language.
    min_games
        Players with fewer games get no rank and stand below the others.
    since, until
        The first and the last day that count: dates, or text.
    table
        Only the games at this table (or of this round), by the user's own column.
    player
        Show only this player, or these; the ranks stay those among everybody.

    Returns
    -------
    pandas.DataFrame
        :data:`STANDING_COLUMNS`: ``rank`` (1, 1, 3; missing below ``min_games``), ``shared`` whether another
        has the same rank; ``games`` and their share of all games [unitless]; ``won``, ``lost``, ``level``
        games with a result above, below and at 0, ``won_share`` [unitless]; ``first`` games in which nobody
        won more; ``sum`` (``sum_exact`` as text), ``average``, ``median``, ``best``, ``worst`` [whists];
        ``streak`` the current run (+3: three won in a row, -2: two lost), the longest ones; ``form`` the last
        games, oldest first (▲ won, ▼ lost, ● level); ``pulya`` and ``gora`` as written, summed [points];
        ``whists_written`` on others and ``whists_received`` from them [whists]; ``money``, missing without a stake.

    Raises
    ------
    OptionError
        If the order does not exist, or a day cannot be read.
    SettlementMissingError
        If a player or a table is not there.
    """
    order = find_order(by)
    ledger = settled.ledger.only(choose(settled, since, until, table))
    columns = _columns(ledger)
    frame = _ranked(columns, order, min_games)
    return frame if player is None else _shown(frame, player)


def find_order(by: str) -> str:
    """Return one of :data:`ORDERS` for a name in either language.

    Raises
    ------
    OptionError
        If there is no such order.

    >>> find_order("среднее")
    'average'
    """
    folded = fold(by)
    order = folded if folded in ORDERS else _ORDER_ALIASES.get(folded)
    if order is None:
        names = ", ".join(ORDERS)
        raise OptionError(f"the standings go by {names}, not by {by!r}", f"таблица строится по {names}, а не по «{by}»")
    return order


def _columns(ledger: Ledger) -> dict[str, Any]:
    """Return the columns in the order of the ledger's players; ``numerators`` beside them."""
    games = np.bincount(ledger.code, minlength=len(ledger.names))
    runs = _Runs(ledger)
    numerators = ledger.sums(ledger.won)
    below = ledger.denominator
    return {
        "player": ledger.names,
        "games": games,
        "games_share": games / max(ledger.games, 1),
        "won": ledger.sums(ledger.won > 0),
        "lost": ledger.sums(ledger.won < 0),
        "level": ledger.sums(ledger.won == 0),
        "first": ledger.sums(ledger.first),
        "numerators": numerators,
        "sum": _over(numerators, below),
        "sum_exact": exact_text(numerators, below),
        "average": _over(numerators, below * games),
        "streak": runs.current(),
        "longest_won": runs.longest(1),
        "longest_lost": runs.longest(-1),
        "form": runs.form(),
        "money": _money(ledger),
        **_spread(ledger, games),
        **_written(ledger),
    }


def _over(numerators: Integers, denominator: Any) -> npt.NDArray[np.float64]:
    shown: npt.NDArray[np.float64] = np.true_divide(numerators, denominator).astype(np.float64)
    return shown


def _spread(ledger: Ledger, games: Integers) -> dict[str, Any]:
    """Return median, best and worst: the results of each player, sorted, lie side by side."""
    if not len(ledger.won):
        return dict.fromkeys(("median", "best", "worst"), np.empty(0))
    lowest, highest = int(ledger.won.min()), int(ledger.won.max())
    width = highest - lowest + 1
    ends = np.cumsum(games)
    if width * len(games) < 2**63 and ledger.won.dtype != object:
        # one sort of one column of integers is several times as fast as one by two keys
        keys = np.sort(ledger.code.astype(np.int64) * width + (ledger.won - lowest))
        won = keys - np.repeat(np.arange(len(games)), games) * width + lowest
    else:
        won = ledger.won[np.lexsort((ledger.won, ledger.code))]
    middle = ends - games + (games - 1) // 2
    median = won[middle] + won[ends - games + games // 2]
    below = ledger.denominator
    return {
        "median": _over(median, 2 * below),
        "best": _over(won[ends - 1], below),
        "worst": _over(won[ends - games], below),
    }


def _written(ledger: Ledger) -> dict[str, Any]:
    """Return the sums of what stood on the sheets, seat by seat."""
    games, players = ledger.settled.games, len(ledger.names)
    codes = ledger.codes_by_seat()
    names = ("pulya", "gora", "whists_written", "whists_received")
    sums = {name: np.zeros(players, np.int64) for name in names}
    for seat in range(games.max_seats):
        there = codes[seat] >= 0
        chosen: Any = slice(None) if bool(there.all()) else there
        scores = (
            games.pulya[seat],
            games.gora[seat],
            games.whists[seat].sum(axis=0),
            games.whists[:, seat].sum(axis=0),
        )
        for name, values in zip(names, scores, strict=True):
            sums[name] = sums[name] + exact_sums(codes[seat][chosen], values[chosen], players)
    return {name: _over(values, UNIT) for name, values in sums.items()}


def _money(ledger: Ledger) -> npt.NDArray[np.float64]:
    if ledger.money is None:
        return np.full(len(ledger.names), np.nan)
    staked = ledger.sums(ledger.staked) > 0
    return np.where(staked, _over(ledger.sums(ledger.money), ledger.scale), np.nan)


class _Runs:
    """Games in a row with the same sign, player after player."""

    def __init__(self, ledger: Ledger) -> None:
        players = len(ledger.names)
        # a stable sort of 16-bit numbers is a radix sort
        code = ledger.code.astype(np.uint16) if players < 2**16 else ledger.code
        by_player = np.argsort(code, kind="stable")
        won = ledger.won[by_player]
        self.signs = (won > 0).astype(np.int8) - (won < 0).astype(np.int8)
        self.ends = np.cumsum(np.bincount(ledger.code, minlength=players))
        self.starts = np.concatenate([[0], self.ends[:-1]]).astype(np.int64)
        changes = np.ones(len(won), bool)
        changes[1:] = self.signs[1:] != self.signs[:-1]
        changes[self.starts[self.starts < len(won)]] = True
        self.begin = np.flatnonzero(changes)
        self.length = np.diff(self.begin, append=len(won))
        self.first_run = np.searchsorted(self.begin, self.starts)

    def current(self) -> Integers:
        """Return the last run of each player, above 0 for games won, below for games lost, 0 for level ones."""
        if not len(self.signs):
            return np.empty(0, np.int64)
        last = np.append(self.first_run[1:], len(self.begin)) - 1
        current: Integers = self.length[last] * self.signs[self.begin[last]]
        return current

    def longest(self, sign: int) -> Integers:
        """Return the longest run of games won (1) or lost (-1) of each player."""
        if not len(self.signs):
            return np.empty(0, np.int64)
        of_sign = np.where(self.signs[self.begin] == sign, self.length, 0)
        longest: Integers = np.maximum.reduceat(of_sign, self.first_run)
        return longest

    def form(self) -> list[str]:
        """Return the signs of the last games of each player, oldest first."""
        begins = np.maximum(self.starts, self.ends - FORM_GAMES)
        return [
            "".join(_FORM_SIGNS[int(sign)] for sign in self.signs[begin:end])
            for begin, end in zip(begins, self.ends, strict=True)
        ]


def _ranked(columns: dict[str, Any], order: str, min_games: int) -> pd.DataFrame:
    """Return the frame, best first; equal values, compared exactly, share a rank."""
    games, names = columns["games"], columns["player"]
    columns["won_share"] = columns["won"] / np.maximum(games, 1)
    values = _exact_values(columns, order)
    sums = [int(number) for number in columns["numerators"]]
    ranked = [int(played) >= min_games for played in games]
    line = sorted(range(len(names)), key=lambda i: (not ranked[i], -values[i], -sums[i], str(names[i])))
    ranks: list[int | None] = []
    for index, i in enumerate(line):
        same = index > 0 and values[line[index - 1]] == values[i]
        ranks.append((ranks[-1] if same else index + 1) if ranked[i] else None)
    counts = pd.Series(ranks, dtype="Int64").value_counts()
    columns["rank"] = pd.array(ranks, dtype="Int64")
    columns["shared"] = [rank is not None and int(counts[rank]) > 1 for rank in ranks]
    of_player = {name: np.asarray(columns[name])[line] for name in STANDING_COLUMNS if name not in ("rank", "shared")}
    return pd.DataFrame(
        {name: columns[name] if name in ("rank", "shared") else of_player[name] for name in STANDING_COLUMNS}
    )


def _exact_values(columns: dict[str, Any], order: str) -> list[Any]:
    if order == "sum":
        return [int(number) for number in columns["numerators"]]
    above = columns["numerators"] if order == "average" else columns["won"]
    return [Fraction(int(number), int(played)) for number, played in zip(above, columns["games"], strict=True)]


def _shown(frame: pd.DataFrame, player: str | Iterable[str]) -> pd.DataFrame:
    wanted = [player] if isinstance(player, str) else list(player)
    there = set(frame["player"])
    for name in wanted:
        if name not in there:
            raise SettlementMissingError(f"nobody is called {name!r} here", f"игрока «{name}» здесь нет")
    return frame[frame["player"].isin(wanted)].reset_index(drop=True)
