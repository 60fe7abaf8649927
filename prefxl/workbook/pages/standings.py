"""The sheet «Таблица»: the standings, and a chart of the sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xlsxwriter.utility import xl_rowcol_to_cell

from prefxl.season import standings
from prefxl.workbook import look
from prefxl.workbook.canvas import Area, Column, Page
from prefxl.workbook.pages.task import Task, minor_units
from prefxl.workbook.widths import LABEL_HEAD, LABEL_TAIL, LONGEST_LABEL, short_label
from prefxl.workbook.words import sheet_title

#: Players on a chart; more are no longer readable.
CHARTED = 24
_CHART_HEIGHT = 320

_ROLES = {
    "rank": "center",
    "player": "text",
    "won_share": "share",
    "sum": "result",
    "average": "signed",
    "best": "signed",
    "worst": "signed",
    "form": "center",
    "money": "money",
}
_SHOWN = ("rank", "player", "games", "won", "lost", "won_share", "sum", "average", "best", "worst", "form", "money")


def draw(task: Task) -> None:
    """Draw the sheet."""
    frame = standings(task.settled)
    title = sheet_title("standings", task.lang)
    page = task.canvas.page(title, landscape=True)
    task.names["standings"] = [title]
    row = page.head(title, task.canvas.say("counts", games=len(task.settled), players=len(frame)))
    columns = [_column(task, name, frame[name].to_numpy()) for name in _SHOWN if _told(frame, name)]
    area = page.table(columns, row=row, name="PrefxlStandings", freeze=2)
    page.finish({row: [column.heading for column in columns]})
    _chart(task, page, area, frame["sum"].to_numpy(dtype=float), [str(name) for name in frame["player"]])


def _told(frame: Any, name: str) -> bool:
    return name != "money" or not bool(frame["money"].isna().all())


def _column(task: Task, name: str, values: Any) -> Column:
    decimals = minor_units(task.settled) if name == "money" else None
    if name == "average":
        decimals = 1
    return Column(name, task.canvas.heading(name), values, _ROLES.get(name, "number"), decimals)


def _chart(task: Task, page: Page, area: Area, sums: Any, names: Sequence[str]) -> None:
    shown = min(len(sums), CHARTED)
    chart = task.canvas.book.add_chart({"type": "column"})
    last = area.first_row + shown - 1
    total = area.columns["sum"]
    labels = _labels(page, area, names[:shown])
    # a label in a column that is not shown is a label all the same
    chart.show_hidden_data()
    title = task.canvas.say("sums")
    if shown < len(sums):
        title += f" · {task.canvas.say('shown_first', count=shown, all=len(sums))}"
    chart.add_series(
        {
            "name": task.canvas.say("sums"),
            "categories": [area.sheet, *labels],
            "values": [area.sheet, area.first_row, total, last, total],
            "points": [_bar(value) for value in sums[:shown]],
            "fill": {"color": f"#{look.SLATE}"},
            "gap": 60,
            "data_labels": {
                "value": True,
                "num_format": "+#,##0;-#,##0;0",
                "font": {"name": look.FONT, "size": 9, "color": f"#{look.INK}"},
            },
        }
    )
    dress(chart, title)
    chart.set_legend({"none": True})
    chart.set_size({"width": chart_width(shown), "height": _CHART_HEIGHT})
    if not page.fits(area.last_row + 2, 0.75 * chart_width(shown), 0.75 * _CHART_HEIGHT):
        # a chart cut in two would have its names on the other page
        page.sheet.set_h_pagebreaks([area.last_row + 2])
    page.sheet.insert_chart(area.last_row + 2, 0, chart, {"x_offset": 4, "object_position": 2})


def _labels(page: Page, area: Area, names: Sequence[str]) -> tuple[int, int, int, int]:
    """Return where the chart's labels are: the players, or short ones below them in a column that is not shown."""
    player = area.columns["player"]
    if all(len(name) <= LONGEST_LABEL for name in names):
        return area.first_row, player, area.first_row + len(names) - 1, player
    at, first = max(area.columns.values()) + 2, area.last_row + 2
    for offset, name in enumerate(names):
        cell = xl_rowcol_to_cell(area.first_row + offset, player)
        # a formula, for the user may sort the table
        short = f'TRIM(LEFT({cell},{LABEL_HEAD}))&"…"&TRIM(RIGHT({cell},{LABEL_TAIL}))'
        page.sheet.write_formula(
            first + offset, at, f"=IF(LEN({cell})>{LONGEST_LABEL},{short},{cell})", None, short_label(name)
        )
    page.sheet.set_column(at, at, None, None, {"hidden": True})
    return first, at, first + len(names) - 1, at


def _bar(value: float) -> dict[str, Any]:
    if value >= 0:
        return {"fill": {"color": f"#{look.SLATE}"}, "border": {"color": f"#{look.SLATE}"}}
    # hatched, so that losers are told from winners without colour and below the axis
    pattern = {"pattern": "wide_upward_diagonal", "fg_color": f"#{look.RED}", "bg_color": "#FFFFFF"}
    return {"pattern": pattern, "border": {"color": f"#{look.RED}"}}


def chart_width(players: int) -> int:
    """Return the width of a chart in pixels: room for every name."""
    return int(np.clip(140 + 72 * players, 520, 1050))


def dress(chart: Any, title: str) -> None:
    """Give a chart the report's fonts and quiet lines."""
    font = {"name": look.FONT, "size": 10, "color": f"#{look.INK}"}
    chart.set_title(
        {
            "name": title,
            "overlay": False,
            "name_font": {"name": look.FONT, "size": 12, "bold": True, "color": f"#{look.SLATE}"},
        }
    )
    chart.set_x_axis({"label_position": "low", "num_font": font, "line": {"color": f"#{look.MUTED}"}})
    chart.set_y_axis(
        {
            "num_font": font,
            "num_format": "#,##0",
            "line": {"none": True},
            "major_gridlines": {"visible": True, "line": {"color": f"#{look.RULE}", "width": 0.5}},
        }
    )
    chart.set_chartarea({"border": {"none": True}, "fill": {"color": "#FFFFFF"}})
    chart.set_plotarea({"fill": {"none": True}})
