"""Measuring side by side: ours, baseline, ours, baseline …, medians, and the operating system's own count of memory."""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[2]

#: Packages whose versions belong to a figure.
PACKAGES = (
    "numpy",
    "pandas",
    "pyarrow",
    "polars",
    "dask",
    "XlsxWriter",
    "rustpy-xlsxwriter",
    "openpyxl",
    "python-calamine",
    "isal",
)


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    name
        What is done, with how many games.
    ours, baseline
        Median seconds; ``baseline`` is ``None`` where there is nothing to compare with.
    against
        What the baseline is.
    limit
        The ratio that ``ours / baseline`` may not pass; ``None`` where none is set.
    peak, baseline_peak
        Mebibytes: of a process of its own, or the arrays and objects made meanwhile.
    note
        Anything a reader must know, such as a scaled baseline.
    """

    name: str
    ours: float
    baseline: float | None = None
    against: str = ""
    limit: float | None = None
    peak: float | None = None
    baseline_peak: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """``ours / baseline``."""
        return None if not self.baseline else self.ours / self.baseline

    @property
    def verdict(self) -> str:
        """``ok``, ``OVER``, or nothing where no limit is set."""
        if self.limit is None or self.ratio is None:
            return ""
        return "ok" if self.ratio <= self.limit else "OVER"


def seconds(work: Callable[[], Any]) -> float:
    """Return the wall time of one run; what it made is thrown away outside the measurement."""
    start = time.perf_counter()
    made = work()
    took = time.perf_counter() - start
    del made
    return took


def interleaved(*works: Callable[[], Any], rounds: int = 5, warm: bool = True) -> list[float]:
    """Return each one's median seconds, taken turn by turn, so that a busy neighbour meets all of them."""
    if warm:
        for work in works:
            work()
    gc.collect()
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, into in zip(works, taken, strict=True):
            into.append(seconds(work))
    return [median(times) for times in taken]


def traced_peak(work: Callable[[], Any]) -> float:
    """Return the mebibytes of arrays and objects made while ``work`` runs, at their most."""
    tracemalloc.start()
    try:
        made = work()
        peak = tracemalloc.get_traced_memory()[1]
        del made
    finally:
        tracemalloc.stop()
    return peak / 2**20


@dataclass(frozen=True)
class Usage:
    """What a call took in a process of its own: seconds, CPU seconds, and peak mebibytes of the whole process."""

    wall: float
    cpu: float
    peak: float


class Clock:
    """Wall and CPU seconds of this process since it was made."""

    def __init__(self) -> None:
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def read(self) -> tuple[float, float]:
        """Return the seconds until now."""
        return time.perf_counter() - self.wall, time.process_time() - self.cpu


@lru_cache(maxsize=1)
def compiled() -> dict[str, str]:
    """Return an environment in which modules are compiled once, as an installed package's are, whatever is set here."""
    if "PYTHONPYCACHEPREFIX" in os.environ:
        # a process of a process: compiled already
        return dict(os.environ)
    folder = tempfile.mkdtemp(prefix="compiled-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return env | {"PYTHONPYCACHEPREFIX": folder}


def in_process(function: str, **options: Any) -> Usage:
    """Run ``module:function`` with options in a process of its own and return what it took.

    The function may return the (wall, CPU) seconds that count, where it prepares something first.

    Raises
    ------
    RuntimeError
        If the process failed; the message is what it wrote.
    """
    command = [sys.executable, "-m", "tests.benchmarks.harness", function, json.dumps(options)]
    process = subprocess.Popen(command, cwd=ROOT, env=compiled(), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    written = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{function} failed: {written}")
    wall, cpu, own = (float(number) for number in written.split()[-3:])
    return Usage(wall, cpu, own or used.ru_maxrss / 2**20)


def own_peak() -> float:
    """Return this process's peak in mebibytes, 0 where only its parent can tell (macOS: in bytes).

    On Linux the parent would be told its own peak if that was higher when this process was started.
    """
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 2**10 for line in lines if line.startswith("VmHWM")), 0.0)


def processes(*calls: tuple[str, Mapping[str, Any]], rounds: int = 3) -> list[Usage]:
    """Return each call's median usage, every run in a process of its own, turn by turn."""
    taken: list[list[Usage]] = [[] for _ in calls]
    for _ in range(rounds):
        for (function, options), into in zip(calls, taken, strict=True):
            into.append(in_process(function, **options))
    return [
        Usage(median(u.wall for u in used), median(u.cpu for u in used), max(u.peak for u in used)) for used in taken
    ]


def machine() -> str:
    """Return cores, processor, system and versions in two lines."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [
            line.split(":")[1].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")
        ]
        model = names[0] if names else model
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    packages = ", ".join(f"{name} {found}" for name in PACKAGES if (found := _version(name)))
    return f"{os.cpu_count()} cores, {model}, {platform.system()}, Python {platform.python_version()}{load}\n{packages}"


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def bandwidth(size: int = 256 * 2**20, threads: int = 1) -> float:
    """Return gibibytes a second that so many cores copy together, reading and writing counted."""
    import numpy as np

    block = np.ones(size // 8)
    into = np.empty_like(block)
    parts = list(zip(np.array_split(into, threads), np.array_split(block, threads), strict=True))
    with ThreadPoolExecutor(threads) as pool:
        best = min(seconds(lambda: list(pool.map(lambda part: np.copyto(*part), parts))) for _ in range(5))
    return 2 * size / best / 2**30


def table(rows: Sequence[Row], *, judged: bool = True) -> Iterator[str]:
    """Yield the lines of the table; small sizes are not ``judged``."""
    yield f"{'work':<58} {'ours':>9} {'baseline':>9} {'ratio':>8} {'limit':>6} {'':4} {'peak MiB':>15}  against"
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.3g} x"
        limit = "" if row.limit is None else f"{row.limit:.3g}"
        peak = " / ".join("–" if value is None else f"{value:.0f}" for value in (row.peak, row.baseline_peak))
        base = "" if row.baseline is None else _time(row.baseline)
        note = f" ({row.note})" if row.note else ""
        verdict = row.verdict if judged else ""
        figures = f"{_time(row.ours):>9} {base:>9} {ratio:>8} {limit:>6} {verdict:4} {peak:>15}"
        yield f"{row.name:<58} {figures}  {row.against}{note}"


def _time(value: float) -> str:
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} us"


@contextmanager
def scratch() -> Iterator[Path]:
    """Yield a temporary folder."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="prefxl-bench-") as folder:
        yield Path(folder)


def _main() -> None:
    module, _, name = sys.argv[1].partition(":")
    work = getattr(importlib.import_module(module), name)
    options = json.loads(sys.argv[2])
    clock = Clock()
    took = work(**options)
    # a function that prepares something first tells itself what counts
    print(*(took if isinstance(took, tuple) else clock.read()), own_peak())


if __name__ == "__main__":
    _main()
