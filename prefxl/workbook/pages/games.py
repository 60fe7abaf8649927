"""The sheet «Игры»: the games as the user had them, a row a game, their results beside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from prefxl.games import UNIT
from prefxl.settled import Settled
from prefxl.workbook import package
from prefxl.workbook.canvas import Area, Column, Page, parts, unlike
from prefxl.workbook.look import WINNER
from prefxl.workbook.notes import result_notes, write_note
from prefxl.workbook.pages.own import own_column
from prefxl.workbook.pages.task import Task, minor_units, money_by_seat, result_sums
from prefxl.workbook.words import sheet_title


def draw(task: Task) -> None:
    """Draw the sheet, or several where there are more games than rows."""
    columns = [*_given(task), *_results(task)]
    title = sheet_title("games", task.lang)
    for number, part in parts(columns):
        name = title if number == 1 else f"{title} {number}"
        page = task.canvas.page(name, landscape=True)
        task.names.setdefault("games", []).append(name)
        kept = 1 + ("date" in {one.key for one in part})
        area = page.table(part, name="PrefxlGames", freeze=kept)
        # wide tables of numbers print on two pages side by side, the game's id and date repeated
        page.sheet.fit_to_pages(2 if len(part) > 24 else 1, 0)
        page.sheet.repeat_columns(0, kept - 1)
        _claim(task, area, part)
        _mark_winners(task, page, area)
        if number == 1:
            _notes(task, page, area)
        page.finish({0: [column.heading for column in part]})


def _given(task: Task) -> list[Column]:
    games, say = task.settled.games, task.canvas.heading
    seats = range(games.max_seats)
    columns = [Column("game", say("game"), games.game, "id")]
    if any(value is not None for value in games.date):
        columns.append(Column("date", say("date"), games.date, "date"))
    columns += [Column(f"player_{i + 1}", f"{say('player')} {i + 1}", games.players[i]) for i in seats]
    for key, scores in (("pulya", games.pulya), ("gora", games.gora)):
        columns += [
            Column(f"{key}_{i + 1}", f"{say(key)} {i + 1}", _scores(task, scores[i], i), "number") for i in seats
        ]
    for i in seats:
        for j in seats:
            if i != j:
                heading = f"{say('whists')} {i + 1}-{j + 1}"
                columns.append(
                    Column(f"whists_{i + 1}_{j + 1}", heading, _scores(task, games.whists[i, j], max(i, j)), "number")
                )
    columns += [Column(name, say(name), values) for name, values in games.settings.items()]
    return columns + [own_column(name, values, task.lang) for name, values in own_by_game(task.settled)]


def _scores(task: Task, column: npt.NDArray[np.int64], seat: int) -> npt.NDArray[np.float64]:
    values: npt.NDArray[np.float64] = np.where(task.settled.games.seats > seat, column / UNIT, np.nan)
    return values


def own_by_game(settled: Settled) -> list[tuple[str, npt.NDArray[Any]]]:
    """Return the user's own columns that say the same for all players of a game, a value a game."""
    games = settled.games
    if not len(games.own.columns):
        return []
    kept = []
    for at, name in enumerate(games.own.columns):
        column = games.own.iloc[:, at]
        first = column.to_numpy(dtype=object)[games.offsets[:-1]]
        codes = column.factorize()[0]
        if bool((codes == np.repeat(codes[games.offsets[:-1]], games.seats)).all()):
            first[pd.isna(first)] = None
            kept.append((str(name), first))
    return kept


def _results(task: Task) -> list[Column]:
    settled, say = task.settled, task.canvas.heading
    labels, results = task.seat_labels(), settled.by_seat("result")
    columns = [
        Column(f"result_{i + 1}", f"{say('result')} {label}", results[i], "result") for i, label in enumerate(labels)
    ]
    money = money_by_seat(settled)
    if money is not None:
        places = minor_units(settled)
        columns += [
            Column(f"money_{i + 1}", f"{say('money')} {label}", money[i], "money", places)
            for i, label in enumerate(labels)
        ]
    return [*columns, Column("check", say("check"), result_sums(settled), "check")]


def _mark_winners(task: Task, page: Page, area: Area) -> None:
    last = f"result_{task.settled.games.max_seats}"
    top, left, bottom, right = area.range("result_1", last)
    from xlsxwriter.utility import xl_rowcol_to_cell

    cell = xl_rowcol_to_cell(top, left)
    row = f"{xl_rowcol_to_cell(top, left, col_abs=True)}:{xl_rowcol_to_cell(top, right, col_abs=True)}"
    page.sheet.conditional_format(
        top,
        left,
        bottom,
        right,
        {
            "type": "formula",
            "criteria": f"=AND(ISNUMBER({cell}),{cell}=MAX({row}))",
            "format": task.canvas.dxf(bg_color=f"#{WINNER}"),
        },
    )


def _notes(task: Task, page: Page, area: Area) -> None:
    settled = task.settled
    noted = min(len(settled), task.noted_games, area.last_row - area.first_row + 1)
    for position, texts in result_notes(settled, np.arange(noted), task.lang):
        for seat, text in enumerate(texts):
            write_note(page.sheet, area.first_row + position, area.columns[f"result_{seat + 1}"], text)
            task.notes.append(text)


def _claim(task: Task, area: Area, part: Sequence[Column]) -> None:
    """Remember the columns of results: the next run replaces them."""
    for column, heading in zip(part, unlike([one.heading for one in part]), strict=True):
        if column.key.startswith(("result_", "money_")) or column.key == "check":
            at = area.columns[column.key] + 1
            cells = package.Area(area.first_row, at, area.last_row + 1, at)
            task.results.append(package.Claimed(area.sheet, cells, heading, np.asarray(column.values, float)))
