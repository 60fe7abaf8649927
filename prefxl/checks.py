"""What may be wrong with games: small checks of one signature, gathered in tuples.

A check looks at the draft of a table and yields findings, each with the position of
the game it is about. A game with an error is not settled; all others are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from prefxl.errors import PrefxlError
from prefxl.findings import FINDING_COLUMNS, Finding
from prefxl.games import UNIT, Games
from prefxl.names import key
from prefxl.rules.conventions import find_convention, find_rounding, find_target
from prefxl.rules.payments import find_stake
from prefxl.sheets.cells import Column
from prefxl.sheets.days import days_of, is_impossible
from prefxl.sheets.drafts import Draft
from prefxl.sheets.values import shown
from prefxl.tables import cell_name, column_of
from prefxl.transposed import transposed_whists

#: A game's position in the draft, and what was found.
Found: TypeAlias = tuple[int, Finding]
Check: TypeAlias = Callable[[Draft], Iterator[Found]]
SeasonCheck: TypeAlias = Callable[[Games], Iterator[Finding]]


def bad_cells(draft: Draft) -> Iterator[Found]:
    """Cells that hold no number, and numbers that belong to nobody."""
    for spot in draft.spots:
        details = {"game": draft.games.game[spot.position], "rows": draft.rows_of(spot.position), **spot.details}
        yield (
            spot.position,
            draft.body.finding(spot.reason, spot.row, spot.column, details.pop("found", None), **details),
        )


def whists_on_self(draft: Draft) -> Iterator[Found]:
    """Whists a player has written on themselves."""
    games = draft.games
    for seat in range(games.max_seats):
        for game in np.flatnonzero(games.whists[seat, seat]):
            found = games.whists[seat, seat, game] / UNIT
            place = ("whists", seat, seat)
            yield int(game), draft.finding("whists-on-self", int(game), place, found, player=games.players[seat, game])


def player_twice(draft: Draft) -> Iterator[Found]:
    """One name in two seats of a game."""
    names, codes = draft.games.who
    for seat in range(1, len(codes)):
        for earlier in range(seat):
            for game in np.flatnonzero((codes[seat] == codes[earlier]) & (codes[seat] >= 0)):
                name = names[codes[seat, game]]
                yield int(game), draft.finding("player-twice", int(game), ("player", seat), name)


def number_of_players(draft: Draft) -> Iterator[Found]:
    """Fewer than two players, or more than five."""
    games = draft.games
    for game in np.flatnonzero(games.seats < 2):
        yield int(game), draft.finding("one-player", int(game), ("player", 0), games.players[0, game])
    for game in np.flatnonzero(games.seats > 5):
        yield int(game), draft.finding("too-many-players", int(game), ("player", 5), int(games.seats[game]))


def negative_pulya(draft: Draft) -> Iterator[Found]:
    """A pulya below 0."""
    for seat, game in np.argwhere(draft.games.pulya < 0):
        value = draft.games.pulya[seat, game] / UNIT
        yield int(game), draft.finding("negative-pulya", int(game), ("pulya", int(seat)), value)


def settings(draft: Draft) -> Iterator[Found]:
    """Conventions, roundings, stakes, targets and corrected players that do not exist."""
    tests: dict[str, Callable[[Any], Any]] = {
        "convention": find_convention,
        "rounding": find_rounding,
        "stake": find_stake,
        "target": find_target,
    }
    for name, values in draft.games.settings.items():
        if name == "corrected":
            yield from _corrected(draft, values)
            continue
        wrong = {value: error for value in set(values) if value is not None and (error := _error(tests[name], value))}
        for game in np.flatnonzero([value in wrong for value in values]) if wrong else ():
            error = wrong[values[game]]
            details = {"message_en": error.en, "message_ru": error.ru}
            yield int(game), draft.finding("unknown-setting", int(game), (name,), values[game], **details)


def _error(test: Callable[[Any], Any], value: Any) -> PrefxlError | None:
    try:
        test(value)
    except PrefxlError as error:
        return error
    return None


def _corrected(draft: Draft, values: Any) -> Iterator[Found]:
    for game in np.flatnonzero([value is not None for value in values]):
        names = draft.games.names(int(game))
        seat = values[game].isdecimal() and 1 <= int(values[game]) <= len(names)
        if not seat and values[game] not in names:
            yield int(game), draft.finding("unknown-corrected", int(game), ("corrected",), values[game])


def short_lines(draft: Draft) -> Iterator[Found]:
    """Lines of a text file that end before the numbers of a player who is there."""
    body, games = draft.body, draft.games
    if body.grid.widths is None or not body.score_columns:
        return
    widths = dict(zip(body.lines.tolist(), body.grid.widths[body.rows].tolist(), strict=True))
    last = max(body.score_columns)
    full = int(body.grid.widths[body.found.bottom])
    short = {line: width for line, width in widths.items() if width < min(last, full)}
    if not short:
        return
    for game in np.flatnonzero(np.isin(games.rows, list(short)).any(axis=0)):
        for line in draft.rows_of(int(game)):
            if line in short and _needed(games, int(game), line) > short[line]:
                details = {"count": full, "rows": draft.rows_of(int(game)), "game": games.game[game]}
                cell = cell_name(line, 1)
                yield int(game), Finding("broken-line", body.grid.file, "", cell, str(short[line]), details)


def _needed(games: Games, game: int, line: int) -> int:
    """Return the last column in which a line must have a number."""
    seats = [seat for seat in range(int(games.seats[game])) if games.rows[seat, game] == line]
    places: list[tuple[str, int, int | None]] = [(name, seat, None) for name in ("pulya", "gora") for seat in seats]
    places += [("whists", seat, other) for seat in seats for other in range(int(games.seats[game])) if other != seat]
    return max((column_of(games.cell(game, *place)[2]) for place in places), default=0)


#: The checks of a draft, in the order their findings are told.
CHECKS: tuple[Check, ...] = (
    bad_cells,
    short_lines,
    whists_on_self,
    player_twice,
    number_of_players,
    negative_pulya,
    settings,
)


def empty_as_zero(draft: Draft) -> Iterator[Found]:
    """Empty cells of players who are there, told once a table."""
    games = draft.games
    seated = games.seated.T
    count, first = 0, None
    for name, given in draft.given.items():
        if given is None:
            continue
        empty = ~given & (seated if name != "whists" else _pairs(games))
        count += int(empty.sum())
        if first is None and empty.any():
            place = [int(part) for part in np.argwhere(empty)[0]]
            first = place[-1], (name, *place[:-1])
    if first is not None:
        finding = draft.finding("empty-as-zero", first[0], first[1], "", count=count)
        yield -1, finding


def _pairs(games: Games) -> Any:
    seated = games.seated.T
    apart = ~np.eye(games.max_seats, dtype=bool)
    return seated[:, None, :] & seated[None, :, :] & apart[:, :, None]


def no_scores(draft: Draft) -> Iterator[Found]:
    """Games with names and not one number."""
    if not len(draft.games) or any(given is None for given in draft.given.values()):
        return
    some = np.zeros(len(draft.games), dtype=bool)
    for name, given in draft.given.items():
        if given is not None:
            among = given & (draft.games.seated.T if name != "whists" else _pairs(draft.games))
            some |= among.reshape(-1, len(some)).any(axis=0)
    for game in np.flatnonzero(~some):
        yield int(game), draft.finding("no-scores", int(game), ("player", 0), draft.games.game[game])


def no_numbers(draft: Draft) -> Iterator[Found]:
    """Players without one number of their own in a game where as many others have some."""
    if draft.bare is None:
        return
    others = (draft.games.seated.T & ~draft.bare).sum(axis=0) >= draft.bare.sum(axis=0)
    for game, seat in np.argwhere((draft.bare & others).T).tolist():
        yield game, draft.finding("no-numbers", game, ("player", seat), draft.games.players[seat, game])


def unread_dates(draft: Draft) -> Iterator[Found]:
    """Dates that cannot be, each; and texts in the column of dates, told once a table."""
    body = draft.body
    column = body.role("date")
    if column is None:
        return
    distinct = days_of(Column(column.values, np.arange(len(column.values))), from_1904=body.grid.from_1904)
    if not any(isinstance(found, str) for found in distinct):
        return
    days = days_of(column, from_1904=body.grid.from_1904)
    texts = [row for row, found in enumerate(days) if isinstance(found, str)]
    impossible = [row for row in texts if is_impossible(days[row])]
    place = body.found.columns["date"]
    for row in impossible:
        # the rows of one game have one date
        if not row or days[row - 1] != days[row] or body.lines[row - 1] != body.lines[row] - 1:
            yield -1, body.finding("impossible-date", row, place)
    others = sorted({*texts} - {*impossible})
    if others:
        yield -1, body.finding("unread-date", others[0], place, count=len(others))


#: Looks at the good games of a table only.
REMARKS: tuple[Check, ...] = (empty_as_zero, no_scores, no_numbers, unread_dates)


def game_twice(games: Games) -> Iterator[Finding]:
    """One id on two games, unless their dates tell them apart."""
    if _all_different(games.game):
        return
    seen: dict[str, dict[Any, int]] = {}
    for position, game in enumerate(games.game):
        earlier = seen.setdefault(str(game), {})
        date = games.date[position]
        other = earlier.get(date, earlier.get(None)) if date is not None else next(iter(earlier.values()), None)
        if other is not None:
            first = "!".join(part for part in games.cell(other, "game") if part) or shown(game)
            file, sheet, cell = games.cell(position, "game")
            yield Finding("game-twice", file, sheet, cell, shown(game), {"first": first, "game": game})
        earlier.setdefault(date, position)


def _all_different(ids: Any) -> bool:
    """Return whether every id stands once, as in most seasons; found without a loop."""
    try:
        numbers = ids.astype(np.int64)
        # numbers that only rise are all different, and most ids are such
        if bool((np.diff(numbers) > 0).all()) and all(type(one) is int for one in ids[:100]):
            return True
    except (ValueError, TypeError, OverflowError):
        pass
    return len({str(one) for one in ids}) == len(ids)


def look_alike_names(games: Games) -> Iterator[Finding]:
    """Names that differ only by case, spaces, ё or look-alike letters; the rarer spelling is shown."""
    times = {name: count for name, count in zip(games.who.names, games.who.counts.tolist(), strict=True) if count}
    alike: dict[str, list[str]] = {}
    for name in times:
        alike.setdefault(key(name), []).append(name)
    for group in alike.values():
        if len(group) < 2:
            continue
        places = {name: _first_place(games, name) for name in group}
        main = min(group, key=lambda name: (-times[name], places[name]))
        first = _where(games, places[main])
        for name in sorted(group, key=lambda name: places[name]):
            if name != main:
                file, sheet, cell = games.cell(places[name][0], "player", places[name][1])
                yield Finding("look-alike-name", file, sheet, cell, name, {"other": main, "first": first})


def _first_place(games: Games, name: str) -> tuple[int, int]:
    """Return the position and the seat where a name stands first."""
    seats, positions = np.nonzero(games.players == name)
    return min(zip(positions.tolist(), seats.tolist(), strict=True))


def _where(games: Games, place: tuple[int, int]) -> str:
    return "!".join(part for part in games.cell(place[0], "player", place[1]) if part)


#: The checks of a whole season, over all its tables and files.
SEASON_CHECKS: tuple[SeasonCheck, ...] = (game_twice, look_alike_names, transposed_whists)


_WITHOUT_A_NAME = frozenset({"whists-on-nobody", "whists-on-self", "unclear-name", "one-player", "no-numbers"})

#: What is wrong with a game to what is only a consequence of it.
_CONSEQUENCES: Mapping[str, frozenset[str]] = {
    "player-twice": _WITHOUT_A_NAME,
    "no-player": _WITHOUT_A_NAME,
    "numbers-without-player": _WITHOUT_A_NAME,
    "one-player": frozenset({"whists-on-nobody"}),
    "unclear-name": frozenset({"whists-on-self", "whists-on-nobody"}),
}


def run(draft: Draft) -> tuple[Any, list[Finding]]:
    """Return which games of a draft are good, (G,), and everything found in it, causes without consequences."""
    found: list[Found] = []
    broken: set[int] = set()
    for check in CHECKS:
        for position, finding in check(draft):
            # on a line that fell apart everything else would be found as well
            if position not in broken:
                found.append((position, finding))
            if finding.reason == "broken-line":
                broken.add(position)
    good = np.ones(len(draft.games), dtype=bool)
    good[[position for position, _ in found]] = False
    kept = draft if good.all() else draft.take(good)
    more = [finding for remark in REMARKS for _, finding in remark(kept)]
    return good, [*draft.findings, *_causes(found), *more]


def _causes(found: list[Found]) -> Iterator[Finding]:
    reasons: dict[int, set[str]] = {}
    for position, finding in found:
        reasons.setdefault(position, set()).add(finding.reason)
    for position, finding in found:
        if not any(finding.reason in _CONSEQUENCES.get(reason, ()) for reason in reasons[position]):
            yield finding


def findings_frame(findings: Iterable[Finding], lang: str = "en") -> pd.DataFrame:
    """Return findings as a table, columns :data:`prefxl.findings.FINDING_COLUMNS`."""
    records = [finding.record(lang) for finding in findings]
    return pd.DataFrame(records, columns=list(FINDING_COLUMNS))
