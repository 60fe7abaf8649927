"""The sheet «Платежи»: who pays whom, for the season and day by day, with a column to tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from xlsxwriter.utility import xl_rowcol_to_cell

from prefxl.season import payments
from prefxl.workbook import canvas
from prefxl.workbook.canvas import Area, Column, Page, needed_decimals
from prefxl.workbook.carried import Key
from prefxl.workbook.carry import cell_text
from prefxl.workbook.look import GREY, MUTED
from prefxl.workbook.pages.task import Task, minor_units, prices
from prefxl.workbook.widths import text_width
from prefxl.workbook.words import sheet_title

#: More days or games than this are not listed one by one.
MOST_PERIODS = 400
_REMARK_WIDTH = 26


@dataclass(frozen=True, eq=False)
class Listing:
    """One list of payments: its key in the words, the column of periods (``None`` for the season), the frame."""

    key: str
    period: str | None
    frame: pd.DataFrame


def draw(task: Task) -> None:
    """Draw the sheet: fewest transfers, pair by pair, then day by day (or game by game)."""
    title = sheet_title("payments", task.lang)
    page = task.canvas.page(title)
    task.names["payments"] = [title]
    row = page.head(title, _unit(task))
    page.sheet.write_string(row - 1, 0, task.canvas.say("tick"), task.canvas.format("subtitle"))
    row += 1
    headings: dict[int, list[str]] = {}
    lists = listings(task)
    units = _units([listing.frame for listing in lists])
    for listing in lists:
        row = page.section(row, task.canvas.say(listing.key), _remark(task, listing))
        if not len(listing.frame):
            page.sheet.write_string(row, 0, task.canvas.say("nobody_owes"), task.canvas.format("plain"))
            row += 2
            continue
        columns = payment_columns(task, listing, units)
        area = page.table(columns, row=row, name="PrefxlPayments")
        if not headings:
            # the lists have the same columns, so one heading does for every page
            page.sheet.repeat_rows(row)
        headings[row] = [column.heading for column in columns]
        _dress(task, page, area)
        row = area.last_row + 2
    page.finish(headings)


def listings(task: Task) -> list[Listing]:
    """Return the lists there are to show."""
    settled = task.settled
    lists = [
        Listing("fewest", None, payments(settled, "fewest", lang=task.lang)),
        Listing("pairwise", None, payments(settled, "pairwise", lang=task.lang)),
    ]
    dates = {value for value in settled.games.date if value is not None}
    if 1 < len(dates) <= MOST_PERIODS:
        lists.append(Listing("per_date", "date", payments(settled, "fewest", by="date", lang=task.lang)))
    elif not dates and 1 < len(settled) <= MOST_PERIODS:
        lists.append(Listing("per_game", "game", payments(settled, "fewest", by="game", lang=task.lang)))
    shown = [one for one in lists if one.key in ("fewest", "pairwise") or len(one.frame)]
    # one list must leave room for those below it
    return [_cut(task, one, canvas.LAST_ROW // 4) for one in shown]


def _cut(task: Task, listing: Listing, most: int) -> Listing:
    if len(listing.frame) <= most:
        return listing
    task.canvas.remarks.append(
        task.canvas.say("payments_cut", list=task.canvas.say(listing.key), count=most, all=len(listing.frame))
    )
    return Listing(listing.key, listing.period, listing.frame.iloc[:most])


def _units(frames: Sequence[pd.DataFrame]) -> tuple[str, ...]:
    """Return what the lists are in: money, whists, or both where only some games have a stake."""
    frame = pd.concat(frames)
    staked = frame["money"].notna()
    return tuple(unit for unit, some in (("money", staked.any()), ("whists", not staked.all())) if some)


def payment_columns(task: Task, listing: Listing, units: Sequence[str]) -> list[Column]:
    """Return the columns of one list; ticks and remarks of the earlier run are in their places."""
    say, frame = task.canvas.heading, listing.frame
    amounts = _amounts(frame, units)
    nothing = task.canvas.say("undated" if listing.period == "date" else "season")
    sections = [nothing if period == "" else period for period in frame["period"].tolist()]
    firsts = _firsts(frame)
    # "season" is a word of the report's language, which the earlier run may not have had
    named = map(cell_text, frame["period"].tolist()) if listing.period else [""] * len(frame)
    keys = [
        ("payments", listing.key, section, str(payer), str(payee), cell_text(firsts[at]))
        for at, (section, payer, payee) in enumerate(zip(named, frame["payer"], frame["payee"], strict=True))
    ]
    remarks = _remarks(task, frame, keys)
    long = any(text_width(str(remark)) > _REMARK_WIDTH - 2 for remark in remarks if remark is not None)
    columns = [
        Column("section", say("section"), sections, "date" if listing.period == "date" else "id"),
        Column("payer", say("payer"), frame["payer"].to_numpy(dtype=object), "text"),
        Column("payee", say("payee"), frame["payee"].to_numpy(dtype=object), "text"),
        *(
            Column(key, say("amount" if at == 0 else "whists"), values, role, _places(task, role, values))
            for at, (key, values, role) in enumerate(amounts)
        ),
        Column("paid", say("paid"), [task.carried.take(key, "paid") for key in keys], "center"),
        Column("remark", say("remark"), remarks, "wrapped" if long else "text", width=_REMARK_WIDTH),
    ]
    return columns


def _remarks(task: Task, frame: pd.DataFrame, keys: Sequence[Key]) -> list[str | None]:
    """Return the user's remark of the earlier run, else what there is to say about a payment."""
    # a remark stays with the two players, a tick only with the sum that was paid
    own = [task.carried.take(key, "remark") for key in keys]
    own = [mine or task.carried.take(key[:-1], "remark") for mine, key in zip(own, keys, strict=True)]
    # why a list is not proved is said once above it
    unproved = frame["proved"].isna().tolist()
    notes = [note if note and plain else None for note, plain in zip(frame["note"].tolist(), unproved, strict=True)]
    return [mine if mine is not None else note for mine, note in zip(own, notes, strict=True)]


