"""Rows by the hundred thousand: streamed into a finished workbook instead of built cell by cell.

XlsxWriter lays a sheet out: heading, table, widths, notes, and one styled row
at the start of each block, which stands for the block's rows. Here that row is
replaced by all of them, rendered column by column, and the table grows to their
number. It is the same workbook, in a fraction of the time, and no cell is ever
held as an object.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

#: The values of a column.
Values = Sequence[Any] | npt.NDArray[Any]

#: Rows rendered at a time.
CHUNK = 8192

#: A cell holds no more characters.
LONGEST_TEXT = 32_767

#: Excel counts days from here, so that 1 March 1900 is day 61.
_EPOCH = date(1899, 12, 30)

_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_EMPTY_ROW = re.compile(r'<row r="(\d+)"[^>]*/>')
_ESCAPED = re.compile(r"_(x[0-9A-Fa-f]{4}_)")


@dataclass(frozen=True, eq=False)
class Fill:
    """The rows of one block.

    Attributes
    ----------
    first_row, last_row
        One-based; the placeholder stands in ``first_row``.
    columns
        The values, a column each, all of ``last_row - first_row + 1`` rows.
    """

    first_row: int
    last_row: int
    columns: tuple[Values, ...]


def fill(
    template: BinaryIO,
    target: Path,
    fills: Mapping[str, Sequence[Fill]],
    tables: Mapping[str, tuple[str, str]],
    *,
    packed: bool = True,
) -> None:
    """Write ``template`` to ``target`` with its placeholder rows filled in.

    Parameters
    ----------
    fills
        The blocks of each worksheet, by member name.
    tables
        Name of a table to the range it was laid out with, and the range it has.
    packed
        Compress the members; for a workbook that is taken apart again at once it is not worth it.
    """
    packing = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    with (
        zipfile.ZipFile(template) as source,
        zipfile.ZipFile(target, "w", packing, compresslevel=3) as package,
    ):
        for info in source.infolist():
            member = _edited(info.filename, source.read(info), tables)
            copied = zipfile.ZipInfo(info.filename, info.date_time)
            copied.compress_type = packing
            if info.filename not in fills:
                package.writestr(copied, member)
                continue
            with package.open(copied, "w", force_zip64=True) as out:
                for piece in filled(member.decode("utf-8"), fills[info.filename]):
                    out.write(piece.encode("utf-8"))


def filler(fills: Mapping[str, Sequence[Fill]]) -> Callable[[str, bytes], Iterator[bytes]]:
    """Return a function that fills the placeholders of a worksheet, given its member's name and its bytes.

    A sheet without placeholders comes back as it is.
    """

    def pieces(name: str, sheet: bytes) -> Iterator[bytes]:
        blocks = fills.get(name)
        if not blocks:
            yield sheet
            return
        for piece in filled(sheet.decode("utf-8"), blocks):
            yield piece.encode("utf-8")

    return pieces


def _edited(name: str, member: bytes, tables: Mapping[str, tuple[str, str]]) -> bytes:
    if name.startswith("xl/tables/"):
        for table, (laid_out, whole) in tables.items():
            if f' name="{table}"'.encode() in member:
                return member.replace(f' ref="{laid_out}"'.encode(), f' ref="{whole}"'.encode())
    return member


def filled(sheet: str, fills: Sequence[Fill]) -> Iterator[str]:
    """Yield the XML of a sheet with its placeholder rows replaced."""
    sheet, done = _dimensioned(sheet, max(block.last_row for block in fills)), 0
    for block in sorted(fills, key=lambda one: one.first_row):
        start = sheet.index(f'<row r="{block.first_row}"', done)
        end = sheet.index("</row>", start) + len("</row>")
        yield sheet[done:start]
        yield from _rows(sheet[start:end], block)
        done = _past_empty_rows(sheet, end, block.last_row)
    yield sheet[done:]


def _past_empty_rows(sheet: str, start: int, last_row: int) -> int:
    """Return where the sheet goes on behind the empty rows that XlsxWriter leaves for notes."""
    row = _EMPTY_ROW.match(sheet, start)
    while row and int(row[1]) <= last_row:
        start = row.end()
        row = _EMPTY_ROW.match(sheet, start)
    return start


def _dimensioned(sheet: str, last_row: int) -> str:
    """Return the sheet with a ``dimension`` that reaches down to ``last_row``."""
    return re.sub(
        r'(<dimension ref="[A-Z]+\d+:[A-Z]+)(\d+)"',
        lambda match: f'{match[1]}{max(int(match[2]), last_row)}"',
        sheet,
        count=1,
    )


def _rows(placeholder: str, block: Fill) -> Iterator[str]:
    head, cells = _template(placeholder, len(block.columns))
    row_template = head + "".join(cells) + "</row>"
    renderers = [_renderer(column) for column in block.columns]
    count = block.last_row - block.first_row + 1
    for start in range(0, count, CHUNK):
        stop = min(start + CHUNK, count)
        numbers = range(block.first_row + start, block.first_row + stop)
        tails = [render(column[start:stop]) for render, column in zip(renderers, block.columns, strict=True)]
        # every cell names its row, as Excel writes it
        woven: list[Sequence[Any]] = [numbers]
        for tail in tails:
            woven += [numbers, tail]
        yield "".join([row_template % values for values in zip(*woven, strict=True)])


def _template(placeholder: str, columns: int) -> tuple[str, list[str]]:
    """Return the templates of a row and of its cells, taken from the placeholder's own attributes."""
    opening = placeholder[: placeholder.index(">") + 1]
    row = re.sub(r'r="\d+"', 'r="%d"', opening.replace("%", "%%"), count=1)
    styles = re.findall(r'<c r="([A-Z]+)\d+"( s="\d+")?', placeholder)
    if len(styles) != columns:
        raise AssertionError(f"{columns} columns, {len(styles)} cells in the placeholder")
    return row, [f'<c r="{letters}%d"{style}%s' for letters, style in styles]


