"""The drawn pulka as PNG, from the same drawing, with typefaces of its own."""

from __future__ import annotations

from importlib import resources
from typing import Any

from prefxl.drawing.svg import WIDTH, draw_svg
from prefxl.errors import OptionError
from prefxl.rules.single import Settlement

#: Dots per inch of a picture that prints well on A4.
DPI = 150

#: A larger picture helps nobody and takes gigabytes.
LARGEST_DPI = 1200

_MM_PER_INCH = 25.4


def draw_png(settlement: Settlement, *, lang: str = "ru", game: Any = None, date: Any = None, dpi: int = DPI) -> bytes:
    """Return the drawn pulka of one game as the bytes of a PNG file.

    Parameters
    ----------
    settlement, lang, game, date
        As for :func:`prefxl.drawing.draw_svg`.
    dpi
        Dots per inch of an A4 sheet laid across: 150 gives 1754 dots a line.

    Raises
    ------
    OptionError
        If ``dpi`` is not 10 to :data:`LARGEST_DPI`.
    """
    import resvg_py

    if not 10 <= dpi <= LARGEST_DPI:
        raise OptionError(f"dpi must be 10 to {LARGEST_DPI}, not {dpi}", f"dpi — от 10 до {LARGEST_DPI}, а не {dpi}")
    svg = draw_svg(settlement, lang=lang, game=game, date=date)
    # the letters must not depend on what is installed: a bare server has no typefaces at all
    with resources.as_file(resources.files("prefxl.drawing") / "fonts") as fonts:
        picture = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=round(WIDTH * dpi / _MM_PER_INCH),
            dpi=96.0,
            background="#ffffff",
            font_dirs=[str(fonts)],
            sans_serif_family="DejaVu Sans",
        )
    return bytes(picture)
