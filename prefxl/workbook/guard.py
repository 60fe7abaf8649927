"""Check cells that see their game's rows leave: results beside a table do not follow when the table is sorted.

A table of Excel's, or a filter, sorts its own columns and nothing beside them. A number that stands
beside it would then stand beside another game, and somebody would pay it. So the check cell of such a
game is a formula over the game's own cells, and says when they are not what was settled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeGuard

from prefxl.games import Games
from prefxl.tables import Table, cell_name
from prefxl.workbook.package import Area, SheetInspection
from prefxl.workbook.package.coordinates import parse_reference
from prefxl.workbook.words import phrase

#: What a cell (sheet, row, column) holds: a number, a text, ``""`` for nothing; anything else is not looked at.
Content = Callable[[str, int, int], Any]

#: Excel takes no longer text in a formula [characters].
_LONGEST = 255


def stands_apart(sheet: SheetInspection, table: Table, columns: Sequence[int]) -> bool:
    """Tell whether a table's rows can be sorted without the columns beside it."""
    rows = Area(table.first_row, table.first_column, table.last_row, table.last_column)
    return any(area.meets(rows) and columns[0] not in area.columns for area in sheet.sorted_apart)


def contents(path: Path) -> Content:
    """Return a function that answers what a cell of a workbook holds; the file is read when first asked."""
    sheets: dict[str, list[list[Any]]] = {}
    books: list[Any] = []

    def content(sheet: str, row: int, column: int) -> Any:
        if sheet not in sheets:
            from prefxl.sheets.workbook import open_book

            books[:] = books or [open_book(path)]
            sheets[sheet] = books[0].get_sheet_by_name(sheet).to_python(skip_empty_area=False)
        rows = sheets[sheet]
        return rows[row - 1][column - 1] if row <= len(rows) and column <= len(rows[row - 1]) else ""

    return content


@dataclass(frozen=True)
class Guard:
    """Writes the check formulas of one table.

    Attributes
    ----------
    games, table
        The season, and the table of it.
    content
        What the cells hold.
    lang
        The language of the word that is shown.
    """

    games: Games
    table: Table
    content: Content
    lang: str

    def check(self, position: int, total: int | float, live: str | None) -> str | None:
        """Return the check formula of a game, ``None`` where a number will do.

        Parameters
        ----------
        position
            Of the game in the season.
        total
            The sum of its results, as settled.
        live
            The formula of the sum where results are formulas: these follow their own rows, so that
            only rows of other games among them are looked for.
        """
        conditions = list(self._stayed(position) if live is None else self._together(position))
        if not conditions:
            return live
        word = phrase("moved", self.lang)
        return f'=IF(AND({",".join(conditions)}),{live[1:] if live else _number(total)},"{word}")'

    def _stayed(self, position: int) -> Iterator[str]:
        """Yield what is true while the rows are the game's."""
        seats = range(int(self.games.seats[position]))
        sums, settled, weight = [], 0.0, 1
        for row in sorted({int(self.games.rows[seat, position]) for seat in seats}):
            for first, last in self._runs(row):
                cells = f"{cell_name(row, first)}:{cell_name(row, last)}"
                sums.append(f"SUMPRODUCT({cells},(COLUMN({cells})-COLUMN({cell_name(row, first)})+{weight})^2)")
                for column in range(first, last + 1):
                    settled += self._value(row, column) * weight**2
                    weight += 1
        if sums:
            yield f"ROUND({'+'.join(sums)}-({_number(settled)}),3)=0"
        if self.table.layout != "wide":
            yield from self._named(position)

    def _runs(self, row: int) -> Iterator[tuple[int, int]]:
        """Yield the first and last columns of cells with scores that stand side by side."""
        scores = {
            column for role, column in self.table.columns.items() if role.split("_")[0] in ("pulya", "gora", "whists")
        }
        for column in sorted(scores):
            if column - 1 not in scores:
                last = column
                while last + 1 in scores:
                    last += 1
                yield column, last

    def _named(self, position: int) -> Iterator[str]:
        """Yield that players, and the game's name, are in their cells."""
        for seat in range(int(self.games.seats[position])):
            for field in ("game", "player"):
                cell = self.games.cell(position, field, seat)[2]
                value = self.content(self.table.sheet, *parse_reference(cell)) if cell else None
                if isinstance(value, str) and len(value) <= _LONGEST and value.isprintable():
                    text = value.replace('"', '""')
                    yield f'{cell}="{text}"'
                elif _is_number(value):
                    yield f"{cell}={_number(value)}"

    def _together(self, position: int) -> Iterator[str]:
        """Yield that the rows of formulas that reach over several rows are of one game."""
        if self.table.layout != "long":
            return
        cells = [self.games.cell(position, "game", seat)[2] for seat in range(int(self.games.seats[position]))]
        if not all(cells):
            return
        held = {self.content(self.table.sheet, *parse_reference(cell)) for cell in cells}
        if len(held) == 1 and held != {""}:
            yield from (f"{one}={other}" for one, other in pairwise(cells))

    def _value(self, row: int, column: int) -> float:
        value = self.content(self.table.sheet, row, column)
        return float(value) if _is_number(value) else 0.0


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))
