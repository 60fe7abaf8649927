"""The live function: how long Excel waits for it, what a call costs, a season settled in LibreOffice."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import xlsxwriter

from prefxl.live.libreoffice import build_oxt
from prefxl.live.udf import PULYA
from tests.benchmarks.harness import Clock, Row, compiled, interleaved, processes, scratch
from tests.clients.excel_com import ask, in_range
from tests.clients.office import LibreOffice, uno_python
from tests.live.cases import random_cases

COLUMN = [[10.0], [8.0], [6.0], [4.0]]
GORA = [[2.0], [3.0], [7.0], [0.0]]
WHISTS = [[None, 10.0, 20.0, 3.0], [5.0, None, 0.0, 4.0], [0.0, 30.0, None, 2.0], [1.0, 2.0, 3.0, None]]
NUMBERS = [float(number) for number in range(24)]


def benches(small: bool) -> list[Row]:
    """Return the rows of this benchmark."""
    rows = [loading(3 if small else 9), *calls(1_000 if small else 10_000), com_calls(200 if small else 2_000)]
    if shutil.which("soffice") and uno_python():
        rows.append(season(100 if small else 1_000))
    return rows


def loading(rounds: int) -> Row:
    """The module that Excel waits for, against Python with xlwings alone."""
    name = "tests.benchmarks.bench_live"
    ours, bare = processes((f"{name}:load_ours", {}), (f"{name}:load_bare", {}), rounds=rounds)
    return Row("import prefxl.live.udf", ours.wall, bare.wall, "import xlwings", 2.0, ours.peak, bare.peak)


def load_ours() -> tuple[float, float]:
    """Time a fresh Python that loads the live functions."""
    return _fresh("import prefxl.live.udf")


def load_bare() -> tuple[float, float]:
    """Time a fresh Python that loads xlwings."""
    return _fresh("import xlwings")


def _fresh(code: str) -> tuple[float, float]:
    clock = Clock()
    subprocess.run([sys.executable, "-c", code], env=compiled(), check=True)
    return clock.read()


def calls(times: int) -> list[Row]:
    """One call against adding as many numbers, and many calls against few."""

    def settle(count: int) -> None:
        for _ in range(count):
            PULYA(COLUMN, GORA, WHISTS)

    def add() -> None:
        for _ in range(times):
            total = 0.0
            for number in NUMBERS:
                total += number

    many, added, few = interleaved(lambda: settle(times), add, lambda: settle(times // 10), rounds=5)
    return [
        Row("one =PULYA() call, four players", many / times, added / times, "adding 24 numbers in Python", 100.0),
        Row(f"{times:,} calls", many, few * 10, "ten times as many as a tenth", 1.25),
    ]


def com_calls(times: int) -> Row:
    """A call through xlwings' COM code and converters, against the function alone."""
    arguments = [in_range([[*row] for row in rows]) for rows in (COLUMN, GORA, WHISTS)]
    took = ask({"do": "time", "calls": [["PULYA", arguments]], "times": times})
    (alone,) = interleaved(lambda: [PULYA(COLUMN, GORA, WHISTS) for _ in range(times)])
    note = f"{times / took:,.0f} calls a second"
    return Row("one call through xlwings' COM code", took / times, alone / times, "the function alone", note=note)


def season(games: int) -> Row:
    """A season settled by the add-in in a real LibreOffice: the time must grow with the games and no faster."""
    with scratch() as folder:
        with LibreOffice(folder / "profile") as first:
            first.ask("install", str(build_oxt(folder / "prefxl.oxt")))
        with LibreOffice(folder / "profile") as office:
            # the first book pays for the start of the office's Python
            taken = []
            for count in (games // 10, games, games // 2):
                book = office.open(write_season(folder / f"{count}.xlsx", count))
                taken.append(min(office.ask("timed", book) for _ in range(3)))
                office.ask("close", book)
    note = f"{games / taken[1]:,.0f} games a second"
    return Row(f"{games:,} games spilled in LibreOffice", taken[1], 2 * taken[2], "twice half as many", 1.25, note=note)


def write_season(path: Path, games: int) -> Path:
    """Write a game each six rows with its result by ``=PULYA()``."""
    cases = [case for case in random_cases(seed=1, count=40) if case.players == 4]
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet("S")
    for number in range(games):
        case, top = random.Random(number).choice(cases), 6 * number
        for seat in range(4):
            sheet.write_row(top + seat, 0, [case.pulya[seat], case.gora[seat], *case.whists[seat]])
        place = f"A{top + 1}:A{top + 4},B{top + 1}:B{top + 4},C{top + 1}:F{top + 4}"
        sheet.write_array_formula(top, 7, top + 3, 7, f"=PULYA({place})")
    book.close()
    return path
