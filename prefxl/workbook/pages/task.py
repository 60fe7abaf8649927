"""What a report is made of: the season, and how it is to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from prefxl.rules.payments import Stake
from prefxl.settled import Settled
from prefxl.workbook.canvas import Canvas
from prefxl.workbook.carried import Carried, Key
from prefxl.workbook.fill import Fill
from prefxl.workbook.package import Claimed
from prefxl.workbook.package.runs import ColumnsIn
from prefxl.workbook.words import sheet_title

#: Games whose result cells get a note with the derivation.
NOTED_GAMES = 2000

_LONGEST_LABEL = 40


@dataclass(eq=False)
class Task:
    """One report.

    Attributes
    ----------
    settled, canvas
        What is shown, and on what.
    with_games
        Whether there is a sheet with the games themselves.
    carried
        Ticks and remarks of an earlier run.
    noted_games
        How many games get notes.
    own
        Where by worksheet results of an earlier run stand: what was found there is no news.
    names
        The sheets drawn so far by their key; several where one did not suffice.
    fills
        Name of a worksheet's member to the rows that are still to be filled in.
    results, notes
        The columns of results on the sheets of games, and the texts of the notes there.
    """

    settled: Settled
    canvas: Canvas
    with_games: bool = True
    carried: Carried = field(default_factory=Carried)
    noted_games: int = NOTED_GAMES
    own: Mapping[str, ColumnsIn] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    fills: Mapping[str, Sequence[Fill]] = field(default_factory=dict)
    results: list[Claimed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def lang(self) -> str:
        """The language of the report."""
        return self.canvas.lang

    def lost(self) -> Iterator[str]:
        """Yield what the user wrote on our sheets of an earlier run and no row of today takes, as sentences."""
        sentences = [
            f"{self._place(key)}: {'; '.join(map(_shown, entry.values()))}" for key, entry in self.carried.lost()
        ]
        # what an earlier run told goes on being told until the user deletes the line
        yield from dict.fromkeys([*sentences, *self.carried.sentences])

    def _place(self, key: Key) -> str:
        words = [sheet_title(key[0], self.lang), *key[1:]]
        if key[0] == "payments" and len(key) > 2:
            words[1] = self.canvas.say(key[1]) if key[1] else ""
        return " · ".join(part for part in words if part)

    @property
    def kinds(self) -> dict[str, str]:
        """What each sheet drawn is, whatever it is called: its key, numbered where there are several."""
        return {
            title: key if number == 1 else f"{key}.{number}"
            for key, titles in self.names.items()
            for number, title in enumerate(titles, 1)
        }

    def seat_labels(self) -> list[str]:
        """Return a word a seat: the player's name where the same one always sits there, else the number."""
        return seat_labels(self.settled.games.players)


def _shown(value: object) -> str:
    return {True: "✓", False: "–"}[value] if isinstance(value, bool) else str(value)


def seat_labels(players: npt.NDArray[np.object_]) -> list[str]:
    """Return a word a seat for the (S, G) names: the names where each always has its seat, else the numbers.

    >>> seat_labels(np.array([["Аня", "Аня"], ["Боря", "Боря"]], dtype=object))
    ['Аня', 'Боря']
    >>> seat_labels(np.array([["Аня", "Аня"], ["Боря", "Вера"]], dtype=object))
    ['1', '2']
    """
    sat = [{str(name)[:_LONGEST_LABEL] for name in row if name is not None} for row in players]
    names = [next(iter(one)) for one in sat if len(one) == 1]
    # two seats of one name would give two columns of one heading
    if len(set(names)) == len(players):
        return names
    return [str(seat + 1) for seat in range(len(players))]


def result_sums(settled: Settled) -> npt.NDArray[np.float64]:
    """Return (G,) the exact sum of each game's results [whists]; 0 unless ``truncate`` left a residual."""
    sums = np.zeros(len(settled))
    for group in settled.groups:
        sums[group.positions] = group.done.numerators.sum(axis=1) / group.done.denominator
    return sums


def money_by_seat(settled: Settled) -> npt.NDArray[np.float64] | None:
    """Return (S, G) money, NaN at empty seats and games without a stake; ``None`` where no game has one."""
    values = np.full((settled.games.max_seats, len(settled)), np.nan)
    for group in settled.groups:
        won = group.done.money
        if won is not None:
            values[: group.done.columns.players, group.positions] = won.T
    return None if np.isnan(values).all() else values


def price(stake: Stake, lang: str) -> str:
    """Return what a whist costs, as people write it.

    >>> from prefxl.rules.payments import find_stake
    >>> price(find_stake("0.005"), "ru"), price(find_stake("1234567.25"), "en"), price(find_stake(3), "ru")
    ('0,005', '1234567.25', '3')
    """
    places = next((at for at in range(19) if 10**at % stake.per_whist.denominator == 0), None)
    if not places:
        return str(stake.per_whist)
    text = f"{Decimal(stake.per_whist.numerator) / stake.per_whist.denominator:.{places}f}"
    return text.replace(".", ",") if lang == "ru" else text


def prices(settled: Settled, lang: str) -> list[str]:
    """Return what a whist costs in this season, every stake once, the lowest first."""
    found = {terms.stake.per_whist: terms.stake for terms in settled.ways if terms.stake is not None}
    return [price(found[each], lang) for each in sorted(found)]


def minor_units(settled: Settled) -> int:
    """Return the decimals money is shown with."""
    return max((terms.stake.minor_units for terms in settled.ways if terms.stake is not None), default=2)
