"""Ratings: the source's own numbers, and a law: what a game gives to some it takes from others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prefxl.errors import OptionError
from prefxl.season import rating_history, ratings
from prefxl.season.ratings import HISTORY_COLUMNS, RATING_COLUMNS, Elo
from prefxl.settling import settle_games
from tests.season.seasons import by_results, published, random_season


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([1200, 1000], [1207.68809835, 992.31190165]),
        ([900, 1000], [920.48207999, 979.51792001]),
        ([1200, 900, 1000], [1208.34629612, 910.43382278, 981.21988111]),
    ],
)
def test_the_examples_of_the_source_come_out(before, after):
    changes = Elo().changes(before, list(range(len(before), 0, -1)))
    assert [own + change for own, change in zip(before, changes, strict=True)] == pytest.approx(after, abs=1e-8)


@given(st.lists(st.tuples(st.floats(0, 3000), st.integers(-900, 900)), min_size=2, max_size=5), st.floats(1, 64))
def test_the_changes_of_a_game_sum_to_zero(seats, k):
    changes = Elo(k=k).changes([rating for rating, _ in seats], [won for _, won in seats])
    assert sum(changes) == pytest.approx(0, abs=1e-9)


def test_equal_ratings_and_equal_results_change_nothing():
    assert Elo().changes([1500.0] * 4, [0, 0, 0, 0]) == [0.0] * 4


def test_the_order_of_the_seats_does_not_matter():
    one = Elo().changes([1200, 900, 1000], [5, -8, 3])
    other = Elo().changes([1000, 1200, 900], [3, 5, -8])
    assert [one[2], one[0], one[1]] == pytest.approx(other)


def test_a_season_keeps_the_mean_rating():
    settled = settle_games(random_season(60, players=8))
    frame = ratings(settled, start=1500)
    assert frame["rating"].mean() == pytest.approx(1500)
    assert list(frame.columns) == list(RATING_COLUMNS)
    assert frame["rating"].is_monotonic_decreasing


def test_the_history_ends_where_the_ratings_stand():
    settled = settle_games(random_season(40))
    history = rating_history(settled)
    assert list(history.columns) == list(HISTORY_COLUMNS)
    last = history.groupby("player")["after"].last().to_dict()
    frame = ratings(settled)
    assert last == dict(zip(frame["player"], frame["rating"], strict=True))
    assert history.groupby("game")["change"].sum().abs().max() < 1e-9


def test_a_winner_rises_above_a_loser():
    frame = ratings(settle_games(by_results([[9, -9]]), "sochi"))
    assert list(frame["player"]) == ["A", "B"]
    assert frame["rating"].tolist() == [1016.0, 984.0]


def test_equal_ratings_share_a_rank():
    frame = ratings(settle_games(by_results([[9, 9, -18]]), "sochi"))
    assert list(frame["rank"]) == [1, 1, 3]


def test_the_published_season_rates_its_best_player_first():
    assert ratings(settle_games(published(), "sochi"))["player"].iloc[0] == "D"


def test_no_games_no_ratings():
    settled = settle_games(published())
    assert len(ratings(settled, since="2026-01-01")) == 0
    assert len(rating_history(settled, since="2026-01-01")) == 0


@pytest.mark.parametrize("wrong", [{"k": 0}, {"scale": -1}])
def test_a_k_or_scale_of_nothing_is_refused(wrong):
    with pytest.raises(OptionError, match="must be above 0"):
        ratings(settle_games(published()), **wrong)
