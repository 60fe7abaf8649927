"""The derivation on a result cell: every line adds up to the settled number."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from prefxl.rules.conventions import CONVENTIONS, ROUNDINGS
from prefxl.rules.single import settle_sheet
from prefxl.workbook.derivation import derivations

SHEET = ([20, 22, 18], [10, 0, 5], [[0, 50, 20], [10, 0, 40], [30, 60, 0]])
NAMES = ["Аня", "Боря", "Вера"]


def test_a_derivation_reads_as_a_person_would_write_it():
    settled = settle_sheet(*SHEET, players=NAMES, stake="0.5")
    assert derivations(settled, "ru")[2].split("\n") == [
        "Вера: −4",
        "Пуля 18 до 20: гора 5 + 2·2 = 9",
        "Амнистия: 9 + 2 = 11",
        "Долг с горы: 10·11/3 ≈ 37",
        "Гора даёт: 40 − 2·37 = −34",
        "Висты: +30",
        "  Аня: 30 − 20 = +10",
        "  Боря: 60 − 40 = +20",
        "Итог: −34 + 30 = −4",
        "Деньги: −2,00",
        "Розалиев, долги",
    ]


def number(text):
    text = text.replace("−", "-").replace("+", "").replace(",", ".").strip("() ")
    sign, text = (-1, text[1:]) if text.startswith("-") else (1, text)
    return sign * sum((Fraction(part) for part in text.split(" ")), Fraction(0))


def value(side):
    """Return the value of a sum of numbers and products, as the notes write them."""
    side = re.sub(r" \([^)]*[а-яa-z][^)]*\)", "", side)
    terms = re.split(r" (?=[+−] )", side)
    total = Fraction(0)
    for term in terms:
        sign, rest = (term[0], term[2:]) if term[:2] in ("+ ", "− ") else ("+", term)
        product = Fraction(1)
        for factor in rest.split("·"):
            top, _, below = (
                factor.rpartition("/") if re.search(r"(\d|\))/\d+$", factor) and "·" in rest else (factor, "", "")
            )
            product *= number(top) / (Fraction(below) if below else 1)
        total += product if sign == "+" else -product
    return total


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("name", CONVENTIONS)
def test_every_equation_in_it_is_true(name, rounding):
    gora = [7, 1, 12, 3]
    whists = [[0, 5, 10, 20], [3, 0, 8, 1], [40, 2, 0, 9], [6, 6, 6, 0]]
    settled = settle_sheet([10, 14, 8, 12], gora, whists, convention=name, rounding=rounding)
    for text in derivations(settled, "en"):
        for line in text.split("\n"):
            line = line.split("; ")[0].split(": ", 1)[-1].removeprefix("gora ")
            line = re.sub(r"^\S+ to \S+( \d/\d)?: gora ", "", line)
            if " = " in line:
                left, right = line.split(" = ")[:2]
                assert value(left.split("gora ")[-1]) == number(right), text


def test_the_last_number_is_the_result_in_every_seat():
    settled = settle_sheet(*SHEET, players=NAMES, convention="leningrad")
    for seat, text in enumerate(derivations(settled, "ru")):
        line = next(line for line in text.split("\n") if line.startswith("Итог"))
        assert number(line.split(" = ")[-1]) == settled.result_exact[seat]
