"""Every game under every convention, side by side; where the winner changes comes first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from prefxl.batch import settle_columns
from prefxl.columns import Column, Columns, multiplied
from prefxl.errors import RulesError
from prefxl.games import Games, whole_or_float
from prefxl.rules.conventions import CONVENTIONS, ROUNDINGS, Convention, find_rounding

if TYPE_CHECKING:
    from prefxl.settled import Group, Settled

#: The columns before those of the conventions, and after them.
FIRST_COLUMNS = ("game", "date", "player", "result")
LAST_COLUMNS = ("differs", "winner_changes")


def compare(source: Games | Settled, *, roundings: bool = False) -> pd.DataFrame:
    """Return what each player would win under every convention.

    Parameters
    ----------
    source
        A season; games not yet settled are settled by the default convention first.
    roundings
        Every convention under every rounding, in columns such as ``sochi/balanced``; otherwise each
        under its own rounding.

    Returns
    -------
    pandas.DataFrame
        One row a player a game: ``game``, ``date``, ``player``, ``result`` as settled, a column for each
        convention [whists], ``differs`` whether one of them gives this player another number (compared
        exactly), ``winner_changes`` whether one gives this game to another winner. Games where the winner
        changes come first, then those where a number differs, each kind in the order of the season. The
        worth and the divisor of gora stay those of the game's own house rules, and so does a named
        player to correct; where a rounding cannot be applied to a game, its number is missing.
    """
    return _compared(source, roundings).frame()


def winners(source: Games | Settled, *, roundings: bool = False) -> pd.DataFrame:
    """Return one row a game whose winner changes: who wins as settled, and under each convention.

    Several winners of one game stand with commas between them. The parameters are those of :func:`compare`.
    """
    sheet = _compared(source, roundings)
    games = sheet.settled.games
    at = np.flatnonzero(sheet.changes)
    columns: dict[str, Any] = {"game": games.game[at], "date": games.date[at]}
    for name, values in sheet.values.items():
        columns[name] = [_winners(games.names(position), values[:, position]) for position in at.tolist()]
    return pd.DataFrame(columns)


def _winners(names: list[str], won: npt.NDArray[np.float64]) -> str:
    own = won[: len(names)]
    return ", ".join(str(name) for name, value in zip(names, own, strict=True) if value == own.max())


def _compared(source: Games | Settled, roundings: bool) -> _Sheet:
    settled = source.settle() if isinstance(source, Games) else source
    sheet = _Sheet(settled, _names(roundings))
    for group in settled.groups:
        sheet.fill(group)
    return sheet


def _names(roundings: bool) -> dict[str, tuple[str, str]]:
    """Return the columns: name to convention and rounding."""
    if not roundings:
        return {name: (name, preset.rounding) for name, preset in CONVENTIONS.items()}
    # the presets of PrefCount are those without the prefix under its rounding
    plain = [name for name in CONVENTIONS if not name.startswith("prefcount-")]
    return {f"{name}/{rounding}": (name, rounding) for name in plain for rounding in ROUNDINGS}


@dataclass(frozen=True, eq=False)
class _Result:
    """(N, G) numerators over a denominator, and the games that could be settled."""

    numerators: Column
    denominator: int
    done: npt.NDArray[np.bool_]

    def differs(self, other: _Result) -> npt.NDArray[np.bool_]:
        """Return (N, G) where two results are not the same number."""
        common = lcm(self.denominator, other.denominator)
        own = multiplied(self.numerators, common // self.denominator)
        theirs = multiplied(other.numerators, common // other.denominator)
        different: npt.NDArray[np.bool_] = (own != theirs) & self.done & other.done
        return different

    def winners(self) -> npt.NDArray[np.bool_]:
        """Return (N, G) who won most."""
        most: npt.NDArray[np.bool_] = self.numerators == self.numerators.max(axis=0)
        return most

    def floats(self) -> npt.NDArray[np.float64]:
        """Return (N, G) the results as floats, missing where they could not be settled."""
        values = np.true_divide(self.numerators, self.denominator).astype(np.float64)
        return np.where(self.done, values, np.nan)


class _Sheet:
    """The comparison while it is being filled, a group of games at a time."""

    def __init__(self, settled: Settled, names: dict[str, tuple[str, str]]) -> None:
        games = settled.games
        self.settled, self.names = settled, names
        shape = (games.max_seats, len(games))
        self.values = {name: np.full(shape, np.nan) for name in ("result", *names)}
        self.differs = np.zeros(shape, bool)
        self.changes = np.zeros(len(games), bool)

    def fill(self, group: Group) -> None:
        """Settle the games of one group under every convention."""
        players, at = group.done.columns.players, group.positions
        own = _Result(group.done.numerators.T, group.done.denominator, np.ones(len(at), bool))
        self.values["result"][:players, at] = own.floats()
        found: dict[tuple[Any, ...], _Result] = {}
        for name, (convention, rounding) in self.names.items():
            rules = _house_rules(CONVENTIONS[convention], group.done.convention)
            key = (rules.target, rules.below, rules.above, rounding)
            if key not in found:
                found[key] = _settled(group.done.columns, rules, find_rounding(rounding))
            other = found[key]
            self.values[name][:players, at] = other.floats()
            self.differs[:players, at] |= own.differs(other)
            self.changes[at] |= (own.winners() != other.winners()).any(axis=0) & other.done

    def frame(self) -> pd.DataFrame:
        """Return the rows, the games whose winner changes first."""
        games = self.settled.games
        columns: dict[str, Any] = {
            "game": np.repeat(games.game, games.seats),
            "date": np.repeat(games.date, games.seats),
            "player": games.by_player(games.players),
        }
        columns |= {name: games.by_player(values) for name, values in self.values.items()}
        columns["differs"] = games.by_player(self.differs)
        columns["winner_changes"] = np.repeat(self.changes, games.seats)
        kind = np.where(self.changes, 0, np.where(self.differs.any(axis=0), 1, 2))
        line = np.argsort(np.repeat(kind, games.seats), kind="stable")
        shown = {name: _as_whole(column[line]) for name, column in columns.items()}
        return pd.DataFrame(shown)


def _as_whole(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return whole_or_float(column) if column.dtype == np.float64 and not np.isnan(column).any() else column


def _house_rules(preset: Convention, own: Convention) -> Convention:
    """Return a preset with the worth and the divisor of gora that the table plays by."""
    return preset.altered(whists_per_gora=own.whists_per_gora, divisor=own.divisor)


def _settled(columns: Columns, rules: Convention, rounding: str) -> _Result:
    """Settle what can be settled of a group; a game the rounding cannot be applied to is left out."""
    numerators: Column = np.zeros((columns.players, columns.games), np.int64)
    denominator = 1
    done = np.ones(columns.games, bool)
    for left in _attempts(columns, rules, rounding, done):
        settled = settle_columns(left, rules, rounding=rounding, steps=False)
        numerators = numerators.astype(settled.numerators.dtype, copy=False)
        numerators[:, done] = settled.numerators.T
        denominator = settled.denominator
    return _Result(numerators, denominator, done)


def _attempts(columns: Columns, rules: Convention, rounding: str, done: npt.NDArray[np.bool_]) -> Iterator[Columns]:
    """Yield the columns of the games that can be settled, once they are; clear the others in ``done``."""
    while done.any():
        left = columns if done.all() else _taken(columns, done)
        try:
            if rounding.startswith("divisible"):
                settle_columns(left, rules, rounding=rounding, steps=False)
        except RulesError as error:
            at = np.flatnonzero(done)
            done[at[list(error.rows)] if error.rows else at] = False
            continue
        yield left
        return


def _taken(columns: Columns, done: npt.NDArray[np.bool_]) -> Columns:
    named = columns.corrected
    return Columns(
        pulya=tuple(column[done] for column in columns.pulya),
        gora=tuple(column[done] for column in columns.gora),
        whists=tuple(tuple(None if column is None else column[done] for column in row) for row in columns.whists),
        unit=columns.unit,
        factor=columns.factor,
        corrected=named if isinstance(named, int) else named[done],
    )
