"""Report sheets at their limits: many games, many players, mixed stakes, no dates."""

from __future__ import annotations

import re
from dataclasses import replace
from time import perf_counter

import numpy as np
import pytest

from prefxl.errors import SheetError
from prefxl.games import read
from prefxl.workbook import canvas
from prefxl.workbook.carried import Carried
from prefxl.workbook.new import write_report
from prefxl.workbook.pages import course, meetings
from prefxl.workbook.widths import short_label
from tests.clients.office import LibreOffice
from tests.workbook.reading import members, open_book, rows
from tests.workbook.seasons import season

SHEETS = "tests/cases/sheets/"


def lines(path, sheet, first):
    """Return the rows below the heading row that begins with ``first``."""
    found = rows(path, sheet)
    start = next(at for at, row in enumerate(found) if row[0] == first)
    return found[start], found[start + 1 :]


def test_a_season_of_very_many_games_has_a_row_a_day(tmp_path, monkeypatch):
    monkeypatch.setattr(course, "GAME_ROWS", 10)
    path = write_report(season(12, players=5).settle(), tmp_path / "a.xlsx", lang="en", noted_games=0)
    _, days = lines(path, "Season", "Game")
    assert [row[0] for row in days] == [2, 4, 6, 8, 10, 12]
    assert "day by day" in rows(path, "Season")[1][0]


def undated(games, until=None):
    days = games.date.copy()
    days[:until] = None
    return replace(games, date=days)


def test_games_without_a_date_are_no_day_together(tmp_path, monkeypatch):
    monkeypatch.setattr(course, "GAME_ROWS", 10)
    path = write_report(undated(season(12, players=5)).settle(), tmp_path / "a.xlsx", lang="en", noted_games=0)
    header, games = lines(path, "Season", "Game")
    assert [row[0] for row in games] == list(range(1, 13))
    assert "day by day" not in rows(path, "Season")[1][0]
    _, standings = lines(path, "Standings", "Rank")
    sums = {row[1]: row[6] for row in standings if isinstance(row[0], int)}
    assert dict(zip(header[1:], games[-1][1:], strict=True)).items() >= sums.items()


def test_among_days_a_game_without_a_date_has_its_own_row(tmp_path, monkeypatch):
    monkeypatch.setattr(course, "GAME_ROWS", 10)
    path = write_report(undated(season(12, players=5), 4).settle(), tmp_path / "a.xlsx", lang="en", noted_games=0)
    _, days = lines(path, "Season", "Game")
    assert [row[0] for row in days] == [1, 2, 3, 4, 6, 8, 10, 12]


def test_more_games_than_rows_are_thinned_to_the_last_and_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(course, "GAME_ROWS", 5)
    monkeypatch.setattr(course, "MOST_ROWS", 5)
    path = write_report(undated(season(12, players=5)).settle(), tmp_path / "a.xlsx", lang="ru", noted_games=0)
    _, games = lines(path, "Ход сезона", "Игра")
    assert [row[0] for row in games] == [3, 6, 9, 12]
    assert "строк 4 на 12 игр" in rows(path, "Ход сезона")[1][0]


def test_a_club_too_large_for_the_tables_of_a_program_has_its_report_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr("prefxl.season.course.LARGEST_TABLE", 20)
    monkeypatch.setattr("prefxl.season.pairs.LARGEST_SQUARE", 3)
    path = write_report(season(12, players=8).settle(), tmp_path / "a.xlsx", lang="en", noted_games=0)
    assert len(lines(path, "Season", "Game")[1]) == 12
    assert len(lines(path, "Head to head", "Player")[1]) == 8


def test_of_very_many_players_those_who_played_most_are_shown_and_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(meetings, "LARGEST_SHOWN", 4)
    monkeypatch.setattr(course, "LARGEST_SHOWN", 3)
    settled = season(12, players=8).settle()
    path = write_report(settled, tmp_path / "a.xlsx", lang="en")
    header, square = lines(path, "Head to head", "Player")
    assert len(square) == 4
    assert [name for name in header if name] == ["Player", *[row[0] for row in square], "Total"]
    assert "of 8 players the 4 with the most games" in [row[0] for row in rows(path, "Head to head")]
    header, _ = lines(path, "Season", "Game")
    assert len([name for name in header if name]) == 5


def test_the_chart_of_a_large_club_keeps_to_twelve_lines(tmp_path):
    path = write_report(season(60, players=20, seats=(4,)).settle(), tmp_path / "a.xlsx", noted_games=0)
    charts = members(path, r"xl/charts/chart\d+\.xml").values()
    drawn = next(text for text in charts if "lineChart" in text)
    assert drawn.count("<c:ser>") == course.CHARTED
    assert "из 20 игроков — 12, сыгравших больше всех" in drawn


