"""The report made of a text file, settled again as a workbook of its own."""

from __future__ import annotations

import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from prefxl.games import read
from prefxl.workbook.annotate import annotate
from prefxl.workbook.new import write_report
from prefxl.workbook.package import inspect
from tests.clients.office import LibreOffice
from tests.clients.validator import sdk_findings
from tests.workbook.reading import members, open_book
from tests.workbook.seasons import season
from tests.workbook.test_users_edits import edited

WHEN = datetime(2026, 2, 1, 12, 30)
CSV = Path("templates/season.csv")


def report(folder: Path, **options: Any) -> Path:
    return write_report(read(CSV).settle("leningrad", **options), folder / "season.xlsx", when=WHEN)


def again(path: Path, folder: str, **options: Any) -> Path:
    """Settle a workbook again under the same name, which is printed on the sheet of rules."""
    target = path.parent / folder / path.name
    target.parent.mkdir()
    done = annotate(read(path).settle("leningrad", **options), path, target, when=WHEN)
    assert done.lost == ()
    assert done.report.not_placed == []
    return target


def games(path: Path) -> list[list[Any]]:
    return [[cell.value for cell in row] for row in open_book(path)["Игры"].iter_rows()]


def notes(path: Path) -> dict[str, str]:
    return {
        cell.coordinate: cell.comment.text
        for row in open_book(path)["Игры"].iter_rows()
        for cell in row
        if cell.comment
    }


def test_results_of_the_report_are_replaced_where_they_stand_and_nothing_is_doubled(tmp_path):
    first = report(tmp_path)
    second = again(first, "2")
    assert games(second) == games(first)
    assert notes(second) == notes(first)
    assert open_book(second).sheetnames == open_book(first).sheetnames
    assert open_book(second)["Игры"].tables["PrefxlGames"].ref == open_book(first)["Игры"].tables["PrefxlGames"].ref


def test_ten_runs_on_a_report_are_one(tmp_path):
    once = path = again(report(tmp_path), "1")
    for run in range(2, 11):
        path = again(path, str(run))
    with zipfile.ZipFile(once) as one, zipfile.ZipFile(path) as other:
        assert one.namelist() == other.namelist()
        assert [name for name in one.namelist() if one.read(name) != other.read(name)] == []


@pytest.mark.parametrize(("before", "after"), [(None, "0.5"), ("0.5", None)])
def test_money_comes_into_the_table_of_games_and_goes_with_the_stake(tmp_path, before, after):
    path = again(report(tmp_path, stake=before), "2", stake=after)
    table = open_book(path)["Игры"].tables["PrefxlGames"]
    heading = [cell.value for cell in open_book(path)["Игры"][1]]
    assert heading == table.column_names
    assert ("Деньги 1" in heading) == (after is not None)
    assert len(heading) == len(set(heading))
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    assert games(path) == games(report(fresh, stake=after))


def test_a_changed_whist_changes_the_result_beside_it(tmp_path):
    path = report(tmp_path)
    with edited(path) as book:
        sheet = book["Игры"]
        column = next(cell.column for cell in sheet[1] if cell.value == "Висты 1-2")
        sheet.cell(2, column, sheet.cell(2, column).value + 40)
    changed = games(again(path, "2"))
    at = changed[0].index("Итог 1")
    assert changed[1][at] - games(path)[1][at] == 40
    assert [row[at] for row in changed[2:]] == pytest.approx([row[at] for row in games(path)[2:]])


def test_what_the_user_typed_on_the_reports_sheets_is_there_after_the_next_run(tmp_path):
    path = report(tmp_path)
    with edited(path) as book:
        book["Правила"]["D3"], book["Платежи"]["E7"], book["Игры"]["AZ3"] = "моя мысль", "✓", "рядом"
    book = open_book(again(path, "2"))
    assert (book["Правила"]["D3"].value, book["Платежи"]["E7"].value) == ("моя мысль", "✓")
    assert book["Игры"]["AZ3"].value == "рядом"


def test_the_marker_of_a_report_is_hidden_and_tells_games_from_results(tmp_path):
    path = report(tmp_path)
    workbook = members(path, r"xl/workbook\.xml")["xl/workbook.xml"]
    assert workbook.count("_prefxl.") == workbook.count('hidden="1"')
    found = inspect(path)
    assert [sheet.name for sheet in found.sheets] == ["Игры"]
    assert [str(area) for area in found.sheets[0].ours] == ["AC1:AG31"]
    assert not found.sheets[0].foreign
    assert all(not sheet.typed for sheet in found.our_sheets)


def test_sheets_and_columns_too_large_to_be_remembered_cell_by_cell_are_ours_all_the_same(tmp_path):
    path = write_report(season(4500, own=False).settle("leningrad"), tmp_path / "season.xlsx", when=WHEN)
    found = inspect(path)
    assert not found.sheets[0].foreign
    assert len(found.sheets[0].ours[0].columns) == 5
    assert all(not sheet.typed for sheet in found.our_sheets)


@pytest.mark.clients
def test_a_report_settled_again_is_sound_and_reads_the_same_in_libreoffice(tmp_path):
    first = report(tmp_path)
    second = again(again(first, "2", stake="0.5"), "3")
    assert sdk_findings(second) <= sdk_findings(first)
    names = [f"AC{row}" for row in range(2, 32)]
    with LibreOffice(tmp_path / "profile") as office:
        assert office.read(office.open(second), "Игры", names) == office.read(office.open(first), "Игры", names)
