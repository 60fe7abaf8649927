"""Reading against the bare readers underneath: ratios of CPU seconds, to be run by hand.

python tests/benchmarks/bench_read.py [rows of the workbook] [games of the text file]
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow.csv
import xlsxwriter
from python_calamine import CalamineWorkbook

import prefxl.sheets

NAMES = ["Аня", "Боря", "Вера", "Гена", "Дима", "Женя", "Зина", "Илья", "Коля", "Лёша"]
SEATS = range(1, 5)
PAIRS = [(i, j) for i in SEATS for j in SEATS if i != j]
HEADING = [
    "Игра",
    "Дата",
    *(f"Игрок {i}" for i in SEATS),
    *(f"Пуля {i}" for i in SEATS),
    *(f"Гора {i}" for i in SEATS),
    *(f"Висты {i}-{j}" for i, j in PAIRS),
]


def row(number: int, chance: random.Random) -> list[object]:
    """Return one game of four."""
    players = chance.sample(NAMES, 4)
    date = f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}"
    return [number, date, *players, *(chance.randrange(60) for _ in range(8)), *(chance.randrange(200) for _ in PAIRS)]


def make_workbook(path: Path, rows: int) -> None:
    """Write a workbook of ``rows`` games."""
    chance = random.Random(1)
    with xlsxwriter.Workbook(path, {"constant_memory": False, "in_memory": False}) as book:
        sheet = book.add_worksheet("Игры")
        sheet.write_row(0, 0, HEADING)
        for number in range(1, rows + 1):
            sheet.write_row(number, 0, row(number, chance))


def make_text(path: Path, games: int) -> None:
    """Write a text file of ``games`` games."""
    chance = random.Random(2)
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(HEADING) + "\n")
        some = [",".join(str(cell) for cell in row(0, chance)[1:]) for _ in range(5000)]
        for number in range(1, games + 1):
            file.write(f"{number},{some[number % 5000]}\n")


def measured(work: Callable[[], object]) -> tuple[float, float]:
    """Return CPU and wall seconds of the best of three."""
    times = []
    for _ in range(3):
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        times.append((time.process_time() - cpu, time.perf_counter() - wall))
    return min(times)


def compare(title: str, ours: Callable[[], object], bare: Callable[[], object], limit: float) -> None:
    """Print one line: both times, their ratio, the limit."""
    base, mine = measured(bare), measured(ours)
    print(
        f"{title}: bare {base[0]:.2f} s CPU {base[1]:.2f} s wall, prefxl {mine[0]:.2f} s CPU {mine[1]:.2f} s wall, "
        f"ratio {mine[0] / base[0]:.2f} CPU {mine[1] / base[1]:.2f} wall (at most {limit})"
    )


def main(rows: int, games: int) -> None:
    """Make the files, read them both ways and print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        book, text = Path(folder) / "season.xlsx", Path(folder) / "season.csv"
        if games:
            make_text(text, games)
            compare("csv", lambda: prefxl.sheets.read(text), lambda: pyarrow.csv.read_csv(text), 1.6)
        if rows:
            make_workbook(book, rows)
            bare = lambda: CalamineWorkbook.from_path(str(book)).get_sheet_by_index(0).to_python()  # noqa: E731
            compare("xlsx", lambda: prefxl.sheets.read(book), bare, 1.5)
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB")


if __name__ == "__main__":
    sizes = [int(text) for text in sys.argv[1:]]
    main(*(sizes or [200_000, 1_000_000]))