def write(games, path, **options):
    return write_report(games.settle("leningrad", **options), path, lang="ru")


def with_long_names(games):
    games.players[:] = np.array(
        [[None if name is None else f"Константин Константинопольский-{name}" for name in row] for row in games.players],
        dtype=object,
    )
    return games


def test_charts_call_players_with_long_names_shortly_and_unlike(tmp_path):
    path = write(with_long_names(season(12, players=4)), tmp_path / "a.xlsx")
    book = open_book(path)
    charts = members(path, r"xl/charts/chart\d+\.xml").values()
    lines = next(text for text in charts if "lineChart" in text)
    names = re.findall(r"<c:tx><c:v>([^<]+)<", lines)
    assert len(set(names)) == 4
    assert all(len(name) <= 18 and "…" in name for name in names)
    bars = next(text for text in charts if "barChart" in text)
    column, first, last = re.search(r"<c:cat><c:strRef><c:f>Таблица!\$(\w+)\$(\d+):\$\w+\$(\d+)<", bars).groups()
    sheet = book["Таблица"]
    assert sheet.column_dimensions[column].hidden
    assert int(last) - int(first) == 3
    assert "B5" in sheet[f"{column}{first}"].value
    assert '<c:plotVisOnly val="0"/>' in bars or "plotVisOnly" not in bars


@pytest.mark.clients
def test_libreoffice_shortens_a_label_as_we_do(tmp_path):
    games = with_long_names(season(12, players=4))
    path = write(games, tmp_path / "a.xlsx")
    name = open_book(path)["Таблица"]["B5"].value
    bars = next(text for text in members(path, r"xl/charts/chart\d+\.xml").values() if "barChart" in text)
    cell = "".join(re.search(r"<c:cat><c:strRef><c:f>Таблица!\$(\w+)\$(\d+):", bars).groups())
    with LibreOffice(tmp_path / "profile") as office:
        assert office.read(office.open(path), "Таблица", [cell]) == [short_label(name)]


def test_a_chart_of_more_players_than_it_shows_says_so(tmp_path):
    path = write(season(60, players=40), tmp_path / "a.xlsx")
    charts = members(path, r"xl/charts/chart\d+\.xml").values()
    assert "первые 24 из " in next(text for text in charts if "barChart" in text)


@pytest.mark.parametrize(("players", "broken"), [(8, []), (20, [24]), (40, [44])])
def test_a_chart_that_does_not_fit_below_the_standings_is_printed_on_a_page_of_its_own(tmp_path, players, broken):
    path = write(season(200, players=players), tmp_path / "a.xlsx")
    sheet = open_book(path)["Таблица"]
    assert [one.id for one in sheet.row_breaks.brk] == [at + 1 for at in broken]
    assert sheet._charts[0].anchor._from.row == players + 5


def test_payments_have_the_same_columns_in_every_list_and_on_every_printed_page(tmp_path):
    stake = np.array([None, "0.5", None, None], dtype=object)
    games = replace(season(4, players=3, seats=(3,)), settings={"stake": stake})
    path = write_report(games.settle(), tmp_path / "a.xlsx", lang="en")
    headings = [row for row in rows(path, "Payments") if row[0] == "For"]
    assert len(headings) == 3
    assert all(row == headings[0] for row in headings)
    assert "Whists" in headings[0]
    top = rows(path, "Payments").index(headings[0]) + 1
    assert open_book(path)["Payments"].print_title_rows == f"${top}:${top}"


def test_very_wide_tables_print_on_pages_side_by_side(tmp_path):
    path = write(season(60, players=40), tmp_path / "a.xlsx")
    for name, repeated in (("Личные встречи", "$A:$A"), ("Ход сезона", "$A:$B")):
        sheet = open_book(path)[name]
        assert sheet.page_setup.fitToWidth == 2
        assert sheet.print_title_cols == repeated
    # above columns that are printed on every page a chart would be, too
    assert open_book(path)["Ход сезона"]._charts[0].anchor._from.col == 2


def test_a_long_remark_on_a_payment_is_wrapped(tmp_path):
    path = write(with_long_names(season(12, players=4)), tmp_path / "a.xlsx", stake="0.37")
    cells = [cell for row in open_book(path)["Платежи"].iter_rows() for cell in row if "попарно" in str(cell.value)]
    assert cells
    assert all(cell.alignment.wrap_text for cell in cells)


