"""The sheet «Ход сезона»: everybody's sum after every game, and its lines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from prefxl.season.course import course_of
from prefxl.season.ledger import Integers, Ledger, day_numbers
from prefxl.season.pairs import by_sum, most_played
from prefxl.workbook import look
from prefxl.workbook.canvas import Area, Column, needed_decimals, unlike
from prefxl.workbook.pages.standings import dress
from prefxl.workbook.pages.task import Task
from prefxl.workbook.widths import LONGEST_LABEL, short_label
from prefxl.workbook.words import sheet_title

#: Lines on the chart; more are no longer told apart.
CHARTED = 12
#: Players in the table, rows beyond which a day is one row, and rows of which there are never more.
LARGEST_SHOWN, GAME_ROWS, MOST_ROWS = 60, 1000, 5000
#: Rows of 20 pixels the chart takes, with few lines and with many.
_CHART_ROWS, _TALL_ROWS = 20, 27
#: Points beyond which markers would run into each other.
_MARKED_POINTS = 30

# told apart without colour by dashes and markers; the colours differ in lightness
_COLOURS = (
    "2F4A5A",
    "B5542D",
    "4C8C6B",
    "8A6BB1",
    "C79A2B",
    "3D7EA6",
    "8C2F4B",
    "5F6B2D",
    "A65E8E",
    "1F8A8A",
    "7A5C3E",
    "9AA3A8",
)
_DASHES = ("solid", "dash", "square_dot", "long_dash", "dash_dot", "round_dot", "long_dash_dot", "long_dash_dot_dot")
_MARKERS = ("circle", "square", "diamond", "triangle", "x", "plus", "star", "short_dash")


def draw(task: Task) -> None:
    """Draw the sheet; of a season of many games a row is a day, or several games."""
    ledger = task.settled.ledger
    everybody = np.argsort(by_sum(ledger))
    games = np.bincount(ledger.code, minlength=len(everybody))[everybody]
    shown = most_played(games, LARGEST_SHOWN)
    title = sheet_title("season", task.lang)
    page = task.canvas.page(title, landscape=True)
    task.names["season"] = [title]
    lines, remark = _lines(task, ledger)
    subtitle = task.canvas.say("cumulative") + remark
    if len(shown) < len(everybody):
        subtitle += f" · {task.canvas.say('shown_most', count=len(shown), all=len(everybody))}"
    row = page.head(title, subtitle)
    charted = most_played(games[shown], CHARTED)
    height = _CHART_ROWS if len(charted) <= 6 else _TALL_ROWS
    top = row + height
    columns = _columns(task, course_of(task.settled, everybody[shown], lines))
    # a table would have to call one of two like names otherwise than the user does
    headings = [column.heading for column in columns]
    area = page.table(columns, row=top, name="PrefxlSeason" if unlike(headings) == headings else "")
    page.sheet.repeat_rows(top)
    named = len(columns) - len(shown)
    left = named if page.print_side_by_side(len(columns), named) else 0
    page.finish({top: headings})
    drawn = task.canvas.say("cumulative")
    if len(charted) < len(everybody):
        drawn += f" · {task.canvas.say('shown_most', count=len(charted), all=len(everybody))}"
    chart = _chart(task, drawn, area, [columns[-len(shown) + i] for i in charted])
    chart.set_size({"width": 980, "height": 20 * (height - 1)})
    page.sheet.insert_chart(row, left, chart, {"x_offset": 4, "object_position": 2})


def _lines(task: Task, ledger: Ledger) -> tuple[Integers, str]:
    """Return after which games there is a row, the last game always, and what is to be said of it."""
    lines, remark = np.arange(ledger.games), ""
    if len(lines) <= GAME_ROWS:
        return lines, remark
    days, known = day_numbers(task.settled.games.date[ledger.order])
    if known.any():
        # games without a date are no day together
        lines = lines[np.append((days[1:] != days[:-1]) | ~known[1:] | ~known[:-1], True)]
        remark = f" · {task.canvas.say('per_date').lower()}"
    if len(lines) > MOST_ROWS:
        apart = -(-len(lines) // MOST_ROWS)
        lines = lines[(len(lines) - 1) % apart :: apart]
        remark += f" · {task.canvas.say('thinned', count=len(lines), all=ledger.games)}"
    return lines, remark


def _columns(task: Task, frame: pd.DataFrame) -> list[Column]:
    say = task.canvas.heading
    sums, names = frame.iloc[:, 2:].to_numpy(dtype=float), map(str, frame.columns[2:])
    decimals = needed_decimals(sums.ravel())
    columns = [Column("game", say("game"), frame.iloc[:, 0].to_numpy(dtype=object), "id")]
    dates = frame.iloc[:, 1].to_numpy(dtype=object)
    if any(value is not None for value in dates):
        columns.append(Column("date", say("date"), dates, "date"))
    return columns + [Column(f"sum_{at}", name, sums[:, at], "signed", decimals) for at, name in enumerate(names)]


def _chart(task: Task, title: str, area: Area, series: list[Column]) -> Any:
    chart = task.canvas.book.add_chart({"type": "line"})
    labels = area.reference("date" if "date" in area.columns else "game")
    points = area.last_row - area.first_row + 1
    for at, column in enumerate(series):
        chart.add_series(
            {
                "name": _name(area, column),
                "categories": labels,
                "values": area.reference(column.key),
                "line": {
                    "color": f"#{_COLOURS[at % 12]}",
                    "width": 2.0 if at < 8 else 3.75,
                    "dash_type": _DASHES[at % 8],
                },
                "marker": _marker(at, points),
                "smooth": False,
            }
        )
    dress(chart, title)
    chart.set_x_axis(_axis("date" in area.columns, points))
    chart.set_legend({"position": "right", "font": {"name": look.FONT, "size": 10, "color": f"#{look.INK}"}})
    chart.show_blanks_as("gap")
    return chart


def _marker(at: int, points: int) -> dict[str, Any]:
    if points > _MARKED_POINTS:
        return {"type": "none"}
    colour = {"color": f"#{_COLOURS[at % 12]}"}
    fill = colour if at < 8 else {"color": "#FFFFFF"}
    return {"type": _MARKERS[at % 8], "size": 6, "border": colour, "fill": fill}


def _name(area: Area, column: Column) -> Any:
    """Return what the legend calls a line: its heading's cell, or a short text in place of a long one."""
    if len(column.heading) > LONGEST_LABEL:
        return short_label(column.heading)
    return [area.sheet, area.first_row - 1, area.columns[column.key]]


def _axis(dated: bool, points: int) -> dict[str, Any]:
    font = {"name": look.FONT, "size": 9, "color": f"#{look.INK}", "rotation": -45 if dated else 0}
    axis: dict[str, Any] = {"label_position": "low", "num_font": font, "line": {"color": f"#{look.MUTED}"}}
    if points > _MARKED_POINTS:
        apart = -(-points // _MARKED_POINTS)
        axis |= {"interval_unit": apart, "interval_tick": apart}
    # games of one day would fall on one point of a date axis
    return axis | ({"text_axis": True, "num_format": "dd.mm.yy"} if dated else {})
