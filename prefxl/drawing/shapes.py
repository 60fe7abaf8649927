"""What a drawing consists of, before it becomes SVG: lines, outlines and fitted text, in millimetres."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prefxl.drawing.geometry import Point, Polygon

#: Advance widths of the bold letters, in parts of the size; letters not named are ``_WIDEST_COMMON`` wide.
_WIDTHS = {
    0.40: " ',-.:;·/|IJ\\ijl|ІЇЈіїј",
    0.52: '!()[]f"*_`rtгѓ',
    0.66: "?cszзстэєѕLakvxy«»ЃГавухьяў",
    0.72: "$0123456789EFSTYbdeghnopqu{}ЀЁЅЕЗТбеийкнопрчѐёђќѝџ",
    0.80: "ABCKPRVXZЄЎАБВРСУХЬЭЯлцъћGUЌКЧдм",
    0.90: "#&+<=>DHNOQ^~ЍЏИЙЛНОП→−wЂЋДы",
}
_WIDEST_COMMON = 1.15
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}

#: Text is not made smaller than this; what still does not fit is cut, and told in full in the description.
SMALLEST = 2.4


@dataclass(frozen=True)
class Line:
    """A straight line."""

    start: Point
    end: Point
    width: float = 0.3


@dataclass(frozen=True)
class Outline:
    """A closed outline; ``kind`` names what it stands for."""

    corners: Polygon
    kind: str
    width: float = 0.3
    filled: str = "none"


@dataclass(frozen=True)
class Oval:
    """An ellipse."""

    centre: Point
    radii: tuple[float, float]
    kind: str = "oval"
    width: float = 0.3
    filled: str = "none"


@dataclass(frozen=True)
class Text:
    """One line of text, half its height above and below ``at``.

    Attributes
    ----------
    room
        The width it is fitted into [mm].
    turn
        Degrees it is turned by, clockwise.
    anchor
        Which point of the line ``at`` is: ``middle``, ``start`` or ``end``.
    struck
        Whether it is struck out.
    """

    at: Point
    text: str
    size: float
    room: float
    bold: bool = False
    faint: bool = False
    struck: bool = False
    turn: float = 0.0
    anchor: str = "middle"


Shape = Line | Outline | Oval | Text


def width_of(text: str, size: float) -> float:
    """Return about how wide a line of bold text is; rather too much than too little."""
    return size * sum(_WIDTH_OF.get(letter, _WIDEST_COMMON) for letter in text)


def fitted(text: Text) -> Text:
    """Return the text no wider than its room: first smaller, then cut with an ellipsis."""
    words = " ".join(text.text.split())
    size = text.size
    wide = width_of(words, size)
    if wide > text.room:
        size = max(SMALLEST, size * text.room / wide)
    while len(words) > 1 and width_of(words, size) > text.room * 1.001:
        words = words.removesuffix("…")[:-1].rstrip() + "…"
        if words == "…":
            break
    return replace(text, text=words, size=round(size, 2))


def box(centre: Point, width: float, height: float) -> Polygon:
    """Return the corners of a rectangle."""
    (x, y), w, h = centre, width / 2, height / 2
    return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)


def rhombus(centre: Point, width: float, height: float) -> Polygon:
    """Return the corners of a rhombus."""
    x, y = centre
    return (x, y - height / 2), (x + width / 2, y), (x, y + height / 2), (x - width / 2, y)
