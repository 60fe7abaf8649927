"""Ratings: Elo for tables of two to five, every pair of a table taken as a duel.

Source of the formula: A. Elo, *The Rating of Chessplayers, Past and Present* (1978), and its extension to
several players by pairs in D. Cunningham's ``multielo`` (github.com/djcunningham0/multielo), with its
linear score. Nothing is added to it: for two players it is Elo's own formula.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from prefxl.errors import OptionError
from prefxl.season.ledger import Ledger, choose

if TYPE_CHECKING:
    from prefxl.settled import Settled

#: The defaults of the source: the largest change of a rating in a duel, the difference at which the
#: stronger is expected to take ten points of eleven, and where everybody begins.
K, SCALE, START = 32.0, 400.0, 1000.0

#: The columns of :func:`ratings` and of :func:`rating_history`, in order.
RATING_COLUMNS = ("rank", "player", "rating", "games", "highest", "lowest", "last_change")
HISTORY_COLUMNS = ("game", "date", "player", "before", "change", "after")


@dataclass(frozen=True, slots=True)
class Elo:
    """The three numbers a rating depends on.

    Attributes
    ----------
    k
        The largest change of a rating in a game of two.
    scale
        The difference of ratings at which the odds are ten to one.
    start
        The rating of a newcomer.
    """

    k: float = K
    scale: float = SCALE
    start: float = START

    def __post_init__(self) -> None:
        if not (self.k > 0 and self.scale > 0):
            raise OptionError("K and the scale of a rating must be above 0", "K и шкала рейтинга должны быть больше 0")

    def changes(self, before: list[float], won: list[int]) -> list[float]:
        """Return how much each rating changes in a game; the changes sum to zero.

        A pair is a duel: who won more whists takes the point, equal results halve it. The sum of a
        player's duels counts as ``K * (N - 1)`` times a share of N (N - 1) / 2 points, as in the source.

        Parameters
        ----------
        before
            The ratings before the game, seat by seat.
        won
            The results, in any whole unit.

        >>> [round(1200 + change, 3) for change in Elo().changes([1200, 1000], [1, -1])][:1]
        [1207.688]
        """
        seats = len(before)
        changes = [0.0] * seats
        for i in range(seats):
            for j in range(i + 1, seats):
                expected = 1.0 / (1.0 + 10.0 ** ((before[j] - before[i]) / self.scale))
                point = 1.0 if won[i] > won[j] else 0.5 if won[i] == won[j] else 0.0
                moved = 2.0 * self.k / seats * (point - expected)
                changes[i] += moved
                changes[j] -= moved
        return changes


def ratings(
    settled: Settled,
    *,
    k: float = K,
    scale: float = SCALE,
    start: float = START,
    since: Any = None,
    until: Any = None,
    table: Any = None,
) -> pd.DataFrame:
    """Return everybody's rating after the season, highest first, recomputed from the whole history.

    Parameters
    ----------
    settled
        The settled season; games count in the order of their dates.
    k, scale, start
        See :class:`Elo`.
    since, until, table
        Which games count, as for :func:`prefxl.season.standings`.

    Returns
    -------
    pandas.DataFrame
        :data:`RATING_COLUMNS`: ``highest`` and ``lowest`` the rating ever was, ``last_change`` by the last game.

    Raises
    ------
    OptionError
        If ``k`` or ``scale`` is not above 0.
    """
    ledger = settled.ledger.only(choose(settled, since, until, table))
    lines: dict[int, list[float]] = {}
    for _, player, before, change in _history(ledger, Elo(k, scale, start)):
        lines.setdefault(player, [before]).append(before + change)
    order = sorted(lines, key=lambda player: (-lines[player][-1], str(ledger.names[player])))
    found = [lines[player] for player in order]
    columns = {
        "rank": _ranks([line[-1] for line in found]),
        "player": [ledger.names[player] for player in order],
        "rating": [line[-1] for line in found],
        "games": [len(line) - 1 for line in found],
        "highest": [max(line) for line in found],
        "lowest": [min(line) for line in found],
        "last_change": [line[-1] - line[-2] for line in found],
    }
    return pd.DataFrame({name: columns[name] for name in RATING_COLUMNS})


def rating_history(
    settled: Settled,
    *,
    k: float = K,
    scale: float = SCALE,
    start: float = START,
    since: Any = None,
    until: Any = None,
    table: Any = None,
) -> pd.DataFrame:
    """Return every change of every rating, a row a player a game; columns :data:`HISTORY_COLUMNS`.

    The parameters are those of :func:`ratings`.
    """
    ledger = settled.ledger.only(choose(settled, since, until, table))
    moves = list(_history(ledger, Elo(k, scale, start)))
    at = ledger.order[np.array([game for game, *_ in moves], dtype=np.int64)]
    before = np.array([move[2] for move in moves], dtype=float)
    change = np.array([move[3] for move in moves], dtype=float)
    columns = {
        "game": settled.games.game[at],
        "date": settled.games.date[at],
        "player": ledger.names[np.array([move[1] for move in moves], dtype=np.int64)],
        "before": before,
        "change": change,
        "after": before + change,
    }
    return pd.DataFrame({name: columns[name] for name in HISTORY_COLUMNS})


def _history(ledger: Ledger, elo: Elo) -> Iterator[tuple[int, int, float, float]]:
    """Yield place of the game, player, rating before it and change, game after game."""
    rating = [elo.start] * len(ledger.names)
    codes, won = ledger.code.tolist(), ledger.won.tolist()
    begins = np.searchsorted(ledger.place, np.arange(ledger.games + 1)).tolist()
    for game in range(ledger.games):
        rows = slice(begins[game], begins[game + 1])
        players = codes[rows]
        before = [rating[player] for player in players]
        for player, own, change in zip(players, before, elo.changes(before, won[rows]), strict=True):
            rating[player] = own + change
            yield game, player, own, change


def _ranks(values: list[float]) -> list[int]:
    ranks: list[int] = []
    for index, value in enumerate(values):
        ranks.append(ranks[-1] if index and value == values[index - 1] else index + 1)
    return ranks
