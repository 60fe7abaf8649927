"""Totals by player beside games are no game; games without whists are."""

import pytest

import prefxl.sheets as sheets
from tests.sheets.samples import LONG, told, xlsx_bytes

TOTALS = [["Игрок", "Пуля", "Гора"], ["Аня", 48, 41], ["Боря", 62, 7], ["Вера", 51, 26]]
NUMBERED = [[number, *row] for number, row in enumerate(TOTALS[1:], 1)]


@pytest.mark.parametrize("totals_first", [True, False])
@pytest.mark.parametrize("count", ["Игр", "Сыграно партий", "Побед", "Wins", ""])
def test_totals_by_player_beside_games_are_no_game(totals_first, count):
    totals = [[*row[:1], 3, *row[1:]] for row in TOTALS] if count else TOTALS
    totals = [[*totals[0][:1], count, *totals[0][2:]], *totals[1:]] if count else totals
    pages = {"Итоги": totals, "Игры": LONG} if totals_first else {"Игры": LONG, "Итоги": totals}
    games = sheets.read(xlsx_bytes(pages))
    assert len(games) == len(sheets.read(xlsx_bytes({"Игры": LONG})))
    assert [(one.reason, one.sheet, one.cell) for one in games.findings] == [("without-whists", "Итоги", "A1")]


def test_totals_in_numbered_rows_are_no_games():
    games = sheets.read(xlsx_bytes({"Игры": LONG, "Итоги": [["№", *TOTALS[0]], *NUMBERED]}))
    assert [one.reason for one in games.findings] == ["without-whists"]


def test_a_file_without_any_whists_is_settled_with_a_warning():
    games = sheets.read(xlsx_bytes({"а": TOTALS, "б": TOTALS}))
    assert (len(games), [reason for reason, _ in told(games)]) == (2, ["missing-column"] * 2)


def test_games_without_whists_that_cannot_be_totals_are_settled_beside_games_with_whists():
    wide = [["Игра", *(f"{role} {seat}" for role in ("Игрок", "Пуля", "Гора") for seat in (1, 2, 3))]]
    wide.append([8, "Аня", "Боря", "Вера", 10, 8, 6, 2, 4, 6])
    played = [["Игра", *TOTALS[0]], *([9, *row] for row in TOTALS[1:])]
    dated = [["Дата", *TOTALS[0]], *(["05.03.2026", *row] for row in TOTALS[1:])]
    for page in (wide, played, dated):
        games = sheets.read(xlsx_bytes({"Игры": LONG, "Без вистов": page}))
        assert len(games) == len(sheets.read(xlsx_bytes({"Игры": LONG}))) + 1
        assert [one.reason for one in games.findings if one.sheet == "Без вистов"] == ["missing-column"]
