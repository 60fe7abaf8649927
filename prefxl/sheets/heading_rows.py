"""Heading rows: one row, or two or three with the upper ones spanning several columns of the lower."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from prefxl.sheets.grid import Grid
from prefxl.sheets.headers import SCORE_ROLES, Heading, heading, label, words_of
from prefxl.sheets.values import is_empty, score, shown

Headings = dict[int, Heading]

_SEATS = frozenset("12345")
#: A text of more words is a title, no part of a heading of three rows.
_MOST_WORDS = 3
_ON = re.compile(r"^\s*(?:(?:на|on|na|to)\s+|→\s*|->\s*)", re.IGNORECASE)


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


class Reading(NamedTuple):
    """One way to read a heading: its first and last row, labels and headings by column."""

    top: int
    bottom: int
    labels: dict[int, str]
    headings: Headings


def readings(grid: Grid, row: int, free: int, wanted: Wanted) -> Iterator[Reading]:
    """Yield the heading that goes through ``row``, the surest way to read it first.

    Parameters
    ----------
    grid, row
        The grid, and a row in which some cells read as headings.
    free
        The first row no other heading has taken.
    wanted
        What the caller says about the file.
    """
    found = list(_readings(grid, row, free, wanted))
    tall = _tall(grid, row, free, wanted)
    yield from [tall] if tall and all(_says_more(tall, one) for one in found[:1]) else found


def _readings(grid: Grid, row: int, free: int, wanted: Wanted) -> Iterator[Reading]:
    """Yield the heading of one or two rows that goes through ``row``."""
    single = _one_row(grid, row, wanted)
    said = layout_of(single, wanted)
    if _has_row(grid, row - 1, row, free) and _is_group(grid, row - 1, row, wanted):
        # «Висты» above the names, every other heading in the row below it
        grouped = _two_rows(grid, row - 1, wanted)
        if layout_of(grouped, wanted) and len(_scores(grouped)) > len(_scores(single)):
            yield grouped
            return
    if said and not any(one.role == "whists" and one.plain for one in single.headings.values()):
        yield single
        return
    if _has_row(grid, row, row + 1, free):
        double, under = _two_rows(grid, row, wanted), _one_row(grid, row + 1, wanted)
        # a caption says nothing: its heading is the row below
        alone = layout_of(under, wanted) in ("form", "long") and len(_scores(under)) >= len(_scores(double))
        said_more = len(_scores(double)) > len(_scores(single))
        if layout_of(double, wanted) and said_more and not (alone and layout_of(double, wanted) != "wide"):
            yield double
            return
    if said:
        yield single
    elif _has_row(grid, row - 1, row, free):
        # the row of players' names above pulya, gora and whists says nothing by itself
        double = _two_rows(grid, row - 1, wanted)
        if layout_of(double, wanted):
            yield double


def _tall(grid: Grid, row: int, free: int, wanted: Wanted) -> Reading | None:
    """Return the heading of three rows that goes through ``row``, the one that says most."""
    tops = [top for top in (row - 2, row - 1, row) if _is_worded(grid, top, free)]
    tall = [one for top in tops if _is_one_table(one := _three_rows(grid, top, wanted), wanted)]
    # a caption above a heading of two rows says nothing
    needed = [one for one in tall if all(_says_more(one, _two_rows(grid, one.top + part, wanted)) for part in (0, 1))]
    return max(needed, key=_telling, default=None)


def _is_one_table(reading: Reading, wanted: Wanted) -> bool:
    players = sum(one.role == "player" and one.plain for one in reading.headings.values())
    return players < 2 and layout_of(reading, wanted) is not None


def _is_worded(grid: Grid, top: int, free: int) -> bool:
    """Return whether three free rows below each other hold words, and no numbers but those of seats."""
    if not (_has_row(grid, top, top + 1, free) and _has_row(grid, top + 1, top + 2, free)):
        return False
    rows = [list(grid.row(row).values()) for row in range(top, top + 3)]
    others = [value for row in rows for value in row if not isinstance(value, str) or score(value)[0] is not None]
    sentences = any(isinstance(value, str) and len(value.split()) > _MOST_WORDS for row in rows for value in row)
    return all(rows) and not sentences and all(shown(value) in _SEATS for value in others)


def _says_more(tall: Reading, other: Reading) -> bool:
    """Return whether a heading tells more columns apart than another, and nothing of that one is lost."""
    kept = {one for one in tall.headings.values() if one.plain}
    if any(one.plain and one.role not in SCORE_ROLES and one not in kept for one in other.headings.values()):
        return False
    return _telling(tall) > _telling(other)


def _telling(reading: Reading) -> tuple[int, int, int]:
    """Return how many columns of scores a heading tells apart, how many players it names, how many columns it knows."""
    scores = set(_scores(reading))
    named = sum((one.one != "") + (one.other != "") for one in scores)
    return len(scores), named, len(reading.headings)


def _three_rows(grid: Grid, top: int, wanted: Wanted) -> Reading:
    """Return labels and headings of three rows: the lower two together, under the upper one."""
    upper, middle, lowest = (grid.row(row) for row in (top, top + 1, top + 2))
    below = _two_rows(grid, top + 1, wanted)
    lower = {column: text for column, text in below.labels.items() if text}
    spans = _spans(grid, top, upper, lower)
    labels, headings = _joined(spans, (upper, lower), {column: below.headings.get(column) for column in lower}, wanted)
    writers = _spans(grid, top + 1, middle, lowest)
    for column in sorted({*lowest} & {*writers}):
        # «Висты» over those who wrote them, over those they are on
        group = wanted.heading(spans.get(column))
        pair = f"{label(writers[column])} → {_ON.sub('', label(lowest[column]), count=1)}"
        said = wanted.heading(f"{label(spans.get(column))} {pair}") if group and group.role == "whists" else None
        if group and group.plain and said and "" not in (said.one, said.other):
            labels[column], headings[column] = pair, said
    return Reading(top, top + 2, labels, headings)


def is_about_scores(said: Heading | None) -> bool:
    """Return whether a heading is one of scores or players."""
    return said is not None and (said.role in SCORE_ROLES or said.role == "player")


def _has_row(grid: Grid, upper: int, lower: int, free: int) -> bool:
    """Return whether two rows are there, stand just below each other, and belong to no other heading."""
    return free <= upper and lower < len(grid) and bool(grid.lines[lower] == grid.lines[upper] + 1)


def _is_group(grid: Grid, upper: int, lower: int, wanted: Wanted) -> bool:
    """Return whether a cell of the upper row gathers the whists below it, which say little by themselves."""
    below = grid.row(lower)
    for column, value in grid.row(upper).items():
        said, under = wanted.heading(value), wanted.heading(below.get(column))
        if said and said.role == "whists" and said.plain and column in below and (under is None or _is_bare(under)):
            return True
    return False


def _one_row(grid: Grid, row: int, wanted: Wanted) -> Reading:
    cells = grid.row(row)
    labels = {column: label(value) for column, value in cells.items()}
    said = {column: one for column, value in cells.items() if (one := wanted.heading(value))}
    return Reading(row, row, labels, {} if _is_drawn(cells, said, wanted) else said)


def _two_rows(grid: Grid, row: int, wanted: Wanted) -> Reading:
    """Return labels and headings of a heading of two rows, the upper one spanning several columns."""
    upper, lower = grid.row(row), grid.row(row + 1)
    spans = _spans(grid, row, upper, lower)
    below = {column: wanted.heading(value) for column, value in lower.items()}
    labels, headings = _joined(spans, (upper, lower), below, wanted)
    drawn = _is_drawn(upper, headings, wanted) or _is_drawn(lower, headings, wanted, seats=True)
    return Reading(row, row + 1, labels, {} if drawn else headings)


def _joined(
    spans: dict[int, Any],
    rows: tuple[dict[int, Any], dict[int, Any]],
    below: Mapping[int, Heading | None],
    wanted: Wanted,
) -> tuple[dict[int, str], Headings]:
    """Return labels and headings of an upper row that ``spans`` columns of a lower one, which says ``below``."""
    upper, lower = rows
    by_player = _is_by_player(spans, below, wanted)
    labels: dict[int, str] = {}
    headings: Headings = {}
    for column in sorted({*upper, *lower}):
        above, under = label(spans.get(column)), label(lower.get(column))
        said = below.get(column)
        if under and above and (by_player or said is None or _is_bare(said)):
            said = _of_player(above, said) if by_player else wanted.heading(f"{above} {under}") or said
        elif under and above and said:
            said = _of_seat(wanted.heading(above), said)
        elif not under:
            said = wanted.heading(upper.get(column))
        alone = below.get(column) == said if said else under and _gathers(wanted.heading(above))
        labels[column] = under if alone else f"{above} {under}".strip()
        if said:
            headings[column] = said
    return labels, headings


def _is_drawn(cells: dict[int, Any], headings: Headings, wanted: Wanted, *, seats: bool = False) -> bool:
    """Return whether a row that looks like a wide heading holds numbers among them, as a drawn sheet does."""
    scores = [column for column, said in headings.items() if said.role in (*SCORE_ROLES, "player")]
    if not scores or layout_of(Reading(0, 0, {}, headings), wanted) != "wide":
        return False
    among = [value for column, value in cells.items() if min(scores) <= column <= max(scores)]
    numbers = [value for value in among if not isinstance(value, bool) and score(value)[0] is not None]
    return any(not seats or shown(value) not in _SEATS for value in numbers)


def _is_by_player(spans: dict[int, Any], below: Mapping[int, Heading | None], wanted: Wanted) -> bool:
    """Return whether the upper row names players, each with a pulya of their own below."""
    above = [spans.get(column) for column, said in below.items() if said and said.role == "pulya" and said.plain]
    fields = [_gathers(said) for said in map(wanted.heading, above)]
    return len(above) > 1 and not any(fields) and not any(map(is_empty, above))


def _is_bare(said: Heading) -> bool:
    """Return whether a lower heading needs its upper one: ``1-2`` under ``Висты``."""
    return said.loose or (said.role in ("game", "whists") and said.plain)


def _gathers(above: Heading | None) -> bool:
    """Return whether an upper heading is a field of scores: what means nothing together with it stands alone."""
    return above is not None and above.plain and above.role in SCORE_ROLES


def _of_player(above: str, said: Heading | None) -> Heading | None:
    """Return a heading under a player's name: ``Пуля`` under ``Аня``."""
    if said is None or said.role not in (*SCORE_ROLES, "player"):
        return said
    seated = heading(above)
    whose = seated.one if seated and seated.role == "player" and not seated.plain else above
    return replace(said, one=whose)