def _renderer(column: Values) -> Callable[[Values], list[str]]:
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu":
        return _integers
    if isinstance(column, np.ndarray) and column.dtype.kind == "f":
        return _floats
    cache: dict[tuple[type, Any], str] = {}
    return lambda values: [_cached(cache, value) for value in values]


def _integers(values: Any) -> list[str]:
    return [f"><v>{value}</v></c>" for value in np.asarray(values).tolist()]


def _floats(values: Any) -> list[str]:
    return [_number(value) for value in np.asarray(values).tolist()]


def _number(value: float) -> str:
    if value - value != 0:
        # NaN and the infinities have no place in a sheet
        return "/>"
    return f"><v>{int(value) if value == int(value) else repr(value)}</v></c>"


def _cached(cache: dict[tuple[type, Any], str], value: Any) -> str:
    key = (type(value), value)
    tail = cache.get(key)
    if tail is None:
        tail = cache[key] = cell_tail(value)
        if len(cache) > 200_000:
            cache.clear()
    return tail


def cell_tail(value: Any) -> str:
    """Return the XML of a cell behind its address and style.

    >>> cell_tail(7), cell_tail(None), cell_tail("=1+1")
    ('><v>7</v></c>', '/>', ' t="inlineStr"><is><t>=1+1</t></is></c>')
    """
    if value is None or value is np.ma.masked:
        return "/>"
    if isinstance(value, (bool, np.bool_)):
        return f' t="b"><v>{int(value)}</v></c>'
    if isinstance(value, date):
        return _date(value)
    if isinstance(value, (int, np.integer)):
        return f"><v>{value}</v></c>"
    if isinstance(value, (float, Fraction, Decimal, np.floating)):
        return _number(float(value))
    text = str(value)
    # pandas' own sign for a missing value is no text
    return "/>" if text in ("", "<NA>", "NaT") else f' t="inlineStr"><is>{text_element(text)}</is></c>'


def _date(value: date) -> str:
    if value != value:
        # pandas' missing date
        return "/>"
    # a sheet has no dates before 1900
    return f"><v>{serial(value)}</v></c>" if value.year >= 1900 else cell_tail(value.isoformat())


def serial(value: date) -> int | float:
    """Return a date as Excel's day number."""
    if not isinstance(value, datetime):
        return (value - _EPOCH).days
    passed = value.replace(tzinfo=None) - datetime(_EPOCH.year, _EPOCH.month, _EPOCH.day)
    days = passed.total_seconds() / 86_400
    return int(days) if days == int(days) else days


def text_element(text: str) -> str:
    """Return ``<t>`` with ``text`` in it, whatever characters it has."""
    kept = _ESCAPED.sub(r"_x005F_\1", text[:LONGEST_TEXT]).replace("\r\n", "\n")
    kept = _UNSAFE.sub(lambda match: f"_x{ord(match[0]):04X}_" if match[0] < "\x20" else "\ufffd", kept)
    kept = kept.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "_x000D_")
    space = ' xml:space="preserve"' if kept != kept.strip() or "\n" in kept or "  " in kept else ""
    return f"<t{space}>{kept}</t>"
