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
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prefxl.coded import Coded

#: The values of a column.
Values = Sequence[Any] | npt.NDArray[Any]
#: Value to the XML of a cell behind its address and style.
Tail = Callable[[Any], str]

#: Rows rendered at a time.
CHUNK = 1024

#: A cell holds no more characters.
LONGEST_TEXT = 32_767

#: Excel counts days from here, so that 1 March 1900 is day 61; or, as it did on the Macintosh, from 1904.
_EPOCH, _EPOCH_1904 = date(1899, 12, 30), date(1904, 1, 1)

_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_EMPTY_ROW = re.compile(rb'<row r="(\d+)"[^>]*/>')
_DIMENSION = re.compile(rb'(<dimension ref="[A-Z]+\d+:[A-Z]+)(\d+)"')
_NUMBER = re.compile(rb'r="\d+"')
_CELL = re.compile(rb'<c r="([A-Z]+)\d+"( s="\d+")?')
#: Stands for the number of a row; no text has it, see :func:`text_element`.
_HERE = b"\x01"
#: So many different cells of a column are remembered.
_MOST_KEPT = 100_000
_TRUTHS = frozenset((bool, np.bool_))
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
    from_1904
        Whether the workbook counts its days from 1904.
    """

    first_row: int
    last_row: int
    columns: tuple[Values, ...]
    from_1904: bool = False


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
                for piece in filled(member, fills[info.filename]):
                    out.write(piece)


def filler(fills: Mapping[str, Sequence[Fill]]) -> Callable[[str, bytes], Iterator[bytes]]:
    """Return a function that fills the placeholders of a worksheet, given its member's name and its bytes.

    A sheet without placeholders comes back as it is.
    """

    def pieces(name: str, sheet: bytes) -> Iterator[bytes]:
        blocks = fills.get(name)
        if blocks:
            yield from filled(sheet, blocks)
        else:
            yield sheet

    return pieces


def _edited(name: str, member: bytes, tables: Mapping[str, tuple[str, str]]) -> bytes:
    if name.startswith("xl/tables/"):
        for table, (laid_out, whole) in tables.items():
            if f' name="{table}"'.encode() in member:
                return member.replace(f' ref="{laid_out}"'.encode(), f' ref="{whole}"'.encode())
    return member


def filled(sheet: bytes, fills: Sequence[Fill]) -> Iterator[bytes]:
    """Yield the XML of a sheet with its placeholder rows replaced."""
    sheet, done = _dimensioned(sheet, max(block.last_row for block in fills)), 0
    for block in sorted(fills, key=lambda one: one.first_row):
        start = sheet.index(b'<row r="%d"' % block.first_row, done)
        end = sheet.index(b"</row>", start) + len(b"</row>")
        yield sheet[done:start]
        yield from _rows(sheet[start:end], block)
        done = _past_empty_rows(sheet, end, block.last_row)
    yield sheet[done:]


def _past_empty_rows(sheet: bytes, start: int, last_row: int) -> int:
    """Return where the sheet goes on behind the empty rows that XlsxWriter leaves for notes."""
    row = _EMPTY_ROW.match(sheet, start)
    while row and int(row[1]) <= last_row:
        start = row.end()
        row = _EMPTY_ROW.match(sheet, start)
    return start


def _dimensioned(sheet: bytes, last_row: int) -> bytes:
    """Return the sheet with a ``dimension`` that reaches down to ``last_row``."""
    return _DIMENSION.sub(lambda match: b'%s%d"' % (match[1], max(int(match[2]), last_row)), sheet, count=1)


def _rows(placeholder: bytes, block: Fill) -> Iterator[bytes]:
    opening, starts = _template(placeholder, len(block.columns))
    # what stands before one cell's number of the row follows the content of the cell before it
    ends = [*(before for before, _ in starts[1:]), b"</row>"]
    tail = partial(cell_tail, from_1904=block.from_1904)
    around = zip(block.columns, starts, ends, strict=True)
    columns = [_cells(column, tail, start[1], end) for column, start, end in around]
    count = block.last_row - block.first_row + 1
    first = [pa.scalar(part, pa.binary()) for part in (opening[0], opening[1] + starts[0][0])]
    for start in range(0, count, CHUNK):
        stop = min(start + CHUNK, count)
        numbers = pa.array(np.arange(block.first_row + start, block.first_row + stop)).cast(pa.string())
        numbers = numbers.cast(pa.binary())
        # every cell names its row, as Excel writes it
        woven = [first[0], numbers, first[1]]
        for cells in columns:
            woven += [numbers, cells(start, stop)]
        rows = pc.binary_join_element_wise(*woven, b"")
        yield rows.buffers()[2].to_pybytes()


def _template(placeholder: bytes, columns: int) -> tuple[list[bytes], list[tuple[bytes, bytes]]]:
    """Return what stands around the number of a row, and around it in each cell's start, from the placeholder's own."""
    opening = _NUMBER.sub(b'r="%s"' % _HERE, placeholder[: placeholder.index(b">") + 1], count=1)
    cells = _CELL.findall(placeholder)
    if len(cells) != columns:
        raise AssertionError(f"{columns} columns, {len(cells)} cells in the placeholder")
    return opening.split(_HERE), [(b'<c r="%s' % letters, b'"%s' % style) for letters, style in cells]


def _cells(column: Values, tail: Tail, before: bytes, behind: bytes) -> Callable[[int, int], pa.Array]:
    """Return a function that returns the cells of some rows of a column, from behind the number of the row on.

    Parameters
    ----------
    tail
        See :func:`cell_tail`.
    before, behind
        What stands between number and content, and behind each cell.
    """
    encoded = _encoded(column)
    # few different values as a rule
    if encoded is not None and (len(encoded.dictionary) <= _MOST_KEPT or pa.types.is_integer(encoded.dictionary.type)):
        texts = _tails(encoded.dictionary, tail, before, behind)
        places = encoded.indices.fill_null(len(texts) - 1)
        return lambda start, stop: texts.take(places[start:stop])
    kept = _Cells(column, tail, before, behind)
    return lambda start, stop: pa.array(kept.of(column[start:stop]), pa.binary())


def _encoded(column: Values) -> pa.DictionaryArray | None:
    """Return a column of numbers, of whole ones or of texts by its different values; ``None`` for any other."""
    if isinstance(column, Coded):
        return _dictionary(column)
    if not isinstance(column, np.ndarray):
        return None
    kinds = set(map(type, column)) if column.dtype == object else set()
    if column.dtype.kind not in "iuf" and kinds != {int} and not kinds <= {str, type(None)}:
        return None
    try:
        return pa.array(column).dictionary_encode()
    except (pa.ArrowException, UnicodeError, OverflowError):
        # half a character, or a number beyond all bounds
        return None


def _dictionary(column: Coded) -> pa.DictionaryArray | None:
    try:
        return pa.DictionaryArray.from_arrays(column.codes.astype(np.int32), pa.array(column.values, pa.string()))
    except (pa.ArrowException, UnicodeError):
        # half a character in a name
        return None


def _tails(values: pa.Array, tail: Tail, before: bytes, behind: bytes) -> pa.Array:
    """Return the cells of different values, and that of nothing at all as the last one."""
    nothing = pa.array([before + tail(None).encode() + behind], pa.binary())
    if pa.types.is_integer(values.type):
        start, end = tail(0).encode().split(b"0")
        texts = values.cast(pa.string()).cast(pa.binary())
        cells = pc.binary_join_element_wise(before + start, texts, end + behind, b"")
    else:
        tails = [before + tail(value).encode() + behind for value in values.to_pylist()]
        cells = pa.array(tails, pa.binary())
    return pa.concat_arrays([cells, nothing])


class _Cells(dict[Any, bytes]):
    """Value to cell, see :func:`_cells`: few different things as a rule."""

    def __init__(self, column: Values, tail: Tail, before: bytes, behind: bytes) -> None:
        self._is_plain = isinstance(column, np.ndarray) and column.dtype.kind in "iuf"
        self._tail, self._before, self._behind = tail, before, behind

    def of(self, values: Values) -> list[bytes]:
        """Return a cell for each value."""
        if self._is_plain:
            return list(map(self.__getitem__, np.asarray(values).tolist()))
        kinds = set(map(type, values))
        # a truth value equals a number; numpy's numbers cannot be compared with every other kind
        if kinds.isdisjoint(_TRUTHS) and not any(issubclass(kind, np.generic) for kind in kinds):
            return list(map(self.__getitem__, values))
        return [self._before + self._tail(value).encode() + self._behind for value in values]

    def __missing__(self, value: Any) -> bytes:
        cell = self._before + self._tail(value).encode() + self._behind
        if value == value:
            if len(self) >= _MOST_KEPT:
                # the games of a season follow each other: those long past do not come again
                self.clear()
            self[value] = cell
        return cell


def _number(value: float) -> str:
    if value - value != 0:
        # NaN and the infinities have no place in a sheet
        return "/>"
    return f"><v>{int(value) if value == int(value) else repr(value)}</v></c>"


def cell_tail(value: Any, *, from_1904: bool = False) -> str:
    """Return the XML of a cell behind its address and style; days are counted from 1900 or ``from_1904``.

    >>> cell_tail(7), cell_tail(None), cell_tail("=1+1")
    ('><v>7</v></c>', '/>', ' t="inlineStr"><is><t>=1+1</t></is></c>')
    """
    if value is None or value is np.ma.masked:
        return "/>"
    if isinstance(value, (bool, np.bool_)):
        return f' t="b"><v>{int(value)}</v></c>'
    if isinstance(value, date):
        return _date(value, from_1904=from_1904)
    if isinstance(value, (int, np.integer)):
        return f"><v>{value}</v></c>"
    if isinstance(value, (float, Fraction, Decimal, np.floating)):
        return _number(float(value))
    text = str(value)
    # pandas' own sign for a missing value is no text
    return "/>" if text in ("", "<NA>", "NaT") else f' t="inlineStr"><is>{text_element(text)}</is></c>'


def _date(value: date, *, from_1904: bool) -> str:
    if value != value:
        # pandas' missing date
        return "/>"
    # a sheet has no dates before the first one
    is_late = value.year >= (1904 if from_1904 else 1900)
    return f"><v>{serial(value, from_1904=from_1904)}</v></c>" if is_late else cell_tail(value.isoformat())


def serial(value: date, *, from_1904: bool = False) -> int | float:
    """Return a date as Excel's day number."""
    epoch = _EPOCH_1904 if from_1904 else _EPOCH
    if not isinstance(value, datetime):
        return (value - epoch).days
    passed = value.replace(tzinfo=None) - datetime(epoch.year, epoch.month, epoch.day)
    days = passed.total_seconds() / 86_400
    return int(days) if days == int(days) else days


def text_element(text: str) -> str:
    """Return ``<t>`` with ``text`` in it, whatever characters it has."""
    kept = _ESCAPED.sub(r"_x005F_\1", text[:LONGEST_TEXT]).replace("\r\n", "\n")
    kept = _UNSAFE.sub(lambda match: f"_x{ord(match[0]):04X}_" if match[0] < "\x20" else "\ufffd", kept)
    kept = kept.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "_x000D_")
    space = ' xml:space="preserve"' if kept != kept.strip() or "\n" in kept or "  " in kept else ""
    return f"<t{space}>{kept}</t>"