def _of_seat(above: Heading | None, said: Heading) -> Heading:
    """Return a heading that only names a seat as what the field above it is: ``Игрок 2`` under ``Гора``."""
    if above is None or not _gathers(above):
        return said
    if said.role != "player" or not isinstance(said.one, int):
        return said
    return Heading("whists", other=said.one) if above.role == "whists" else Heading(above.role, one=said.one)


def _spans(grid: Grid, row: int, upper: dict[int, Any], lower: dict[int, Any]) -> dict[int, Any]:
    """Return for each column the upper heading that spans it.

    A merged cell spans what it covers; another one, as in text files, the columns up to the next heading
    or the first with nothing below.
    """
    line = int(grid.lines[row])
    merged = {left: right for top, left, bottom, right in grid.merged if top <= line <= bottom}
    spans = dict(upper)
    for column, value in sorted(upper.items()):
        place = column + 1
        while place in lower and (place <= merged[column] if column in merged else place not in {*upper, *merged}):
            spans.setdefault(place, value)
            place += 1
    return spans


def _scores(reading: Reading) -> list[Heading]:
    said = reading.headings.values()
    return [one for one in said if one.role in SCORE_ROLES and not (one.role == "whists" and one.plain)]


def side_by_side(labels: dict[int, str], headings: Headings) -> list[list[int]]:
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


def layout_of(reading: Reading, wanted: Wanted) -> str | None:
    """Return the layout these headings make, ``None`` for no score sheet."""
    said = list(reading.headings.values())
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
    # a «P» below two names may be anything, if no other column of the table is of a game
    wide = wide and len({one.role for one in said}) > 1
    if wide and wanted.layout in (None, "wide") and not ("player" in plain and len(kinds) > 1):
        return "wide"
    if "player" in plain and len(kinds) > 1 and wanted.layout != "wide":
        by_id = "game" in plain or "date" in plain
        return wanted.layout or ("long" if by_id else "form")
    return None
