"""A worksheet part as bytes: its rows one after the other, and the little XML around them.

The rows are never parsed into a tree. What stands before and after them is, and
only when it must change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.archive import Blob
from prefxl.workbook.package.blocks import BLOCK_BYTES, Block, blocks
from prefxl.workbook.package.markup import Markup, OddMarkupError, Row, is_odd

_ORDER = (
    "sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios "
    "autoFilter sortState dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting "
    "dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks "
    "customProperties cellWatches ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF drawingHF picture "
    "oleObjects controls webPublishItems tableParts extLst"
)
ORDER = tuple(_ORDER.split())

#: The start tag of ``sheetData``: its prefix, its attributes, and whether it is its own end.
DATA = re.compile(rb"<((?:[\w.-]+:)?)sheetData(\s[^<>]*?)?(/?)>")
_DECLARED = re.compile(rb"""<\?xml[^>]*?encoding=["']([\w.-]+)["']""")
_SAMPLE = 1 << 16
_MOST_BYTES_NORMALISED = 256 << 20


class Worksheet(Markup):
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
        super().__init__(b"", file, part)
        self.data = data
        self._is_normal = False
        if is_foreign(data) or is_odd(data, _SAMPLE):
            self.normalise()
        else:
            self._find_rows()
        try:
            self._check_gaps()
        except OddMarkupError:
            if self._is_normal:
                raise self.broken() from None
            self.normalise()
            self._check_gaps()

    def normalise(self) -> None:
        """Write the part anew as the quick reading expects it, comments left out.

        Raises
        ------
        WorkbookRefusedError
            If it is not well-formed, or too large.
        """
        if len(self.data) > _MOST_BYTES_NORMALISED:
            raise self.broken()
        root = xml.parse(self.data, self.file, self.part)
        etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
        self.data = xml.serialise(root)
        self._is_normal = True
        self._find_rows()

    def _find_rows(self) -> None:
        match = DATA.search(self.data)
        if match is None:
            raise self.broken()
        super().__init__(match[1], self.file, self.part)
        self.data_attributes = match[2] or b""
        self._head_end, self._rows_start = match.start(), match.end()
        closing = b"</" + self.prefix + b"sheetData"
        if match[3]:
            self._rows_end = self._tail_start = match.end()
            return
        self._rows_end = self.data.find(closing, match.end())
        tail = self.data.find(b">", self._rows_end) + 1
        if self._rows_end < 0 or not tail:
            raise self.broken()
        self._tail_start = tail

    def _check_gaps(self) -> None:
        """Make sure that nothing but blanks stands between the rows, so that no row is overlooked."""
        start, stop = self._rows_start, self._rows_end
        opening = b"<" + self.prefix + b"row"
        following = b"</" + self.prefix + b"row>" + opening
        rows = self.data.count(opening, start, stop)
        if rows and self.data.count(following, start, stop) == rows - 1 and self.data.startswith(opening, start):
            # they stand one right after the other, the last one is open to the end
            last = self.data.rfind(b">", start, stop)
            if self.data.endswith(b"</" + self.prefix + b"row", start, last) and last == stop - 1:
                return
        for _ in self.rows():
            pass

    def rows(self) -> Iterator[Row]:
        """Yield the rows in their order.

        Raises
        ------
        WorkbookRefusedError
            If row numbers do not ascend.
        """
        return self.rows_of(self.data, self._rows_start, self._rows_end)

    def blocks(self) -> Iterator[Block]:
        """Yield the rows in their order, many at a time.

        Raises
        ------
        WorkbookRefusedError
            If row numbers do not ascend.
        OddMarkupError
            If something is seen only now: call :meth:`normalise` and begin again.
        """
        stop = self._rows_end
        places = range(self._rows_start, stop, BLOCK_BYTES)
        pieces = (self.data[start : min(start + BLOCK_BYTES, stop)] for start in places)
        return blocks(pieces, self, plain=self._is_normal)

    # -- around the rows

    @property
    def data_rows(self) -> bytes:
        """The bytes of the rows."""
        return self.data[self._rows_start : self._rows_end]

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
        match = DATA.search(whole)
        assert match is not None
        return whole[: match.start()], whole[match.end() :]


def is_foreign(data: bytes) -> bool:
    """Tell whether a part begins as one in another encoding than UTF-8."""
    declared = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf").lstrip()[:200])
    return data[:2] in (b"\xff\xfe", b"\xfe\xff") or bool(
        declared and declared[1].lower() not in (b"utf-8", b"us-ascii")
    )
