"""A worksheet part read once from its start to its end, and never held as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.blocks import Block, blocks
from prefxl.workbook.package.markup import Markup, OddMarkupError, is_odd
from prefxl.workbook.package.parts import Package
from prefxl.workbook.package.worksheet import DATA, Worksheet, is_foreign


class SheetStream(Markup):
    """The rows of a worksheet part as they are inflated.

    Parameters
    ----------
    pieces
        The part's content, cut anywhere.
    file, part
        Names, for the sentence when it is refused.

    Raises
    ------
    OddMarkupError
        Here or later: the part must be held as a whole, see :class:`Worksheet`.
    WorkbookRefusedError
        Here or later: if the part cannot be understood.
    """

    def __init__(self, pieces: Iterator[bytes], file: str, part: str) -> None:
        super().__init__(b"", file, part)
        self._source = pieces
        self._tail = b""
        start = next(self._source, b"")
        xml.guard(start, file, part)
        if is_foreign(start):
            raise OddMarkupError
        while (match := DATA.search(start)) is None:
            piece = next(self._source, b"")
            if not piece:
                raise self.broken()
            start += piece
        super().__init__(match[1], file, part)
        self._head, self._rest, self._is_empty = start[: match.start()], start[match.end() :], bool(match[3])
        if is_odd(self._head):
            raise OddMarkupError

    def blocks(self) -> Iterator[Block]:
        """Yield the rows in their order, many at a time; it can be done once."""
        yield from blocks(self._pieces(), self)
        self._tail = b"".join([self._rest, *self._source])
        if is_odd(self._tail):
            raise OddMarkupError

    def _pieces(self) -> Iterator[bytes]:
        """Yield what stands between the tags of ``sheetData``; what follows is left in ``_rest``."""
        if self._is_empty:
            return
        closing = b"</" + self.prefix + b"sheetData"
        data, kept = self._rest, len(closing) - 1
        while (end := data.find(closing)) < 0:
            # the end tag may be cut in two
            yield data[:-kept]
            piece = next(self._source, b"")
            if not piece:
                raise self.broken()
            data = data[-kept:] + piece
        yield data[:end]
        tail = data[end:] + next(self._source, b"")
        tag_end = tail.find(b">") + 1
        if not tag_end:
            raise self.broken()
        self._rest = tail[tag_end:]

    def frame(self) -> etree._Element:
        """Return the worksheet without its rows as a tree; the rows must have been read."""
        empty = b"<" + self.prefix + b"sheetData/>"
        return xml.parse(self._head + empty + self._tail, self.file, self.part)


#: A worksheet, held as a whole or not.
AnySheet = SheetStream | Worksheet


@contextmanager
def streamed(package: Package, part: str) -> Iterator[SheetStream]:
    """Open a worksheet part for one reading; see :class:`SheetStream`."""
    with closing(package.pieces(part)) as pieces:
        yield SheetStream(pieces, package.file, part)


def whole(package: Package, part: str) -> Worksheet:
    """Return a worksheet part held as a whole, written anew if it must be."""
    sheet = Worksheet(package.read(part), package.file, part)
    try:
        for _ in sheet.blocks():
            pass
    except OddMarkupError:
        sheet.normalise()
    return sheet
