"""Frames of random games for the cluster's tests."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd

NAMES = np.array(["Аня", "Борис", "Вера", "Глеб", "Даша"])


def wide_frame(games, *, first=1):
    """Return games in the wide layout, dated, with a column of the user's own."""
    chance = np.random.default_rng(first)
    seats = range(1, 5)
    columns = {
        "game": np.arange(first, first + games),
        "date": [dt.date(2026, 1, 1) + dt.timedelta(days=int(day)) for day in range(games)],
    }
    seated = np.array([chance.permutation(5)[:4] for _ in range(games)])
    columns |= {f"player_{seat}": NAMES[seated[:, seat - 1]] for seat in seats}
    columns |= {f"{name}_{seat}": chance.integers(0, 60, games) for name in ("pulya", "gora") for seat in seats}
    columns |= {f"whists_{i}_{j}": chance.integers(0, 200, games) for i in seats for j in seats if i != j}
    return pd.DataFrame(columns | {"club": chance.integers(1, 4, games)})


def long_frame(games, *, first=1):
    """Return games of three in the long layout."""
    chance = np.random.default_rng(first)
    rows = []
    for game in range(first, first + games):
        for seat, name in enumerate(chance.permutation(NAMES)[:3]):
            whists = [None if seat == on else int(chance.integers(0, 99)) for on in range(3)]
            rows.append([f"Игра {game}", name, *chance.integers(0, 30, 2).tolist(), *whists])
    heading = ["game", "player", "pulya", "gora", "whists_1", "whists_2", "whists_3"]
    return pd.DataFrame(rows, columns=heading).astype(dict.fromkeys(heading[4:], "Int64"))


def spoiled(frame, *, row=0):
    """Return the frame with a negative pulya in a row."""
    copy = frame.copy()
    copy.loc[copy.index[row], "pulya_1"] = -3
    return copy


def plain_steps(frame):
    """Return settled rows in types that do not depend on how they were settled."""
    plain = frame.copy()
    for name in frame.columns:
        if name in ("game", "date", "player", "result_exact", "convention", "rounding"):
            plain[name] = [None if value is None or value != value else str(value) for value in frame[name]]
            plain[name] = plain[name].astype(object)
        else:
            plain[name] = frame[name].astype(float)
    return plain.reset_index(drop=True)
