"""Cells as bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from prefxl.workbook.package import CellChange
from prefxl.workbook.package.cells import LONGEST_TEXT, cell_bytes, escape
from prefxl.workbook.package.prints import _functions, skeleton


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a<b>&", "a&lt;b&gt;&amp;"),
        ("_x0041_", "_x005F_x0041_"),
        ("_x41_", "_x41_"),
        ("a\x07b", "a_x0007_b"),
        ("a\r\nb\rc", "a\nb_x000D_c"),
        ("\ud800", "\ufffd"),
    ],
)
def test_text_is_escaped_as_excel_does(text, written):
    assert escape(text) == written


def test_text_is_cut_at_what_a_cell_can_hold():
    assert len(escape("я" * 40_000)) == LONGEST_TEXT


@given(st.text())
def test_any_text_gives_well_formed_xml(text):
    cell = etree.fromstring(cell_bytes(CellChange(1, 1, text), 0, "", False))
    assert cell.get("r") == "A1"


@pytest.mark.parametrize(
    ("change", "written"),
    [
        (CellChange(1, 28, 1), b'<c r="AB1" s="3"><v>1</v></c>'),
        (CellChange(1, 1), b'<c r="A1" s="3"/>'),
        (CellChange(1, 1, True), b'<c r="A1" s="3" t="b"><v>1</v></c>'),
        (CellChange(1, 1, formula="=A2&A3", cached="x"), b'<c r="A1" s="3" t="str"><f>A2&amp;A3</f><v>x</v></c>'),
        (CellChange(1, 1, formula="A2", cached=0.5), b'<c r="A1" s="3"><f>A2</f><v>0.5</v></c>'),
        (CellChange(1, 1, formula="A2"), b'<c r="A1" s="3"><f>A2</f></c>'),
    ],
)
def test_cells_are_written_as_excel_writes_them(change, written):
    assert cell_bytes(change, 3, "", False) == written


def test_the_sheets_own_prefix_is_used():
    written = cell_bytes(CellChange(1, 1, "т"), 0, "x:", False)
    assert written == '<x:c r="A1" t="inlineStr"><x:is><x:t>т</x:t></x:is></x:c>'.encode()


def test_numbers_of_numpy_are_written_as_numbers():
    numpy = pytest.importorskip("numpy")
    assert cell_bytes(CellChange(1, 1, numpy.float64(0.5)), 0, "", False) == b'<c r="A1"><v>0.5</v></c>'


def test_functions_of_formulas_that_differ_in_their_rows_are_found_once():
    _functions.cache_clear()
    found = {skeleton(f"ROUND(SUM($B{row}:C{row})/'Игра 1'!A{row},0)") for row in range(1000, 4000)}
    assert found == {"ROUND SUM"}
    assert _functions.cache_info().misses == 1
