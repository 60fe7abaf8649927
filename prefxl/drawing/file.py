"""Writing a drawn pulka: the ending of the file says how it is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefxl.drawing.png import draw_png
from prefxl.drawing.sheet import draw_workbook
from prefxl.drawing.svg import draw_svg
from prefxl.errors import OptionError
from prefxl.files import replacing
from prefxl.rules.single import Settlement

#: File endings a pulka can be drawn to.
ENDINGS = (".svg", ".png", ".xlsx")


def write_drawing(
    settlement: Settlement,
    path: str | Path,
    *,
    lang: str = "ru",
    game: Any = None,
    date: Any = None,
    overwrite: bool = False,
) -> Path:
    """Draw the pulka of one game into a file.

    Parameters
    ----------
    settlement, lang, game, date
        As for :func:`prefxl.drawing.draw_svg`.
    path
        ``.svg``, ``.png``, or ``.xlsx`` for a worksheet of native cells.
    overwrite
        Allow the file to exist.

    Raises
    ------
    OptionError
        If the ending is none of those.
    FileError
        If the file is in the way or cannot be written; nothing is changed then.
    """
    target = Path(path)
    ending = target.suffix.casefold()
    told = {"lang": lang, "game": game, "date": date}
    if ending == ".svg":
        drawn = draw_svg(settlement, **told).encode("utf-8")
    elif ending == ".png":
        drawn = draw_png(settlement, **told)
    elif ending == ".xlsx":
        drawn = draw_workbook(settlement, **told)
    else:
        raise OptionError(
            f"{target.name}: a pulka is drawn to {', '.join(ENDINGS)}",
            f"{target.name}: пулька рисуется в {', '.join(ENDINGS)}",
        )
    with replacing(target, overwrite=overwrite) as temp:
        temp.write_bytes(drawn)
    return target
