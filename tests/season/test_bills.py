"""Payments: every balance is met, no kopeck is lost, and fewest means fewest."""

from __future__ import annotations

import datetime
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prefxl.errors import OptionError
from prefxl.season import payment_differences, payments, standings
from prefxl.season.bills import PAYMENT_COLUMNS
from prefxl.settling import settle_games
from tests.season.seasons import by_results, published, random_season


def received(frame, name="money"):
    """Return what each gets (above 0) or gives."""
    total = {}
    for row in frame.to_dict("records"):
        amount = Fraction(row[name]) if name == "whists_exact" else Fraction(str(round(row[name], 6)))
        total[row["payee"]] = total.get(row["payee"], 0) + amount
        total[row["payer"]] = total.get(row["payer"], 0) - amount
    return {player: amount for player, amount in total.items() if amount}


def fewest_by_force(balances):
    """Return the smallest number of transfers: people less the most groups of zero sum, all partitions tried."""

    def groups(rest):
        if not rest:
            return 0
        first, *others = rest
        return max(
            (
                1 + groups([o for o in others if o not in chosen])
                for size in range(len(others) + 1)
                for chosen in combinations(others, size)
                if balances[first] + sum(balances[o] for o in chosen) == 0
            ),
            default=-len(balances),
        )

    people = [who for who in balances if balances[who]]
    return len(people) - groups(people)


@given(st.lists(st.integers(-6, 6), min_size=2, max_size=5))
@settings(max_examples=40)
def test_the_fewest_transfers_are_the_fewest_there_are(amounts):
    results = [*amounts[:-1], -sum(amounts[:-1])]
    frame = payments(settle_games(by_results([results]), "sochi"))
    balances = {chr(65 + seat): won for seat, won in enumerate(results)}
    assert len(frame) == fewest_by_force(balances)
    assert received(frame, "whists_exact") == {who: won for who, won in balances.items() if won}
    assert frame["proved"].all()


@pytest.mark.parametrize("kind", ["fewest", "pairwise"])
@pytest.mark.parametrize("rounding", ["exact", "debts", "balanced"])
def test_whists_paid_are_the_sums_won(kind, rounding):
    settled = settle_games(random_season(40), "leningrad", rounding=rounding)
    exact = settled if kind == "fewest" else settle_games(settled.games, "leningrad", rounding="exact")
    table = standings(settled if rounding == "debts" else exact)
    expected = {p: Fraction(text) for p, text in zip(table["player"], table["sum_exact"], strict=True) if text != "0"}
    assert received(payments(settled, kind), "whists_exact") == expected


@pytest.mark.parametrize("by", ["season", "date", "game"])
def test_fewest_money_pays_everybody_to_the_kopeck(by):
    settled = settle_games(random_season(40), stake="0.37")
    table = standings(settled)
    expected = {p: Fraction(str(round(m, 2))) for p, m in zip(table["player"], table["money"], strict=True) if m}
    assert received(payments(settled, by=by)) == expected


def test_what_truncation_left_over_is_paid_exactly():
    games = random_season(30)
    settled = settle_games(games, "leningrad", rounding="truncate")
    assert (settled.frame["residual"] != 0).any()
    assert sum(received(payments(settled), "whists_exact").values()) == 0
    assert sum(received(payments(settle_games(games, "leningrad", rounding="truncate", stake=1))).values()) == 0


def test_pairwise_money_is_rounded_once_a_pair_and_the_list_says_by_how_much_it_differs():
    settled = settle_games(random_season(30), "leningrad", stake="0.01")
    frame, differences = payments(settled, "pairwise"), payment_differences(settled)
    money = standings(settled).set_index("player")["money"]
    pairs = received(frame)
    told = differences.set_index("player")["difference"].to_dict()
    for player, won in money.items():
        assert float(pairs.get(player, 0)) - won == pytest.approx(told.get(player, 0), abs=1e-9)
    assert len(told) > 0
    notes = "; ".join(frame["note"])
    assert all(player in notes for player in told)


def test_an_evening_is_settled_by_itself():
    days = [datetime.date(2026, 1, day) for day in (1, 1, 2)]
    frame = payments(settle_games(by_results([[5, -5], [-5, 5], [7, -7]], dates=days), "sochi"), by="date")
    assert frame[["period", "payer", "payee", "whists_exact"]].to_numpy().tolist() == [[days[2], "B", "A", "7"]]


def test_games_with_and_without_a_stake_are_paid_apart():
    stakes = {"stake": np.array(["0,5", None], dtype=object)}
    settled = settle_games(by_results([[10, -10], [4, -4]], settings=stakes), "sochi")
    frame = payments(settled)
    assert frame["money"].dropna().tolist() == [5.0]
    assert [text for text in frame["whists_exact"] if text] == ["4"]
    assert payments(settled, unit="whists")["whists_exact"].tolist() == ["14"]
    assert payments(settled, unit="money")["money"].tolist() == [5.0]


def test_more_than_twelve_people_are_labelled_not_proved():
    players = [[f"P{2 * n}", f"P{2 * n + 1}"] for n in range(7)]
    frame = payments(settle_games(by_results([[n + 1, -n - 1] for n in range(7)], players), "sochi"), lang="en")
    assert not frame["proved"].any()
    assert set(frame["note"]) == {"not proved to be the fewest"}
    assert sum(received(frame, "whists_exact").values()) == 0


def test_the_frame_has_fixed_columns_even_when_nobody_pays():
    settled = settle_games(by_results([[0, 0]]), "sochi")
    for kind in ("fewest", "pairwise"):
        assert list(payments(settled, kind).columns) == list(PAYMENT_COLUMNS)
        assert len(payments(settled, kind)) == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"by": "year"}, "not by 'year'"),
        ({"unit": "gold"}, "not in 'gold'"),
        ({"unit": "money"}, "no game has a stake"),
    ],
)
def test_options_without_a_meaning_are_told(options, told):
    with pytest.raises(OptionError, match=told):
        payments(settle_games(published(), "sochi"), **options)
