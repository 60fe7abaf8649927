"""What one cell may say."""

import datetime as dt
from decimal import Decimal

import pytest

from prefxl.sheets.values import CellError, Uncached, identifier, score, shown
from prefxl.texts import clean, folded


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("12", 12),
        ("  12 ", 12),
        ("+4", 4),
        ("-5", -5),
        ("−5", -5),
        ("–5", -5),
        ("(5)", -5),
        ("7,5", 7.5),
        ("7.5", 7.5),
        ("7,50", 7.5),
        ("½", 0.5),
        ("7½", 7.5),
        ("7 ½", 7.5),
        ("5 1/2", 5.5),
        ("−1 062 1/2", -1062.5),
        ("(5 1/2)", -5.5),
        ("7.", 7),
        ("7,", 7),
        ("(7.)", -7),
        ("−½", -0.5),
        ("1 062", 1062),
        ("1\u00a0062", 1062),
        ("1\u202f062,5", 1062.5),
        ("1\u2009062", 1062),
        ("12 345 678", 12345678),
        ("\u200b12", 12),
        ("\ufeff12", 12),
        ("Ø", 100),
        ("ØØ", 200),
        ("ØØ35", 235),
        ("ø5", 105),
        ("007", 7),
        (14.0, 14),
        (7.5, 7.5),
        (3, 3),
        (Decimal("1.5"), 1.5),
        (12.000000000000002, 12),
    ],
)
def test_a_number_is_read(value, number):
    assert score(value) == (number * 2, "")


@pytest.mark.parametrize("value", ["", None, " ", "\u200b", "\u00a0", "-", "—", "–"])
def test_nothing_and_a_dash_are_empty(value):
    assert score(value) == (0, "empty")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("abc", "not-a-number"),
        ("3-4", "not-a-number"),
        ("1/2", "not-a-number"),
        ("5 1/3", "not-a-number"),
        ("5,5 1/2", "not-a-number"),
        ("5 1/4", "odd-fraction"),
        (".", "not-a-number"),
        ("7.½", "not-a-number"),
        ("1e3", "not-a-number"),
        ("nan", "not-a-number"),
        ("inf", "not-a-number"),
        ("１２", "not-a-number"),
        ("1_000", "not-a-number"),
        ("12 р.", "not-a-number"),
        ("12%", "not-a-number"),
        ("5-", "not-a-number"),
        ("10 5", "not-a-number"),
        ("1,028.5", "not-a-number"),
        ("(−5)", "not-a-number"),
        ("(5", "not-a-number"),
        ("7,5½", "not-a-number"),
        (float("nan"), "not-a-number"),
        (float("inf"), "not-a-number"),
        ("Ø135", "not-a-number"),
        ("7,3", "odd-fraction"),
        ("¼", "odd-fraction"),
        (7.25, "odd-fraction"),
        (1 / 3, "odd-fraction"),
        (Decimal("0.1"), "odd-fraction"),
        ("1,028", "odd-fraction"),
        ("2000000000", "too-large"),
        ("9" * 400, "too-large"),
        (1e300, "too-large"),
        (10**30, "too-large"),
        (dt.datetime(2026, 4, 3), "date-in-score"),
        (dt.date(2026, 4, 3), "date-in-score"),
        (dt.time(1, 2), "date-in-score"),
        ("03.04.2026", "date-in-score"),
        ("01.фев", "date-in-score"),
        ("4-мар", "date-in-score"),
        ("3-Apr", "date-in-score"),
        ("2026-04-03", "date-in-score"),
        ("май.10", "date-in-score"),
        (True, "boolean"),
        ("ИСТИНА", "boolean"),
        ("false", "boolean"),
        ("#Н/Д", "error-value"),
        ("#DIV/0!", "error-value"),
        ("#ДЕЛ/0!", "error-value"),
        (CellError("#N/A"), "error-value"),
        (Uncached("=A1"), "no-cached-value"),
    ],
)
def test_everything_else_has_its_reason(value, reason):
    assert score(value) == (None, reason)


@pytest.mark.parametrize(
    ("value", "known"),
    [
        (1.0, 1),
        ("12", 12),
        ("007", "007"),
        ("G000", "G000"),
        (" Янв-1 ", "Янв-1"),
        ("", None),
        (1.5, "1.5"),
        ("-3", -3),
    ],
)
def test_an_id_is_a_number_where_it_is_written_as_one(value, known):
    assert identifier(value) == known
    assert type(identifier(value)) is type(known)


def test_invisible_characters_and_wild_spaces_are_cleaned():
    assert clean("\ufeff Аня \u00a0 П.\u200b") == "Аня П."
    assert folded("ЛЁША") == folded("леша")


def test_long_texts_are_shown_short():
    assert len(shown("a" * 1000)) == 201
