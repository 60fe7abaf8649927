"""Every format gives the same games, and the same findings on the same cells."""

import datetime as dt
import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

import prefxl.sheets as sheets
from prefxl.errors import FileError, FileRefusedError, OptionError
from tests.sheets.samples import FIRST, LONG, LONG_HEAD, changed, csv_bytes, noted, scores, told, xlsx_bytes
from tests.sheets.xlsb import xlsb_bytes

FILES = Path(__file__).parent / "files"


@pytest.mark.parametrize("suffix", ["xls", "ods", "xlsx"])
def test_a_workbook_of_every_format_tells_the_same(suffix):
    """January: E2 is #DIV/0!, G6 is TRUE, row 3 is hidden; February is hidden and sound."""
    games = sheets.read(FILES / f"club.{suffix}")
    assert scores(games) == [(3, *FIRST[1:])]
    assert list(games.date) == [dt.date(2026, 2, 1)]
    assert [(one.reason, one.sheet, one.cell) for one in games.findings] == [
        ("error-value", "Январь", "E2"),
        ("boolean", "Январь", "G6"),
        ("hidden", "Январь", "A3"),
        ("hidden", "Февраль", ""),
    ]


def test_a_binary_workbook_with_an_error_cell():
    rows = changed(
        [[float(cell) if isinstance(cell, int) else cell for cell in row] for row in LONG], {(6, 5): b"\x07"}
    )
    games = sheets.read(xlsb_bytes(rows))
    assert scores(games) == [FIRST]
    assert [(one.reason, one.cell, one.found) for one in games.findings] == [("error-value", "E6", "#DIV/0!")]


def test_parquet_in_the_long_layout():
    frame = pd.DataFrame(LONG[1:], columns=LONG[0])
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    games = sheets.read(buffer.getvalue())
    assert scores(games)[0] == FIRST
    assert games.cell(0, "pulya", 0)[2] == "D2"


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(csv_bytes(LONG, "\t"))))
    games = sheets.read("-")
    assert (scores(games)[0], games.tables[0].file) == (FIRST, "stdin")


def test_an_open_file():
    assert scores(sheets.read(io.BytesIO(csv_bytes(LONG))))[0] == FIRST


def test_a_cyrillic_path(tmp_path):
    path = tmp_path / "Мои игры — зима.csv"
    path.write_bytes(csv_bytes(LONG, encoding="cp1251"))
    games = sheets.read(path)
    assert (scores(games)[0], games.findings[0].file) == (FIRST, "Мои игры — зима.csv")


def test_several_files_are_one_season(tmp_path):
    one, other = tmp_path / "a.csv", tmp_path / "b.xlsx"
    one.write_bytes(csv_bytes(LONG))
    other.write_bytes(xlsx_bytes({"а": [LONG_HEAD, *([row[0] + 2, *row[1:]] for row in LONG[1:])]}))
    games = sheets.read([one, other])
    assert list(games.game) == [1, 2, 3, 4]
    assert games.cell(2, "game") == ("b.xlsx", "а", "A2")


def test_the_same_game_in_two_files_is_found(tmp_path):
    one, other = tmp_path / "a.csv", tmp_path / "b.csv"
    one.write_bytes(csv_bytes(LONG))
    other.write_bytes(csv_bytes(LONG[:4]))
    findings = sheets.read([one, other]).findings
    assert [(one.reason, one.file, one.cell) for one in findings] == [("game-twice", "b.csv", "A2")]
    assert findings[0].details["first"] == "a.csv!A2"


def test_one_id_on_two_days_is_two_games(tmp_path):
    games = sheets.read(
        xlsx_bytes({"Январь": LONG[:4], "Февраль": changed(LONG[:4], {(r, 2): "01.02.2026" for r in (2, 3, 4)})})
    )
    assert (len(games), told(games)) == (2, [])


def test_a_formula_without_a_value_is_found():
    games = sheets.read(xlsx_bytes({"а": changed(LONG, {(3, 4): "=D2+2"})}))
    assert told(games) == [("no-cached-value", "D3")]


def test_a_formula_is_shown_as_it_was_typed():
    games = sheets.read(xlsx_bytes({"а": changed(LONG, {(3, 4): '=IF(D2>1,"а"&"б",D2)'})}))
    assert next(one.found for one in games.findings if one.cell == "D3") == '=IF(D2>1,"а"&"б",D2)'


def test_a_formula_outside_the_table_does_not_matter():
    games = sheets.read(xlsx_bytes({"а": [*LONG, [None, None, "Итого", "=SUM(D2:D8)"]]}))
    assert (told(games), noted(games)) == ([], [("totals-row", "C9")])


