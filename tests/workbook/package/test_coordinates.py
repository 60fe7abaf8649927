"""Names of cells and areas."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prefxl.workbook.package.coordinates import (
    Area,
    column_letters,
    column_number,
    parse_area,
    parse_areas,
    parse_reference,
    rectangles,
)


@pytest.mark.parametrize(("number", "letters"), [(1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (16_384, "XFD")])
def test_columns_have_letters(number, letters):
    assert column_letters(number) == letters
    assert column_number(letters) == number


def test_a_cell_may_be_told_with_dollar_signs():
    assert parse_reference("$AB$12") == (12, 28)


def test_what_is_no_cell_is_refused():
    with pytest.raises(ValueError, match="not a cell"):
        parse_reference("Итог")


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("B2", Area(2, 2, 2, 2)),
        ("C5:B2", Area(2, 2, 5, 3)),
        ("B:C", Area(1, 2, 1_048_576, 3)),
        ("2:3", Area(2, 1, 3, 16_384)),
        ("#REF!", None),
        ("A1:B2:C3", None),
    ],
)
def test_an_area_is_read_in_every_notation(text, area):
    assert parse_area(text) == area


def test_a_list_of_areas_leaves_out_what_is_none():
    assert list(parse_areas("A1 #REF! B2:C3")) == [Area(1, 1, 1, 1), Area(2, 2, 3, 3)]


@given(st.sets(st.tuples(st.integers(1, 12), st.integers(1, 8))))
def test_rectangles_cover_exactly_the_cells(cells):
    covered = [
        (row, column)
        for area in rectangles(cells)
        for row in range(area.first_row, area.last_row + 1)
        for column in range(area.first_column, area.last_column + 1)
    ]
    assert sorted(covered) == sorted(cells)


def test_a_long_block_is_one_rectangle():
    assert rectangles((row, column) for row in range(1, 500) for column in (3, 4, 5)) == [Area(1, 3, 499, 5)]
