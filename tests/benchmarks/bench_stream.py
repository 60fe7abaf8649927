"""CSV to CSV and Parquet to Parquet: against pyarrow reading and writing the same columns without settling."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.data import write_csv, write_parquet
from tests.benchmarks.harness import Clock, Row, processes, scratch

GAMES = 1_000_000
LIMIT = 1.6

_HERE = "tests.benchmarks.bench_stream"


def benches(small: bool) -> list[Row]:
    """Return the rows of this benchmark."""
    games, rounds = (20_000, 1) if small else (GAMES, 3)
    with scratch() as folder:
        write_csv(folder / "season.csv", games)
        write_parquet(folder / "season.parquet", games)
        return [_row(folder, ending, games, rounds) for ending in ("csv", "parquet")]


def _row(folder: Path, ending: str, games: int, rounds: int) -> Row:
    source, target = str(folder / f"season.{ending}"), str(folder / f"settled.{ending}")
    settle(source, target)
    ours, base = processes(
        (f"{_HERE}:settle", {"source": source, "target": target}),
        (f"{_HERE}:read_and_write", {"source": source, "settled": target}),
        rounds=rounds,
    )
    return Row(
        name=f"{games:,} games, {ending} to {ending}, every step",
        ours=ours.wall,
        baseline=base.wall,
        against="pyarrow reading the input, writing the same output columns",
        limit=LIMIT,
        peak=ours.peak,
        baseline_peak=base.peak,
        note=f"CPU {ours.cpu:.1f} s / {base.cpu:.1f} s = {ours.cpu / base.cpu:.2f} x",
    )


def settle(source: str, target: str) -> tuple[float, float]:
    """Stream ``source`` into ``target``; return the seconds, those of loading the libraries left out."""
    from prefxl.stream import settle_stream

    clock = Clock()
    settle_stream(source, target, overwrite=True)
    return clock.read()


def read_and_write(source: str, settled: str) -> tuple[float, float]:
    """Read ``source`` and write the columns of ``settled``, already in memory; return the seconds of both."""
    import pyarrow.csv as pc
    import pyarrow.parquet as pq

    into = settled + ".copy"
    parquet = source.endswith(".parquet")
    table = pq.read_table(settled) if parquet else pc.read_csv(settled)
    clock = Clock()
    if parquet:
        pq.read_table(source)
        pq.write_table(table, into)
    else:
        pc.read_csv(source)
        pc.write_csv(table, into, pc.WriteOptions(quoting_style="none"))
    return clock.read()
