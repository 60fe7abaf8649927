"""The wide layout: a row is a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.findings import Finding
from prefxl.games import Games, Who
from prefxl.sheets.body import Body, coded
from prefxl.sheets.cells import Scores
from prefxl.sheets.days import days_of
from prefxl.sheets.drafts import Draft, Spot, own_frame, settings_of
from prefxl.sheets.told import rows_aside
from prefxl.sheets.values import shown
from prefxl.threads import spread

Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]

#: With so many rows threads are worth their start.
_MANY = 100_000


def read_wide(body: Body, number: int, start_from: int | None = None) -> Draft:
    """Return the games of a wide table.

    Parameters
    ----------
    body
        Its rows.
    number
        How many games without an id came before.
    start_from
        Where the pulya is kept downwards: the number it starts from.
    """
    findings = list(rows_aside(body))
    data = body.keep(body.is_data)
    seated = _seated(data)
    nobody = ~seated.any(axis=0) & ~data.is_broken
    findings += [_nobody(data, int(row)) for row in np.flatnonzero(nobody)]
    played = data.keep(~nobody)
    return _Wide(played, seated if played is data else _seated(played), start_from).draft(findings, number)


def _seated(body: Body) -> Flags:
    """(S, R) where a seat of the table is taken."""
    seats = _seats(body)
    flags = np.zeros((seats, len(body)), dtype=bool)
    for seat in range(seats):
        column = body.found.columns.get(f"player_{seat + 1}")
        if column is not None:
            flags[seat] = body.named(column)
        elif body.found.seats:
            flags[seat] = _plays(body, seat)
    return flags


def _plays(body: Body, seat: int) -> Flags:
    """(R,) where a player named in the heading has a pulya, or any other number but 0."""
    flags = np.zeros(len(body), dtype=bool)
    for role, column in body.found.columns.items():
        field, *places = role.split("_")
        if places[:1] == [str(seat + 1)] and field in ("pulya", "gora", "whists"):
            scores = body.column(column).scores
            flags |= ~scores.empty & ((scores.halves != 0) | (field == "pulya"))
    return flags


def _seats(body: Body) -> int:
    """Return how many seats the table's columns have."""
    numbers = [
        int(place)
        for role in body.found.columns
        if role.split("_")[0] in ("player", "pulya", "gora", "whists")
        for place in role.split("_")[1:]
    ]
    return max(numbers)


def _nobody(body: Body, row: int) -> Finding:
    """Return the finding on a row of numbers where nobody is named, on the first cell for a name."""
    filled = [column for column in body.score_columns if not body.column(column).scores.empty[row]]
    number = filled[0] if filled else body.first_filled(row)
    column = min(body.is_role("player"), default=number)
    details = {"rows": (int(body.lines[row]),)}
    return body.finding("numbers-without-player", row, column, shown(body.column(number)[row]), **details)


