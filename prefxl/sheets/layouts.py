"""Recognising tables: where in a grid a heading stands, and what its columns are."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from prefxl.findings import Finding
from prefxl.sheets.aliases import COUNTERS
from prefxl.sheets.grid import Grid
from prefxl.sheets.headers import SCORE_ROLES, Heading, heading, label, own_columns, words_of
from prefxl.sheets.seating import seat_names, wide_roles
from prefxl.sheets.values import is_empty, shown
from prefxl.tables import cell_name

Headings = dict[int, Heading]


@dataclass(frozen=True)
class Wanted:
    """What the caller says about the file: the layout, and headings of their own with their roles."""

    layout: str | None = None
    mapping: Mapping[str, Heading] = field(default_factory=dict)

    def heading(self, value: Any) -> Heading | None:
        """Return what a heading cell says, the caller's own mapping first."""
        if self.mapping and not is_empty(value):
            said = self.mapping.get(words_of(shown(value)))
            if said:
                return said
        return heading(value)


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
    free = 0
    for row in _candidates(grid, wanted):
        if row < free:
            continue
        tables = list(_tables_at(grid, row, free, wanted))
        if tables:
            free = tables[0].bottom + 1
            found += tables
    return [replace(table, stop=_stop(table, found, len(grid))) for table in found]


def _candidates(grid: Grid, wanted: Wanted) -> list[int]:
    """Return the rows in which some cells read as headings of scores or players."""
    hits = np.zeros(len(grid), dtype=np.int64)
    for column in grid.columns:
        hits += column.where(lambda value: isinstance(value, str) and _about_scores(wanted.heading(value)))
    return [int(row) for row in np.flatnonzero(hits > 1)]


def _about_scores(said: Heading | None) -> bool:
    return said is not None and (said.role in SCORE_ROLES or said.role == "player")


def _stop(table: Found, tables: list[Found], end: int) -> int:
    """Return where the next table over the same columns begins."""
    for other in tables[bisect_right(tables, table.bottom, key=lambda one: one.top) :]:
        if other.first_column <= table.last_column and table.first_column <= other.last_column:
            return other.top - (0 if is_empty(other.caption) else 1)
    return end


def _tables_at(grid: Grid, row: int, free: int, wanted: Wanted) -> Iterator[Found]:
    """Yield the tables whose heading begins in ``row``: one, or several side by side."""
    for top, bottom, labels, headings in _readings(grid, row, free, wanted):
        parts = [part for part in _side_by_side(labels, headings) if _layout(_within(headings, part), wanted)]
        spans = parts if len(parts) > 1 else [sorted(labels)]
        whole = [_table(grid, (top, bottom), labels, _within(headings, span), span, wanted) for span in spans]
        tables = [table for table in whole if table is not None]
        if tables:
            yield from tables
            return


def _within(headings: Headings, columns: list[int]) -> Headings:
    return {column: said for column, said in headings.items() if column in columns}


def _readings(grid: Grid, row: int, free: int, wanted: Wanted) -> Iterator[tuple[int, int, dict[int, str], Headings]]:
    """Yield a heading of one row, then of two, as far as they say enough: its rows, labels and headings."""
    upper = grid.row(row)
    labels = {column: label(value) for column, value in upper.items()}
    single = {column: said for column, value in upper.items() if (said := wanted.heading(value))}
    whists_unclear = any(said.role == "whists" and said.plain for said in single.values())
    if _layout(single, wanted) and not whists_unclear:
        yield row, row, labels, single
        return
    if row + 1 < len(grid) and grid.lines[row + 1] == grid.lines[row] + 1:
        both, double = _two_rows(grid, row, wanted)
        if _layout(double, wanted) and len(_scores(double)) > len(_scores(single)):
            yield row, row + 1, both, double
            return
    if _layout(single, wanted):
        yield row, row, labels, single
    elif row > free and grid.lines[row - 1] == grid.lines[row] - 1:
        # the row of players' names above pulya, gora and whists says nothing by itself
        both, double = _two_rows(grid, row - 1, wanted)
        if _layout(double, wanted):
            yield row - 1, row, both, double


def _scores(headings: Headings) -> list[Heading]:
    return [
        said for said in headings.values() if said.role in SCORE_ROLES and not (said.role == "whists" and said.plain)
    ]


def _two_rows(grid: Grid, row: int, wanted: Wanted) -> tuple[dict[int, str], Headings]:
    """Return labels and headings of a heading of two rows, the upper one spanning several columns."""
    upper, lower = grid.row(row), grid.row(row + 1)
    spans = _spans(grid, row, upper, lower)
    below = {column: wanted.heading(value) for column, value in lower.items()}
    by_player = sum(1 for said in below.values() if said and said.role == "pulya" and said.plain) > 1
    labels: dict[int, str] = {}
    headings: Headings = {}
    for column in sorted({*upper, *lower}):
        above, under = label(spans.get(column)), label(lower.get(column))
        said = below.get(column)
        if under and above and (said is None or by_player or _is_bare(said)):
            joined = f"{under} {above}" if by_player else f"{above} {under}"
            said = _of_player(above, said) if by_player else wanted.heading(joined) or said
        elif not under:
            said = wanted.heading(upper.get(column))
        labels[column] = under if said and below.get(column) == said else f"{label(spans.get(column))} {under}".strip()
        if said:
            headings[column] = said
    return labels, headings


