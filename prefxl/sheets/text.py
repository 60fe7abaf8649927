"""Text files: separators, quotes, lines; one grid a file."""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from mmap import mmap

import numpy as np

from prefxl.errors import FileRefusedError
from prefxl.findings import Finding
from prefxl.sheets.cells import Column
from prefxl.sheets.encoding import LOST, decode
from prefxl.sheets.grid import Grid
from prefxl.sheets.headers import heading
from prefxl.sheets.values import shown
from prefxl.tables import cell_name

#: No line of a score sheet is longer [bytes].
LONGEST_LINE = 1 << 20

#: Separators, as far as they are tried.
SEPARATORS = (";", "\t", ",", "|")

#: A quoted field over more lines than this is a quote nobody closed.
_MOST_LINES_A_FIELD = 30


#: Of so many lines with letters that cannot be read each is told.
MOST_TOLD = 50


@dataclass(frozen=True)
class Lines:
    """The records of a text file: line numbers from 1, fields, and lines that cannot be parted."""

    numbers: list[int]
    records: list[list[str]]
    broken: list[int]


def read_text(data: bytes, name: str) -> tuple[Grid, list[Finding]]:
    """Return the grid of a text file, and what was found on the way.

    Raises
    ------
    FileError, FileRefusedError
        If it is no text, or a line is too long to be one.
    """
    check_lines(data, name)
    text, encoding = decode(data)
    findings = []
    if not encoding.startswith("utf-8"):
        findings.append(Finding("encoding", name, "", "", encoding))
    lines = split_lines(text)
    first, separator = declared(lines)
    separator = separator or find_separator(lines[first : first + 200])
    found = records(lines, separator, first)
    findings += [_open_quote(name, line, lines[line - 1]) for line in found.broken]
    if LOST in text:
        spoilt = [line for line, said in enumerate(lines, 1) if LOST in said]
        findings += [_lost_letter(name, line, lines[line - 1]) for line in spoilt[:MOST_TOLD]]
    return replace(grid_of(found, name), separator=separator), findings


def _open_quote(name: str, line: int, text: str) -> Finding:
    return Finding("open-quote", name, "", cell_name(line, 1), shown(text[:60]), {"rows": (line,)})


def _lost_letter(name: str, line: int, text: str) -> Finding:
    at = text.index(LOST)
    return Finding(
        "lost-letter", name, "", cell_name(line, 1), shown(text[max(at - 30, 0) : at + 30]), {"rows": (line,)}
    )


def check_lines(data: bytes | mmap, name: str) -> None:
    """Refuse a file with a line that is too long, looking only at the beginnings of its blocks.

    Raises
    ------
    FileRefusedError
        If a line is longer than :data:`LONGEST_LINE`.
    """
    for start in range(0, len(data) - LONGEST_LINE, LONGEST_LINE):
        end = start + LONGEST_LINE
        if data.find(b"\n", start, end) < 0 and data.find(b"\r", start, end) < 0:
            line = data[: min(start, 64 << 20)].count(b"\n") + 1
            raise FileRefusedError(
                f"{name}: line {line} is longer than a megabyte: this is no score sheet",
                f"{name}: строка {line} длиннее мегабайта: это не таблица записей",
            )


def split_lines(text: str) -> list[str]:
    """Return the lines of a text; only line feeds and carriage returns end them."""
    # str.splitlines would also break a line at form feeds and at U+2028
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def declared(lines: list[str]) -> tuple[int, str]:
    """Return where the data begins and the separator, as a first line ``sep=;`` declares it."""
    first = lines[0].strip().strip('"').lower() if lines else ""
    if first.startswith("sep=") and len(first) <= 5:
        return 1, first[4:] or "\t"
    return 0, ""


def find_separator(lines: list[str]) -> str:
    """Return the separator that makes the most of the headings, then the most even rows."""
    return max(SEPARATORS, key=lambda separator: (*_promise(lines, separator), -SEPARATORS.index(separator)))


def _promise(lines: list[str], separator: str) -> tuple[int, int, int]:
    rows = [line.split(separator) for line in lines if len(line) < LONGEST_LINE // 16]
    known = max((sum(heading(cell.strip('" ')) is not None for cell in row) for row in rows), default=0)
    widths = [len(row) for row in rows if any(row)]
    common = max(set(widths), key=widths.count, default=0)
    return known, widths.count(common) if common > 1 else 0, common


def records(lines: list[str], separator: str, first: int) -> Lines:
    """Return the records of ``lines`` from ``first`` on."""
    if not any('"' in line for line in lines):
        fields = [line.split(separator) for line in lines[first:]]
        return Lines(list(range(first + 1, len(lines) + 1)), fields, [])
    found = Lines([], [], [])
    position = first
    while position < len(lines):
        position = _next_record(lines, position, separator, found)
    return found


def _next_record(lines: list[str], position: int, separator: str, found: Lines) -> int:
    """Add the record that begins at ``position``, and return where the next begins."""
    record, end = _record(lines, position, separator)
    if record is None:
        found.broken.append(position + 1)
        return position + 1
    found.numbers.append(position + 1)
    found.records.append(record)
    return end


def _record(lines: list[str], position: int, separator: str) -> tuple[list[str] | None, int]:
    """Return the fields of the record at ``position`` (``None`` where a quote stays open), and the line after it."""
    line = lines[position]
    if '"' not in line:
        return line.split(separator), position + 1
    for end in range(position + 1, min(position + _MOST_LINES_A_FIELD, len(lines)) + 1):
        # a quoted field that swallows whole rows is a quote somebody forgot to close
        if end - position > 1 and lines[end - 1].count(separator) > 1 and '"' not in lines[end - 1]:
            break
        try:
            return next(csv.reader(lines_with_ends(lines[position:end]), delimiter=separator, strict=True)), end
        except csv.Error as error:
            if "unexpected end of data" not in str(error):
                return _loosely(line, separator), position + 1
    return None, position + 1


def lines_with_ends(lines: list[str]) -> list[str]:
    """Return lines with a line feed at each end but the last, as :mod:`csv` takes them."""
    return [f"{line}\n" for line in lines[:-1]] + lines[-1:]


def _loosely(line: str, separator: str) -> list[str] | None:
    """Return the fields of a line whose quotes are not as they should be, ``None`` where that fails too."""
    try:
        return next(csv.reader([line], delimiter=separator))
    except csv.Error:
        return None


def grid_of(found: Lines, name: str) -> Grid:
    """Return records as a grid, short ones filled up with empty cells."""
    widths = np.fromiter(map(len, found.records), np.int64, len(found.records))
    width = int(widths.max(initial=0))
    padded = (record + [""] * (width - len(record)) for record in found.records)
    columns = tuple(Column.of(cells) for cells in zip(*padded, strict=True)) if width else ()
    return Grid(name, "", columns, 1, np.array(found.numbers, np.int64), widths)
