"""Cells as bytes."""

from __future__ import annotations

import math
import re
from datetime import date, datetime, time
from decimal import Decimal

from prefxl.workbook.package.coordinates import column_letters
from prefxl.workbook.package.model import CellChange, Value

LONGEST_TEXT = 32_767

_EPOCH_1900 = datetime(1899, 12, 30)
_EPOCH_1904 = datetime(1904, 1, 1)
_DAY = 86_400
# Excel writes a character that XML cannot hold as _xHHHH_, and a text that looks like one with its
# first underscore so written
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# most texts have nothing of all that
_SPECIAL = re.compile("[\x00-\x08\x0b-\x1f&<>\ud800-\udfff\ufffe\uffff]|_x")


def escape(text: str) -> str:
    """Return text as XML holds it, cut at what a cell can hold; what cannot be written at all becomes U+FFFD."""
    if _SPECIAL.search(text) is None:
        return text[:LONGEST_TEXT]
    text = _SURROGATE.sub("\ufffd", text[:LONGEST_TEXT])
    text = _ESCAPE.sub("_x005F_", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # a bare carriage return would be read back as a line feed
    text = text.replace("\r\n", "\n").replace("\r", "_x000D_")
    return _FORBIDDEN.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def text_element(prefix: str, text: str) -> str:
    """Return a ``t`` element that keeps blanks at its ends."""
    keep = ' xml:space="preserve"' if text != text.strip() or "\n" in text else ""
    return f"<{prefix}t{keep}>{escape(text)}</{prefix}t>"


def serial(moment: date, date1904: bool) -> float | int:
    """Return the number a date is stored as [days]."""
    if not isinstance(moment, datetime):
        moment = datetime.combine(moment, time())
    passed = moment.replace(tzinfo=None) - (_EPOCH_1904 if date1904 else _EPOCH_1900)
    if not passed.seconds and not passed.microseconds:
        return passed.days
    return passed.days + (passed.seconds + passed.microseconds / 1e6) / _DAY


def number_text(value: Value, date1904: bool) -> str | None:
    """Return a number, truth value or date as a cell stores it; None if a cell cannot hold it."""
    if isinstance(value, float):
        # repr gives the shortest text that reads back as the same number; that of numpy's floats tells their type
        return repr(float(value)) if math.isfinite(value) else None
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, Decimal):
        return format(value, "f") if value.is_finite() else None
    if isinstance(value, date):
        number = serial(value, date1904)
        return repr(number) if number >= 0 else None
    return None


def cell_bytes(change: CellChange, style: int, prefix: str, date1904: bool) -> bytes | None:
    """Return the cell element of a change; None if a cell cannot hold the value.

    Parameters
    ----------
    change
        What to write.
    style
        Index of its format.
    prefix
        The sheet's own prefix, with its colon, or empty.
    date1904
        How the workbook counts days.
    """
    row, column, value, formula, cached, _, _ = change
    start = f'<{prefix}c r="{column_letters(column)}{row}"'
    if style:
        start += f' s="{style}"'
    inside = ""
    if formula is not None:
        value = cached
        inside = f"<{prefix}f>{escape(formula.removeprefix('='))}</{prefix}f>"
    if value is None:
        return f"{start}>{inside}</{prefix}c>".encode() if inside else f"{start}/>".encode()
    kind = ""
    if isinstance(value, str):
        if inside:
            kind, inside = ' t="str"', f"{inside}<{prefix}v>{escape(value)}</{prefix}v>"
        else:
            kind, inside = ' t="inlineStr"', f"<{prefix}is>{text_element(prefix, value)}</{prefix}is>"
    else:
        number = number_text(value, date1904)
        if number is None:
            return None
        kind = ' t="b"' if isinstance(value, bool) else ""
        inside = f"{inside}<{prefix}v>{number}</{prefix}v>"
    return f"{start}{kind}>{inside}</{prefix}c>".encode()
