"""A filled-in live form is what ``prefxl settle`` reads: the same game, the same rules, the same results."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

import prefxl
from prefxl.live.form_shape import CAPTION, FIRST, PLAYER
from prefxl.live.plan import cell
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
    steps = prefxl.read(path).settle().steps
    steps = steps[steps["game"] == "Дача 1"]
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
