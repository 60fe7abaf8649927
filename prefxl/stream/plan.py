"""What a big file's columns are, told by its heading once, and whether it can be streamed at all."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet

from prefxl.findings import Finding
from prefxl.games import SETTINGS, Games
from prefxl.sheets.body import Body
from prefxl.sheets.headers import seat_called
from prefxl.sheets.layouts import Found, find_tables, whist_roles
from prefxl.sheets.reading import Options, read_grid
from prefxl.sheets.text import Lines, find_separator, grid_of, split_lines
from prefxl.sheets.values import identifier
from prefxl.stream.ids import IdPiece, packed
from prefxl.stream.pieces import NotStreamableError, parquet_fields, text_fields

if TYPE_CHECKING:
    from prefxl.sheets.grid import Grid

#: How much of a text file is looked at to know its separator and its heading [bytes].
_HEAD = 1 << 16

#: Layouts that stream: a form's game is known only by what stands around it.
_LAYOUTS = ("wide", "long")

#: Findings on a heading.
_OF_HEADING = ("column-twice", "own-results", "missing-column", "matched-heading")


@dataclass(frozen=True, eq=False)
class Plan:
    """A file's columns.

    Attributes
    ----------
    path
        The file.
    header
        The headings, all of them.
    found
        The table recognised by them.
    options
        What the caller said about reading.
    separator
        Of a text file; ``""`` for Parquet.
    lang
        The language of the headings.
    number
        Which of several files it is, from 0.
    remarks
        What its heading gives to say.
    name
        What findings call the file; by default its bare name.
    """

    path: Path
    header: Sequence[str]
    found: Found
    options: Options
    separator: str
    lang: str
    number: int = 0
    remarks: tuple[Finding, ...] = ()
    name: str = ""

    @property
    def file(self) -> str:
        """The name of the file in findings."""
        return self.name or self.path.name

    def called(self, name: str) -> Plan:
        """Return the plan of the file under another name."""
        return replace(self, name=name, remarks=tuple(replace(finding, file=name) for finding in self.remarks))

    @property
    def wide(self) -> bool:
        """Whether a row is a game."""
        return self.found.layout == "wide"

    @cached_property
    def places(self) -> Mapping[str, str]:
        """Role to the column's name in a piece: its place from 0, as text."""
        return {role: str(column - 1) for role, column in self.found.columns.items()}

    @cached_property
    def own(self) -> Mapping[str, str]:
        """Column's name in a piece to the user's own heading, a second ``Стол`` being ``Стол (2)``."""
        named: dict[str, str] = {}
        for column, text in sorted(self.found.own.items()):
            number, free = 1, text
            while free in named.values():
                number += 1
                free = f"{text} ({number})"
            named[str(column - 1)] = free
        return named

    @cached_property
    def scores(self) -> tuple[str, ...]:
        """Roles that hold numbers."""
        return tuple(role for role in self.places if role.split("_")[0] in ("pulya", "gora", "whists", "seat"))

    @cached_property
    def settings(self) -> tuple[str, ...]:
        """Roles that say how a game is settled."""
        return tuple(role for role in self.places if role in SETTINGS)

    @cached_property
    def seats(self) -> int:
        """How many seats the columns have."""
        numbers = [int(part) for role in self.places for part in role.split("_")[1:]]
        return max(numbers, default=0)

    @cached_property
    def body(self) -> Body:
        """The table without rows, which knows how names are read."""
        return Body.of(self.grid([], []), self.found, self.options.names)

    def grid(self, lines: Sequence[int], records: Sequence[Sequence[Any]]) -> Grid:
        """Return rows below the heading as a grid, each at its own line of the file."""
        cells = [list(self.header), *(list(record) for record in records)]
        return grid_of(Lines([1, *map(int, lines)], cells, []), self.file)

    def id_piece(self, ids: Any, days: Any, lines: Any) -> IdPiece:
        """Return games of this file for the search for ids that stand twice."""
        return IdPiece(self.file, self.number, self.found.columns["game"], packed(ids), packed(days), packed(lines))

    def id_texts(self, lines: Sequence[int]) -> dict[int, Any]:
        """Return the ids that stand in these lines of the file."""
        place = self.found.columns["game"] - 1
        if self.separator:
            found = text_fields(self.path, self.separator, place, lines)
        else:
            found = parquet_fields(self.path, self.header[place], lines)
        return {line: identifier(value) for line, value in found.items()}

    def read(self, lines: Sequence[int], records: Sequence[Sequence[Any]]) -> Games:
        """Read rows the ordinary way."""
        return read_grid(self.grid(lines, records), self.options)


def make_plan(path: Path, options: Options, number: int = 0) -> Plan:
    """Return what the columns of ``path`` are.

    Raises
    ------
    NotStreamableError
        If the file has to be read whole: no heading in the first line, a form, whists
        headed by names, games without ids, another encoding than UTF-8, a damaged file.
    """
    try:
        if path.suffix.casefold() == ".parquet":
            header, separator = list(pyarrow.parquet.read_schema(path).names), ""
            records: list[list[Any]] = []
        else:
            header, separator, records = _text_head(path)
    except (pa.ArrowException, OSError):
        # the ordinary reader has the sentence for it
        raise NotStreamableError from None
    return plan_of(path, [header, *records], options, separator=separator, number=number)


def plan_of(
    path: Path, records: Sequence[Sequence[Any]], options: Options, *, separator: str = "", number: int = 0
) -> Plan:
    """Return what columns are by their headings, the first of ``records``, and some rows below.

    Raises
    ------
    NotStreamableError
        As for :func:`make_plan`.
    """
    grid = grid_of(Lines(list(range(1, len(records) + 1)), [list(record) for record in records], []), path.name)
    tables = find_tables(grid, options.wanted)
    if len(tables) != 1 or not _streams(tables[0], options):
        raise NotStreamableError
    sample = read_grid(grid, options)
    remarks = tuple(finding for finding in sample.findings if finding.reason in _OF_HEADING)
    return Plan(path, list(records[0]), tables[0], options, separator, sample.lang, number, remarks)


def _streams(found: Found, options: Options) -> bool:
    # «Висты на Игрок 1» are by name where somebody is called so, which only all rows can tell
    called = any(seat_called(found.labels.get(found.columns[role], "")) for role in whist_roles(found.columns))
    by_names = found.named_whists or found.seats or found.turned or (called and found.layout != "wide")
    fields = {role.split("_")[0] for role in found.columns}
    # what the user's own columns are may be seen only when all rows are
    unread = found.own and not {"pulya", "gora", "whists"} <= fields
    return (
        found.layout in _LAYOUTS
        and found.top == found.bottom == 0
        and not by_names
        and not unread
        and "game" in found.columns
        and any(role.split("_")[0] == "player" for role in found.columns)
        and options.start_from is None
    )


def _text_head(path: Path) -> tuple[list[str], str, list[list[str]]]:
    """Return the headings, the separator, and the first records."""
    with path.open("rb") as file:
        data = file.read(_HEAD)
    whole = data[: data.rfind(b"\n")] if b"\n" in data else data
    if b"\0" in data or b"\r" in data.replace(b"\r\n", b""):
        raise NotStreamableError
    try:
        lines = split_lines(whole.decode("utf-8").removeprefix("\ufeff"))
    except UnicodeDecodeError:
        raise NotStreamableError from None
    if lines[0].strip().strip('"').lower().startswith("sep="):
        raise NotStreamableError
    separator = find_separator(lines[:200])
    rows = list(csv.reader(lines[:50], delimiter=separator))
    return rows[0], separator, rows[1:]
