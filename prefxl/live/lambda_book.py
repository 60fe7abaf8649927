"""The workbook ``lambda.xlsx``: the named LAMBDAs, a worked sheet that spills, and how to take them along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import xlsxwriter

from prefxl.live.form_words import STYLES
from prefxl.live.forms import MADE
from prefxl.live.formulas import FORMULA_ROUNDINGS
from prefxl.live.lambdas import LAMBDA_CONVENTIONS, lambda_names, readable
from prefxl.live.plan import PlainText, Plan, cell, write_plan
from prefxl.live.worked import FIRST, GORAS, PLAYERS, PULYAS, RESULT, WHISTS, plan_game, ranges
from prefxl.rules.conventions import RUSSIAN
from prefxl.rules.single import settle_sheet

SHEET, NAMES_SHEET = "PULYA", "Имена"
TABLE = FIRST + len(PLAYERS) + 3

_HOW = (
    ("Как считать здесь", "How to settle here"),
    (
        "Впишите числа в жёлтые клетки: итог рядом пересчитается. Формула итога одна: =PULYA(B5:B8;C5:C8;D5:G8).",
        "Type numbers into the yellow cells: the result beside them follows. It is one formula: "
        "=PULYA(B5:B8,C5:C8,D5:G8).",
    ),
    (
        "Трое: =PULYA(B5:B7;C5:C7;D5:F7). Пули и горы можно класть в строку: итог ляжет строкой.",
        "Three players: =PULYA(B5:B7,C5:C7,D5:F7). Pulyas and goras may lie in a row: so will the result.",
    ),
    (
        "Другая конвенция или округление — другое имя, например =PULYA_SOCHI_EXACT(…): все на листе «Имена».",
        "Another convention or rounding is another name, such as =PULYA_SOCHI_EXACT(…): see the sheet “Имена”.",
    ),
    (
        "В свою книгу: перетащите этот лист в неё с Ctrl — имена придут с ним. Или скопируйте формулу с листа «Имена» "
        "в Формулы → Диспетчер имён → Создать.",
        "Into your own workbook: drag this sheet there with Ctrl, the names come along. Or copy a formula from the "
        "sheet “Имена” into Formulas → Name Manager → New.",
    ),
    (
        "Нужен Excel 365, 2024 или в браузере; Python не нужен. В LibreOffice и старых Excel — формы pulka-3/4.xlsx.",
        "It needs Excel 365, 2024 or the web; no Python. For LibreOffice and older Excel there are pulka-3/4.xlsx.",
    ),
    (
        "Слово или ошибка в клетке, висты на себя, не те размеры дают #ЗНАЧ!; пустая клетка — 0.",
        "A word or an error in a cell, whists on oneself, ranges that do not fit give #VALUE!; a blank cell is 0.",
    ),
)


def write_lambda_book(path: Path) -> None:
    """Write the workbook of the named LAMBDAs; an existing file is replaced."""
    with xlsxwriter.Workbook(str(path)) as book:
        book.set_properties({"title": "prefxl: PULYA", "author": "prefxl", "created": MADE})
        for name, text in lambda_names().items():
            book.define_name(name, f"={text}")
        sheet = book.add_worksheet(SHEET)
        write_plan(book, sheet, plan_worked(), STYLES)
        _write_results(book, sheet)
        sheet.hide_gridlines(2)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 1)
        names = book.add_worksheet(NAMES_SHEET)
        write_plan(book, names, plan_names(), STYLES)
        names.set_landscape()
        names.set_paper(9)
        names.fit_to_pages(1, 0)


def plan_worked() -> Plan:
    """Plan the worked sheet, but for the results that spill."""
    plan = Plan(SHEET)
    plan.put(0, 0, "title", "PULYA без Python · PULYA without Python")
    plan_game(plan)
    for seat, name in enumerate(PLAYERS):
        plan.put(TABLE + 1 + seat, 0, "step label", f"={cell(FIRST + seat, 0)}", name)
    plan.put(TABLE - 1, 0, "section", "Все правила рядом · Every rule side by side")
    plan.put(TABLE, 0, "head", "Игрок")
    for column, (convention, rounding) in enumerate(_rules(), start=1):
        plan.put(TABLE, column, "head", f"{RUSSIAN[convention]}, {RUSSIAN[rounding]}")
    row = TABLE + len(PLAYERS) + 2
    for ru, en in _HOW:
        style = "section" if row == TABLE + len(PLAYERS) + 2 else "plain"
        plan.put(row, 0, style, ru)
        plan.put(row + 1, 0, "subtitle", en)
        row += 2
    plan.widths = {0: 20, **dict.fromkeys(range(1, 13), 11.5)}
    plan.heights[TABLE] = 34
    return plan


def plan_names() -> Plan:
    """Plan the sheet that documents every name, with its formula to paste."""
    plan = Plan(NAMES_SHEET)
    plan.put(0, 0, "title", "Имена · Names")
    plan.put(
        1,
        0,
        "subtitle",
        "Аргументы каждого имени: пули, горы (строка или столбец), висты (квадрат). · Arguments of each name: "
        "pulyas, goras (a row or a column), whists (a square).",
    )
    for column, head in enumerate(("Имя · Name", "Конвенция", "Округление", "Формула для Диспетчера имён · To paste")):
        plan.put(3, column, "head", head)
    rules = [("rozaliev", "debts"), *_rules()]
    for row, ((name, text), (convention, rounding)) in enumerate(zip(lambda_names().items(), rules, strict=True), 4):
        plan.put(row, 0, "plain", name)
        plan.put(row, 1, "plain", f"{RUSSIAN[convention]} · {convention}")
        plan.put(row, 2, "plain", f"{RUSSIAN[rounding]} · {rounding}")
        plan.put(row, 3, "source", PlainText(readable(text)))
    plan.widths = {0: 32, 1: 26, 2: 26, 3: 120}
    plan.heights = {0: 30, 3: 24}
    return plan


def _rules() -> list[tuple[str, str]]:
    return [(convention, rounding) for convention in LAMBDA_CONVENTIONS for rounding in FORMULA_ROUNDINGS]


def _write_results(book: Any, sheet: Any) -> None:
    style = book.add_format(STYLES["result"])
    _spill(sheet, (FIRST, RESULT), "PULYA", ("rozaliev", "debts"), style)
    style = book.add_format({**STYLES["step whists"], "num_format": '+General;"−"General;0'})
    for column, (convention, rounding) in enumerate(_rules(), start=1):
        name = f"PULYA_{convention}_{rounding}".upper()
        _spill(sheet, (TABLE + 1, column), name, (convention, rounding), style)


def _spill(sheet: Any, where: tuple[int, int], name: str, rules: tuple[str, str], style: Any) -> None:
    """Write a formula that spills down, with its values: a fixed range would never grow."""
    settled = settle_sheet(PULYAS, GORAS, WHISTS, convention=rules[0], rounding=rules[1]).result
    row, column = where
    sheet.write_dynamic_array_formula(
        row, column, row + len(PLAYERS) - 1, column, f"={name}({','.join(ranges())})", style, settled[0]
    )
    for offset, value in enumerate(settled[1:], start=1):
        sheet.write_number(row + offset, column, value, style)
