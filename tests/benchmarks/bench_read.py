"""Reading against the bare readers underneath."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow.csv
import xlsxwriter
from python_calamine import CalamineWorkbook

import prefxl.sheets
from tests.benchmarks.harness import Row, interleaved, scratch

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


def benches(small: bool) -> list[Row]:
    """Read a text file and a workbook, ours and the bare reader underneath in turn."""
    games, rows, rounds = (20_000, 5_000, 1) if small else (1_000_000, 200_000, 3)
    with scratch() as folder:
        book, text = folder / "season.xlsx", folder / "season.csv"
        make_text(text, games)
        make_workbook(book, rows)
        ours, bare, ours_book, bare_book = interleaved(
            lambda: prefxl.sheets.read(text),
            lambda: pyarrow.csv.read_csv(text),
            lambda: prefxl.sheets.read(book),
            lambda: CalamineWorkbook.from_path(str(book)).get_sheet_by_index(0).to_python(),
            rounds=rounds,
        )
    return [
        Row(f"{games:,} games of CSV read and checked", ours, bare, "bare pyarrow", 1.6),
        Row(f"{rows:,} rows of .xlsx read and checked", ours_book, bare_book, "bare python-calamine", 1.5),
    ]
