"""Many cells of numbers at once, as bytes: what they hold is written once for each different number, and put
between the numbers of the rows by Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prefxl.workbook.package.coordinates import column_letters
from prefxl.workbook.package.model import ColumnChange, plain_numbers

# between these Arrow writes a number with the same digits as Python does, and without an exponent
_SMALLEST, _LARGEST = 1e-4, 1e9


def number_texts(values: npt.NDArray[np.float64]) -> pa.Array:
    """Return numbers as cells store them: whole ones without a point, no nought below 0."""
    size = np.abs(values)
    if ((size < _LARGEST) & ((size >= _SMALLEST) | (size == 0))).all():
        whole = (values == np.trunc(values)).all()
        return pa.array(values.astype(np.int64) if whole else values + 0.0).cast(pa.string())
    return pa.array([str(value) for value in plain_numbers(values)], pa.string())


class Numbers:
    """The numbers down a column, as cells.

    Parameters
    ----------
    change
        Rows and values.
    prefix
        The sheet's own prefix, with its colon, or empty.
    """

    def __init__(self, change: ColumnChange, prefix: str) -> None:
        encoded = pa.array(change.values).dictionary_encode()
        self._places = encoded.indices
        self._texts = number_texts(encoded.dictionary.to_numpy(zero_copy_only=False))
        self._prefix = prefix
        self._ended: dict[tuple[str, str], pa.Array] = {}
        #: What stands before the number of the row.
        self.start = f'<{prefix}c r="{column_letters(change.column)}'

    def middle(self, style: int) -> str:
        """Return what stands between the number of the row and the content."""
        return f'" s="{style}"><{self._prefix}v>' if style else f'"><{self._prefix}v>'

    def contents(self, start: int, stop: int, before: str, behind: str) -> pa.Array:
        """Return the contents of some cells, with what stands before and behind each."""
        texts = self._ended.get((before, behind))
        if texts is None:
            end = f"</{self._prefix}v></{self._prefix}c>{behind}"
            texts = pc.binary_join_element_wise(before, self._texts, end, "")
            self._ended[before, behind] = texts
        return texts.take(self._places[start:stop])


@dataclass(eq=False, slots=True)
class Part:
    """Some cells of a column that are put into rows together.

    Attributes
    ----------
    numbers
        The column.
    start, stop
        Which of its cells.
    places
        The rows they go to, ascending.
    bases, styles
        What each cell is to look like (``None`` where that is no column of the sheet), and the format it gets.
    """

    numbers: Numbers
    start: int
    stop: int
    places: Sequence[int]
    bases: list[int] | None
    styles: dict[int | None, int] = field(default_factory=dict)

    def inside(self, behind: str) -> pa.Array:
        """Return what stands behind the number of the row in each cell, and ``behind`` it."""
        middles = {base: self.numbers.middle(style) for base, style in self.styles.items()}
        if len(middles) == 1 or self.bases is None:
            return self.numbers.contents(self.start, self.stop, next(iter(middles.values())), behind)
        numbers = {base: number for number, base in enumerate(middles)}
        middle = pa.array(list(middles.values())).take(pa.array([numbers[base] for base in self.bases]))
        contents = self.numbers.contents(self.start, self.stop, "", behind)
        return pc.binary_join_element_wise(middle, contents, "")


def side_by_side(parts: Sequence[Part], rows: Sequence[int], end: str) -> list[bytes]:
    """Return the cells of each row, and its end.

    Parameters
    ----------
    parts
        The cells of each column, from left to right; of one column there may be several parts.
    rows
        The numbers of the rows.
    end
        What ends a row.
    """
    columns = [(start, list(found)) for start, found in groupby(parts, key=lambda part: part.numbers.start)]
    numbers = pa.array(rows, pa.int64()).cast(pa.string())
    woven: list[pa.Array | str]
    if columns and all(sum(len(part.places) for part in found) == len(rows) for _, found in columns):
        woven = [columns[0][0]]
        for (_, found), behind in zip(columns, [*(start for start, _ in columns[1:]), end], strict=True):
            woven += [numbers, _inside(found, len(rows), behind)]
    else:
        cells = ((start, numbers, _inside(found, len(rows), "")) for start, found in columns)
        woven = [*(pc.binary_join_element_wise(*one, "") for one in cells), pa.repeat(end, len(rows))]
    # where a column has no cell its place stays empty
    whole = pc.binary_join_element_wise(*woven, "", null_handling="replace", null_replacement="")
    _, offsets, data = whole.buffers()
    text = data.to_pybytes()
    ends = np.frombuffer(offsets, np.int32)[whole.offset : whole.offset + len(rows) + 1].tolist()
    return [text[start:stop] for start, stop in pairwise(ends)]


def _inside(parts: Sequence[Part], count: int, behind: str) -> pa.Array:
    """Return the cells of one column in all the rows, see :meth:`Part.inside`, null where it has none."""
    cells = [part.inside(behind) for part in parts]
    if len(cells) == 1 and len(cells[0]) == count:
        return cells[0]
    places = np.concatenate([part.places for part in parts])
    own = np.full(count, -1)
    own[places] = np.arange(len(places))
    return pa.concat_arrays(cells).take(pa.array(own, mask=own < 0))
