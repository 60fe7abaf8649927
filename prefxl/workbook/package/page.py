"""A worksheet of the user's, as it is looked through for cells of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prefxl.workbook.package.blocks import Block, from_column
from prefxl.workbook.package.book import Book, Sheet
from prefxl.workbook.package.coordinates import LAST_COLUMN, column_letters
from prefxl.workbook.package.markup import Cell, Row
from prefxl.workbook.package.worksheet import Worksheet


class Page:
    """A worksheet of the user's."""

    def __init__(self, book: Book, sheet: Sheet) -> None:
        self.name = sheet.name
        self._worksheet = Worksheet(book.package.read(sheet.part), book.package.file, sheet.part)
        self._opening = b"<" + self._worksheet.prefix + b"c"

    def rows(self) -> Iterator[Row]:
        """Yield the rows."""
        return self._worksheet.rows()

    def blocks(self) -> Iterator[Block]:
        """Yield the rows, many at a time."""
        return self._worksheet.blocks()

    def normalise(self) -> None:
        """Write the rows anew, see :meth:`Worksheet.normalise`."""
        self._worksheet.normalise()

    def row(self, block: Block, at: int) -> Row:
        """Return one of the rows of a block."""
        raw = block.rows[at]
        return self._worksheet.row(block.numbers[at], raw if block.kinds[at] is None else raw + self._worksheet.row_end)

    def from_column(self, block: Block, first: int) -> bytes:
        """Return of the usual rows what stands from a column on."""
        return from_column(block, first, self._worksheet.prefix)

    def filled(self, rows: bytes, column: int) -> list[tuple[bytes, bytes, bytes]]:
        """Return row, type (as an attribute) and content of the filled cells of a column in usual rows."""
        prefix, letters = re.escape(self._worksheet.prefix), column_letters(column).encode()
        cell = rb'<%sc r="%s(\d+)"(?: s="\d+")?((?: t="\w+")?)(?: s="\d+")?>(?!</)(.+?)</%sc>'
        return re.findall(cell % (prefix, letters, prefix), rows, re.DOTALL)

    def cells(self, row: Row, first: int = 1, last: int = LAST_COLUMN) -> Iterator[Cell]:
        """Yield the cells of a row between two columns."""
        inner = row.inner
        # our cells are a row's last ones as a rule
        start = inner.find(self._opening + b' r="%s%d"' % (column_letters(first).encode(), row.number))
        for cell in self._worksheet.cells(inner[max(start, 0) :]):
            if cell.column > last:
                return
            if cell.column >= first:
                yield cell
