"""Which rows of a long table or a form make one game, and what the game is called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from prefxl.sheets.aliases import COUNTERS
from prefxl.sheets.body import Body
from prefxl.sheets.cells import absent
from prefxl.sheets.days import day, day_within, days_of
from prefxl.sheets.headers import words_of
from prefxl.sheets.values import identifier, is_empty

Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
Objects = npt.NDArray[np.object_]

#: More seats than this are no game of Preferans.
_MOST_SEATS = 5


@dataclass(frozen=True, eq=False)
class Groups:
    """G games among R rows.

    Attributes
    ----------
    of_row
        (R,) each row's game, from 0, games in the order of their first rows.
    game, date
        (G,) ids, ``None`` where there is none; dates.
    named_by
        (G,) positions, in the whole body, of rows that only named a game; -1 for none.
    blocks
        Whether every game is a block of its own, as in a form.
    """

    of_row: Integers
    game: Objects
    date: Objects
    named_by: Integers
    blocks: bool = False


def group_rows(body: Body) -> tuple[Groups, Integers]:
    """Return the games of a long table or form, and the positions of their rows in the body."""
    data = np.flatnonzero(body.is_data)
    broken = _breaks(body, data)
    if body.found.layout == "long" and "game" in body.found.columns and not _counts_players(body, data, broken):
        return _by_id(body, data, broken), data
    if "date" in body.found.columns:
        return _by_date(body, data, broken), data
    return _by_block(body, data, broken), data


def _breaks(body: Body, data: Integers) -> Flags:
    """(R,) where something else than a remark, or a blank row, stands between a row and the one before."""
    lines = body.lines[data]
    notes = np.diff(np.cumsum(body.is_note)[data]) if body.is_note.any() else 0
    return np.concatenate([[True], np.diff(lines) != 1 + notes])[: len(data)]


def _codes(values: Objects) -> Integers:
    """(R,) equal numbers for equal values, -1 for ``None``."""
    return pd.factorize(values)[0]


def _filled_down(codes: Integers, stops: Flags) -> Integers:
    """Return codes with each -1 taken from the row above, not across ``stops``."""
    fresh = (codes >= 0) | stops
    source = np.maximum.accumulate(np.where(fresh, np.arange(len(codes)), 0))
    return codes[source]


def _ids(body: Body, role: str) -> Objects:
    column = body.role(role)
    if column is None:
        return np.full(len(body), None)
    if role == "game":
        return column.identifiers()
    return days_of(column, from_1904=body.grid.from_1904)


def _by_id(body: Body, data: Integers, broken: Flags) -> Groups:
    """Group by the game's id, and by the date where one id has several."""
    ids, days = _ids(body, "game"), _ids(body, "date")
    named_by, heads = _name_rows(body, data, ids)
    own = ids[data]
    first_of_name = named_by >= 0
    own = np.where(first_of_name & absent(own), heads, own)
    codes = _filled_down(_codes(own), broken & ~first_of_name)
    dates = _codes(days[data])
    starts = np.concatenate([[True], codes[1:] != codes[:-1]])[: len(data)]
    starts |= (codes < 0) & broken
    carried = _filled_down(dates, starts)
    starts |= np.concatenate([[False], (carried[1:] != carried[:-1]) & (carried[:-1] >= 0)])[: len(data)]
    runs = np.cumsum(starts) - 1
    first = np.flatnonzero(starts)
    run_codes = codes[first]
    game = np.array([None] * len(first), dtype=object)
    source = np.maximum.accumulate(np.where(~absent(own), np.arange(len(own)), 0))
    game[run_codes >= 0] = own[source[first]][run_codes >= 0]
    date = _first_dates(days[data], runs, len(first))
    return _merged(body, data, Groups(runs, game, date, named_by[first]), run_codes)


def _first_dates(days: Objects, runs: Integers, count: int) -> Objects:
    """(G,) the first date of each run."""
    found = np.full(count, None)
    filled = np.flatnonzero(~absent(days))
    found[runs[filled][::-1]] = days[filled][::-1]
    return found


def _name_rows(body: Body, data: Integers, ids: Objects) -> tuple[Integers, Objects]:
    """Return, for each data row, the row just above that only names its game (-1), and that name."""
    named_by = np.full(len(data), -1, np.int64)
    heads = np.full(len(data), None)
    only = np.flatnonzero(body.is_empty_game)
    after = np.searchsorted(data, only)
    for row, place in zip(only.tolist(), after.tolist(), strict=True):
        if place < len(data) and data[place] == row + 1 and ids[data[place]] is None:
            named_by[place], heads[place] = row, ids[row]
    return named_by, heads


