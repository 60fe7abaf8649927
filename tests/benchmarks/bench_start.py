"""Starting: the command line against bare Python and the libraries it cannot do without."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence

from tests.benchmarks.data import write_csv
from tests.benchmarks.harness import ROOT, Row, compiled, interleaved, scratch


def benches(small: bool) -> list[Row]:
    """Return the rows of this benchmark."""
    with scratch() as folder:
        write_csv(folder / "ten.csv", 10)
        commands = (
            ("-m", "prefxl", "--version"),
            ("-c", "import click"),
            ("-m", "prefxl", "settle", str(folder / "ten.csv"), "-o", str(folder / "o.csv"), "--overwrite", "-q"),
            ("-m", "prefxl", "settle", str(folder / "ten.csv"), "-o", str(folder / "o.xlsx"), "--overwrite", "-q"),
            ("-c", "import pandas, pyarrow"),
        )
        runs = [_run(arguments) for arguments in commands]
        version, click, text, workbook, pandas = interleaved(*runs, rounds=2 if small else 7)
    return [
        Row("prefxl --version", version, click, "bare Python importing click"),
        Row("prefxl settle of ten games, CSV to CSV", text, pandas, "bare Python importing pandas"),
        Row("prefxl settle of ten games, CSV to workbook", workbook, pandas, "bare Python importing pandas"),
    ]


def _run(arguments: Sequence[str]) -> Callable[[], object]:
    """Return what runs Python, its modules compiled beforehand as an installed package has them."""
    command = [sys.executable, *arguments]
    return lambda: subprocess.run(command, cwd=ROOT, env=compiled(), capture_output=True, check=False)
