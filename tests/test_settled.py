"""A settled season: its frames, the terms of single games, and what cannot be settled."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import prefxl
from prefxl.findings import Severity
from prefxl.games import Games, join
from prefxl.settled import STEP_COLUMNS
from prefxl.tables import Table


def objects(values):
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def season(gora_of_second=(1, 2, 3, 0), **settings):
    """Two games: three players, then four; gora in whole points."""
    gora = np.array([[0, 2 * gora_of_second[0]], [0, 2 * gora_of_second[1]], [1, 2 * gora_of_second[2]],
                     [0, 2 * gora_of_second[3]]])  # fmt: skip
    whists = np.zeros((4, 4, 2), np.int64)
    whists[0, 1] = [20, 40]
    return Games(
        game=objects([1, "вторая"]),
        date=objects([date(2026, 1, 9), None]),
        seats=np.array([3, 4]),
        players=np.array([["Аня", "Боря"], ["Боря", "Вера"], ["Вера", "Аня"], [None, "Гена"]], dtype=object),
        pulya=np.array([[96, 40], [96, 40], [108, 40], [0, 40]]),
        gora=gora,
        whists=whists,
        settings={name: objects(values) for name, values in settings.items()},
        own=pd.DataFrame({"Заметка": list("абвгдеж")}),
        tables=(
            Table("club.xlsx", "Май", "wide", 1, 2, 3, 1, 30, {"game": 1, "pulya_1": 3, "corrected": 9, "stake": 10}),
        ),
        table=np.array([0, 0]),
        rows=np.array([[2, 3]] * 4),
    )


def test_the_steps_have_a_row_a_player_and_the_columns_in_order():
    steps = season().settle("leningrad").steps
    assert list(steps.columns) == [*STEP_COLUMNS, "Заметка"]
    assert len(steps) == 7
    assert steps["seat"].tolist() == [1, 2, 3, 1, 2, 3, 4]
    assert steps["Заметка"].tolist() == list("абвгдеж")


def test_every_number_of_the_steps_is_that_of_the_single_sheet():
    settled = season().settle("rozaliev", stake="0.5")
    for position in range(2):
        one = settled.settlement(position)
        rows = settled.steps.iloc[settled.games.offsets[position] : settled.games.offsets[position + 1]]
        assert [Fraction(text) for text in rows["result_exact"]] == one.result_exact
        assert rows["money"].tolist() == [float(won) for won in one.money]
        for step in ("adjusted_gora", "amnestied_gora", "debt", "final_gora", "saldo", "correction", "result"):
            assert rows[step].tolist() == pytest.approx([float(number) for number in one.steps[step]])


def test_the_frame_has_a_row_a_game():
    frame = season().settle("sochi").frame
    assert frame["game"].tolist() == [1, "вторая"]
    assert np.isnan(frame.loc[0, "result_4"])
    assert frame.loc[1, ["result_1", "result_2", "result_3", "result_4"]].sum() == 0


def test_pairs_add_up_to_the_results():
    settled = season().settle("sochi")
    pairs = settled.pairs
    assert len(pairs) == 3 * 2 + 4 * 3
    sums = pairs.groupby(["game", "player"], sort=False)["result"].sum()
    for row in settled.steps.itertuples():
        assert sums[row.game, row.player] == pytest.approx(row.result)


def test_a_games_own_columns_go_before_the_arguments():
    settled = season(convention=["сочинка", None], stake=[None, "0,1"]).settle("leningrad")
    assert [terms.convention.name for terms in settled.terms] == ["sochi", "leningrad"]
    assert settled.steps["money"].isna().tolist() == [True] * 3 + [False] * 4


def test_a_convention_of_its_own_brings_its_rounding_unless_one_was_asked_for():
    own = season(convention=["rozaliev", None])
    assert [terms.rounding for terms in own.settle("sochi").terms] == ["debts", "exact"]
    assert [terms.rounding for terms in own.settle("sochi", rounding="balanced").terms] == ["balanced", "balanced"]


@pytest.mark.parametrize("places", [0, 3])
def test_a_stake_of_the_sheet_is_paid_in_the_minor_units_that_are_asked_for(places):
    settled = season(stake=["0,005", "0,5"]).settle("sochi", minor_units=places)
    assert [terms.stake.minor_units for terms in settled.terms] == [places, places]


def test_a_setting_that_means_nothing_costs_its_game_only():
    settled = season(stake=["много", None]).settle("sochi")
    assert settled.games.game.tolist() == ["вторая"]
    assert [(finding.reason, finding.where, finding.found) for finding in settled.problems] == [
        ("unknown-setting", "club.xlsx!Май!J2", "много")
    ]
    assert settled.steps["Заметка"].tolist() == list("гдеж")


def test_gora_that_is_not_whole_costs_its_game_only():
    settled = season().settle("sochi", rounding="divisible")
    assert settled.games.game.tolist() == ["вторая"]
    (problem,) = settled.problems
    assert (problem.reason, problem.severity, problem.where) == ("cannot-settle", Severity.ERROR, "club.xlsx!Май!A2")
    assert problem.details["game"] == 1


def test_who_is_corrected_may_be_named_game_by_game():
    games = season(gora_of_second=(0, 0, 1, 0), corrected=[None, "Гена"])
    settled = games.take(np.array([1])).settle("sochi", rounding="divisible")
    assert settled.settlement(0).corrections == {"Гена": -1}
    assert settled.steps["correction"].tolist() == [3, 3, 3, -9]


def test_in_a_sheet_seats_count_from_one():
    games = season(gora_of_second=(0, 0, 1, 0), corrected=[None, 2]).take(np.array([1]))
    assert games.settle("sochi", rounding="divisible").settlement(0).corrections == {"Вера": -1}


def test_a_corrected_player_who_does_not_play_is_a_finding():
    settled = season(corrected=[None, "Дима"]).settle("sochi", rounding="divisible-debts")
    assert "unknown-corrected" in [finding.reason for finding in settled.problems]


@pytest.mark.parametrize(
    ("corrected", "told"), [("Гена", []), ("", []), ("4", []), (3, []), ("Геша", ["Геша"]), ("5", ["5"])]
)
def test_a_name_given_for_the_season_that_nobody_has_is_a_warning(corrected, told):
    findings = season().settle("sochi", corrected=corrected).findings
    found = [finding for finding in findings if finding.reason == "nobody-corrected"]
    assert [(one.found, one.severity, one.file) for one in found] == [
        (name, Severity.WARNING, "club.xlsx") for name in told
    ]


def test_where_rozaliev_and_leningrad_part_a_note_tells_what_the_other_gives():
    notes = [finding for finding in season().settle().findings if finding.reason == "unequal-pulyas"]
    (note,) = notes
    other = season().settle("leningrad").settlement(0)
    assert note.found == ", ".join(f"{name} {won}" for name, won in zip(other.players, other.result_exact, strict=True))
    assert note.where == "club.xlsx!Май!A2"


@pytest.mark.parametrize(("target", "noted"), [("mean", True), ("largest", False), (60, False), (9, True)])
def test_where_an_agreed_pulya_leaves_the_two_alike_nothing_is_noted(target, noted):
    settled = season().settle("rozaliev", rounding="exact", target=target)
    other = season().settle("leningrad")
    assert (settled.steps["result_exact"].tolist() != other.steps["result_exact"].tolist()) is noted
    assert ("unequal-pulyas" in [finding.reason for finding in settled.findings]) is noted


def test_a_residual_of_truncate_is_a_warning_and_the_money_is_exact():
    settled = season(gora_of_second=(0, 0, 1, 0)).settle("prefcount-sochi", stake=1)
    (warning,) = [finding for finding in settled.findings if finding.reason == "truncation-residual"]
    assert warning.severity is Severity.WARNING
    assert settled.steps.groupby("game", sort=False)["money"].sum().round(9).tolist() == [0, 0]


def test_an_argument_that_means_nothing_is_refused():
    with pytest.raises(prefxl.RulesError, match="no convention"):
        season().settle("bridge")
    with pytest.raises(prefxl.OptionError, match="stake"):
        season().settle(stake="x")


def test_joined_seasons_keep_every_game_and_its_place():
    both = join([season(), season(stake=[1, 2])])
    assert len(both) == 4
    assert both.table.tolist() == [0, 0, 1, 1]
    assert both.settings["stake"].tolist() == [None, None, 1, 2]
    assert len(both.own) == 14
    assert both.settle("sochi").steps["result_exact"].tolist() == season().settle("sochi").steps[
        "result_exact"
    ].tolist() * 2  # fmt: skip


def test_a_game_is_found_by_its_name():
    games = season()
    assert games.find("1") == 0
    assert games.find("вторая") == 1
    with pytest.raises(prefxl.PrefxlError, match="there is no game '7'"):
        games.find(7)


def test_the_cell_of_a_value_is_told():
    assert season().cell(1, "pulya", 0) == ("club.xlsx", "Май", "C3")
    assert season().cell(1, "gora", 0) == ("club.xlsx", "Май", "")


def test_settling_changes_nothing_of_the_games():
    games = season()
    before = (games.pulya.copy(), games.gora.copy(), games.whists.copy(), games.own.copy())
    games.settle("rozaliev").steps  # noqa: B018
    assert all((a == b).all() for a, b in zip(before[:3], (games.pulya, games.gora, games.whists), strict=True))
    assert before[3].equals(games.own)


def test_an_empty_season_settles_to_nothing():
    settled = season().take(np.array([], dtype=int)).settle()
    assert len(settled) == 0
    assert len(settled.steps) == 0
    assert len(settled.pairs) == 0
