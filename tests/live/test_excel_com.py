"""The live functions through xlwings' real COM code: converters, missing arguments, errors."""

from __future__ import annotations

import pytest

from prefxl.live import help as texts
from tests.clients.excel_com import MISSING, ask, call_all, case_arguments, column_of, in_range
from tests.live.cases import random_cases, shared_cases

PULYA = in_range([[10], [8], [6]])
GORA = in_range([[2], [None], [7]])
WHISTS = in_range([[None, 10, 20], [5, None, None], [None, 30, None]])
CASES = [*shared_cases(), *random_cases(seed=51, count=36)]
OTHERS = {
    "array literals": ("PULYA", [{"array": [[10], [8], [6]]}, {"array": [[2], [0], [7]]},
                                 {"array": [[0, 10, 20], [5, 0, 0], [0, 30, 0]]}]),
    "ranges": ("PULYA", [PULYA, GORA, WHISTS]),
    "left out": ("PULYA", [PULYA, GORA, WHISTS, MISSING, MISSING, MISSING, MISSING]),
    "blank rule cells": ("PULYA", [PULYA, GORA, WHISTS, in_range([[None]]), in_range([[""]])]),
    "rule cells": ("PULYA", [PULYA, GORA, WHISTS, in_range([["Розалиев"]]), in_range([["долги"]])]),
    "across": ("PULYA", [in_range([[10, 8, 6]]), GORA, WHISTS]),
    "one pulya": ("PULYA", [in_range([[9]]), MISSING, WHISTS]),
    "currency": ("PULYA", [PULYA, in_range([[{"money": "2"}], [None], [{"money": "7"}]]), WHISTS]),
    "error cell": ("PULYA", [PULYA, in_range([[2], ["#N/A"], [7]]), WHISTS]),
    "error cell why": ("PULYA_WHY", [PULYA, in_range([[2], ["#N/A"], [7]]), WHISTS, *[MISSING] * 4, "en"]),
    "text": ("PULYA", [PULYA, in_range([["x"], [None], [7]]), WHISTS]),
    "date why": ("PULYA_WHY", [in_range([[{"date": "2026-01-02"}], [8], [6]]), GORA, WHISTS, *[MISSING] * 4, "ru"]),
    "boolean": ("PULYA", [in_range([[True], [8], [6]]), GORA, WHISTS]),
    "error rule": ("PULYA", [PULYA, GORA, WHISTS, in_range([["#REF!"]])]),
    "range as rule": ("PULYA", [PULYA, GORA, WHISTS, in_range([["sochi", "sochi"]])]),
    "steps": ("PULYA_STEPS", [PULYA, GORA, WHISTS, "sochi"]),
    "pairs": ("PULYA_PAIRS", [PULYA, GORA, WHISTS]),
    "pay": ("PULYA_PAY", [PULYA, GORA, WHISTS, MISSING, MISSING, 0.5, "fewest", MISSING, MISSING,
                          in_range([["Аня", "Борис", "Вера"]])]),
}  # fmt: skip


@pytest.fixture(scope="module")
def answers():
    """Every answer, from one process."""
    calls = [("PULYA", case_arguments(case, across=number % 2 == 1)) for number, case in enumerate(CASES)]
    answered = call_all([*calls, *OTHERS.values()])
    named = dict(zip(OTHERS, answered[len(CASES) :], strict=True))
    return {case.id: answer for case, answer in zip(CASES, answered, strict=False)} | named


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_case_comes_out_of_excels_side(answers, case):
    assert column_of(answers[case.id]) == case.floats


def test_a_column_comes_back_as_a_column_and_a_row_as_a_row(answers):
    assert answers["ranges"] == answers["array literals"]
    assert [len(row) for row in answers["ranges"]] == [1, 1, 1]
    # xlwings hands Excel a one-row table as a flat row
    assert answers["across"] == [row[0] for row in answers["ranges"]]


@pytest.mark.parametrize("same", ["left out", "blank rule cells", "rule cells", "currency"])
def test_these_calls_are_the_plain_one(answers, same):
    assert answers[same] == answers["ranges"]


@pytest.mark.parametrize("wrong", ["error cell", "text", "boolean", "error rule", "range as rule"])
def test_what_cannot_be_settled_is_the_value_error_and_no_traceback(answers, wrong):
    assert answers[wrong] == "#VALUE!"


def test_why_names_the_place(answers):
    assert answers["error cell why"] == "goras, player 2: the cell has the error #N/A"
    assert answers["date why"] == "пули, игрок 1: 2026-01-02 00:00:00 — не число"


def test_tables_come_back_whole(answers):
    assert [len(row) for row in answers["steps"]] == [10] * 4
    assert [sum(row) for row in answers["pairs"]] == column_of(answers["ranges"])
    assert answers["pay"][0] == ["payer", "payee", "amount"]
    assert {row[1] for row in answers["pay"][1:]} <= {"Аня", "Борис", "Вера"}


@pytest.fixture(scope="module")
def imported():
    """What xlwings knows of the functions, and what its own import would put into Excel."""
    return ask({"do": "import"})


def test_every_argument_has_exactly_its_options(imported):
    # a misspelt option would be passed over without a sound
    expected = {
        function.name: {
            argument.name: {"err_to_str": True, **({"ndim": 2} if argument.table or argument.name == "names" else {})}
            for argument in function.arguments
        }
        for function in texts.FUNCTIONS
    }
    assert imported[0] == expected


def test_the_wizards_texts_are_short_enough(imported):
    described = dict(imported[1])
    assert {name.split("!")[-1] for name in described} == {function.name for function in texts.FUNCTIONS}
    for options in described.values():
        for text in options.values():
            assert max(len(part) for part in ([text] if isinstance(text, str) else text)) <= texts.LONGEST


def test_xlwings_own_wrapper_declares_the_same_functions(imported):
    wrapper = imported[2][0]
    for function in texts.FUNCTIONS:
        names = ", ".join(
            argument.name if argument.table else f"Optional {argument.name}" for argument in function.arguments
        )
        assert f"Function {function.name}({names})" in wrapper
