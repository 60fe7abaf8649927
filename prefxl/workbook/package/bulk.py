"""Cells of ours put into rows by the thousand.

Where all that is to happen to a row is that numbers of ours come into one gap between the user's
cells (behind the last one as a rule), and those of an earlier run leave it, the row is cut there
once. The cells are written column by column. Anything else is done one row at a time, by
:class:`~prefxl.workbook.package.rows.RowRewriter`; both ways give the same bytes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from prefxl.workbook.package.blocks import Block, Kind, all_without_spans
from prefxl.workbook.package.coordinates import Area, column_letters, column_number
from prefxl.workbook.package.edits import Edits, Outcome
from prefxl.workbook.package.markup import Markup
from prefxl.workbook.package.model import ColumnChange
from prefxl.workbook.package.woven import Numbers, Part, side_by_side

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
        Return the format of a column's numbers, given that of the cells they are to look like, if these are a column.
    default
        Return the format of a cell of a column that is not there.
    """

    def __init__(
        self,
        edits: Edits,
        markup: Markup,
        outcome: Outcome,
        style: Callable[[ColumnChange, int | None], int],
        default: Callable[[int], int],
    ) -> None:
        self._edits = edits
        self._markup = markup
        self._outcome = outcome
        self._style = style
        self._default = default
        self._changes = sorted(edits.columns, key=lambda change: (change.column, int(change.rows[0])))
        columns = [change.column for change in self._changes]
        self._span = (min(columns), max(columns)) if columns else None
        dressed = {} if edits.dressed is None else edits.dressed.cells
        self._single = {*edits.restores, *edits.cells, *edits.marks, *edits.foreign, *dressed}
        self._numbers: dict[int, Numbers] = {}
        self._cuts: dict[tuple[Kind, Ranges], Cut | None] = {}

    def cuts(self, block: Block) -> list[Cut | None]:
        """Return where to open each row; None if it is not to be done here."""
        if self._edits.removed:
            return [self._cut(number, kind) for number, kind in zip(block.numbers, block.kinds, strict=True)]
        known = {kind: None if kind is None else self._cut(0, kind) for kind in set(block.kinds)}
        cuts = [known[kind] for kind in block.kinds]
        for number in self._single.intersection(block.numbers):
            cuts[bisect_left(block.numbers, number)] = None
        return cuts

    def _cut(self, number: int, kind: Kind | None) -> Cut | None:
        if kind is None or number in self._single:
            return None
        ranges = self._edits.removed.get(number, ())
        if (kind, ranges) not in self._cuts:
            self._cuts[kind, ranges] = self._find_cut(kind, ranges)
        return self._cuts[kind, ranges]

    def _find_cut(self, kind: Kind, ranges: Ranges) -> Cut | None:
        gone = [column for column in kind.columns if any(first <= column <= last for first, last in ranges)]
        if self._edits.gapped and not any(kind.filled >> column & 1 for column in gone):
            gone = []
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

    def rewritten(self, block: Block, cuts: Sequence[Cut]) -> tuple[Sequence[bytes], Sequence[bytes]]:
        """Return rows that can be cut, in two pieces: what stands before our cells, and the rest.

        Parameters
        ----------
        block
            The rows.
        cuts
            Where each is to be cut, see :meth:`cuts`.
        """
        rows, backs = block.rows, self._cells(block)
        if any(kind is not None and kind.has_spans for kind in set(block.kinds)):
            rows = all_without_spans(rows, block.kinds)
        if any(cut.stop or cut.removed for cut in set(cuts)):
            pieces = map(self._opened, block.numbers, rows, cuts, backs)
            rows, backs = zip(*pieces, strict=True)  # type: ignore[assignment]
            self._outcome.removed += sum(cut.removed for cut in cuts)
        return rows, backs

    def _opened(self, number: int, row: bytes, cut: Cut, cells: bytes) -> tuple[bytes, bytes]:
        """Return a row in two pieces, given our cells and the row's end."""
        stop = self._place(row, number, cut.stop)
        start = self._place(row, number, cut.start) if cut.removed else stop
        if stop == len(row):
            return row[:start], cells
        end = self._markup.row_end
        return row[:start], b"".join([cells[: -len(end)], row[stop:], end])

    def _place(self, row: bytes, number: int, column: int) -> int:
        if not column:
            return len(row)
        return row.index(b'<%sc r="%s%d"' % (self._markup.prefix, column_letters(column).encode(), number))

    def _cells(self, block: Block) -> list[bytes]:
        """Return the bytes of our cells in each row, and its end; take note of them."""
        found: list[tuple[ColumnChange, Part]] = []
        numbers = block.numbers
        whole = np.array(numbers)
        known: dict[int, list[int]] = {}
        for change in self._changes:
            start, stop = np.searchsorted(change.rows, [numbers[0], numbers[-1] + 1]).tolist()
            if start < stop:
                some = ColumnChange(change.column, change.rows[start:stop], change.values[start:stop], change.style)
                places = np.searchsorted(whole, some.rows).tolist()
                bases = self._bases(some, places, block, known)
                found.append((some, Part(self._numbers_of(change), start, stop, places, bases)))
        self._number_styles(found)
        self._outcome.place_numbers(change for change, _ in found)
        for change, part in found:
            self._outcome.wear(change.column, part.styles.values())
        return side_by_side([part for _, part in found], numbers, self._markup.row_end.decode())

    def _numbers_of(self, change: ColumnChange) -> Numbers:
        numbers = self._numbers.get(id(change))
        if numbers is None:
            numbers = self._numbers[id(change)] = Numbers(change, self._markup.prefix.decode())
        return numbers

    def _bases(
        self, change: ColumnChange, places: Sequence[int], block: Block, known: dict[int, list[int]]
    ) -> list[int] | None:
        """Return the formats of the cells whose look is asked for, None where that is no column.

        Parameters
        ----------
        known
            Those of the columns that were asked for before.
        """
        like = None if change.style is None else change.style.like
        if like is None or not like.isalpha():
            return None
        column = column_number(like)
        if column not in known:
            known[column] = self._formats(column, block)
        bases = known[column]
        return bases if len(places) == len(bases) else [bases[place] for place in places]

    def _formats(self, column: int, block: Block) -> list[int]:
        """Return the format of a column's cell in each row."""
        prefix, letters = re.escape(self._markup.prefix), column_letters(column).encode()
        styled = re.compile(rb'<%sc r="%s\d+"[^>]* s="(\d+)"' % (prefix, letters))
        missing, bit = self._default(column), 1 << column
        # of most kinds of rows it is known without a look at the row
        usual = {kind: 0 if column in kind.columns else missing for kind in set(block.kinds) if kind is not None}
        return [
            int(styled.search(row)[1]) if kind is not None and kind.styled & bit else usual[kind]  # type: ignore[index]
            for row, kind in zip(block.rows, block.kinds, strict=True)
        ]

    def _number_styles(self, found: Sequence[tuple[ColumnChange, Part]]) -> None:
        """Let formats get their numbers in the order in which a row-by-row writer meets them."""
        firsts: list[tuple[int, int, ColumnChange, Part, int | None]] = []
        for change, part in found:
            rows = change.rows.tolist()
            if part.bases is None:
                firsts.append((rows[0], change.column, change, part, None))
            else:
                seen = dict(zip(reversed(part.bases), reversed(rows), strict=True))
                firsts += [(row, change.column, change, part, base) for base, row in seen.items()]
        for _, _, change, part, base in sorted(firsts, key=lambda first: first[:2]):
            part.styles[base] = self._style(change, base)