def test_players_whose_names_differ_by_case_alone_keep_them_in_every_heading(tmp_path):
    games = season(4, players=3, seats=(3,))
    games.players[0], games.players[1], games.players[2] = "Аня", "аня", "Игра"
    path = write_report(games.settle("leningrad"), tmp_path / "a.xlsx", lang="ru")
    for sheet, first in (("Личные встречи", "Игрок"), ("Ход сезона", "Игра")):
        header, _ = lines(path, sheet, first)
        assert {"Аня", "аня", "Игра"} <= set(header)
        assert not [name for name in header if name and name.endswith(" 2")]


def test_totals_of_the_head_to_head_are_the_sums_of_the_standings(tmp_path):
    path = write_report(season(12, players=5).settle("leningrad"), tmp_path / "a.xlsx", lang="en")
    _, square = lines(path, "Head to head", "Player")
    header, standings = lines(path, "Standings", "Rank")
    sums = {row[1]: row[header.index("Sum")] for row in standings if isinstance(row[0], int)}
    assert {row[0]: pytest.approx(row[-1]) for row in square} == sums


def test_games_with_and_without_a_stake_are_paid_in_money_and_in_whists(tmp_path):
    games = season(4, players=3, seats=(3,))
    stake = np.array([None, "0.5", None, "0.5"], dtype=object)
    path = write_report(replace(games, settings={"stake": stake}).settle(), tmp_path / "a.xlsx", lang="en")
    header, payments = lines(path, "Payments", "For")
    amount, whists = header.index("Amount"), header.index("Whists")
    paid = payments[: next(at for at, row in enumerate(payments) if row[1] is None)]
    assert {(row[amount] is None, row[whists] is None) for row in paid} == {(True, False), (False, True)}


def test_ticks_of_payments_in_money_and_in_whists_survive_the_next_run(tmp_path):
    stake = np.array([None, "0.5"] * 3, dtype=object)
    settled = replace(season(6, players=4, seats=(3,)), settings={"stake": stake}).settle()
    path = write_report(settled, tmp_path / "a.xlsx", lang="en")
    book = open_book(path)
    paid = [row for row in book["Payments"].iter_rows() if row[1].value and row[1].value != "Who pays"]
    assert {row[3].value is None for row in paid} == {True, False}
    for row in paid:
        row[5].value = f"✓ {row[0].row}"
    book.save(path)
    write_report(settled, path, lang="en", overwrite=True)
    again = open_book(path)["Payments"]
    assert [again.cell(row[0].row, 6).value for row in paid] == [f"✓ {row[0].row}" for row in paid]


def test_ticks_and_replies_survive_a_run_in_the_other_language(tmp_path):
    settled = season(6, players=4, seats=(3,)).settle()
    path = write_report(settled, tmp_path / "a.xlsx", lang="ru")
    book = open_book(path)
    reply = next(cell for cell in book["Замечания"][4] if cell.value == "Ваша пометка").offset(1).coordinate
    book["Платежи"]["E7"], book["Платежи"]["F7"], book["Замечания"][reply] = "✓", "отдаст", "вижу"
    book.save(path)
    write_report(settled, path, lang="en", overwrite=True)
    again = open_book(path)
    assert [again["Payments"][cell].value for cell in ("E7", "F7")] == ["✓", "отдаст"]
    assert again["Findings"][reply].value == "вижу"


def test_thousands_of_replies_that_fit_nothing_any_more_are_told_in_a_moment():
    carried = Carried({("findings", "Май", f"A{at}", "прежнее", "a.xlsx"): {"reply": at} for at in range(3000)})
    start = perf_counter()
    for at in range(3000):
        key = ("findings", "Май", f"A{at}", "новое", "a.xlsx")
        assert carried.take(key, "reply", key[:4], ("findings", "Май", "", "новое")) is None
    assert perf_counter() - start < 5
    assert len(list(carried.lost())) == 3000


def test_payments_show_every_minor_unit(tmp_path):
    settled = season(4, players=3, seats=(3,)).settle(stake="0.0125", minor_units=4)
    path = write_report(settled, tmp_path / "a.xlsx", lang="en")
    header, _ = lines(path, "Payments", "For")
    cells = next(row for row in open_book(path)["Payments"].iter_rows() if isinstance(row[3].value, float))
    assert cells[header.index("Amount")].number_format == "#,##0.0000"


