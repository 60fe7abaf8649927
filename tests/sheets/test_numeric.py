"""Columns gathered as arrays say the same of every cell as columns gathered cell by cell."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from prefxl.sheets import numeric
from prefxl.sheets.cells import Column
from prefxl.sheets.numeric import Floats, Gathered
from prefxl.sheets.values import is_empty

CELLS = st.one_of(
    st.integers(-300, 300).map(float),
    st.sampled_from([7.5, -0.25, 0.1, 1e12, 0.0]),
    st.just(""),
    st.sampled_from(["", "–", " ", "12", "Ø5", "Вася"]),
)


def gathered(cells: list[object], block: int) -> Column:
    column = Gathered()
    for start in range(0, len(cells), block):
        column.add(tuple(cells[start : start + block]))
    return column.column()


def same(found: Column, expected: Column) -> None:
    assert len(found) == len(expected)
    assert [found[row] for row in range(len(found))] == [expected[row] for row in range(len(expected))]
    assert [found.values[code] for code in found.codes] == [expected.values[code] for code in expected.codes]
    assert found.scores.halves.tolist() == expected.scores.halves.tolist()
    assert found.scores.faults == expected.scores.faults
    assert found.scores.empty.tolist() == expected.scores.empty.tolist()
    assert found.scores.complete == expected.scores.complete
    assert found.empty.tolist() == expected.empty.tolist()
    assert found.identifiers().tolist() == expected.identifiers().tolist()
    assert found.where(is_empty).tolist() == expected.where(is_empty).tolist()


@given(st.lists(CELLS, min_size=3, max_size=60), st.integers(1, 20), st.data())
@settings(max_examples=200, deadline=None)
def test_a_column_of_numbers_and_empty_cells_reads_the_same_as_an_array(
    cells: list[object], block: int, data: st.DataObject
) -> None:
    kept, numeric._MANY = numeric._MANY, 0
    try:
        found, expected = gathered(cells, block), Column.of(cells)
        same(found, expected)
        rows = np.array(data.draw(st.lists(st.integers(0, len(cells) - 1), unique=True)), np.int64)
        same(found.take(rows), expected.take(rows))
        same(found.take(slice(1, -1)), expected.take(slice(1, -1)))
        flags = np.isin(np.arange(len(cells)), rows)
        same(found.take(flags), expected.take(flags))
        changed = {0: "Гена", len(cells) - 1: 3.0}
        same(found.replaced(changed), expected.replaced(changed))
    finally:
        numeric._MANY = kept


def test_a_long_column_with_an_empty_cell_in_four_is_an_array() -> None:
    column = gathered([float(row) if row % 4 else "" for row in range(4000)], 500)
    assert isinstance(column, Floats)
    assert column.scores.empty.sum() == 1000
