"""The workbook ``udf.xlsm``: the live functions in Excel for Windows, made on the machine it is for.

It holds the path of this machine's Python, and the name of this xlwings' library, so
it is never shipped: ``prefxl template udf.xlsm`` makes it anew.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import xlsxwriter

from prefxl.files import replacing
from prefxl.live import answers
from prefxl.live.answers import Asked, Table
from prefxl.live.form_words import STYLES
from prefxl.live.plan import Plan, cell, write_plan
from prefxl.live.vba import help_module, plan_texts, put_project, wrapper_module
from prefxl.live.worked import FIRST, GORAS, PLAYERS, PULYAS, RESULT, WHISTS, plan_game, ranges
from prefxl.rules.conventions import CONVENTIONS, ROUNDINGS, RUSSIAN

#: The worksheet that xlwings reads its settings from.
CONFIG_SHEET = "xlwings.conf"
SHEET = "PULYA"

#: Where the rules are chosen, and the tables below the game.
RULES = RESULT + 1
WHY = FIRST + len(PLAYERS) + 1
STEPS = WHY + 3
PAY = STEPS + len(PLAYERS) + 3


def write_udf_workbook(path: str | Path, *, overwrite: bool = False, interpreter: str | None = None) -> Path:
    """Write the workbook with the live functions, for Excel for Windows, and return where it is.

    Parameters
    ----------
    path
        Where; the name should end in ``.xlsm``.
    overwrite
        Allow the file to exist already.
    interpreter
        The Python that Excel starts; by default this one, on Windows.

    Raises
    ------
    OptionError
        If the package that writes VBA projects is not installed.
    FileInTheWayError, FileError
        If the file exists, or cannot be written.
    """
    target = Path(path)
    with replacing(target, overwrite=overwrite) as temporary:
        with xlsxwriter.Workbook(str(temporary)) as book:
            book.set_properties({"title": "prefxl: =PULYA()", "author": "prefxl"})
            sheet = book.add_worksheet(SHEET)
            write_plan(book, sheet, plan_live_game(), STYLES)
            _write_answers(book, sheet)
            sheet.hide_gridlines(2)
            write_settings(book, CONFIG_SHEET, interpreter)
        put_project(temporary, {**xlwings_modules("xlwings.bas"), **our_modules()})
    return target


def write_settings(book: Any, config_sheet: str, interpreter: str | None) -> None:
    """Add the sheet of xlwings' settings and the hidden sheet of the wizard's texts."""
    settings = book.add_worksheet(config_sheet)
    # text, spelt as xlwings looks them up, and without a gap: a blank row would end them
    for row, setting in enumerate(settings_of(interpreter)):
        settings.write_row(row, 0, setting)
    settings.set_column(0, 0, 34)
    settings.set_column(1, 1, 70)
    texts = book.add_worksheet(plan_texts().name)
    write_plan(book, texts, plan_texts(), STYLES)
    texts.hide()


def settings_of(interpreter: str | None) -> list[tuple[str, str]]:
    """Return xlwings' settings: this Python, and nothing of where the workbook lies."""
    own = sys.executable if sys.platform == "win32" else "pythonw"
    return [
        ("INTERPRETER_WIN", interpreter or own),
        # prefxl is installed, so the folder of the workbook (which may be in a cloud) is not asked for
        ("ADD_WORKBOOK_TO_PYTHONPATH", "false"),
        ("SHOW CONSOLE", "false"),
    ]


def xlwings_modules(main: str) -> dict[str, str]:
    """Return xlwings' own VBA, as the installed version has it; its licence stands in it."""
    # slow, and of no use to whoever does not make such a workbook
    import xlwings

    folder = Path(xlwings.__file__).parent
    return {
        "xlwings": (folder / main).read_bytes().decode("ascii"),
        "Dictionary": (folder / "addin" / "Dictionary.cls").read_bytes().decode("ascii"),
    }


def our_modules() -> dict[str, str]:
    """Return our own VBA."""
    return {"prefxl_udf": wrapper_module(), "prefxl_help": help_module()}


def plan_live_game() -> Plan:
    """Plan the worked sheet, but for the answers that spill."""
    plan = Plan(SHEET)
    plan.put(0, 0, "title", "PULYA в Excel · PULYA in Excel")
    plan.put(1, 0, "subtitle", "Жёлтые клетки — ваши; остальное считает Python. · The yellow cells are yours.")
    plan_game(plan)
    last = FIRST + len(PLAYERS) - 1
    for offset, (head, content, names) in enumerate(
        (("Конвенция", "rozaliev", CONVENTIONS), ("Округление", "debts", ROUNDINGS))
    ):
        column = RULES + offset
        plan.put(FIRST - 1, column, "head", head)
        plan.spread((FIRST, column, last, column), "input rule", RUSSIAN[content])
        plan.validate((FIRST, column, FIRST, column), validate="list", source=[RUSSIAN[name] for name in names])
    plan.put(WHY - 1, 0, "section", "PULYA_WHY: почему · why")
    plan.put(STEPS - 1, 0, "section", "PULYA_STEPS: шаги · steps")
    plan.put(PAY - 1, 0, "section", "PULYA_PAY: кто кому · who pays whom")
    plan.widths = {0: 22, **dict.fromkeys(range(1, 11), 13)}
    return plan


def _write_answers(book: Any, sheet: Any) -> None:
    rules = f"{cell(FIRST, RULES)},{cell(FIRST, RULES + 1)}"
    arguments = f"{','.join(ranges())},{rules}"
    asked = Asked(RUSSIAN["rozaliev"], RUSSIAN["debts"])
    game = ([[number] for number in PULYAS], [[number] for number in GORAS], WHISTS)
    plain, bold = book.add_format(STYLES["step"]), book.add_format(STYLES["result"])
    _spill(sheet, (FIRST, RESULT), f"=PULYA({arguments})", answers.results(*game, asked), bold)
    sheet.write_formula(
        WHY, 0, f"=PULYA_WHY({arguments})", book.add_format(STYLES["status"]), answers.why(*game, asked)
    )
    _spill(sheet, (STEPS, 0), f"=PULYA_STEPS({arguments})", answers.steps(*game, asked), plain)
    paid = answers.pay(*game, asked, (None, "fewest", None))
    _spill(sheet, (PAY, 0), f'=PULYA_PAY({arguments},,"fewest")', paid, plain)


def _spill(sheet: Any, where: tuple[int, int], formula: str, table: Table, style: Any) -> None:
    """Write a formula that spills, with the values of every cell it fills."""
    row, column = where
    last = (row + len(table) - 1, column + len(table[0]) - 1)
    sheet.write_dynamic_array_formula(row, column, *last, formula, style, table[0][0])
    for down, line in enumerate(table):
        for right, value in enumerate(line):
            if (down, right) != (0, 0):
                sheet.write(row + down, column + right, value, style)
