"""Where things are on a live form, and where its intermediate numbers get their cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prefxl.live.form_words import word
from prefxl.live.plan import Plan, cell, fixed
from prefxl.live.seats import BySeat, Cells
from prefxl.rules.conventions import CONVENTIONS

#: The worksheet of the rules, and where its tables stand (rows counted from 1).
RULES_SHEET = "Правила"
CONVENTION_ROWS = (5, 4 + len(CONVENTIONS))
ROUNDING_ROWS = (CONVENTION_ROWS[1] + 4, CONVENTION_ROWS[1] + 7)

#: Rows of the form, counted from 0.
TITLE, SUBTITLE, CAPTION, HEADING, FIRST = 0, 1, 3, 4, 5
#: Columns, counted from 0.
SEAT, PLAYER, PULYA, GORA, WHISTS = 0, 1, 2, 3, 4


@dataclass(frozen=True, slots=True)
class Shape:
    """Where things are on the form of so many players."""

    players: int

    @property
    def convention(self) -> int:
        """The column of the convention; rounding and target stand beside it."""
        return WHISTS + self.players

    @property
    def last(self) -> int:
        """The last column that is printed."""
        return self.convention + 2

    @property
    def status(self) -> int:
        """The row of the status and the check, a blank row below the table."""
        return FIRST + self.players + 1

    @property
    def drawing(self) -> int:
        """The first row of the drawn sheet."""
        return self.status + 3

    @property
    def steps(self) -> int:
        """The row of the heading of the steps."""
        return self.drawing + (13 if self.players == 4 else 9)

    @property
    def pairs(self) -> int:
        """The row of the heading of the pairs."""
        return self.steps + 10

    @property
    def end(self) -> int:
        """The last row that is printed."""
        return self.pairs + self.players

    @property
    def helpers(self) -> int:
        """The first column of the exact numbers, right of what is printed."""
        return self.last + 2

    def rows(self, first_column: int, last_column: int) -> tuple[int, int, int, int]:
        """Return the players' rows of some columns."""
        return FIRST, first_column, FIRST + self.players - 1, last_column

    def input_cells(self) -> Cells:
        """Return the cells that are filled in."""
        seats = range(self.players)
        return Cells(
            [fixed(FIRST + seat, PULYA) for seat in seats],
            [fixed(FIRST + seat, GORA) for seat in seats],
            [[fixed(FIRST + seat, WHISTS + other) for other in seats] for seat in seats],
        )


class Ledger(Cells):
    """Cells whose intermediate numbers get cells of their own, beside the printed page."""

    def __init__(self, plan: Plan, shape: Shape) -> None:
        seats = range(shape.players)
        super().__init__(
            [fixed(FIRST + seat, PULYA) for seat in seats],
            [fixed(FIRST + seat, GORA) for seat in seats],
            [[fixed(FIRST + seat, WHISTS + other) for other in seats] for seat in seats],
        )
        self._plan, self._first = plan, shape.helpers
        self._columns: dict[str, int] = {}
        self._ones: dict[str, str] = {}
        saldo = self.each("saldo", super().saldo)
        self._saldo: BySeat = saldo

    def saldo(self, seat: int) -> str:
        """Return the cell of the saldo."""
        return self._saldo(seat)

    def each(self, name: str, number: BySeat) -> BySeat:
        """Give a number of every seat a column of cells."""
        if name not in self._columns:
            column = self._columns[name] = self._first + len(self._columns)
            # below its numbers: in the row of the heading a reader would take it for a column of the table
            self._plan.put(FIRST + self.players, column, "helper head", name)
            for seat in range(self.players):
                self._plan.put(FIRST + seat, column, "helper", f"={number(seat)}")
        column = self._columns[name]
        return lambda seat: fixed(FIRST + seat, column)

    def once(self, name: str, text: str, shown: Any = 0) -> str:
        """Give one number a cell."""
        if name not in self._ones:
            row = FIRST + self.players + 2 + len(self._ones)
            self._plan.put(row, self._first, "helper head", name)
            self._ones[name] = self._plan.put(row, self._first + 1, "helper", f"={text}", shown)
        return self._ones[name]


def name_of(shape: Shape, seat: int, lang: str) -> tuple[str, str]:
    """Return the formula (without ``=``) of the name to show for ``seat``, and what a blank form shows."""
    # not "Player 1", which is how tables are headed: a reader would take it for one
    typed, nobody = fixed(FIRST + seat, PLAYER), f"{word('number', lang)} {seat + 1}"
    return f'IF({typed}="","{nobody}",{typed})', nobody


def highlight_result(plan: Plan, where: tuple[int, int, int, int]) -> None:
    """Plan the colours of a result, and its fraction where it is not whole."""
    plan.highlight(where, "winner", type="cell", criteria=">", value=0)
    plan.highlight(where, "loser", type="cell", criteria="<", value=0)
    highlight_fractions(plan, where, "signed fraction")


def highlight_fractions(plan: Plan, where: tuple[int, int, int, int], style: str) -> None:
    """Plan that a number that is not whole is shown as an exact fraction."""
    first = cell(where[0], where[1])
    plan.highlight(where, style, type="formula", criteria=f"=IF(ISNUMBER({first}),{first}<>INT({first}),FALSE)")
