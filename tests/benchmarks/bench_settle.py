"""Settling columns in memory: against copying them, polars, plain loops and ``DataFrame.apply``."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from prefxl import settle
from tests.benchmarks.data import PLAYERS, numbers, seats
from tests.benchmarks.harness import Row, bandwidth, interleaved, traced_peak

GAMES = 1_000_000
#: Loops in Python are measured on so many games and scaled.
LOOPED = 10_000

SEATS = range(PLAYERS)


def benches(small: bool) -> list[Row]:
    """Return the rows of this benchmark."""
    games = 50_000 if small else GAMES
    looped = 1_000 if small else LOOPED
    return [*in_memory(games, rounds=5 if small else 9), *loops(games, looped)]


def in_memory(games: int, rounds: int) -> list[Row]:
    """Every step against a copy of the input, results alone against polars."""
    columns = numbers(games)
    pulya, gora, whists = seats(columns)
    polars = polars_results(columns)

    def ours(**options: Any) -> Callable[[], Any]:
        return lambda: settle(pulya, gora, whists, **options)

    def copied() -> Any:
        return [column.copy() for column in columns.T]

    # the same games, the same numbers, before any time is taken
    assert np.allclose(polars().to_numpy(), settle(pulya, gora, whists, convention="leningrad", steps=False).result)
    runs = (
        ours(),
        ours(convention="leningrad"),
        ours(convention="leningrad", steps=False),
        ours(steps=False),
        copied,
        polars,
    )
    every, exact, alone, alone_rozaliev, copy, expressions = interleaved(*runs, rounds=rounds)
    speed = bandwidth(columns.nbytes, os.cpu_count() or 1)

    def bound(took: float, run: Callable[[], Any]) -> str:
        """Return how far a run is from what the memory allows: the columns read, the kept steps written."""
        moved = (columns.nbytes + sum(numbers.nbytes for numbers, _ in run().kept.values())) / 2**30
        least = moved / speed
        return f"{took / least:.1f} x the bound: {moved * 1024:.0f} MiB at {speed:.1f} GiB/s are {least * 1e3:.1f} ms"

    size, against = f"{games:,} games, ", "copying the input columns"
    alone_exact = size + "results alone, leningrad exact"
    peaks = [traced_peak(run) for run in runs[:4]]
    notes = [bound(took, run) for took, run in zip((every, exact, alone, alone_rozaliev), runs[:4], strict=True)]
    return [
        Row(size + "every step, rozaliev", every, copy, against, 4.0, peaks[0], traced_peak(copied), notes[0]),
        Row(size + "every step, leningrad exact", exact, copy, against, 4.0, peaks[1], note=notes[1]),
        Row(alone_exact, alone, expressions, "polars lazy expressions", 1.0, peaks[2]),
        Row(alone_exact, alone, copy, against, note=notes[2]),
        Row(size + "results alone, rozaliev", alone_rozaliev, copy, against, None, peaks[3], note=notes[3]),
    ]


def polars_results(columns: Any) -> Callable[[], Any]:
    """Return what collects the results of the exact Leningrad settlement with polars' lazy expressions."""
    import polars as pl

    pulya, gora, whists = seats(columns)
    data = {f"p{i}": pulya[i] for i in SEATS} | {f"g{i}": gora[i] for i in SEATS}
    data |= {f"w{i}{j}": whists[i][j] for i in SEATS for j in SEATS if i != j}
    target = pl.max_horizontal([pl.col(f"p{i}") for i in SEATS])
    adjusted = [pl.col(f"g{i}") + 2 * (target - pl.col(f"p{i}")) for i in SEATS]
    everybody = pl.sum_horizontal(adjusted)

    def result(seat: int) -> Any:
        saldi = [pl.col(f"w{seat}{other}") - pl.col(f"w{other}{seat}") for other in SEATS if other != seat]
        return (10 * (everybody - PLAYERS * adjusted[seat]) / PLAYERS + sum(saldi, pl.lit(0))).alias(
            f"result_{seat + 1}"
        )

    lazy = pl.DataFrame(data).lazy().select([result(seat) for seat in SEATS])
    return lazy.collect


def loops(games: int, looped: int) -> list[Row]:
    """Results alone against loops over the rows, scaled from fewer games."""
    columns = numbers(games)
    pulya, gora, whists = seats(columns)
    few = columns[:looped].tolist()
    frame = pd.DataFrame(columns[:looped])
    scale = games / looped

    def ours() -> Any:
        return settle(pulya, gora, whists, convention="leningrad", steps=False)

    exact = settle(*(seats(columns[:looped])), convention="leningrad", steps=False).result
    assert np.allclose([by_row(row, float) for row in few], exact)
    runs = (
        ours,
        lambda: [by_row(row, Fraction) for row in few],
        lambda: [by_row(row, float) for row in few],
        lambda: frame.apply(lambda row: by_row(row.to_numpy(), float), axis=1),
    )
    ours_took, *others = interleaved(*runs, rounds=3)
    size, note = f"{games:,} games, results alone", f"scaled from {looped:,} games"
    names = ("a Python loop with Fraction", "a Python loop with floats", "DataFrame.apply")
    limit = 0.01
    return [
        Row(size, ours_took, took * scale, name, limit, note=note) for name, took in zip(names, others, strict=True)
    ]


def by_row(row: Any, number: Any) -> list[Any]:
    """Return the exact Leningrad results of one game, as a plain loop would work them out."""
    pulya, gora, rest = row[:PLAYERS], row[PLAYERS : 2 * PLAYERS], iter(row[2 * PLAYERS :])
    whists = [[0 if i == j else next(rest) for j in SEATS] for i in SEATS]
    target = max(pulya)
    adjusted = [g + 2 * (target - p) for p, g in zip(pulya, gora, strict=True)]
    least = min(adjusted)
    amnestied = [a - least for a in adjusted]
    mean = number(sum(amnestied)) / PLAYERS
    return [10 * (mean - amnestied[i]) + sum(whists[i][j] - whists[j][i] for j in SEATS) for i in SEATS]
