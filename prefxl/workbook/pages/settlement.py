"""The sheet «Расчёт»: every step of every game, a row a player."""

from __future__ import annotations

from typing import Any

import numpy as np
from xlsxwriter.utility import xl_rowcol_to_cell

from prefxl.coded import Coded
from prefxl.rules.wording import rule_name
from prefxl.workbook.canvas import Area, Column, Page, parts
from prefxl.workbook.look import SLATE
from prefxl.workbook.pages.own import own_column
from prefxl.workbook.pages.task import Task, minor_units
from prefxl.workbook.words import sheet_title

_ROLES = {
    "game": "id",
    "date": "date",
    "seat": "center",
    "player": "text",
    "correction": "signed",
    "final_gora": "signed",
    "saldo": "signed",
    "result": "result",
    "result_exact": "exact",
    "money": "money",
    "convention": "text",
    "rounding": "text",
}

#: In a workbook that has the user's own columns anyway, no more of their cells than this are repeated.
MOST_OWN_CELLS = 200_000


def draw(task: Task) -> None:
    """Draw the sheet, or several where there are more rows than a sheet holds."""
    columns = settlement_columns(task)
    title = sheet_title("settlement", task.lang)
    for number, part in parts(columns):
        name = title if number == 1 else f"{title} {number}"
        page = task.canvas.page(name, landscape=True)
        task.names.setdefault("settlement", []).append(name)
        area = page.table(part, name="PrefxlSettlement", freeze=_frozen(part))
        _part_games(task, page, area, len(part))
        page.finish({0: [column.heading for column in part]})


def settlement_columns(task: Task) -> list[Column]:
    """Return the columns of ``Settled.steps`` with headings in the report's language."""
    # not the frame itself: of a large season it would be held twice
    steps, own = task.settled.step_columns(), task.settled.own_columns()
    columns = [_step(task, name, values) for name, values in steps.items() if not _nothing(name, values)]
    if not task.with_games and own.size > MOST_OWN_CELLS:
        task.canvas.remarks.append(task.canvas.say("own_left_out"))
        return columns
    values = (own.iloc[:, at].to_numpy() for at in range(len(own.columns)))
    more = zip(own.columns, values, strict=True)
    return columns + [own_column(name, one, task.lang) for name, one in more]


def _nothing(name: Any, values: Any) -> bool:
    """Tell whether a column that may be empty is: no game has a date, or a stake."""
    return (name == "date" and all(value is None for value in values)) or (
        name == "money" and bool(np.isnan(values).all())
    )


def _step(task: Task, name: str, values: Any) -> Column:
    if name in ("convention", "rounding"):
        values = Coded([rule_name(value, task.lang) for value in values.values], values.codes)
    decimals = minor_units(task.settled) if name == "money" else None
    return Column(name, task.canvas.heading(name), values, _ROLES.get(name, "number"), decimals)


def _frozen(columns: list[Column]) -> int:
    return [column.key for column in columns].index("player") + 1


def _part_games(task: Task, page: Page, area: Area, columns: int) -> None:
    """Draw a line above the first player of each game."""
    cell = xl_rowcol_to_cell(area.first_row, area.columns["game"], col_abs=True)
    above = xl_rowcol_to_cell(area.first_row - 1, area.columns["game"], col_abs=True)
    seat = xl_rowcol_to_cell(area.first_row, area.columns["seat"], col_abs=True)
    page.sheet.conditional_format(
        area.first_row,
        0,
        area.last_row,
        columns - 1,
        {
            "type": "formula",
            "criteria": f"=OR({cell}<>{above},{seat}=1)",
            "format": task.canvas.dxf(top=1, top_color=f"#{SLATE}"),
        },
    )
