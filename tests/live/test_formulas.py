"""The rules as formulas: held against the rules in Python, in two formula engines."""

from __future__ import annotations

import random

import pytest

from prefxl.errors import RulesError
from prefxl.live import formulas
from prefxl.live.formulas import FORMULA_ROUNDINGS, LONGEST, check_formula, result_formulas
from prefxl.rules.conventions import CONVENTIONS, find_convention
from prefxl.rules.single import settle_sheet
from tests.clients.engines import ENGINES, open_in
from tests.live.cases import Case, random_cases, random_sheet, shared_cases
from tests.live.sheets import SHEET, refs_of, write_games


def assert_formulas_agree(path, engine, cases):
    answers = write_games(path, cases)
    book = open_in(engine, path)
    for case, (cells, check) in zip(cases, answers, strict=True):
        # the very same float: one division of exact numbers
        assert [book.value(SHEET, cell) for cell in cells] == case.floats, case
        assert book.value(SHEET, check) == float(round(sum(case.results), 6)), case


@pytest.mark.parametrize("engine", ENGINES)
def test_the_published_settlements_come_out_of_plain_formulas(tmp_path, engine):
    assert_formulas_agree(tmp_path / "games.xlsx", engine, [case for case in shared_cases() if case.in_formulas])


@pytest.mark.parametrize("engine", ENGINES)
def test_random_sheets_under_every_convention_and_rounding_agree_with_the_rules(tmp_path, engine):
    assert_formulas_agree(tmp_path / "games.xlsx", engine, list(random_cases(seed=5, count=240)))


HOUSE_RULES = [
    {"target": 20},
    {"target": "7.5", "below": 2, "above": 1},
    {"target": "mean", "below": "0.5", "above": "1.5"},
    {"divisor": "others"},
    {"divisor": "one", "below": "0.5", "above": "0.5"},
    {"whists_per_gora": "7.5"},
    {"below": 0, "above": 0},
    {"target": "mean", "below": 0, "above": 1},
]


@pytest.mark.parametrize("engine", ENGINES)
def test_altered_house_rules_agree_with_the_rules(tmp_path, engine):
    random_numbers, cases = random.Random(6), []
    for number, rules in enumerate(HOUSE_RULES * 8):
        convention = find_convention(("sochi", "rozaliev")[number % 2]).altered(**rules)
        pulya, gora, whists = random_sheet(random_numbers, 2 + number % 4, halves=number % 3 == 0)
        rounding = FORMULA_ROUNDINGS[number // 8 % 4]
        results = settle_sheet(pulya, gora, whists, convention=convention, rounding=rounding).result_exact
        cases.append(Case(str(rules), pulya, gora, whists, convention, rounding, results))
    assert_formulas_agree(tmp_path / "games.xlsx", engine, cases)


@pytest.mark.parametrize("rounding", ["debts", "truncate", "balanced"])
def test_ties_are_decided_as_the_rules_decide_them(tmp_path, rounding):
    # quarters of gora make debts of exactly half a whist; all remainders of a balanced game are equal
    cases = []
    for tenths in range(40):
        gora = [0, tenths / 4, tenths / 2 + 1, 0.25]
        whists = [[0, 3, 0, 1], [0] * 4, [5, 0, 0, 0], [0] * 4]
        results = settle_sheet([0] * 4, gora, whists, convention="sochi", rounding=rounding).result_exact
        cases.append(Case(str(tenths), [0] * 4, gora, whists, "sochi", rounding, results))
    assert_formulas_agree(tmp_path / "games.xlsx", "ironcalc", cases)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_word_in_a_cell_is_an_error_in_every_result_it_touches(tmp_path, engine):
    cases = [case for case in random_cases(seed=7, count=12) if case.convention == "rozaliev"]
    answers = write_games(tmp_path / "games.xlsx", cases)
    book = open_in(engine, tmp_path / "games.xlsx")
    for row, case in enumerate(cases):
        book.type_in(SHEET, refs_of(row, case.players)[1][0], "нет")
    book.recalculate()
    for cells, check in answers:
        assert [book.value(SHEET, cell) for cell in (*cells, check)] == ["#VALUE!"] * (len(cells) + 1)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("rounding", FORMULA_ROUNDINGS)
def test_every_formula_fits_into_a_cell_far_down_and_right(convention, rounding):
    formulas = result_formulas(convention, rounding, *refs_of(9_998, 5))
    assert all(formula.startswith("=") and len(formula) <= LONGEST for formula in formulas)
    assert not any(word in formula for formula in formulas for word in ("LET", "LAMBDA", "{"))


def test_a_formula_longer_than_a_cell_takes_is_refused():
    far = [[f"'A rather long name of a worksheet'!$AB${row}" for row in range(5)]] * 2
    with pytest.raises(RulesError, match="rozaliev with balanced does not fit into one cell's formula"):
        result_formulas("rozaliev", "balanced", *far, [far[0]] * 5)


def test_the_roundings_by_divisibility_are_refused():
    with pytest.raises(RulesError, match="formulas cannot say the rounding divisible; they can say exact, debts"):
        result_formulas("sochi", "делимость", *refs_of(0, 3))


def test_the_check_rounds_away_the_last_bits():
    assert check_formula(["A1", "A2"]) == "=ROUND(A1+A2,6)"


def test_formulas_of_thousands_of_games_are_put_together_once(monkeypatch):
    said = []
    real = formulas.result
    monkeypatch.setattr(formulas, "result", lambda *arguments: said.append(arguments) or real(*arguments))
    formulas._patterns.cache_clear()
    for row in range(1, 2001):
        cells = [f"{letter}{row}" for letter in "ABCDE"]
        whists = [[f"{own}{other}{row}" for other in "ABCDE"] for own in "FGHIJ"]
        made = result_formulas("rozaliev", "balanced", cells, cells, whists)
    assert len(said) == 5
    assert "A2000" in made[0]
