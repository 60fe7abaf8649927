"""Where results go on a sheet with something far from the table."""

from __future__ import annotations

import re
import zipfile
from datetime import datetime

import openpyxl
import pytest
from openpyxl.worksheet.dimensions import ColumnDimension

from prefxl.games import read
from prefxl.workbook.annotate import annotate
from prefxl.workbook.package import strip
from tests.workbook.test_annotate import GAMES, scores

WHEN = datetime(2026, 2, 1, 12, 30)


def club_with(folder, far):
    """Return a sheet of games with a remark in a cell far from them."""
    path = folder / "club.xlsx"
    scores(path, GAMES)
    book = openpyxl.load_workbook(path)
    book.active[far] = "заметка"
    book.save(path)
    return path


@pytest.mark.parametrize("far", ["XFD1", "XFA3"])
def test_a_lone_cell_at_the_right_end_of_the_sheet_does_not_keep_results_from_the_table(tmp_path, far):
    path, out = club_with(tmp_path, far), tmp_path / "out.xlsx"
    done = annotate(read(path).settle("leningrad"), path, out, lang="ru", when=WHEN)
    assert done.report.cells > 0
    sheet = openpyxl.load_workbook(out).worksheets[0]
    assert [sheet.cell(1, column).value for column in range(17, 21)] == [
        "Итог Аня",
        "Итог Боря",
        "Итог Вера",
        "Проверка",
    ]
    assert sheet[far].value == "заметка"
    # the second run finds them again
    annotate(read(out).settle("leningrad"), out, lang="ru", when=WHEN, in_place=True)
    again = openpyxl.load_workbook(out).worksheets[0]
    assert [sheet.cell(2, column).value for column in range(15, 25)] == [
        again.cell(2, column).value for column in range(15, 25)
    ]
    assert again[far].value == "заметка"


@pytest.mark.parametrize("far", ["XFD1048576", "B1048576", "IV65536", "KO20001"])
def test_a_lone_cell_far_below_does_not_keep_a_workbook_from_its_results(tmp_path, far):
    path, out = club_with(tmp_path, far), tmp_path / "out.xlsx"
    games = read(path)
    assert [(one.reason, one.cell, one.found) for one in games.findings if one.cell == far] == [("far-cells", far, far)]
    annotate(games.settle("leningrad"), path, out, lang="ru", when=WHEN)
    cell = openpyxl.load_workbook(out).worksheets[0][far]
    assert cell.value == "заметка"
    assert "далеко от всего остального" in cell.comment.text
    drawing = zipfile.ZipFile(out).read("xl/drawings/vmlDrawing1.vml").decode()
    for anchor in re.findall(r"<x:Anchor>([^<]*)<", drawing):
        left, _, top, _, right, _, bottom, _ = map(int, anchor.split(","))
        assert left < right < 16_384
        assert top < bottom < 1_048_576
    annotate(read(out).settle("leningrad"), out, lang="ru", when=WHEN, in_place=True)
    once = out.read_bytes()
    annotate(read(out).settle("leningrad"), out, lang="ru", when=WHEN, in_place=True)
    assert out.read_bytes() == once


def test_live_results_are_written_beside_a_lone_cell_far_away(tmp_path):
    path, out = club_with(tmp_path, "XFD1048576"), tmp_path / "out.xlsx"
    done = annotate(read(path).settle("leningrad"), path, out, lang="ru", when=WHEN, live=True)
    assert done.plan.formulas > 0


def dressed(folder, change):
    """Return a sheet of games that ``change`` is done to."""
    path = folder / "club.xlsx"
    scores(path, GAMES)
    book = openpyxl.load_workbook(path)
    change(book.active)
    book.save(path)
    return path


def hide_the_rest(sheet):
    """Hide all columns right of the games up to the end of the sheet, as Excel writes it."""
    sheet.column_dimensions["Q"] = ColumnDimension(sheet, "Q", min=17, max=16384, hidden=True)


def hidden(path):
    """Return the letters of the hidden columns among those of ours."""
    dimensions = openpyxl.load_workbook(path).worksheets[0].column_dimensions
    spans = [(one.min, one.max) for one in dimensions.values() if one.hidden]
    return [letter for number, letter in enumerate("QRST", 17) if any(first <= number <= last for first, last in spans)]


def settle_again(path, out):
    annotate(read(path).settle("leningrad"), path, out, lang="ru", when=WHEN)
    return out


def test_results_are_shown_where_all_columns_beside_the_games_are_hidden(tmp_path):
    path = dressed(tmp_path, hide_the_rest)
    out = settle_again(path, tmp_path / "out.xlsx")
    assert hidden(out) == []
    assert hidden(settle_again(out, tmp_path / "again.xlsx")) == []
    strip(out, tmp_path / "bare.xlsx")
    assert hidden(tmp_path / "bare.xlsx") == list("QRST")


def test_a_column_of_ours_that_the_user_hides_stays_hidden(tmp_path):
    path = dressed(tmp_path, hide_the_rest)
    out = settle_again(path, tmp_path / "out.xlsx")
    book = openpyxl.load_workbook(out)
    book.worksheets[0].column_dimensions["T"].hidden = True
    book.save(out)
    again = settle_again(out, tmp_path / "again.xlsx")
    assert hidden(again) == ["T"]
    assert hidden(settle_again(again, tmp_path / "once more.xlsx")) == ["T"]


def test_a_title_across_our_columns_does_not_keep_them_narrow(tmp_path):
    def merge(sheet):
        sheet.insert_rows(1, 2)
        sheet["A1"] = "Клуб"
        sheet.merge_cells("A1:AD1")

    plain = settle_again(dressed(tmp_path, lambda sheet: sheet.insert_rows(1, 2)), tmp_path / "plain.xlsx")
    titled = settle_again(dressed(tmp_path, merge), tmp_path / "titled.xlsx")
    widths = [
        [openpyxl.load_workbook(out).worksheets[0].column_dimensions[letter].width for letter in "QRST"]
        for out in (plain, titled)
    ]
    assert widths[0] == widths[1]
