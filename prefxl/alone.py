"""Results alone, without the steps between: the same arithmetic in place, on all seats of a block at once.

``prefxl.rules`` works seat by seat and keeps every step, each a column of its own. Who wants
nothing but results need not pay for that: here a block stays in one small piece of memory
from the first step to the last. It knows the roundings that need no more than this; the tests
hold it to the rules.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from threading import local
from typing import Any

import numpy as np

from prefxl.columns import Column, Columns, largest_value
from prefxl.rules.conventions import Convention
from prefxl.rules.numbers import halves_up

#: The roundings that are known here.
ROUNDINGS = ("exact", "debts")

#: Games settled at a time: smaller blocks are nearer to the core, but more calls of numpy cost more than that saves.
BLOCK = 32768


class Alone:
    """Settles block after block into ``won`` (N, G), in any thread."""

    def __init__(self, columns: Columns, convention: Convention, rounding: str, won: Column) -> None:
        self.columns, self.convention, self.rounding, self.won = columns, convention, rounding, won
        self.threads = local()

    def settle(self, block: slice) -> None:
        """Settle the games of ``block``.

        Raises
        ------
        SheetError, TooNarrowError
            As for :meth:`prefxl.columns.Columns.check`.
        """
        room: Room | None = getattr(self.threads, "room", None)
        if room is None:
            room = self.threads.room = Room(len(self.won), min(BLOCK, self.columns.games), self.won.dtype)
        self.won[:, block] = results(self.columns, block, self.convention, self.rounding, room)


class Room:
    """Memory for one block of up to ``games`` games, used again and again by one thread."""

    def __init__(self, players: int, games: int, kind: Any) -> None:
        self.pulya, self.gora, self.more = (np.empty((players, games), kind) for _ in range(3))
        # nobody writes whists on oneself: the diagonal stays 0
        self.whists = np.zeros((players, players, games), kind)

    def take(self, columns: Columns, block: slice, convention: Convention) -> tuple[Column, Column, Column, Column]:
        """Return pulya, gora, spare room (N, B) and whists (N, N, B) of a block, in units.

        Raises
        ------
        SheetError, TooNarrowError
            As for :meth:`prefxl.columns.Columns.check`.
        """
        games = block.stop - block.start
        pulya, gora, more, whists = (room[..., :games] for room in (self.pulya, self.gora, self.more, self.whists))
        places = [*zip(pulya, columns.pulya, strict=True), *zip(gora, columns.gora, strict=True)]
        places += [
            (whists[seat, other], column)
            for seat, row in enumerate(columns.whists)
            for other, column in enumerate(row)
            if column is not None
        ]
        largest = 0
        for into, column in places:
            numbers = columns.units(column[block])
            # looked at and copied at once, while it is near; what does not fit is refused below
            largest = max(largest, largest_value(numbers))
            np.copyto(into, numbers, casting="unsafe")
        columns.check(largest, convention, pulya.dtype)
        return pulya, gora, more, whists


def results(columns: Columns, block: slice, convention: Convention, rounding: str, room: Room) -> Column:
    """Return what each wins (N, B), as numerators over what the rules have; they stand in ``room`` until the next call.

    Raises
    ------
    SheetError, TooNarrowError
        As for :meth:`prefxl.columns.Columns.check`.

    Source of the steps: ``prefxl.rules.settlement``, which takes them in the same order.
    """
    pulya, gora, more, whists = room.take(columns, block, convention)
    players, value = len(pulya), convention.whists_per_gora
    denominator = columns.unit * _equalise(pulya, gora, more, convention, columns.unit)
    if rounding == "debts":
        # amnesty: only a rounding sees it
        gora -= gora.min(axis=0)
    _multiply(gora, value.numerator)
    denominator *= value.denominator * convention.divisor_for(players)
    if rounding == "debts":
        gora[:] = halves_up(gora, denominator)
        denominator = 1
    everybody = gora.sum(axis=0, dtype=gora.dtype)
    _multiply(gora, -players)
    gora += everybody
    common = lcm(denominator, columns.unit)
    _multiply(gora, common // denominator)
    saldo = np.sum(whists, axis=1, dtype=gora.dtype, out=more)
    saldo -= whists.sum(axis=0, dtype=gora.dtype)
    _multiply(saldo, common // columns.unit)
    gora += saldo
    return gora


def _equalise(pulya: Column, gora: Column, more: Column, convention: Convention, unit: int) -> int:
    """Turn gora into what it is once the pulyas are equal; return what it was multiplied by to stay whole."""
    target, scale = _target(pulya, convention, unit)
    below, above, rates = convention.whole_rates
    _multiply(pulya, scale)
    missing = np.subtract(target, pulya, out=pulya)
    _multiply(gora, scale * rates)
    if below != above:
        over = np.maximum(missing, 0, out=more)
        _multiply(over, below - above)
        gora += over
    _multiply(missing, above)
    gora += missing
    return scale * rates


def _target(pulya: Column, convention: Convention, unit: int) -> tuple[Any, int]:
    """Return the target, and what it and the pulyas are multiplied by to stay whole."""
    if convention.target == "mean":
        return pulya.sum(axis=0, dtype=pulya.dtype), len(pulya)
    if convention.target == "largest":
        return pulya.max(axis=0), 1
    agreed = Fraction(convention.target) * unit
    return agreed.numerator, agreed.denominator


def _multiply(numbers: Column, factor: int) -> None:
    if factor != 1:
        numbers *= factor
