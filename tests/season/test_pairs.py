"""Head to head: rows that add up to the players' sums, and games together."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prefxl.errors import OptionError
from prefxl.season import games_together, head_to_head, meetings, standings
from prefxl.season.pairs import MEETING_COLUMNS
from prefxl.settling import settle_games
from tests.season.seasons import by_results, published, random_season


@given(
    st.integers(1, 30),
    st.integers(0, 10**6),
    st.sampled_from(["rozaliev", "leningrad", "sochi"]),
    st.sampled_from(["exact", "debts"]),
)
@settings(max_examples=15)
def test_rows_add_up_to_the_players_sums(games, seed, convention, rounding):
    settled = settle_games(random_season(games, seed=seed), convention, rounding=rounding)
    sums = standings(settled).set_index("player")["sum"]
    rows = head_to_head(settled).sum(axis=1)
    assert rows.to_dict() == pytest.approx(sums.to_dict())


def test_rows_add_up_exactly_pair_by_pair():
    settled = settle_games(random_season(40), "leningrad", rounding="exact")
    exact = {}
    for player, whists in zip(*(meetings(settled)[name] for name in ("player", "whists_exact")), strict=True):
        exact[player] = exact.get(player, Fraction(0)) + Fraction(whists)
    table = standings(settled)
    assert exact == {player: Fraction(text) for player, text in zip(table["player"], table["sum_exact"], strict=True)}


def test_under_truncation_rows_add_up_to_the_exact_sums():
    games = random_season(30)
    exact = standings(settle_games(games, "leningrad", rounding="exact")).set_index("player")["sum"]
    rows = head_to_head(settle_games(games, "leningrad", rounding="truncate")).sum(axis=1)
    assert rows.to_dict() == pytest.approx(exact.to_dict())


def test_what_one_wins_the_other_loses():
    square = head_to_head(settle_games(random_season(30))).to_numpy()
    assert np.array_equal(square, -square.T)
    assert not square.diagonal().any()


def test_players_stand_in_the_order_of_the_standings():
    settled = settle_games(random_season(30))
    assert list(head_to_head(settled).index) == list(standings(settled)["player"])
    assert list(head_to_head(settled).columns) == list(games_together(settled).columns)


def test_pairs_are_those_of_the_settled_frame():
    settled = settle_games(random_season(25), "rozaliev")
    expected = settled.pairs.groupby(["player", "opponent"])["result"].agg(["size", "sum"])
    for row in meetings(settled).itertuples():
        assert (row.games, row.whists) == pytest.approx(tuple(expected.loc[(row.player, row.opponent)]))


def test_games_together_have_all_games_on_the_diagonal():
    together = games_together(settle_games(by_results([[1, -1], [2, -2]], [["A", "B"], ["A", "C"]]), "sochi"))
    assert together.loc["A"].to_dict() == {"A": 2, "B": 1, "C": 1}
    assert together.loc["B", "C"] == 0


def test_the_published_season_meets_thirteen_times():
    assert (games_together(settle_games(published(), "sochi")).to_numpy() == 13).all()


def test_a_span_without_games_is_an_empty_table():
    settled = settle_games(published())
    assert head_to_head(settled, since="2026-01-01").shape == (0, 0)
    assert list(meetings(settled, since="2026-01-01").columns) == list(MEETING_COLUMNS)


def test_too_many_players_for_a_square_are_told(monkeypatch):
    monkeypatch.setattr("prefxl.season.pairs.LARGEST_SQUARE", 3)
    with pytest.raises(OptionError, match="4 players is too large"):
        head_to_head(settle_games(published()))
