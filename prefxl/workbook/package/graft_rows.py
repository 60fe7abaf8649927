"""The rows of a donor's worksheet, rewritten for the workbook they go to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape, unescape

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.book import Book
from prefxl.workbook.package.renaming import Renaming
from prefxl.workbook.package.worksheet import Worksheet

# in this order XlsxWriter and openpyxl write a cell's attributes
_CELL = re.compile(rb'<c r="([A-Z]+\d+)"(?: s="(\d+)")?(?: t="s"><v>(\d+)</v></c>)?')
_ROW_STYLE = re.compile(rb'(<row\s[^>]*?\ss=")(\d+)(")')
_METADATA = re.compile(rb'(<c\s[^>]*?)\scm="\d+"')
_FORMULA = re.compile(rb"(<f(?:\s[^>]*)?>)([^<]+)(</f>)")


class SharedStrings:
    """A donor's shared strings, each as the inside of an inline string."""

    def __init__(self, donor: Book) -> None:
        self._donor = donor

    @cached_property
    def texts(self) -> list[bytes]:
        """The strings in their order."""
        package = self._donor.package
        parts = package.related(self._donor.part, "sharedStrings")
        if not parts:
            return []
        return [_inside(item) for item in xml.children(package.tree(parts[0]), "si")]


def grafted_rows(
    sheet: Worksheet, formats: Mapping[bytes, bytes], strings: SharedStrings, renaming: Renaming
) -> Iterator[bytes]:
    """Yield the rows with the target's formats, inline strings and new names.

    Parameters
    ----------
    sheet
        The donor's worksheet, written without a prefix.
    formats
        Index of a cell format in the donor to that in the target.
    strings, renaming
        The donor's texts; names that changed.
    """
    texts = strings.texts

    def cell(match: re.Match[bytes]) -> bytes:
        name, style, text = match.groups()
        style = formats.get(style, b"0") if style else b"0"
        start = b'<c r="%s" s="%s"' % (name, style) if style != b"0" else b'<c r="%s"' % name
        return start + b' t="inlineStr"><is>' + texts[int(text)] + b"</is></c>" if text else start

    def row_style(match: re.Match[bytes]) -> bytes:
        return match[1] + formats.get(match[2], b"0") + match[3]

    for row in sheet.rows():
        raw = _CELL.sub(cell, row.raw)
        if b" s=" in row.attributes:
            raw = _ROW_STYLE.sub(row_style, raw, count=1)
        if b" cm=" in raw:
            raw = _METADATA.sub(rb"\1", raw)
        if renaming and b"<f" in raw:
            raw = _FORMULA.sub(lambda match: _renamed(match, renaming), raw)
        yield raw


def _renamed(match: re.Match[bytes], renaming: Renaming) -> bytes:
    formula = renaming.formula(unescape(match[2].decode("utf-8")))
    return match[1] + escape(formula, quote=False).encode("utf-8") + match[3]


def _inside(item: etree._Element) -> bytes:
    """Return what stands within an ``si``, in the default namespace."""
    pieces = []
    for element in xml.children(item):
        text = etree.tostring(element, encoding="UTF-8", with_tail=False)
        pieces.append(text.replace(b' xmlns="%s"' % xml.MAIN.encode(), b"", 1))
    return b"".join(pieces)
