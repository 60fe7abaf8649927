"""The ordinary way for the few rows of a piece that are not plain: read, check, settle, with their findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from prefxl.findings import Finding
from prefxl.games import Games
from prefxl.settled import STEP_COLUMNS, Settled
from prefxl.sheets.cells import Column
from prefxl.stream.cells import Integers
from prefxl.stream.plan import Plan
from prefxl.stream.settling import own_name
from prefxl.stream.tally import FIELDS, Empties, Key, note_empty
from prefxl.tabular import DayFormat, arrow_column, arrow_table

#: Findings that are about the whole file: the stream makes them itself.
WHOLE_FILE = frozenset(
    {
        "no-games",
        "none-good",
        "nobody-corrected",
        "unread-date",
        "empty-as-zero",
        "matched-heading",
        "column-twice",
        "own-results",
        "missing-column",
    }
)


@dataclass(frozen=True, eq=False)
class Aside:
    """Rows read and settled the ordinary way.

    Attributes
    ----------
    games
        Their games as they were read.
    settled
        Those of them that could be settled.
    table
        Their ``steps`` as an Arrow table.
    lines
        (rows,) the first line in the file of the game each row of ``table`` belongs to.
    findings
        What was found.
    rows
        Lines and records as they were given.
    """

    games: Games
    settled: Settled
    table: pa.Table
    lines: Integers
    findings: tuple[Finding, ...]
    rows: tuple[Sequence[int], Sequence[Sequence[Any]]]


def settle_aside(
    plan: Plan, lines: Sequence[int], records: Sequence[Sequence[Any]], options: dict[str, Any], days: DayFormat
) -> Aside:
    """Read and settle rows the ordinary way.

    Parameters
    ----------
    plan
        What the columns are.
    lines, records
        The rows: where they stand, and their cells.
    options
        As for ``Games.settle``.
    days
        How dates are written.
    """
    games = plan.read(lines, records)
    settled = games.settle(**options)
    findings = tuple(finding for finding in settled.findings if finding.reason not in WHOLE_FILE)
    first = settled.games.rows[0] if len(settled) else np.zeros(0, np.int64)
    return Aside(
        games=games,
        settled=settled,
        table=as_table(settled, plan, days),
        lines=np.repeat(first, settled.games.seats),
        findings=findings,
        rows=(lines, records),
    )


def as_table(settled: Settled, plan: Plan, days: DayFormat) -> pa.Table:
    """Return the steps of a settled season as an Arrow table with all of the user's own columns."""
    steps = settled.steps
    ours = arrow_table(steps[list(STEP_COLUMNS)], days)
    columns: dict[str, Any] = {name: ours.column(name) for name in STEP_COLUMNS}
    for name in plan.own.values():
        shown = own_name(name)
        # a column that is empty in these rows is none of theirs, but may be one of the file's
        columns[shown] = arrow_column(steps[shown]) if shown in steps else pa.nulls(len(steps), pa.string())
    return pa.table(columns)


def empties_of(plan: Plan, lines: Sequence[int], records: Sequence[Sequence[Any]], games: Games) -> Empties:
    """Return the empty cells of players who are there, in games that are good."""
    empties: Empties = {}
    if not len(games):
        return empties
    at = {line: row for row, line in enumerate(lines)}
    for role in plan.scores:
        place = int(plan.places[role])
        empty = Column.of([record[place] if place < len(record) else "" for record in records]).scores.empty
        for key, line in _asked(role, games, plan):
            if empty[at[line]]:
                note_empty(empties, key, 1, line, int(plan.places[role]) + 1)
    return empties


def _asked(role: str, games: Games, plan: Plan) -> Iterator[tuple[Key, int]]:
    """Yield place and line of every cell of a column that belongs to somebody who is there."""
    kind, *places = role.split("_")
    seats = [int(place) - 1 for place in places]
    if kind == "seat" or (plan.wide and len(set(seats)) < len(seats)):
        return
    for game in range(len(games)):
        count = int(games.seats[game])
        if plan.wide:
            there = set(games.places[:count, game].tolist()) if games.places.size else set(range(count))
            if set(seats) <= there:
                yield (FIELDS.index(kind), *seats), int(games.rows[0, game])
        elif all(seat < count for seat in seats):
            for writer in range(count):
                if writer not in seats:
                    yield (FIELDS.index(kind), writer, *seats), int(games.rows[writer, game])
