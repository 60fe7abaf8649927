"""Seasons made in memory, so that the workbook's tests need no reader."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd

from prefxl.games import Games
from prefxl.tables import Table

NAMES = ("Аня", "Боря", "Вера Ивановна", "Гена", "Дима", "Ёлка", "Жора", "Зоя", "Илья", "Катя", "Лев", "Мария")


def season(
    games: int = 12, *, players: int = 5, seats: Sequence[int] = (3, 4), seed: int = 1, own: bool = True
) -> Games:
    """Return a season of ``games`` games of ``seats`` (in turn) among so many players."""
    random = np.random.default_rng(seed)
    largest = max(seats)
    count = np.array([seats[g % len(seats)] for g in range(games)], np.int64)
    people = np.full((largest, games), None, dtype=object)
    for g in range(games):
        people[: count[g], g] = [
            NAMES[k % len(NAMES)] + ("" if k < 12 else f" {k}") for k in random.permutation(players)[: count[g]]
        ]
    there = np.arange(largest)[:, None] < count[None, :]
    pulya = np.where(there, 2 * random.integers(8, 14, (largest, games)) * 2, 0)
    gora = np.where(there, 2 * random.integers(0, 60, (largest, games)), 0)
    whists = 2 * 2 * random.integers(0, 90, (largest, largest, games))
    whists *= there[:, None] & there[None, :] & ~np.eye(largest, dtype=bool)[:, :, None]
    comments = [f"партия {g + 1}" if g % 3 == 0 else None for g in range(games)]
    start = date(2026, 1, 4)
    dates: Any = np.empty(games, dtype=object)
    dates[:] = [start + timedelta(days=g // 2 * 7) for g in range(games)]
    ids: Any = np.empty(games, dtype=object)
    ids[:] = [g + 1 for g in range(games)]
    return Games(
        game=ids,
        date=dates,
        seats=count,
        players=people,
        pulya=pulya.astype(np.int64),
        gora=gora.astype(np.int64),
        whists=whists.astype(np.int64),
        own=pd.DataFrame({"Комментарий": np.repeat(np.array(comments, dtype=object), count)})
        if own
        else pd.DataFrame(),
        tables=(Table("сезон.csv", "", "wide", 1, 2, games + 1, 1, 27),),
        table=np.zeros(games, np.int64),
        rows=np.where(there, np.arange(games)[None, :] + 2, 0),
        lang="ru",
    )
