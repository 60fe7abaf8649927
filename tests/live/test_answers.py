"""What the live functions answer, as plain functions: cells in, cells out."""

from __future__ import annotations

import datetime as dt
import locale
from decimal import Decimal

import pytest

from prefxl.errors import OptionError, PrefxlError
from prefxl.live import answers
from prefxl.live.answers import Asked

PULYA = [[10.0], [8.0], [6.0]]
GORA = [[2.0], [0.0], [7.0]]
WHISTS = [[None, 10.0, 20.0], [5.0, None, 0.0], [0.0, 30.0, None]]
SOCHI = Asked("sochi", "exact")


def across(column):
    return [[row[0] for row in column]]


def test_a_column_of_pulyas_gives_a_column():
    assert [len(row) for row in answers.results(PULYA, GORA, WHISTS, Asked())] == [1, 1, 1]


def test_a_row_of_pulyas_gives_a_row_whatever_the_gora_lies_like():
    column = answers.results(PULYA, GORA, WHISTS, Asked())
    assert answers.results(across(PULYA), GORA, WHISTS, Asked()) == across(column)


def test_one_pulya_for_all_follows_the_direction_of_the_gora():
    assert len(answers.results(12.0, across(GORA), WHISTS, SOCHI)) == 1


@pytest.mark.parametrize("blank", [None, "", [[None]], [[""]], float("nan"), [[12.0]], 12.0])
def test_equal_or_blank_pulyas_change_nothing_in_sochi(blank):
    assert answers.results(blank, GORA, WHISTS, SOCHI) == answers.results([[3.0]] * 3, GORA, WHISTS, SOCHI)


def test_blank_gora_is_no_gora():
    assert answers.results(PULYA, None, WHISTS, SOCHI) == answers.results(PULYA, [[0.0]] * 3, WHISTS, SOCHI)


def test_a_currency_cell_counts_as_its_number():
    money = [[Decimal("2")], [Decimal("0")], [Decimal("7.0")]]
    assert answers.results(PULYA, money, WHISTS, SOCHI) == answers.results(PULYA, GORA, WHISTS, SOCHI)


def test_halves_of_a_gora_point_are_exact():
    assert answers.results([[0.0]] * 2, [[0.5], [0.0]], [[None, 0.0], [0.0, None]], SOCHI) == [[-2.5], [2.5]]


def replaced(table, row, column, value):
    return [[value if (i, j) == (row, column) else old for j, old in enumerate(cells)] for i, cells in enumerate(table)]


@pytest.mark.parametrize(
    ("arguments", "en", "ru"),
    [
        ((PULYA, replaced(GORA, 2, 0, "x"), WHISTS), "goras, player 3: text “x”", "горы, игрок 3: текст «x»"),
        ((PULYA, GORA, replaced(WHISTS, 0, 2, "#N/A")), "row 1, column 3: the cell has the error #N/A", "строка 1"),
        ((PULYA, GORA, replaced(WHISTS, 1, 1, 5.0)), "row 2, column 2: whists written on oneself", "на самого себя"),
        ((replaced(PULYA, 0, 0, True), GORA, WHISTS), "pulyas, player 1: True is not a number", "не число"),
        ((replaced(PULYA, 0, 0, dt.datetime(2026, 1, 1)), GORA, WHISTS), "is not a number", "не число"),
        ((replaced(PULYA, 0, 0, 0.1), GORA, WHISTS), "pulyas, player 1: 0.1 is a binary float", "двоичная дробь"),
        ((replaced(PULYA, 0, 0, float("inf")), GORA, WHISTS), "pulyas, player 1", "пули, игрок 1"),
        ((replaced(PULYA, 0, 0, 2e9), GORA, WHISTS), "2e\\+09 is too large", "слишком много"),
        ((PULYA[:2], GORA, WHISTS), "pulyas: 2 by 1 cells for 3 players", "ячеек 2 на 1"),
        ((PULYA, 7.0, WHISTS), "goras: 1 by 1 cells for 3 players", "горы: ячеек 1 на 1"),
        ((PULYA, GORA, WHISTS[:2]), "square of 2 to 5 rows and columns, not 2 by 3", "а не 2 на 3"),
        ((PULYA, GORA, 5.0), "square of 2 to 5 rows and columns, not 1 by 1", "а не 1 на 1"),
    ],
)
def test_a_wrong_cell_is_named_in_both_languages(arguments, en, ru):
    with pytest.raises(PrefxlError, match=en):
        answers.results(*arguments, Asked())
    assert ru in answers.why(*arguments, Asked(lang="ru"))


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (Asked("покер"), "нет конвенции «покер»"),
        (Asked("sochi", "вверх"), "нет округления «вверх»"),
        (Asked("сочинка", target="много"), "«много» — не число"),
        (Asked("сочинка", corrected=9.0), "исправляемый игрок — не из этих: 1, 2, 3"),
        (Asked([["сочинка", "сочи"]], lang="ru"), "одной ячейкой"),
        (Asked(5.0, lang="ru"), "нет конвенции «5.0»"),
    ],
)
def test_a_wrong_rule_is_told_in_the_language_of_the_rules(asked, sentence):
    assert sentence in answers.why(PULYA, GORA, WHISTS, asked)


