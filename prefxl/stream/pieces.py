"""Big files in pieces that end where a game ends: bytes of CSV, batches of Parquet."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from prefxl.sheets.text import split_lines
from prefxl.sheets.values import is_empty

Integers = npt.NDArray[np.int64]

#: Bytes of CSV, and rows of Parquet, worked on at a time.
PIECE_BYTES = 4 << 20
PIECE_ROWS = 1 << 16

#: No quoted field, and no game, is longer than this many pieces [bytes].
_LONGEST = 16 * PIECE_BYTES

_BOM = b"\xef\xbb\xbf"


class NotStreamableError(Exception):
    """This file has to be read whole: nothing is wrong with it. Never leaves the package."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Rows of a file.

    Attributes
    ----------
    table
        The columns, named by their place from 0: text for CSV, the file's own types for Parquet.
    lines
        (R,) the line of each row in the file.
    strange
        Line and record of rows that have another number of fields than the heading.
    text
        CSV: the lines of the piece as they stand; empty for Parquet.
    first_line
        The line of the piece's first row.
    """

    table: pa.Table
    lines: Integers
    strange: tuple[tuple[int, list[Any]], ...] = ()
    text: bytes = b""
    first_line: int = 0
    separator: str = field(default=",")

    def records(self, rows: Sequence[int]) -> list[list[Any]]:
        """Return rows as the ordinary reader takes them: their cells, one by one."""
        if not len(rows):
            return []
        if not self.text:
            taken = self.table.take(pa.array(rows))
            return [list(record) for record in zip(*(column.to_pylist() for column in taken.columns), strict=True)]
        lines = split_lines(self.text.decode("utf-8"))
        texts = [lines[int(self.lines[row]) - self.first_line] for row in rows]
        return [next(csv.reader([text], delimiter=self.separator), []) for text in texts]


@dataclass(frozen=True)
class TextPiece:
    """Whole lines of a CSV file, the line they begin at, and how many line feeds they have."""

    data: bytes
    first_line: int
    feeds: int


def text_pieces(path: Path, separator: str, game: int | None) -> Iterator[TextPiece]:
    """Yield a CSV file below its heading in pieces of whole records.

    Parameters
    ----------
    path
        The file: UTF-8, its heading in the first line.
    separator
        What parts the fields.
    game
        The place of the game's id where a game has several rows: a piece then ends between two games.
    """
    with path.open("rb") as file:
        file.readline()
        line, rest = 2, b""
        while block := file.read(PIECE_BYTES):
            rest += block
            cut = _cut(rest, separator, game)
            if cut:
                feeds = rest.count(b"\n", 0, cut)
                yield TextPiece(rest[:cut], line, feeds)
                line += feeds
                rest = rest[cut:]
            elif len(rest) > _LONGEST:
                raise NotStreamableError
        if rest:
            yield TextPiece(rest, line, rest.count(b"\n"))


def _cut(data: bytes, separator: str, game: int | None) -> int:
    """Return where the last whole record, or game, of ``data`` ends, 0 for nowhere."""
    end = data.rfind(b"\n") + 1
    if data.count(b'"', 0, end) % 2:
        # the last line break may stand inside a quoted field: wait for the rest
        return 0
    if game is None or not end:
        return end
    last = ""
    while end:
        start = data.rfind(b"\n", 0, end - 1) + 1
        name = _field(data[start:end], separator, game)
        # a line without an id, such as a blank one, may stand within a game
        if data.count(b'"', start, end) % 2:
            # a record of several lines
            raise NotStreamableError
        if last and name and name != last:
            return end
        last, end = last or name, start
    return 0


def _field(line: bytes, separator: str, place: int) -> str:
    record = next(csv.reader([line.decode("utf-8", "replace").strip("\r\n")], delimiter=separator), [])
    return record[place].strip() if place < len(record) else ""


def parse(piece: TextPiece, names: Sequence[str], types: dict[str, pa.DataType], separator: str) -> Piece:
    """Return the rows of a piece of CSV.

    Raises
    ------
    pyarrow.ArrowInvalid
        If a cell is not of the type asked for.
    NotStreamableError
        If the text is not UTF-8 throughout, or its records are not its lines.
    """
    strange: list[tuple[int, str]] = []

    def odd(row: Any) -> str:
        strange.append((row.number, row.text))
        return "skip"

    table = pyarrow.csv.read_csv(
        pa.BufferReader(piece.data),
        pyarrow.csv.ReadOptions(use_threads=False, column_names=list(names), block_size=len(piece.data) + 1),
        pyarrow.csv.ParseOptions(
            delimiter=separator,
            newlines_in_values=b'"' in piece.data,
            ignore_empty_lines=False,
            invalid_row_handler=odd,
        ),
        pyarrow.csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=True, check_utf8=True),
    )
    newlines = piece.feeds + (not piece.data.endswith(b"\n"))
    if table.num_rows + len(strange) != newlines:
        raise NotStreamableError
    numbers = np.array([number for number, _ in strange], np.int64)
    lines = np.delete(np.arange(newlines, dtype=np.int64), numbers - 1) + piece.first_line
    odd_ones = tuple(
        (number - 1 + piece.first_line, next(csv.reader([text], delimiter=separator), [])) for number, text in strange
    )
    return Piece(table.combine_chunks(), lines, odd_ones, piece.data, piece.first_line, separator)


def parquet_pieces(path: Path, game: str | None) -> Iterator[Piece]:
    """Yield the rows of a Parquet file; a piece ends between two games.

    Parameters
    ----------
    path
        The file.
    game
        The column of the game's id where a game has several rows.
    """
    rest: pa.Table | None = None
    line = 2
    # Arrow would keep all it has read of the file until the end
    with pyarrow.parquet.ParquetFile(path, pre_buffer=False) as file:
        for batch in file.iter_batches(batch_size=PIECE_ROWS):
            table = pa.Table.from_batches([batch])
            table = table if rest is None else pa.concat_tables([rest, table])
            cut = table.num_rows if game is None else _last_game(table.column(game))
            if cut:
                yield numbered(table.slice(0, cut), line)
                line += cut
            elif table.num_rows > 4 * PIECE_ROWS:
                raise NotStreamableError
            rest = table.slice(cut)
    if rest is not None and rest.num_rows:
        yield numbered(rest, line)


def _last_game(games: pa.ChunkedArray) -> int:
    """Return where the last game of a column of ids begins; a row without an id may stand within a game."""
    row, last = len(games), None
    while row:
        name = games[row - 1].as_py()
        if not is_empty(name):
            if last is not None and name != last:
                break
            last = name
        row -= 1
    return row


def text_fields(path: Path, separator: str, place: int, lines: Sequence[int]) -> dict[int, str]:
    """Return the field at ``place`` of some lines of a CSV file whose records are its lines."""
    found = {}
    for piece in text_pieces(path, separator, None):
        here = [line for line in lines if piece.first_line <= line <= piece.first_line + piece.feeds]
        texts = split_lines(piece.data.decode("utf-8")) if here else []
        for line in here:
            if line - piece.first_line < len(texts):
                found[line] = _field(texts[line - piece.first_line].encode(), separator, place)
    return found


def parquet_fields(path: Path, name: str, lines: Sequence[int]) -> dict[int, Any]:
    """Return a column's values in some rows of a Parquet file, its first row being line 2."""
    found: dict[int, Any] = {}
    line = 2
    with pyarrow.parquet.ParquetFile(path, pre_buffer=False) as file:
        for batch in file.iter_batches(batch_size=PIECE_ROWS, columns=[name]):
            here = [one for one in lines if line <= one < line + batch.num_rows]
            found |= {one: batch.column(0)[one - line].as_py() for one in here}
            line += batch.num_rows
    return found


def numbered(table: pa.Table, line: int = 2) -> Piece:
    """Return the rows of a table as a piece; the first stands in ``line``."""
    places = [str(place) for place in range(table.num_columns)]
    lines = np.arange(line, line + table.num_rows, dtype=np.int64)
    return Piece(table.rename_columns(places).combine_chunks(), lines, first_line=line)
