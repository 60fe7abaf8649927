"""Head to head: what each player won from each, and how often they met.

The pair results of all games (what the two write on each other once the gora is
paid) add up to the players' sums, except for what ``truncate`` and ``balanced``
round away: under those two a pair result stays exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from prefxl.batch import exact_text
from prefxl.columns import multiplied
from prefxl.errors import OptionError
from prefxl.season.ledger import Integers, Ledger, Objects, choose, exact_sums

if TYPE_CHECKING:
    from prefxl.settled import Group, Settled

#: A square table of more players is refused: :func:`meetings` has a row a pair instead.
LARGEST_SQUARE = 7000

#: The columns of :func:`meetings`, in order.
MEETING_COLUMNS = ("player", "opponent", "games", "won", "lost", "whists", "whists_exact")


def head_to_head(settled: Settled, *, since: Any = None, until: Any = None, table: Any = None) -> pd.DataFrame:
    """Return the square table of net whists: the row's player won so much from the column's [whists].

    Parameters
    ----------
    settled
        The settled season.
    since, until, table
        Which games count, as for :func:`prefxl.season.standings`.

    Returns
    -------
    pandas.DataFrame
        (P, P) floats, players as index and columns in the order of the standings by sum; 0 where two never
        met, and on the diagonal. A row adds up to the player's sum (the exact one under ``truncate`` and
        ``balanced``).

    Raises
    ------
    OptionError
        If there are more than :data:`LARGEST_SQUARE` players.
    """
    pairs = _Pairs(settled.ledger.only(choose(settled, since, until, table)))
    return pairs.square(np.true_divide(pairs.net(), pairs.denominator).astype(np.float64))


def games_together(settled: Settled, *, since: Any = None, until: Any = None, table: Any = None) -> pd.DataFrame:
    """Return the square table of games two players played together; on the diagonal, all games of the player.

    The parameters, the players and their order are those of :func:`head_to_head`.
    """
    pairs = _Pairs(settled.ledger.only(choose(settled, since, until, table)))
    together = pairs.together()
    np.fill_diagonal(together, np.bincount(pairs.ledger.code, minlength=pairs.players))
    return pairs.square(together)


@dataclass(frozen=True, eq=False)
class Square:
    """What some players won from each other.

    Attributes
    ----------
    names
        (n,) the players, in the order of the standings by sum.
    won
        (n, n) what the row's player won from the column's [whists]; NaN where two never met, and on the diagonal.
    totals
        (n,) what each won from everybody, those who are not shown included [whists].
    players
        How many players the season has.
    """

    names: Objects
    won: npt.NDArray[np.float64]
    totals: npt.NDArray[np.float64]
    players: int


def square_of_most_played(settled: Settled, most: int) -> Square:
    """Return the square of the ``most`` players with the most games, whatever the number of players."""
    pairs = _Pairs(settled.ledger, square=False)
    games = np.bincount(pairs.place[settled.ledger.code], minlength=pairs.players)
    shown = most_played(games, most)
    column = np.full(pairs.players, -1, np.int64)
    column[shown] = np.arange(len(shown))
    one, other = pairs.keys // pairs.players, pairs.keys % pairs.players
    both = (column[one] >= 0) & (column[other] >= 0)
    size = len(shown)
    keys = column[one[both]] * size + column[other[both]]
    net = exact_sums(keys, pairs.won[both], size**2).reshape(size, size)
    met = np.bincount(keys, minlength=size**2).reshape(size, size)
    totals = exact_sums(one, pairs.won, pairs.players) - exact_sums(other, pairs.won, pairs.players)
    won = np.true_divide(net - net.T, pairs.denominator).astype(np.float64)
    return Square(
        names=pairs.names[shown],
        won=np.where(met + met.T > 0, won, np.nan),
        totals=np.true_divide(totals[shown], pairs.denominator).astype(np.float64),
        players=pairs.players,
    )


def most_played(games: Integers, most: int) -> Integers:
    """Return the places of the ``most`` players with the most games, in their order.

    >>> most_played(np.array([1, 7, 7, 2]), 2)
    array([1, 2])
    """
    if len(games) <= most:
        return np.arange(len(games))
    return np.sort(np.argsort(-games, kind="stable")[:most])


def meetings(settled: Settled, *, since: Any = None, until: Any = None, table: Any = None) -> pd.DataFrame:
    """Return a row for each ordered pair that met: games, of them won and lost, and net whists.

    ``won`` counts the games in which the player won whists from this opponent. Columns
    :data:`MEETING_COLUMNS`; the parameters are those of :func:`head_to_head`.
    """
    pairs = _Pairs(settled.ledger.only(choose(settled, since, until, table)), square=False)
    met, where = np.unique(pairs.keys, return_inverse=True)
    above = exact_sums(where, pairs.won > 0, len(met))
    below = exact_sums(where, pairs.won < 0, len(met))
    net = exact_sums(where, pairs.won, len(met))
    games = np.bincount(where, minlength=len(met))
    one, other = met // pairs.players, met % pairs.players
    columns = {
        "player": np.concatenate([one, other]),
        "opponent": np.concatenate([other, one]),
        "games": np.concatenate([games, games]),
        "won": np.concatenate([above, below]),
        "lost": np.concatenate([below, above]),
        "net": np.concatenate([net, -net]),
    }
    line = np.lexsort((columns["opponent"], columns["player"]))
    columns = {name: column[line] for name, column in columns.items()}
    for name in ("player", "opponent"):
        columns[name] = pairs.names[columns[name]]
    columns["whists"] = np.true_divide(columns["net"], pairs.denominator).astype(np.float64)
    columns["whists_exact"] = exact_text(columns["net"], pairs.denominator)
    return pd.DataFrame({name: columns[name] for name in MEETING_COLUMNS})


@dataclass(frozen=True, eq=False)
class Pair:
    """Two seats in the games of one group: where, who, and what the one won from the other."""

    group: Group
    #: (n,) positions in the season
    position: Integers
    #: (n,) players as indices of the ledger's names
    one: Integers
    other: Integers
    #: (n,) numerators over the group's ``pair_denominator`` [whists]
    won: Integers


def each_pair(ledger: Ledger) -> Iterator[Pair]:
    """Yield each pair of seats (the lower first) of each group, in the games the ledger counts."""
    codes = ledger.codes_by_seat()
    for group in ledger.settled.groups:
        at = group.positions
        counted = codes[0, at] >= 0
        everything = bool(counted.all())
        for i in range(group.done.columns.players):
            for j in range(i + 1, group.done.columns.players):
                columns = (at, codes[i, at], codes[j, at], group.done.pair_numerators(i, j))
                yield Pair(group, *(columns if everything else (column[counted] for column in columns)))


class _Pairs:
    """Every meeting of two players as a key (the lower place first) and what the first won from the second."""

    def __init__(self, ledger: Ledger, *, square: bool = True) -> None:
        self.ledger, self.players = ledger, len(ledger.names)
        if square and self.players > LARGEST_SQUARE:
            raise OptionError(
                f"a square table of {self.players} players is too large: take meetings()",
                f"квадратная таблица на {self.players} игроков слишком велика: возьмите meetings()",
            )
        self.place = by_sum(ledger)
        self.names = ledger.names[np.argsort(self.place)]
        groups = ledger.settled.groups
        self.denominator = reduce(lcm, (group.done.pair_denominator for group in groups), 1)
        parts = [self._keyed(pair) for pair in each_pair(ledger)]
        self.keys = np.concatenate([keys for keys, _ in parts]) if parts else np.empty(0, np.int64)
        self.won = np.concatenate([won for _, won in parts]) if parts else np.empty(0, np.int64)

    def _keyed(self, pair: Pair) -> tuple[Integers, Integers]:
        own, other = self.place[pair.one], self.place[pair.other]
        won = multiplied(pair.won, self.denominator // pair.group.done.pair_denominator)
        return np.minimum(own, other) * self.players + np.maximum(own, other), np.where(own > other, -won, won)

    def net(self) -> Integers:
        """Return (P, P) exact numerators of what each won from each."""
        upper = exact_sums(self.keys, self.won, self.players**2).reshape(self.players, self.players)
        return upper - upper.T

    def together(self) -> Integers:
        """Return (P, P) games played together."""
        upper = np.bincount(self.keys, minlength=self.players**2).reshape(self.players, self.players)
        return upper + upper.T

    def square(self, values: npt.NDArray[Any]) -> pd.DataFrame:
        """Return a (P, P) array as a frame."""
        names = pd.Index(self.names, dtype=object)
        return pd.DataFrame(values, index=names.rename("player"), columns=names)


def by_sum(ledger: Ledger) -> Integers:
    """Return (P,) each player's place in the standings by sum, from 0; a tie goes by name."""
    sums = ledger.sums(ledger.won)
    line = sorted(range(len(sums)), key=lambda i: (-int(sums[i]), str(ledger.names[i])))
    place = np.empty(len(line), np.int64)
    place[line] = np.arange(len(line))
    return place
