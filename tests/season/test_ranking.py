"""The season's table: the published season, and independent arithmetic on random ones."""

from __future__ import annotations

import datetime
from fractions import Fraction
from statistics import median

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prefxl.errors import OptionError, SettlementMissingError
from prefxl.season import standings
from prefxl.season.ranking import STANDING_COLUMNS
from prefxl.settling import settle_games
from tests.season.seasons import PUBLISHED, by_results, published, random_season


def column(frame, name):
    return dict(zip(frame["player"], frame[name], strict=True))


def results_of(settled):
    """Return each player's exact results in the order of the dates, added up by hand."""
    found = {}
    position = {game: index for index, game in enumerate(settled.games.game)}
    days, last = {}, datetime.date.min
    for game, date in zip(settled.games.game, settled.games.date, strict=True):
        last = date if date is not None else last
        days[game] = last
    steps = settled.steps
    rows = sorted(
        zip(steps["game"], steps["player"], steps["result_exact"], strict=True),
        key=lambda row: (days[row[0]], position[row[0]]),
    )
    for _, player, result in rows:
        found.setdefault(player, []).append(Fraction(result))
    return found


def test_the_published_season_has_its_published_totals():
    frame = standings(settle_games(published(), "sochi"))
    assert column(frame, "sum") == dict(zip("ABCD", PUBLISHED["total"], strict=True))
    assert list(frame["player"]) == ["D", "A", "C", "B"]
    assert list(frame.columns) == list(STANDING_COLUMNS)


def test_every_column_is_what_a_hand_makes_of_the_steps():
    settled = settle_games(random_season(60), "rozaliev")
    frame = standings(settled).set_index("player")
    for player, won in results_of(settled).items():
        line = frame.loc[player]
        assert line["games"] == len(won)
        assert line["sum"] == float(sum(won))
        assert Fraction(line["sum_exact"]) == sum(won)
        assert line["average"] == pytest.approx(float(sum(won) / len(won)))
        assert line["median"] == float(median(won))
        assert (line["best"], line["worst"]) == (float(max(won)), float(min(won)))
        assert (line["won"], line["lost"]) == (sum(r > 0 for r in won), sum(r < 0 for r in won))
        assert line["won"] + line["lost"] + line["level"] == line["games"]
        assert line["games_share"] == len(won) / 60
        assert line["form"] == "".join("▲" if r > 0 else "▼" if r < 0 else "●" for r in won[-5:])


def runs(won):
    signs = [(r > 0) - (r < 0) for r in won]
    found = [[signs[0], 0]]
    for sign in signs:
        if sign != found[-1][0]:
            found.append([sign, 0])
        found[-1][1] += 1
    return found


def test_streaks_are_the_runs_of_games_with_one_sign():
    settled = settle_games(random_season(80, players=6), "leningrad")
    frame = standings(settled).set_index("player")
    for player, won in results_of(settled).items():
        found = runs(won)
        assert frame.loc[player, "streak"] == found[-1][0] * found[-1][1]
        assert frame.loc[player, "longest_won"] == max([length for sign, length in found if sign > 0], default=0)
        assert frame.loc[player, "longest_lost"] == max([length for sign, length in found if sign < 0], default=0)


def test_what_stood_on_the_sheets_is_summed():
    settled = settle_games(random_season(40))
    frame = standings(settled).set_index("player")
    long = settled.games.long
    for name in ("pulya", "gora"):
        assert long.groupby("player")[name].sum().to_dict() == frame[name].to_dict()
    written = long.set_index("player")[[f"whists_{n}" for n in range(1, 6)]].sum(axis=1).groupby("player").sum()
    assert written.to_dict() == frame["whists_written"].to_dict()
    assert frame["whists_received"].sum() == frame["whists_written"].sum()


def test_money_is_the_sum_of_every_games_money():
    settled = settle_games(random_season(40), stake="0.07")
    expected = settled.steps.groupby("player")["money"].sum().round(2).to_dict()
    assert column(standings(settled), "money") == pytest.approx(expected)
    assert round(standings(settled)["money"].sum(), 6) == 0


def test_money_is_missing_without_a_stake():
    assert standings(settle_games(published()))["money"].isna().all()


