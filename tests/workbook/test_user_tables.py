"""Excel tables and filters that stand beside our results, or that the user has drawn around them."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from openpyxl.worksheet.table import Table

from tests.clients.validator import sdk_findings
from tests.workbook.reading import members, open_book
from tests.workbook.test_annotate import GAMES, scores
from tests.workbook.test_users_edits import LAST, RESULT, edited, headings, notes, run, settled_copy

# the sheet's results: three players, results in Q to S, money in T to V, the check in W
WHOLE = f"A1:{LAST}4"


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "club.xlsx"
    scores(path, GAMES)
    return path


def make_table(path: Path, ref: str = WHOLE, name: str = "Пули") -> None:
    with edited(path) as book:
        book["Партии"].add_table(Table(displayName=name, ref=ref))


def table_part(path: Path, name: str = "Пули") -> str:
    return next(text for text in members(path, r"xl/tables/").values() if f'displayName="{name}"' in text)


def table_of(path: Path, name: str = "Пули") -> tuple[str, list[str]]:
    """Return a table's range and the names of its columns."""
    text = table_part(path, name)
    return re.search(r'<table [^>]*\bref="([^"]+)"', text)[1], re.findall(r'<tableColumn [^>]*name="([^"]+)"', text)


def assert_sound(path: Path, name: str = "Пули") -> None:
    """Excel repairs a table whose heading cells and column names differ."""
    ref, names = table_of(path, name)
    sheet = open_book(path)["Партии"]
    assert [cell.value for cell in sheet[ref][0]] == names
    assert len({text.casefold() for text in names}) == len(names)
    assert re.search(r'<tableColumns count="(\d+)"', table_part(path, name))[1] == str(len(names))


def results(path: Path) -> list[list[Any]]:
    return [[cell.value for cell in row] for row in open_book(path)["Партии"][f"{RESULT}1:{LAST}4"]]


def test_results_inside_a_table_the_user_has_made_of_them_are_replaced_where_they_are(source):
    path = settled_copy(source)
    before, texts = results(path), headings(path)
    make_table(path)
    part = table_part(path)
    for _ in range(2):
        done = run(path)
        assert (results(path), headings(path)) == (before, texts)
        assert table_part(path) == part
        assert done.lost == ()
        assert done.report.not_placed == []
    assert_sound(path)


def test_a_filter_over_our_columns_too_leaves_them_where_they_are(source):
    path = settled_copy(source)
    before = results(path)
    with edited(path) as book:
        book["Партии"].auto_filter.ref = WHOLE
    run(path)
    assert results(path) == before
    assert open_book(path)["Партии"].max_column == 23


def test_a_table_around_our_columns_loses_those_that_are_no_more(source):
    path = settled_copy(source)
    make_table(path)
    run(path, stake=None)
    assert headings(path)[16:] == ["Итог Аня", "Итог Боря", "Итог Вера", "Проверка"]
    assert table_of(path)[0] == "A1:T4"
    assert_sound(path)
    assert 'autoFilter ref="A1:T4"' in table_part(path)


def test_a_table_around_our_columns_grows_with_them(source):
    path = run(source, source.with_name("done.xlsx"), stake=None).path
    make_table(path, "A1:T4")
    run(path)
    names = ("Аня", "Боря", "Вера")
    assert headings(path)[16:] == [*(f"{kind} {name}" for kind in ("Итог", "Деньги") for name in names), "Проверка"]
    assert table_of(path)[0] == WHOLE
    assert_sound(path)


def test_columns_of_the_users_behind_ours_in_a_table_keep_their_places(source):
    path = settled_copy(source)
    with edited(path) as book:
        book["Партии"]["X1"], book["Партии"]["X3"] = "Моё", "своё"
    make_table(path, "A1:X4")
    run(path, stake=None)
    sheet = open_book(path)["Партии"]
    assert (sheet["X1"].value, sheet["X3"].value) == ("Моё", "своё")
    assert table_of(path)[0] == "A1:X4"
    assert_sound(path)


def test_a_game_added_below_a_table_around_our_columns_gets_its_results(source):
    path = settled_copy(source)
    make_table(path)
    with edited(path) as book:
        sheet = book["Партии"]
        for column in range(1, 17):
            sheet.cell(5, column, sheet.cell(4, column).value)
        sheet["A5"] = 4
        sheet.tables["Пули"].ref = sheet.tables["Пули"].autoFilter.ref = f"A1:{LAST}5"
    done = run(path)
    sheet = open_book(path)["Партии"]
    assert [sheet[f"{RESULT}{row}"].value for row in (4, 5)] == [-205, -205]
    assert done.report.not_placed == []
    assert_sound(path)
    assert len(notes(path)) == 12


@pytest.mark.clients
def test_microsofts_validator_finds_nothing_in_a_table_that_lost_or_won_columns(source):
    path = settled_copy(source)
    make_table(path)
    before = sdk_findings(path)
    for stake in (None, "2"):
        run(path, stake=stake)
        assert sdk_findings(path) <= before


def test_other_parts_are_untouched_when_a_table_follows(source):
    path = settled_copy(source)
    make_table(path)
    with zipfile.ZipFile(path) as package:
        theme = package.read("xl/theme/theme1.xml")
    run(path, stake=None)
    with zipfile.ZipFile(path) as package:
        assert package.read("xl/theme/theme1.xml") == theme
