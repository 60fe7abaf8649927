"""A settled season: tidy frames of every step, pair by pair results, and what was found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from prefxl.batch import STEPS, Settlements, exact_text, settle_columns
from prefxl.columns import Columns
from prefxl.errors import PrefxlError, RulesError, SheetError
from prefxl.findings import Finding
from prefxl.games import UNIT, Games, whole_or_float
from prefxl.rules.conventions import Convention, find_convention, find_rounding
from prefxl.rules.payments import Stake, find_stake
from prefxl.rules.rounding import work
from prefxl.rules.settlement import Sheet
from prefxl.rules.single import Settlement, find_corrected

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
        games = self.games
        columns: dict[str, Any] = {
            "game": np.repeat(games.game, games.seats),
            "date": np.repeat(games.date, games.seats),
            "seat": games.by_player(np.broadcast_to(np.arange(1, games.max_seats + 1)[:, None], games.pulya.shape)),
            "player": games.by_player(games.players),
            "pulya": whole_or_float(games.by_player(games.pulya) / UNIT),
            "gora": whole_or_float(games.by_player(games.gora) / UNIT),
        }
        columns |= {step: whole_or_float(self.by_player(step)) for step in STEPS}
        columns["result_exact"] = self.exact_texts()
        columns["money"] = self.money()
        names = [(terms.convention.name, terms.rounding) for terms in self.terms]
        for index, name in enumerate(("convention", "rounding")):
            values = np.empty(len(names), dtype=object)
            values[:] = [pair[index] for pair in names]
            columns[name] = np.repeat(values, games.seats)
        frame = pd.DataFrame({name: columns[name] for name in STEP_COLUMNS})
        own = _apart_from(games.own.reset_index(drop=True), frame)
        return pd.concat([frame, own], axis=1) if len(own.columns) else frame

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
        columns["convention"] = [terms.convention.name for terms in self.terms]
        columns["rounding"] = [terms.rounding for terms in self.terms]
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
        texts = np.empty((self.games.max_seats, len(self)), dtype=object)
        for group in self.groups:
            numerators, denominator = group.done.amounts[step]
            texts[: group.done.columns.players, group.positions] = exact_text(numerators, denominator)
        return self.games.by_player(texts)

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
        games, terms = self.games, self.terms[position]
        seats = range(int(games.seats[position]))
        sheet = Sheet(
            pulya=tuple(int(games.pulya[i, position]) for i in seats),
            gora=tuple(int(games.gora[i, position]) for i in seats),
            whists=tuple(tuple(int(games.whists[i, j, position]) for j in seats) for i in seats),
            unit=UNIT,
            corrected=int(self._corrected[position]),
        )
        return Settlement(
            players=tuple(str(name) for name in games.names(position)),
            sheet=sheet,
            work=work(sheet, terms.convention, terms.rounding),
            exact=work(sheet, terms.convention, "exact"),
            stake=terms.stake,
        )

    @cached_property
    def _corrected(self) -> Positions:
        named = np.full(len(self), -1, np.int64)
        for group in self.groups:
            named[group.positions] = group.done.columns.corrected
        return named

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

    def write(self, path: str | Path, **options: Any) -> Path:
        """Write ``.xlsx``, ``.csv`` or ``.parquet``: see :func:`prefxl.output.write`."""
        from prefxl.output import write

        return write(self, path, **options)


def _apart_from(own: pd.DataFrame, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the user's own columns, renamed where one is called like a column of ours."""
    return own.rename(columns={name: f"{name} (own)" for name in own.columns if name in frame.columns})


def settle_games(
    games: Games,
    convention: str | Convention | None = None,
    *,
    rounding: str | None = None,
    corrected: int | str | None = None,
    stake: Any = None,
    minor_units: int = 2,
    **house_rules: Any,
) -> Settled:
    """Settle every game of a season, all games of a kind at once.

    What a game's own columns say (convention, rounding, corrected, stake, target) goes
    before the arguments. A game that cannot be settled becomes a finding.

    Parameters
    ----------
    games
        The season; not changed.
    convention, rounding, corrected, stake, minor_units
        As for :func:`prefxl.settle`; ``corrected`` may be a name.
    **house_rules
        ``target``, ``below``, ``above``, ``whists_per_gora``, ``divisor``.

    Raises
    ------
    RulesError, OptionError
        If an argument itself means nothing.
    """
    rules = find_convention(convention).altered(**house_rules)
    standard = Terms(
        rules,
        find_rounding(rounding) if rounding is not None else rules.rounding,
        find_stake(stake, minor_units),
    )
    terms, problems = _terms_of_games(games, standard, fixed_rounding=rounding is not None)
    seats_corrected, more = _corrected_seats(games, corrected)
    problems |= more
    good = np.array([position not in problems for position in range(len(games))], dtype=bool)
    problems |= _unsettleable(games, terms, seats_corrected, good)
    kept = games if good.all() else games.take(good)
    groups = _settle_groups(kept, terms[good], seats_corrected[good])
    found = tuple(problems[position] for position in sorted(problems))
    return Settled(games=kept, groups=tuple(groups), terms=terms[good], problems=found)


