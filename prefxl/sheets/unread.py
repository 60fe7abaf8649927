"""Columns a heading does not explain: whists under players' bare names, and numbers nobody has read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from prefxl.findings import Finding
from prefxl.matching import match_names
from prefxl.sheets.aliases import COUNTERS, NOT_NAMES
from prefxl.sheets.body import Body
from prefxl.sheets.grid import Grid
from prefxl.sheets.headers import Heading, heading, is_total, seat_called, words_of
from prefxl.sheets.layouts import Found, whist_roles
from prefxl.tables import cell_name

#: The fields of a settlement, in English and Russian.
_FIELDS = {"pulya": ("pulya", "пуля"), "gora": ("gora", "гора"), "whists": ("whists", "висты")}


def with_bare_whists(body: Body) -> Body:
    """Return the rows with the columns headed by nothing but the players' names read as whists on them.

    Only where the table has no other whists: in a form each player of the block has such a
    column, and in the long layout every player of the table. Numbers from 1 on are seats.
    """
    found = body.found
    if found.layout == "wide" or found.has_whists:
        return body
    columns = {column: found.own[column] for column in _may_be_numbers(body)}
    players = _players(body)
    roles = _by_seat(columns, len(players)) if found.layout == "form" else {}
    named = {} if roles else _by_name(columns, players)
    if not roles and not named:
        return body
    own = {column: text for column, text in found.own.items() if column not in {*roles.values(), *named}}
    read = replace(found, columns={**found.columns, **roles}, own=own, named_whists=named)
    return Body(body.grid, read, body.rows, body.names, body.elsewhere)


def with_players_called_like_seats(body: Body) -> Body:
    """Return the rows with ``Висты на Игрок 1`` read by name where players are called so: the seat may be another."""
    found = body.found
    whists = [found.columns[role] for role in whist_roles(found.columns)]
    named = {column: text for column in whists if (text := seat_called(found.labels.get(column, "")))}
    if found.layout == "wide" or not named:
        return body
    players = {_close(name): name for name in _players(body)}
    told = {**found.named_whists, **named}
    called = [_close(text) in players for column, text in told.items() if _has_scores(body, column)]
    # one guest called like a seat makes no names of the others, nor does one name that is missing make seats of them
    if 2 * sum(called) <= len(called):
        return body
    columns = {role: column for role, column in found.columns.items() if column not in named}
    meant = {column: players.get(_close(text), text) for column, text in named.items()}
    read = replace(found, columns=columns, named_whists={**found.named_whists, **meant})
    return Body(body.grid, read, body.rows, body.names, body.elsewhere)


def _has_scores(body: Body, column: int) -> bool:
    return bool((body.is_data & (body.column(column).scores.halves != 0)).any())


def _close(name: str) -> str:
    """Return a name folded, its spaces left out and «игрока» as «игрок»."""
    return words_of(name).replace(" ", "").replace("игрока", "игрок").replace("участника", "участник")


def _players(body: Body) -> list[str]:
    """Return the names beside a pulya or a gora."""
    column = body.role("player")
    if column is None:
        return []
    scored = np.zeros(len(body), dtype=bool)
    for role in ("pulya", "gora"):
        cells = body.role(role)
        if cells is not None:
            scored |= ~cells.scores.empty & ~_faulty(len(body), cells.scores.faults)
    names = [body.name_of(column[row]) for row in np.flatnonzero(scored & ~body.is_total).tolist()]
    return list(dict.fromkeys(name for name in names if name is not None))


def _faulty(rows: int, faults: Iterable[int]) -> npt.NDArray[np.bool_]:
    flags = np.zeros(rows, dtype=bool)
    flags[list(faults)] = True
    return flags


def _by_seat(columns: Mapping[int, str], players: int) -> dict[str, int]:
    """Return whists by seat where the columns are headed 1, 2, 3 for that many players."""
    seats = {words_of(text): column for column, text in columns.items()}
    wanted = [str(seat) for seat in range(1, players + 1)]
    return {f"whists_{seat}": seats[seat] for seat in wanted} if players > 1 and set(wanted) <= set(seats) else {}


def _by_name(columns: Mapping[int, str], players: list[str]) -> dict[int, str]:
    """Return the columns headed by the players' names, if every player has one of their own."""
    meant = match_names(columns, players)
    sure = {column: one.names[0] for column, one in meant.items() if one.sure and one.clear and len(one.names) == 1}
    if len(players) < 2 or sorted(sure.values()) != sorted(players):
        return {}
    return {column: columns[column] for column in sure}


def _may_be_numbers(body: Body) -> list[int]:
    """Return the user's own columns of numbers, or still empty, save those whose heading says what they are."""
    games = body.is_data
    found = []
    for column, text in sorted(body.found.own.items()):
        scores = body.column(column).scores
        filled = games & ~scores.empty
        faults = int((filled & _faulty(len(body), scores.faults)).sum())
        if 2 * faults <= int(filled.sum()) and not _says_other(text):
            found.append(column)
    return found


