"""The season's course: sums after every game, and month by month."""

from __future__ import annotations

import datetime
import math
from fractions import Fraction

import pytest

from prefxl.errors import OptionError
from prefxl.season import cumulative, months, running_sums, standings
from prefxl.season.course import MONTH_COLUMNS, RUNNING_COLUMNS
from prefxl.settling import settle_games
from tests.season.seasons import PUBLISHED, by_results, published, random_season


def test_the_last_line_is_the_published_totals():
    frame = cumulative(settle_games(published(), "sochi"))
    assert frame.iloc[-1][list("ABCD")].tolist() == PUBLISHED["total"]


def test_every_line_is_the_sum_so_far():
    frame = cumulative(settle_games(published(), "sochi"))
    so_far = 0
    for index, game in enumerate(PUBLISHED["games"]):
        so_far += game["result"][0]
        assert frame["A"].iat[index] == so_far


def test_lines_go_by_date_and_then_by_the_file():
    days = [datetime.date(2026, 2, 1), datetime.date(2026, 1, 1), None, datetime.date(2026, 2, 1)]
    frame = cumulative(settle_games(by_results([[1, -1]] * 4, dates=days), "sochi"))
    assert list(frame["game"]) == [2, 3, 1, 4]


def test_before_the_first_game_a_value_is_missing_and_later_it_is_kept():
    games = by_results([[5, -5], [1, -1], [2, -2]], [["A", "B"], ["A", "C"], ["C", "B"]])
    frame = cumulative(settle_games(games, "sochi"))
    assert math.isnan(frame["C"].iat[0])
    assert frame["A"].tolist() == [5, 6, 6]


def test_running_sums_end_where_the_table_ends():
    settled = settle_games(random_season(50), "leningrad")
    frame = running_sums(settled)
    assert list(frame.columns) == list(RUNNING_COLUMNS)
    last = frame.groupby("player")["sum_exact"].last().map(Fraction)
    table = standings(settled)
    assert last.to_dict() == {p: Fraction(text) for p, text in zip(table["player"], table["sum_exact"], strict=True)}


def test_running_sums_and_the_wide_table_agree():
    settled = settle_games(random_season(50), "leningrad")
    wide = cumulative(settled).set_index("game")
    for row in running_sums(settled).itertuples():
        assert wide.loc[row.game, row.player] == pytest.approx(row.sum)


def test_a_table_too_large_is_told(monkeypatch):
    monkeypatch.setattr("prefxl.season.course.LARGEST_TABLE", 10)
    with pytest.raises(OptionError, match="take running_sums"):
        cumulative(settle_games(published()))


def test_months_add_up_to_the_season():
    settled = settle_games(random_season(60), "rozaliev", stake=1)
    frame, table = months(settled), standings(settled).set_index("player")
    assert list(frame.columns) == list(MONTH_COLUMNS)
    for name in ("games", "won", "lost", "level", "sum", "money"):
        assert frame.groupby("player")[name].sum().to_dict() == pytest.approx(table[name].to_dict())


def test_months_come_in_order_and_games_without_a_date_last():
    frame = months(settle_games(random_season(60)))
    labels = list(dict.fromkeys(frame["month"]))
    assert labels == ["2026-01", "2026-02", "2026-03", "2026-04", ""]


def test_a_month_shares_ranks_of_equal_sums():
    days = [datetime.date(2026, 1, 5), datetime.date(2026, 2, 5)]
    frame = months(settle_games(by_results([[10, 10, -20], [3, -1, -2]], dates=days), "sochi"))
    assert list(frame["rank"]) == [1, 1, 3, 1, 2, 3]


def test_a_span_without_games_has_no_months():
    settled = settle_games(published())
    assert len(months(settled, since="2026-01-01")) == 0
    assert len(cumulative(settled, since="2026-01-01")) == 0
    assert len(running_sums(settled, since="2026-01-01")) == 0
