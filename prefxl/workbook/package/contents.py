"""What stands in a cell, read from the bytes of its element."""

from __future__ import annotations

import re
from functools import cached_property
from html import unescape
from typing import NamedTuple

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.book import Book
from prefxl.workbook.package.markup import Cell

_TYPE = re.compile(rb"""\st="(\w+)\"""")
_VALUE = re.compile(rb"<(?:[\w.-]+:)?v(?:\s[^<>]*)?>([^<]*)<")
_TEXT = re.compile(rb"<(?:[\w.-]+:)?t(?:\s[^<>]*)?>([^<]*)<")
_FORMULA = re.compile(rb"<(?:[\w.-]+:)?f(?:\s[^<>]*)?(?:/>|>([^<]*)<)")
_TRUTHS = ("TRUE()", "FALSE()")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


class Content(NamedTuple):
    """A cell's value (a number, a text, a truth value, None for nothing or an error), and its formula if any.

    Where a formula is shared with another cell its text is empty.
    """

    value: float | str | bool | None
    formula: str | None = None

    @property
    def shown(self) -> str:
        """The content as a person would name it."""
        if self.formula:
            return f"={self.formula}"
        if isinstance(self.value, bool) or self.value is None:
            return {True: "✓", False: "–", None: "–"}[self.value]
        return f"{self.value:.10g}" if isinstance(self.value, float) else self.value


class Texts:
    """Reads the cells of one workbook."""

    def __init__(self, book: Book) -> None:
        self._book = book

    @cached_property
    def _shared(self) -> list[str]:
        package = self._book.package
        parts = package.related(self._book.part, "sharedStrings")
        if not parts:
            return []
        return [joined_text(item) for item in xml.children(package.tree(parts[0]), "si")]

    def content(self, cell: Cell) -> Content:
        """Return what stands in a cell."""
        inner = cell.inner
        formula = _FORMULA.search(inner)
        text = None if formula is None else _decoded(formula[1] or b"")
        if text in _TRUTHS:
            # so LibreOffice writes a truth value
            text = None
        match = _TYPE.search(cell.attributes)
        return Content(self._value(match[1] if match else b"n", inner), text)

    def _value(self, kind: bytes, inner: bytes) -> float | str | bool | None:
        if kind == b"inlineStr":
            return "".join(map(_decoded, _TEXT.findall(inner))) or None
        match = _VALUE.search(inner)
        if match is None or not match[1].strip() or kind == b"e":
            return None
        if kind == b"s":
            index = int(match[1])
            return self._shared[index] if index < len(self._shared) else None
        if kind == b"b":
            return match[1].strip() == b"1"
        if kind in (b"str", b"d"):
            return _decoded(match[1])
        try:
            return float(match[1])
        except ValueError:
            return None


def joined_text(element: etree._Element) -> str:
    """Return the text of a string item or a note, its runs joined, readings of characters left out."""
    return _unescaped("".join([item.text or "" for item in element.iter("{*}t") if not _is_reading(item)]))


def plain_text(element: etree._Element) -> str:
    """Return :func:`joined_text` of an element without readings of characters."""
    return _unescaped("".join([item.text or "" for item in element.iter("{*}t")]))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _is_reading(item: etree._Element) -> bool:
    parent = item.getparent()
    return parent is not None and xml.local(parent) == "rPh"


def _decoded(raw: bytes) -> str:
    # some programs write every letter beyond ASCII as a number
    return _unescaped(unescape(raw.decode("utf-8", "replace")))
