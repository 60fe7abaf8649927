"""The sheet «Личные встречи»: what each player won from each."""

from __future__ import annotations

from typing import Any

import numpy as np

from prefxl.season import games_together, head_to_head
from prefxl.workbook.canvas import Area, Column, Page, needed_decimals
from prefxl.workbook.look import GREY, WINNER
from prefxl.workbook.pages.task import Task
from prefxl.workbook.widths import WIDEST_WORD
from prefxl.workbook.words import sheet_title

#: Players in the square: beyond that nobody reads it.
LARGEST_SHOWN = 100

#: Roundings under which pair results stay exact, and differ from the results by the rounding.
_EXACT_PAIRS = ("truncate", "balanced")


def draw(task: Task) -> None:
    """Draw the sheet: players in the order of the standings; with very many, those who played most."""
    square, together = head_to_head(task.settled), games_together(task.settled)
    title = sheet_title("head_to_head", task.lang)
    page = task.canvas.page(title, landscape=len(square) > 6)
    task.names["head_to_head"] = [title]
    row = page.head(title, task.canvas.say("head_hint"))
    if {terms.rounding for terms in task.settled.ways} & set(_EXACT_PAIRS):
        row = _line(task, page, row, task.canvas.say("head_exact"))
    shown = most_played(np.diag(together.to_numpy()), LARGEST_SHOWN)
    if len(shown) < len(square):
        row = _line(task, page, row, task.canvas.say("shown_most", count=len(shown), all=len(square)))
    columns = _columns(task, square.to_numpy(dtype=float), together.to_numpy(), [str(name) for name in square], shown)
    area = page.table(columns, row=row, freeze=1)
    page.print_side_by_side(len(columns), 1)
    _colour(task, page, area, len(shown))
    page.finish({row: [column.heading for column in columns]})


def _line(task: Task, page: Page, row: int, text: str) -> int:
    """Write one more line beneath the title; return the row for what follows."""
    page.sheet.write_string(row - 1, 0, text, task.canvas.format("subtitle"))
    return row + 1


def most_played(games: Any, count: int) -> Any:
    """Return the places of the ``count`` players with the most games, in their order."""
    if len(games) <= count:
        return np.arange(len(games))
    return np.sort(np.argsort(-np.asarray(games), kind="stable")[:count])


def _columns(task: Task, net: Any, together: Any, names: list[str], shown: Any) -> list[Column]:
    met = np.where(together > 0, net, np.nan)
    totals = net.sum(axis=1)
    np.fill_diagonal(met, np.nan)
    decimals = needed_decimals(net.ravel())
    width = 1.0 + max((len(f"{value:+,.{decimals}f}") for value in net.ravel()), default=5)
    columns = [Column("player", task.canvas.heading("player"), [names[i] for i in shown])]
    columns += [
        Column(
            f"on_{j}",
            names[j],
            met[shown, j],
            "signed",
            decimals,
            max(width, min(1.2 * len(names[j]), WIDEST_WORD) + 1, 8),
        )
        for j in shown
    ]
    return [*columns, Column("total", task.canvas.heading("total"), totals[shown], "result", decimals)]


def _colour(task: Task, page: Page, area: Area, players: int) -> None:
    top, left = area.first_row, area.columns["player"] + 1
    square = (top, left, area.last_row, left + players - 1)
    page.sheet.conditional_format(
        *square,
        {
            "type": "formula",
            "criteria": f"=ROW()-{top + 1}=COLUMN()-{left + 1}",
            "format": task.canvas.dxf(bg_color=f"#{GREY}"),
            "stop_if_true": True,
        },
    )
    page.sheet.conditional_format(
        *square, {"type": "cell", "criteria": ">", "value": 0, "format": task.canvas.dxf(bg_color=f"#{WINNER}")}
    )
