"""How a season went: sums after every game, and month by month."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from prefxl.batch import exact_text
from prefxl.errors import OptionError
from prefxl.season.ledger import Integers, Ledger, choose, day_numbers, exact_sums
from prefxl.season.pairs import by_sum

if TYPE_CHECKING:
    from prefxl.settled import Settled

#: A table of more cells (games times players) is refused: :func:`running_sums` has a row a result instead.
LARGEST_TABLE = 50_000_000

#: The columns of :func:`running_sums` and of :func:`months`, in order.
RUNNING_COLUMNS = ("game", "date", "player", "result", "sum", "sum_exact")
MONTH_COLUMNS = ("month", "rank", "player", "games", "won", "lost", "level", "sum", "sum_exact", "average", "money")


def cumulative(settled: Settled, *, since: Any = None, until: Any = None, table: Any = None) -> pd.DataFrame:
    """Return every player's sum after every game: the lines of the season's chart [whists].

    Parameters
    ----------
    settled
        The settled season.
    since, until, table
        Which games count, as for :func:`prefxl.season.standings`.

    Returns
    -------
    pandas.DataFrame
        One row a game in the order of the dates: ``game``, ``date``, then a column a player in the order of
        the standings by sum (take them by place: a player may be called "game"). A player who sits a game
        out keeps the sum; before the first game of a player the value is missing.

    Raises
    ------
    OptionError
        If the table would have more than :data:`LARGEST_TABLE` cells.
    """
    ledger = settled.ledger.only(choose(settled, since, until, table))
    games, players = ledger.games, len(ledger.names)
    if games * players > LARGEST_TABLE:
        raise OptionError(
            f"{games} games of {players} players are too many for one table: take running_sums()",
            f"{games} игр {players} игроков — слишком много для одной таблицы: возьмите running_sums()",
        )
    everybody = np.argsort(by_sum(ledger))
    return _table(ledger, everybody, np.arange(games))


def course_of(settled: Settled, players: Integers, lines: Integers) -> pd.DataFrame:
    """Return some columns and some lines of :func:`cumulative`, whatever the size of the season.

    Parameters
    ----------
    settled
        The settled season.
    players
        Which players: indices of the ledger's names, a column each in this order.
    lines
        After which games: places in the order of the dates, ascending, the last of them the season's last game.
    """
    return _table(settled.ledger, players, lines)


def _table(ledger: Ledger, players: Integers, lines: Integers) -> pd.DataFrame:
    column = np.full(len(ledger.names), -1, np.int64)
    column[players] = np.arange(len(players))
    shown = column[ledger.code] >= 0
    # the results since the line before fall into a line
    at = np.searchsorted(lines, ledger.place[shown]), column[ledger.code[shown]]
    won = np.zeros((len(lines), len(players)), ledger.won.dtype)
    np.add.at(won, at, ledger.won[shown])
    began = np.zeros(won.shape, bool)
    began[at] = True
    sums = np.true_divide(np.cumsum(won, axis=0), ledger.denominator).astype(np.float64)
    values = np.where(np.logical_or.accumulate(began, axis=0), sums, np.nan)
    head = _head(ledger, ledger.order[lines])
    names = pd.Index(ledger.names[players], dtype=object)
    return pd.concat([head, pd.DataFrame(values, columns=names)], axis=1)


def running_sums(settled: Settled, *, since: Any = None, until: Any = None, table: Any = None) -> pd.DataFrame:
    """Return the same as one row a player a game, in the order of the dates: for seasons of any size.

    Columns :data:`RUNNING_COLUMNS`: the ``result`` of the game and the player's ``sum`` after it [whists].
    """
    ledger = settled.ledger.only(choose(settled, since, until, table))
    sums = _running(ledger)
    frame = _head(ledger, ledger.position)
    frame["player"] = ledger.names[ledger.code]
    frame["result"] = np.true_divide(ledger.won, ledger.denominator).astype(np.float64)
    frame["sum"] = np.true_divide(sums, ledger.denominator).astype(np.float64)
    frame["sum_exact"] = exact_text(sums, ledger.denominator)
    return frame[list(RUNNING_COLUMNS)]


def _running(ledger: Ledger) -> Integers:
    """Return (R,) each player's exact sum up to and with the row."""
    players = len(ledger.names)
    code = ledger.code.astype(np.uint16) if players < 2**16 else ledger.code
    by_player = np.argsort(code, kind="stable")
    total = np.cumsum(ledger.won[by_player])
    counts = np.bincount(ledger.code, minlength=players)
    starts = np.cumsum(counts) - counts
    before = np.concatenate([total[:1] * 0, total])[starts]
    sums = np.empty_like(total)
    sums[by_player] = total - np.repeat(before, counts)
    return sums


