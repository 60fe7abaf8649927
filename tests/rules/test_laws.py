"""The laws of the settlement on random sheets, and the package against the independent oracle."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import prefxl
from tests import oracle
from tests.strategies import sheets

CONVENTIONS = st.sampled_from(sorted(oracle.RULES))
ROUNDINGS = st.sampled_from(prefxl.ROUNDINGS)
ZERO_SUM = st.sampled_from([name for name in prefxl.ROUNDINGS if name != "truncate"])


def settle(sheet, convention="rozaliev", rounding=None, **options):
    return prefxl.settle(sheet.pulya, sheet.gora, sheet.whists, convention=convention, rounding=rounding, **options)


def settle_or_skip(sheet, convention, rounding, **options):
    try:
        return settle(sheet, convention, rounding, **options)
    except prefxl.RulesError:
        assert rounding.startswith("divisible")
        assume(False)


@given(sheets(), CONVENTIONS, ROUNDINGS, st.none() | st.integers(0, 1))
@settings(max_examples=200)
def test_every_step_is_the_oracles(sheet, convention, rounding, corrected):
    rules = oracle.RULES[convention]
    try:
        expected = oracle.settle(sheet.pulya, sheet.gora, sheet.whists, rules, rounding, corrected)
    except oracle.NotWhole:
        with pytest.raises(prefxl.RulesError, match="not whole"):
            settle(sheet, convention, rounding, corrected=corrected)
        return
    settled = settle(sheet, convention, rounding, corrected=corrected)
    assert settled.result_exact == expected["result"]
    for step in ("amnestied_gora", "debt", "final_gora", "saldo", "pair_results"):
        assert getattr(settled, step) == expected[step], step


@given(sheets(), st.sampled_from(["mean", "largest", 0, 20, "12,5"]), st.integers(0, 3), st.integers(0, 3))
def test_house_rules_are_the_oracles(sheet, target, below, above):
    settled = settle(sheet, "sochi", "exact", target=target, below=below, above=above, whists_per_gora=7)
    goal = Fraction(25, 2) if target == "12,5" else target
    expected = oracle.settle(sheet.pulya, sheet.gora, sheet.whists, (goal, below, above), "exact", value=7)
    assert settled.result_exact == expected["result"]


@given(sheets(), st.sampled_from(["others", "one"]), st.sampled_from(["exact", "debts", "truncate", "balanced"]))
def test_a_divisor_other_than_the_players_changes_only_the_weight_of_gora(sheet, divisor, rounding):
    number = {"others": sheet.players - 1, "one": 1}[divisor]
    settled = settle(sheet, "leningrad", rounding, divisor=divisor)
    expected = oracle.settle(sheet.pulya, sheet.gora, sheet.whists, oracle.RULES["leningrad"], rounding, divisor=number)
    assert settled.result_exact == expected["result"]


@given(sheets(), CONVENTIONS, ZERO_SUM)
def test_results_sum_to_zero(sheet, convention, rounding):
    assert sum(settle_or_skip(sheet, convention, rounding).result_exact) == 0


@given(sheets(), CONVENTIONS)
def test_the_residual_of_truncate_is_what_lacks_to_zero(sheet, convention):
    settled = settle(sheet, convention, "truncate")
    assert settled.residual == -sum(settled.result_exact)


@given(sheets(), CONVENTIONS, ROUNDINGS)
def test_pair_results_are_antisymmetric_and_add_up(sheet, convention, rounding):
    settled = settle_or_skip(sheet, convention, rounding)
    pairs = settled.pair_results
    assert all(pairs[i][j] == -pairs[j][i] for i in range(sheet.players) for j in range(sheet.players))
    explained = settled.exact.result.exact() if rounding in ("truncate", "balanced") else settled.result_exact
    assert [sum(row) for row in pairs] == explained


@given(sheets(), CONVENTIONS, ROUNDINGS)
def test_result_is_final_gora_and_saldo_and_correction(sheet, convention, rounding):
    steps = settle_or_skip(sheet, convention, rounding).steps
    parts = zip(steps["final_gora"], steps["saldo"], steps["correction"], strict=True)
    assert [sum(part) for part in parts] == steps["result"]


@given(sheets(), CONVENTIONS, ROUNDINGS, st.integers(-50, 50))
def test_a_constant_on_every_gora_changes_nothing(sheet, convention, rounding, constant):
    before = settle_or_skip(sheet, convention, rounding)
    moved = prefxl.settle(
        sheet.pulya, [g + constant for g in sheet.gora], sheet.whists, convention=convention, rounding=rounding
    )
    assert moved.result_exact == before.result_exact


@given(sheets(), CONVENTIONS, ROUNDINGS, st.integers(-50, 50))
def test_the_same_number_written_both_ways_changes_nothing(sheet, convention, rounding, number):
    before = settle_or_skip(sheet, convention, rounding)
    whists = [list(row) for row in sheet.whists]
    whists[0][1] += number
    whists[1][0] += number
    after = prefxl.settle(sheet.pulya, sheet.gora, whists, convention=convention, rounding=rounding)
    assert after.result_exact == before.result_exact


@given(sheets(), st.sampled_from(["sochi", "leningrad"]), st.integers(0, 30), st.sampled_from(["mean", 20, 7]))
def test_under_a_symmetric_rule_neither_the_target_nor_a_constant_pulya_matters(sheet, convention, constant, target):
    before = settle(sheet, convention, "exact")
    moved = prefxl.settle(
        [p + constant for p in sheet.pulya], sheet.gora, sheet.whists, convention=convention, target=target
    )
    assert moved.result_exact == before.result_exact


@given(sheets(), CONVENTIONS, st.sampled_from(["exact", "debts", "truncate"]), st.randoms())
def test_reseating_permutes_the_results(sheet, convention, rounding, random):
    seats = list(range(sheet.players))
    random.shuffle(seats)
    reseated = prefxl.settle(
        [sheet.pulya[i] for i in seats],
        [sheet.gora[i] for i in seats],
        [[sheet.whists[i][j] for j in seats] for i in seats],
        convention=convention,
        rounding=rounding,
    )
    before = settle(sheet, convention, rounding).result_exact
    assert reseated.result_exact == [before[i] for i in seats]


@given(st.lists(sheets(min_players=4, max_players=4), min_size=1, max_size=12), CONVENTIONS, ROUNDINGS)
def test_one_sheet_is_the_same_sheet_in_a_batch(batch, convention, rounding):
    singles = [settle_or_skip(sheet, convention, rounding) for sheet in batch]
    many = prefxl.settle(
        np.array([[float(p) for p in sheet.pulya] for sheet in batch]),
        np.array([[float(g) for g in sheet.gora] for sheet in batch]),
        np.array([sheet.whists for sheet in batch]),
        convention=convention,
        rounding=rounding,
        stake="0.3",
    )
    assert many.result_exact.tolist() == [single.result_exact for single in singles]
    assert many.pair_results.tolist() == [
        [[float(number) for number in row] for row in single.pair_results] for single in singles
    ]
    alone = [settle(sheet, convention, rounding, stake="0.3").money for sheet in batch]
    assert many.money.tolist() == [[float(won) for won in row] for row in alone]


@given(sheets(), CONVENTIONS, ROUNDINGS)
def test_settling_twice_gives_the_same_and_changes_no_input(sheet, convention, rounding):
    copy = ([*sheet.pulya], [*sheet.gora], [[*row] for row in sheet.whists])
    first = settle_or_skip(sheet, convention, rounding)
    assert settle(sheet, convention, rounding).result_exact == first.result_exact
    assert (sheet.pulya, sheet.gora, sheet.whists) == copy


@given(sheets(), CONVENTIONS)
def test_balanced_is_within_one_and_debts_within_n_minus_one_and_a_half(sheet, convention):
    exact = settle(sheet, convention, "exact").result_exact
    for rounding, bound in (("balanced", 1), ("debts", Fraction(2 * sheet.players - 3, 2))):
        rounded = settle(sheet, convention, rounding).result_exact
        distance = max(abs(a - b) for a, b in zip(exact, rounded, strict=True))
        assert distance < bound if rounding == "balanced" else distance <= bound


@given(sheets())
def test_rozaliev_less_leningrad_is_ten_times_mean_surplus_less_own(sheet):
    mean = Fraction(sum(sheet.pulya), sheet.players)
    above = [max(p - mean, Fraction(0)) for p in sheet.pulya]
    share = sum(above) / sheet.players
    rozaliev, leningrad = (settle(sheet, name, "exact").result_exact for name in ("rozaliev", "leningrad"))
    assert [a - b for a, b in zip(rozaliev, leningrad, strict=True)] == [10 * (share - x) for x in above]


def test_american_aid_is_neutral_at_10_under_sochi():
    before = prefxl.settle([26, 18, 19], [5, 0, 0], [[0] * 3] * 3, convention="sochi")
    after = prefxl.settle([20] * 3, [2, 0, 0], [[0, 20, 10], [0] * 3, [0] * 3], convention="sochi")
    assert before.result_exact == after.result_exact == [Fraction(50, 3), Fraction(-40, 3), Fraction(-10, 3)]


def test_american_aid_is_neutral_at_20_under_leningrad():
    before = prefxl.settle([26, 18, 19], [10, 0, 0], [[0] * 3] * 3, convention="leningrad")
    after = prefxl.settle([20] * 3, [4, 0, 0], [[0, 40, 20], [0] * 3, [0] * 3], convention="leningrad")
    assert before.result_exact == after.result_exact
