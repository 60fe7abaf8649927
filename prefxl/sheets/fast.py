"""Large clean text files, read by pyarrow column by column: the same games, without a loop over rows.

Whatever is not plain (a line with too many fields, a heading further down, an open quote)
makes this reader step back for the careful one in :mod:`prefxl.sheets.text`.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from prefxl.errors import FileError
from prefxl.findings import Finding
from prefxl.rules.numbers import LIMIT
from prefxl.sheets.cells import Column
from prefxl.sheets.content import Content
from prefxl.sheets.encoding import decode, encoding_of
from prefxl.sheets.grid import Grid
from prefxl.sheets.headers import SCORE_ROLES
from prefxl.sheets.layouts import Found, Wanted, find_tables
from prefxl.sheets.numeric import Whole
from prefxl.sheets.text import declared, find_separator, grid_of, records, split_lines
from prefxl.threads import spread

#: Smaller files are read carefully: nothing is gained [bytes].
LEAST = 1 << 19

#: What tells the encoding, and what the separator and the headings; where the last line ends is looked for [bytes].
_HEAD, _FIRST_LINES, _TAIL = 1 << 16, 1 << 14, 1 << 16

#: What is read at once [bytes].
_BLOCK = 1 << 21

_PLAIN = ("utf-8", "utf-8-sig")


@dataclass(frozen=True)
class _Start:
    """What the first lines tell: the separator, the one table and the first line of its rows (from 0)."""

    separator: str
    found: Found
    width: int
    skip: int

    @property
    def score_places(self) -> frozenset[int]:
        """The positions of the columns of scores."""
        numbers = {column for role, column in self.found.columns.items() if role.split("_")[0] in SCORE_ROLES}
        return frozenset(number - 1 for number in numbers | set(self.found.named_whists))


def read_fast(
    content: Content, name: str, wanted: Wanted, findings: list[Finding], *, least: int = LEAST
) -> Grid | None:
    """Return the grid of a large plain text file, or ``None`` where it must be read carefully.

    Parameters
    ----------
    content, name
        The file.
    wanted
        What the caller says about its layout and headings.
    findings
        Takes the note on the encoding.
    least
        Smaller files are not tried [bytes].
    """
    if content.size < least:
        return None
    try:
        encoding = encoding_of(content.head(_HEAD).rsplit(b"\n", 1)[0])
        text = content if encoding in _PLAIN else Content(decode(content.data)[0].encode())
    except FileError:
        return None
    start = _start(text.head(_FIRST_LINES), name, wanted)
    columns = start and _columns(text, start)
    if not start or not columns:
        return None
    if encoding not in _PLAIN:
        findings.append(Finding("encoding", name, "", "", encoding))
    count = len(columns[0])
    found = replace(start.found, top=-1, bottom=-1, stop=count)
    lines = np.arange(start.skip + 1, start.skip + 1 + count, dtype=np.int64)
    return Grid(name, "", columns, 1, lines, separator=start.separator, tables=(found,))


def _start(head: bytes, name: str, wanted: Wanted) -> _Start | None:
    try:
        lines = split_lines(head.rsplit(b"\n", 1)[0].decode("utf-8-sig"))
    except UnicodeDecodeError:
        return None
    first, separator = declared(lines)
    separator = separator or find_separator(lines[first : first + 200])
    if any('"' in line for line in lines[:20]):
        return None
    grid = grid_of(records(lines, separator, first), name)
    tables = find_tables(grid, wanted)
    if len(tables) != 1 or grid.widths is None:
        return None
    found = tables[0]
    return _Start(separator, found, int(grid.widths[found.bottom]), int(grid.lines[found.bottom]))


class _Plain(io.RawIOBase):
    """A text up to where its last line ends, with what is seen of it on the way."""

    def __init__(self, text: BinaryIO, size: int) -> None:
        super().__init__()
        self._text, self._left = text, size
        self.has_quote = False

    def readable(self) -> bool:
        """Return that this can be read."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        some = self._text.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(some)
        self.has_quote = self.has_quote or b'"' in some
        return some

    def close(self) -> None:
        """Close the text."""
        self._text.close()
        super().close()


