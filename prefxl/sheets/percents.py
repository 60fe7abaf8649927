"""Cells shown in per cent: a reader gives 0.5 where the user sees 50%, so that only the cell's format tells."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from xml.etree import ElementTree

from prefxl.sheets.guard import MALFORMED

#: Built-in number formats ``0%`` and ``0.00%``.
_BUILT_IN = frozenset({9, 10})
# in a format, quoted text and what follows a backslash, an underscore or an asterisk is only drawn
_DRAWN = re.compile(r"\"[^\"]*\"|[\\_*].|\[[^\]]*\]")
_CELL = re.compile(rb"<(?:\w+:)?c(?=\s[^>]*?\br\s*=\s*[\"']([A-Za-z]{1,3})(\d{1,9})[\"'])")


def is_percent(code: str) -> bool:
    """Return whether a number format shows per cent.

    >>> is_percent("0.0%"), is_percent('0" %"')
    (True, False)
    """
    return "%" in _DRAWN.sub("", code)


def percent_styles(formats: Iterable[tuple[int, str]], styles: Iterable[int]) -> frozenset[int]:
    """Return the places, among the ``styles`` of cells by their number format, of those that show per cent."""
    shown = _BUILT_IN | {number for number, code in formats if is_percent(code)}
    return frozenset(place for place, number in enumerate(styles) if number in shown)


def marks_in(styles: bytes) -> tuple[bytes, ...]:
    """Return how the cells of an ``.xlsx`` worksheet say that they are shown in per cent; none where no style is.

    Parameters
    ----------
    styles
        The part of the workbook's styles; one that is broken has none.
    """
    if b"%" not in styles and b'numFmtId="9"' not in styles and b'numFmtId="10"' not in styles:
        return ()
    try:
        tree = ElementTree.fromstring(styles)
    except MALFORMED:
        return ()
    formats, cells = [], []
    for one in tree:
        if one.tag.endswith("}numFmts"):
            formats = [(_number(about.get("numFmtId")), about.get("formatCode", "")) for about in one]
        elif one.tag.endswith("}cellXfs"):
            cells = [_number(about.get("numFmtId")) for about in one]
    return tuple(b' s="%d"' % place for place in sorted(percent_styles(formats, cells)))


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0


def cells_with(text: bytes, marks: Collection[bytes]) -> Iterator[tuple[bytes, int]]:
    """Yield the letters and the row of each cell of a worksheet's XML that bears one of ``marks``."""
    for mark in marks:
        place = text.find(mark)
        while place >= 0:
            found = _CELL.match(text, text.rfind(b"<", 0, place))
            if found:
                yield found[1], int(found[2])
            place = text.find(mark, place + 1)


def as_shown(value: object) -> str:
    """Return a number as it is shown in per cent.

    >>> as_shown(0.5), as_shown(0.075)
    ('50%', '7.5%')
    """
    return f"{round(float(value) * 100, 6):g}%" if isinstance(value, (int, float)) else str(value)
