"""Annotating a workbook in place of loading and saving it: CPU and memory against openpyxl doing nothing but that."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.harness import Row, processes, scratch

COLUMNS = 20
PLAYERS = tuple(f"Игрок № {number}" for number in range(40))


def benches(small: bool) -> list[Row]:
    """Return the rows of this benchmark."""
    sizes = (2_000, 20_000) if small else (2_000, 200_000)
    found = [row for rows in sizes for row in annotating(rows, rounds=1 if rows > 20_000 else 3)]
    games = 500 if small else 2_000
    found += [settling(make_games, 4 * games, f"{games:,} games in {4 * games:,} rows", 1.0)]
    found += [settling(make_wide_games, games, f"{games:,} games in as many rows", 1.0)]
    large = sizes[1]
    found += [settling(make_games, large, f"{large:,} rows x {COLUMNS}", 0.2, rounds=1)]
    return [*found, settling(make_wide_games, large, f"{large:,} games in as many rows", 0.2, rounds=1)]


def annotating(rows: int, rounds: int) -> list[Row]:
    """Three result columns a row, 100 tints, 100 notes and a report sheet; the second run replaces the first."""
    with scratch() as folder:
        make_sheet(folder / "club.xlsx", rows)
        make_donor(folder / "report.xlsx")
        name = "tests.benchmarks.bench_annotate"
        club, one, two = (str(folder / f"club{part}.xlsx") for part in ("", "-1", "-2"))
        first, again, bare, looked = processes(
            (f"{name}:ours", {"source": club, "target": one, "rows": rows}),
            (f"{name}:ours", {"source": one, "target": two, "rows": rows}),
            (f"{name}:bare", {"source": club, "target": str(folder / "bare.xlsx")}),
            (f"{name}:look", {"source": club}),
            rounds=rounds,
        )
        assert (folder / "club-1.xlsx").read_bytes() == (folder / "club-2.xlsx").read_bytes()
    size, against = f"{rows:,} rows x {COLUMNS}, CPU: ", "openpyxl load and save"
    limit = 0.2 if rows > 2_000 else 1.0
    memory = _memory(first.peak, bare.peak)
    return [
        Row(size + "annotated", first.cpu, bare.cpu, against, limit, first.peak, bare.peak, memory),
        Row(size + "annotated again", again.cpu, bare.cpu, against, None, again.peak, bare.peak),
        Row(size + "looked through only", looked.cpu, bare.cpu, against, None, looked.peak, bare.peak),
    ]  # fmt: skip


def settling(make: Callable[[Path, int], None], rows: int, size: str, limit: float, rounds: int = 3) -> Row:
    """The whole command: reading, settling, results beside the games with their notes, and every report sheet."""
    with scratch() as folder:
        make(folder / "club.xlsx", rows)
        name = "tests.benchmarks.bench_annotate"
        whole, bare = processes(
            (f"{name}:settle", {"source": str(folder / "club.xlsx"), "target": str(folder / "settled.xlsx")}),
            (f"{name}:bare", {"source": str(folder / "club.xlsx"), "target": str(folder / "bare.xlsx")}),
            rounds=rounds,
        )
    memory, against = _memory(whole.peak, bare.peak), "openpyxl load and save"
    name = f"{size}, CPU: prefxl settle, end to end"
    return Row(name, whole.cpu, bare.cpu, against, limit, whole.peak, bare.peak, memory)


def settle(source: str, target: str) -> None:
    """Settle as the command does."""
    from prefxl.games import read
    from prefxl.workbook.annotate import annotate

    annotate(read(source).settle("leningrad", stake="0.5"), source, target, overwrite=True)


def make_games(path: Path, rows: int) -> None:
    """Write a sheet of games of four in the long layout."""
    import xlsxwriter

    chance = random.Random(20)
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Партии")
        whists = [f"Висты на {seat}" for seat in range(1, 5)]
        own = [f"Заметка {number}" for number in range(COLUMNS - 9)]
        sheet.write_row(0, 0, ["Игра", "Дата", "Игрок", "Пуля", "Гора", *whists, *own])
        for row in range(1, rows + 1):
            game, seat = divmod(row - 1, 4)
            if not seat:
                names = chance.sample(PLAYERS, 4)
            wrote = [None if other == seat else chance.randrange(0, 300, 2) for other in range(4)]
            sheet.write_row(
                row, 0, [game + 1, 45_000 + game % 300, names[seat], 20, chance.randrange(0, 60, 2), *wrote]
            )
            sheet.write_row(row, 9, [chance.randrange(300) for _ in own])


def make_wide_games(path: Path, games: int) -> None:
    """Write a sheet of games of four in the wide layout."""
    from tests.benchmarks.bench_read import make_workbook

    make_workbook(path, games)


def ours(source: str, target: str, rows: int) -> None:
    """Annotate."""
    from prefxl.workbook.package import CellChange, Mark, SheetChange, StyleRole, annotate

    money = StyleRole(number_format="0.00")
    after = COLUMNS + 2
    cells = [
        CellChange(row, column, f"Итог {column}" if row == 1 else row * column / 4, style=None if row == 1 else money)
        for row in range(1, rows + 1)
        for column in range(after, after + 3)
    ]
    marks = [Mark(row, 3, "FFC7CE", f"Строка {row}: проверьте") for row in range(2, rows, rows // 100)]
    change = SheetChange("Партии", cells, marks, {after: 12.0})
    annotate(Path(source), Path(target), [change], donor=Path(source).with_name("report.xlsx"), overwrite=True)


def look(source: str) -> None:
    """Look through."""
    from prefxl.workbook.package import inspect

    inspect(Path(source))


def bare(source: str, target: str) -> None:
    """Load and save with openpyxl."""
    import openpyxl

    openpyxl.load_workbook(source).save(target)


def make_sheet(path: Path, rows: int) -> None:
    """Write a sheet of games in the wide layout."""
    import xlsxwriter

    chance = random.Random(20)
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Партии")
        sheet.write_row(0, 0, ["Игра", "Дата", *(f"Столбец {number}" for number in range(COLUMNS - 2))])
        for row in range(1, rows):
            texts = [chance.choice(PLAYERS) for _ in range(4)]
            sheet.write_row(row, 0, [row, 45_000 + row % 300, *texts])
            sheet.write_row(row, 6, [chance.randrange(300) for _ in range(COLUMNS - 6)])


def make_donor(path: Path) -> None:
    """Write a report sheet with a chart."""
    import xlsxwriter

    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Таблица")
        for row, player in enumerate(PLAYERS):
            sheet.write_row(row, 0, [player, row * 3])
        chart = book.add_chart({"type": "column"})
        chart.add_series({"values": ["Таблица", 0, 1, len(PLAYERS) - 1, 1]})
        sheet.insert_chart("D2", chart)


def _memory(peak: float, bare_peak: float) -> str:
    return f"memory {peak / bare_peak:.2g} x"


def main() -> None:
    """Run by hand: ``python -m tests.benchmarks.bench_annotate``."""
    import sys

    from tests.benchmarks.harness import machine, table

    print(machine())
    small = "--small" in sys.argv
    for line in table(benches(small), judged=not small):
        print(line)


if __name__ == "__main__":
    main()
