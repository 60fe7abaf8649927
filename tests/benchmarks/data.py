"""The same random games for every benchmark."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

PLAYERS = 4
NAMES = np.array(["Аня", "Борис", "Вера", "Глеб", "Даша", "Егор", "Жанна", "Зоя"])


def numbers(games: int, players: int = PLAYERS, seed: int = 1) -> npt.NDArray[np.int64]:
    """Return (games, columns) pulyas, goras, then whists without the diagonal, column by column contiguous."""
    width = 2 * players + players * (players - 1)
    columns: npt.NDArray[np.int64] = np.random.default_rng(seed).integers(0, 200, (width, games)).T
    return columns


def seats(columns: npt.NDArray[np.int64], players: int = PLAYERS) -> tuple[list[Any], list[Any], list[list[Any]]]:
    """Return pulyas, goras and the matrix of whists as columns, seat by seat."""
    pulya = [columns[:, i] for i in range(players)]
    gora = [columns[:, players + i] for i in range(players)]
    rest = iter(range(2 * players, columns.shape[1]))
    whists = [[None if i == j else columns[:, next(rest)] for j in range(players)] for i in range(players)]
    return pulya, gora, whists


def wide_table(games: int, *, seed: int = 1, first: int = 0) -> Any:
    """Return a pyarrow table in the wide layout: game, date, players, pulyas, goras, whists, one own column."""
    import pyarrow as pa

    random = np.random.default_rng(seed)
    pulya, gora, whists = seats(numbers(games, seed=seed))
    start = np.datetime64(dt.date(2020, 1, 1))
    columns: dict[str, Any] = {
        "game": pa.array(np.arange(first + 1, first + games + 1)),
        "date": pa.array((start + np.sort(random.integers(0, 2000, games))).astype("datetime64[D]")),
    }
    shift = random.integers(0, len(NAMES), games)
    for seat in range(PLAYERS):
        codes = pa.array(((shift + seat) % len(NAMES)).astype(np.int32))
        columns[f"player_{seat + 1}"] = pa.DictionaryArray.from_arrays(codes, pa.array(NAMES)).cast(pa.string())
    columns |= {f"pulya_{seat + 1}": pa.array(column) for seat, column in enumerate(pulya)}
    columns |= {f"gora_{seat + 1}": pa.array(column) for seat, column in enumerate(gora)}
    columns |= {
        f"whists_{i + 1}_{j + 1}": pa.array(whists[i][j]) for i in range(PLAYERS) for j in range(PLAYERS) if i != j
    }
    columns["club"] = pa.array(random.integers(1, 9, games))
    return pa.table(columns)


def write_csv(path: Path, games: int) -> None:
    """Write ``games`` games as CSV, in pieces so that any number of them fits the memory."""
    import pyarrow.csv as pc

    piece = 250_000
    writer = None
    for first in range(0, games, piece):
        table = wide_table(min(piece, games - first), seed=first + 1, first=first)
        writer = writer or pc.CSVWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def write_parquet(path: Path, games: int) -> None:
    """Write ``games`` games as Parquet, in pieces."""
    import pyarrow.parquet as pq

    piece = 250_000
    writer = None
    for first in range(0, games, piece):
        table = wide_table(min(piece, games - first), seed=first + 1, first=first)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()
