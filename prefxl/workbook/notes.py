"""Notes on cells, as large as their text."""

from __future__ import annotations

from typing import Any

from prefxl.rules.explanation import explain_results
from prefxl.rules.single import Settlement
from prefxl.rules.wording import number
from prefxl.workbook.look import FONT
from prefxl.workbook.widths import lines, text_width
from prefxl.workbook.words import rule_name

_SIZE = 9
_PIXELS_A_CHARACTER, _PIXELS_A_LINE = 6.4, 15
_WIDEST = 46


def result_notes(settlement: Settlement, lang: str = "ru") -> list[str]:
    """Return for every player, seat by seat, how the result came about: a step a line."""
    rules = f"{rule_name(settlement.convention.name, lang)}, {rule_name(settlement.rounding, lang)}"
    return [
        f"{name}: {number(result, lang, sign=True)}\n{steps}\n{rules}"
        for name, result, steps in zip(
            settlement.players, settlement.work.result.plain(), explain_results(settlement, lang), strict=True
        )
    ]


def note_size(text: str) -> tuple[int, int]:
    """Return the width and height in pixels that show all of ``text``.

    >>> note_size("a") < note_size("a" * 30) and note_size("a")[1] < note_size("a\\nb\\nc")[1]
    True
    """
    widest = min(max((text_width(line) for line in text.split("\n")), default=1), _WIDEST)
    count = lines(text, widest + 1)
    return int(widest * _PIXELS_A_CHARACTER) + 24, count * _PIXELS_A_LINE + 12


def write_note(sheet: Any, row: int, column: int, text: str) -> None:
    """Put a note on a cell of an XlsxWriter sheet, zero-based."""
    width, height = note_size(text)
    sheet.write_comment(
        row,
        column,
        text,
        {
            "author": "prefxl",
            "width": width,
            "height": height,
            "font_name": FONT,
            "font_size": _SIZE,
            "color": "#FFFFF0",
        },
    )
