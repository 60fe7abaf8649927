"""Where settled rows go: a delimited text file, or Parquet; written at once or piece by piece, the same bytes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from prefxl.batch import STEPS
from prefxl.delimited import Dialect, encode, encode_heading
from prefxl.errors import OptionError
from prefxl.settled import STEP_COLUMNS
from prefxl.tabular import ISO, DayFormat, number_texts, own_type, plain_type, shared_type

#: Rows of a row group of Parquet: the same wherever the pieces of a stream end.
GROUP_ROWS = 1 << 18

#: Columns whose text is ours and never a formula, although it may begin with a minus.
OUR_TEXT = ("result_exact", "convention", "rounding")

#: Columns of numbers; in text files those that are not whole come as text.
NUMBERS = ("pulya", "gora", *STEPS, "money")

#: Types of our columns in Parquet: numbers that may have a fraction are floats, whatever the first games are like.
_TYPES = {
    "seat": pa.int64(),
    "player": pa.string(),
    "result_exact": pa.string(),
    "convention": pa.string(),
    "rounding": pa.string(),
} | dict.fromkeys(NUMBERS, pa.float64())

#: Types of our columns that may turn into text.
_FIRST_TYPES = {"game": pa.int64(), "date": pa.date32()}

#: Column to its type, ``None`` for one of the user's own in which nothing stands.
Types: TypeAlias = Mapping[str, pa.DataType | None]

#: Rows as they are written: text, or a table for Parquet.
Prepared: TypeAlias = pa.Table | bytes | memoryview

_CODED = pa.dictionary(pa.int32(), pa.string())


class RetypeError(Exception):
    """A column turned out to need another type than was said. Never leaves the package."""

    def __init__(self, column: str, kind: pa.DataType) -> None:
        super().__init__(column)
        self.column, self.kind = column, kind


def types_of(table: pa.Table, known: Types) -> dict[str, pa.DataType | None]:
    """Return the types of the columns that are not always the same, as far as these rows and ``known`` tell."""
    types: dict[str, pa.DataType | None] = {}
    for name in table.column_names:
        if name not in _TYPES:
            types[name] = shared_type(known.get(name), _type_of(table.column(name), name))
    return types


def _type_of(column: pa.ChunkedArray, name: str) -> pa.DataType | None:
    if name == "date":
        told = pa.types.is_string(plain_type(column.type)) and column.null_count < len(column)
        return pa.string() if told else pa.date32()
    return own_type(column) or _FIRST_TYPES.get(name)


@dataclass(frozen=True)
class Form:
    """How rows are written: the dialect, ``None`` for Parquet, and the format of dates."""

    dialect: Dialect | None
    days: DayFormat

    @classmethod
    def of(cls, target: Path, dialect: str) -> Form:
        """Return the form that a file name and a dialect ask for.

        Raises
        ------
        OptionError
            If the ending is none of ``.csv``, ``.tsv`` and ``.parquet``.
        """
        ending = target.suffix.casefold()
        if ending == ".parquet":
            return cls(None, None)
        if ending not in (".csv", ".tsv"):
            raise OptionError(
                f"{target.name}: rows are written to .csv, .tsv or .parquet",
                f"{target.name}: строки пишутся в .csv, .tsv или .parquet",
            )
        russian = dialect == "ru"
        separator = "\t" if ending == ".tsv" else ";" if russian else ","
        form = Dialect(separator, "," if russian else ".", "\r\n" if russian else "\n", OUR_TEXT, NUMBERS)
        return cls(form, "%d.%m.%Y" if russian else ISO)

    def sink(self, path: Path, types: Types) -> Sink:
        """Return what writes to ``path``."""
        return ParquetSink(path, types) if self.dialect is None else TextSink(path, self.dialect, types)


def write_table(table: pa.Table, path: Path, form: Form) -> None:
    """Write a whole table, columns in which nothing stands included."""
    types = {name: kind or pa.string() for name, kind in types_of(table, {}).items()}
    with closing(form.sink(path, types)) as sink:
        sink.write(sink.prepare(table))


class Sink(ABC):
    """Takes rows.

    ``prepare`` may run in any thread once the first rows have been prepared; ``write`` is
    called in the order of the file.
    """

    @abstractmethod
    def prepare(self, table: pa.Table) -> Prepared:
        """Return the rows as they are written.

        Raises
        ------
        RetypeError
            If a column is not of the type that was said.
        """

    @abstractmethod
    def write(self, prepared: Prepared) -> None:
        """Write them."""

    @abstractmethod
    def close(self) -> None:
        """Finish the file."""


class TextSink(Sink):
    """A delimited text file: UTF-8 with a byte order mark."""

    def __init__(self, path: Path, dialect: Dialect, types: Types) -> None:
        self.dialect, self.types = dialect, types
        self.file: BinaryIO = path.open("wb")
        self.begun = False

    def prepare(self, table: pa.Table) -> Prepared:
        """Return the rows as text, the headings before the first."""
        table = _without_blank(table, self.types)
        if self.begun:
            return encode(table, self.dialect)
        self.begun = True
        heading = b"\xef\xbb\xbf" + encode_heading(table.column_names, self.dialect)
        return heading + bytes(encode(table, self.dialect))

    def write(self, prepared: Prepared) -> None:
        """Write the text."""
        self.file.write(prepared)

    def close(self) -> None:
        """Close the file."""
        self.file.close()


class ParquetSink(Sink):
    """A Parquet file in row groups of :data:`GROUP_ROWS`."""

    def __init__(self, path: Path, types: Types) -> None:
        self.path, self.types = path, types
        self.writer: pyarrow.parquet.ParquetWriter | None = None
        self.waiting: list[pa.Table] = []

    def prepare(self, table: pa.Table) -> pa.Table:
        """Return the rows in the types of the file."""
        table = _without_blank(table, self.types)
        columns = [self._typed(table.column(name), name) for name in table.column_names]
        return pa.table(columns, names=table.column_names)

    def _typed(self, column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
        wanted = _TYPES.get(name) or self._checked(column, name)
        if pa.types.is_string(wanted):
            return _as_text(column, coded=name in STEP_COLUMNS and name != "game")
        return column if column.type == wanted else column.cast(wanted)

    def _checked(self, column: pa.ChunkedArray, name: str) -> pa.DataType:
        said = self.types[name]
        found = shared_type(said, _type_of(column, name))
        if found is not None and found != said:
            raise RetypeError(name, found)
        return said

    def write(self, prepared: Prepared) -> None:
        """Take rows; write the row groups they fill."""
        assert isinstance(prepared, pa.Table)
        self.waiting.append(prepared)
        if sum(table.num_rows for table in self.waiting) >= GROUP_ROWS:
            rows = pa.concat_tables(self.waiting)
            whole = rows.num_rows - rows.num_rows % GROUP_ROWS
            for start in range(0, whole, GROUP_ROWS):
                self._write_group(rows.slice(start, GROUP_ROWS))
            # no empty rest: the next piece would be copied to be joined with it
            self.waiting = [rows.slice(whole)] if whole < rows.num_rows else []

    def _write_group(self, rows: pa.Table) -> None:
        if self.writer is None:
            self.writer = pyarrow.parquet.ParquetWriter(self.path, rows.schema, store_schema=False)
        columns = [_in_order_of_appearance(column) for column in rows.columns]
        self.writer.write_table(pa.table(columns, schema=rows.schema), row_group_size=GROUP_ROWS)

    def close(self) -> None:
        """Write what is left, and close the file."""
        if self.waiting and (self.writer is None or any(table.num_rows for table in self.waiting)):
            self._write_group(pa.concat_tables(self.waiting))
        if self.writer is not None:
            self.writer.close()


def _as_text(column: pa.ChunkedArray, *, coded: bool) -> pa.ChunkedArray:
    """Return a column as text; or as codes, which Parquet takes as they are, and readers get text."""
    if pa.types.is_floating(column.type):
        column = pa.chunked_array([number_texts(column)])
    if coded:
        # a large dictionary costs less to make than to be found again by Parquet
        text = column if pa.types.is_dictionary(column.type) else column.cast(pa.string()).dictionary_encode()
        return text.cast(_CODED)
    return column.cast(pa.string())


def _in_order_of_appearance(column: pa.ChunkedArray) -> pa.Array:
    """Return a column in one piece, its texts numbered as they come: however it was put together."""
    if not pa.types.is_dictionary(column.type):
        return _in_one_piece(column)
    whole = _in_one_piece(column.unify_dictionaries() if column.num_chunks > 1 else column)
    if len(whole.dictionary) == 1 and not whole.null_count:
        return whole
    size, empty = len(whole.dictionary), whole.null_count > 0
    codes = (whole.indices.fill_null(size) if empty else whole.indices).to_numpy(zero_copy_only=False)
    first = np.full(size + 1, len(codes), np.int64)
    # the last one written stays: from the back that is the first
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    order = np.argsort(first[:size], kind="stable")
    order = order[first[order] < len(codes)]
    renumbered = np.zeros(size + 1, np.int32)
    renumbered[order] = np.arange(len(order))
    indices = pa.array(renumbered[codes], mask=codes == size if empty else None)
    return pa.DictionaryArray.from_arrays(indices, whole.dictionary.take(pa.array(order)))


def _in_one_piece(column: pa.ChunkedArray) -> pa.Array:
    if column.num_chunks == 1:
        return column.chunk(0)
    whole = column.combine_chunks()
    return whole if isinstance(whole, pa.Array) else pa.array([], column.type)


def _without_blank(table: pa.Table, types: Types) -> pa.Table:
    """Return the table without the user's own columns that nothing stood in so far.

    Raises
    ------
    RetypeError
        If something stands in one of them now.
    """
    blank = [name for name in table.column_names if name in types and types[name] is None]
    for name in blank:
        found = own_type(table.column(name))
        if found is not None:
            raise RetypeError(name, found)
    return table.drop_columns(blank) if blank else table
