"""Where streamed rows go: a delimited text file, or Parquet."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import BinaryIO, TypeAlias

import pyarrow as pa
import pyarrow.parquet

from prefxl.batch import STEPS
from prefxl.delimited import Dialect, encode, encode_heading
from prefxl.settled import STEP_COLUMNS
from prefxl.stream.cells import WHOLE, all_match

#: Columns whose text is ours and never a formula, although it may begin with a minus.
OUR_TEXT = ("result_exact", "convention", "rounding")

#: Columns of numbers; in text files those that are not whole come as text.
NUMBERS = ("pulya", "gora", *STEPS)

#: Types of our columns in Parquet: the same for every piece, so numbers that may have a fraction are floats.
_TYPES = {
    "game": pa.int64(),
    "date": pa.date32(),
    "seat": pa.int64(),
    "player": pa.string(),
    "result_exact": pa.string(),
    "convention": pa.string(),
    "rounding": pa.string(),
}

#: Rows as they are written: text, or a table for Parquet.
Prepared: TypeAlias = pa.Table | bytes | memoryview

_CODED = pa.dictionary(pa.int32(), pa.string())


class RetypeError(Exception):
    """A column turned out to need another type, or to be there after all. Never leaves the package."""

    def __init__(self, column: str) -> None:
        super().__init__(column)
        self.column = column


class Sink(ABC):
    """Takes the rows of a stream.

    ``prepare`` may run in any thread once the first rows have been prepared; ``write`` is
    called in the order of the file.
    """

    @abstractmethod
    def prepare(self, table: pa.Table) -> Prepared:
        """Return the rows as they are written."""

    @abstractmethod
    def write(self, prepared: Prepared) -> None:
        """Write them."""

    @abstractmethod
    def close(self) -> None:
        """Finish the file."""


class TextSink(Sink):
    """A delimited text file: UTF-8 with a byte order mark."""

    def __init__(self, path: Path, dialect: Dialect, dropped: frozenset[str]) -> None:
        self.dialect, self.dropped = dialect, dropped
        self.file: BinaryIO = path.open("wb")
        self.names: list[str] | None = None

    def prepare(self, table: pa.Table) -> Prepared:
        """Return the rows as text, the headings before the first."""
        table = _without(table, self.dropped)
        if self.names is not None:
            return encode(table, self.dialect)
        self.names = table.column_names
        heading = b"\xef\xbb\xbf" + encode_heading(self.names, self.dialect)
        return heading + bytes(encode(table, self.dialect))

    def write(self, prepared: Prepared) -> None:
        """Write the text."""
        self.file.write(prepared)

    def close(self) -> None:
        """Close the file."""
        self.file.close()


class ParquetSink(Sink):
    """A Parquet file, one row group a piece."""

    def __init__(self, path: Path, dropped: frozenset[str], texts: frozenset[str]) -> None:
        self.path, self.dropped, self.texts = path, dropped, texts
        self.schema: pa.Schema | None = None
        self.writer: pyarrow.parquet.ParquetWriter | None = None

    def prepare(self, table: pa.Table) -> pa.Table:
        """Return the rows in the types of the file."""
        table = _without(table, self.dropped)
        columns = [self._typed(table.column(name), name) for name in table.column_names]
        return pa.table(columns, names=table.column_names)

    def _typed(self, column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        wanted = _TYPES.get(name, pa.float64() if name in STEP_COLUMNS else _own_type(column, kind))
        if name in self.texts:
            wanted = pa.string()
        try:
            if pa.types.is_string(wanted) and name in STEP_COLUMNS and name != "game":
                return _coded(column)
            return column.cast(wanted)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            raise RetypeError(name) from None

    def write(self, prepared: Prepared) -> None:
        """Write a row group."""
        assert isinstance(prepared, pa.Table)
        if self.writer is None:
            self.writer = pyarrow.parquet.ParquetWriter(self.path, prepared.schema, store_schema=False)
        if prepared.schema != self.writer.schema:
            odd = next(
                name for name in prepared.column_names if prepared.schema.field(name) != self.writer.schema.field(name)
            )
            raise RetypeError(odd)
        self.writer.write_table(prepared)

    def close(self) -> None:
        """Close the file."""
        if self.writer is not None:
            self.writer.close()


def _coded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column of text as codes, which Parquet takes as they are; readers get text."""
    if pa.types.is_dictionary(column.type):
        return column.cast(_CODED)
    return column.cast(pa.string()).dictionary_encode()


def _own_type(column: pa.ChunkedArray, kind: pa.DataType) -> pa.DataType:
    """Return the type of a user's own column: whole numbers written as text are numbers, as when read at once."""
    if pa.types.is_null(kind):
        return pa.string()
    return pa.int64() if pa.types.is_string(kind) and all_match(column, WHOLE) else kind


def _without(table: pa.Table, dropped: frozenset[str]) -> pa.Table:
    """Return the table without the columns that nothing stood in so far.

    Raises
    ------
    RetypeError
        If something stands in one of them now.
    """
    there = [name for name in table.column_names if name in dropped]
    for name in there:
        if table.column(name).null_count < table.num_rows:
            raise RetypeError(name)
    return table.drop_columns(there) if there else table
