"""Cells of ours put into rows by the thousand.

Where all that is to happen to a row is that numbers of ours come into one gap between the user's
cells (behind the last one as a rule), and those of an earlier run leave it, the row is cut there
once. The cells are written column by column. Anything else is done one row at a time, by
:class:`~prefxl.workbook.package.rows.RowRewriter`; both ways give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from prefxl.workbook.package.blocks import Kind, without_spans
from prefxl.workbook.package.coordinates import Area, column_letters
from prefxl.workbook.package.edits import Edits, Outcome
from prefxl.workbook.package.markup import Markup
from prefxl.workbook.package.model import ColumnChange, plain_numbers

Ranges = tuple[tuple[int, int], ...]


class Cut(NamedTuple):
    """Where rows of a kind are opened: the columns of the first cell that goes and of the first that stays
    (0 for the row's end), and how many go."""

    start: int
    stop: int
    removed: int


class Bulk:
    """Puts the columns of :class:`Edits` into rows.

    Parameters
    ----------
    edits, markup, outcome
        What is to happen, how the sheet is written, and what has happened.
    style
        Return the format of a column's numbers.
    """

    def __init__(self, edits: Edits, markup: Markup, outcome: Outcome, style: Callable[[ColumnChange], int]) -> None:
        self._edits = edits
        self._markup = markup
        self._outcome = outcome
        self._style = style
        self._changes = sorted(edits.columns, key=lambda change: (change.column, int(change.rows[0])))
        columns = [change.column for change in self._changes]
        self._span = (min(columns), max(columns)) if columns else None
        self._single = {*edits.restores, *edits.cells, *edits.marks, *edits.foreign}
        self._cuts: dict[tuple[Kind, Ranges], Cut | None] = {}

    def cut(self, number: int, kind: Kind | None) -> Cut | None:
        """Return where to open a row; None if it is not to be done here."""
        if kind is None or number in self._single:
            return None
        ranges = self._edits.removed.get(number, ())
        if (kind, ranges) not in self._cuts:
            self._cuts[kind, ranges] = self._find_cut(kind, ranges)
        return self._cuts[kind, ranges]

    def _find_cut(self, kind: Kind, ranges: Ranges) -> Cut | None:
        gone = [column for column in kind.columns if any(first <= column <= last for first, last in ranges)]
        kept = [column for column in kind.columns if column not in gone]
        if kind.has_format or not kept or any(kind.formulas >> column & 1 for column in gone):
            return None
        touched = [*(self._span or ()), *gone]
        if not touched:
            return Cut(0, 0, 0)
        first, last = min(touched), max(touched)
        if any(first <= column <= last for column in kept):
            return None
        stop = next((column for column in kept if column > last), 0)
        return Cut(gone[0] if gone else stop, stop, len(gone))

    def blocked(self, numbers: Sequence[int], areas: Sequence[Area]) -> bool:
        """Tell whether one of the areas may be in the way of our cells in rows."""
        if self._span is None:
            return False
        target = Area(numbers[0], self._span[0], numbers[-1], self._span[1])
        return any(area.meets(target) for area in areas)

    def rewritten(
        self, numbers: Sequence[int], rows: Sequence[bytes], kinds: Sequence[Kind | None]
    ) -> Iterator[tuple[bytes, bytes]]:
        """Yield rows that can be cut, in two pieces: what stands before our cells, and the rest.

        Parameters
        ----------
        numbers, rows, kinds
            As in a :class:`~prefxl.workbook.package.blocks.Block`; ascending.
        """
        end = self._markup.row_end
        for number, row, kind, cells in zip(numbers, rows, kinds, self._cells(numbers), strict=True):
            cut = self.cut(number, kind)
            assert kind is not None
            assert cut is not None
            self._outcome.removed += cut.removed
            if kind.has_spans:
                row = without_spans(row)
            if cut.stop or cut.removed:
                stop = self._place(row, number, cut.stop)
                start = self._place(row, number, cut.start) if cut.removed else stop
                yield row[:start], b"".join([cells, row[stop:], end])
            else:
                yield row, cells + end

    def _place(self, row: bytes, number: int, column: int) -> int:
        if not column:
            return len(row)
        return row.index(b'<%sc r="%s%d"' % (self._markup.prefix, column_letters(column).encode(), number))

    def _cells(self, numbers: Sequence[int]) -> list[bytes]:
        """Return the bytes of our cells in each of some rows, which ascend; take note of them."""
        found = []
        for change in self._changes:
            start, stop = np.searchsorted(change.rows, [numbers[0], numbers[-1] + 1])
            if start < stop:
                rows, values = change.rows[start:stop], change.values[start:stop]
                found.append(ColumnChange(change.column, rows, values, change.style))
        # formats get their numbers in the order in which a row-by-row writer meets them
        for change in sorted(found, key=lambda change: (int(change.rows[0]), change.column)):
            self._style(change)
        whole = np.array(numbers)
        texts = [self._texts(change, whole) for change in found]
        for change in found:
            self._outcome.place_numbers(change)
        if not texts:
            return [b""] * len(numbers)
        return "\n".join(map("".join, zip(*texts, strict=True))).encode().split(b"\n")

    def _texts(self, change: ColumnChange, numbers: npt.NDArray[np.int64]) -> list[str]:
        """Return the cells of a column, and empty text in the rows that have none of it."""
        prefix, style = self._markup.prefix.decode(), self._style(change)
        start = f'<{prefix}c r="{column_letters(change.column)}'
        middle = f'" s="{style}"><{prefix}v>' if style else f'"><{prefix}v>'
        end = f"</{prefix}v></{prefix}c>"
        pairs = zip(change.rows.tolist(), plain_numbers(change.values), strict=True)
        cells = [f"{start}{row}{middle}{value}{end}" for row, value in pairs]
        if len(cells) == len(numbers):
            return cells
        texts = [""] * len(numbers)
        for at, cell in zip(np.searchsorted(numbers, change.rows).tolist(), cells, strict=True):
            texts[at] = cell
        return texts