def test_a_list_too_long_for_its_sheet_is_cut_and_the_rules_say_so(tmp_path, monkeypatch):
    monkeypatch.setattr(canvas, "LAST_ROW", 36)
    path = write_report(season(6, players=6).settle(), tmp_path / "a.xlsx", lang="ru")
    said = [str(row[1]) for row in rows(path, "Правила") if "показаны первые 9 из" in str(row[1])]
    assert said[0].startswith("Попарно")


def test_without_dates_payments_go_game_by_game(tmp_path):
    games = undated(season(3, players=3, seats=(3,)))
    path = write_report(games.settle(), tmp_path / "a.xlsx", lang="ru")
    assert "По играм" in [row[0] for row in rows(path, "Платежи")]
    assert "Дата" not in rows(path, "Расчёт")[0]
    assert "Дата" not in rows(path, "Игры")[0]


def test_payments_for_games_without_a_date_say_so_among_days(tmp_path):
    path = write_report(undated(season(6, players=4, seats=(3,)), 2).settle(), tmp_path / "a.xlsx", lang="ru")
    found = rows(path, "Платежи")
    days = found[next(at for at, row in enumerate(found) if row[0] == "По дням") + 2 :]
    assert {str(row[0])[:10] for row in days if row[1]} == {"без даты", "2026-01-11", "2026-01-18"}


def test_where_nobody_owes_anything_the_sheet_says_so(tmp_path):
    games = season(1, players=3, seats=(3,))
    even = replace(games, pulya=games.pulya * 0, gora=games.gora * 0, whists=games.whists * 0)
    path = write_report(even.settle(), tmp_path / "a.xlsx", lang="en")
    assert [row[0] for row in rows(path, "Payments")].count("Nobody owes anything.") == 2


def test_without_findings_the_sheet_says_that_every_cell_was_read(tmp_path):
    path = write_report(season(2).settle("leningrad"), tmp_path / "a.xlsx", lang="en")
    assert "every cell was read" in str(rows(path, "Findings"))


def test_rules_tell_every_kind_of_terms_of_a_mixed_season(tmp_path):
    games = season(3, players=3, seats=(3,))
    conventions = np.array(["leningrad", None, None], dtype=object)
    settled = replace(games, settings={"convention": conventions}).settle("sochi", target=20, rounding="balanced")
    path = write_report(settled, tmp_path / "a.xlsx", lang="en")
    text = " | ".join(str(cell) for row in rows(path, "Rules") for cell in row if cell)
    assert "House rules — games: 2" in text
    assert "House rules — games: 1" in text
    assert "20, as agreed" in text


def test_rules_count_the_games_that_were_not_settled_and_not_their_errors(tmp_path):
    (tmp_path / "a.csv").write_text(
        "game;player_1;player_2;pulya_1;pulya_2;gora_1;gora_2;whists_1_2\n1;A;B;x;y;z;2;3\n2;A;B;1;1;1;2;3\n", "utf-8"
    )
    path = write_report(read(tmp_path / "a.csv").settle(), tmp_path / "a.xlsx", lang="en")
    assert ["Games not settled", "1"] in [row[:2] for row in rows(path, "Rules")]


def test_stakes_are_told_as_they_were_typed_and_that_games_without_one_are_in_whists(tmp_path):
    stake = np.array(["1234567,25", "0.0625", None, "1"], dtype=object)
    games = replace(season(4, players=3, seats=(3,)), settings={"stake": stake})
    path = write_report(games.settle(), tmp_path / "a.xlsx", lang="ru", currency="₽")
    said = "Деньгами, 0,0625; 1; 1234567,25 ₽ за вист · игры без ставки — в вистах"
    assert rows(path, "Платежи")[1][0] == said
    told = {row[1] for row in rows(path, "Правила") if row[0] == "Ставка"}
    assert told == {
        "0,0625 ₽ за вист",
        "1 ₽ за вист",
        "1234567,25 ₽ за вист",
        "нет: деньги не считаются",
    }


def test_an_empty_season_is_refused_and_nothing_is_written(tmp_path):
    games = season(2, players=3, seats=(3,)).take(np.zeros(2, bool))
    with pytest.raises(SheetError, match="nothing to report"):
        write_report(games.settle(), tmp_path / "a.xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["season-wide-cp1251.csv", "season-long-utf8bom.csv", "season-unicode-text.txt"])
def test_a_report_of_every_text_fixture_names_its_file_and_settles_all_its_games(name, tmp_path):
    settled = read(SHEETS + name).settle()
    path = write_report(settled, tmp_path / "a.xlsx")
    first = open_book(path).worksheets[0]
    assert first.max_row == len(settled) + 1
    assert any(name in str(row[1]) for row in rows(path, open_book(path).sheetnames[-1]))
