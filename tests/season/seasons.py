"""Seasons made for the tests: by their results, and at random."""

from __future__ import annotations

import datetime
import json
import random
from pathlib import Path

import numpy as np
import pandas as pd

from prefxl.games import UNIT, Games

CASES = Path(__file__).parents[1] / "cases"
PUBLISHED = json.loads((CASES / "season-13-games.json").read_text("utf-8"))


def sheet_with(results):
    """Return whists that settle, with nothing else on the sheet, to whole ``results``."""
    whists = [[0] * len(results) for _ in results]
    for seat, won in enumerate(results[1:], start=1):
        whists[seat][0], whists[0][seat] = max(won, 0), max(-won, 0)
    return [0] * len(results), [0] * len(results), whists


def season(sheets, players, dates=None, own=None, settings=None):
    """Return games of ``sheets`` (pulya, gora, whists, in points), ``players`` a list of names a game."""
    seats = np.array([len(names) for names in players], np.int64)
    most, games = int(seats.max(initial=2)), len(sheets)
    names = np.full((most, games), None, dtype=object)
    pulya, gora = np.zeros((most, games), np.int64), np.zeros((most, games), np.int64)
    whists = np.zeros((most, most, games), np.int64)
    for position, (sheet, there) in enumerate(zip(sheets, players, strict=True)):
        size = len(there)
        names[:size, position] = there
        for into, values in zip((pulya, gora), sheet[:2], strict=True):
            into[:size, position] = [int(value * UNIT) for value in values]
        whists[:size, :size, position] = [[int(value * UNIT) for value in row] for row in sheet[2]]
    ids, days = np.empty(games, dtype=object), np.empty(games, dtype=object)
    ids[:] = list(range(1, games + 1))
    days[:] = [None] * games if dates is None else list(dates)
    return Games(
        game=ids,
        date=days,
        seats=seats,
        players=names,
        pulya=pulya,
        gora=gora,
        whists=whists,
        own=pd.DataFrame() if own is None else own,
        settings=settings or {},
    )


def by_results(results, players=None, **more):
    """Return a season whose games settle (``sochi``, exactly) to ``results``, whole numbers a seat."""
    there = players or [[chr(65 + seat) for seat in range(len(won))] for won in results]
    return season([sheet_with(won) for won in results], there, **more)


def published():
    """Return the published season of thirteen games."""
    return by_results([game["result"] for game in PUBLISHED["games"]])


def random_season(games, players=8, seed=1, sizes=(2, 3, 4, 5)):
    """Return a season of random sheets, in no order of dates, some games without a date."""
    rng = random.Random(seed)
    names = [f"Игрок {number}" for number in range(players)]
    sheets, there, dates = [], [], []
    for _ in range(games):
        size = rng.choice([size for size in sizes if size <= players])
        there.append(rng.sample(names, size))
        whists = [[0 if i == j else rng.randrange(0, 200) for j in range(size)] for i in range(size)]
        sheets.append(
            ([rng.randrange(0, 40) for _ in range(size)], [rng.randrange(0, 60) for _ in range(size)], whists)
        )
        day = datetime.date(2026, 1, 1) + datetime.timedelta(rng.randrange(120))
        dates.append(day if rng.random() < 0.9 else None)
    return season(sheets, there, dates)
