"""Where results go on a sheet with something far from the table."""

from __future__ import annotations

import re
import zipfile
from datetime import datetime

import openpyxl
import pytest

from prefxl.games import read
from prefxl.workbook.annotate import annotate
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