@dataclass(frozen=True, eq=False)
class _Wide:
    """The played rows of a wide table; ``seated`` (S, R) where a seat is taken."""

    body: Body
    seated: Flags
    start_from: int | None

    def draft(self, findings: list[Finding], number: int) -> Draft:
        body, rows = self.body, np.arange(len(self.body))
        ids, numbered = self._ids(number)
        days = body.role("date")
        seats = self.seated.sum(axis=0).astype(np.int64)
        largest = max(int(seats.max(initial=2)), 2)
        who = self._who(largest)
        games = Games(
            game=ids,
            date=np.full(len(rows), None) if days is None else days_of(days, from_1904=body.grid.from_1904),
            seats=seats,
            players=who.players,
            pulya=self._numbers("pulya")[:largest],
            gora=self._numbers("gora")[:largest],
            whists=self._whists()[:largest, :largest],
            settings=settings_of(body, rows),
            own=own_frame(body, np.repeat(rows, seats)) if body.found.own else own_frame(body, rows[:0]),
            tables=(body.table(dict(body.found.columns), body.lines),),
            table=np.zeros(len(rows), np.int64),
            rows=self._lines(seats, largest),
            places=self.order[:largest],
            seated_as=who,
        )
        given = {
            "pulya": _cut(self._given("pulya"), largest),
            "gora": _cut(self._given("gora"), largest),
            "whists": _cut(self._given_whists(), largest),
        }
        bare = _cut(self._bare(), largest)
        return Draft(body, games, given, tuple(self._spots()), tuple(findings), numbered, bare)

    def _lines(self, seats: Integers, largest: int) -> Integers:
        if self._all_seated:
            return np.broadcast_to(self.body.lines, (largest, len(self.body)))
        return np.where(np.arange(largest)[:, None] < seats, self.body.lines, 0)

    def _ids(self, number: int) -> tuple[npt.NDArray[np.object_], Flags]:
        column = self.body.role("game")
        if column is not None and not column.empty.any():
            return column.identifiers(), column.empty
        numbers = np.empty(len(self.body), dtype=object)
        numbers[:] = range(number + 1, number + 1 + len(self.body))
        if column is None:
            return numbers, np.ones(len(self.body), dtype=bool)
        return np.where(column.empty, numbers, column.identifiers()), column.empty

    @cached_property
    def order(self) -> Integers:
        """(S, R) the seats of the table in the order they sit in the game: the taken ones first."""
        if self._packed_already:
            return np.broadcast_to(np.arange(len(self.seated))[:, None], self.seated.shape)
        return np.argsort(~self.seated, axis=0, kind="stable").astype(np.int64)

    @cached_property
    def _packed_already(self) -> bool:
        return not bool((self.seated[1:] & ~self.seated[:-1]).any())

    def _packed(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return values if self._packed_already else np.take_along_axis(values, self.order, axis=0)

    def _packed_pairs(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if self._packed_already:
            return values
        by_writer = np.take_along_axis(values, self.order[:, None, :], axis=0)
        return np.take_along_axis(by_writer, self.order[None, :, :], axis=1)

    def _who(self, largest: int) -> Who:
        names: dict[str, int] = {}
        codes = np.full(self.seated.shape, -1, np.int32)
        for seat in range(len(codes)):
            column = self.body.role(f"player_{seat + 1}")
            if column is not None:
                codes[seat] = self.body.name_codes(column, names)
            elif self.body.found.seats:
                name = self.body.name_of(self.body.found.seats[seat])
                codes[seat, self.seated[seat]] = coded(name, names)
        return Who(tuple(names), self._packed(codes)[:largest])

    @cached_property
    def _all_seated(self) -> bool:
        return bool(self.seated.all())

    def _numbers(self, name: str) -> Integers:
        values = np.zeros(self.seated.shape, np.int64)
        columns = [(seat, self.body.role(f"{name}_{seat + 1}")) for seat in range(len(values))]
        self._fill((values[seat], column.scores) for seat, column in columns if column is not None)
        if name == "pulya" and self.start_from is not None:
            # kept downwards: what is left is written, what is made is asked for
            for seat, column in columns:
                if column is not None:
                    np.subtract(2 * self.start_from, values[seat], out=values[seat])
        if not self._all_seated:
            values[~self.seated] = 0
        return self._packed(values)

    def _whists(self) -> Integers:
        seats, games = self.seated.shape
        # pages of zeros nobody writes to, such as the diagonal, take neither time nor memory
        values = np.zeros((seats, seats, games), np.int64)
        pairs = [(writer, on, self.body.column(column)) for writer, on, column in self._whist_columns()]
        self._fill((values[writer, on], column.scores) for writer, on, column in pairs)
        if not self._all_seated:
            for writer, on, _ in pairs:
                values[writer, on] *= self.seated[writer] & self.seated[on]
        return self._packed_pairs(values)

    def _fill(self, columns: Iterable[tuple[Integers, Scores]]) -> None:
        """Write scores into columns that are there already."""
        spread(lambda column: column[1].into(column[0]), columns, None if len(self.body) > _MANY else 1)

    def _whist_columns(self) -> Iterator[tuple[int, int, int]]:
        for role, column in self.body.found.columns.items():
            field, *places = role.split("_")
            if field == "whists":
                yield int(places[0]) - 1, int(places[1]) - 1, column

    def _given(self, name: str) -> Flags | None:
        """(S, R) where a number was written, or no column asks for one; ``None`` for everywhere."""
        columns = [self.body.role(f"{name}_{seat + 1}") for seat in range(len(self.seated))]
        if all(column is None or column.scores.complete for column in columns):
            return None
        flags = [np.ones(len(self.body), bool) if column is None else ~column.scores.empty for column in columns]
        return self._packed(np.array(flags))

    def _given_whists(self) -> Flags | None:
        columns = list(self._whist_columns())
        if all(self.body.column(column).scores.complete for _, _, column in columns):
            return None
        seats, games = self.seated.shape
        flags = np.ones((seats, seats, games), dtype=bool)
        for writer, on, column in columns:
            flags[writer, on] = ~self.body.column(column).scores.empty
        return self._packed_pairs(flags)

    def _bare(self) -> Flags | None:
        """(S, G) where a seat is taken and none of its own columns has a number."""
        flags = self.seated.copy()
        for seat in range(len(flags)):
            roles = [role for role in self.body.found.columns if _is_score_of(role, seat)]
            for role in roles:
                scores = self.body.column(self.body.found.columns[role]).scores
                if scores.complete:
                    flags[seat] = False
                    break
                flags[seat] &= scores.empty
        return self._packed(flags) if flags.any() else None

    def _spots(self) -> Iterator[Spot]:
        """Yield the cells that hold no number, and numbers of seats where nobody sits."""
        for row in np.flatnonzero(self.body.is_broken).tolist():
            yield Spot(row, row, 1, "broken-line", self.body.broken_details(row))
        for role, column in sorted(self.body.found.columns.items(), key=lambda item: item[1]):
            field, *places = role.split("_")
            if field not in ("pulya", "gora", "whists"):
                continue
            seats = [int(place) - 1 for place in places]
            scores = self.body.column(column).scores
            for row, reason, details in self.body.faults(column):
                if not _is_diagonal_mark(seats, self.body.column(column)[row]):
                    yield Spot(row, row, column, reason, details)
            if not self._all_seated:
                yield from self._strays(column, seats, scores.halves != 0)

    def _strays(self, column: int, seats: list[int], written: Flags) -> Iterator[Spot]:
        """Yield numbers in a column of seats where nobody sits, once a seat and game."""
        writer, on = seats[0], seats[-1]
        if not self.seated[writer].all():
            for row in np.flatnonzero(written & ~self.seated[writer] & (self._first_stray[writer] == column)):
                details = {"found": shown(self.body.column(column)[int(row)])}
                place = self.body.found.columns.get(f"player_{writer + 1}", column)
                yield Spot(int(row), int(row), place, "numbers-without-player", details)
        if not self.seated[on].all():
            nobody = written & self.seated[writer] & ~self.seated[on] & (self._first_stray[on] == 0)
            for row in np.flatnonzero(nobody):
                yield Spot(int(row), int(row), column, "whists-on-nobody")

    @cached_property
    def _first_stray(self) -> Integers:
        """(S, R) the first column with a number of an empty seat's own, 0 for none."""
        first = np.zeros(self.seated.shape, np.int64)
        for role, column in sorted(self.body.found.columns.items(), key=lambda item: -item[1]):
            field, *places = role.split("_")
            if field in ("pulya", "gora", "whists"):
                seat = int(places[0]) - 1
                if not self.seated[seat].all():
                    written = (self.body.column(column).scores.halves != 0) & ~self.seated[seat]
                    first[seat] = np.where(written, column, first[seat])
        return first


def _is_score_of(role: str, seat: int) -> bool:
    field, *places = role.split("_")
    return field in ("pulya", "gora", "whists") and places[0] == str(seat + 1)


def _cut(flags: Flags | None, largest: int) -> Flags | None:
    return flags if flags is None else flags[:largest] if flags.ndim == 2 else flags[:largest, :largest]


def _is_diagonal_mark(seats: list[int], value: Any) -> bool:
    """Return whether a cell of the diagonal is only crossed out."""
    return (
        len(seats) == 2 and seats[0] == seats[1] and isinstance(value, str) and value.strip().lower() in ("x", "х", "*")
    )
