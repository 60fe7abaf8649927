"""The way from a file to games: open, recognise, read, check, join."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from prefxl import checks
from prefxl.errors import FileRefusedError, OptionError
from prefxl.findings import Finding, Severity
from prefxl.games import Games, join
from prefxl.names import read_names
from prefxl.sheets.body import Body
from prefxl.sheets.cells import Grid
from prefxl.sheets.drafts import Draft
from prefxl.sheets.encoding import read_bytes
from prefxl.sheets.headers import heading, words_of
from prefxl.sheets.layouts import Found, Wanted, find_tables
from prefxl.sheets.long import read_long
from prefxl.sheets.text import read_text
from prefxl.sheets.wide import read_wide
from prefxl.sheets.workbook import read_workbook
from prefxl.tables import LAYOUTS

Source = str | Path | bytes | BinaryIO


@dataclass(frozen=True)
class Options:
    """What the caller says about a file; see :func:`read`."""

    wanted: Wanted = field(default_factory=Wanted)
    sheet: str | int | None = None
    start_from: int | None = None
    names: dict[str, str] = field(default_factory=dict)
    lang: str | None = None


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
    sources: list[Any] = list(source) if several else [source]  # type: ignore[arg-type]
    games = season([read_one(one, options) for one in sources])
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


def season(parts: Sequence[Games]) -> Games:
    """Return the games of several files as one season, looked at as a whole."""
    games = join(parts)
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
    """Read one file; the checks of a season are not made yet."""
    options = options or Options()
    name, data = _bytes_of(source)
    findings: list[Finding] = []
    grids = _grids(name, data, options, findings)
    drafts = []
    number = 0
    for grid in grids:
        for draft in _drafts(grid, options, number, findings):
            number += int(draft.numbered.sum())
            drafts.append(draft)
    return _games(drafts, findings, name, options)


def _bytes_of(source: Source) -> tuple[str, bytes]:
    if isinstance(source, bytes):
        return "", source
    if source == "-":
        return "stdin", sys.stdin.buffer.read()
    if isinstance(source, (str, Path)):
        path = Path(source)
        return path.name, read_bytes(path)
    return Path(str(getattr(source, "name", ""))).name, source.read()


def _grids(name: str, data: bytes, options: Options, findings: list[Finding]) -> Iterator[Grid]:
    if data[:4] == b"PK\x03\x04":
        yield from read_workbook(data, name)
    else:
        grid, found = read_text(data, name)
        findings += found
        yield grid


def _drafts(grid: Grid, options: Options, number: int, findings: list[Finding]) -> Iterator[Draft]:
    for found in find_tables(grid, options.wanted):
        findings += found.findings
        draft = _draft(Body.of(grid, found, options.names), found, number, options.start_from)
        number += int(draft.numbered.sum())
        yield draft


def _draft(body: Body, found: Found, number: int, start_from: int | None) -> Draft:
    reader = read_wide if found.layout == "wide" else read_long
    return reader(body, number, start_from)


def _games(drafts: list[Draft], findings: list[Finding], name: str, options: Options) -> Games:
    parts = []
    for draft in drafts:
        good, found = checks.run(draft)
        findings += found
        kept = draft.games if good.all() else draft.games.take(good)
        parts.append(kept)
    if not any(len(part) for part in parts):
        findings.append(Finding("no-games", name))
    games = join(parts) if parts else nothing()
    return replace(games, findings=tuple(findings), lang=options.lang or games.lang)


def nothing() -> Games:
    """Return a season without games."""
    none, empty = np.empty(0, dtype=object), np.zeros((2, 0), np.int64)
    return Games(
        game=none,
        date=none,
        seats=np.zeros(0, np.int64),
        players=np.empty((2, 0), dtype=object),
        pulya=empty,
        gora=empty,
        whists=np.zeros((2, 2, 0), np.int64),
        rows=empty,
    )


__all__ = ["Options", "Source", "io", "make_options", "nothing", "read", "read_one", "season"]
