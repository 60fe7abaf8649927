"""How the user has dressed our results, and that they still wear it after the next run."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side

from prefxl.games import read
from prefxl.workbook.annotate import annotate
from tests.workbook.reading import open_book
from tests.workbook.test_annotate import GAMES, scores
from tests.workbook.test_users_edits import WHEN, edited, run, settled_copy

YELLOW = PatternFill("solid", fgColor="FFFF00")


@pytest.fixture
def path(tmp_path):
    scores(tmp_path / "club.xlsx", GAMES)
    return settled_copy(tmp_path / "club.xlsx")


def looks(path):
    """Everything that is seen of the cells of ours, by cell."""
    return {
        cell.coordinate: (cell.fill.fgColor.rgb, cell.font.b, cell.font.name, cell.font.color and cell.font.color.rgb,
                          cell.border.left.style, cell.alignment.horizontal, cell.number_format, cell.protection.locked)
        for row in open_book(path)["Партии"].iter_rows(min_col=17, max_col=23)
        for cell in row
    }  # fmt: skip


CHANGED = {
    "Q1": ("fill", YELLOW),
    "Q3": ("font", Font("Georgia", 14, color="FF0000")),
    "R2": ("border", Border(left=Side("double"))),
    "R1": ("alignment", Alignment("left", wrap_text=True)),
    "T2": ("number_format", "0.0000"),
    "V3": ("protection", Protection(locked=False)),
    "W2": ("fill", YELLOW),
}


def test_what_the_user_changed_of_a_results_look_stays(path):
    with edited(path) as book:
        for cell, (name, value) in CHANGED.items():
            setattr(book["Партии"][cell], name, value)
    before = looks(path)
    run(path)
    assert looks(path) == before
    again = path.read_bytes()
    run(path)
    assert path.read_bytes() == again


def test_a_winners_bold_type_goes_with_the_win_and_the_users_colour_stays(path):
    before = {cell.coordinate: cell for cell in open_book(path)["Партии"]["Q2:S2"][0]}
    best = next(name for name, cell in before.items() if cell.font.b)
    with edited(path) as book:
        sheet = book["Партии"]
        sheet[best].fill = YELLOW
        # the winner's gora
        sheet.cell(2, 8 + list(before).index(best)).value = 900
    run(path)
    after = open_book(path)["Партии"][best]
    assert (after.fill.fgColor.rgb, after.font.b) == ("00FFFF00", False)


def test_a_column_of_results_that_moves_takes_its_looks_along(path):
    with edited(path) as book:
        book["Партии"]["T2"].fill = YELLOW
    season = read(path).settle("leningrad")
    # without money the check moves to the left, and the column of money is gone
    annotate(season, path, lang="ru", when=WHEN, in_place=True)
    assert all(look[0] != "00FFFF00" for look in looks(path).values())
    run(path)
    with edited(path) as book:
        book["Партии"]["W3"].fill = YELLOW
    annotate(read(path).settle("leningrad"), path, lang="ru", when=WHEN, in_place=True)
    assert [cell for cell, look in looks(path).items() if look[0] == "00FFFF00"] == ["T3"]


@pytest.mark.parametrize("cells", [["Q1"], ["Q1", "R1", "W1"], ["Q2", "T2", "W2"]])
def test_cells_whose_formats_were_cleared_stay_so_from_the_next_run_on(path, cells):
    with edited(path) as book:
        for cell in cells:
            book["Партии"][cell].style = "Normal"
    run(path)
    again = path.read_bytes()
    run(path)
    assert path.read_bytes() == again


def test_a_look_like_ours_is_ours(path):
    """Who formats a result as another one is has changed nothing that stays."""
    before = looks(path)
    with edited(path) as book:
        sheet = book["Партии"]
        sheet["Q2"]._style, sheet["R2"]._style = sheet["R2"]._style, sheet["Q2"]._style
    run(path)
    assert looks(path) == before


@pytest.mark.clients
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_what_libreoffice_writes_in_its_own_way_is_not_taken_for_the_users(path, tmp_path):
    profile, folder = (tmp_path / "profile").as_uri(), tmp_path / "saved"
    command = ["soffice", f"-env:UserInstallation={profile}", "--headless", "--convert-to"]
    command += ["xlsx:Calc MS Excel 2007 XML", "--outdir", str(folder), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=180)
    saved = folder / path.name
    with edited(saved) as book:
        book["Партии"]["T3"].fill = YELLOW
    run(saved, currency="₽")
    money = [cell for row in open_book(saved)["Партии"]["T2:V4"] for cell in row if cell.value is not None]
    assert all("₽" in cell.number_format for cell in money)
    assert [cell.coordinate for cell in money if cell.fill.fgColor.rgb == "00FFFF00"] == ["T3"]
