"""An archive of files on Dask: one worker, two workers, and no Dask at all."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from tests.benchmarks.data import write_parquet
from tests.benchmarks.harness import Clock, Row, processes, scratch

GAMES, FILES = 1_000_000, 8
_HERE = "tests.benchmarks.bench_cluster"


def benches(small: bool) -> list[Row]:
    """Return the rows of this benchmark; none where Dask is not installed."""
    if find_spec("distributed") is None:
        return []
    games, files, rounds = (8_000, 4, 1) if small else (GAMES, FILES, 3)
    with scratch() as folder:
        for number in range(files):
            write_parquet(folder / f"part-{number}.parquet", games // files)
        options = {"folder": str(folder)}
        alone, one, two = processes(
            (f"{_HERE}:alone", options),
            (f"{_HERE}:on_dask", options | {"workers": 1}),
            (f"{_HERE}:on_dask", options | {"workers": 2}),
            rounds=rounds,
        )
    name = f"{games:,} games in {files} files on Dask, "
    return [
        Row(name + "one worker", one.wall, alone.wall, "one file after the other, one thread, no Dask"),
        Row(name + "two workers", two.wall, one.wall, "one worker"),
    ]


def alone(folder: str) -> tuple[float, float]:
    """Settle the files one after the other."""
    from prefxl.stream import settle_stream

    target = Path(folder) / "alone"
    target.mkdir(exist_ok=True)
    clock = Clock()
    for path in sorted(Path(folder).glob("part-*.parquet")):
        settle_stream(path, target / path.name, overwrite=True, season=True, threads=1)
    return clock.read()


def on_dask(folder: str, workers: int) -> tuple[float, float]:
    """Settle the files on a cluster of this machine; starting it, and loading the libraries there, is left out."""
    from distributed import Client, LocalCluster

    from prefxl.cluster import settle_files

    paths = sorted(Path(folder).glob("part-*.parquet"))
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.run(_load)
        clock = Clock()
        settle_files(paths, Path(folder) / f"out-{workers}", scheduler=client, resume=False)
        return clock.read()


def _load() -> None:
    import prefxl.cluster

    assert prefxl.cluster
