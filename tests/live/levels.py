"""Every way a game can be settled, asked the same: cases in, the results of each out.

A level answers ``None`` for a case it cannot say, such as a corrected player where a
formula has no place for one.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import xlsxwriter
from xlsxwriter.utility import xl_range, xl_rowcol_to_cell

from prefxl.live import udf
from prefxl.live.lambdas import LAMBDA_CONVENTIONS, lambda_names
from prefxl.live.libreoffice import build_oxt
from prefxl.live.vba import put_project
from tests.clients.engines import open_in
from tests.clients.excel_com import ask, call_all, case_arguments, column_of
from tests.clients.office import LibreOffice
from tests.live.cases import Case
from tests.live.forms import inputs_of, result_cells, sheet_of
from tests.live.sheets import SHEET, write_games

TEMPLATES = Path(__file__).parents[2] / "templates"
Results = list[list[float] | None]
PLAYERS = ("Аня", "Борис", "Вера", "Гена", "Дима")
MOST = len(PLAYERS)


def by_python(cases: Sequence[Case], folder: Path) -> Results:
    return [case.settled().result for case in cases]


def by_udf(cases: Sequence[Case], folder: Path) -> Results:
    """The functions themselves, called as Python."""
    answers = []
    for case in cases:
        seat = None if case.corrected is None else float(case.corrected)
        rules = (case.convention, case.rounding, case.target, seat)
        answers.append(column_of(udf.PULYA([[n] for n in case.pulya], [[n] for n in case.gora], case.whists, *rules)))
    return answers


def by_csv(cases: Sequence[Case], folder: Path) -> Results:
    """One wide CSV of all games, each with its own rules."""
    import prefxl

    seats = range(1, MOST + 1)
    heads = ["game", *(f"{key}_{seat}" for key in ("player", "pulya", "gora") for seat in seats)]
    heads += [f"whists_{i}_{j}" for i in seats for j in seats if i != j]
    heads += ["convention", "rounding", "target", "corrected"]
    with (folder / "games.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, heads)
        writer.writeheader()
        for number, case in enumerate(cases):
            writer.writerow({"game": f"game {number}", **_wide(case)})
    steps = prefxl.read(folder / "games.csv").settle().steps
    games = {name: frame.sort_values("seat")["result"].tolist() for name, frame in steps.groupby("game")}
    return [games.get(f"game {number}", []) for number in range(len(cases))]


def _wide(case: Case) -> dict[str, Any]:
    row: dict[str, Any] = {"convention": case.convention, "rounding": case.rounding}
    row |= {"target": case.target, "corrected": case.corrected}
    for i in range(case.players):
        row |= {f"player_{i + 1}": PLAYERS[i], f"pulya_{i + 1}": case.pulya[i], f"gora_{i + 1}": case.gora[i]}
        row |= {f"whists_{i + 1}_{j + 1}": case.whists[i][j] for j in range(case.players) if i != j}
    return row


def by_com(cases: Sequence[Case], folder: Path) -> Results:
    """xlwings' real COM code."""
    return [column_of(answer) for answer in call_all([("PULYA", case_arguments(case)) for case in cases])]


def by_vba(cases: Sequence[Case], folder: Path) -> Results:
    """Our VBA wrapper, interpreted, on top of it."""
    from prefxl.live.udf_workbook import our_modules

    path, book = folder / "calls.xlsm", xlsxwriter.Workbook(folder / "calls.xlsm")
    sheet, expressions = book.add_worksheet("S"), []
    for number, case in enumerate(cases):
        ranges = ",".join(f'Range("{name}")' for name in _write_block(sheet, 6 * number, case))
        rules = f'"{case.convention}","{case.rounding}",{case.target or ""},{case.corrected or ""}'.rstrip(",")
        expressions.append(f"PULYA({ranges},{rules})")
    book.close()
    put_project(path, our_modules())
    answers = ask({"book": str(path), "expressions": expressions}, "tests.clients.vba_driver")
    return [column_of(answer) for answer in answers]


def _write_block(sheet: Any, top: int, case: Case) -> list[str]:
    """Write a sheet with its zeros blank; return the three ranges."""
    last = top + case.players - 1
    for seat in range(case.players):
        numbers = (case.pulya[seat], case.gora[seat], *case.whists[seat])
        for column, number in enumerate(numbers):
            if number:
                sheet.write_number(top + seat, column, float(number))
    return [xl_range(top, 0, last, 0), xl_range(top, 1, last, 1), xl_range(top, 2, last, 1 + case.players)]


