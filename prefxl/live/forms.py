"""The workbooks ``pulka-3.xlsx`` and ``pulka-4.xlsx``: a form in each language, and the rules."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import xlsxwriter

from prefxl.live.form_shape import CONVENTION_ROWS, ROUNDING_ROWS, RULES_SHEET, Shape
from prefxl.live.form_sheet import plan_form
from prefxl.live.form_words import STYLES
from prefxl.live.formulas import FORMULA_ROUNDINGS
from prefxl.live.plan import Plan, write_plan
from prefxl.rules.conventions import CONVENTIONS, RUSSIAN

#: A workbook made twice must be the same twice.
MADE = dt.datetime(2026, 1, 1)

_ROUNDING_MEANING = {
    "exact": ("ничего не округляется, дроби остаются", "nothing is rounded, fractions stay"),
    "debts": ("каждый долг с горы до целого виста, половина вверх", "each debt to a whole whist, halves up"),
    "truncate": (
        "дробь конечной горы отбрасывается; сумма может быть не 0",
        "the final gora loses its fraction; the sum may not be 0",
    ),
    "balanced": ("итоги до целых вистов с нулевой суммой", "results to whole whists with a zero sum"),
}


#: A style a column of the conventions.
_RULES_STYLES = ("plain", "plain", "plain", "plain", "number", "number", "plain", "text")


def write_form(path: Path, players: int) -> None:
    """Write the live form for 3 or 4 players.

    Parameters
    ----------
    path
        Where; an existing file is replaced.
    players
        3 or 4.
    """
    with xlsxwriter.Workbook(str(path)) as book:
        book.set_properties({"title": f"prefxl: pulka-{players}", "author": "prefxl", "created": MADE})
        book.set_calc_mode("auto")
        for lang in ("ru", "en"):
            plan = plan_form(players, lang)
            sheet = book.add_worksheet(plan.name)
            write_plan(book, sheet, plan, STYLES)
            _set_up_page(sheet, Shape(players))
        plan = plan_rules()
        sheet = book.add_worksheet(plan.name)
        write_plan(book, sheet, plan, STYLES)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.protect("", {"format_columns": True})


def plan_rules() -> Plan:
    """Plan the worksheet of the rules, which the drop-downs and the formulas of the forms read."""
    plan = Plan(RULES_SHEET)
    plan.put(0, 0, "title", "Правила · Rules")
    plan.put(1, 0, "subtitle", "Этот лист читают формулы формы: не переименовывайте его. · The form reads this sheet.")
    heads = ("Конвенция", "Convention", "target", "Цель пули", "below", "above", "rounding", "Source")
    for column, text in enumerate(heads):
        plan.put(CONVENTION_ROWS[0] - 2, column, "head left" if column == 7 else "head", text)
    for row, convention in enumerate(CONVENTIONS.values(), start=CONVENTION_ROWS[0] - 1):
        target = str(convention.target)
        values: tuple[Any, ...] = (
            RUSSIAN[convention.name],
            convention.name,
            target,
            RUSSIAN[target],
            float(convention.below),
            float(convention.above),
            convention.rounding,
            convention.source,
        )
        for column, value in enumerate(values):
            plan.put(row, column, _RULES_STYLES[column], value)
    _plan_roundings(plan)
    plan.widths = {0: 27, 1: 22, 2: 12, 3: 14, 4: 9, 5: 9, 6: 14, 7: 84}
    plan.heights = {0: 30}
    return plan


def _plan_roundings(plan: Plan) -> None:
    heading = ROUNDING_ROWS[0] - 2
    plan.put(heading, 0, "head", "Округление")
    plan.put(heading, 1, "head", "Rounding")
    plan.spread((heading, 2, heading, 6), "head left", "Что делается")
    plan.put(heading, 7, "head left", "What is done")
    for row, name in enumerate(FORMULA_ROUNDINGS, start=ROUNDING_ROWS[0] - 1):
        ru, en = _ROUNDING_MEANING[name]
        plan.put(row, 0, "plain", RUSSIAN[name])
        plan.put(row, 1, "plain", name)
        plan.spread((row, 2, row, 6), "text", ru)
        plan.put(row, 7, "text", en)


def _set_up_page(sheet: Any, shape: Shape) -> None:
    sheet.hide_gridlines(2)
    sheet.set_paper(9)
    sheet.set_portrait()
    sheet.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.5)
    sheet.center_horizontally()
    sheet.print_area(0, 0, shape.end, shape.last)
    sheet.fit_to_pages(1, 1)
    sheet.set_footer("&C&8&K7B8B83prefxl · &F")
    # without a password: it keeps formulas from a slip of the hand, not from their owner
    sheet.protect("", {"format_columns": True, "format_rows": True, "select_locked_cells": True})
    sheet.set_selection(5, 1, 5, 1)
