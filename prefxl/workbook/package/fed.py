"""Which cells the user's formulas read: a number written there would change the user's own totals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import NamedTuple

from prefxl.workbook.package.book import Book, Place, places
from prefxl.workbook.package.coordinates import LAST_COLUMN, LAST_ROW, Area, parse_area
from prefxl.workbook.package.marker import PREFIX

_FORMULA = re.compile(rb"<(?:[\w.-]+:)?f(\s[^<>]*)?>([^<]+)<")
_CELL = re.compile(rb'\sr="([A-Z]+\d+)"')
# what may be a name: no function, no sheet
_WORD = re.compile(r"(?<![\w.!'])[^\W\d][\w.]*(?![\w.(!'])")
_MOST_READERS = 20
_NOT_OWN = ("_xlnm", PREFIX)
_SHARED = re.compile(rb'\sref="([A-Z0-9:]+)"')
# text in quotes is passed over; then a sheet's name if any, and a cell, a range, whole columns or whole rows
_READ = re.compile(
    r"""("(?:[^"]|"")*")|(?:'((?:[^']|'')+)'!|([\w.]+)!)?"""
    r"(\$?[A-Z]{1,3}\$?\d{1,7}(?::\$?[A-Z]{1,3}\$?\d{1,7})?|\$?[A-Z]{1,3}:\$?[A-Z]{1,3}|\$?\d{1,7}:\$?\d{1,7})(?![\w.(\[])"
)


class Read(NamedTuple):
    """An area some formulas read, and the first of these (with their sheet where it is another one)."""

    area: Area
    readers: tuple[str, ...]


class Fed:
    """Gathers what formulas read, sheet by sheet.

    Rows are told too generously: all ranges of the same columns count as one
    from the first row to the last. A column too many is left free by that,
    and nothing is overlooked.

    Parameters
    ----------
    names
        The workbook's names in lower case, with the areas they stand for.
    """

    def __init__(self, names: Mapping[str, Sequence[Place]] | None = None) -> None:
        self._names = names or {}
        self._spans: dict[str, dict[tuple[int, int], tuple[int, int]]] = {}
        self._readers: dict[tuple[str, int, int], dict[str, None]] = {}

    def add(self, sheet: str, inner: bytes) -> None:
        """Take the formulas of a row of a sheet."""
        for match in _FORMULA.finditer(inner):
            shared = _SHARED.search(match[1] or b"")
            filled = parse_area(shared[1].decode("ascii")) if shared else None
            formula = unescape(match[2].decode("utf-8", "replace"))
            reader = _cell_before(inner, match.start())
            for name, area in _read(formula):
                self._take(name or sheet, _spread(area, filled), sheet, reader)
            for word in _WORD.findall(formula) if self._names else ():
                for place in self._names.get(word.casefold(), ()):
                    self._take(place.sheet, place.area, sheet, reader)

    def areas(self, sheet: str) -> list[Read]:
        """Return the areas of a sheet that some formula reads."""
        key = sheet.casefold()
        return [
            Read(Area(rows[0], columns[0], rows[1], columns[1]), tuple(self._readers[key, *columns]))
            for columns, rows in sorted(self._spans.get(key, {}).items())
        ]

    def _take(self, sheet: str, area: Area, reader_sheet: str, reader: str) -> None:
        key = sheet.casefold()
        spans = self._spans.setdefault(key, {})
        columns = (area.first_column, area.last_column)
        first, last = spans.get(columns, (area.first_row, area.last_row))
        spans[columns] = (min(first, area.first_row), max(last, area.last_row))
        readers = self._readers.setdefault((key, *columns), {})
        if len(readers) < _MOST_READERS:
            # a sheet may be gone through twice
            readers[reader if reader_sheet.casefold() == key else f"{reader_sheet}!{reader}"] = None


def names_of(book: Book) -> dict[str, list[Place]]:
    """Return a workbook's own names in lower case, with the areas they stand for."""
    own = ((name, element) for element in book.names() if not (name := element.get("name") or "").startswith(_NOT_OWN))
    found = ((name, list(places(element.text))) for name, element in own)
    return {name.casefold(): areas for name, areas in found if areas}


def _cell_before(inner: bytes, end: int) -> str:
    """Return the name of the cell a formula stands in."""
    names = _CELL.findall(inner, max(end - 200, 0), end)
    return names[-1].decode("ascii") if names else "?"


def _read(formula: str) -> Iterator[tuple[str, Area]]:
    for match in _READ.finditer(formula):
        area = parse_area(match[4]) if match[4] else None
        if area is not None and area.last_column <= LAST_COLUMN and area.last_row <= LAST_ROW:
            yield (match[2] or match[3] or "").replace("''", "'"), area


def _spread(area: Area, filled: Area | None) -> Area:
    """Return what a formula reads when it is filled down and across an area."""
    if filled is None:
        return area
    last_row = area.last_row + filled.last_row - filled.first_row
    last_column = area.last_column + filled.last_column - filled.first_column
    return area._replace(last_row=min(last_row, LAST_ROW), last_column=min(last_column, LAST_COLUMN))
