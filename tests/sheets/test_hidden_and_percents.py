"""Hidden columns are told, and cells shown in per cent are no scores, in every format of workbook."""

from pathlib import Path

import pytest

import prefxl.sheets as sheets
from prefxl.sheets.percents import is_percent, marks_in
from tests.sheets.samples import FIRST, LONG, WIDE, changed, csv_bytes, noted, scores, told, xlsx_bytes
from tests.sheets.xlsb import Percent, xlsb_bytes

FILES = Path(__file__).parent / "files"


def formatted(*cells, code="0%"):
    def change(book):
        for cell in cells:
            book.active[cell].number_format = code

    return change


def without_column(book, *letters):
    for letter in letters:
        book.active.column_dimensions[letter].hidden = True


@pytest.mark.parametrize("suffix", ["xlsx", "ods", "xls"])
def test_workbooks_of_every_format_tell_the_same(suffix):
    """January: E2 is shown as 50%, H3 as 5000 из%, D is hidden, and so is K, which is empty."""
    games = sheets.read(FILES / f"percents.{suffix}")
    assert list(games.game) == [2, 3]
    assert [(one.reason, one.sheet, one.cell, one.found) for one in games.findings] == [
        ("not-a-number", "Январь", "E2", "50%"),
        ("not-a-number", "Январь", "H3", "5000%"),
        ("hidden", "Январь", "D1", "Пуля"),
    ]


def test_a_binary_workbook_tells_the_same():
    rows = [[float(cell) if isinstance(cell, int) else cell for cell in row] for row in LONG]
    data = xlsb_bytes(changed(rows, {(5, 5): Percent(0.5), (6, 4): Percent(12)}), hidden=(3, 3))
    games = sheets.read(data)
    assert scores(games) == [FIRST]
    assert [(one.reason, one.cell, one.found) for one in games.findings] == [
        ("not-a-number", "D6", "1200%"),
        ("not-a-number", "E5", "50%"),
        ("hidden", "D1", "Пуля"),
    ]


@pytest.mark.parametrize("code", ["0%", "0.00%", "# ##0.0 %", "[Red]0%;-0%"])
def test_whole_and_half_numbers_shown_in_per_cent_are_told(code):
    data = xlsx_bytes({"а": changed(WIDE, {(2, 7): 1, (3, 10): 0.5})}, formatted("G2", "J3", code=code))
    games = sheets.read(data)
    assert told(games) == [("not-a-number", "G2"), ("not-a-number", "J3"), ("none-good", "")]
    assert [one.found for one in games.findings[:2]] == ["100%", "50%"]


def test_per_cent_in_a_text_file_is_told():
    assert told(sheets.read(csv_bytes(changed(LONG, {(3, 5): "5%"})))) == [("not-a-number", "E3")]


def test_cells_of_other_formats_and_own_columns_in_per_cent_are_left_alone():
    rows = [[*LONG[0], "Доля"], *([*row, 0.25] for row in LONG[1:])]
    change = formatted(*(f"J{row}" for row in range(2, 9)))
    games = sheets.read(xlsx_bytes({"а": rows}, change))
    assert (told(games), games.own["Доля"].tolist()) == ([], [0.25] * 7)
    assert told(sheets.read(xlsx_bytes({"а": LONG}, formatted("D2", code='0" %"')))) == []


def test_an_empty_cell_and_a_nought_in_per_cent_are_nought():
    data = xlsx_bytes({"а": changed(LONG, {(2, 5): 0, (3, 5): None})}, formatted("E2", "E3"))
    assert told(sheets.read(data)) == []


@pytest.mark.parametrize(("code", "yes"), [("0%", True), ("0\\%", False), ('"%"0', False), ("General", False)])
def test_a_format_shows_per_cent_by_a_bare_sign(code, yes):
    assert is_percent(code) is yes


def test_broken_styles_show_nothing():
    assert marks_in(b"<styleSheet>%<broken") == ()


def test_hidden_columns_of_scores_are_told_once():
    games = sheets.read(xlsx_bytes({"а": LONG}, lambda book: without_column(book, "D", "E", "G")))
    assert (noted(games), games.findings[0].found) == ([("hidden", "D1")], "Пуля, Гора, Висты на 2")


def test_hidden_columns_of_ones_own_and_beside_the_table_are_no_news():
    rows = [[*LONG[0], "Комментарий"], *([*row, "да"] for row in LONG[1:])]
    assert noted(sheets.read(xlsx_bytes({"а": rows}, lambda book: without_column(book, "J", "M")))) == []