#: First words of headings of numbers that are no scores.
_COUNTS = (
    "раздач раздачи раздача сдач deals hands игр игры партий партии сыграно games played побед wins рейтинг rating "
    "среднее средний average avg"
)
_OTHER = frozenset({*NOT_NAMES, *_COUNTS.split()})


def _says_other(text: str) -> bool:
    words = words_of(text)
    return words in COUNTERS or words.split(" ")[0] in _OTHER or is_total(text) or _is_setting(text)


def _is_setting(text: str) -> bool:
    said = heading(text)
    return said is not None and said.role not in (*_FIELDS, "player")


def unread_columns(body: Body) -> Finding | None:
    """Return the finding on numbers that stand unread while a score would count as 0 for everybody.

    Also on whists of a wide sheet between two names of which one is no player of the heading.
    Nothing of such a table is settled: wrong numbers are worse than none.
    """
    found = body.found
    have = {role.split("_")[0] for role in found.columns} | ({"whists"} if found.named_whists else set())
    missing = [field for field in _FIELDS if field not in have]
    if not len(body) or not (missing or found.seats):
        return None
    # a column of noughts and blanks changes nothing
    columns = [column for column in _may_be_numbers(body) if body.column(column).scores.halves[body.is_data].any()]
    if not missing:
        columns = [column for column in columns if _is_of_somebody(found, column)]
        missing = ["whists"]
    if not columns:
        return None
    english, russian = (", ".join(_FIELDS[field][lang] for field in missing) for lang in (0, 1))
    texts = ", ".join(found.own[column] for column in columns)
    details = {"role_en": english, "role_ru": russian, "rows": tuple(body.lines.tolist())}
    cell = cell_name(found.heading_lines[1], columns[0])
    return Finding("unread-columns", body.grid.file, body.grid.sheet, cell, texts, details)


def contradicting_columns(body: Body) -> Finding | None:
    """Return the finding on two columns with the same heading of scores and other numbers.

    One of the two would be dropped, and nobody can know which: nothing of such a table is settled.
    """
    found = body.found
    roles = {column: role for role, column in found.columns.items()} | dict.fromkeys(found.named_whists, "whists")
    for column, first in found.twice.items():
        if roles.get(first, "").split("_")[0] not in _FIELDS:
            continue
        read, left = body.column(first).scores, body.column(column).scores
        differs = body.is_data & ~left.empty & ((left.halves != read.halves) | _faulty(len(body), left.faults))
        if differs.any():
            row = int(differs.argmax())
            cell = cell_name(int(body.lines[row]), column)
            details = {"first": cell_name(int(body.lines[row]), first), "rows": tuple(body.lines.tolist())}
            text = found.labels.get(column, "")
            return Finding("contradicting-columns", body.grid.file, body.grid.sheet, cell, text, details)
    return None


def _is_of_somebody(found: Found, column: int) -> bool:
    said = heading(found.own[column])
    return said is not None and said.role == "whists" and not said.plain


def whists_on_whom(body: Body) -> Finding | None:
    """Return the finding on whists in one column that does not say on whom: no such game can be settled."""
    found, grid = body.found, body.grid
    said = {column: heading(text) for column, text in found.own.items()}
    column = next((column for column, one in said.items() if one == Heading("whists")), None)
    if column is None or found.has_whists:
        column = next((column for column, one in said.items() if one and _is_unread(body, column, one)), None)
    if column is None:
        return None
    cell, rows = cell_name(found.heading_lines[1], column), tuple(body.lines.tolist())
    return Finding("whists-on-whom", grid.file, grid.sheet, cell, found.own[column], {"rows": rows})


def _is_unread(body: Body, column: int, said: Heading) -> bool:
    """Return whether a column of a wide table holds whists between players its heading does not tell apart."""
    named = body.found.seats and said.role == "whists" and said.one != "" and said.other != ""
    return bool(named) and bool(body.column(column).scores.halves.any())


def nobody_named(body: Body) -> Finding | None:
    """Return the finding on a wide table without a column of names: no such game can be settled."""
    found, grid = body.found, body.grid
    if found.layout != "wide" or found.seats or body.is_role("player"):
        return None
    column = min(found.own, default=found.first_column)
    cell, rows = cell_name(found.heading_lines[1], column), tuple(body.lines.tolist())
    unknown = ", ".join(found.own.values()) or "—"
    return Finding("no-names", grid.file, grid.sheet, cell, unknown, {"rows": rows})


def missing_columns(grid: Grid, found: Found) -> Iterator[Finding]:
    """Yield a warning where a table has no pulya, no gora or no whists at all."""
    names = {"pulya": ("pulya", "пуля"), "gora": ("gora", "гора"), "whists": ("whists", "висты")}
    have = {role.split("_")[0] for role in found.columns} | ({"whists"} if found.named_whists else set())
    cell = cell_name(found.heading_lines[1], found.first_column)
    for role, (english, russian) in names.items():
        if role not in have:
            details = {"role_en": english, "role_ru": russian}
            yield Finding("missing-column", grid.file, grid.sheet, cell, "", details)
