"""One piece from its bytes to its settled rows, with what the season needs to know of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from prefxl.findings import Finding, Severity
from prefxl.remarks import parted
from prefxl.settled import Terms
from prefxl.sheets.cells import Column
from prefxl.sheets.days import days_of
from prefxl.sheets.values import identifier
from prefxl.stream.batches import Batch
from prefxl.stream.cells import Flags, Integers
from prefxl.stream.ids import IdPiece, day_number, id_numbers
from prefxl.stream.long import long_batch
from prefxl.stream.ordinary import Aside, empties_of, settle_aside
from prefxl.stream.pieces import NotStreamableError, Piece, TextPiece, parse
from prefxl.stream.plan import Plan
from prefxl.stream.settling import Group, in_order, rows_of, settle_batch
from prefxl.stream.sums import Sums, sums_of_aside, sums_of_group
from prefxl.stream.tally import FIELDS, Empties, Names, note_empty, note_name
from prefxl.stream.wide import wide_batch
from prefxl.tabular import DayFormat


@dataclass(frozen=True)
class Task:
    """What every piece is settled by.

    Attributes
    ----------
    plan
        The columns of the file.
    terms, options
        House rules, rounding and stake; the same as ``Games.settle`` takes them.
    days
        How dates are written.
    season
        Whether sums of the season are wanted.
    corrected
        Whose gora is corrected, a seat from 0 or a name.
    """

    plan: Plan
    terms: Terms
    options: Mapping[str, Any]
    days: DayFormat
    season: bool = False
    corrected: int | str | None = None


@dataclass
class Done:
    """A settled piece."""

    table: pa.Table | None
    games: int
    findings: tuple[Finding, ...]
    counts: Counter[str]
    ids: list[IdPiece] = field(default_factory=list)
    faulty: list[IdPiece] = field(default_factory=list)
    names: Names = field(default_factory=dict)
    empties: Empties = field(default_factory=dict)
    unread: tuple[Finding, ...] = ()
    sums: Sums | None = None


#: Reason to how many more findings of it are wanted.
Lacks: TypeAlias = Callable[[str], int]


def settle_piece(raw: Piece | TextPiece, task: Task, lacks: Lacks) -> Done:
    """Return a piece settled: plain games in bulk, all others the ordinary way."""
    piece = raw if isinstance(raw, Piece) else _parsed(raw, task.plan)
    batch = (wide_batch if task.plan.wide else long_batch)(piece, task.plan)
    groups, strange = settle_batch(batch, task.terms, task.corrected)
    aside = _aside(piece, batch, strange, task)
    noted, findings = _notes(piece, batch, groups, task, lacks)
    tables = [(rows_of(group, task.terms, task.days), _keys(group)) for group in groups]
    if aside is not None:
        if _is_numbered(aside, task.plan):
            raise NotStreamableError
        tables.append((aside.table, aside.lines))
        findings = (*aside.findings, *findings)
    done = Done(
        table=next(in_order(tables), None),
        games=sum(len(group.at) for group in groups) + (len(aside.settled) if aside else 0),
        findings=findings,
        counts=noted,
    )
    _look_round(done, batch, groups, strange, aside, task)
    return done


def _keys(group: Group) -> Integers:
    first: Integers = np.repeat(group.batch.lines[0][group.at], group.players)
    return first


def _parsed(raw: TextPiece, plan: Plan) -> Piece:
    """Return the rows of a piece of text; scores are numbers where all of them are plain."""
    names = [str(place) for place in range(len(plan.header))]
    words = {name: pa.string() for name in names}
    words |= {
        plan.places[role]: pa.dictionary(pa.int32(), pa.string())
        for role in plan.places
        if role == "date" or role.split("_")[0] == "player"
    }
    # Arrow would also read 0x1F as a number
    if not _holds_hex(raw.data):
        plain = words | {plan.places[role]: pa.int64() for role in plan.scores}
        try:
            return parse(raw, names, plain, plan.separator)
        except pa.ArrowInvalid:
            pass
    return parse(raw, names, words, plan.separator)


def _holds_hex(data: bytes) -> bool:
    """Return whether ``0x`` stands anywhere; single letters are found much faster, and mostly are not there."""
    return (b"x" in data and b"0x" in data) or (b"X" in data and b"0X" in data)


def _aside(piece: Piece, batch: Batch, strange: Flags, task: Task) -> Aside | None:
    """Settle the ordinary way what is not plain: strange games, and lines of another width."""
    lines, records = _rows(piece, batch, np.flatnonzero(strange), task.plan)
    lines += [line for line, _ in piece.strange]
    records += [record for _, record in piece.strange]
    if not lines:
        return None
    order = np.argsort(lines, kind="stable").tolist()
    taken = [lines[place] for place in order], [records[place] for place in order]
    return settle_aside(task.plan, *taken, dict(task.options), task.days)


def _is_numbered(aside: Aside, plan: Plan) -> bool:
    """Tell whether there is a game without an id: the number it gets depends on all games above it."""
    place = plan.found.columns["game"] - 1
    bare = {line for line, record in zip(*aside.rows, strict=True) if _has_no_id(record, place)}
    told = (finding.details for finding in aside.games.findings) if bare else ()
    faulty = {min(one["rows"]) for one in told if one.get("rows") and one.get("game") is not None}
    return bool(bare & (faulty | set(aside.games.rows[0].tolist() if len(aside.games) else ())))


def _has_no_id(record: Sequence[Any], place: int) -> bool:
    return place >= len(record) or identifier(record[place]) is None


def _rows(piece: Piece, batch: Batch, games: Integers, plan: Plan) -> tuple[list[int], list[list[Any]]]:
    """Return the lines and records of games."""
    if plan.wide:
        rows = games
    else:
        ends = np.cumsum(batch.seats)
        rows = np.concatenate([np.arange(ends[game] - batch.seats[game], ends[game]) for game in games] or [games])
    return piece.lines[rows].tolist(), piece.records(rows.tolist())


def _notes(
    piece: Piece, batch: Batch, groups: Sequence[Group], task: Task, lacks: Lacks
) -> tuple[Counter[str], tuple[Finding, ...]]:
    """Return how many remarks the settled games call for, and the first of them, made the ordinary way."""
    counts: Counter[str] = Counter()
    wanted: set[int] = set()
    for group in groups:
        for reason, test in REMARKS.items():
            games = group.at[test(group)]
            counts[reason] += len(games)
            wanted |= set(games[: lacks(reason)].tolist())
    if not wanted:
        return counts, ()
    lines, records = _rows(piece, batch, np.array(sorted(wanted)), task.plan)
    aside = settle_aside(task.plan, lines, records, dict(task.options), task.days)
    return counts, tuple(finding for finding in aside.findings if finding.reason in REMARKS)


def _unequal(group: Group) -> Flags:
    """(G,) games that ``rozaliev`` settles otherwise than ``leningrad``."""
    return parted(group.done)


def _uneven(group: Group) -> Flags:
    """(G,) games whose truncated results do not sum to 0."""
    if group.done.rounding != "truncate":
        return np.zeros(len(group.at), bool)
    uneven: Flags = group.done.amounts["result"][0].sum(axis=0) != 0
    return uneven


#: Remarks on settled games, and which games they are about.
REMARKS: Mapping[str, Callable[[Group], Flags]] = {"unequal-pulyas": _unequal, "truncation-residual": _uneven}


def _look_round(
    done: Done, batch: Batch, groups: Sequence[Group], strange: Flags, aside: Aside | None, task: Task
) -> None:
    """Note ids, names, empty cells and sums of a piece."""
    good = ~strange
    done.counts.update(Counter(f.reason for f in done.findings if f.reason not in REMARKS))
    aside_remarks = Counter(f.reason for f in aside.findings if f.reason in REMARKS) if aside else Counter()
    done.counts.update(aside_remarks)
    _note_ids(done, batch, good, aside, task.plan)
    _note_names(done, batch, good, task.plan)
    _note_empties(done, batch, good, task.plan)
    if aside is not None:
        _note_aside(done, aside, task.plan)
    if task.season:
        parts = [sums_of_group(group) for group in groups] + ([sums_of_aside(aside.settled)] if aside else [])
        done.sums = Sums.total(parts)


def _note_ids(done: Done, batch: Batch, good: Flags, aside: Aside | None, plan: Plan) -> None:
    """Note the ids of the games that could be read, in the order of their lines."""
    days = np.zeros(len(batch), np.int64)
    if batch.date is not None:
        codes, values = batch.date
        days = np.array([*(day_number(value) for value in values), 0], np.int64)[codes]
    ids, lines = id_numbers(batch.game), batch.lines[0]
    if aside is not None and not plan.wide:
        _note_faulty(done, aside, plan)
    if not good.all():
        ids, days, lines = ids[good], days[good], lines[good]
    if aside is not None and len(aside.games):
        games = aside.games
        ids = np.append(ids, id_numbers(pa.array([str(game) for game in games.game], pa.string())))
        days = np.append(days, [day_number(value) for value in games.date])
        lines = np.append(lines, games.rows[0])
        order = np.argsort(lines, kind="stable")
        ids, days, lines = ids[order], days[order], lines[order]
    if len(ids):
        done.ids.append(plan.id_piece(ids, days, lines))


def _note_faulty(done: Done, aside: Aside, plan: Plan) -> None:
    """Note the ids of games with faults: rows of theirs may stand in another piece."""
    found: dict[tuple[str, int], int] = {}
    records = dict(zip(*aside.rows, strict=True))
    for finding in aside.games.findings:
        game, rows = finding.details.get("game"), finding.details.get("rows")
        if finding.severity is Severity.ERROR and game is not None and rows:
            # the ordinary reader has brought together what is of one day in this piece
            found.setdefault((str(game), _day_of(records.get(min(rows), ()), plan)), min(rows))
    if found:
        ids = id_numbers(pa.array([game for game, _ in found], pa.string()))
        done.faulty.append(plan.id_piece(ids, [day for _, day in found], list(found.values())))


def _day_of(record: Sequence[Any], plan: Plan) -> int:
    place = plan.found.columns.get("date", 0) - 1
    if not 0 <= place < len(record):
        return 0
    return day_number(days_of(Column.of([record[place]]), from_1904=False)[0])


def _note_names(done: Done, batch: Batch, good: Flags, plan: Plan) -> None:
    names = batch.names
    counted = np.zeros(len(names) + 1, np.int64)
    found: dict[int, tuple[int, int]] = {}
    for seat in range(len(batch.codes)):
        codes = batch.codes[seat] if good.all() else np.where(good, batch.codes[seat], -1)
        counted += np.bincount(codes + 1, minlength=len(names) + 1)
        first = np.full(len(names) + 1, -1, np.int64)
        # the last one written stays: from the back that is the first
        first[codes[::-1]] = np.arange(len(codes))[::-1]
        column = int(plan.places.get(f"player_{seat + 1}" if plan.wide else "player", -1)) + 1
        for code, row in enumerate(first[:-1].tolist()):
            if row >= 0:
                place = int(batch.lines[seat][row]), column
                found[code] = min(found.get(code, place), place)
    for code, (line, column) in sorted(found.items(), key=lambda item: item[1]):
        note_name(done.names, names[code], int(counted[code + 1]), (plan.number, plan.file, line, column))


def _note_empties(done: Done, batch: Batch, good: Flags, plan: Plan) -> None:
    for role, empty in batch.empties.items():
        kind, *seats = role.split("_")
        on = [int(seat) - 1 for seat in seats]
        column = int(plan.places[role]) + 1
        for seat, flags in enumerate(empty if empty.ndim == 2 else [empty]):
            at = np.flatnonzero(flags & good)
            if len(at) and kind in FIELDS:
                place = (FIELDS.index(kind), *(on if plan.wide else (seat, *on)))
                line = batch.lines[0 if plan.wide else seat][at[0]]
                note_empty(done.empties, place, len(at), int(line), column)


def _note_aside(done: Done, aside: Aside, plan: Plan) -> None:
    done.unread = tuple(finding for finding in aside.games.findings if finding.reason == "unread-date")
    for place, (count, line, column) in empties_of(plan, *aside.rows, aside.games).items():
        note_empty(done.empties, place, count, line, column)
    games = aside.games
    for seat in range(games.max_seats):
        for position, name in enumerate(games.players[seat]):
            if name is not None:
                _, _, cell = games.cell(position, "player", seat)
                line = int(games.rows[seat, position])
                note_name(done.names, name, 1, (plan.number, plan.file, line, column_of(cell)))


def column_of(cell: str) -> int:
    """Return the number of a cell's column, counted from 1; 0 for no cell.

    >>> column_of("AB7")
    28
    """
    number = 0
    for char in cell:
        if char.isalpha():
            number = number * 26 + ord(char) - ord("A") + 1
    return number
