"""The way from a file to games: open, recognise, read, check, join."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from prefxl import checks
from prefxl.errors import FileError, FileRefusedError, OptionError
from prefxl.findings import Finding, Severity
from prefxl.games import Games, join, no_games
from prefxl.names import key
from prefxl.sheets.blocks import SHEETS_BESIDE, live_rows
from prefxl.sheets.body import Body
from prefxl.sheets.drafts import Draft
from prefxl.sheets.grid import Grid
from prefxl.sheets.headers import OWN_MARK, OWN_SHEETS, OWN_STEPS, heading, label, words_of
from prefxl.sheets.layouts import Found, Wanted, find_tables
from prefxl.sheets.long import read_long
from prefxl.sheets.nicknames import read_names
from prefxl.sheets.sources import Content, File, Source, grids, names_apart, open_source
from prefxl.sheets.told import hidden_columns, hidden_rows
from prefxl.sheets.unread import (
    contradicting_columns,
    missing_columns,
    nobody_named,
    unread_columns,
    whists_on_whom,
    with_bare_whists,
    with_players_called_like_seats,
)
from prefxl.sheets.wide import read_wide
from prefxl.tables import LAYOUTS, cell_name
from prefxl.texts import folded


@dataclass(frozen=True)
class Options:
    """What the caller says about a file; see :func:`read`."""

    wanted: Wanted = field(default_factory=Wanted)
    sheet: str | int | None = None
    start_from: int | None = None
    names: dict[str, str] = field(default_factory=dict)
    lang: str | None = None
    #: Keys of names known to play elsewhere in the season.
    elsewhere: frozenset[str] = frozenset()


def read(
    source: Source | Sequence[Source],
    *,
    layout: str | None = None,
    sheet: str | int | None = None,
    mapping: Mapping[str, str] | None = None,
    start_from: int | None = None,
    names: str | Path | Mapping[str, str] | None = None,
    strict: bool = False,
    lang: str | None = None,
) -> Games:
    """Read score sheets; several files make one season.

    Parameters
    ----------
    source
        A path, ``"-"`` for standard input, bytes, an open binary file, or a list of them.
    layout
        ``wide``, ``long`` or ``form``, where recognition must be told.
    sheet
        The one worksheet to read: its name, or its number from 1.
    mapping
        Headings of your own with what they are: ``{"Очки": "pulya"}``.
    start_from
        Pulya is kept downwards, from this number to 0.
    names
        A file of nicknames, or a mapping: every nickname becomes that player's name.
    strict
        Refuse on any warning.
    lang
        ``"ru"`` or ``"en"``; by default the language of the headings.

    Returns
    -------
    Games
        Every game without an error; what was wrong with the others is in ``findings``.

    Raises
    ------
    FileError, FileRefusedError, OptionError
        If a file cannot be read at all; the sentences say why.
    """
    options = make_options(layout=layout, sheet=sheet, mapping=mapping, start_from=start_from, names=names, lang=lang)
    several = isinstance(source, Sequence) and not isinstance(source, (str, bytes))
    sources: list[Any] = list(source) if isinstance(source, Sequence) and several else [source]
    games = read_season(sources, options)
    if strict:
        refuse_warnings(games)
    return games


def make_options(
    *,
    layout: str | None = None,
    sheet: str | int | None = None,
    mapping: Mapping[str, str] | None = None,
    start_from: int | None = None,
    names: str | Path | Mapping[str, str] | None = None,
    lang: str | None = None,
) -> Options:
    """Return the options of :func:`read`, checked.

    Raises
    ------
    OptionError, FileError
        If one of them means nothing, or the table of names cannot be read.
    """
    if layout is not None and layout not in LAYOUTS:
        raise OptionError(
            f"the layout is one of {', '.join(LAYOUTS)}, not {layout!r}",
            f"раскладка — одна из {', '.join(LAYOUTS)}, а не «{layout}»",
        )
    if start_from is not None and not 0 < start_from <= 10**6:
        raise OptionError(
            f"pulya kept downwards starts from a positive number, not {start_from}",
            f"пуля на убывание начинается с положительного числа, а не с {start_from}",
        )
    roles = {}
    for text, role in (mapping or {}).items():
        said = heading(role)
        if said is None:
            raise OptionError(f"{role!r} is no column of a score sheet", f"«{role}» — не столбец записи игры")
        roles[words_of(text)] = said
    return Options(Wanted(layout, roles), sheet, start_from, read_names(names), lang)


def read_season(
    sources: Sequence[Source], options: Options, *, unreadable: Callable[[Source, FileError], Games] | None = None
) -> Games:
    """Read files as one season; a remark that turns out to be a player of another table is read again as one.

    Parameters
    ----------
    sources, options
        The files, and what the caller says about them.
    unreadable
        What stands for a file that cannot be read; without it the error is raised.

    Raises
    ------
    FileError, FileRefusedError
        If a file cannot be read at all.
    """
    parts: list[Games] = []
    files: dict[int, File] = {}
    for source, name in zip(sources, names_apart(sources), strict=True):
        try:
            file = open_source(source)
            file = file if name is None else replace(file, name=name)
            part = _read_file(file, options)
        except FileError as error:
            if unreadable is None:
                raise
            part = unreadable(source, error)
        else:
            if remarks_of(part):
                files[len(parts)] = file
        parts.append(part)
    known = {key(name) for part in parts for name in part.players.ravel() if name} if files else set()
    for place, file in files.items():
        if mistaken := remarks_of(parts[place]) & known:
            parts[place] = _read_file(file, replace(options, elsewhere=mistaken))
    return season(parts)


def remarks_of(games: Games) -> frozenset[str]:
    """Return the keys of what was taken for remarks."""
    reasons = ("remark", "taken-for-remark")
    return frozenset(key(finding.found) for finding in games.findings if finding.reason in reasons)


def season(parts: Sequence[Games]) -> Games:
    """Return the games of several files as one season, looked at as a whole."""
    games = join(parts) if parts else no_games()
    found = [finding for check in checks.SEASON_CHECKS for finding in check(games)]
    return replace(games, findings=(*games.findings, *found)) if found else games


def refuse_warnings(games: Games) -> None:
    """Refuse games with any warning or error.

    Raises
    ------
    FileRefusedError
        With the first of them.
    """
    bad = [finding for finding in games.findings if finding.severity is not Severity.NOTE]
    if bad:
        first = bad[0]
        raise FileRefusedError(
            f"{first.where}: {first.message('en')} ({len(bad)} in all)",
            f"{first.where}: {first.message('ru')} (всего {len(bad)})",
        )


def read_one(source: Source, options: Options | None = None) -> Games:
    """Read one file; the checks of a season are not made yet.

    Raises
    ------
    FileError, FileRefusedError
        If the file cannot be read at all.
    """
    return _read_file(open_source(source), options or Options())


def _read_file(file: File, options: Options) -> Games:
    reading = _Reading(file, options)
    for grid in reading.chosen():
        reading.take(grid)
    return reading.games()


def read_grid(grid: Grid, options: Options | None = None) -> Games:
    """Read the games of one grid of text, such as some rows of a file too big to be held whole."""
    reading = _Reading(File(grid.file, Content(), "text"), options or Options())
    reading.take(grid)
    return reading.games()


@dataclass
class _Reading:
    """One file on its way: parts of games, findings, and how many games were numbered so far."""

    file: File
    options: Options
    parts: list[Games] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    numbered: int = 0
    named: dict[str, int] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    #: Tables that may be totals wait until it is known whether any has whists.
    waiting: list[Body] = field(default_factory=list)
    has_whists: bool = False

    def chosen(self) -> Iterator[Grid]:
        """Yield the worksheets to read: the one asked for, else all that are not ours."""
        wanted = self.options.sheet
        found = False
        read = grids(self.file, self.findings, self.options.wanted, with_ours=wanted is not None)
        for number, grid in enumerate(read, 1):
            if wanted is not None and self.file.kind not in ("text", "parquet") and not _is_sheet(grid, number, wanted):
                continue
            found = True
            if wanted is None and is_ours(grid):
                continue
            yield grid
        if not found and wanted is not None:
            name = self.file.name
            raise OptionError(
                f"{name or 'the input'} has no sheet {wanted!r}", f"в {name or 'файле'} нет листа «{wanted}»"
            )

    def take(self, grid: Grid) -> None:
        """Take the games of one worksheet."""
        tables = list(grid.tables) if grid.tables is not None else find_tables(grid, self.options.wanted)
        if not tables:
            self._note_nothing(grid)
            return
        if grid.hidden:
            self.findings.append(Finding("hidden", grid.file, grid.sheet, "", grid.sheet, {"rows": ()}))
        for found in tables:
            self._take_table(grid, found)

    def _take_table(self, grid: Grid, found: Found) -> None:
        body, asides = live_rows(Body.of(grid, found, self.options.names, self.options.elsewhere))
        if not len(body):
            # a form nobody has filled in yet
            self.findings += asides
            return
        self.labels += found.labels.values()
        self.findings += found.findings
        if is_result(found):
            cell = cell_name(found.heading_lines[1], found.first_column)
            self.findings.append(Finding("own-results", grid.file, grid.sheet, cell, ", ".join(found.labels.values())))
            return
        self.findings += asides
        body = with_players_called_like_seats(with_bare_whists(body))
        unclear = whists_on_whom(body) or contradicting_columns(body) or unread_columns(body) or nobody_named(body)
        if unclear is not None:
            self.findings.append(unclear)
        elif body.found.may_be_totals:
            self.waiting.append(body)
        else:
            self.has_whists = self.has_whists or body.found.has_whists
            self._take_games(body)

    def _take_waiting(self) -> None:
        """Take the games of tables that may be totals, unless there are tables with whists."""
        for body in self.waiting:
            if self.has_whists:
                found, grid = body.found, body.grid
                cell = cell_name(found.heading_lines[1], found.first_column)
                self.findings.append(Finding("without-whists", grid.file, grid.sheet, cell))
            else:
                self._take_games(body)

    def _take_games(self, body: Body) -> None:
        found = body.found
        reader = read_wide if found.layout == "wide" else read_long
        draft = reader(body, self.numbered, self.options.start_from)
        self.findings += missing_columns(body.grid, found)
        self.numbered += int(sum(isinstance(game, int) for game in draft.games.game[draft.numbered]))
        self._tell_apart(draft)
        good, problems = checks.run(draft)
        self.findings += problems
        self.findings += [*hidden_rows(body), *hidden_columns(body)]
        self.parts.append(draft.games if good.all() else draft.games.take(good))

    def _tell_apart(self, draft: Draft) -> None:
        """Number the forms of one worksheet that only the worksheet names."""
        for position in np.flatnonzero(draft.numbered):
            name = draft.games.game[position]
            if isinstance(name, str):
                self.named[name] = self.named.get(name, 0) + 1
                if self.named[name] > 1:
                    draft.games.game[position] = f"{name} ({self.named[name]})"

    def _note_nothing(self, grid: Grid) -> None:
        if not len(grid) or all(column.empty.all() for column in grid.columns):
            return
        row = next(row for row in range(len(grid)) if grid.row(row))
        column, value = next(iter(sorted(grid.row(row).items())))
        if value in SHEETS_BESIDE:
            return
        cell = cell_name(int(grid.lines[row]), column)
        self.findings.append(Finding("not-a-score-sheet", grid.file, grid.sheet, cell, label(value) or "?"))

    def games(self) -> Games:
        """Return the games of the file."""
        self._take_waiting()
        if not any(len(part) for part in self.parts):
            some = any(finding.severity is Severity.ERROR for finding in self.findings)
            self.findings.append(Finding("none-good" if some else "no-games", self.file.name))
        games = join(self.parts) if self.parts else no_games()
        lang = self.options.lang or ("ru" if _is_russian(self.labels) or not self.labels else "en")
        return replace(games, findings=tuple(self.findings), lang=lang)


def _is_russian(texts: list[str]) -> bool:
    return any("а" <= char <= "я" for text in texts for char in text.casefold())


def _is_sheet(grid: Grid, number: int, wanted: str | int) -> bool:
    if isinstance(wanted, int):
        return number == wanted
    return folded(grid.sheet) == folded(wanted) or (wanted.isdecimal() and number == int(wanted))


_COPY = re.compile(r"\s*\(\d+\)$")


def is_ours(grid: Grid) -> bool:
    """Return whether ``prefxl`` wrote this worksheet: it is marked so, or is called and begins so."""
    if grid.ours:
        return True
    called = folded(_COPY.sub("", grid.sheet)) in {folded(name) for name in OWN_SHEETS}
    return called and any(
        OWN_MARK in str(value) for row in range(min(3, len(grid))) for value in grid.row(row).values()
    )


def is_result(found: Found) -> bool:
    """Return whether a table is what a settlement came to, not what was played: our own steps, and no whists."""
    return not found.has_whists and len(OWN_STEPS & {words_of(text) for text in found.own.values()}) > 1


__all__ = [
    "Options",
    "Source",
    "is_ours",
    "make_options",
    "read",
    "read_one",
    "read_season",
    "refuse_warnings",
    "season",
]