def _firsts(frame: pd.DataFrame) -> list[float]:
    """Return the amounts as they name a row: money where there is some, else whists."""
    money, whists = frame["money"].to_numpy(dtype=float), frame["whists"].to_numpy(dtype=float)
    firsts: list[float] = np.where(np.isnan(money), whists, money).tolist()
    return firsts


def _amounts(frame: pd.DataFrame, units: Sequence[str]) -> list[tuple[str, Any, str]]:
    """Return the amounts in each of the units; a payment in money is in none of whists."""
    money, whists = frame["money"].to_numpy(dtype=float), frame["whists"].to_numpy(dtype=float)
    if "money" not in units:
        return [("amount", whists, "number")]
    amounts = [("amount", money, "amount")]
    return amounts + [("whists", np.where(np.isnan(money), whists, np.nan), "number")] * ("whists" in units)


def _places(task: Task, role: str, values: Any) -> int:
    return minor_units(task.settled) if role == "amount" else needed_decimals(values)


def _unit(task: Task) -> str:
    there = prices(task.settled, task.lang)
    if not there:
        text = task.canvas.say("in_whists")
    else:
        currency = f" {task.canvas.currency}" if task.canvas.currency else ""
        text = task.canvas.say("in_money", stake="; ".join(there) + currency)
        if any(terms.stake is None for terms in task.settled.ways):
            text += f" · {task.canvas.say('partly_whists')}"
    return text[0].upper() + text[1:]


def _remark(task: Task, listing: Listing) -> str:
    proved = listing.frame["proved"]
    return task.canvas.say("not_proved") if bool((~proved.fillna(True).astype(bool)).any()) else ""


def _dress(task: Task, page: Page, area: Area) -> None:
    """Let the user tick, and grey what is paid."""
    page.sheet.data_validation(
        *area.range("paid"), {"validate": "list", "source": ["✓"], "show_error": False, "show_input": False}
    )
    top, _, bottom, _ = area.range("paid")
    paid = xl_rowcol_to_cell(area.first_row, area.columns["paid"], col_abs=True)
    page.sheet.conditional_format(
        top,
        area.columns["section"],
        bottom,
        area.columns["remark"],
        {
            "type": "formula",
            "criteria": f'={paid}<>""',
            "format": task.canvas.dxf(bg_color=f"#{GREY}", font_color=f"#{MUTED}", font_strikeout=True),
        },
    )
