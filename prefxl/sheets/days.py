"""Dates as people write them: what is surely a day, what cannot be one, and what may be two."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from prefxl.sheets.aliases import MONTHS
from prefxl.sheets.cells import Column, Objects
from prefxl.sheets.values import is_empty, shown

_EPOCHS = {False: dt.date(1899, 12, 30), True: dt.date(1904, 1, 1)}
_END = r"(?:\s*г(?:\.|ода?)?)?(?:[ T]\d\d?:\d\d(?::\d\d)?.*)?"
_YEAR = r"(?P<year>\d{4}|\d{2})"
_ISO = re.compile(r"(?P<year>\d{4})[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})(?:[ T].*)?", re.ASCII)
_DOTTED = re.compile(rf"(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.{_YEAR}{_END}", re.ASCII)
_SLASHED = re.compile(rf"(?P<one>\d{{1,2}})(?P<sign>[/-])(?P<two>\d{{1,2}})(?P=sign){_YEAR}{_END}", re.ASCII)
_NAME = r"(?P<name>[a-zа-яё]{3,9})\.?"
_WORDED = (
    re.compile(
        rf"(?:[a-zа-яё]{{2,11}}\.?,? +)?(?P<day>\d{{1,2}})(?:st|nd|rd|th|-?го)?[ .-]+{_NAME},?[ .-]+{_YEAR}{_END}"
    ),
    re.compile(rf"(?:[a-z]{{2,9}}\.?,? +)?{_NAME}[ -]+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?[ -]+{_YEAR}{_END}"),
)
# a day with its whole year, not a part of a longer number
_WITHIN = re.compile(r"(?<![\w.])(?:\d\d?\.\d\d?\.\d{4}|\d{4}-\d\d-\d\d|\d\d? +[^\W\d]{3,9}\.? +\d{4})(?!\.?\w)")

#: Sign between the numbers of ``1/2/26`` to whether the day stands before it.
Orders: TypeAlias = Mapping[str, bool]


def day(value: Any, *, from_1904: bool = False, orders: Orders = MappingProxyType({})) -> dt.date | str | None:
    """Return a date where the cell surely holds one, else its text, ``None`` where empty.

    Parameters
    ----------
    value
        The cell's value.
    from_1904
        Whether the workbook counts its days from 1904.
    orders
        Whether ``1/2/26`` is the first of February, and ``1-2-26``, as far as that is known.

    >>> day("04.01.2026"), day("1/2/26"), day(45717.0)
    (datetime.date(2026, 1, 4), '1/2/26', datetime.date(2025, 3, 1))
    >>> day("6 января 2026"), day("Jan 9, 2026"), day("13/01/2026", orders={"/": True})
    (datetime.date(2026, 1, 6), datetime.date(2026, 1, 9), datetime.date(2026, 1, 13))
    """
    if is_empty(value):
        return None
    if isinstance(value, dt.datetime):
        return value.date()
    if isinstance(value, dt.date):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 20_000 <= value < 80_000:
        return _EPOCHS[from_1904] + dt.timedelta(days=int(value))
    text = shown(value)
    parts = _parts(text, orders)
    try:
        return text if parts is None else dt.date(*parts)
    except ValueError:
        # a thirteenth month: the text stays what it is
        return text


def day_within(text: str) -> dt.date | None:
    """Return the one day that a text names with its year, ``None`` where it names none or several.

    >>> day_within("Игра 2 от 06.01.2026, дача"), day_within("Дата: 6 января 2026 г.")
    (datetime.date(2026, 1, 6), datetime.date(2026, 1, 6))
    >>> day_within("с 1.01.2026 по 3.01.2026"), day_within("32.01.2026"), day_within("Дача 7")
    (None, None, None)
    """
    found = {day(" ".join(match.split())) for match in _WITHIN.findall(text)}
    days = [one for one in found if isinstance(one, dt.date)]
    return days[0] if len(found) == len(days) == 1 else None


def days_of(column: Column, *, from_1904: bool = False) -> Objects:
    """(R,) the cells as dates; ``1/2/26`` is read as the column's other dates show."""
    orders = _orders(column.values)
    return column.mapped(lambda value: day(value, from_1904=from_1904, orders=orders))


def is_unclear(text: str) -> bool:
    """Return whether a text may be two days, so that only the dates around it show which.

    >>> is_unclear("1/2/26"), is_unclear("вчера")
    (True, False)
    """
    return _SLASHED.fullmatch(text) is not None and not is_impossible(text)


def is_impossible(text: str) -> bool:
    """Return whether a text is written as a date, but there is no such day.

    >>> is_impossible("31.02.2026"), is_impossible("янв. 2026"), is_impossible("13/13/2026")
    (True, False, True)
    """
    ways: list[Orders] = [{"/": first, "-": first} for first in (True, False)]
    if any(_parts(text, way) is None for way in ways):
        return False
    return all(isinstance(day(text, orders=way), str) for way in ways)


def _parts(text: str, orders: Orders) -> tuple[int, int, int] | None:
    """Return year, month and day as they are written, ``None`` where that is no date or may be two."""
    found = _ISO.fullmatch(text) or _DOTTED.fullmatch(text)
    if found:
        return _year(found), int(found["month"]), int(found["day"])
    found = _SLASHED.fullmatch(text)
    if found:
        one, two = int(found["one"]), int(found["two"])
        if one == two or found["sign"] in orders:
            return _year(found), *((two, one) if orders.get(found["sign"]) else (one, two))
        return None
    small = text.casefold()
    for pattern in _WORDED:
        found = pattern.fullmatch(small)
        if found and found["name"] in MONTHS:
            return _year(found), MONTHS[found["name"]], int(found["day"])
    return None


def _year(found: re.Match[str]) -> int:
    year = int(found["year"])
    return year + 2000 if year < 100 else year


def _orders(values: Iterable[Any]) -> Orders:
    """Return the order of dates like ``13/01/2026``, as far as one of them shows it and none another."""
    found = [match for value in values if isinstance(value, str) and (match := _SLASHED.fullmatch(shown(value)))]
    orders = {}
    for sign in {match["sign"] for match in found}:
        same = [match for match in found if match["sign"] == sign]
        first, second = (any(int(match[name]) > 12 for match in same) for name in ("one", "two"))
        if first != second:
            orders[sign] = first
    return orders