def _terms_of_games(
    games: Games, standard: Terms, *, fixed_rounding: bool
) -> tuple[npt.NDArray[np.object_], dict[int, Finding]]:
    terms = np.empty(len(games), dtype=object)
    terms[:] = standard
    problems: dict[int, Finding] = {}
    given = {name: values for name, values in games.settings.items() if name != "corrected"}
    seen: dict[tuple[Any, ...], Terms] = {}
    for position in range(len(games)) if given else ():
        said = tuple((name, values[position]) for name, values in given.items() if not _blank(values[position]))
        if not said:
            continue
        try:
            if said not in seen:
                seen[said] = _own_terms(dict(said), standard, fixed_rounding)
            terms[position] = seen[said]
        except PrefxlError as error:
            problems[position] = _problem(games, position, said[0][0], error, "unknown-setting")
    return terms, problems


def _own_terms(said: dict[str, Any], standard: Terms, fixed_rounding: bool) -> Terms:
    """Return the terms of a game that says something itself."""
    rules = find_convention(said["convention"]) if "convention" in said else standard.convention
    if "target" in said:
        rules = rules.altered(target=said["target"])
    if "rounding" in said:
        rounding = find_rounding(str(said["rounding"]))
    else:
        rounding = standard.rounding if fixed_rounding or "convention" not in said else rules.rounding
    places = standard.stake.minor_units if standard.stake else 2
    stake = find_stake(said["stake"], places) if "stake" in said else standard.stake
    return Terms(rules, rounding, stake)


def _blank(value: Any) -> bool:
    return value is None or value != value or (isinstance(value, str) and not value.strip())


def _corrected_seats(games: Games, corrected: int | str | None) -> tuple[Positions, dict[int, Finding]]:
    seats = np.full(len(games), -1, np.int64)
    problems: dict[int, Finding] = {}
    column = games.settings.get("corrected")
    if column is None and corrected is None:
        return seats, problems
    for position in range(len(games)):
        own = column is not None and not _blank(column[position])
        try:
            named = column[position] if own and column is not None else corrected
            seats[position] = find_corrected(_seat_or_name(named, from_one=own), games.names(position))
        except SheetError as error:
            # a name given for the whole season need not play in every game
            if own:
                problems[position] = _problem(games, position, "corrected", error, "unknown-corrected", str(named))
    return seats, problems


def _seat_or_name(named: Any, *, from_one: bool) -> int | str | None:
    """Return a seat from 0, or a name; in a sheet seats count from 1."""
    if isinstance(named, (int, float)) and not isinstance(named, bool):
        return int(named) - from_one
    return None if named is None else str(named)


def _problem(
    games: Games, position: int, column: str, error: PrefxlError, reason: str, found: str | None = None
) -> Finding:
    file, sheet, cell = games.cell(position, column)
    text = found if found is not None else str(games.settings.get(column, games.game)[position])
    return Finding(reason, file, sheet, cell, text, {"message_en": error.en, "message_ru": error.ru})


def _kinds(games: Games, terms: npt.NDArray[np.object_], among: npt.NDArray[np.bool_]) -> Iterator[Positions]:
    """Yield the positions of games that have as many players and the same terms."""
    codes = {one: code for code, one in enumerate(dict.fromkeys(terms))}
    numbers = np.array([codes[one] for one in terms], np.int64) if len(codes) > 1 else np.zeros(len(terms), np.int64)
    keys = numbers * 8 + games.seats
    for key in np.unique(keys[among]):
        yield np.flatnonzero(among & (keys == key))


def _columns(games: Games, at: Positions, corrected: Positions) -> Columns:
    players = int(games.seats[at[0]])
    chosen: Any = slice(None) if len(at) == len(games) else at
    named: Any = corrected[chosen]
    return Columns(
        pulya=tuple(games.pulya[i][chosen] for i in range(players)),
        gora=tuple(games.gora[i][chosen] for i in range(players)),
        whists=tuple(
            tuple(None if i == j else games.whists[i, j][chosen] for j in range(players)) for i in range(players)
        ),
        unit=UNIT,
        corrected=-1 if bool((named < 0).all()) else named,
    )


def _unsettleable(
    games: Games, terms: npt.NDArray[np.object_], corrected: Positions, good: npt.NDArray[np.bool_]
) -> dict[int, Finding]:
    """Return findings for games whose rounding cannot be applied, and clear them in ``good``."""
    problems: dict[int, Finding] = {}
    for at in _kinds(games, terms, good):
        one: Terms = terms[at[0]]
        if not one.rounding.startswith("divisible"):
            continue
        left = at
        while len(left):
            try:
                settle_columns(_columns(games, left, corrected), one.convention, rounding=one.rounding, steps=False)
                break
            except RulesError as error:
                if not error.rows:
                    error = RulesError(error.en, error.ru, tuple(range(len(left))))
                for row in error.rows:
                    position = int(left[row])
                    problems[position] = _problem(
                        games, position, "game", error, "cannot-settle", str(games.game[position])
                    )
                left = np.delete(left, error.rows)
        good[list(problems)] = False
    return problems


def _settle_groups(games: Games, terms: npt.NDArray[np.object_], corrected: Positions) -> Iterator[Group]:
    for at in _kinds(games, terms, np.ones(len(games), bool)):
        one: Terms = terms[at[0]]
        columns = _columns(games, at, corrected)
        yield Group(at, settle_columns(columns, one.convention, rounding=one.rounding, stake=one.stake))


def exact(text: str) -> Fraction:
    """Return the number a ``result_exact`` text stands for."""
    return Fraction(text)
