"""The report workbook: golden texts, and one test a feature."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime

import numpy as np
import openpyxl
import pandas as pd
import pytest
from lxml import etree
from python_calamine import CalamineWorkbook
from xlsxwriter.utility import xl_cell_to_rowcol

from prefxl.errors import FileInTheWayError
from prefxl.games import read
from prefxl.settled import STEP_COLUMNS
from prefxl.workbook import canvas
from prefxl.workbook.new import write_report
from prefxl.workbook.words import HEADINGS, PHRASES, SHEETS
from tests.clients.validator import sdk_findings
from tests.workbook import golden
from tests.workbook.reading import GOLDEN, dump, members, open_book, rows
from tests.workbook.seasons import season

CSV = "tests/cases/sheets/season-wide-cp1251.csv"


@pytest.fixture(scope="module")
def settled():
    return season(12, players=6).settle("rozaliev", stake="0.5")


@pytest.fixture(scope="module")
def report(settled, tmp_path_factory):
    return write_report(settled, tmp_path_factory.mktemp("report") / "сезон.xlsx", lang="ru", currency="₽")


@pytest.mark.parametrize("name", golden.CASES)
def test_a_report_says_what_its_golden_text_says(name, tmp_path, monkeypatch):
    monkeypatch.setattr("prefxl.workbook.pages.rules.__version__", "0.1.0")
    text = dump(golden.make(name, tmp_path))
    wanted = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    different = [pair for pair in zip(text.split("\n"), wanted.split("\n"), strict=False) if pair[0] != pair[1]]
    assert not different[:1], "run python -m tests.workbook.golden and look at the difference"
    assert len(text) == len(wanted)


def test_the_sheets_stand_in_their_order_and_are_named_in_the_language(report, settled, tmp_path):
    assert open_book(report).sheetnames == [names[1] for names in SHEETS.values()]
    english = write_report(settled, tmp_path / "season.xlsx", lang="en")
    assert open_book(english).sheetnames == [names[0] for names in SHEETS.values()]


def test_every_step_of_every_game_stands_on_the_settlement_sheet_with_the_exact_result_as_text(tmp_path):
    settled = read(CSV).settle("leningrad")
    path = write_report(settled, tmp_path / "a.xlsx")
    header, *lines = rows(path, "Расчёт")
    exact = header.index("Итог точно")
    assert [line[exact] for line in lines] == settled.steps["result_exact"].tolist()
    assert isinstance(lines[0][exact], str)
    shown = [HEADINGS[name][1] for name in STEP_COLUMNS if name != "money"]
    assert [text for text in header if text in shown] == shown


def test_results_beside_the_games_are_the_settled_ones_with_a_check(report, settled):
    header, *lines = rows(report, "Игры")
    seats = [header.index(f"Итог {seat}") for seat in (1, 2, 3, 4)]
    results = settled.by_seat("result")
    for game, line in enumerate(lines):
        wanted = [None if np.isnan(value) else value for value in results[:, game]]
        assert [line[seat] for seat in seats] == wanted
        assert line[header.index("Проверка")] == 0


def test_the_note_on_a_result_holds_its_whole_derivation_and_is_as_large_as_its_text(report):
    sheet = open_book(report)["Игры"]
    column = [cell.value for cell in sheet[1]].index("Итог 1")
    note = sheet.cell(2, column + 1).comment
    assert note.text.count("\n") >= 7
    assert note.author == "prefxl"
    boxes = members(report, r"vmlDrawing1\.vml")["xl/drawings/vmlDrawing1.vml"]
    heights = [float(height) for height in re.findall(r"height:([\d.]+)pt", boxes)]
    assert min(heights) > 11 * note.text.count("\n")


def test_days_of_the_users_own_columns_are_days_in_the_report(tmp_path):
    games = season(2, players=3, seats=(3,))
    day, moment = datetime(2026, 1, 4), datetime(2026, 1, 4, 20, 30)
    own = pd.DataFrame(
        {
            "Сдано": [day.date(), None, day, day, day, day],
            "Начали": [moment] * 6,
            "Когда": [day, "завтра", moment, 5, None, day],
            "Кассир": pd.to_datetime([day] * 6),
        }
    )
    path = write_report(replace(games, own=own).settle(), tmp_path / "a.xlsx", lang="ru")
    header, *lines = rows(path, "Расчёт")
    first = header.index("Сдано")
    assert [line[first : first + 4] for line in lines[:4]] == [
        [day, moment, "04.01.2026", day],
        [None, moment, "завтра", day],
        [day, moment, "04.01.2026 20:30", day],
        [day, moment, 5, day],
    ]
    games_header, game, _ = rows(path, "Игры")
    assert game[games_header.index("Начали")] == moment
    assert game[games_header.index("Кассир")] == day


def test_text_that_looks_like_a_formula_stays_text_in_names_ids_and_own_columns(tmp_path):
    games = season(2, players=3, seats=(3,))
    players = games.players.copy()
    players[0, :] = "=1+1"
    ids = games.game.copy()
    ids[0] = "@SUM(A1)"
    own = games.own.copy()
    own.iloc[:, 0] = "=HYPERLINK(0)"
    path = write_report(replace(games, players=players, game=ids, own=own).settle(), tmp_path / "a.xlsx")
    for sheet in open_book(path):
        for row in sheet.iter_rows():
            assert all(cell.data_type != "f" for cell in row), sheet.title
    assert rows(path, "Расчёт")[1][3] == "=1+1"


def test_dates_are_dates_and_other_dates_stay_the_users_text(tmp_path):
    games = season(2, players=3, seats=(3,))
    dates = games.date.copy()
    dates[1] = "в мае"
    path = write_report(replace(games, date=dates).settle(), tmp_path / "a.xlsx")
    column = [row[1] for row in CalamineWorkbook.from_path(str(path)).get_sheet_by_name("Игры").to_python()]
    assert column == ["Дата", date(2026, 1, 4), "в мае"]


def test_losers_are_drawn_below_the_axis_and_told_apart_without_colour(report):
    charts = members(report, r"xl/charts/chart\d+\.xml")
    bars = next(text for text in charts.values() if "<c:barChart>" in text)
    assert '<c:invertIfNegative val="1"/>' not in bars
    assert "<a:pattFill" in bars
    lines = next(text for text in charts.values() if "<c:lineChart>" in text)
    assert lines.count("<c:ser>") == 6
    assert "<c:smooth" not in lines.replace('<c:smooth val="0"/>', "")
    assert len({line for line in lines.split("<c:ser>") if "prstDash" in line}) >= 5


@pytest.mark.parametrize("name", golden.CASES)
def test_rows_and_cells_of_every_sheet_ascend(name, tmp_path):
    path = golden.make(name, tmp_path)
    for text in members(path, r"xl/worksheets/sheet").values():
        numbers = [int(number) for number in re.findall(r'<row r="(\d+)"', text)]
        assert numbers == sorted(set(numbers))
        places = [xl_cell_to_rowcol(cell) for cell in re.findall(r'<c r="(\w+)"', text)]
        assert places == sorted(set(places))


def test_every_font_in_the_workbook_has_a_name(report):
    styles = members(report, r"xl/styles\.xml")["xl/styles.xml"]
    fonts = styles[styles.index("<fonts") : styles.index("</fonts>")]
    assert fonts.count("<font>") == fonts.count("<name val=")


def test_our_sheets_carry_the_hidden_marker_and_the_games_do_not(report):
    book = members(report, r"xl/workbook\.xml")["xl/workbook.xml"]
    assert book.count('name="_prefxl.sheet.') == 7
    assert "Игры'!$A$1<" not in book


def test_more_rows_than_a_sheet_holds_go_on_on_the_next_sheet_and_the_rules_say_so(tmp_path, monkeypatch):
    monkeypatch.setattr(canvas, "LAST_ROW", 21)
    path = write_report(season(12, players=6).settle(), tmp_path / "a.xlsx", lang="ru")
    book = open_book(path)
    parts = [name for name in book.sheetnames if name.startswith("Расчёт")]
    assert parts == ["Расчёт", "Расчёт 2", "Расчёт 3"]
    assert sum(len(rows(path, name)) - 1 for name in parts) == 42
    said = [text for row in rows(path, "Правила") for text in row if text and "продолжение" in str(text)]
    assert said == ["«Расчёт» не помещается на одном листе: продолжение — Расчёт 2, Расчёт 3."]


def test_notes_stop_at_the_limit_and_the_rules_say_so(settled, tmp_path):
    path = write_report(settled, tmp_path / "a.xlsx", lang="ru", noted_games=2)
    noted = [row for row in open_book(path)["Игры"].iter_rows() if any(cell.comment for cell in row)]
    assert len(noted) == 2
    assert any("у первых игр (2)" in str(row[1]) for row in rows(path, "Правила"))


def test_an_existing_file_is_refused_and_replaced_when_asked(settled, tmp_path):
    path = tmp_path / "a.xlsx"
    path.write_text("mine")
    with pytest.raises(FileInTheWayError, match="is there already"):
        write_report(settled, path)
    write_report(settled, path, overwrite=True)
    assert open_book(path).sheetnames[0] == "Игры"


def test_ticks_and_remarks_survive_the_next_run_where_they_still_fit(settled, tmp_path):
    path = write_report(settled, tmp_path / "a.xlsx", lang="ru")
    book = openpyxl.load_workbook(path)
    sheet = book["Платежи"]
    sheet["E7"], sheet["F8"], sheet["I9"] = "✓", "отдаст в мае", "звонил"
    book["Замечания"].cell(6, sheet_column(book["Замечания"], "Ваша пометка"), "вижу")
    book.save(path)
    write_report(settled, path, lang="ru", overwrite=True)
    again = open_book(path)
    assert (again["Платежи"]["E7"].value, again["Платежи"]["F8"].value) == ("✓", "отдаст в мае")
    assert again["Замечания"].cell(6, sheet_column(again["Замечания"], "Ваша пометка")).value == "вижу"
    lost = [row[1] for row in rows(path, "Правила") if row[1] and "звонил" in str(row[1])]
    assert lost == ["Платежи · I9: звонил"]


def sheet_column(sheet, text):
    return next(cell.column for cell in sheet[4] if cell.value == text)


def test_ticks_of_payments_that_are_gone_are_reported(settled, tmp_path):
    path = write_report(settled, tmp_path / "a.xlsx", lang="ru")
    book = openpyxl.load_workbook(path)
    book["Платежи"]["E7"] = "✓"
    payer = book["Платежи"]["B7"].value
    book.save(path)
    write_report(season(12, players=6, seed=5).settle(stake="0.5"), path, lang="ru", overwrite=True)
    assert any(payer in str(row[1]) and "✓" in str(row[1]) for row in rows(path, "Правила"))


def test_every_word_is_there_in_both_languages():
    for table in (SHEETS, HEADINGS, PHRASES):
        for english, russian in table.values():
            assert english
            assert russian


@pytest.mark.parametrize("players", [3, 12])
def test_the_season_sheet_has_a_column_a_player(players, tmp_path):
    games = season(8, players=players, seats=(3,))
    path = write_report(games.settle(), tmp_path / "a.xlsx", lang="en")
    header = next(row for row in rows(path, "Season") if row[0] == "Game")
    assert {name for name in header[2:] if name} == set(games.players.ravel())


@pytest.mark.clients
@pytest.mark.parametrize("name", golden.CASES)
def test_microsofts_validator_finds_nothing(name, tmp_path):
    assert sdk_findings(golden.make(name, tmp_path)) == set()


ODD = "a\x07<b>&\"'_x0041_\r\n\t=1+1"


def test_odd_characters_in_names_ids_and_headings_leave_a_sound_workbook(tmp_path):
    games = season(3, players=3, seats=(3,))
    players, ids = games.players.copy(), games.game.copy()
    players[players == "Аня"] = ODD
    ids[0] = ODD
    own = games.own.rename(columns={"Комментарий": ODD})
    own["Итог"] = ODD
    own["итог "] = 5
    path = write_report(replace(games, players=players, game=ids, own=own).settle(), tmp_path / "a.xlsx", lang="ru")
    for text in members(path, r"\.(xml|rels|vml)$").values():
        etree.fromstring(text.encode("utf-8"))
    header = rows(path, "Расчёт")[0]
    assert len({str(text).casefold() for text in header}) == len(header)
    assert header[-3:] == ["a<b>&\"'_x0041_ =1+1", "Итог 2", "итог 3"]
    # as Excel escapes what XML cannot hold
    assert rows(path, "Расчёт")[1][0] == "a_x0007_<b>&\"'_x005F_x0041_\n\t=1+1"
