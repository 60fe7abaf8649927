"""The sheet «Личные встречи»: what each player won from each."""

from __future__ import annotations

import numpy as np

from prefxl.season.pairs import Square, square_of_most_played
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
    square = square_of_most_played(task.settled, LARGEST_SHOWN)
    shown = len(square.names)
    title = sheet_title("head_to_head", task.lang)
    page = task.canvas.page(title, landscape=shown > 6)
    task.names["head_to_head"] = [title]
    row = page.head(title, task.canvas.say("head_hint"))
    if {terms.rounding for terms in task.settled.ways} & set(_EXACT_PAIRS):
        row = _line(task, page, row, task.canvas.say("head_exact"))
    if shown < square.players:
        row = _line(task, page, row, task.canvas.say("shown_most", count=shown, all=square.players))
    columns = _columns(task, square)
    area = page.table(columns, row=row, freeze=1)
    page.print_side_by_side(len(columns), 1)
    _colour(task, page, area, shown)
    page.finish({row: [column.heading for column in columns]})


def _line(task: Task, page: Page, row: int, text: str) -> int:
    """Write one more line beneath the title; return the row for what follows."""
    page.sheet.write_string(row - 1, 0, text, task.canvas.format("subtitle"))
    return row + 1


def _columns(task: Task, square: Square) -> list[Column]:
    decimals = needed_decimals(np.concatenate([square.won.ravel(), square.totals]))
    ends = (np.nanmin(square.won, initial=0), np.nanmax(square.won, initial=0))
    width = 1.0 + max(len(f"{value:+,.{decimals}f}") for value in ends)
    names = [str(name) for name in square.names]
    columns = [Column("player", task.canvas.heading("player"), names)]
    columns += [
        Column(
            f"on_{at}",
            name,
            square.won[:, at],
            "signed",
            decimals,
            max(width, min(1.2 * len(name), WIDEST_WORD) + 1, 8),
        )
        for at, name in enumerate(names)
    ]
    return [*columns, Column("total", task.canvas.heading("total"), square.totals, "result", decimals)]


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