def test_numbers_stored_as_text_are_numbers():
    text = {(row, column): str(LONG[row - 1][column - 1]) for row in (2, 3, 4) for column in (4, 5)}
    assert scores(sheets.read(xlsx_bytes({"а": changed(LONG, text)})))[0] == FIRST


def test_a_score_that_became_a_date_is_found():
    games = sheets.read(xlsx_bytes({"а": changed(LONG, {(3, 5): dt.datetime(2026, 4, 3)})}))
    assert [(one.cell, one.found) for one in games.findings if one.reason == "date-in-score"] == [("E3", "2026-04-03")]


def test_days_counted_from_1904():
    from openpyxl.utils.datetime import CALENDAR_MAC_1904

    def change(book):
        book.epoch = CALENDAR_MAC_1904

    rows = changed(LONG[:4], {(row, 2): 44561 for row in (2, 3, 4)})
    assert list(sheets.read(xlsx_bytes({"а": rows}, change)).date) == [dt.date(2026, 1, 1)]


def test_sheets_of_ours_are_not_read():
    from openpyxl.workbook.defined_name import DefinedName

    def change(book):
        book.defined_names["_prefxl.sheet.1"] = DefinedName("_prefxl.sheet.1", attr_text="'Мой''лист'!$A$1")
        book.defined_names["_prefxl.cells.1"] = DefinedName("_prefxl.cells.1", attr_text="'а'!$J$1:$J$8")

    rows = [[*LONG[0], "Итог"], *([*row, 5] for row in LONG[1:])]
    games = sheets.read(xlsx_bytes({"а": rows, "Мой'лист": LONG}, change))
    assert (len(games), list(games.own.columns)) == (2, [])


def test_a_report_sheet_without_marks_is_known_by_its_name_and_words():
    games = sheets.read(xlsx_bytes({"а": LONG, "Расчёт": [["Рассчитано программой prefxl"], *LONG]}))
    assert len(games) == 2
    assert len(sheets.read(xlsx_bytes({"Таблица": LONG}))) == 2


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.xlsx", csv_bytes(LONG), "called .xlsx, but is plain text"),
        ("a.csv", xlsx_bytes({"а": LONG}), "called .csv, but is an Excel workbook"),
        ("a.xlsx", (FILES / "club.xls").read_bytes(), r"called .xlsx, but is an old Excel workbook"),
        ("a.xlsx", (FILES / "club.ods").read_bytes(), "called .xlsx, but is an OpenDocument workbook"),
        ("a.xls", b"<html><body><table><tr><td>1</td></tr></table></body></html>", "is a web page or XML"),
        ("a.xls", b'\xef\xbb\xbf<?xml version="1.0"?><Workbook/>', "is a web page or XML"),
        ("a.csv", b"%PDF-1.7 ...", "is no score sheet"),
        ("~$a.xlsx", b"\x05user", "lock file"),
    ],
    # bytes of a workbook made just now would be other ones in each process
    ids=["text", "xlsx as text", "xls", "ods", "html", "xml", "pdf", "lock file"],
)
def test_a_file_that_is_not_what_it_is_called_is_refused(tmp_path, name, data, words):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(FileError, match=words) as caught:
        sheets.read(path)
    assert caught.value.say("ru") != str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(FileError, match=r"there is no file none\.csv"):
        sheets.read(tmp_path / "none.csv")
    with pytest.raises(FileError, match="is a folder"):
        sheets.read(tmp_path)


def test_options_that_mean_nothing_are_refused():
    data = xlsx_bytes({"а": LONG})
    with pytest.raises(OptionError, match="has no sheet 'б'"):
        sheets.read(data, sheet="б")
    with pytest.raises(OptionError, match="the layout is one of"):
        sheets.read(data, layout="tall")
    with pytest.raises(OptionError, match="is no column of a score sheet"):
        sheets.read(data, mapping={"Очки": "points of view"})
    with pytest.raises(OptionError, match="starts from a positive number"):
        sheets.read(data, start_from=0)


def test_strict_refuses_on_any_warning():
    with pytest.raises(FileRefusedError, match=r"C3: Аня plays twice in one game"):
        sheets.read(csv_bytes([*LONG[:1], [1, "", "Аня", 1, 1, "", 5], [1, "", "Аня", 1, 1, 5]]), strict=True)


def test_strict_reads_what_is_only_noted():
    assert len(sheets.read(csv_bytes(LONG, encoding="cp1251"), strict=True)) == 2
