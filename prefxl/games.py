"""Games: a season of score sheets as columns, with the origin of every value.

The schema everything else stands on. Readers fill it, ``settle`` works on it,
reports and the annotator look up in it where a value stood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from prefxl.findings import Finding
from prefxl.tables import Table

if TYPE_CHECKING:
    from pathlib import Path

    from prefxl.settled import Settled

Objects = npt.NDArray[np.object_]
Integers = npt.NDArray[np.int64]

#: Scores are kept in halves of a point or whist.
UNIT = 2

#: Columns that say, a game at a time, how it is to be settled.
SETTINGS = ("convention", "rounding", "corrected", "stake", "target")


class Who(NamedTuple):
    """Who sits where, as numbers: (S, G) ``codes`` into ``names``, -1 at empty seats.

    A name may be one that no game of these has.
    """

    names: tuple[str, ...]
    codes: npt.NDArray[np.int32]

    @property
    def players(self) -> Objects:
        """(S, G) the names themselves, ``None`` at empty seats."""
        names = np.empty(len(self.names) + 1, dtype=object)
        names[:-1] = self.names
        # -1 is the last one, which stays None
        taken: Objects = names[self.codes]
        return taken

    @property
    def counts(self) -> Integers:
        """(names,) how many seats each has sat in."""
        counts: Integers = sum(
            (np.bincount(seat[seat >= 0], minlength=len(self.names)) for seat in self.codes),
            start=np.zeros(len(self.names), np.int64),
        )
        return counts


@dataclass(frozen=True, eq=False)
class Games:
    """A season of G games of up to S seats.

    Attributes
    ----------
    game, date
        (G,) the game's id as it stands in the file; its date as ``datetime.date``, text, or ``None``.
    seats
        (G,) how many players each game has, 2 to 5; they hold the first seats.
    players
        (S, G) the names as the user spells them, ``None`` at empty seats.
    pulya, gora
        (S, G) in halves of a point, 0 at empty seats; seat by seat contiguous.
    whists
        (S, S, G) ``whists[i, j]`` is what ``i`` has written on ``j``, in halves of a whist.
    settings
        Column of :data:`SETTINGS` to (G,) values, ``None`` where a game says nothing.
    own
        The user's own columns, a row a player a game, in the order of :attr:`long`.
    tables, table, rows
        The recognised tables; (G,) the index of each game's table, -1 for none;
        (S, G) the row each seat stands in, 0 for none.
    places
        (S, G) wide only: the seat of the table's columns each player sat in, from 0; empty where they are the same.
    findings
        Everything found while reading.
    lang
        The language of the headings, ``"ru"`` or ``"en"``.
    seated_as
        ``players`` as numbers, where the reader has them at hand; see :attr:`who`.
    """

    game: Objects
    date: Objects
    seats: Integers
    players: Objects
    pulya: Integers
    gora: Integers
    whists: Integers
    settings: Mapping[str, Objects] = field(default_factory=dict)
    own: pd.DataFrame = field(default_factory=pd.DataFrame)
    tables: tuple[Table, ...] = ()
    table: Integers = field(default_factory=lambda: np.empty(0, np.int64))
    rows: Integers = field(default_factory=lambda: np.empty((0, 0), np.int64))
    places: Integers = field(default_factory=lambda: np.empty((0, 0), np.int64))
    findings: tuple[Finding, ...] = ()
    lang: str = "ru"
    seated_as: Who | None = None

    def __len__(self) -> int:
        return len(self.game)

    @cached_property
    def who(self) -> Who:
        """Who sits where, as numbers, which are compared and counted many times as fast as names."""
        if self.seated_as is not None:
            return self.seated_as
        codes, names = pd.factorize(self.players.ravel())
        return Who(tuple(names), codes.reshape(self.players.shape).astype(np.int32))

    @property
    def max_seats(self) -> int:
        """S: the seats of the largest table."""
        return len(self.pulya)

    @cached_property
    def offsets(self) -> Integers:
        """(G + 1,) where each game's rows begin in :attr:`long` and in ``Settled.steps``."""
        return np.concatenate([[0], np.cumsum(self.seats)]).astype(np.int64)

    @cached_property
    def seated(self) -> npt.NDArray[np.bool_]:
        """(G, S) where somebody sits; its true places, row by row, are the rows of :attr:`long`."""
        return np.arange(self.max_seats)[None, :] < self.seats[:, None]

    @property
    def frame(self) -> pd.DataFrame:
        """One row a game: ``game date player_1.. pulya_1.. gora_1.. whists_1_2 ..`` and the settings given."""
        seats = range(self.max_seats)
        columns: dict[str, Any] = {"game": self.game, "date": self.date}
        columns |= {f"player_{i + 1}": self.players[i] for i in seats}
        for name, scores in (("pulya", self.pulya), ("gora", self.gora)):
            columns |= {f"{name}_{i + 1}": self._score(scores[i], i) for i in seats}
        columns |= {
            f"whists_{i + 1}_{j + 1}": self._score(self.whists[i, j], max(i, j)) for i in seats for j in seats if i != j
        }
        return pd.DataFrame(columns | dict(self.settings))

    @property
    def long(self) -> pd.DataFrame:
        """One row a player a game: ``game date seat player pulya gora whists_1..``, then the user's own columns."""
        columns: dict[str, Any] = {
            "game": np.repeat(self.game, self.seats),
            "date": np.repeat(self.date, self.seats),
            "seat": self.by_player(np.broadcast_to(np.arange(1, self.max_seats + 1)[:, None], self.pulya.shape)),
            "player": self.by_player(self.players),
            "pulya": whole_or_float(self.by_player(self.pulya) / UNIT),
            "gora": whole_or_float(self.by_player(self.gora) / UNIT),
        }
        for j in range(self.max_seats):
            columns[f"whists_{j + 1}"] = whole_or_float(self.by_player(self.whists[:, j]) / UNIT)
        return pd.concat([pd.DataFrame(columns), self.own.reset_index(drop=True)], axis=1)

    def by_player(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return an (S, G) array as a column with a row a player a game."""
        flat: npt.NDArray[Any] = column.T[self.seated]
        return flat

    def cell(self, position: int, field_name: str, seat: int = 0, other: int | None = None) -> tuple[str, str, str]:
        """Return file, sheet and cell where a value of the game at ``position`` stood; ``""`` where unknown.

        ``field_name`` is ``game``, ``date``, ``player``, ``pulya``, ``gora``, ``whists`` (on seat ``other``)
        or a setting.
        """
        if not len(self.table) or self.table[position] < 0:
            return "", "", ""
        table = self.tables[self.table[position]]
        if table.turned and other is not None:
            seat, other = other, seat
        row = int(self.rows[seat, position])
        of_game = field_name in ("game", "date", *SETTINGS)
        role = field_name if of_game else table.role(field_name, *self._place(position, seat, other))
        if field_name == "whists" and role not in table.columns and other is not None:
            role = table.role(field_name, seat, str(self.players[other, position]))
        return table.file, table.sheet, table.cell(role, row) if row else ""

    def _place(self, position: int, seat: int, other: int | None) -> tuple[int, int | None]:
        """Return seats of a game as seats of its table's columns."""
        if not self.places.size:
            return seat, other
        at = self.places[:, position]
        return int(at[seat]), None if other is None else int(at[other])

    def names(self, position: int) -> list[str]:
        """Return the players of the game at ``position``, seat by seat."""
        return list(self.players[: self.seats[position], position])

    def find(self, game: Any) -> int:
        """Return the position of the game with this id, compared as text.

        Raises
        ------
        SettlementMissingError
            If there is no such game.
        """
        from prefxl.errors import SettlementMissingError

        wanted = str(game).strip()
        for position, name in enumerate(self.game):
            if str(name) == wanted:
                return position
        raise SettlementMissingError(f"there is no game {wanted!r}", f"нет игры «{wanted}»")

    def take(self, positions: npt.NDArray[Any]) -> Games:
        """Return the games at ``positions`` (a mask or ascending indices), everything else with them."""
        index = np.arange(len(self))[positions]
        mask = np.zeros(len(self), bool)
        mask[index] = True
        kept = np.flatnonzero(np.repeat(mask, self.seats))
        return replace(
            self,
            game=self.game[index],
            date=self.date[index],
            seats=self.seats[index],
            players=self.players[:, index],
            pulya=self.pulya[:, index],
            gora=self.gora[:, index],
            whists=self.whists[:, :, index],
            settings={name: values[index] for name, values in self.settings.items()},
            own=self.own.iloc[kept] if len(self.own.columns) else self.own,
            table=self.table[index] if len(self.table) else self.table,
            rows=self.rows[:, index] if self.rows.size else self.rows,
            places=self.places[:, index] if self.places.size else self.places,
            seated_as=self.seated_as and Who(self.seated_as.names, self.seated_as.codes[:, index]),
        )

    def settle(self, convention: Any = None, **options: Any) -> Settled:
        """Settle every game. See :func:`prefxl.settling.settle_games` for the options."""
        from prefxl.settling import settle_games

        return settle_games(self, convention, **options)

    def _score(self, column: Integers, seat: int) -> npt.NDArray[Any] | pd.Series:
        values = column / UNIT
        if (self.seats > seat).all():
            return whole_or_float(values)
        return pd.Series(np.where(self.seats > seat, values, np.nan)).convert_dtypes()


def whole_or_float(values: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
    """Return the column as integers where all of it is whole."""
    if not bool(np.isfinite(values).all()):
        return values
    whole = values.astype(np.int64)
    return whole if bool((whole == values).all()) else values


def no_games(findings: tuple[Finding, ...] = (), lang: str = "ru") -> Games:
    """Return a season without a game, for a file in which none could be read."""
    nobody = np.empty(0, dtype=object)
    none = np.empty(0, np.int64)
    return Games(
        game=nobody,
        date=nobody,
        seats=none,
        players=np.empty((0, 0), dtype=object),
        pulya=np.empty((0, 0), np.int64),
        gora=np.empty((0, 0), np.int64),
        whists=np.empty((0, 0, 0), np.int64),
        table=none,
        rows=np.empty((0, 0), np.int64),
        findings=findings,
        lang=lang,
    )


def join(parts: Sequence[Games]) -> Games:
    """Return several files' games as one season, in order; the language is the first part's."""
    if len(parts) == 1:
        return parts[0]
    seats = max((part.max_seats for part in parts), default=2)
    wide = [_widened(part, seats) for part in parts]
    shifts = np.cumsum([0, *(len(part.tables) for part in wide)])
    return Games(
        game=np.concatenate([part.game for part in wide]),
        date=np.concatenate([part.date for part in wide]),
        seats=np.concatenate([part.seats for part in wide]),
        players=np.concatenate([part.players for part in wide], axis=1),
        pulya=np.concatenate([part.pulya for part in wide], axis=1),
        gora=np.concatenate([part.gora for part in wide], axis=1),
        whists=np.concatenate([part.whists for part in wide], axis=2),
        settings=_joined_settings(wide),
        own=pd.concat([_own_rows(part) for part in wide], ignore_index=True),
        tables=tuple(table for part in wide for table in part.tables),
        table=np.concatenate(
            [np.where(part.table < 0, -1, part.table + shift) for part, shift in zip(wide, shifts, strict=False)]
        ).astype(np.int64),
        rows=np.concatenate([part.rows for part in wide], axis=1),
        places=np.concatenate([part.places for part in wide], axis=1),
        findings=tuple(finding for part in wide for finding in part.findings),
        lang=parts[0].lang,
    )


def _own_rows(part: Games) -> pd.DataFrame:
    """Return a part's own columns with a row for each of its players even where it has none."""
    return part.own if len(part.own.columns) else pd.DataFrame(index=range(int(part.seats.sum())))


def _joined_settings(parts: Sequence[Games]) -> dict[str, Objects]:
    names = [name for name in SETTINGS if any(name in part.settings for part in parts)]
    return {
        name: np.concatenate([part.settings.get(name, np.full(len(part), None)) for part in parts]) for name in names
    }


def _widened(part: Games, seats: int) -> Games:
    """Return ``part`` with empty seats up to ``seats``, and a table index for each game."""
    more = seats - part.max_seats
    rows = part.rows if part.rows.size else np.zeros(part.pulya.shape, np.int64)
    return replace(
        part,
        players=np.concatenate([part.players, np.full((more, len(part)), None)]),
        pulya=np.pad(part.pulya, ((0, more), (0, 0))),
        gora=np.pad(part.gora, ((0, more), (0, 0))),
        whists=np.pad(part.whists, ((0, more), (0, more), (0, 0))),
        table=part.table if len(part.table) else np.full(len(part), -1, np.int64),
        rows=np.pad(rows, ((0, more), (0, 0))),
        places=_widened_places(part, seats),
        seated_as=None,
    )


def _widened_places(part: Games, seats: int) -> Integers:
    same = np.broadcast_to(np.arange(seats)[:, None], (seats, len(part)))
    return np.concatenate([part.places, same[len(part.places) :]]) if part.places.size else same


def read(source: str | Path | Sequence[str | Path], **options: Any) -> Games:
    """Read score sheets: see :func:`prefxl.sheets.read`."""
    from prefxl.sheets import read as read_sheets

    return read_sheets(source, **options)
