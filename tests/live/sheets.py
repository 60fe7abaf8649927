"""Workbooks of many small sheets, with the plain formulas beside them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import xlsxwriter
from xlsxwriter.utility import xl_rowcol_to_cell

from prefxl.live.formulas import check_formula, result_formulas
from prefxl.rules.conventions import find_convention
from tests.live.cases import Case

SHEET = "Игры"


def refs_of(row: int, players: int) -> tuple[list[str], list[str], list[list[str]]]:
    """Return the cells of a game that lies in one row: pulyas, goras, whists row by row."""
    cell = [xl_rowcol_to_cell(row, column) for column in range(2 * players + players * players)]
    whists = [cell[(2 + seat) * players : (3 + seat) * players] for seat in range(players)]
    return cell[:players], cell[players : 2 * players], whists


def formulas_of(case: Case, row: int) -> list[str]:
    """Return the plain formulas of the results of ``case`` in ``row``."""
    convention = find_convention(case.convention).altered(target=case.target)
    return result_formulas(convention, case.rounding, *refs_of(row, case.players))


def write_games(path: Path, cases: Sequence[Case]) -> list[tuple[list[str], str]]:
    """Write a game a row with its formulas; return the cells of the results and of the check."""
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet(SHEET)
    answers = []
    for row, case in enumerate(cases):
        inputs = [*case.pulya, *case.gora, *(number for line in case.whists for number in line)]
        for column, number in enumerate(inputs):
            # zeros are left blank, as people leave them
            if number:
                sheet.write_number(row, column, float(number))
        results = [xl_rowcol_to_cell(row, 40 + seat) for seat in range(case.players)]
        for cell, formula in zip(results, formulas_of(case, row), strict=True):
            sheet.write_formula(cell, formula, None, -12345)
        check = xl_rowcol_to_cell(row, 46)
        sheet.write_formula(check, check_formula(results), None, -12345)
        answers.append((results, check))
    book.close()
    return answers
