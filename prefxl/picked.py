"""Single games out of a settled batch, to be explained or drawn, without settling them again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.batch import STEPS, Settlements
from prefxl.rules.rounding import COMPENSATION
from prefxl.rules.settlement import Amounts, Sheet, Steps
from prefxl.rules.single import Settlement

Rows = npt.NDArray[np.int64]


def settlements(done: Settlements, rows: Rows, names: Sequence[tuple[str, ...]]) -> Iterator[Settlement]:
    """Yield games of a batch, each as a :class:`~prefxl.rules.single.Settlement`, every step exact.

    Parameters
    ----------
    done
        The batch, settled with every step.
    rows
        (wanted,) which games, by their place in the batch.
    names
        The players of each of them, seat by seat.
    """
    pulyas, goras = (_units(done, columns, rows) for columns in (done.columns.pulya, done.columns.gora))
    whists = list(zip(*[_written(done, seat, rows) for seat in range(done.columns.players)], strict=True))
    steps = [_by_game([column[rows] for column in done.kept[step][0]]) for step in STEPS]
    points = [None] * len(rows) if done.points is None else _by_game([column[rows] for column in done.points])
    paid = [None] * len(rows) if done.money_units is None else _by_game([one[rows] for one in done.money_units])
    named = np.broadcast_to(np.asarray(done.columns.corrected), len(done))[rows].tolist()
    for game, players in enumerate(names):
        sheet = Sheet(pulyas[game], goras[game], whists[game], done.columns.unit, named[game])
        worked = _steps(done, sheet, [step[game] for step in steps], points[game])
        yield Settlement(players=players, sheet=sheet, work=worked, stake=done.stake, paid=paid[game])


def _by_game(columns: Sequence[npt.NDArray[Any]]) -> list[tuple[int, ...]]:
    """Return the numbers game by game, in Python's own integers."""
    return list(zip(*[column.tolist() for column in columns], strict=True))


def _units(done: Settlements, columns: Sequence[npt.NDArray[Any]], rows: Rows) -> list[tuple[int, ...]]:
    return _by_game([done.columns.units(column[rows]) for column in columns])


def _written(done: Settlements, seat: int, rows: Rows) -> list[tuple[int, ...]]:
    """Return what one seat has written on each, game by game, 0 on itself."""
    own = np.zeros(len(rows), np.int64)
    row = done.columns.whists[seat]
    return _by_game([own if column is None else done.columns.units(column[rows]) for column in row])


def _steps(done: Settlements, sheet: Sheet, numbers: Sequence[tuple[int, ...]], points: Any) -> Steps:
    amounts = {step: Amounts(own, done.kept[step][1]) for step, own in zip(STEPS, numbers, strict=True)}
    seats, written = range(sheet.players), sheet.whists
    pairs = {(i, j): written[i][j] - written[j][i] for i in seats for j in seats[i + 1 :]}
    return Steps(
        convention=done.convention,
        rounding=done.rounding,
        pair_saldo=pairs,
        gora_correction=points,
        compensation=0 if points is None else COMPENSATION,
        **amounts,
    )
