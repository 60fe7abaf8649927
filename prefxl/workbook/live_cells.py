"""Results as plain formulas over the user's own cells, for ``--live``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from prefxl.errors import RulesError
from prefxl.games import UNIT, Games
from prefxl.live.formulas import check_formula, result_formulas
from prefxl.settled import Settled, Terms
from prefxl.tables import Table
from prefxl.workbook.package.coordinates import parse_reference

#: The number in a cell (sheet, row, column), 0 for an empty one; ``None`` for anything a formula cannot take.
Raw = Callable[[str, int, int], float | None]


@dataclass(frozen=True)
class LiveGame:
    """The formulas of one game: a result a seat, the check, and money where a formula can give it."""

    results: list[str]
    check: str
    money: list[str]


def live_game(settled: Settled, table: Table, position: int, results: Sequence[str], raw: Raw) -> LiveGame | None:
    """Return the formulas of a game, ``None`` where formulas would not give the game's results.

    That is so for the roundings by divisibility, and where a cell holds anything but
    the number that was settled: text such as ``½``, or a pulya kept downwards.

    Parameters
    ----------
    results
        The cells the results go to, a seat each.
    """
    games, terms = settled.games, settled.terms[position]
    cells = _Cells(games, table, position, raw)
    seats = range(int(games.seats[position]))
    pulya = [cells.name("pulya", seat) for seat in seats]
    gora = [cells.name("gora", seat) for seat in seats]
    whists = [[cells.name("whists", i, j) if i != j else "" for j in seats] for i in seats]
    if not cells.sound:
        return None
    try:
        formulas = result_formulas(terms.convention, terms.rounding, pulya, gora, whists)
    except RulesError:
        return None
    return LiveGame(formulas, check_formula(results), _money(settled, terms, position, results))


class _Cells:
    """Names the cells of one game, and holds each against the number that was settled."""

    def __init__(self, games: Games, table: Table, position: int, raw: Raw) -> None:
        self.games, self.table, self.position, self.raw = games, table, position, raw
        self.sound = True

    def name(self, field: str, seat: int, other: int | None = None) -> str:
        scores = {"pulya": self.games.pulya, "gora": self.games.gora}
        column = scores[field][seat] if other is None else self.games.whists[seat, other]
        settled = int(column[self.position]) / UNIT
        cell = self.games.cell(self.position, field, seat, other)[2]
        if not cell:
            # no such column: the reader took 0, and no change of the user's can alter it
            self.sound = self.sound and settled == 0
            return "0"
        row, at = parse_reference(cell)
        self.sound = self.sound and self.raw(self.table.sheet, row, at) == settled
        return cell


def _money(settled: Settled, terms: Terms, position: int, results: Sequence[str]) -> list[str]:
    """Return money as formulas where every whist is worth whole minor units, so that nothing is rounded away."""
    stake = terms.stake
    if stake is None or terms.rounding not in ("debts", "balanced"):
        return []
    if (stake.per_whist * stake.scale).denominator != 1:
        return []
    if any(number.denominator != 1 for number in settled.settlement(position).result_exact):
        return []
    return [f"=ROUND({cell}*{float(stake.per_whist)!r},{stake.minor_units})" for cell in results]
