"""A table sorted after it was settled: its results stand beside it and do not follow, and the check cells say so."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl.worksheet.table import Table

from prefxl.games import read
from prefxl.workbook.annotate import annotate, describe
from tests.clients.office import LibreOffice
from tests.workbook.reading import open_book, rows
from tests.workbook.test_annotate import GAMES, scores
from tests.workbook.test_users_edits import edited, run

WORD = "пересчитать"
LONG = [
    ["Игра", "Игрок", "Пуля", "Гора", "Висты на 1", "Висты на 2", "Висты на 3"],
    ["И1", 'Аня "А"', 20, 10, None, 50, 20],
    ["И1", "Боря", 22, 0, 10, None, 40],
    ["И1", "Вера", 18, 5, 30, 60, None],
    ["И2", 'Аня "А"', 20, 1, None, 5, 7],
    ["И2", "Боря", 20, 2, 8, None, 0],
    ["И2", "Вера", 20, 3.5, 0, 13, None],
]


def table(path: Path, ref: str) -> None:
    with edited(path) as book:
        book["Партии"].add_table(Table(displayName="Пули", ref=ref))


def filtered(path: Path, ref: str) -> None:
    with edited(path) as book:
        book["Партии"].auto_filter.ref = ref


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "club.xlsx"
    scores(path, GAMES)
    return path


@pytest.fixture
def long(tmp_path):
    path = tmp_path / "long.xlsx"
    scores(path, GAMES)
    with edited(path) as book:
        sheet = book["Партии"]
        sheet.delete_rows(1, 10)
        for line in LONG:
            sheet.append(line)
    return path


def settled_copy(path: Path, **options: Any) -> Path:
    return run(path, path.with_name("done.xlsx"), **options).path


def check_column(path: Path) -> str:
    return next(cell.column_letter for cell in open_book(path)["Партии"][1] if cell.value == "Проверка")


def exchange(path: Path, last: str, one: int, other: int) -> None:
    """Exchange two rows up to a column, as sorting the table does."""
    with edited(path) as book:
        sheet = book["Партии"]
        for left, right in zip(sheet[f"A{one}:{last}{one}"][0], sheet[f"A{other}:{last}{other}"][0], strict=True):
            left.value, right.value = right.value, left.value


def shown(path: Path, folder: Path, rows_: range) -> list[Any]:
    """Return what the check cells show in LibreOffice, which calculates what it opens."""
    letter = check_column(path)
    with LibreOffice(folder / "profile") as office:
        return office.read(office.open(path), "Партии", [f"{letter}{row}" for row in rows_])


@pytest.mark.clients
@pytest.mark.parametrize("drawn", [table, filtered])
def test_check_cells_beside_a_table_that_was_sorted_say_so(source, tmp_path, drawn: Callable[[Path, str], None]):
    drawn(source, "A1:P4")
    path = settled_copy(source)
    assert shown(path, tmp_path, range(2, 5)) == [0, 0, 0]
    exchange(path, "P", 2, 4)
    assert shown(path, tmp_path, range(2, 5)) == [WORD, 0, WORD]
    run(path)
    assert shown(path, tmp_path, range(2, 5)) == [0, 0, 0]


@pytest.mark.clients
def test_a_whist_changed_beside_settled_numbers_is_seen_too(source, tmp_path):
    table(source, "A1:P4")
    path = settled_copy(source)
    with edited(path) as book:
        book["Партии"]["K3"] = book["Партии"]["K3"].value + 1
    assert shown(path, tmp_path, range(2, 5)) == [0, WORD, 0]


@pytest.mark.clients
def test_text_and_a_residual_do_not_confuse_the_check_cells(source, tmp_path):
    with edited(source) as book:
        book["Партии"]["H2"], book["Партии"]["K3"] = "½", "7"
    table(source, "A1:P4")
    season = read(source).settle("leningrad", rounding="truncate")
    path = annotate(season, source, lang="ru").path
    sums = [cached_number(path, row) for row in (2, 3, 4)]
    assert any(sums)
    assert shown(path, tmp_path, range(2, 5)) == pytest.approx(sums)


def cached_number(path: Path, row: int) -> float:
    import openpyxl

    return openpyxl.load_workbook(path, data_only=True)["Партии"][f"{check_column(path)}{row}"].value


@pytest.mark.clients
@pytest.mark.parametrize("live", [False, True])
def test_rows_of_a_long_table_that_left_their_game_are_seen(long, tmp_path, live):
    table(long, "A1:G7")
    path = settled_copy(long, live=live)
    assert shown(path, tmp_path, range(4, 8, 3)) == [0, 0]
    exchange(path, "G", 3, 6)
    assert shown(path, tmp_path, range(4, 8, 3)) == [WORD, WORD]


@pytest.mark.clients
def test_formulas_follow_a_wide_table_that_is_sorted(source, tmp_path):
    table(source, "A1:P4")
    path = settled_copy(source, live=True)
    exchange(path, "P", 2, 4)
    with LibreOffice(tmp_path / "profile") as office:
        assert office.read(office.open(path), "Партии", ["Q2", "W2"]) == [-205, 0]


def test_beside_a_plain_range_the_check_is_a_number(source):
    assert open_book(settled_copy(source))["Партии"]["W2"].value == 0


def test_results_within_the_table_move_with_its_rows_and_need_no_watch(source):
    path = settled_copy(source)
    table(path, "A1:W4")
    run(path)
    assert open_book(path)["Партии"]["W2"].value == 0


def test_the_heading_the_sheet_of_rules_and_the_dry_run_tell_of_it(source):
    table(source, "A1:P4")
    said = describe(read(source).settle("leningrad"), source, lang="ru")
    assert f"«{WORD}»" in said
    path = settled_copy(source)
    assert WORD in open_book(path)["Партии"]["W1"].comment.text
    assert any(WORD in str(row[1]) for row in rows(path, "Правила"))


def test_a_check_formula_is_ours_in_the_next_run_and_ten_runs_are_one(source, tmp_path):
    table(source, "A1:P4")
    path = run(source, tmp_path / "1.xlsx").path
    shutil.copy(path, tmp_path / "once.xlsx")
    for _ in range(3):
        done = run(path)
        assert done.lost == ()
    with zipfile.ZipFile(path) as one, zipfile.ZipFile(tmp_path / "once.xlsx") as other:
        differing = [name for name in one.namelist() if one.read(name) != other.read(name)]
    # the sheet of rules names the file, whose name has changed
    assert len(differing) <= 2


@pytest.mark.clients
def test_all_games_of_a_long_season_are_watched(tmp_path):
    path = tmp_path / "club.xlsx"
    scores(path, GAMES * 700)
    table(path, "A1:P2101")
    season = read(path).settle("leningrad")
    done = annotate(season, path, lang="ru")
    sheet = open_book(done.path)["Партии"]
    assert all(str(sheet[f"T{row}"].value).startswith("=IF(AND(") for row in (2, 2001, 2101))
