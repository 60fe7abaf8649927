"""Every published settlement, one sheet at a time and as a batch."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import prefxl

CASES = json.loads((Path(__file__).parents[1] / "cases" / "settlements.json").read_text("utf-8"))
STEPS = ("adjusted_gora", "amnestied_gora", "final_gora", "saldo")


def options(case):
    corrected = case["players"].index(case["corrected"]) if "corrected" in case else None
    return {
        "convention": case["convention"],
        "rounding": case["rounding"],
        "target": case.get("target"),
        "corrected": corrected,
    }


def fractions(numbers):
    return [Fraction(number) for number in numbers]


published = pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])


@published
def test_one_sheet_gives_the_published_result(case):
    settled = prefxl.settle(case["pulya"], case["gora"], case["whists"], **options(case))
    assert settled.result_exact == fractions(case["result"])
    assert sum(settled.result_exact) == case["sum"]
    assert settled.residual == -case["sum"]


@published
def test_every_published_step_is_reproduced(case):
    settled = prefxl.settle(case["pulya"], case["gora"], case["whists"], **options(case))
    for step in STEPS:
        if step in case:
            assert getattr(settled, step) == fractions(case[step]), step
    if "pair_results" in case:
        assert settled.pair_results == [fractions(row) for row in case["pair_results"]]


@published
def test_where_the_source_states_a_result_it_is_ours(case):
    if case["stated_by_source"] is None:
        assert case["source"].startswith("PrefCount help")
        return
    settled = prefxl.settle(case["pulya"], case["gora"], case["whists"], **options(case))
    for ours, stated in zip(settled.result_exact, case["stated_by_source"], strict=True):
        assert stated is None or ours == Fraction(stated)


@published
def test_a_batch_of_arrays_gives_the_same(case):
    settled = prefxl.settle(
        np.array([case["pulya"]] * 3), np.array([case["gora"]] * 3), np.array([case["whists"]] * 3), **options(case)
    )
    assert settled.result_exact.tolist() == [fractions(case["result"])] * 3


@published
def test_a_batch_of_series_gives_the_same(case):
    settled = prefxl.settle(
        [pd.Series([p, p]) for p in case["pulya"]],
        [pd.Series([g, g], dtype=float) for g in case["gora"]],
        [[pd.Series([w, w]) for w in row] for row in case["whists"]],
        **options(case),
    )
    assert settled.result_exact.tolist() == [fractions(case["result"])] * 2


def test_the_corrected_player_and_the_points_are_told():
    case = next(case for case in CASES if "corrections" in case)
    settled = prefxl.settle(
        case["pulya"], case["gora"], case["whists"], players=case["players"],
        convention=case["convention"], rounding=case["rounding"],
    )  # fmt: skip
    assert settled.corrections == case["corrections"]


def test_gora_1_2_3_is_amnestied_before_it_is_rounded():
    settled = prefxl.settle([10] * 3, [1, 2, 3], [[0] * 3] * 3, convention="rozaliev")
    assert settled.result == [10, 1, -11]


def test_a_debt_of_42_and_a_half_is_rounded_to_43():
    settled = prefxl.settle([0] * 4, [0, 17, 0, 0], [[0] * 4] * 4, convention="sochi", rounding="debts")
    assert settled.debt[1] == 43


def test_the_three_player_reconciliation_of_whists_on_review_pref():
    """Source: review-pref.ru/literatura/76/197: 44, 84 and 40 between three players."""
    whists = [[0, 114, 100], [70, 0, 180], [140, 96, 0]]
    settled = prefxl.settle([0] * 3, [0] * 3, whists, convention="sochi")
    assert [abs(settled.pair_saldo[0][1]), abs(settled.pair_saldo[1][2]), abs(settled.pair_saldo[2][0])] == [44, 84, 40]
    assert sum(settled.saldo) == 0