def _merged(body: Body, data: Integers, groups: Groups, codes: Integers) -> Groups:
    """Return the groups with those of one id and date joined, unless a player stands in both."""
    count = len(groups.game)
    if len(set(codes[codes >= 0].tolist())) == int((codes >= 0).sum()):
        return groups
    players = _players(body, data)
    members: list[set[Any]] = [set() for _ in range(count)]
    for run, name in zip(groups.of_row.tolist(), players, strict=True):
        members[run].add(name)
    target = np.arange(count)
    seen: dict[tuple[int, Any], int] = {}
    for run in range(count):
        known = seen.setdefault((int(codes[run]), groups.date[run]), run) if codes[run] >= 0 else run
        if known != run and not members[known] & members[run]:
            target[run] = known
            members[known] |= members[run]
    kept, renumbered = np.unique(target, return_inverse=True)
    return Groups(renumbered[groups.of_row], groups.game[kept], groups.date[kept], groups.named_by[kept])


def _players(body: Body, data: Integers) -> Objects:
    column = body.role("player")
    return column.take(data).mapped(body.name_of) if column is not None else np.full(len(data), None)


def _by_date(body: Body, data: Integers, broken: Flags) -> Groups:
    """Group by the date, and by blank rows: there is no id."""
    days = _ids(body, "date")[data]
    codes = _filled_down(_codes(days), broken)
    starts = np.concatenate([[True], codes[1:] != codes[:-1]])[: len(data)] | broken
    runs = np.cumsum(starts) - 1
    count = int(starts.sum())
    return Groups(runs, np.full(count, None), _first_dates(days, runs, count), np.full(count, -1, np.int64))


def _by_block(body: Body, data: Integers, broken: Flags) -> Groups:
    """Group by blank rows, totals, remarks: each block is a game, named by the line just above it."""
    starts = broken | _restarts(body, data) | _full(body, data, broken)
    first = np.flatnonzero(starts)
    game, date = np.full(len(first), None), np.full(len(first), None)
    named_by = np.full(len(first), -1, np.int64)
    for block, place in enumerate(first.tolist()):
        row = int(data[place])
        above = row - 1
        if place == 0 and not is_empty(body.found.caption) and body.lines[row] - _heading_line(body) >= 1:
            game[block], date[block] = _named(body.found.caption, body)
        elif above >= 0 and _names_below(body, above) and body.lines[above] == body.lines[row] - 1:
            column = body.first_filled(above)
            game[block], date[block] = _named(body.column(column)[above], body)
            named_by[block] = above
    return Groups(np.cumsum(starts) - 1, game, date, named_by, blocks=True)


def _names_below(body: Body, row: int) -> bool:
    """Return whether a row of text names the block below it, and is no remark on the block above."""
    return bool(body.is_remark[row] and (body.is_caption[row] or not body.is_note[row]))


def _heading_line(body: Body) -> int:
    return body.found.heading_lines[1]


def _named(caption: Any, body: Body) -> tuple[Any, Any]:
    """Return the id a caption gives, and its date where it is one or names one."""
    when = day(caption, from_1904=body.grid.from_1904) if not isinstance(caption, (int, float)) else None
    return identifier(caption), day_within(when) if isinstance(when, str) else when


def _full(body: Body, data: Integers, broken: Flags) -> Flags:
    """(R,) where a remark parts two games after all: a player comes again, or a game has its players."""
    starts = np.zeros(len(data), dtype=bool)
    if not body.is_note.any():
        return starts
    players = _players(body, data)
    there: set[Any] = set()
    after = np.concatenate([[False], np.diff(data) != 1])[: len(data)]
    for row in range(len(data)):
        if broken[row] or (after[row] and (players[row] in there or len(there) >= _MOST_SEATS)):
            starts[row] = not broken[row]
            there = set()
        there.add(players[row])
    return starts


def _restarts(body: Body, data: Integers) -> Flags:
    """(R,) where a column that numbers the players begins again with 1."""
    column = body.role("game")
    if column is None:
        return np.zeros(len(data), dtype=bool)
    return np.equal(_ids(body, "game")[data], 1).astype(bool)


def _counts_players(body: Body, data: Integers, broken: Flags) -> bool:
    """Return whether the column of ids only numbers the players: 1, 2, 3 in every block, all of them different."""
    label = words_of(body.found.labels[body.found.columns["game"]])
    ids = _ids(body, "game")[data]
    if label not in COUNTERS or len(data) < 2 or len(data) > 10_000:
        return False
    blocks = np.cumsum(broken | np.equal(ids, 1).astype(bool)) - 1
    players = _players(body, data)
    for block in range(int(blocks[-1]) + 1):
        rows = np.flatnonzero(blocks == block)
        counted = list(ids[rows]) == list(range(1, len(rows) + 1))
        if not counted or not 2 <= len(rows) <= 5 or len(set(players[rows])) != len(rows):
            return False
    return True
