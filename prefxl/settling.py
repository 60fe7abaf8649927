"""Settling a season: the terms of each game, what cannot be settled, and the batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.batch import settle_columns
from prefxl.columns import Columns
from prefxl.errors import PrefxlError, RulesError, SheetError
from prefxl.findings import Finding
from prefxl.games import UNIT, Games
from prefxl.rules.conventions import Convention, find_convention, find_rounding
from prefxl.rules.payments import find_stake
from prefxl.rules.single import find_corrected
from prefxl.settled import Group, Positions, Settled, Terms


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
    own_terms = partial(_own_terms, standard=standard, fixed_rounding=rounding is not None, minor_units=minor_units)
    terms, problems = _terms_of_games(games, standard, own_terms)
    seats_corrected, more = _corrected_seats(games, corrected)
    problems |= more
    good = np.array([position not in problems for position in range(len(games))], dtype=bool)
    problems |= _unsettleable(games, terms, seats_corrected, good)
    kept = games if good.all() else games.take(good)
    groups = _settle_groups(kept, terms[good], seats_corrected[good])
    found = [problems[position] for position in sorted(problems)]
    if corrected is not None and len(games) and not is_met(corrected, games.who.names, games.max_seats):
        file = games.tables[0].file if games.tables else ""
        found.append(Finding("nobody-corrected", file, found=str(corrected)))
    return Settled(games=kept, groups=tuple(groups), terms=terms[good], problems=tuple(found))


def _terms_of_games(
    games: Games, standard: Terms, own_terms: Callable[[dict[str, Any]], Terms]
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
                seen[said] = own_terms(dict(said))
            terms[position] = seen[said]
        except PrefxlError as error:
            problems[position] = _problem(games, position, said[0][0], error, "unknown-setting")
    return terms, problems


def _own_terms(said: dict[str, Any], standard: Terms, *, fixed_rounding: bool, minor_units: int) -> Terms:
    """Return the terms of a game that says something itself."""
    rules = find_convention(said["convention"]) if "convention" in said else standard.convention
    if "target" in said:
        rules = rules.altered(target=said["target"])
    if "rounding" in said:
        rounding = find_rounding(str(said["rounding"]))
    else:
        rounding = standard.rounding if fixed_rounding or "convention" not in said else rules.rounding
    stake = find_stake(said["stake"], minor_units) if "stake" in said else standard.stake
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


def is_met(corrected: int | str, names: Iterable[str], seats: int) -> bool:
    """Tell whether the player whose gora is corrected, a name or a seat, may play in a season at all."""
    if isinstance(corrected, str):
        # nothing names nobody
        if corrected == "" or corrected.strip() in names:
            return True
        corrected = int(corrected) - 1 if corrected.strip().isdecimal() else -1
    return 0 <= corrected < seats


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
    lines = games.rows[: games.seats[position], position].tolist() if games.rows.size else [position]
    details = {"game": games.game[position], "rows": tuple(sorted(set(lines)))}
    return Finding(reason, file, sheet, cell, text, details | {"message_en": error.en, "message_ru": error.ru})


def _kinds(games: Games, terms: npt.NDArray[np.object_], among: npt.NDArray[np.bool_]) -> Iterator[Positions]:
    """Yield the positions of games that have as many players and the same terms."""
    keys = _codes(terms) * 8 + games.seats
    for key in np.unique(keys[among]):
        yield np.flatnonzero(among & (keys == key))


def _codes(terms: npt.NDArray[np.object_]) -> Positions:
    """(G,) equal numbers for equal terms."""
    # a million games share a few objects: told apart by identity first, for hashing house rules is slow
    identities = np.fromiter(map(id, terms), np.int64, len(terms))
    if not len(terms) or bool((identities == identities[0]).all()):
        return np.zeros(len(terms), np.int64)
    _, first, where = np.unique(identities, return_index=True, return_inverse=True)
    index: dict[Terms, int] = {}
    codes = np.empty(len(first), np.int64)
    for place in np.argsort(first):
        codes[place] = index.setdefault(terms[first[place]], len(index))
    return codes[where]


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