def _by_lambda(engine: str, cases: Sequence[Case], folder: Path) -> Results:
    book = xlsxwriter.Workbook(folder / "lambda.xlsx")
    for name, text in lambda_names().items():
        book.define_name(name, f"={text}")
    sheet, cells = book.add_worksheet("S"), []
    for number, case in enumerate(cases):
        if not case.in_formulas or case.convention not in LAMBDA_CONVENTIONS or case.target is not None:
            cells.append(None)
            continue
        top, name = 6 * number, f"PULYA_{case.convention}_{case.rounding}".upper()
        formula = f"={name}({','.join(_write_block(sheet, top, case))})"
        sheet.write_dynamic_array_formula(top, 10, top + case.players - 1, 10, formula, None, -12345)
        cells.append([xl_rowcol_to_cell(top + seat, 10) for seat in range(case.players)])
    book.close()
    opened = open_in(engine, folder / "lambda.xlsx")
    return [None if names is None else [opened.value("S", name) for name in names] for names in cells]


def _by_formulas(engine: str, cases: Sequence[Case], folder: Path) -> Results:
    said = [case for case in cases if case.in_formulas]
    answers = write_games(folder / "formulas.xlsx", said)
    opened = open_in(engine, folder / "formulas.xlsx")
    found = iter([[opened.value(SHEET, cell) for cell in cells] for cells, _ in answers])
    return [next(found) if case.in_formulas else None for case in cases]


def _by_forms(engine: str, cases: Sequence[Case], folder: Path) -> Results:
    books = {players: open_in(engine, TEMPLATES / f"pulka-{players}.xlsx") for players in (3, 4)}
    answers: Results = []
    for case in cases:
        if not case.in_formulas or case.players not in books:
            answers.append(None)
            continue
        book, sheet = books[case.players], sheet_of("ru")
        for name, value in inputs_of(case).items():
            book.type_in(sheet, name, value)
        book.recalculate()
        answers.append([book.value(sheet, name) for name in result_cells(case.players)])
    return answers


def by_libreoffice_addin(cases: Sequence[Case], folder: Path) -> Results:
    """The add-in in a real LibreOffice."""
    with LibreOffice(folder / "profile") as first:
        first.ask("install", str(build_oxt(folder / "prefxl.oxt")))
    book = xlsxwriter.Workbook(folder / "calls.xlsx")
    sheet = book.add_worksheet("S")
    for number, case in enumerate(cases):
        top = 6 * number
        rules = f'"{case.convention}","{case.rounding}",{case.target or ""},{case.corrected or ""}'
        formula = f"=PULYA({','.join(_write_block(sheet, top, case))},{rules})"
        sheet.write_array_formula(top, 10, top + case.players - 1, 10, formula, None, -12345)
    book.close()
    with LibreOffice(folder / "profile") as office:
        opened = office.open(folder / "calls.xlsx")
        return [
            office.read(opened, "S", [xl_rowcol_to_cell(6 * number + seat, 10) for seat in range(case.players)])
            for number, case in enumerate(cases)
        ]


def by_libreoffice_formulas(cases: Sequence[Case], folder: Path) -> Results:
    """Plain formulas in a real LibreOffice."""
    said = [case for case in cases if case.in_formulas]
    answers = write_games(folder / "formulas.xlsx", said)
    with LibreOffice(folder / "profile") as office:
        opened = office.open(folder / "formulas.xlsx")
        found = iter([office.read(opened, SHEET, cells) for cells, _ in answers])
        return [next(found) if case.in_formulas else None for case in cases]


#: The levels, and whether one drives a real program.
LEVELS = {
    "python": (by_python, False),
    "udf": (by_udf, False),
    "csv": (by_csv, False),
    "excel-com": (by_com, False),
    "excel-vba": (by_vba, True),
    "lambda-ironcalc": (lambda cases, folder: _by_lambda("ironcalc", cases, folder), False),
    "lambda-formulon": (lambda cases, folder: _by_lambda("formulon", cases, folder), True),
    "formulas-ironcalc": (lambda cases, folder: _by_formulas("ironcalc", cases, folder), False),
    "formulas-formulon": (lambda cases, folder: _by_formulas("formulon", cases, folder), True),
    "forms-ironcalc": (lambda cases, folder: _by_forms("ironcalc", cases, folder), False),
    "forms-formulon": (lambda cases, folder: _by_forms("formulon", cases, folder), True),
    "libreoffice-addin": (by_libreoffice_addin, True),
    "libreoffice-formulas": (by_libreoffice_formulas, True),
}
