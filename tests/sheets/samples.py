"""Files made for the tests of reading: text, and workbooks small enough to see through."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

import openpyxl

Rows = Sequence[Sequence[Any]]


def csv_bytes(rows: Rows, separator: str = ";", encoding: str = "utf-8") -> bytes:
    """Return rows as a text file."""
    lines = [separator.join("" if cell is None else str(cell) for cell in row) for row in rows]
    return ("\r\n".join(lines) + "\r\n").encode(encoding)


def xlsx_bytes(sheets: dict[str, Rows], change: Callable[[Any], None] | None = None) -> bytes:
    """Return worksheets as an ``.xlsx`` file; ``change`` may work on the workbook before it is saved."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row, cells in enumerate(rows, 1):
            for column, value in enumerate(cells, 1):
                if value is not None:
                    sheet.cell(row, column, value)
    if change:
        change(book)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


#: One game of three, and of four, in the long layout.
LONG_HEAD = ["Игра", "Дата", "Игрок", "Пуля", "Гора", "Висты на 1", "Висты на 2", "Висты на 3", "Висты на 4"]
LONG = [
    LONG_HEAD,
    [1, "04.01.2026", "Аня", 10, 4, None, 20, 30, None],
    [1, "04.01.2026", "Боря", 12, 6, 40, None, 50, None],
    [1, "04.01.2026", "Вася", 14, 8, 60, 70, None, None],
    [2, "05.01.2026", "Аня", 10, 4, None, 20, 30, 5],
    [2, "05.01.2026", "Боря", 12, 6, 40, None, 50, 6],
    [2, "05.01.2026", "Вася", 14, 8, 60, 70, None, 7],
    [2, "05.01.2026", "Галя", 14, 0, 8, 9, 11, None],
]

WIDE_HEAD = [
    "Игра",
    "Дата",
    "Игрок 1",
    "Игрок 2",
    "Игрок 3",
    "Пуля 1",
    "Пуля 2",
    "Пуля 3",
    "Гора 1",
    "Гора 2",
    "Гора 3",
    "Висты 1-2",
    "Висты 1-3",
    "Висты 2-1",
    "Висты 2-3",
    "Висты 3-1",
    "Висты 3-2",
]
WIDE = [
    WIDE_HEAD,
    [1, "04.01.2026", "Аня", "Боря", "Вася", 10, 12, 14, 4, 6, 8, 20, 30, 40, 50, 60, 70],
    [2, "05.01.2026", "Аня", "Вася", "Боря", 10, 14, 12, 4, 8, 6, 30, 20, 60, 70, 40, 50],
]


def scores(games: Any) -> list[tuple[Any, list[str], list[float], list[float], list[list[float]]]]:
    """Return games as plain values: id, names, pulya, gora, whists."""
    found = []
    for position in range(len(games)):
        seats = range(int(games.seats[position]))
        found.append(
            (
                games.game[position],
                games.names(position),
                [games.pulya[i, position] / 2 for i in seats],
                [games.gora[i, position] / 2 for i in seats],
                [[games.whists[i, j, position] / 2 for j in seats] for i in seats],
            )
        )
    return found


def changed(rows: Rows, cells: dict[tuple[int, int], Any]) -> list[list[Any]]:
    """Return rows with some cells changed; rows and columns count from 1."""
    copied = [list(row) for row in rows]
    for (row, column), value in cells.items():
        copied[row - 1][column - 1] = value
    return copied


def told(games: Any) -> list[tuple[str, str]]:
    """Return findings as reason and cell, notes left out."""
    return [(one.reason, one.cell) for one in games.findings if one.severity.value != "note"]


def noted(games: Any) -> list[tuple[str, str]]:
    """Return notes as reason and cell."""
    return [(one.reason, one.cell) for one in games.findings if one.severity.value == "note"]


A = ("Аня", "Боря", "Вася")
#: What game 1 of LONG and of WIDE comes to.
FIRST = (1, ["Аня", "Боря", "Вася"], [10, 12, 14], [4, 6, 8], [[0, 20, 30], [40, 0, 50], [60, 70, 0]])
