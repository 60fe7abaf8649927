"""Rows by the thousand: most rows of a large sheet differ from each other in their numbers only.

Take the digits away, and of two hundred thousand rows a handful of different ones is left. Each of
these is looked at once; for all the others a look-up tells which cells they have. Rows that are
written in any other way than the usual one come as they are, to be read one at a time.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from prefxl.workbook.package.coordinates import LAST_COLUMN, column_letters, column_number
from prefxl.workbook.package.markup import Markup, OddMarkupError, is_odd

#: About so many bytes of a sheet are worked on at a time.
BLOCK_BYTES = 1 << 19
# what numbers and the names of cells are told apart by
_DIGITS = b"0123456789.-"
# the rows of a game of up to five players
_LONGEST_PERIOD = 5
# of a sheet where every row has other texts, more skeletons than this are not worth remembering
_MOST_KNOWN, _MOST_KNOWN_BYTES = 4096, 8 << 20


@dataclass(frozen=True, eq=False, slots=True)
class Kind:
    """What rows have in common that differ in numbers and texts only.

    Attributes
    ----------
    columns
        The columns of their cells, ascending.
    look
        Which of them hold something, and which a formula (bit ``1 << column``).
    styled
        Which of the cells have a format of their own.
    has_spans, has_format
        Whether the start tag tells the columns, or a format of the whole row.
    """

    columns: tuple[int, ...]
    look: tuple[int, int]
    styled: int
    has_spans: bool
    has_format: bool

    @property
    def filled(self) -> int:
        """The columns that hold something."""
        return self.look[0]

    @property
    def formulas(self) -> int:
        """The columns that hold a formula."""
        return self.look[1]

    @property
    def last(self) -> int:
        """The last column, 0 for a row without cells."""
        return self.columns[-1] if self.columns else 0


class Block(NamedTuple):
    """Rows that follow each other: their numbers, their bytes, their kinds.

    The bytes of a row that has a kind lack its end tag; those of one that has none (``None``) are
    whole, and it is to be read by itself.
    """

    numbers: list[int]
    rows: list[bytes]
    kinds: list[Kind | None]


def blocks(pieces: Iterable[bytes], markup: Markup, *, plain: bool = False) -> Iterator[Block]:
    """Yield the rows of a worksheet, block by block.

    Parameters
    ----------
    pieces
        What stands between the tags of ``sheetData``, in pieces cut anywhere.
    markup
        How it is written.
    plain
        It is known to be written as the quick reading expects.

    Raises
    ------
    WorkbookRefusedError
        If row numbers do not ascend.
    OddMarkupError
        If it must be written anew first.
    """
    reader = _Reader(markup, plain=plain)
    waiting = b""
    for piece in pieces:
        data = waiting + piece
        end = data.rfind(markup.row_end) + len(markup.row_end)
        if end >= len(markup.row_end):
            yield reader.block(data[:end])
            waiting = data[end:]
            continue
        # nothing but empty rows; the last one may be cut
        end = max(data.rfind(b"<" + markup.prefix + b"row"), 0)
        if data[:end].endswith(b"/>"):
            yield reader.loose(data[:end])
            waiting = data[end:]
        else:
            waiting = data
    if waiting.strip():
        yield reader.loose(waiting)


def without_spans(row: bytes) -> bytes:
    """Return a row of a kind that :attr:`has spans <Kind.has_spans>` without them."""
    start = row.index(b' spans="')
    return row[:start] + row[row.index(b'"', start + 8) + 1 :]


def all_without_spans(rows: Sequence[bytes], kinds: Sequence[Kind | None]) -> list[bytes]:
    """Return rows without spans, where their kinds have them; most have the same."""
    at = next(at for at, kind in enumerate(kinds) if kind is not None and kind.has_spans)
    start = rows[at].index(b' spans="')
    usual = rows[at][start : rows[at].index(b'"', start + 8) + 1]
    # where they may stand: before them is the number of the row, which has seven digits at most
    end = start + 6 + len(usual)
    return [
        (row.replace(usual, b"", 1) if row.find(usual, 0, end) > 0 else without_spans(row))
        if kind is not None and kind.has_spans
        else row
        for row, kind in zip(rows, kinds, strict=True)
    ]


def from_column(block: Block, first: int, prefix: bytes) -> bytes:
    """Return of the rows that have a kind what stands from a column on, one after the other."""
    starts: dict[Kind | None, bytes] = {None: b""}
    for kind in set(block.kinds):
        column = next((one for one in kind.columns if one >= first), 0) if kind is not None else 0
        starts[kind] = b'<%sc r="%s%%d"' % (prefix, column_letters(column).encode()) if column else b""
    rows = zip(block.numbers, block.rows, map(starts.__getitem__, block.kinds), strict=True)
    return b"".join([row[row.index(start % number) :] for number, row, start in rows if start])


class _Reader:
    def __init__(self, markup: Markup, *, plain: bool) -> None:
        self._markup = markup
        self._is_plain = plain
        self._kinds = Kinds(markup.prefix)
        self._bare_end = markup.row_end.translate(None, _DIGITS)
        self._number_at = len(markup.prefix) + len('<row r="')
        self._last = 0

    def block(self, data: bytes) -> Block:
        """Return the rows of bytes that end with an end tag of a row."""
        rows = data.split(self._markup.row_end)
        rows.pop()
        kinds = self._kinds_of(data.translate(None, _DIGITS), len(rows))
        if kinds is None:
            return self.loose(data)
        if None not in set(kinds) and (usual := self._usual(rows, kinds)):
            return usual
        return self._mixed(rows, kinds)

    def _kinds_of(self, bare: bytes, count: int) -> list[Kind | None] | None:
        """Return the kinds of so many rows without digits; ``None`` where the end of one stands in another."""
        kinds = self._recurring(bare, count)
        if kinds is not None:
            return kinds
        skeletons = bare.split(self._bare_end)
        skeletons.pop()
        return list(map(self._kinds.__getitem__, skeletons)) if len(skeletons) == count else None

    def _recurring(self, bare: bytes, count: int) -> list[Kind | None] | None:
        """Return the kinds of rows the first few of which come again and again; ``None`` where they do not.

        One row a game is alike as a rule, and so are all first, all second ... rows of games with a row a player.
        """
        # where the first rows end
        ends = [0]
        for period in range(1, min(_LONGEST_PERIOD, count) + 1):
            end = bare.find(self._bare_end, ends[-1])
            if end < 0:
                return None
            ends.append(end + len(self._bare_end))
            times, more = divmod(count, period)
            # the lengths tell in nearly all cases
            if len(bare) == times * ends[-1] + ends[more] and bare == bare[: ends[-1]] * times + bare[: ends[more]]:
                kinds = list(map(self._kinds.__getitem__, bare[: ends[-1]].split(self._bare_end)[:-1]))
                return kinds * times + kinds[:more]
        return None

    def _mixed(self, rows: list[bytes], kinds: list[Kind | None]) -> Block:
        """Return rows some of which are to be read one at a time."""
        whole = Block([], [], [])
        start = 0
        for usual, run in groupby(kinds, key=lambda kind: kind is not None):
            stop = start + sum(1 for _ in run)
            part = self._usual(rows[start:stop], kinds[start:stop]) if usual else None
            if part is None:
                part = self.loose(self._markup.row_end.join([*rows[start:stop], b""]))
            whole.numbers.extend(part.numbers)
            whole.rows.extend(part.rows)
            whole.kinds.extend(part.kinds)
            start = stop
        return whole

    def loose(self, data: bytes) -> Block:
        """Return rows that are to be read one at a time."""
        if not self._is_plain and is_odd(data):
            raise OddMarkupError
        rows = list(self._markup.rows_of(data, number=self._last))
        if rows:
            self._last = rows[-1].number
        return Block([row.number for row in rows], [row.raw for row in rows], [None] * len(rows))

    def _usual(self, rows: list[bytes], kinds: list[Kind | None]) -> Block | None:
        """Return rows of known kinds; None if one is numbered in an unusual way."""
        if any(row[:1] != b"<" for row in rows):
            # blanks between the rows
            rows = [row.lstrip() for row in rows]
        at = self._number_at
        try:
            numbers = [int(row[at : row.index(b'"', at)]) for row in rows]
        except ValueError:
            return None
        if numbers[0] <= self._last or not all(map(operator.lt, numbers, numbers[1:])):
            raise self._markup.broken()
        self._last = numbers[-1]
        return Block(numbers, rows, kinds)


class Kinds(dict[bytes, "Kind | None"]):
    """The kinds of the rows of one sheet, by what is left of a row without digits; None for an unusual one.

    Parameters
    ----------
    prefix
        The prefix of the sheet's elements.
    """

    def __init__(self, prefix: bytes) -> None:
        p = re.escape(prefix.translate(None, _DIGITS))
        text = rb'(?:<%sv>[^<]*</%sv>|<%sis><%st(?: xml:space="preserve")?>[^<]*</%st></%sis>)' % (p, p, p, p, p, p)
        # LibreOffice says whether to calculate anew; of a formula filled down Excel writes the number alone
        formula = rb'(?:<%sf(?: aca="[a-z]*")?>[^<]*</%sf>|<%sf t="shared" si=""(?:/>|></%sf>))' % (p, p, p, p)
        attributes = rb' r="([A-Z]{1,3})"((?: s="")?(?: t="[a-zA-Z]+")?(?: s="")?)'
        self._row = re.compile(rb'<%srow r=""((?: [\w:]+="[^"<>]*")*)>' % p)
        self._cell = re.compile(rb"<%sc%s(?:/>|>(%s)?(%s)?</%sc>)" % (p, attributes, formula, text, p))
        self._text = re.compile(rb'(<(?:%s)[vtf](?: xml:space="preserve"| aca="[a-z]*")?>)[^<]+' % p)
        self._plain: dict[bytes, Kind | None] = {}
        self._bytes = 0

    def __missing__(self, skeleton: bytes) -> Kind | None:
        plain = self._text.sub(rb"\1", skeleton.lstrip())
        if plain in self._plain:
            kind = self._plain[plain]
        else:
            kind = self._kind(plain)
            if self._has_room(plain):
                self._plain[plain] = kind
        if self._has_room(skeleton):
            self[skeleton] = kind
        return kind

    def _has_room(self, skeleton: bytes) -> bool:
        self._bytes += len(skeleton)
        return len(self) + len(self._plain) < _MOST_KNOWN and self._bytes < _MOST_KNOWN_BYTES

    def _kind(self, plain: bytes) -> Kind | None:
        start = self._row.match(plain)
        if start is None:
            return None
        columns, filled, formulas, styled, end = [0], 0, 0, 0, start.end()
        while end < len(plain):
            cell = self._cell.match(plain, end)
            column = 0 if cell is None else column_number(cell[1].decode("ascii"))
            if cell is None or not columns[-1] < column <= LAST_COLUMN:
                return None
            columns.append(column)
            filled |= (cell[3] is not None or cell[4] is not None) << column
            formulas |= (cell[3] is not None) << column
            styled |= (b' s="' in cell[2]) << column
            end = cell.end()
        formatted = b' customFormat="' in start[1] and b' customFormat="false"' not in start[1]
        return Kind(tuple(columns[1:]), (filled, formulas), styled, b' spans="' in start[1], formatted)
