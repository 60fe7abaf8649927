"""Every way a sheet handed over can be wrong has its sentence."""

from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import prefxl
from prefxl.errors import RulesError, SheetError

NONE = [[0] * 3] * 3


@pytest.mark.parametrize(
    ("value", "number"),
    [("7,5", Fraction(15, 2)), (Decimal("2.5"), Fraction(5, 2)), (0.25, Fraction(1, 4)), ("1/3", Fraction(1, 3)),
     (np.int64(3), Fraction(3)), (np.float64(0.5), Fraction(1, 2)), (None, Fraction(0))],
)  # fmt: skip
def test_numbers_come_in_many_types_and_stay_exact(value, number):
    assert prefxl.settle([0] * 3, [value, 0, 0], NONE).gora[0] == number


@pytest.mark.parametrize("wrong", ["x", True, float("nan"), float("inf"), object(), "1/0", ""])
def test_what_is_not_a_number_is_refused(wrong):
    with pytest.raises(SheetError, match="is not a number"):
        prefxl.settle([0] * 3, [wrong, 0, 0], NONE)


def test_a_float_that_is_not_exact_is_refused():
    with pytest.raises(SheetError, match="binary float that is not exact"):
        prefxl.settle([0] * 3, [0.1, 0, 0], NONE)


@pytest.mark.parametrize("players", [1, 6])
def test_a_table_of_one_or_six_is_refused(players):
    with pytest.raises(SheetError, match=f"2 to 5 players, not {players}"):
        prefxl.settle([0] * players, [0] * players, [[0] * players] * players)


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(SheetError, match="3 pulyas need as many gora and 3 rows of 3 whists; found 2, 3, 3, 3, 3"):
        prefxl.settle([0] * 3, [0] * 2, NONE)


def test_names_that_do_not_fit_are_refused():
    with pytest.raises(SheetError, match="need as many"):
        prefxl.settle([0] * 3, [0] * 3, NONE, players=["a", "b"])


def test_whists_on_oneself_are_refused():
    with pytest.raises(SheetError, match="player 2 has whists written on themselves: 5"):
        prefxl.settle([0] * 3, [0] * 3, [[0] * 3, [0, 5, 0], [0] * 3])


def test_a_value_beyond_the_limit_is_refused_in_both_languages():
    with pytest.raises(SheetError, match="1000000001 is too large") as caught:
        prefxl.settle([0] * 3, [10**9 + 1, 0, 0], NONE)
    assert caught.value.say("ru").startswith("1000000001 — слишком много")


def test_the_limit_itself_is_settled():
    assert sum(prefxl.settle([0] * 3, [10**9, 0, 0], NONE).result_exact) == 0


@pytest.mark.parametrize("corrected", ["Dora", "7", 3, -1])
def test_a_corrected_player_who_does_not_play_is_refused(corrected):
    with pytest.raises(SheetError, match="the corrected player is none of"):
        prefxl.settle([0] * 3, [0, 0, 1], NONE, players=["A", "B", "C"], corrected=corrected)


def test_a_corrected_player_may_be_a_seat_as_text():
    settled = prefxl.settle([0] * 3, [0, 0, 1], NONE, convention="sochi", rounding="divisible", corrected="2")
    assert settled.corrections == {"2": -1}


def test_divisible_needs_whole_gora():
    with pytest.raises(RulesError, match="not whole after the pulyas are made equal"):
        prefxl.settle([0] * 3, [0, 0, 0.5], NONE, convention="sochi", rounding="divisible")


def test_divisible_needs_the_players_as_divisor():
    with pytest.raises(RulesError, match="divisible by the number of players"):
        prefxl.settle([0] * 3, [0, 0, 1], NONE, convention="sochi", rounding="divisible", divisor="others")


@pytest.mark.parametrize("rounding", ["divisible", "divisible-debts"])
def test_a_gora_that_no_point_makes_divisible_is_refused(rounding):
    """With 7 whists a point a sum of 2 among five is two points from any multiple of five."""
    with pytest.raises(RulesError, match="with 7 whists a gora point"):
        prefxl.settle([0] * 5, [0, 0, 0, 0, 2], [[0] * 5] * 5, convention="sochi", rounding=rounding, whists_per_gora=7)


def test_two_players_never_need_a_divisible_gora():
    settled = prefxl.settle([0, 0], [0, 1], [[0, 0], [0, 0]], convention="sochi", rounding="divisible")
    assert settled.corrections == {}
    assert settled.result_exact == [5, -5]


def test_gusarik_with_an_indivisible_gora():
    """N = 2, divisor one, half a gora point a pulya point (settlement rules, house rules)."""
    settled = prefxl.settle(
        [10, 8], [0, 0], [[0, 0], [0, 0]], convention="sochi", divisor="one", below="1/2", above="1/2"
    )
    assert settled.result_exact == [10, -10]


def test_an_error_survives_pickling_between_processes():
    error = RulesError("one", "раз", (3,))
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.en, copy.ru, copy.rows, str(copy)) == ("one", "раз", (3,), "one")
