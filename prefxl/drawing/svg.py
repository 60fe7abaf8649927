"""The drawn pulka as SVG: one A4 sheet laid across, crisp at any size."""

from __future__ import annotations

from functools import singledispatch
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from prefxl.drawing.plan import plan, title
from prefxl.drawing.shapes import Line, Outline, Oval, Shape, Text
from prefxl.drawing.words import Numbers
from prefxl.rules.single import Settlement

#: Typefaces with Cyrillic letters, one of which is on every system; the first is the one the PNG is drawn with.
FONTS = "'DejaVu Sans', Verdana, 'Segoe UI', 'Liberation Sans', Arial, Helvetica, sans-serif"

#: A4 laid across [mm].
WIDTH, HEIGHT = 297, 210

#: Captions are dark enough to print, and lighter than the numbers.
_INK, _FAINT = "#111111", "#555555"


def draw_svg(settlement: Settlement, *, lang: str = "ru", game: Any = None, date: Any = None) -> str:
    """Return the drawn pulka of one game as the text of an SVG file.

    Parameters
    ----------
    settlement
        The settled sheet of two to five players; the first seat is drawn at the bottom, the others clockwise.
    lang
        ``"ru"`` or ``"en"``.
    game, date
        What the title tells; a date, or text.
    """
    numbers = Numbers(settlement, lang)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{HEIGHT}mm" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="pulka-title pulka-description" '
        f'lang="{lang}" xml:lang="{lang}" font-family="{FONTS}" text-anchor="middle">'
    )
    parts = [
        head,
        f'<title id="pulka-title">{_text(title(numbers, game, date))}</title>',
        f'<desc id="pulka-description">{_text(numbers.description())}</desc>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        *(_drawn(shape) for shape in plan(settlement, lang, game=game, date=date)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _text(text: str) -> str:
    """Return text without the characters XML has no place for, escaped."""
    return escape(
        "".join(
            char for char in text if char >= " " and char not in "\ufffe\uffff" and not 0xD800 <= ord(char) <= 0xDFFF
        )
    )


@singledispatch
def _drawn(shape: Shape) -> str:
    raise TypeError(shape)


@_drawn.register
def _(shape: Line) -> str:
    (x1, y1), (x2, y2) = shape.start, shape.end
    return f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" {_stroke(shape.width)}/>'


@_drawn.register
def _(shape: Outline) -> str:
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.corners)
    return (
        f'<polygon class={quoteattr(shape.kind)} points="{points}" fill="{shape.filled}" '
        f'stroke-linejoin="round" {_stroke(shape.width)}/>'
    )


@_drawn.register
def _(shape: Oval) -> str:
    (x, y), (rx, ry) = shape.centre, shape.radii
    return (
        f'<ellipse class={quoteattr(shape.kind)} cx="{_n(x)}" cy="{_n(y)}" rx="{_n(rx)}" ry="{_n(ry)}" '
        f'fill="{shape.filled}" {_stroke(shape.width)}/>'
    )


@_drawn.register
def _(shape: Text) -> str:
    x, y = shape.at
    # a baseline about a third of the size below the middle centres figures and capitals in every viewer
    look = f'font-size="{_n(shape.size)}" fill="{_FAINT if shape.faint else _INK}"'
    look += ' font-weight="bold"' if shape.bold else ""
    look += ' text-decoration="line-through"' if shape.struck else ""
    look += f' text-anchor="{shape.anchor}"' if shape.anchor != "middle" else ""
    turned = f' transform="rotate({_n(shape.turn)} {_n(x)} {_n(y)})"' if shape.turn else ""
    return f'<text x="{_n(x)}" y="{_n(y + 0.36 * shape.size)}" {look}{turned}>{_text(shape.text)}</text>'


def _stroke(width: float) -> str:
    return f'stroke="{_INK}" stroke-width="{_n(width)}"'


def _n(value: float) -> str:
    """Return a coordinate with as few digits as it needs."""
    return f"{round(value, 2):g}"
