"""Many sheets at once: shapes, types, bounds."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import prefxl
from prefxl import alone
from prefxl.errors import RulesError, SheetError

ZERO = np.zeros((2, 3, 3), int)


def test_plain_lists_of_rows_and_of_columns_are_told_apart_by_the_whists():
    by_rows = prefxl.settle([[1, 2, 3], [4, 5, 6]], [[0] * 3] * 2, ZERO.tolist())
    by_columns = prefxl.settle([[1, 4], [2, 5], [3, 6]], [[0, 0]] * 3, [[[0, 0]] * 3] * 3)
    assert by_rows.result_exact.tolist() == by_columns.result_exact.tolist()
    assert len(by_rows) == 2


def test_a_frame_of_seats_is_taken():
    settled = prefxl.settle(pd.DataFrame([[1, 2, 3]]), pd.DataFrame([[0, 0, 0.5]]), np.zeros((1, 3, 3)))
    single = prefxl.settle([1, 2, 3], [0, 0, 0.5], [[0] * 3] * 3)
    assert settled.result_exact[0].tolist() == single.result_exact


def test_the_diagonal_may_be_left_out():
    column = np.array([0, 0])
    matrix = [[None if i == j else column for j in range(3)] for i in range(3)]
    settled = prefxl.settle([column + 1, column, column], [column] * 3, matrix, convention="sochi")
    assert settled.result_exact[0].tolist() == [Fraction(20, 3), Fraction(-10, 3), Fraction(-10, 3)]


def test_whists_on_oneself_name_the_game():
    whists = ZERO.copy()
    whists[1, 2, 2] = 4
    with pytest.raises(SheetError, match="player 3 has whists written on themselves in game 1: 4"):
        prefxl.settle(np.zeros((2, 3), int), np.zeros((2, 3), int), whists)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_missing_score_is_refused(value):
    gora = np.zeros((2, 3))
    gora[0, 0] = value
    with pytest.raises(SheetError, match="missing"):
        prefxl.settle(np.zeros((2, 3)), gora, ZERO)


def test_fractions_other_than_halves_are_refused_in_float_columns():
    with pytest.raises(SheetError, match="fractions other than halves"):
        prefxl.settle(np.full((2, 3), 0.1), np.zeros((2, 3)), ZERO)


def test_columns_of_fractions_are_exact():
    thirds = np.array([[Fraction(1, 3), 0, 0]], dtype=object)
    settled = prefxl.settle(thirds, np.zeros((1, 3), int), np.zeros((1, 3, 3), int), convention="sochi")
    assert settled.result_exact[0, 0] == Fraction(20, 9)


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(SheetError, match="3 columns of pulyas need as many"):
        prefxl.settle(np.zeros((2, 3), int), np.zeros((2, 4), int), ZERO)
    with pytest.raises(SheetError, match="whists must be"):
        prefxl.settle(np.zeros((2, 3), int), np.zeros((2, 3), int), np.zeros((2, 3), int))
    with pytest.raises(SheetError, match="a column of whists is missing"):
        prefxl.settle([np.zeros(2, int)] * 3, [np.zeros(2, int)] * 3, [[None] * 3] * 3)


def test_values_beyond_the_limit_are_refused():
    with pytest.raises(SheetError, match="too large"):
        prefxl.settle(np.full((2, 3), 10**9 + 1), np.zeros((2, 3), int), ZERO)


def test_the_largest_values_do_not_overflow():
    gora = np.array([[10**9, 0, -(10**9), 0, 7]])
    whists = np.full((1, 5, 5), 10**9)
    whists[0, range(5), range(5)] = 0
    whists[0, 0, 1] = -(10**9)
    many = prefxl.settle(np.array([[0, 10**9, 3, 4, 5]]), gora, whists, stake="99.99")
    one = prefxl.settle([0, 10**9, 3, 4, 5], gora[0], whists[0], stake="99.99")
    assert many.result_exact[0].tolist() == one.result_exact
    assert many.money[0].tolist() == [float(won) for won in one.money]


def test_a_house_rule_with_a_large_denominator_falls_back_to_whole_numbers_of_any_size():
    rule = {"convention": "rozaliev", "below": Fraction(10**9 + 7, 10**9 + 9), "rounding": "balanced"}
    pulya, gora = [10**6, 3, 4], [5, 6, 7]
    many = prefxl.settle(np.array([pulya]), np.array([gora]), np.zeros((1, 3, 3), int), **rule)
    assert many.result_exact[0].tolist() == prefxl.settle(pulya, gora, [[0] * 3] * 3, **rule).result_exact


def test_games_that_no_rounding_makes_divisible_are_named():
    with pytest.raises(RulesError, match="not whole") as caught:
        prefxl.settle(
            np.zeros((20_000, 3)), np.array([[0, 0, 0.0]] * 19_998 + [[0, 0, 0.5], [0, 0, 1]]),
            np.zeros((20_000, 3, 3)), convention="sochi", rounding="divisible",
        )  # fmt: skip
    assert caught.value.rows == (19_998,)


def test_results_alone_keep_no_other_step():
    settled = prefxl.settle(np.zeros((2, 3), int), np.zeros((2, 3), int), ZERO, steps=False)
    assert list(settled.steps) == ["result"]
    with pytest.raises(AttributeError, match="nonsense"):
        settled.nonsense  # noqa: B018


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rounding", ["exact", "debts", "balanced", "truncate"])
@pytest.mark.parametrize("convention", ["rozaliev", "leningrad", "sochi"])
def test_results_alone_are_the_results_of_all_steps(players, rounding, convention):
    chance = np.random.default_rng(players)
    # more than one block, the last one short
    games = 2 * alone.BLOCK + 77
    pulya, gora = (chance.integers(low, 200, (games, players)) for low in (0, -100))
    whists = chance.integers(-50, 300, (games, players, players)) * ~np.eye(players, dtype=bool)
    options = {"convention": convention, "rounding": rounding}
    every = prefxl.settle(pulya, gora, whists, **options)
    few = prefxl.settle(pulya, gora, whists, steps=False, **options)
    assert few.denominator == every.denominator
    assert (few.numerators == every.numerators).all()


@pytest.mark.parametrize(
    "house",
    [
        {"target": "mean"}, {"target": 40}, {"target": "12.5"}, {"below": Fraction(3, 2), "above": Fraction(1, 3)},
        {"whists_per_gora": Fraction(25, 2)}, {"divisor": "others"}, {"divisor": "one"}, {"below": 1, "above": 4},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("rounding", ["exact", "debts"])
@pytest.mark.parametrize("kind", [np.int64, np.int16, np.uint32, np.float64])
def test_results_alone_know_every_house_rule_and_every_type(house, rounding, kind):
    chance = np.random.default_rng(3)
    pulya, gora, whists = (chance.integers(0, 120, shape).astype(kind) for shape in ((99, 4), (99, 4), (99, 4, 4)))
    whists[:, range(4), range(4)] = 0
    if kind is np.float64:
        gora += 0.5
    every = prefxl.settle(pulya, gora, whists, rounding=rounding, **house)
    few = prefxl.settle(pulya, gora, whists, rounding=rounding, steps=False, **house)
    assert few.result_exact.tolist() == every.result_exact.tolist()


@pytest.mark.parametrize("steps", [True, False])
@pytest.mark.parametrize("value", [2**31 - 1, -(2**31), 2**32 + 5, 2**40, -(2**63), 2**63 - 1])
def test_no_number_is_cut_to_the_width_that_is_reckoned_in(value, steps):
    gora = np.zeros((3, 3), np.int64)
    gora[1, 2] = value
    with pytest.raises(SheetError, match="too large"):
        prefxl.settle(np.zeros((3, 3), int), gora, np.zeros((3, 3, 3), int), steps=steps)


def test_numbers_that_pass_32_bits_on_their_way_are_reckoned_in_64():
    gora = np.array([[10**9, 0, -(10**9), 0]] * 3)
    every, few = (
        prefxl.settle(np.zeros((3, 4), int), gora, np.zeros((3, 4, 4), int), steps=steps) for steps in (True, False)
    )
    assert few.result_exact.tolist() == every.result_exact.tolist()


def test_a_corrected_seat_may_be_a_column():
    gora = np.array([[0, 0, 1], [0, 0, 1]])
    settled = prefxl.settle(
        np.zeros((2, 3), int), gora, ZERO, convention="sochi", rounding="divisible", corrected=[0, -1]
    )
    assert settled.amnestied_gora.tolist() == [[-1, 0, 1], [0, 0, 0]]


def test_inputs_are_views_and_never_changed():
    columns = np.asfortranarray(np.arange(30).reshape(10, 3))
    before = columns.copy()
    prefxl.settle(columns, columns, np.zeros((10, 3, 3), int))
    assert (columns == before).all()


def test_an_empty_batch_is_settled():
    settled = prefxl.settle(np.zeros((0, 3), int), np.zeros((0, 3), int), np.zeros((0, 3, 3), int), stake=1)
    assert settled.result.shape == (0, 3)


def test_the_residual_is_told_a_game():
    settled = prefxl.settle(
        np.array([[14, 26, 10]]), np.array([[38, 41, 28]]),
        np.array([[[0, 148, 10], [28, 0, 0], [46, 94, 0]]]), convention="leningrad", rounding="truncate",
    )  # fmt: skip
    assert settled.residual.tolist() == [-1]
