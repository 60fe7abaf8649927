"""A worksheet part as bytes: its rows one after the other, and the little XML around them.

The rows are never parsed into a tree. What stands before and after them is, and
only when it must change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.archive import Blob
from prefxl.workbook.package.coordinates import column_letters, column_number
from prefxl.workbook.package.refusals import Refusal, WorkbookRefusedError

_ORDER = (
    "sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios "
    "autoFilter sortState dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting "
    "dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks "
    "customProperties cellWatches ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF drawingHF picture "
    "oleObjects controls webPublishItems tableParts extLst"
)
ORDER = tuple(_ORDER.split())

_DATA = re.compile(rb"<((?:[\w.-]+:)?)sheetData(\s[^<>]*?)?(/?)>")
_ROW_NUMBER = re.compile(rb'\sr="(\d+)"')
_CELL_NAME = re.compile(rb'\sr="([A-Z]+)\d+"')
_SLASH = ord("/")
_CELL_START = re.compile(rb' r="([A-Z]+)\d+"')
# single quotes, or blanks around the equals sign: valid XML, but not what the quick reading expects
_ODD_TAG = re.compile(rb"<(?:[\w.-]+:)?(?:row|c|f)\s[^<>]*?(?:\s=|=\s|=')")
_ODD_SIGNS = (b" =", b"= ", b"\n=", b"=\n", b"\t=", b"=\t")
_DECLARED = re.compile(rb"""<\?xml[^>]*?encoding=["']([\w.-]+)["']""")
_SAMPLE = 1 << 16
_MOST_BYTES_NORMALISED = 256 << 20


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


class Worksheet:
    """The bytes of a worksheet part.

    Parameters
    ----------
    data
        The part's content.
    file, part
        Names, for the sentence when it is refused.
    """

    def __init__(self, data: bytes, file: str, part: str) -> None:
        xml.guard(data, file, part)
        self.file, self.part = file, part
        self.data = data
        if _is_odd(data):
            self._normalise()
        self._find_rows()
        try:
            self._check_gaps()
        except WorkbookRefusedError:
            self._normalise()
            self._find_rows()
            self._check_gaps()

    def _normalise(self) -> None:
        if len(self.data) > _MOST_BYTES_NORMALISED:
            raise self._broken()
        root = xml.parse(self.data, self.file, self.part)
        etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
        self.data = xml.serialise(root)

    def _broken(self) -> WorkbookRefusedError:
        return WorkbookRefusedError(self.file, Refusal.BROKEN, self.part)

    def _find_rows(self) -> None:
        match = _DATA.search(self.data)
        if match is None:
            raise self._broken()
        self.prefix = match[1]
        self.data_attributes = match[2] or b""
        self._head_end, self.rows_start = match.start(), match.end()
        closing = b"</" + self.prefix + b"sheetData"
        if match[3]:
            self.rows_end = self._tail_start = match.end()
            return
        self.rows_end = self.data.find(closing, match.end())
        tail = self.data.find(b">", self.rows_end) + 1
        if self.rows_end < 0 or not tail:
            raise self._broken()
        self._tail_start = tail

    def _check_gaps(self) -> None:
        """Make sure that nothing but blanks stands between the rows, so that no row is overlooked."""
        start, stop = self.rows_start, self.rows_end
        opening = b"<" + self.prefix + b"row"
        following = b"</" + self.prefix + b"row>" + opening
        rows = self.data.count(opening, start, stop)
        if rows and self.data.count(following, start, stop) == rows - 1 and self.data.startswith(opening, start):
            # they stand one right after the other, the last one is open to the end
            last = self.data.rfind(b">", start, stop)
            if self.data.endswith(b"</" + self.prefix + b"row", start, last) and last == stop - 1:
                return
        position = start
        for begin, _, end in self._spans():
            if self.data[position:begin].strip():
                raise self._broken()
            position = end
        if self.data[position:stop].strip():
            raise self._broken()

    def _spans(self) -> Iterator[tuple[int, int, int]]:
        """Yield (start, end of the start tag, end) of every row."""
        data, stop = self.data, self.rows_end
        opening, closing = b"<" + self.prefix + b"row", b"</" + self.prefix + b"row"
        position = data.find(opening, self.rows_start, stop)
        while position >= 0:
            tag_end = data.find(b">", position, stop) + 1
            end = tag_end
            if tag_end and data[tag_end - 2 : tag_end] != b"/>":
                end = data.find(closing, tag_end, stop)
                end = data.find(b">", end, stop) + 1 if end >= 0 else 0
            if not tag_end or not end:
                raise self._broken()
            yield position, tag_end, end
            position = data.find(opening, end, stop)

    # -- rows and cells

    def rows(self) -> Iterator[Row]:
        """Yield the rows in their order.

        Raises
        ------
        WorkbookRefusedError
            If row numbers do not ascend.
        """
        data, stop, number = self.data, self.rows_end, 0
        opening, closing = b"<" + self.prefix + b"row", b"</" + self.prefix + b"row"
        size = len(opening)
        find = data.find
        start = find(opening, self.rows_start, stop)
        # the same steps as in _spans, without the cost of a second generator: large sheets spend their time here
        while start >= 0:
            tag_end = find(b">", start, stop)
            if data[tag_end - 1] == _SLASH:
                attributes, inner, end = data[start + size : tag_end - 1], b"", tag_end + 1
            else:
                inner_end = find(closing, tag_end, stop)
                attributes, inner = data[start + size : tag_end], data[tag_end + 1 : inner_end]
                end = find(b">", inner_end, stop) + 1
            match = _ROW_NUMBER.match(attributes) or _ROW_NUMBER.search(attributes)
            following = int(match[1]) if match else number + 1
            if following <= number:
                raise self._broken()
            number = following
            yield Row(number, attributes, inner, data[start:end])
            start = find(opening, end, stop)

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
                raise self._broken()
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

    # -- around the rows

    @property
    def head(self) -> bytes:
        """The bytes before the rows."""
        return self.data[: self._head_end]

    @property
    def tail(self) -> bytes:
        """The bytes after the rows."""
        return self.data[self._tail_start :]

    def frame(self) -> etree._Element:
        """Return the worksheet without its rows as a tree."""
        empty = b"<" + self.prefix + b"sheetData/>"
        return xml.parse(self.head + empty + self.tail, self.file, self.part)


class Frame:
    """The worksheet around its rows: parsed, and written back only if :attr:`changed` is set."""

    def __init__(self, sheet: Worksheet) -> None:
        self.sheet = sheet
        self.root = sheet.frame()
        self.changed = False

    def child(self, name: str) -> etree._Element | None:
        """Return the first element of a name directly below ``worksheet``."""
        return xml.child(self.root, name)

    def insert(self, element: etree._Element) -> None:
        """Insert an element where the schema wants it."""
        xml.insert_ordered(self.root, element, ORDER)
        self.changed = True

    def remove(self, element: etree._Element) -> None:
        """Remove an element."""
        xml.drop(element)
        self.changed = True

    def write(self, rows: Blob) -> Blob:
        """Write head, the given rows and tail.

        Parameters
        ----------
        rows
            Is written to first with :meth:`open`, then with the rows.
        """
        rows.write(b"</" + self.sheet.prefix + b"sheetData>" + self._around()[1])
        return rows.finish()

    def open(self) -> bytes:
        """Return the bytes up to and with the start tag of ``sheetData``; call it when nothing changes any more."""
        return self._around()[0] + b"<" + self.sheet.prefix + b"sheetData" + self.sheet.data_attributes + b">"

    def whole(self, rows: Iterator[bytes]) -> bytes:
        """Return the worksheet with the given rows."""
        head, tail = self._around()
        name = self.sheet.prefix + b"sheetData"
        return b"".join([head, b"<", name, self.sheet.data_attributes, b">", *rows, b"</", name, b">", tail])

    def _around(self) -> tuple[bytes, bytes]:
        if not self.changed:
            return self.sheet.head, self.sheet.tail
        whole = xml.serialise(self.root)
        match = _DATA.search(whole)
        assert match is not None
        return whole[: match.start()], whole[match.end() :]


def _is_odd(data: bytes) -> bool:
    declared = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf").lstrip()[:200])
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or (declared and declared[1].lower() not in (b"utf-8", b"us-ascii")):
        return True
    # comments and CDATA may hide anything
    if b"<!" in data:
        return True
    # a writer that puts blanks around the equals sign does so from the start
    sample = data[:_SAMPLE]
    suspect = b"='" in data or any(sign in sample for sign in _ODD_SIGNS)
    return suspect and _ODD_TAG.search(data) is not None
