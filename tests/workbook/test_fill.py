"""Cells as XML, and rows in the place of a placeholder."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from prefxl.workbook.fill import Fill, cell_tail, filled, text_element

SHEET = (
    '<dimension ref="A1:B2"/><sheetData><row r="1"><c r="A1" t="s"/></row>'
    '<row r="2" spans="1:2"><c r="A2" s="3"/><c r="B2"/></row></sheetData>'
)


def xml_of(sheet: str, *blocks: Fill) -> str:
    return b"".join(filled(sheet.encode(), blocks)).decode()


@pytest.mark.parametrize(
    ("value", "tail"),
    [
        (5, "><v>5</v></c>"),
        (np.int64(5), "><v>5</v></c>"),
        (2.0, "><v>2</v></c>"),
        (0.1, "><v>0.1</v></c>"),
        (Fraction(1, 4), "><v>0.25</v></c>"),
        (Decimal("12.50"), "><v>12.5</v></c>"),
        (float("nan"), "/>"),
        (None, "/>"),
        ("", "/>"),
        (True, ' t="b"><v>1</v></c>'),
        (date(2026, 1, 4), "><v>46026</v></c>"),
        (datetime(2026, 1, 4, 18), "><v>46026.75</v></c>"),
        (date(1812, 9, 7), ' t="inlineStr"><is><t>1812-09-07</t></is></c>'),
        ("=1+1", ' t="inlineStr"><is><t>=1+1</t></is></c>'),
    ],
)
def test_a_value_is_written_as_what_it_is(value, tail):
    assert cell_tail(value) == tail


@pytest.mark.parametrize(
    ("text", "element"),
    [
        ("Аня & <Боря>", "<t>Аня &amp; &lt;Боря&gt;</t>"),
        (" края ", '<t xml:space="preserve"> края </t>'),
        ("a\nb", '<t xml:space="preserve">a\nb</t>'),
        ("_x0041_", "<t>_x005F_x0041_</t>"),
        ("\x07", "<t>_x0007_</t>"),
        ("\ud800", "<t>\ufffd</t>"),
    ],
)
def test_text_keeps_every_character_that_a_cell_can_hold(text, element):
    assert text_element(text) == element


def test_a_text_too_long_for_a_cell_is_cut():
    assert len(text_element("я" * 40_000)) == 32_767 + len("<t></t>")


def test_rows_take_the_place_of_the_placeholder_with_its_styles():
    block = Fill(2, 4, (np.array([1, 2, 3]), ["а", None, "в"]))
    xml = xml_of(SHEET, block)
    assert '<dimension ref="A1:B4"/>' in xml
    assert '<row r="3" spans="1:2"><c r="A3" s="3"><v>2</v></c><c r="B3"/></row>' in xml
    assert '<c r="B4" t="inlineStr"><is><t>в</t></is></c></row></sheetData>' in xml
    assert xml.count("<row ") == 4


def test_two_blocks_on_one_sheet_are_both_filled():
    sheet = SHEET.replace("</sheetData>", '<row r="9"><c r="A9"/></row></sheetData>')
    xml = xml_of(sheet, Fill(2, 3, ([1, 2], [3, 4])), Fill(9, 9, ([5.5],)))
    assert '<row r="9"><c r="A9"><v>5.5</v></c></row>' in xml


def test_a_placeholder_that_does_not_fit_its_columns_is_a_fault_of_ours():
    with pytest.raises(AssertionError, match="1 columns, 2 cells"):
        xml_of(SHEET, Fill(2, 2, ([1],)))


def test_the_empty_rows_that_notes_leave_behind_are_not_written_twice():
    sheet = SHEET.replace("</sheetData>", '<row r="3" spans="1:2"/><row r="4"/><row r="5"/></sheetData>')
    xml = xml_of(sheet, Fill(2, 4, ([1, 2, 3], [4, 5, 6])))
    assert re.findall(r'<row r="(\d)"', xml) == ["1", "2", "3", "4", "5"]


VALUES = st.one_of(
    st.integers(),
    st.floats(),
    st.booleans(),
    st.text(max_size=5),
    st.dates(),
    st.datetimes(),
    st.fractions(),
    st.none(),
    st.sampled_from([0, 1, 1.0, True, False, "", "1", float("nan"), Decimal("1"), np.bool_(True), np.int64(1)]),
)


@given(st.lists(VALUES, min_size=1, max_size=30), st.integers(1, 8))
@example([Decimal("1"), np.int64(1)], 1)
def test_every_value_of_a_column_is_written_as_if_it_stood_alone(values, chunk):
    block = Fill(2, 1 + len(values), (values, list(range(len(values)))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("prefxl.workbook.fill.CHUNK", chunk)
        patch.setattr("prefxl.workbook.fill._MOST_KEPT", 3)
        xml = xml_of(SHEET, block)
    rows = "".join(
        f'<row r="{at}" spans="1:2"><c r="A{at}" s="3"{cell_tail(value)}<c r="B{at}"{cell_tail(at - 2)}</row>'
        for at, value in enumerate(values, 2)
    )
    assert xml.split("</row>", 1)[1] == f"{rows}</sheetData>"


@given(st.lists(st.one_of(st.floats(), st.integers(-5, 5).map(float)), min_size=1, max_size=30))
def test_numbers_of_an_array_are_written_as_if_each_stood_alone(values):
    xml = xml_of(SHEET, Fill(2, 1 + len(values), (np.array(values), np.arange(len(values)))))
    assert re.findall(r'<c r="A\d+" s="3"(.*?)<c', xml) == [cell_tail(value) for value in values]


ALIKE = (st.text(max_size=3), st.dates(), st.one_of(st.dates(), st.datetimes()), st.integers(), VALUES)


@given(st.sampled_from(ALIKE).flatmap(lambda kind: st.lists(st.one_of(st.none(), kind), min_size=1, max_size=30)))
def test_values_of_an_array_of_objects_are_written_as_if_each_stood_alone(values):
    column = np.empty(len(values), dtype=object)
    column[:] = values
    xml = xml_of(SHEET, Fill(2, 1 + len(values), (column, np.arange(len(values)))))
    assert re.findall(r'<c r="A\d+" s="3"(.*?)<c r="B', xml, re.DOTALL) == [cell_tail(value) for value in values]
