"""No row is lost: data rows in = rows settled + rows in findings, for files made at random."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

import prefxl.sheets as sheets
from prefxl.findings import REASONS, Severity
from tests.sheets.samples import csv_bytes, xlsx_bytes

#: Enough to meet every kind of fault in most runs.
SOME = settings(max_examples=30, deadline=None)

NAMES = st.sampled_from(["Аня", "Боря", "Вася", "Галя", "Дед", "аня", "Bася", None])
CELLS = st.one_of(
    st.integers(-3, 40),
    st.none(),
    st.sampled_from(["7,5", "½", "abc", "—", "#Н/Д", "03.04.2026", "ØØ35", "1 062", "2/3", "ИСТИНА", "4e9", "  "]),
)
WHISTS = ["Висты на 1", "Висты на 2", "Висты на 3"]


def dropped(row):
    """Return whether a row holds nothing that could be a game: nobody, and no number."""
    return all(cell is None or str(cell).strip() in ("", "—") for cell in row[2:])


@st.composite
def long_files(draw):
    """Rows of the long layout under one heading, faults and all."""
    rows = [["Игра", "Дата", "Игрок", "Пуля", "Гора", *WHISTS]]
    for game in range(draw(st.integers(1, 4))):
        number = draw(st.sampled_from([game, game, game, 0]))
        for _ in range(draw(st.integers(1, 6))):
            cells = draw(st.lists(CELLS, min_size=5, max_size=5))
            rows.append([number, f"{game + 1:02}.01.2026", draw(NAMES), *cells])
    return rows


@st.composite
def wide_files(draw):
    """Rows of the wide layout for up to three seats."""
    fields = ["Игрок", "Пуля", "Гора"]
    heads = ["Игра", "Дата", *(f"{field} {seat}" for field in fields for seat in (1, 2, 3))]
    heads += [f"Висты {i}-{j}" for i in (1, 2, 3) for j in (1, 2, 3) if i != j]
    rows = [heads]
    for game in range(draw(st.integers(1, 6))):
        names = draw(st.lists(NAMES, min_size=3, max_size=3))
        rows.append([game, "01.01.2026", *names, *draw(st.lists(CELLS, min_size=12, max_size=12))])
    return rows


def settled_rows(games):
    return {int(row) for row in games.rows.ravel() if row}


#: Notes and warnings on rows that are no games.
ASIDE = ("totals-row", "remark", "taken-for-remark", "empty-game")


def found_rows(games):
    rows = set()
    for finding in games.findings:
        if finding.severity is Severity.ERROR or finding.reason in ASIDE:
            rows |= {int(row) for row in finding.details.get("rows", ())}
            rows |= {int(number) for number in re.findall(r"\d+$", finding.cell)}
    return rows


def check(rows, data):
    games = sheets.read(data)
    lines = {line for line, row in enumerate(rows, 1) if line > 1 and not dropped(row)}
    settled, found = settled_rows(games), found_rows(games)
    # every row is either settled or told, and none is both
    assert lines <= settled | found
    assert not settled & found


@SOME
@given(long_files())
def test_no_row_of_a_long_text_file_is_lost(rows):
    check(rows, csv_bytes(rows))


@SOME
@given(wide_files())
def test_no_row_of_a_wide_text_file_is_lost(rows):
    check(rows, csv_bytes(rows))


@SOME
@given(long_files())
def test_no_row_of_a_long_workbook_is_lost(rows):
    check(rows, xlsx_bytes({"Игры": rows}))


@SOME
@given(wide_files())
def test_no_row_of_a_wide_workbook_is_lost(rows):
    check(rows, xlsx_bytes({"Игры": rows}))


@SOME
@given(long_files())
def test_every_cell_of_a_finding_holds_what_was_found(rows):
    for finding in sheets.read(csv_bytes(rows)).findings:
        place = re.fullmatch(r"([A-H])(\d+)", finding.cell)
        if place and finding.reason in ("not-a-number", "error-value", "date-in-score", "odd-fraction", "boolean"):
            stands = rows[int(place[2]) - 1][ord(place[1]) - ord("A")]
            assert finding.found == str(stands).strip()
        assert finding.reason in REASONS
