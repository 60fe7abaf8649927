"""Sums of a season that add up from its parts in any order: a table of standings for any number of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from prefxl.batch import Settlements
from prefxl.games import UNIT
from prefxl.season.ledger import exact_sums
from prefxl.settled import Settled
from prefxl.stream.cells import Integers
from prefxl.stream.settling import Group

#: Columns of the table: those of ``prefxl.season.standings`` that need no game twice.
SUM_COLUMNS = (
    "rank", "shared", "player", "games", "won", "lost", "level", "won_share", "first", "sum", "sum_exact", "average",
    "best", "worst", "pulya", "gora", "whists_written", "whists_received", "money",
)  # fmt: skip

#: What is counted or summed of each player, whole or as exact fractions.
_ADDED = (
    "games", "won", "lost", "level", "first", "sum", "pulya", "gora", "whists_written", "whists_received", "staked",
    "money",
)  # fmt: skip


@dataclass
class Sums:
    """Player to the sums of their games; exact, so that the order of adding does not matter."""

    players: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, other: Sums) -> Sums:
        """Return this with the other's sums added; the other stays as it is."""
        for name, theirs in other.players.items():
            ours = self.players.get(name)
            if ours is None:
                self.players[name] = dict(theirs)
                continue
            for column in _ADDED:
                ours[column] += theirs[column]
            ours["best"] = max(ours["best"], theirs["best"])
            ours["worst"] = min(ours["worst"], theirs["worst"])
        return self

    @staticmethod
    def total(parts: Iterable[Sums]) -> Sums:
        """Return the sums of several parts."""
        whole = Sums()
        for part in parts:
            whole.add(part)
        return whole

    def frame(self) -> pd.DataFrame:
        """Return a row a player, best sum first, columns :data:`SUM_COLUMNS`."""
        names = sorted(self.players, key=lambda name: (-self.players[name]["sum"], name))
        sums = [self.players[name]["sum"] for name in names]
        times = Counter(sums)
        rows = [
            {"rank": sums.index(own) + 1, "shared": times[own] > 1} | _shown(name, self.players[name])
            for name, own in zip(names, sums, strict=True)
        ]
        return pd.DataFrame(rows, columns=list(SUM_COLUMNS))


def _shown(name: str, sums: dict[str, Any]) -> dict[str, Any]:
    games = sums["games"]
    shown = {column: sums[column] for column in ("games", "won", "lost", "level", "first")}
    fractions = ("sum", "best", "worst", "pulya", "gora", "whists_written", "whists_received")
    return {
        **shown,
        **{column: float(sums[column]) for column in fractions},
        "player": name,
        "won_share": sums["won"] / games,
        "sum_exact": str(sums["sum"]),
        "average": float(sums["sum"] / games),
        "money": float(sums["money"]) if sums["staked"] else np.nan,
    }


@dataclass(frozen=True, eq=False)
class _Scores:
    """Games of as many players: (N, G) players as codes, and what stood on their sheets, in units."""

    names: list[str]
    codes: Integers
    pulya: Integers
    gora: Integers
    written: Integers
    received: Integers
    unit: int

    def sums(self, done: Settlements) -> Sums:
        """Return the sums of these games."""
        codes = self.codes.ravel().astype(np.int64)
        won, denominator = done.kept["result"]
        flat = won.astype(np.int64, copy=False).ravel()
        money = np.zeros_like(flat) if done.money_units is None else done.money_units.ravel()
        scale = done.stake.scale if done.stake is not None else 1
        counted = {
            "won": (flat > 0, 1), "lost": (flat < 0, 1), "level": (flat == 0, 1),
            "first": ((won == won.max(axis=0)).ravel(), 1), "sum": (flat, denominator),
            "pulya": (self.pulya.ravel(), self.unit), "gora": (self.gora.ravel(), self.unit),
            "whists_written": (self.written.ravel(), self.unit), "money": (money, scale),
            "whists_received": (self.received.ravel(), self.unit),
        }  # fmt: skip
        players = len(self.names)
        added = {name: (exact_sums(codes, values, players), over) for name, (values, over) in counted.items()}
        games = np.bincount(codes, minlength=players)
        best, worst = np.full(players, flat.min(initial=0)), np.full(players, flat.max(initial=0))
        np.maximum.at(best, codes, flat)
        np.minimum.at(worst, codes, flat)
        return Sums(
            {
                name: {column: _exact(values[code], over) for column, (values, over) in added.items()}
                | {"games": int(games[code]), "staked": int(games[code]) * (done.stake is not None)}
                | {"best": Fraction(int(best[code]), denominator), "worst": Fraction(int(worst[code]), denominator)}
                for code, name in enumerate(self.names)
                if games[code]
            }
        )


def _exact(value: Any, denominator: int) -> int | Fraction:
    return int(value) if denominator == 1 else Fraction(int(value), denominator)


def sums_of_group(group: Group) -> Sums:
    """Return the sums of a group of a streamed piece."""
    columns, seats = group.done.columns, range(group.players)
    codes = np.stack([group.batch.codes[seat][group.at] for seat in seats])
    pulya, gora = np.stack(columns.pulya), np.stack(columns.gora)
    written = np.stack([_total(columns.whists[i][j] for j in seats if i != j) for i in seats])
    received = np.stack([_total(columns.whists[j][i] for j in seats if i != j) for i in seats])
    return _Scores(group.batch.names, codes, pulya, gora, written, received, columns.unit).sums(group.done)


def _total(columns: Iterable[Any]) -> Integers:
    total: Integers = np.sum([column.astype(np.int64, copy=False) for column in columns], axis=0)
    return total


def sums_of_aside(settled: Settled) -> Sums:
    """Return the sums of a settled season."""
    games = settled.games
    parts = []
    for group in settled.groups:
        at, players = group.positions, group.done.columns.players
        codes, names = pd.factorize(games.players[:players, at].ravel())
        whists = games.whists[:players, :players, at]
        scores = _Scores(
            names=[str(name) for name in names],
            codes=codes.reshape(players, -1),
            pulya=games.pulya[:players, at],
            gora=games.gora[:players, at],
            written=whists.sum(axis=1),
            received=whists.sum(axis=0),
            unit=UNIT,
        )
        parts.append(scores.sums(group.done))
    return Sums.total(parts)
