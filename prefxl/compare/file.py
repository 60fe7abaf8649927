"""Writing a comparison: as text, or as a worksheet with the differences marked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from prefxl.compare.table import FIRST_COLUMNS, LAST_COLUMNS
from prefxl.errors import OptionError
from prefxl.rules.wording import rule_name

#: File endings a comparison can be written to.
ENDINGS = (".xlsx", ".csv", ".tsv", ".parquet")

#: Headings of the columns that are not conventions, (English, Russian).
HEADINGS = {
    "game": ("Game", "Игра"),
    "date": ("Date", "Дата"),
    "player": ("Player", "Игрок"),
    "result": ("Result", "Итог"),
    "differs": ("Differs", "Отличается"),
    "winner_changes": ("Winner changes", "Другой победитель"),
}
_TITLES = ("Comparison", "Сравнение")
_YES = ("yes", "да")


def write_comparison(frame: pd.DataFrame, path: str | Path, *, lang: str = "ru", overwrite: bool = False) -> Path:
    """Write what :func:`compare` returned to ``.xlsx``, ``.csv``, ``.tsv`` or ``.parquet``.

    Parameters
    ----------
    frame
        The comparison.
    path, overwrite
        The file, and whether it may exist.
    lang
        The language of the headings in ``.xlsx``; there, numbers that differ from the result are bold on a
        tint, and so is the winner of each column in games where it changes.

    Raises
    ------
    OptionError
        If the ending is none of those.
    FileError
        If the file is in the way or cannot be written.
    """
    from prefxl.files import replacing
    from prefxl.output import write_frame

    target = Path(path)
    ending = target.suffix.casefold()
    if ending not in ENDINGS:
        raise OptionError(
            f"{target.name}: a comparison is written to {', '.join(ENDINGS)}",
            f"{target.name}: сравнение пишется в {', '.join(ENDINGS)}",
        )
    with replacing(target, overwrite=overwrite) as temp:
        if ending == ".xlsx":
            _write_workbook(frame, temp, lang)
        else:
            write_frame(frame, temp)
    return target


def heading(name: str, lang: str) -> str:
    """Return the heading of a column of the comparison in ``lang``."""
    if name in HEADINGS:
        return HEADINGS[name][lang == "ru"]
    convention, _, rounding = name.partition("/")
    named = rule_name(convention, lang)
    return f"{named}, {rule_name(rounding, lang)}" if rounding else named


def _write_workbook(frame: pd.DataFrame, path: Path, lang: str) -> None:
    import xlsxwriter

    # the file grows on disk row by row: a season of 100,000 games does not fit into memory as cells
    with xlsxwriter.Workbook(path, {"constant_memory": True, "strings_to_formulas": False}) as workbook:
        sheet = workbook.add_worksheet(_TITLES[lang == "ru"])
        look = {"bold": True, "text_wrap": True, "valign": "top", "bottom": 1}
        head, numbers = workbook.add_format(look), workbook.add_format({**look, "align": "right"})
        sheet.set_column(0, 1, 11)
        sheet.set_column(2, 2, 22)
        sheet.set_column(3, len(frame.columns) - 1, 13)
        sheet.set_row(0, 45)
        for column, name in enumerate(frame.columns):
            of_numbers = len(FIRST_COLUMNS) <= column + 1 <= len(frame.columns) - len(LAST_COLUMNS)
            sheet.write_string(0, column, heading(str(name), lang), numbers if of_numbers else head)
        sheet.freeze_panes(1, 4)
        sheet.autofilter(0, 0, max(len(frame), 1), len(frame.columns) - 1)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(0)
        _Rows(workbook, sheet, lang).write(frame)


class _Rows:
    """Writes the rows of a comparison: another number is bold on a tint, another winner has a frame too."""

    def __init__(self, workbook: Any, sheet: Any, lang: str) -> None:
        self.sheet, self.lang = sheet, lang
        other = {"bold": True, "bg_color": "#fff2cc"}
        looks: dict[str, dict[str, Any]] = {"same": {}, "other": other, "winner": {**other, "border": 2}}
        # one format a number of decimals: a general one behind a sign does not fit its column everywhere
        self.formats = {
            (look, places): workbook.add_format({**marks, "num_format": f"+{shown};−{shown};0"})
            for look, marks in looks.items()
            for places, shown in enumerate(("0", "0.0", "0.00"))
        }
        self.day = workbook.add_format({"num_format": "yyyy-mm-dd" if lang == "en" else "dd.mm.yyyy", "align": "left"})

    def write(self, frame: pd.DataFrame) -> None:
        """Write every row of the frame, its numbers from the fourth column on."""
        first, last = len(FIRST_COLUMNS) - 1, len(frame.columns) - len(LAST_COLUMNS)
        numbers = frame.iloc[:, first:last].to_numpy(dtype=float)
        different = np.abs(numbers - numbers[:, :1]) > 1e-9
        wins = _wins(frame, numbers)
        flags = frame[list(LAST_COLUMNS)].to_numpy(dtype=bool)
        heads = frame.iloc[:, :first].to_numpy(dtype=object)
        for row in range(len(frame)):
            self._head(row + 1, heads[row])
            for column, value in enumerate(numbers[row]):
                if value == value:
                    look = "winner" if wins[row, column] else "other" if different[row, column] else "same"
                    self.sheet.write_number(row + 1, first + column, value, self.formats[look, _places(value)])
            for column, flag in enumerate(flags[row]):
                if flag:
                    self.sheet.write_string(row + 1, last + column, _YES[self.lang == "ru"])

    def _head(self, row: int, values: Any) -> None:
        for column, value in enumerate(values):
            if hasattr(value, "strftime"):
                self.sheet.write_datetime(row, column, value, self.day)
            elif isinstance(value, (int, float)) and not isinstance(value, bool) and value == value:
                self.sheet.write_number(row, column, value)
            elif value is not None and value == value:
                self.sheet.write_string(row, column, str(value))


def _places(value: float) -> int:
    """Return the decimals a number is shown with: as few as tell it, at most two."""
    return next((places for places in (0, 1) if round(value, places) == value), 2)


def _wins(frame: pd.DataFrame, numbers: Any) -> Any:
    """Return where a number wins its game although the player's result does not."""
    changed = frame["winner_changes"].to_numpy(dtype=bool)
    begins = np.array(list(_begins(frame)), dtype=np.int64)
    wins = np.zeros(numbers.shape, bool)
    if not len(begins):
        return wins
    counts = np.diff(np.append(begins, len(frame)))
    most = np.repeat(np.fmax.reduceat(numbers, begins, axis=0), counts, axis=0)
    wins = (numbers == most) & changed[:, None]
    return wins & ~wins[:, :1]


def _begins(frame: pd.DataFrame) -> Iterator[int]:
    """Yield the first row of each game: its rows stand together, and nobody is in one game twice."""
    game: tuple[Any, Any] | None = None
    players: set[Any] = set()
    for row, (name, day, player) in enumerate(zip(frame["game"], frame["date"], frame["player"], strict=True)):
        if row == 0 or (name, day) != game or player in players:
            yield row
            game, players = (name, day), set()
        players.add(player)
