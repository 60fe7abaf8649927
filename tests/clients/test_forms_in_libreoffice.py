"""The live forms in a real LibreOffice: recalculated, typed into, printed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from prefxl.live.form_shape import FIRST, GORA, WHISTS, Shape
from prefxl.live.plan import cell
from tests.clients.office import LibreOffice, to_pdf
from tests.live.cases import shared_cases
from tests.live.forms import (
    LANGS,
    check_cell,
    every_rule,
    form_cases,
    formula_entries,
    inputs_of,
    result_cells,
    sheet_of,
    status_cell,
    warning_cell,
)
from tests.live.sheets import SHEET, refs_of, write_games

pytestmark = pytest.mark.clients
TEMPLATES = Path(__file__).parents[2] / "templates"


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    with LibreOffice(tmp_path_factory.mktemp("office")) as running:
        yield running


@pytest.fixture(scope="module")
def books(office):
    return {players: office.open(TEMPLATES / f"pulka-{players}.xlsx") for players in (3, 4)}


def fill(office, book, sheet, case):
    office.write(book, sheet, inputs_of(case))


def test_recalculated_blank_forms_say_what_their_files_say(office, tmp_path):
    for players in (3, 4):
        copy = shutil.copy(TEMPLATES / f"pulka-{players}.xlsx", tmp_path)
        book = office.open(copy)
        for lang in LANGS:
            entries = formula_entries(players, lang)
            values = office.read(book, sheet_of(lang), [cell(entry.row, entry.column) for entry in entries])
            assert [value or "" for value in values] == [entry.shown or "" for entry in entries]
        office.ask("close", book)


def test_typed_in_sheets_settle_at_once(office, books):
    cases = [*form_cases(shared_cases()), *list(every_rule(seed=21))[::3]]
    for number, case in enumerate(cases):
        book, sheet = books[case.players], sheet_of(LANGS[number % 2])
        fill(office, book, sheet, case)
        *results, check = office.read(book, sheet, [*result_cells(case.players), check_cell(case.players)])
        assert results == pytest.approx(case.floats, abs=1e-9), case
        assert check == pytest.approx(-float(case.settled().residual), abs=1e-6)


def test_one_typed_whist_changes_two_results(office, books):
    case, book, sheet = next(form_cases(shared_cases())), books[4], sheet_of("ru")
    fill(office, book, sheet, case)
    before = office.read(book, sheet, result_cells(4))
    office.write(book, sheet, {cell(FIRST, WHISTS + 1): case.whists[0][1] + 7})
    after = office.read(book, sheet, result_cells(4))
    assert [new - old for old, new in zip(before, after, strict=True)] == [7, -7, 0, 0]


def test_wrong_input_is_told(office, books):
    case, book, sheet = next(form_cases(shared_cases())), books[4], sheet_of("ru")
    fill(office, book, sheet, case)
    office.write(book, sheet, {cell(FIRST, GORA): "много"})
    warning, check = office.read(book, sheet, [warning_cell(4), check_cell(4)])
    assert "слово вместо числа" in warning
    assert isinstance(check, str)
    fill(office, book, sheet, case)
    office.write(book, sheet, {cell(FIRST, Shape(4).convention): "покер"})
    assert office.read(book, sheet, [status_cell(4)])[0].startswith("Такой конвенции")


def test_each_form_prints_on_one_page(office, books, tmp_path):
    if shutil.which("pdfinfo") is None:
        pytest.skip("pdfinfo (poppler-utils) is not installed")
    for players, book in books.items():
        pdf = to_pdf(office, book, tmp_path / f"{players}.pdf")
        told = subprocess.run(["pdfinfo", str(pdf)], capture_output=True, text=True, check=True).stdout
        # a form a language, and the rules
        assert "Pages:           3" in told
        assert "(A4)" in told


def test_plain_formulas_beside_the_games_settle_too(office, tmp_path):
    cases = [case for case in shared_cases() if case.in_formulas]
    answers = write_games(tmp_path / "games.xlsx", cases)
    book = office.open(tmp_path / "games.xlsx")
    for case, (cells, _) in zip(cases, answers, strict=True):
        assert office.read(book, SHEET, cells) == case.floats
    first = refs_of(0, cases[0].players)[2][0][1]
    office.write(book, SHEET, {first: 1002})
    assert office.read(book, SHEET, answers[0][0])[0] == case_with_more(cases[0])


def case_with_more(case):
    return case.floats[0] + 1002 - case.whists[0][1]
