"""Which cells the user's formulas read: a number written there would change the user's own totals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import unescape

from prefxl.workbook.package.coordinates import LAST_COLUMN, LAST_ROW, Area, parse_area

_FORMULA = re.compile(rb"<(?:[\w.-]+:)?f(\s[^<>]*)?>([^<]+)<")
_SHARED = re.compile(rb'\sref="([A-Z0-9:]+)"')
# text in quotes is passed over; then a sheet's name if any, and a cell, a range, whole columns or whole rows
_READ = re.compile(
    r"""("(?:[^"]|"")*")|(?:'((?:[^']|'')+)'!|([\w.]+)!)?"""
    r"(\$?[A-Z]{1,3}\$?\d{1,7}(?::\$?[A-Z]{1,3}\$?\d{1,7})?|\$?[A-Z]{1,3}:\$?[A-Z]{1,3}|\$?\d{1,7}:\$?\d{1,7})(?![\w.(\[])"
)


class Fed:
    """Gathers what formulas read, sheet by sheet.

    Rows are told too generously: all ranges of the same columns count as one
    from the first row to the last. A column too many is left free by that,
    and nothing is overlooked.
    """

    def __init__(self) -> None:
        self._spans: dict[str, dict[tuple[int, int], tuple[int, int]]] = {}

    def add(self, sheet: str, inner: bytes) -> None:
        """Take the formulas of a row of a sheet."""
        for attributes, text in _FORMULA.findall(inner):
            shared = _SHARED.search(attributes)
            filled = parse_area(shared[1].decode("ascii")) if shared else None
            for name, area in _read(unescape(text.decode("utf-8", "replace"), {"&quot;": '"', "&apos;": "'"})):
                self._take(name or sheet, _spread(area, filled))

    def areas(self, sheet: str) -> list[Area]:
        """Return the areas of a sheet that some formula reads."""
        spans = self._spans.get(sheet.casefold(), {})
        return [Area(rows[0], columns[0], rows[1], columns[1]) for columns, rows in sorted(spans.items())]

    def _take(self, sheet: str, area: Area) -> None:
        spans = self._spans.setdefault(sheet.casefold(), {})
        columns = (area.first_column, area.last_column)
        first, last = spans.get(columns, (area.first_row, area.last_row))
        spans[columns] = (min(first, area.first_row), max(last, area.last_row))


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
