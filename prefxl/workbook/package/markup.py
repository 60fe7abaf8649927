"""Rows and cells of a worksheet as bytes, whatever prefix a writer gives its elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from prefxl.workbook.package.coordinates import column_letters, column_number
from prefxl.workbook.package.refusals import Refusal, WorkbookRefusedError

_ROW_NUMBER = re.compile(rb'\sr="(\d+)"')
_CELL_NAME = re.compile(rb'\sr="([A-Z]+)\d+"')
_CELL_START = re.compile(rb' r="([A-Z]+)\d+"')
#: The format in the start tag of a cell or a row.
STYLE = re.compile(rb'\ss="(\d+)"')
_SLASH = ord("/")
# single quotes, or blanks around the equals sign: valid XML, but not what the quick reading expects
_ODD_TAG = re.compile(rb"<(?:[\w.-]+:)?(?:row|c|f)\s[^<>]*?(?:\s=|=\s|=')")
_ODD_SIGNS = (b" =", b"= ", b"\n=", b"=\n", b"\t=", b"=\t")


class OddMarkupError(Exception):
    """Valid XML, but not written as the quick reading expects: it is to be written anew first.

    It never leaves this package.
    """


class Row(NamedTuple):
    """A row: its number, the bytes within its start tag, the bytes between start and end tag."""

    number: int
    attributes: bytes
    inner: bytes
    raw: bytes


class Cell(NamedTuple):
    """A cell: its column, the bytes within its start tag, its content, all of its bytes, the blanks before it."""

    column: int
    attributes: bytes
    inner: bytes
    raw: bytes
    gap: bytes


class Markup:
    """How the rows and cells of one worksheet part are written.

    Parameters
    ----------
    prefix
        The prefix of its elements, with the colon, or empty.
    file, part
        Names, for the sentence when it is refused.
    """

    def __init__(self, prefix: bytes, file: str, part: str) -> None:
        self.prefix = prefix
        self.file, self.part = file, part
        self.row_end = b"</" + prefix + b"row>"

    def broken(self) -> WorkbookRefusedError:
        """Return the refusal of a part that cannot be understood."""
        return WorkbookRefusedError(self.file, Refusal.BROKEN, self.part)

    def rows_of(self, data: bytes, start: int = 0, stop: int | None = None, number: int = 0) -> Iterator[Row]:
        """Yield the rows in a piece of a worksheet in their order.

        Parameters
        ----------
        data, start, stop
            The piece.
        number
            The number of the row before it.

        Raises
        ------
        WorkbookRefusedError
            If row numbers do not ascend, or a row does not end.
        OddMarkupError
            If something else than blanks stands between the rows.
        """
        stop = len(data) if stop is None else stop
        opening, closing = b"<" + self.prefix + b"row", b"</" + self.prefix + b"row"
        size, find, end = len(opening), data.find, start
        start = find(opening, start, stop)
        while start >= 0:
            if start != end and data[end:start].strip():
                raise OddMarkupError
            tag_end = find(b">", start, stop)
            if data[tag_end - 1] == _SLASH:
                attributes, inner, end = data[start + size : tag_end - 1], b"", tag_end + 1
            else:
                inner_end = find(closing, tag_end, stop)
                attributes, inner = data[start + size : tag_end], data[tag_end + 1 : inner_end]
                end = find(b">", inner_end, stop) + 1 if inner_end >= 0 else 0
            if tag_end < 0 or not end:
                raise self.broken()
            match = _ROW_NUMBER.match(attributes) or _ROW_NUMBER.search(attributes)
            following = int(match[1]) if match else number + 1
            if following <= number:
                raise self.broken()
            number = following
            yield Row(number, attributes, inner, data[start:end])
            start = find(opening, end, stop)
        if data[end:stop].strip():
            raise OddMarkupError

    def row(self, number: int, raw: bytes) -> Row:
        """Return a row given by its number and all of its bytes."""
        return next(self.rows_of(raw, number=number - 1))

    def cells(self, inner: bytes) -> Iterator[Cell]:
        """Yield the cells of a row, given its inner bytes."""
        opening, closing = b"<" + self.prefix + b"c", b"</" + self.prefix + b"c>"
        size, column, done, position = len(opening), 0, 0, inner.find(opening)
        while position >= 0:
            if inner[position + size : position + size + 1] not in b" >/\t\r\n":
                position = inner.find(opening, position + size)
                continue
            tag_end = inner.find(b">", position) + 1
            closed = inner[tag_end - 2 : tag_end] == b"/>"
            end = tag_end if closed else inner.find(closing, tag_end)
            if not tag_end or end < 0:
                raise self.broken()
            attributes = inner[position + size : tag_end - (2 if closed else 1)]
            match = _CELL_NAME.search(attributes)
            column = column_number(match[1].decode("ascii")) if match else column + 1
            content = b"" if closed else inner[tag_end:end]
            end = end if closed else end + len(closing)
            yield Cell(column, attributes, content, inner[position:end], inner[done:position])
            done = end
            position = inner.find(opening, end)

    def last_cell(self, inner: bytes) -> tuple[int, int]:
        """Return where a row's last cell starts and its column; -1 and 0 if that takes reading the whole row."""
        opening = b"<" + self.prefix + b"c"
        start = inner.rfind(opening)
        match = _CELL_START.match(inner, start + len(opening)) if start >= 0 else None
        return (-1, 0) if match is None else (start, column_number(match[1].decode("ascii")))

    def split_at(self, row: int, column: int, inner: bytes) -> tuple[bytes, list[Cell]] | None:
        """Part a row's inner bytes at a named cell: what stands before it, and the cells from there on.

        Returns
        -------
        tuple or None
            None if the cell is not there, or if something else than cells follows.
        """
        opening = b"<" + self.prefix + b"c"
        start = inner.find(opening + b' r="%s%d"' % (column_letters(column).encode(), row))
        if start < 0 or inner.count(opening) != inner.count(opening + b' r="'):
            return None
        cells = list(self.cells(inner[start:]))
        if sum(len(cell.gap) + len(cell.raw) for cell in cells) != len(inner) - start:
            return None
        return inner[:start], cells


def is_odd(data: bytes, sample: int | None = None) -> bool:
    """Tell whether a piece of a worksheet is valid XML that the quick reading does not understand.

    Parameters
    ----------
    data
        The piece.
    sample
        Look for blanks around equals signs in so many bytes only: a writer that puts them does so from the start.
    """
    # comments and CDATA may hide anything; a lone byte is found ten times as fast as two
    if b"!" in data and b"<!" in data:
        return True
    signs = data if sample is None else data[:sample]
    suspect = (b"'" in data and b"='" in data) or any(sign in signs for sign in _ODD_SIGNS)
    return suspect and _ODD_TAG.search(data) is not None


def style_of(attributes: bytes) -> int:
    """Return the index of the format that the start tag of a cell or a row names, 0 where it names none."""
    match = STYLE.search(attributes)
    return int(match[1]) if match else 0


def numbered(number: int, raw: bytes) -> bytes:
    """Return a row with its number: without one it counts from the row before it, which may go."""
    start = raw[: raw.index(b">")]
    return raw if b' r="' in start else raw.replace(b"row", b'row r="%d"' % number, 1)