def test_equal_sums_share_a_rank_and_it_is_stated():
    frame = standings(settle_games(by_results([[10, 10, -20], [5, 5, -10]]), "sochi"))
    assert list(frame["rank"]) == [1, 1, 3]
    assert list(frame["shared"]) == [True, True, False]


def test_a_tie_is_decided_on_exact_numbers():
    thirds = by_results([[1, 0, -1]] * 3, [["A", "B", "C"]] * 3)
    frame = standings(settle_games(thirds, "sochi"), by="average")
    assert list(frame["rank"]) == [1, 2, 3]


def test_by_average_and_by_share_rank_otherwise():
    games = by_results([[100, -100], [-10, 10], [-10, 10]], [["A", "B"], ["A", "C"], ["A", "B"]])
    settled = settle_games(games, "sochi")
    assert next(iter(standings(settled, by="sum")["player"])) == "A"
    assert next(iter(standings(settled, by="доля")["player"])) == "C"
    assert column(standings(settled, by="average"), "average") == {"A": 80 / 3, "B": -45.0, "C": 10.0}


def test_players_with_too_few_games_stand_below_without_a_rank():
    games = by_results([[100, -100], [-10, 10], [-10, 10]], [["A", "B"], ["A", "C"], ["A", "B"]])
    frame = standings(settle_games(games, "sochi"), min_games=2)
    assert list(frame["player"]) == ["A", "B", "C"]
    assert frame["rank"].isna().tolist() == [False, False, True]


def test_first_counts_the_games_nobody_won_more_in():
    frame = standings(settle_games(by_results([[30, 30, -60], [50, 20, -70]]), "sochi"))
    assert column(frame, "first") == {"A": 2, "B": 1, "C": 0}


def test_since_and_until_count_both_days():
    days = [datetime.date(2026, 1, day) for day in (1, 2, 3)]
    settled = settle_games(by_results([[1, -1], [10, -10], [100, -100]], dates=days), "sochi")
    assert column(standings(settled, since="2026-01-02", until="03.01.2026"), "sum")["A"] == 110


def test_a_game_without_a_date_is_left_out_of_a_span():
    days = [datetime.date(2026, 1, 1), None]
    settled = settle_games(by_results([[1, -1], [10, -10]], dates=days), "sochi")
    assert column(standings(settled, since="2026-01-01"), "sum")["A"] == 1


def test_a_day_that_is_none_is_told():
    with pytest.raises(OptionError, match="is not a day"):
        standings(settle_games(published()), since="soon")


def test_the_users_column_of_tables_chooses_games():
    own = pd.DataFrame({"Стол": [1, 1, 2, 2]})
    settled = settle_games(by_results([[1, -1], [10, -10]], own=own), "sochi")
    assert column(standings(settled, table=2), "sum") == {"A": 10, "B": -10}
    with pytest.raises(SettlementMissingError, match="no game was played at table '7'"):
        standings(settled, table="7")


def test_without_a_column_of_tables_none_can_be_chosen():
    with pytest.raises(OptionError, match="no column of tables"):
        standings(settle_games(published()), table="1")


def test_a_player_alone_keeps_the_rank_among_all():
    settled = settle_games(published(), "sochi")
    assert list(standings(settled, player="A")["rank"]) == [2]
    with pytest.raises(SettlementMissingError, match="nobody is called 'Z'"):
        standings(settled, player="Z")


def test_an_unknown_order_is_told():
    with pytest.raises(OptionError, match="not by 'luck'"):
        standings(settle_games(published()), by="luck")


def test_a_season_without_games_is_an_empty_table():
    settled = settle_games(published())
    frame = standings(settled, since="2026-01-01")
    assert len(frame) == 0
    assert list(frame.columns) == list(STANDING_COLUMNS)


@given(st.integers(1, 40), st.integers(0, 10**6), st.sampled_from(["exact", "debts", "balanced"]))
@settings(max_examples=15)
def test_the_sums_of_a_season_cancel(games, seed, rounding):
    frame = standings(settle_games(random_season(games, seed=seed), rounding=rounding))
    assert sum(Fraction(text) for text in frame["sum_exact"]) == 0


def test_huge_scores_do_not_overflow():
    huge = 10**9
    settled = settle_games(by_results([[huge, -huge, 0, 0, 0]] * 40), "rozaliev", rounding="exact")
    assert column(standings(settled), "sum_exact")["A"] == str(40 * huge)
