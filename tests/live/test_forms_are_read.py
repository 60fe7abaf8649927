"""A filled-in live form is what ``prefxl settle`` reads: the same game, the same rules, the same results."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

import prefxl
from prefxl.live.form_shape import CAPTION, FIRST, PLAYER, Shape
from prefxl.live.form_words import WORDS
from prefxl.live.plan import cell
from prefxl.sheets.blocks import SHEETS_BESIDE, STEPS
from tests.clients.office import LibreOffice
from tests.live.cases import shared_cases
from tests.live.forms import LANGS, form_cases, inputs_of, sheet_of

TEMPLATES = Path(__file__).parents[2] / "templates"
NAMES = ("Аня", "Борис", "Вера", "Гена")
CASES = list(form_cases(shared_cases()))


def typed(case):
    names = {cell(FIRST + seat, PLAYER): name for seat, name in enumerate(NAMES[: case.players])}
    return {**inputs_of(case), **names, cell(CAPTION, PLAYER): "Дача 1"}


def assert_read(path, case):
    games = prefxl.read(path)
    assert list(games.game) == ["Дача 1"]
    # nothing is said but that the game's own cells were left blank
    assert {finding.reason for finding in games.findings} <= {"empty-as-zero", "no-numbers"}
    steps = games.settle().steps
    assert set(steps["convention"]) == {case.convention}
    assert set(steps["rounding"]) == {case.rounding}
    assert list(steps["player"]) == list(NAMES[: case.players])
    assert list(steps["result"]) == pytest.approx(case.floats)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_form_filled_in_by_a_program_is_read(tmp_path, case, lang):
    book = openpyxl.load_workbook(TEMPLATES / f"pulka-{case.players}.xlsx")
    for name, value in typed(case).items():
        book[sheet_of(lang)][name] = value
    book.save(tmp_path / "form.xlsx")
    assert_read(tmp_path / "form.xlsx", case)


def test_the_reader_knows_a_form_by_its_own_words():
    assert WORDS["steps"] == STEPS
    first = [sheet["A1"].value for name in ("pulka-3", "lambda", "season") for sheet in book_of(name)]
    assert set(SHEETS_BESIDE) <= set(first)


def book_of(name):
    return openpyxl.load_workbook(TEMPLATES / f"{name}.xlsx")


@pytest.mark.parametrize("name", ["pulka-3", "pulka-4"])
def test_an_empty_form_says_only_that_nothing_was_played(name):
    games = prefxl.read(TEMPLATES / f"{name}.xlsx")
    assert [finding.reason for finding in games.findings] == ["no-games"]


def test_numbers_without_names_are_told_and_nothing_else_of_the_form(tmp_path):
    book = openpyxl.load_workbook(TEMPLATES / "pulka-3.xlsx")
    for name, value in inputs_of(next(case for case in CASES if case.players == 3)).items():
        book["Пулька"][name] = value
    book.save(tmp_path / "form.xlsx")
    reasons = {finding.reason for finding in prefxl.read(tmp_path / "form.xlsx").findings}
    assert reasons - {"no-games", "none-good"} == {"no-player"}


def test_forms_of_both_languages_filled_in_are_two_games(tmp_path):
    case = CASES[0]
    book = openpyxl.load_workbook(TEMPLATES / f"pulka-{case.players}.xlsx")
    for lang, caption in zip(LANGS, ("Дача 1", "Дача 2"), strict=True):
        for name, value in (typed(case) | {cell(CAPTION, PLAYER): caption}).items():
            book[sheet_of(lang)][name] = value
    book.save(tmp_path / "form.xlsx")
    assert list(prefxl.read(tmp_path / "form.xlsx").game) == ["Дача 1", "Дача 2"]


def test_a_form_whose_table_has_seats_to_spare_is_the_game_of_those_who_played(tmp_path):
    case = next(case for case in CASES if case.players == 3)
    book = openpyxl.load_workbook(TEMPLATES / "pulka-4.xlsx")
    shape = Shape(3)
    for name, value in typed(case).items():
        if name not in {cell(FIRST, column) for column in (shape.convention, shape.convention + 1, shape.last)}:
            book["Пулька"][name] = value
    book.save(tmp_path / "form.xlsx")
    games = prefxl.read(tmp_path / "form.xlsx")
    assert list(games.names(0)) == list(NAMES[:3])
    assert {finding.reason for finding in games.findings} <= {"empty-as-zero", "no-numbers"}


def test_the_book_of_the_lambda_is_its_one_game_without_a_complaint():
    games = prefxl.read(TEMPLATES / "lambda.xlsx")
    assert (len(games), {finding.severity.value for finding in games.findings}) == (1, {"note"})


@pytest.mark.clients
def test_a_form_filled_in_and_saved_in_libreoffice_is_read(tmp_path):
    with LibreOffice(tmp_path / "profile") as office:
        for number, case in enumerate(CASES[::3]):
            book = office.open(TEMPLATES / f"pulka-{case.players}.xlsx")
            office.write(book, sheet_of(LANGS[number % 2]), typed(case))
            office.ask("save", book, str(tmp_path / f"{number}.xlsx"), "Calc MS Excel 2007 XML")
            office.ask("close", book)
    for number, case in enumerate(CASES[::3]):
        assert_read(tmp_path / f"{number}.xlsx", case)
