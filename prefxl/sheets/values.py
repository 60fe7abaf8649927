"""What one cell says: the grammar of numbers, exact in halves, and of everything that is none.

A score is a whole number of halves or a fault with its reason; nothing is guessed.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from prefxl.rules.numbers import LIMIT
from prefxl.texts import clean, visible

#: Scores are kept in halves of a point or whist.
UNIT = 2


class CellError(str):
    """An error value of a cell, such as ``#N/A``."""


class Uncached(str):
    """A formula whose value was never stored; the text is the formula's, as far as it is known."""


class Truth(str):
    """A truth value of a cell."""


#: Spaces people and programs put between thousands: common, no-break, figure, thin, narrow no-break.
_SPACES = " \u00a0\u2007\u2009\u202f"
_MINUS = r"\-\u2212\u2013\u2012\u2011"
_VULGAR = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4)}
_WHEELS = "ØøΦ⌀∅"
#: How an empty cell is drawn: a dash, or dots.
_DASHES = frozenset({"-", "–", "—", "−", "--", "―", "‒", "‑", "…"})

_NUMBER = re.compile(
    rf"(?P<open>\()?(?P<sign>[+{_MINUS}])?[{_SPACES}]?"
    rf"(?P<whole>\d{{1,3}}(?:[{_SPACES}]\d{{3}})+|\d+)?"
    rf"(?:[.,](?P<part>\d+)|[.,](?=\)?$))?[{_SPACES}]?(?P<vulgar>[½¼¾])?(?P<close>\))?",
    re.ASCII,
)
#: A fraction after a whole number and a space: ``5 1/2``. Alone it may be a date.
_MIXED = re.compile(rf"(?P<before>.*\d)[{_SPACES}]+(?P<over>1/2|[13]/4)(?P<after>\)?)", re.ASCII)
_SIGNS = {"1/2": "½", "1/4": "¼", "3/4": "¾"}
_WHEEL = re.compile(rf"(?P<wheels>[{_WHEELS}](?:[{_SPACES}]?[{_WHEELS}])*)[{_SPACES}]?(?P<rest>\d{{0,2}})", re.ASCII)
_ERROR = re.compile(
    r"#(?:NULL!|DIV/0!|VALUE!|REF!|NAME\?|NUM!|N/A|GETTING_DATA|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!"
    r"|ДЕЛ/0!|Н/Д|ИМЯ\?|ЗНАЧ!|ССЫЛКА!|ССЫЛ!|ЧИСЛО!|ПУСТО!|ПЕРЕНОС!|ВЫЧИСЛ!)|Err:\d{3}",
    re.IGNORECASE,
)
_MONTHS = "янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек|jan|feb|apr|may|jun|jul|aug|sep|oct|nov|dec"
_CLOCK = r"(?:[ T]\d\d?:\d\d(?::\d\d)?)?"
_DATE = re.compile(
    rf"\d{{1,2}}[./-]\d{{1,2}}[./-](?:\d{{4}}|\d{{2}}){_CLOCK}|\d{{4}}-\d\d-\d\d{_CLOCK}"
    rf"|\d{{1,4}}[. -]?(?:{_MONTHS})\w*\.?|(?:{_MONTHS})\w*[. -]?\d{{1,4}}|\d{{1,2}}:\d\d(?::\d\d)?",
    re.IGNORECASE,
)
_TRUTHS = frozenset({"true", "false", "истина", "ложь"})


def is_empty(value: Any) -> bool:
    """Return whether a cell holds nothing, or only what cannot be seen."""
    if value is None or value == "":
        return True
    if isinstance(value, str) and value[0].isalnum():
        return False
    return isinstance(value, str) and not isinstance(value, (CellError, Uncached)) and not clean(value)


def score(value: Any) -> tuple[int | None, str]:
    """Return the number in halves and ``""``, or ``None`` and the reason of the finding.

    An empty cell, and a dash in its place, are ``(0, "empty")``.

    >>> score("1\\u00a0062,5"), score("ØØ35"), score("(5)"), score("7,3"), score("")
    ((2125, ''), (470, ''), (-10, ''), (None, 'odd-fraction'), (0, 'empty'))
    """
    if isinstance(value, str):
        return _of_text(value)
    if value is None:
        return 0, "empty"
    if isinstance(value, bool):
        return None, "boolean"
    if isinstance(value, int):
        return _in_range(value * UNIT)
    if isinstance(value, float):
        return _of_float(value)
    if isinstance(value, (dt.date, dt.time, dt.timedelta)):
        return None, "date-in-score"
    if isinstance(value, (Decimal, Fraction)):
        return _of_decimal(value)
    return None, "not-a-number"