def test_a_wrong_language_is_refused():
    with pytest.raises(OptionError, match="the language is ru or en, not 'de'"):
        answers.steps(PULYA, GORA, WHISTS, Asked(lang="de"))
    assert "язык — ru или en" in answers.why(PULYA, GORA, WHISTS, Asked(lang="de"))


def test_without_a_hint_the_language_is_the_systems(monkeypatch):
    monkeypatch.setattr(locale, "getlocale", lambda: ("Russian_Russia", "1251"))
    assert answers.language(Asked()) == "ru"
    monkeypatch.setattr(locale, "getlocale", lambda: (None, None))
    assert answers.language(Asked()) == "en"


def test_a_settled_sheet_says_its_rules_and_what_leningrad_would_give():
    said = answers.why([[10.0], [0.0], [0.0]], None, [[None] * 3] * 3, Asked(lang="en"))
    assert said == ("Settled by rozaliev, debts; the results sum to 0. Leningrad would give: 134; -67; -67.")


def test_a_truncation_that_does_not_sum_to_zero_is_said():
    gora = [[0.0], [2.0], [0.0]]
    said = answers.why(None, gora, [[None] * 3] * 3, Asked("sochi", "truncate", lang="en"))
    assert said == "Settled by sochi, truncate; the results sum to -1."


def test_a_corrected_gora_is_said():
    gora = [[4.0], [10.0], [21.0], [16.0]]
    said = answers.why(None, gora, [[None] * 4] * 4, Asked("sochi", "делимость", corrected=4.0))
    assert "Исправлена гора: 4: +1." in said


@pytest.mark.parametrize("seat", [4.0, 4, "4", [[4.0]]])
def test_a_corrected_seat_may_come_as_any_program_sends_it(seat):
    gora = [[4.0], [10.0], [21.0], [16.0]]
    said = answers.why(None, gora, [[None] * 4] * 4, Asked("sochi", "divisible", corrected=seat, lang="en"))
    assert "Gora corrected: 4: +1." in said


def test_the_steps_have_a_heading_and_a_row_a_player():
    table = answers.steps(PULYA, GORA, WHISTS, Asked("сочинка", "exact"))
    assert [len(row) for row in table] == [10] * 4
    assert table[0][-1] == "итог"
    assert [row[-1] for row in table[1:]] == [row[0] for row in answers.results(PULYA, GORA, WHISTS, SOCHI)]


def test_the_pairs_add_up_to_the_result():
    table = answers.pairs(PULYA, GORA, WHISTS, Asked())
    assert [[sum(row)] for row in table] == answers.results(PULYA, GORA, WHISTS, Asked())


def test_payments_know_names_and_money():
    table = answers.pay(PULYA, GORA, WHISTS, Asked("розалиев"), (0.5, "меньше всего", [["Аня", "Боря", None]]))
    assert table[0] == ["платит", "кому", "сколько"]
    received = dict.fromkeys(("Аня", "Боря", "3"), 0.0)
    for payer, payee, amount in table[1:]:
        received[payer] -= amount
        received[payee] += amount
    assert list(received.values()) == [row[0] / 2 for row in answers.results(PULYA, GORA, WHISTS, Asked())]


def test_payments_without_a_stake_are_in_whists():
    table = answers.pay(PULYA, GORA, WHISTS, Asked(), (None, None, None))
    won = answers.pairs(PULYA, GORA, WHISTS, Asked())
    assert [row[2] for row in table[1:]] == [abs(won[i][j]) for i, j in ((0, 1), (0, 2), (1, 2)) if won[i][j]]


def test_names_must_be_as_many_as_players():
    with pytest.raises(PrefxlError, match="2 names for 3 players"):
        answers.pay(PULYA, GORA, WHISTS, Asked(), (None, None, [["Аня", "Боря"]]))
