"""A settled season: tidy frames of every step, pair by pair results, and what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from prefxl.batch import STEPS, Settlements, exact_coded, exact_text
from prefxl.coded import Coded
from prefxl.findings import Finding
from prefxl.games import UNIT, Games, whole_or_float
from prefxl.picked import settlements
from prefxl.rules.conventions import Convention
from prefxl.rules.payments import Stake
from prefxl.rules.single import Settlement

if TYPE_CHECKING:
    from pathlib import Path

    from prefxl.season.ledger import Ledger

#: The columns of ``Settled.steps``, in order; the user's own columns follow.
STEP_COLUMNS = (
    "game",
    "date",
    "seat",
    "player",
    "pulya",
    "gora",
    "adjusted_gora",
    "amnestied_gora",
    "debt",
    "final_gora",
    "saldo",
    "correction",
    "result",
    "result_exact",
    "money",
    "convention",
    "rounding",
)

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Terms:
    """What one game is settled by: house rules, rounding and stake."""

    convention: Convention
    rounding: str
    stake: Stake | None


@dataclass(frozen=True, eq=False)
class Group:
    """The games of one season that have as many players and the same terms.

    ``positions`` (G_group,) are their places in the season; ``done`` is the batch.
    """

    positions: Positions
    done: Settlements


@dataclass(frozen=True, eq=False)
class Settled:
    """A settled season.

    Attributes
    ----------
    games
        The games that could be settled, in their order.
    groups
        The batches they were settled in.
    terms
        (G,) what each game was settled by.
    problems
        Findings of the settlement itself, besides those of reading.
    """

    games: Games
    groups: tuple[Group, ...]
    terms: npt.NDArray[np.object_]
    problems: tuple[Finding, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.games)

    @property
    def lang(self) -> str:
        """The language of the input's headings."""
        return self.games.lang

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Everything found: in reading, in settling, and notes on single games."""
        from prefxl.remarks import remarks

        return (*self.games.findings, *self.problems, *remarks(self))

    @cached_property
    def steps(self) -> pd.DataFrame:
        """One row a player a game, columns :data:`STEP_COLUMNS`, then the user's own."""
        columns = {name: one.array() if isinstance(one, Coded) else one for name, one in self.step_columns().items()}
        frame, own = pd.DataFrame(columns), self.own_columns()
        return pd.concat([frame, own], axis=1) if len(own.columns) else frame

    def own_columns(self) -> pd.DataFrame:
        """Return the user's own columns, a row a player a game, renamed where one is called like a column of ours."""
        own = self.games.own.reset_index(drop=True)
        return own.rename(columns={name: f"{name} (own)" for name in own.columns if name in STEP_COLUMNS})

    def step_columns(self) -> dict[str, npt.NDArray[Any] | Coded]:
        """Return the columns :data:`STEP_COLUMNS`, each with a row a player a game."""
        games, who = self.games, self.games.who
        columns: dict[str, Any] = {
            "game": np.repeat(games.game, games.seats),
            "date": np.repeat(games.date, games.seats),
            "seat": games.by_player(np.broadcast_to(np.arange(1, games.max_seats + 1)[:, None], games.pulya.shape)),
            "player": Coded(who.names, games.by_player(who.codes)),
            "pulya": whole_or_float(games.by_player(games.pulya) / UNIT),
            "gora": whole_or_float(games.by_player(games.gora) / UNIT),
        }
        columns |= {step: whole_or_float(self.by_player(step)) for step in STEPS}
        columns["result_exact"] = self._exact_coded("result")
        columns["money"] = self.money()
        for name, by_game in self._named_terms().items():
            columns[name] = Coded(by_game.values, np.repeat(by_game.codes, games.seats))
        return {name: columns[name] for name in STEP_COLUMNS}

    def _named_terms(self) -> dict[str, Coded]:
        """Return (G,) convention and rounding of each game; the games of a group have the same."""
        codes = np.zeros(len(self), np.int32)
        for number, group in enumerate(self.groups):
            codes[group.positions] = number
        terms: list[Terms] = [self.terms[group.positions[0]] for group in self.groups]
        return {
            "convention": Coded([one.convention.name for one in terms], codes),
            "rounding": Coded([one.rounding for one in terms], codes),
        }

    @cached_property
    def ways(self) -> Counter[Terms]:
        """The different terms, and how many games are settled by each, in the order of the first of these."""
        found: Counter[Terms] = Counter()
        for group in sorted(self.groups, key=lambda group: int(group.positions[0])):
            found[self.terms[group.positions[0]]] += len(group.positions)
        return found

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row a game: ``game date player_1 .. result_1 .. residual convention rounding``."""
        games, results = self.games, self.by_seat("result")
        columns: dict[str, Any] = {"game": games.game, "date": games.date}
        for seat in range(games.max_seats):
            columns[f"player_{seat + 1}"] = games.players[seat]
        for seat in range(games.max_seats):
            columns[f"result_{seat + 1}"] = whole_or_float(results[seat])
        columns["residual"] = whole_or_float(np.round(-np.nansum(results, axis=0), 9) + 0.0)
        columns |= {name: by_game.array() for name, by_game in self._named_terms().items()}
        return pd.DataFrame(columns)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """One row an ordered pair a game: ``game date player opponent saldo result result_exact``.

        ``result`` is what the player wins from the opponent [whists]; under ``truncate`` and
        ``balanced`` it is exact, and the difference from the player's result is the rounding.
        """
        parts = [part for group in self.groups for part in self._pairs_of(group)]
        if not parts:
            names = ("game", "date", "player", "opponent", "saldo", "result", "result_exact")
            return pd.DataFrame({name: [] for name in names})
        frame = pd.concat(parts, ignore_index=True)
        frame = frame.sort_values(["position", "seat", "other"], kind="stable", ignore_index=True)
        return frame.drop(columns=["position", "seat", "other"])

    def _pairs_of(self, group: Group) -> Iterator[pd.DataFrame]:
        games, done, at = self.games, group.done, group.positions
        for i in range(done.columns.players):
            for j in range(done.columns.players):
                if i == j:
                    continue
                won = done.pair_numerators(i, j)
                yield pd.DataFrame(
                    {
                        "position": at,
                        "seat": i,
                        "other": j,
                        "game": games.game[at],
                        "date": games.date[at],
                        "player": games.players[i, at],
                        "opponent": games.players[j, at],
                        "saldo": (games.whists[i, j, at] - games.whists[j, i, at]) / UNIT,
                        "result": won / done.pair_denominator,
                        "result_exact": exact_text(won, done.pair_denominator),
                    }
                )

    def by_seat(self, step: str) -> npt.NDArray[np.float64]:
        """Return a step as floats, (S, G), NaN at empty seats."""
        values = np.full((self.games.max_seats, len(self)), np.nan)
        for group in self.groups:
            values[: group.done.columns.players, group.positions] = group.done.floats(step).T
        return values

    def by_player(self, step: str) -> npt.NDArray[np.float64]:
        """Return a step as floats with a row a player a game."""
        return self.games.by_player(self.by_seat(step))

    def exact_texts(self, step: str = "result") -> npt.NDArray[np.object_]:
        """Return a step as text (``38``, ``-205/2``) with a row a player a game."""
        return self._exact_coded(step).array()

    def _exact_coded(self, step: str) -> Coded:
        codes, texts = np.zeros((self.games.max_seats, len(self)), np.int64), list[str]()
        for group in self.groups:
            told = exact_coded(*group.done.amounts[step])
            codes[: group.done.columns.players, group.positions] = told.codes + len(texts)
            texts += told.values
        return Coded(texts, self.games.by_player(codes))

    def money(self) -> npt.NDArray[np.float64]:
        """Return the money with a row a player a game, NaN for games without a stake."""
        values = np.full((self.games.max_seats, len(self)), np.nan)
        for group in self.groups:
            won = group.done.money
            if won is not None:
                values[: group.done.columns.players, group.positions] = won.T
        return self.games.by_player(values)

    def settlement(self, position: int) -> Settlement:
        """Return one game as a :class:`Settlement`, every step exact, to explain or to draw."""
        (_, found), *_ = self.settlements(np.array([position]))
        return found

    def settlements(self, positions: Positions) -> Iterator[tuple[int, Settlement]]:
        """Yield position and :class:`Settlement` of many games at once, group by group."""
        players = self.games.players
        for group in self.groups:
            rows = np.searchsorted(group.positions, positions).clip(max=len(group.positions) - 1)
            rows = rows[group.positions[rows] == positions]
            at = group.positions[rows]
            seated = players[: group.done.columns.players, at].T.tolist()
            names = [tuple(map(str, row)) for row in seated]
            yield from zip(at.tolist(), settlements(group.done, rows, names), strict=True)

    @cached_property
    def ledger(self) -> Ledger:
        """Who won how much in which game, as exact integer columns: what the season's tables add up from."""
        from prefxl.season.ledger import make_ledger

        return make_ledger(self)

    def standings(self, **options: Any) -> pd.DataFrame:
        """Return the table of the season: see :func:`prefxl.season.standings`."""
        from prefxl.season import standings

        return standings(self, **options)

    def head_to_head(self, **options: Any) -> pd.DataFrame:
        """Return what each won from each: see :func:`prefxl.season.head_to_head`."""
        from prefxl.season import head_to_head

        return head_to_head(self, **options)

    def cumulative(self, **options: Any) -> pd.DataFrame:
        """Return every player's sum after every game: see :func:`prefxl.season.cumulative`."""
        from prefxl.season import cumulative

        return cumulative(self, **options)

    def payments(self, kind: str = "fewest", **options: Any) -> pd.DataFrame:
        """Return who pays whom: see :func:`prefxl.season.payments`."""
        from prefxl.season import payments

        return payments(self, kind, **options)

    def months(self, **options: Any) -> pd.DataFrame:
        """Return one row a player a month: see :func:`prefxl.season.months`."""
        from prefxl.season import months

        return months(self, **options)

    def ratings(self, **options: Any) -> pd.DataFrame:
        """Return everybody's pairwise Elo: see :func:`prefxl.season.ratings`."""
        from prefxl.season import ratings

        return ratings(self, **options)

    def compare(self, **options: Any) -> pd.DataFrame:
        """Return every game under every convention: see :func:`prefxl.compare.compare`."""
        from prefxl.compare import compare

        return compare(self, **options)

    def write(self, path: str | Path, **options: Any) -> Path:
        """Write ``.xlsx``, ``.csv`` or ``.parquet``: see :func:`prefxl.output.write`."""
        from prefxl.output import write

        return write(self, path, **options)
