"""Notes on cells, as large as their text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.rules.explanation import Explainer
from prefxl.settled import Settled
from prefxl.workbook.look import FONT
from prefxl.workbook.widths import lines, text_width

_SIZE = 9
_PIXELS_A_CHARACTER, _PIXELS_A_LINE = 6.4, 15
_WIDEST = 46


def result_notes(
    settled: Settled, positions: npt.NDArray[np.int64], lang: str = "ru"
) -> Iterator[tuple[int, list[str]]]:
    """Yield for each game, and seat by seat every player of it, how the result came about: a step a line."""
    explainer = Explainer(lang)
    for position, settlement in settled.settlements(positions):
        yield position, explainer.notes(settlement)


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
