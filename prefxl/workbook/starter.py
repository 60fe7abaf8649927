"""The starting workbook: an example season to type over, and how to fill it in."""

from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path
from typing import Any

import xlsxwriter

#: What the second sheet says, a line a row.
INSTRUCTIONS = (
    "Как заполнять / How to fill this in",
    "",
    "Одна строка — одна игра. Висты 1-2: сколько вистов игрок 1 написал на игрока 2.",
    "Играли втроём — столбцы четвёртого игрока оставьте пустыми. Пустая ячейка — это ноль.",
    "Половины: 7,5 или ½. Свои столбцы (Место, Заметка) можно менять и добавлять: они вернутся нетронутыми.",
    "Необязательные столбцы: Конвенция, Округление, Ставка, Условленная пуля, Исправлен.",
    "Рассчитать: prefxl settle season.xlsx",
    "",
    "One row is one game. «Висты 1-2» is what player 1 has written on player 2.",
    "With three players leave the fourth one's columns empty. An empty cell is zero.",
    "Halves: 7,5 or ½. Your own columns may be changed and added: they come back untouched.",
    "Settle it: prefxl settle season.xlsx",
)

_WIDTHS = {"Игра": 6, "Дата": 11, "Место": 15, "Заметка": 30}


def write_season_workbook(source: Path, target: Path) -> None:
    """Write the season of a CSV (``;``, Russian dates) as a workbook to start from.

    Parameters
    ----------
    source
        The shipped ``season.csv``.
    target
        The workbook; overwritten.
    """
    with source.open(encoding="utf-8-sig", newline="") as stream:
        heading, *rows = list(csv.reader(stream, delimiter=";"))
    with xlsxwriter.Workbook(str(target), {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        # the file is compared with a rebuilt one, so it must not hold the time it was made
        book.set_properties({"title": "prefxl: season", "created": datetime(2026, 1, 1)})
        _write_games(book, heading, rows)
        _write_instructions(book)


def _write_games(book: Any, heading: list[str], rows: list[list[str]]) -> None:
    sheet = book.add_worksheet("Сезон")
    bold = book.add_format({"font_name": "Calibri", "bold": True, "text_wrap": True, "bottom": 1, "valign": "top"})
    plain = book.add_format({"font_name": "Calibri"})
    day = book.add_format({"font_name": "Calibri", "num_format": "dd.mm.yyyy"})
    sheet.write_row(0, 0, heading, bold)
    for column, name in enumerate(heading):
        sheet.set_column(column, column, _WIDTHS.get(name, 9), plain)
    for row, values in enumerate(rows, start=1):
        for column, (name, value) in enumerate(zip(heading, values, strict=True)):
            if name == "Дата":
                sheet.write_datetime(row, column, datetime.strptime(value, "%d.%m.%Y"), day)
            elif value.isdecimal():
                sheet.write_number(row, column, int(value), plain)
            elif value:
                sheet.write_string(row, column, value, plain)
    sheet.set_row(0, 32)
    sheet.freeze_panes(1, 2)
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)


def _write_instructions(book: Any) -> None:
    sheet = book.add_worksheet("Как заполнять")
    bold = book.add_format({"font_name": "Calibri", "bold": True, "font_size": 14})
    plain = book.add_format({"font_name": "Calibri", "text_wrap": True, "valign": "top"})
    sheet.set_column(0, 0, 100, plain)
    for row, line in enumerate(INSTRUCTIONS):
        sheet.write_string(row, 0, line, plain if row else bold)
