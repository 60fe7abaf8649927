"""Recognising tables: where in a grid a heading stands, and what its columns are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from prefxl.findings import Finding
from prefxl.names import same_name
from prefxl.sheets.aliases import COUNTERS
from prefxl.sheets.grid import Grid
from prefxl.sheets.headers import Heading, own_columns, stray_columns, words_of
from prefxl.sheets.heading_rows import Headings, Reading, Wanted, is_about_scores, layout_of, readings, side_by_side
from prefxl.sheets.seating import seat_names, wide_roles, with_short_players
from prefxl.sheets.strips import is_complete, strips
from prefxl.sheets.values import is_empty
from prefxl.tables import cell_name


@dataclass(frozen=True)
class Found:
    """One recognised table of a grid; rows are positions in the grid, columns those of the sheet.

    Attributes
    ----------
    layout
        ``wide``, ``long`` or ``form``.
    top, bottom
        The first and the last row of the heading.
    stop
        The row after the last that may belong to the table.
    columns
        Role to column, as in :class:`prefxl.tables.Table`, save that whists on names are
        still in ``named_whists``.
    labels
        Heading text by column, all columns of the table.
    own
        Heading text of the user's own columns.
    heading_lines
        The rows of the sheet the heading begins and ends in.
    seats
        Names of the seats where the heading names the players.
    named_whists
        Column to the name as the heading spells it.
    turned
        Whists are headed by their writer.
    caption
        The cell just above, and its column.
    findings
        What was found while recognising.
    twice
        Columns headed as an earlier one is, to that one: they are not read.
    """

    layout: str
    top: int
    bottom: int
    stop: int
    columns: Mapping[str, int]
    labels: Mapping[int, str]
    own: Mapping[int, str]
    heading_lines: tuple[int, int]
    seats: tuple[str, ...] = ()
    named_whists: Mapping[int, str] = field(default_factory=dict)
    turned: bool = False
    caption: Any = None
    findings: tuple[Finding, ...] = ()
    twice: Mapping[int, int] = field(default_factory=dict)

    @property
    def span(self) -> tuple[int, int]:
        """The leftmost and the rightmost column of what is read."""
        read = (*self.columns.values(), *self.named_whists) or tuple(self.labels)
        return min(read), max(read)

    @property
    def has_whists(self) -> bool:
        """Whether any column is of whists."""
        return bool(self.named_whists) or bool(whist_roles(self.columns))

    @property
    def may_be_totals(self) -> bool:
        """Whether it may hold totals by player: without whists, ids and days of games it looks like one game."""
        return not (self.layout == "wide" or self.has_whists or _names_games(self.columns, self.labels))

    @property
    def first_column(self) -> int:
        """The leftmost column."""
        return min(self.labels)

    @property
    def last_column(self) -> int:
        """The rightmost column."""
        return max(self.labels)


def find_tables(grid: Grid, wanted: Wanted) -> list[Found]:
    """Return the tables of ``grid``, from the top down."""
    found: list[Found] = []
    free: dict[int, int] = {}
    for row in _candidates(grid, wanted):
        for strip, taken in list(strips(grid, row, free, wanted)):
            tables = list(_tables_at(strip, row, taken, wanted)) if row >= taken else []
            for table in tables:
                free |= dict.fromkeys(range(table.first_column, table.last_column + 1), table.bottom + 1)
            found += tables
    found.sort(key=lambda table: table.top)
    found = [_without_neighbours(table, found) for table in found]
    return [replace(table, stop=_stop(table, found, len(grid))) for table in found]


def _candidates(grid: Grid, wanted: Wanted) -> list[int]:
    """Return the rows in which some cells read as headings of scores or players."""
    hits = np.zeros(len(grid), dtype=np.int64)
    for column in grid.columns:
        hits += column.where(lambda value: isinstance(value, str) and is_about_scores(wanted.heading(value)))
    return [int(row) for row in np.flatnonzero(hits > 1)]


def _without_neighbours(table: Found, tables: list[Found]) -> Found:
    """Return a table without what stands in the row of its heading, but above or below another table."""
    first, last = table.span
    beside = [column for column in table.own if not first <= column <= last]
    foreign = {
        column
        for column in beside
        for other in tables
        if other is not table and other.span[0] <= column <= other.span[1] and not _overlap(table, other)
    }
    if not foreign:
        return table
    kept = {column: text for column, text in table.labels.items() if column not in foreign}
    return replace(table, labels=kept, own={column: text for column, text in table.own.items() if column in kept})


def _overlap(one: Found, other: Found) -> bool:
    return other.span[0] <= one.span[1] and one.span[0] <= other.span[1]


def _stop(table: Found, tables: list[Found], end: int) -> int:
    """Return where the next table over the same columns begins."""
    for other in tables[bisect_right(tables, table.bottom, key=lambda one: one.top) :]:
        if _overlap(table, other):
            return other.top - (0 if is_empty(other.caption) else 1)
    return end


def _tables_at(grid: Grid, row: int, free: int, wanted: Wanted) -> Iterator[Found]:
    """Yield the tables whose heading begins in ``row``: one, or several side by side."""
    for reading in readings(grid, row, free, wanted):
        groups = [_within(reading, part) for part in side_by_side(reading.labels, reading.headings)]
        parts = [part for part in groups if is_complete(part, wanted)]
        whole = [_table(grid, part, wanted) for part in (parts if len(parts) > 1 else [reading])]
        tables = [table for table in whole if table is not None]
        if tables:
            yield from tables
            return


def _within(reading: Reading, columns: list[int]) -> Reading:
    labels = {column: reading.labels[column] for column in columns}
    headings = {column: said for column, said in reading.headings.items() if column in labels}
    return reading._replace(labels=labels, headings=headings)


def _table(grid: Grid, reading: Reading, wanted: Wanted) -> Found | None:
    layout = layout_of(reading, wanted)
    if layout is None:
        return None
    rows, span = (reading.top, reading.bottom), sorted(reading.labels)
    here = {column: text for column, text in sorted(reading.labels.items()) if text}
    headings = with_short_players(_with_pairs(reading.headings, here), here) if layout == "wide" else reading.headings
    marked = _marked_columns(grid, rows)
    ours = own_columns(here, marked) | stray_columns(here, marked) if grid.unmarked else frozenset()
    # a program that moves no names leaves the marks of an earlier run on columns of the user's
    if ours <= marked:
        ours |= {column for column in span if column in marked and column not in headings}
    theirs = [column for column in span if column not in ours]
    roles = wide_roles(headings) if layout == "wide" else _long_roles(headings)
    roles = _without_counters(roles, here)
    columns, twice = _first_of_each({column: role for column, role in roles.items() if column not in ours})
    named = {
        column: role.removeprefix("whists_on:") for role, column in columns.items() if role.startswith("whists_on:")
    }
    own = {column: text for column, text in here.items() if column not in {*columns.values(), *ours, *twice}}
    line = int(grid.lines[rows[1]])
    findings = [
        Finding("column-twice", grid.file, grid.sheet, cell_name(line, column), here[column]) for column in twice
    ]
    if ours:
        texts = ", ".join(here[column] for column in sorted(ours) if column in here)
        findings.append(Finding("own-results", grid.file, grid.sheet, cell_name(line, min(ours)), texts))
    return Found(
        layout=layout,
        top=rows[0],
        bottom=rows[1],
        stop=len(grid),
        columns={role: column for role, column in columns.items() if column not in named},
        labels=here,
        own=own,
        twice={column: columns[roles[column]] for column in twice},
        heading_lines=(int(grid.lines[rows[0]]), line),
        seats=seat_names(headings) if layout == "wide" else (),
        named_whists=named,
        turned=any(said.turned for said in headings.values() if said.role == "whists"),
        caption=_caption(grid, rows[0], theirs) if _is_captioned(layout, columns, here) else None,
        findings=tuple(findings),
    )


def _marked_columns(grid: Grid, rows: tuple[int, int]) -> set[int]:
    """Return the columns whose heading an earlier run placed."""
    line = int(grid.lines[rows[1]])
    areas = [(left, right) for top, left, bottom, right in grid.our_areas if top <= line <= bottom]
    return {column for left, right in areas for column in range(left, right + 1)}


def _without_counters(roles: dict[int, str], labels: dict[int, str]) -> dict[int, str]:
    """Return the roles without columns that only count the rows, where another one names the games."""
    games = [column for column, role in roles.items() if role == "game"]
    counters = [column for column in games if words_of(labels.get(column, "")) in COUNTERS]
    dropped = counters if len(counters) < len(games) else []
    return {column: role for column, role in roles.items() if column not in dropped}


def _first_of_each(roles: dict[int, str]) -> tuple[dict[str, int], list[int]]:
    columns: dict[str, int] = {}
    twice = []
    for column in sorted(roles):
        if roles[column] in columns:
            twice.append(column)
        else:
            columns[roles[column]] = column
    return columns, twice


def _long_roles(headings: Headings) -> dict[int, str]:
    roles: dict[int, str] = {}
    for column, said in headings.items():
        if said.plain and said.role != "whists":
            roles[column] = said.role
        elif said.role == "whists" and said.one == "" and said.other != "":
            roles[column] = f"whists_{said.other}" if isinstance(said.other, int) else f"whists_on:{said.other}"
    return roles


def _with_pairs(headings: Headings, labels: Mapping[int, str]) -> Headings:
    """Return the headings with those between two names of the heading read as whists: ``Павел-Дима``."""
    names = seat_names(headings)
    found = dict(headings)
    for column, text in labels.items() if names else ():
        said = headings.get(column, Heading("whists", other=text))
        if said.role == "whists" and "" in (said.one, said.other):
            for pair in _partings(said.other or said.one):
                if all(any(same_name(one, name) for name in names) for one in pair):
                    found[column] = Heading("whists", *pair, loose=True)
    return found


_PARTED = re.compile(r"\s*(?:->|=>|[-–—−→⇒➝➔>/:])\s*|\s+(?:на|on|na)\s+", re.IGNORECASE)


def _partings(text: int | str) -> Iterator[tuple[str, str]]:
    """Yield the ways to read a text as two names: ``Павел-Дима``, and ``Анна-Мария-Дима`` in two ways."""
    for sign in _PARTED.finditer(str(text)):
        yield str(text)[: sign.start()].strip(), str(text)[sign.end() :].strip()


def whist_roles(columns: Mapping[str, int]) -> list[str]:
    """Return the roles among ``columns`` that are whists."""
    return [role for role in columns if role.startswith("whists")]


def _is_captioned(layout: str, columns: Mapping[str, int], labels: Mapping[int, str]) -> bool:
    """Return whether a game may be named by what stands above its heading, for want of an id and a date."""
    return layout == "form" or (layout == "long" and not _names_games(columns, labels))


def _names_games(columns: Mapping[str, int], labels: Mapping[int, str]) -> bool:
    """Tell whether games have an id or a day; a mere number of the row is none."""
    by_id = "game" in columns and words_of(labels.get(columns["game"], "")) not in COUNTERS
    return by_id or "date" in columns


def _caption(grid: Grid, row: int, span: list[int]) -> Any:
    """Return the cell just above a form's heading."""
    if row == 0 or grid.lines[row - 1] != grid.lines[row] - 1:
        return None
    above = [value for column, value in sorted(grid.row(row - 1).items()) if span[0] <= column <= span[-1]]
    # a row of a game just above, or of a table, is no caption
    return above[0] if 0 < len(above) <= 2 else None


__all__ = ["Found", "Wanted", "find_tables", "whist_roles"]