def _columns(text: Content, start: _Start) -> tuple[Column, ...] | None:
    """Return the columns of all rows, whole numbers where scores are, else as text."""
    tail = text.tail(_TAIL)
    end = text.size - len(tail) + len(tail.rstrip(b"\r\n"))
    read = _read(text, end, start, whole=True) or _read(text, end, start, whole=False)
    if read is None:
        return None
    table, has_quote = read
    # a quoted line feed would put every later line number wrong
    if has_quote and table.num_rows != _line_feeds(text.data[:end]) + 1 - start.skip:
        return None
    columns = tuple(spread(lambda place: _made(table, place, start), range(start.width)))
    return None if _heads_below(columns, start) else columns


def _line_feeds(text: bytes) -> int:
    return text.count(b"\n") or text.count(b"\r")


def _read(text: Content, end: int, start: _Start, *, whole: bool) -> tuple[pa.Table, bool] | None:
    """Return the table of a text up to ``end``, and whether there is a quote in it."""
    names = [str(place) for place in range(start.width)]
    scores = start.score_places if whole else frozenset()
    # names are worked on once a distinct name; ids are nearly all distinct
    kinds = {place: pa.int32() for place in scores} | {start.found.columns.get("game", 0) - 1: pa.string()}
    types = {name: kinds.get(place, pa.dictionary(pa.int32(), pa.string())) for place, name in enumerate(names)}
    with _Plain(text.open(), end) as plain:
        try:
            table = csv.read_csv(
                pa.PythonFile(plain, mode="r"),
                read_options=csv.ReadOptions(skip_rows=start.skip, column_names=names, block_size=_BLOCK),
                parse_options=csv.ParseOptions(delimiter=start.separator, ignore_empty_lines=False),
                convert_options=csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=False),
            )
        except pa.ArrowInvalid:
            return None
        return table, plain.has_quote


def _made(table: pa.Table, place: int, start: _Start) -> Column:
    values = table.column(place)
    if pa.types.is_int32(values.type):
        return _whole(values)
    numbers = _canonical(values) if place == start.found.columns.get("game", 0) - 1 else None
    if numbers is not None:
        return _whole(numbers)
    one = values.dictionary_encode().unify_dictionaries().combine_chunks()
    codes = one.indices.to_numpy(zero_copy_only=False)
    return Column(tuple(one.dictionary.to_pylist()), codes)


def _whole(values: pa.ChunkedArray) -> Column:
    missing = values.is_null().to_numpy() if values.null_count else None
    numbers = (values.fill_null(0) if values.null_count else values).to_numpy()
    if len(numbers) and max(int(numbers.max()), -int(numbers.min())) > LIMIT:
        return Column.of(values.to_pylist())
    return Whole(numbers, missing)


def _canonical(values: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Return ids as numbers where every one of them is a number as it would be written."""
    try:
        numbers = pc.cast(values, pa.int64())
    except pa.ArrowInvalid:
        return None
    # no number is written shorter than it must be: as long in all, each is written as it must be
    return numbers if pc.sum(pc.binary_length(values)).as_py() == _digits(numbers.to_numpy()) else None


def _digits(numbers: npt.NDArray[np.int64]) -> int:
    """Return how many characters the numbers take, written one by one."""
    count = len(numbers) + int((numbers < 0).sum())
    sizes = np.abs(numbers)
    power = 10
    while power <= int(sizes.max(initial=0)):
        count += int((sizes >= power).sum())
        power *= 10
    return count


def _heads_below(columns: tuple[Column, ...], start: _Start) -> bool:
    """Return whether a heading stands among the rows."""
    return any(_heads(columns[place], start) for place in start.score_places)


def _heads(column: Column, start: _Start) -> bool:
    if isinstance(column, Whole):
        return False
    wanted = Wanted()
    return any(isinstance(value, str) and wanted.heading(value) for value in _texts(column))


def _texts(column: Column) -> Iterator[object]:
    yield from column.values
