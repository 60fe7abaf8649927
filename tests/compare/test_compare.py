"""Games under every convention: the numbers of settling each by itself, and where the winner changes."""

from __future__ import annotations

import datetime

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prefxl
from prefxl.compare import compare, winners, write_comparison
from prefxl.compare.table import FIRST_COLUMNS, LAST_COLUMNS
from prefxl.errors import FileInTheWayError, OptionError
from prefxl.rules.conventions import CONVENTIONS, ROUNDINGS
from prefxl.settling import settle_games
from tests.season.seasons import by_results, random_season, season

CODEX = ([48, 48, 54], [0, 0, 0], [[0, 30, 0], [0, 0, 0], [0, 0, 0]])
#: one pulya point above the mean costs the first seat the game under rozaliev's rule
TURNS = ([10, 20], [0, 0], [[0, 60], [0, 0]])


def by_game(frame, settled, column):
    """Return a column of the comparison as player by game."""
    return {(row["game"], row["player"]): row[column] for row in frame.to_dict("records")}


@given(st.integers(1, 12), st.integers(0, 10**6))
@settings(max_examples=10)
def test_each_column_is_that_convention_settled_by_itself(games, seed):
    games = random_season(games, seed=seed)
    frame = compare(games)
    for name in CONVENTIONS:
        steps = settle_games(games, name).steps
        expected = {(game, player): won for game, player, won in steps[["game", "player", "result"]].to_numpy()}
        assert by_game(frame, games, name) == pytest.approx(expected)


def test_the_columns_are_the_conventions_between_result_and_flags():
    frame = compare(random_season(3))
    assert list(frame.columns) == [*FIRST_COLUMNS, *CONVENTIONS, *LAST_COLUMNS]


def test_every_rounding_is_a_column_when_asked():
    frame = compare(random_season(3), roundings=True)
    assert len(frame.columns) == len(FIRST_COLUMNS) + 5 * len(ROUNDINGS) + len(LAST_COLUMNS)
    assert "sochi/balanced" in frame.columns


def test_roundings_are_those_of_settling_each_and_missing_where_they_cannot_be_applied():
    games = random_season(30, seed=3)
    frame = compare(games, roundings=True)
    for rounding in ROUNDINGS:
        settled = settle_games(games, "rozaliev", rounding=rounding)
        expected = {(g, p): won for g, p, won in settled.steps[["game", "player", "result"]].to_numpy()}
        found = {key: won for key, won in by_game(frame, games, f"rozaliev/{rounding}").items() if won == won}
        assert found == pytest.approx(expected)
    assert frame["rozaliev/divisible"].isna().any()


def test_games_whose_winner_changes_come_first():
    results = by_results([[5, -5], [1, -1]])
    turning = season([CODEX, TURNS], [["A", "B", "C"], ["A", "B"]])
    frame = compare(turning)
    flags = frame["winner_changes"].tolist()
    assert flags == sorted(flags, reverse=True)
    assert not compare(results)["winner_changes"].any()


def test_the_winners_are_told_game_by_game():
    turning = season([TURNS], [["A", "B"]])
    settled = settle_games(turning, "sochi")
    line = winners(settled).iloc[0]
    assert (line["game"], line["result"], line["sochi"], line["leningrad"]) == (1, "A", "A", "B")


def test_equal_games_neither_differ_nor_change():
    frame = compare(settle_games(by_results([[5, -5]]), "sochi"))
    assert not frame["differs"].any()
    assert len(winners(settle_games(by_results([[5, -5]]), "sochi"))) == 0


def test_numbers_are_compared_exactly():
    third = season([([0, 0, 0], [1, 0, 0], [[0] * 3] * 3)], [["A", "B", "C"]])
    frame = compare(settle_games(third, "sochi"))
    # 10/3 against 3: a truncated third differs, an equal third does not
    assert frame["differs"].all()
    assert (frame["sochi"] == frame["leningrad"]).all()


def test_the_tables_own_worth_of_gora_is_kept():
    games = season([([0, 0], [1, 3], [[0, 0], [0, 0]])], [["A", "B"]])
    frame = compare(settle_games(games, "sochi", whists_per_gora=20))
    assert frame["leningrad"].tolist() == [20, -20]


def test_a_season_without_games_is_an_empty_comparison():
    games = random_season(2)
    frame = compare(games.take(np.zeros(2, bool)))
    assert len(frame) == 0
    assert list(frame.columns)[-2:] == list(LAST_COLUMNS)


def test_the_settled_season_compares_itself():
    settled = settle_games(random_season(4), "sochi")
    pd.testing.assert_frame_equal(settled.compare(), compare(settled))


def test_the_workbook_marks_numbers_that_differ_and_other_winners(tmp_path):
    games = season([TURNS], [["=A", "B"]], [datetime.date(2026, 1, 5)])
    path = write_comparison(compare(settle_games(games, "sochi")), tmp_path / "сравнение.xlsx")
    sheet = openpyxl.load_workbook(path).active
    head = {cell.value: cell.column for cell in sheet[1]}
    assert sheet.cell(2, head["Игрок"]).value == "=A"
    assert sheet.cell(2, head["Игрок"]).data_type != "n"
    assert not sheet.cell(2, head["сочинка"]).font.bold
    assert sheet.cell(2, head["ленинградка"]).font.bold
    assert sheet.cell(3, head["ленинградка"]).border.left.style == "medium"
    assert sheet.cell(2, head["Другой победитель"]).value == "да"


def test_csv_and_parquet_hold_the_frame(tmp_path):
    frame = compare(random_season(5))
    text = pd.read_csv(write_comparison(frame, tmp_path / "c.csv"))
    assert text["sochi"].tolist() == pytest.approx(frame["sochi"].tolist())
    assert len(pd.read_parquet(write_comparison(frame, tmp_path / "c.parquet"))) == len(frame)


def test_an_unknown_ending_is_told(tmp_path):
    with pytest.raises(OptionError, match=r"a comparison is written to \.xlsx"):
        write_comparison(compare(random_season(2)), tmp_path / "c.doc")


def test_a_file_in_the_way_is_left_alone(tmp_path):
    (tmp_path / "c.csv").write_text("mine")
    with pytest.raises(FileInTheWayError, match=r"c\.csv"):
        write_comparison(compare(random_season(2)), tmp_path / "c.csv")
    assert (tmp_path / "c.csv").read_text() == "mine"


def test_two_games_of_one_name_are_told_apart(tmp_path):
    games = season([TURNS, TURNS], [["A", "B"], ["A", "B"]])
    games.game[:] = "x"
    path = write_comparison(compare(settle_games(games, "sochi")), tmp_path / "c.xlsx", lang="en")
    sheet = openpyxl.load_workbook(path).active
    head = {cell.value: cell.column for cell in sheet[1]}
    frames = [sheet.cell(row, head["leningrad"]).border.left.style for row in range(2, 6)]
    assert frames == [None, "medium", None, "medium"]


def test_prefxl_settles_what_the_comparison_names():
    assert prefxl.settle(*TURNS, convention="leningrad").result == [-40, 40]
