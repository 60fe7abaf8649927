"""Drafts of games: everything read, the faulty ones still among them, for the checks to sort out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from prefxl.findings import Finding
from prefxl.games import SETTINGS, Games
from prefxl.sheets.body import Body
from prefxl.sheets.cells import Column
from prefxl.sheets.values import identifier, is_empty, shown

Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
Objects = npt.NDArray[np.object_]


@dataclass(frozen=True)
class Spot:
    """A fault on one cell of one game: the game's position, the cell, and the reason of the finding."""

    position: int
    row: int
    column: int
    reason: str
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Draft:
    """The games of one table as they stand there, before any is refused.

    Attributes
    ----------
    body
        The rows they came from.
    games
        All of them, the diagonal of ``whists`` as written.
    given
        Field to where something was written: ``pulya`` and ``gora`` (S, G), ``whists`` (S, S, G);
        ``None`` for everywhere.
    spots
        Faults on single cells.
    findings
        Findings that are about no game, or about rows that make none.
    numbered
        (G,) whether the game has no id of its own and was given a number.
    bare
        (S, G) where somebody is named without one number of their own; ``None`` for nowhere.
    """

    body: Body
    games: Games
    given: Mapping[str, Flags | None]
    spots: tuple[Spot, ...] = ()
    findings: tuple[Finding, ...] = ()
    numbered: Flags = field(default_factory=lambda: np.zeros(0, dtype=bool))
    bare: Flags | None = None

    def take(self, good: Flags) -> Draft:
        """Return the draft with only these games, and without its faults."""
        given = {name: None if flags is None else flags[..., good] for name, flags in self.given.items()}
        bare = None if self.bare is None else self.bare[:, good]
        return Draft(self.body, self.games.take(good), given, (), (), self.numbered[good], bare)

    def rows_of(self, position: int) -> tuple[int, ...]:
        """Return the lines of a game in the file."""
        rows = self.games.rows[: self.games.seats[position], position]
        return tuple(sorted({int(row) for row in rows}))

    def finding(self, reason: str, position: int, place: tuple[Any, ...], found: Any, **details: Any) -> Finding:
        """Return a finding on a game; ``place`` is field, seat and other, as for ``Games.cell``."""
        file, sheet, cell = self.games.cell(position, *place)
        more = {"game": self.games.game[position], "rows": self.rows_of(position)}
        return Finding(reason, file, sheet, cell, shown(found), more | details)


def own_frame(body: Body, rows: Integers) -> pd.DataFrame:
    """Return the user's own columns with a row for each of ``rows`` (positions in the body)."""
    columns: dict[str, Any] = {}
    for number, text in sorted(body.found.own.items()):
        column = body.column(number)
        if not column.empty.all():
            columns[_apart(text, columns)] = tidy(column.take(rows))
    return pd.DataFrame(columns, index=range(len(rows)))


def _apart(name: str, taken: Mapping[str, Any]) -> str:
    """Return a name not taken yet: a second ``Стол`` is ``Стол (2)``."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free


def tidy(column: Column) -> Any:
    """Return an own column as numbers where all of it are numbers, else as it stands."""
    # the heading is a value of the column as well, but not of these rows
    column = column.compacted()
    filled = [value for value in column.values if not is_empty(value)]
    kinds = {type(value) for value in filled}
    if kinds == {int} and any(abs(value) >= 2**53 for value in filled):
        # a float would not hold them
        return column.mapped(_plain)
    if kinds <= {int, float} and kinds:
        numbers = column.mapped(lambda value: np.nan if is_empty(value) else float(value)).astype(np.float64)
        whole = bool(np.isfinite(numbers).all()) and bool((numbers == np.floor(numbers)).all())
        return numbers.astype(np.int64) if whole and bool((np.abs(numbers) < 2**53).all()) else numbers
    if kinds == {str} and all(isinstance(identifier(value), int) for value in filled):
        # numbers as a text file has them: they come back as they were written
        return column.identifiers() if column.empty.any() else column.identifiers().astype(np.int64)
    return column.mapped(_plain)


def _plain(value: Any) -> Any:
    return None if is_empty(value) else str(value) if isinstance(value, str) else value


def settings_of(body: Body, rows: Integers) -> dict[str, Objects]:
    """Return what the games say about themselves; ``rows`` (G,) is a row of each (positions in the body)."""
    found: dict[str, Objects] = {}
    for name in SETTINGS:
        column = body.role(name)
        if column is not None and not column.empty.all():
            found[name] = column.take(rows).mapped(_setting)
    return found


def _setting(value: Any) -> Any:
    """Return a setting as text, so that ``2.0`` of a workbook is the seat 2 and ``0,5`` stays exact."""
    return None if is_empty(value) else shown(value)