def _head(ledger: Ledger, positions: Integers) -> pd.DataFrame:
    games = ledger.settled.games
    return pd.DataFrame({"game": games.game[positions], "date": games.date[positions]})


def months(settled: Settled, *, since: Any = None, until: Any = None, table: Any = None) -> pd.DataFrame:
    """Return one row a player a month, months in order, best sum first.

    Columns :data:`MONTH_COLUMNS`: ``month`` is text (``2026-03``; ``""`` for games without a date, last),
    ``rank`` by the sum of that month (equal sums share it), sums [whists].
    """
    ledger = settled.ledger.only(choose(settled, since, until, table))
    players = max(len(ledger.names), 1)
    labels, month = _months(ledger)
    keys, where = np.unique(month * players + ledger.code, return_inverse=True)
    sums = exact_sums(where, ledger.won, len(keys))
    games = np.bincount(where, minlength=len(keys))
    frame = pd.DataFrame(
        {
            "month": labels[keys // players],
            "player": ledger.names[keys % players],
            "games": games,
            "won": exact_sums(where, ledger.won > 0, len(keys)),
            "lost": exact_sums(where, ledger.won < 0, len(keys)),
            "level": exact_sums(where, ledger.won == 0, len(keys)),
            "sum": np.true_divide(sums, ledger.denominator).astype(np.float64),
            "sum_exact": exact_text(sums, ledger.denominator),
            "average": np.true_divide(sums, ledger.denominator * games).astype(np.float64),
            "money": _money(ledger, where, len(keys)),
        }
    )
    found = list(zip((keys // players).tolist(), sums.tolist(), map(str, ledger.names[keys % players]), strict=True))
    line = sorted(range(len(found)), key=lambda i: (found[i][0], -found[i][1], found[i][2]))
    ranks = _ranks([found[i][:2] for i in line])
    return frame.iloc[line].reset_index(drop=True).assign(rank=ranks)[list(MONTH_COLUMNS)]


def _months(ledger: Ledger) -> tuple[Any, Integers]:
    """Return the months' names in order, and (R,) the month of each row; games without a date come last."""
    numbers, known = day_numbers(ledger.settled.games.date)
    names = {number: date.fromordinal(int(number)).strftime("%Y-%m") for number in np.unique(numbers[known])}
    labels = [*dict.fromkeys(names.values()), ""]
    places = {name: index for index, name in enumerate(labels)}
    days, where = np.unique(numbers, return_inverse=True)
    of_day = np.array([places[names[day]] if day in names else len(labels) - 1 for day in days], np.int64)
    by_game = np.where(known, of_day[where], len(labels) - 1)
    return np.array(labels, dtype=object), by_game[ledger.position]


def _money(ledger: Ledger, where: Integers, groups: int) -> Any:
    if ledger.money is None:
        return np.full(groups, np.nan)
    staked = exact_sums(where, ledger.staked, groups) > 0
    return np.where(staked, np.true_divide(exact_sums(where, ledger.money, groups), ledger.scale), np.nan)


def _ranks(line: list[tuple[int, int]]) -> list[int]:
    """Return the rank of each line within its month; equal sums share one."""
    ranks: list[int] = []
    first = 0
    for index, (month, total) in enumerate(line):
        if index and month != line[index - 1][0]:
            first = index
        same = index > first and total == line[index - 1][1]
        ranks.append(ranks[-1] if same else index - first + 1)
    return ranks
