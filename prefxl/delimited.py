"""Arrow tables as delimited text, the way a spreadsheet opens it without taking a name for a formula."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from prefxl.tabular import number_texts

#: What makes a spreadsheet take a text for a formula (OWASP, CSV injection).
_FORMULA = r"^[=+\-@\t\r\x00]"

#: A number below 0 is no formula, whatever else stands in its column.
_NUMBER = r"^-[0-9]+([.,][0-9]+)?$"

#: Text that has to stand in quotes, whatever the separator of :class:`Dialect`.
_STRUCTURE = '["\n\r{}]'


@dataclass(frozen=True)
class Dialect:
    """How text is delimited.

    Attributes
    ----------
    separator
        What parts the fields.
    decimal
        The decimal sign.
    line
        What ends a line.
    trusted
        Columns whose text is ours and never a formula, although it may begin with a minus.
    numbers
        Columns of numbers, some of which may come as text.
    """

    separator: str = ","
    decimal: str = "."
    line: str = "\n"
    trusted: Collection[str] = ()
    numbers: Collection[str] = ()


def encode(table: pa.Table, dialect: Dialect) -> bytes | memoryview:
    """Return the rows of a table as UTF-8 text, without a heading."""
    columns = [_shown(table.column(place), name, dialect) for place, name in enumerate(table.column_names)]
    names = [str(place) for place in range(len(columns))]
    into = pa.BufferOutputStream()
    options = pyarrow.csv.WriteOptions(
        include_header=False, delimiter=dialect.separator, quoting_style="none", eol=dialect.line
    )
    try:
        pyarrow.csv.write_csv(pa.table(columns, names=names), into, options)
    except pa.ArrowInvalid:
        # a text holds a separator, a quote or a line break
        return _quoted(columns, dialect)
    return memoryview(into.getvalue())


def encode_heading(names: Collection[str], dialect: Dialect) -> bytes:
    """Return the line of headings."""
    row = pa.table([pa.array([name]) for name in names], names=[str(place) for place in range(len(names))])
    return bytes(encode(row, dialect))


def _shown(column: pa.ChunkedArray, name: str, dialect: Dialect) -> pa.ChunkedArray:
    kind = column.type
    if pa.types.is_floating(kind):
        told = pa.chunked_array([number_texts(column)])
        return told if dialect.decimal == "." else _with_comma(told, dialect.decimal)
    if not _is_text(kind):
        return column if pa.types.is_primitive(kind) and not pa.types.is_temporal(kind) else column.cast(pa.string())
    if name in dialect.numbers:
        return column if dialect.decimal == "." else _with_comma(column, dialect.decimal)
    return column if name in dialect.trusted else inert(column)


def _with_comma(column: pa.ChunkedArray, decimal: str) -> pa.ChunkedArray:
    return _by_value(column, lambda text: pc.replace_substring(text, ".", decimal))


def _by_value(column: pa.ChunkedArray, change: Callable[[Any], Any]) -> pa.ChunkedArray:
    """Return a column of text changed, where it is a dictionary once a distinct value."""
    if not pa.types.is_dictionary(column.type):
        return change(column)
    chunks = [pa.DictionaryArray.from_arrays(chunk.indices, change(chunk.dictionary)) for chunk in column.chunks]
    return pa.chunked_array(chunks, column.type) if chunks else column


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_dictionary(kind))


def inert(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column of text with an apostrophe before what a spreadsheet would take for a formula."""
    return _by_value(column, _marked)


def _marked(text: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    formulas = pc.match_substring_regex(text, _FORMULA)
    if not pc.any(formulas).as_py():
        return text
    formulas = pc.and_not(formulas, pc.match_substring_regex(text, _NUMBER))
    return pc.if_else(formulas, pc.binary_join_element_wise("'", text, ""), text)


def _quoted(columns: list[pa.ChunkedArray], dialect: Dialect) -> bytes:
    """Return the rows with quotes round the texts that need them, as ``csv.QUOTE_MINIMAL`` has it."""
    pattern = _STRUCTURE.format("\\" + dialect.separator if dialect.separator != "\t" else "\t")
    texts = []
    for column in columns:
        text = pc.fill_null(column.cast(pa.string()), "")
        needy = pc.match_substring_regex(text, pattern)
        doubled = pc.binary_join_element_wise('"', pc.replace_substring(text, '"', '""'), '"', "")
        texts.append(pc.if_else(needy, doubled, text).combine_chunks())
    texts[-1] = pc.binary_join_element_wise(texts[-1], dialect.line, "")
    lines = pc.binary_join_element_wise(*texts, dialect.separator)
    # the bytes of all texts of a column lie one after the other
    chunks = lines.chunks if isinstance(lines, pa.ChunkedArray) else [lines]
    return b"".join(_bytes(chunk) for chunk in chunks)


def _bytes(text: pa.StringArray) -> bytes:
    _, offsets, data = text.buffers()
    places = pa.Array.from_buffers(pa.int32(), len(text) + 1, [None, offsets], offset=text.offset)
    return b"" if data is None else bytes(memoryview(data)[places[0].as_py() : places[len(text)].as_py()])