def _is_bare(said: Heading) -> bool:
    """Return whether a lower heading needs its upper one: ``1-2`` or ``на Аню`` under ``Висты``."""
    return said.loose or said.role in ("game", "whists")


def _of_player(above: str, said: Heading | None) -> Heading | None:
    """Return a heading under a player's name: ``Пуля`` under ``Аня``."""
    if said is None or said.role not in (*SCORE_ROLES, "player"):
        return said
    seated = heading(above)
    whose = seated.one if seated and seated.role == "player" and not seated.plain else above
    return replace(said, one=whose)


def _spans(grid: Grid, row: int, upper: dict[int, Any], lower: dict[int, Any]) -> dict[int, Any]:
    """Return for each column the upper heading that spans it."""
    line = int(grid.lines[row])
    spans = dict(upper)
    merged = {left: right for top, left, bottom, right in grid.merged if top <= line <= bottom}
    for column, value in sorted(upper.items()):
        end = merged.get(column)
        if end is None and not merged:
            # text files and unmerged headings: up to the next heading, as long as there is something below
            end = min((other for other in upper if other > column), default=max(lower, default=column) + 1) - 1
        for covered in range(column + 1, (end or column) + 1):
            if covered in lower:
                spans.setdefault(covered, value)
    return spans


def _side_by_side(labels: dict[int, str], headings: Headings) -> list[list[int]]:
    """Return the columns of a heading row in groups: parted by an empty column or a second player's column."""
    groups: list[list[int]] = []
    players = 0
    for column in sorted(labels):
        said = headings.get(column)
        is_player = said is not None and said.role == "player" and said.plain
        apart = not groups or column > groups[-1][-1] + 1
        if apart or (is_player and players):
            groups.append([])
            players = 0
        players += is_player
        groups[-1].append(column)
    return groups


def _layout(headings: Headings, wanted: Wanted) -> str | None:
    """Return the layout these headings make, ``None`` for no score sheet."""
    said = list(headings.values())
    seats: set[int | str] = {one.one for one in said if one.role in ("pulya", "gora") and isinstance(one.one, int)}
    players: set[int | str] = {one.one for one in said if one.role == "player" and isinstance(one.one, int)}
    if not seats | players:
        # the heading names the players
        seats = {one.one for one in said if one.role in ("pulya", "gora") and one.one != ""}
    pairs = [one for one in said if one.role == "whists" and one.one != "" and one.other != ""]
    plain = {one.role for one in said if one.plain}
    kinds = {one.role for one in said if one.role in ("pulya", "gora") and one.plain}
    kinds |= {"whists" for one in said if one.role == "whists" and one.one == "" and one.other != ""}
    wide = len(seats | players) > 1 and (len(seats) > 1 or bool(players)) and (bool(pairs) or len(seats) > 1)
    if wide and wanted.layout in (None, "wide") and not ("player" in plain and len(kinds) > 1):
        return "wide"
    if "player" in plain and len(kinds) > 1 and wanted.layout != "wide":
        by_id = "game" in plain or "date" in plain
        return wanted.layout or ("long" if by_id else "form")
    return None


def _table(
    grid: Grid, rows: tuple[int, int], labels: dict[int, str], headings: Headings, span: list[int], wanted: Wanted
) -> Found | None:
    layout = _layout(headings, wanted)
    if layout is None:
        return None
    here = {column: labels[column] for column in span if labels.get(column)}
    # a program that moves no names leaves the marks of an earlier run on columns of scores
    ours = own_columns(here) | {column for column in _marked_columns(grid, rows, span) if column not in headings}
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
        heading_lines=(int(grid.lines[rows[0]]), line),
        seats=seat_names(headings) if layout == "wide" else (),
        named_whists=named,
        turned=any(said.turned for said in headings.values() if said.role == "whists"),
        caption=_caption(grid, rows[0], span) if layout != "wide" else None,
        findings=tuple(findings),
    )


def _marked_columns(grid: Grid, rows: tuple[int, int], span: list[int]) -> set[int]:
    """Return the columns whose heading an earlier run placed."""
    line = int(grid.lines[rows[1]])
    areas = [(left, right) for top, left, bottom, right in grid.our_areas if top <= line <= bottom]
    return {column for column in span for left, right in areas if left <= column <= right}


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


def _caption(grid: Grid, row: int, span: list[int]) -> Any:
    """Return the cell just above a form's heading."""
    if row == 0 or grid.lines[row - 1] != grid.lines[row] - 1:
        return None
    above = [value for column, value in sorted(grid.row(row - 1).items()) if span[0] <= column <= span[-1]]
    # a row of a game just above, or of a table, is no caption
    return above[0] if 0 < len(above) <= 2 else None