def _of_decimal(value: Decimal | Fraction) -> tuple[int | None, str]:
    if isinstance(value, Decimal) and not value.is_finite():
        return None, "not-a-number"
    exact = Fraction(value)
    return _of_fraction(exact) if abs(exact) <= LIMIT else (None, "too-large")


def _of_float(value: float) -> tuple[int | None, str]:
    if not math.isfinite(value):
        return None, "not-a-number"
    if abs(value) > LIMIT:
        return None, "too-large"
    halves = round(value * UNIT)
    # a formula's stored value may carry the noise of binary fractions in its last digits
    if abs(value * UNIT - halves) > 1e-9 * max(1.0, abs(value)):
        return None, "odd-fraction"
    return halves, ""


def _of_text(value: str) -> tuple[int | None, str]:
    if isinstance(value, CellError):
        return None, "error-value"
    if isinstance(value, Uncached):
        return None, "no-cached-value"
    if value.isdecimal() and value.isascii() and len(value) <= 9:
        return int(value) * UNIT, ""
    text = visible(value).strip()
    if not text or text in _DASHES:
        return 0, "empty"
    mixed = _MIXED.fullmatch(text) if "/" in text else None
    if mixed:
        text = mixed["before"] + _SIGNS[mixed["over"]] + mixed["after"]
    found = _NUMBER.fullmatch(text)
    if found and (found["whole"] or (found["vulgar"] and not found["part"])):
        return _of_match(found)
    wheel = _WHEEL.fullmatch(text)
    if wheel:
        hundreds = sum(char in _WHEELS for char in wheel["wheels"])
        return _in_range((100 * hundreds + int(wheel["rest"] or 0)) * UNIT)
    return None, _why_not(text)


def _why_not(text: str) -> str:
    if text.casefold() in _TRUTHS:
        return "boolean"
    if _ERROR.fullmatch(text):
        return "error-value"
    return "date-in-score" if _DATE.fullmatch(text) else "not-a-number"


def _of_match(found: re.Match[str]) -> tuple[int | None, str]:
    bracketed = bool(found["open"])
    if bracketed != bool(found["close"]) or (bracketed and found["sign"]) or (found["vulgar"] and found["part"]):
        return None, "not-a-number"
    whole = re.sub(rf"[{_SPACES}]", "", found["whole"] or "0")
    if len(whole) > 15:
        return None, "too-large"
    number = Fraction(int(whole)) + _VULGAR.get(found["vulgar"] or "", Fraction(0))
    if found["part"]:
        number += Fraction(int(found["part"]), 10 ** len(found["part"]))
    minus = bracketed or (found["sign"] or "+") != "+"
    return _of_fraction(-number if minus else number)


def _of_fraction(number: Fraction) -> tuple[int | None, str]:
    halves = number * UNIT
    return _in_range(int(halves)) if halves.denominator == 1 else (None, "odd-fraction")


def _in_range(halves: int) -> tuple[int | None, str]:
    return (halves, "") if abs(halves) <= LIMIT * UNIT else (None, "too-large")


def shown(value: Any) -> str:
    """Return a cell's value as a person would read it there.

    >>> shown(14.0), shown(7.5), shown(None)
    ('14', '7.5', '')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    text = str(value)
    return clean(text) if len(text) <= 200 else clean(text[:200]) + "…"


def identifier(value: Any) -> Any:
    """Return a game's id: a whole number as ``int``, everything else as text, ``None`` where empty.

    >>> identifier(3.0), identifier("12"), identifier("007"), identifier(" Янв-1 ")
    (3, 12, '007', 'Янв-1')
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if is_empty(value):
        return None
    text = shown(value)
    canonical = (
        text.isascii() and text.removeprefix("-").isdigit() and str(int(text)) == text if len(text) < 18 else False
    )
    return int(text) if canonical else text
