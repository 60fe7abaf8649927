"""Dates as people write them."""

import datetime as dt

import pytest

import prefxl.sheets as sheets
from prefxl.sheets.cells import Column
from prefxl.sheets.days import day, days_of, is_impossible
from tests.sheets.samples import LONG, WIDE, changed, csv_bytes, noted, told


@pytest.mark.parametrize(
    ("value", "known"),
    [
        ("04.01.2026", dt.date(2026, 1, 4)),
        ("4.1.26", dt.date(2026, 1, 4)),
        ("2026-01-04", dt.date(2026, 1, 4)),
        (dt.datetime(2026, 1, 4, 20), dt.date(2026, 1, 4)),
        (45717.0, dt.date(2025, 3, 1)),
        ("1/2/2026", "1/2/2026"),
        ("31.02.2026", "31.02.2026"),
        ("вчера", "вчера"),
        ("6 января 2026", dt.date(2026, 1, 6)),
        ("6 января 2026 г.", dt.date(2026, 1, 6)),
        ("6 янв. 2026", dt.date(2026, 1, 6)),
        ("6-янв-26", dt.date(2026, 1, 6)),
        ("вс, 4 января 2026", dt.date(2026, 1, 4)),
        ("Jan 9, 2026", dt.date(2026, 1, 9)),
        ("9 January 2026", dt.date(2026, 1, 9)),
        ("9-Jan-2026", dt.date(2026, 1, 9)),
        ("January 9th, 2026", dt.date(2026, 1, 9)),
        ("05/05/2026", dt.date(2026, 5, 5)),
        ("09-01-2026", "09-01-2026"),
        ("янв. 2026", "янв. 2026"),
        ("31 февраля 2026", "31 февраля 2026"),
        ("", None),
        (7.0, "7"),
    ],
)
def test_a_date_is_one_only_where_there_is_no_doubt(value, known):
    assert day(value) == known


def test_days_may_count_from_1904():
    assert day(44255.0, from_1904=True) == dt.date(2025, 3, 1)


@pytest.mark.parametrize(("other", "known"), [("13/01/2026", dt.date(2026, 2, 1)), ("01/13/2026", dt.date(2026, 1, 2))])
def test_one_date_of_a_column_shows_how_the_others_are_written(other, known):
    assert days_of(Column.of(["1/2/2026", other]))[0] == known


def test_dates_between_dashes_and_slashes_are_told_apart():
    assert days_of(Column.of(["09-01-2026", "01/13/2026"]))[0] == "09-01-2026"


def test_dates_that_contradict_each_other_stay_texts():
    assert list(days_of(Column.of(["13/01/2026", "01/13/2026"]))) == ["13/01/2026", "01/13/2026"]


@pytest.mark.parametrize("text", ["31.02.2026", "2026-13-01", "13/13/2026", "31 февраля 2026", "0.1.2026"])
def test_a_day_that_cannot_be_is_known(text):
    assert is_impossible(text)


@pytest.mark.parametrize("text", ["янв. 2026", "1/2/2026", "13/01/2026", "вчера", "04.01.2026", "в 12.30"])
def test_what_may_be_a_day_is_not_impossible(text):
    assert not is_impossible(text)


def test_a_day_that_cannot_be_is_looked_at_once():
    games = sheets.read(csv_bytes(changed(LONG, {(row, 2): "31.02.2026" for row in (2, 3, 4)})))
    assert (told(games), len(games), games.date[0]) == ([("impossible-date", "B2")], 2, "31.02.2026")


def test_days_nobody_can_tell_are_noted_once():
    games = sheets.read(csv_bytes(changed(WIDE, {(2, 2): "1/2/26", (3, 2): "1/3/26"})))
    assert (noted(games), told(games)) == ([("unread-date", "B2")], [])
    assert games.findings[0].details["count"] == 2
