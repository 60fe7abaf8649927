"""PULYA as named LAMBDAs: its numbers in two formula engines, what it refuses, how it is stored."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
from xlsxwriter.utility import xl_range, xl_rowcol_to_cell

from prefxl.live.lambda_book import FIRST, NAMES_SHEET, PLAYERS, RESULT, SHEET, TABLE
from prefxl.live.lambdas import LAMBDA_CONVENTIONS, LONGEST_NAME, lambda_names, readable
from prefxl.live.plan import cell
from prefxl.live.templates import write_template
from tests.clients.engines import ENGINES, open_in
from tests.live.cases import random_cases, shared_cases

TEMPLATE = Path(__file__).parents[2] / "templates" / "lambda.xlsx"
DOWN, ACROSS = "down", "across"


def name_of(case):
    return f"PULYA_{case.convention}_{case.rounding}".upper()


def can_say(case):
    return case.in_formulas and case.convention in LAMBDA_CONVENTIONS and case.target is None


class Book:
    """A workbook with our names and one call after another, ten rows and seven columns apart."""

    def __init__(self, path):
        self.path = path
        self.book = xlsxwriter.Workbook(path)
        for name, text in lambda_names().items():
            self.book.define_name(name, f"={text}")
        self.sheet = self.book.add_worksheet("S")
        self.top = 0
        self.calls = []

    def call(self, name, pulya, gora, whists, direction=DOWN):
        """Write a call; the answer is read from a square, so that a wrong direction shows."""
        top, players = self.top, len(whists)
        self.top += 20
        pulyas, goras = (self.line(top + 2 * n, numbers, direction) for n, numbers in enumerate((pulya, gora)))
        for i, row in enumerate(whists):
            for j, number in enumerate(row):
                self.put(top + i, 10 + j, number)
        square = xl_range(top, 10, top + players - 1, 10 + len(whists[0]) - 1)
        last = (top + players - 1, 20) if direction == DOWN else (top, 20 + players - 1)
        self.sheet.write_dynamic_array_formula(top, 20, *last, f"={name}({pulyas},{goras},{square})", None, -1)
        steps = ((n, 0) if direction == DOWN else (0, n) for n in range(players))
        self.calls.append([xl_rowcol_to_cell(top + down, 20 + right) for down, right in steps])

    def line(self, top, numbers, direction):
        if not isinstance(numbers, list):
            self.put(top, 0, numbers)
            return xl_rowcol_to_cell(top, 0)
        places = [
            (top, n) if direction == ACROSS else (self.top - 20 + n, (top - self.top + 20)) for n in range(len(numbers))
        ]
        for place, number in zip(places, numbers, strict=True):
            self.put(*place, number)
        return xl_range(*places[0], *places[-1])

    def put(self, row, column, number):
        if isinstance(number, str):
            self.sheet.write(row, column, number)
        elif number:
            self.sheet.write_number(row, column, float(number))

    def answers(self, engine):
        self.book.close()
        book = open_in(engine, self.path)
        return [[book.value("S", name) for name in call] for call in self.calls]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("direction", [DOWN, ACROSS])
def test_every_name_settles_shared_and_random_sheets_as_the_rules_do(tmp_path, engine, direction):
    cases = [case for case in [*shared_cases(), *random_cases(seed=31, count=120)] if can_say(case)]
    book = Book(tmp_path / "calls.xlsx")
    for case in cases:
        book.call(name_of(case), case.pulya, case.gora, case.whists, direction)
    for case, answer in zip(cases, book.answers(engine), strict=True):
        assert answer == pytest.approx(case.floats, abs=1e-9), case
    assert {name_of(case) for case in cases} == set(lambda_names()) - {"PULYA"}


@pytest.mark.parametrize("engine", ENGINES)
def test_pulya_itself_is_rozaliev_by_debts_and_takes_one_pulya_for_all(tmp_path, engine):
    case = next(case for case in random_cases(seed=32, count=40) if name_of(case) == "PULYA_ROZALIEV_DEBTS")
    book = Book(tmp_path / "calls.xlsx")
    book.call("PULYA", case.pulya, case.gora, case.whists)
    book.call("PULYA", [9] * case.players, case.gora, case.whists)
    book.call("PULYA", 9, case.gora, case.whists)
    book.call("PULYA", 0, 0, case.whists)
    own, equal, one, blank = book.answers(engine)
    assert own == case.floats
    assert equal == one
    assert sum(blank) == 0


WRONG = [
    ([1, 2, 3], [4, "x", 6], [[0, 1, 2], [3, 0, 4], [5, 6, 0]]),
    ([1, 2, "три"], [4, 5, 6], [[0, 1, 2], [3, 0, 4], [5, 6, 0]]),
    ([1, 2, 3], [4, 5, 6], [[0, 1, "—"], [3, 0, 4], [5, 6, 0]]),
    ([1, 2, 3], [4, 5, 6], [[7, 1, 2], [3, 0, 4], [5, 6, 0]]),
    ([1, 2, 0.1], [4, 5, 6], [[0, 1, 2], [3, 0, 4], [5, 6, 0]]),
    ([1, 2, 2e9], [4, 5, 6], [[0, 1, 2], [3, 0, 4], [5, 6, 0]]),
    ([1, 2], [4, 5, 6], [[0, 1, 2], [3, 0, 4], [5, 6, 0]]),
    ([1, 2, 3], 7, [[0, 1, 2], [3, 0, 4], [5, 6, 0]]),
    ([1, 2, 3], [4, 5, 6], [[0, 1, 2], [3, 0, 4]]),
    ([1], [4], [[0]]),
]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_sheet_that_cannot_be_settled_is_an_error(tmp_path, engine):
    book = Book(tmp_path / "calls.xlsx")
    for sheet in WRONG:
        book.call("PULYA", *sheet)
    for sheet, answer in zip(WRONG, book.answers(engine), strict=True):
        assert str(answer[0]).startswith("#"), sheet


@pytest.mark.parametrize("engine", ENGINES)
def test_the_shipped_workbook_shows_what_it_computes(engine):
    book, cached = open_in(engine, TEMPLATE), openpyxl.load_workbook(TEMPLATE, data_only=True)[SHEET]
    places = [(FIRST, RESULT)] + [(TABLE + 1, column) for column in range(1, 13)]
    for row, column in places:
        names = [cell(row + seat, column) for seat in range(len(PLAYERS))]
        values = [book.value(SHEET, name) for name in names]
        assert values == pytest.approx([cached[name].value for name in names], abs=1e-9)
        assert sum(values) == pytest.approx(0, abs=1.1)


def test_the_names_are_stored_as_excel_wants_them():
    with zipfile.ZipFile(TEMPLATE) as package:
        stored = dict(re.findall(r'<definedName name="(PULYA\w*)">([^<]*)<', package.read("xl/workbook.xml").decode()))
    texts = {
        name: text.replace("&gt;", ">").replace("&lt;", "<").replace("&quot;", '"') for name, text in stored.items()
    }
    assert texts == lambda_names()
    for text in texts.values():
        assert len(text) < LONGEST_NAME
        assert "_xlop" not in text
        assert "[" not in text
        # every new function is prefixed, and every name of LET and LAMBDA wherever it stands
        assert not re.search(r"(?<!_xlfn\.)\b(LAMBDA|LET|SEQUENCE)\(", text)
        names = set(re.findall(r"_xlpm\.(\w+)", text))
        assert not names & {"r", "c"}
        assert not any(re.search(rf'(?<![\w."]){name}(?![\w(])', text) for name in names)


def test_the_formulas_spill():
    with zipfile.ZipFile(TEMPLATE) as package:
        sheet = package.read("xl/worksheets/sheet1.xml").decode()
        assert "xl/metadata.xml" in package.namelist()
    assert sheet.count('cm="1"') == 13


def test_every_name_is_documented_with_the_formula_to_paste():
    rows = openpyxl.load_workbook(TEMPLATE)[NAMES_SHEET].iter_rows(min_row=5, values_only=True)
    assert {row[0]: row[3] for row in rows if row[0]} == {name: readable(text) for name, text in lambda_names().items()}


def test_a_rebuilt_workbook_is_the_shipped_one(tmp_path):
    made = write_template("lambda.xlsx", tmp_path / "made.xlsx")
    with zipfile.ZipFile(made) as new, zipfile.ZipFile(TEMPLATE) as shipped:
        assert new.namelist() == shipped.namelist()
        for name in new.namelist():
            assert new.read(name) == shipped.read(name), name
