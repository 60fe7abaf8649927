"""Where everything stands on the drawn pulka: from a settlement to lines, outlines and text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from prefxl.drawing.geometry import (
    BOTTOM,
    CENTRE,
    GORA,
    LEFT,
    PULYA,
    RIGHT,
    TOP,
    WHISTS,
    Field,
    Point,
    fields,
)
from prefxl.drawing.shapes import Outline, Oval, Shape, Text, box, fitted, rhombus, width_of
from prefxl.drawing.words import Numbers, word
from prefxl.rules.single import Settlement

#: Sizes of type [mm].
TITLE, NAME, VALUE, CAPTION = 5.2, 5.0, 5.0, 3.0

#: Height of an oval or a rectangle round a number, and the space between lines of a cell [mm].
RING, GAP = 7.6, 1.4

#: Faint fills that tell winners from losers beside the sign; both stay light in grey.
FILLS = {1: "#dcebf7", 0: "#ffffff", -1: "#fbe6d4"}


def plan(settlement: Settlement, lang: str, *, game: Any = None, date: Any = None) -> list[Shape]:
    """Return the shapes of the drawn pulka, in the order they are painted."""
    numbers = Numbers(settlement, lang)
    places = fields(len(numbers.names))
    shapes: list[Shape] = [*_head(numbers, game, date)]
    for seat, field in enumerate(places):
        shapes += _lines(field, len(places))
        shapes += _name(field, numbers.names[seat])
    for seat, field in enumerate(places):
        shapes += _whists(field, seat, numbers)
        shapes += _gora(field, seat, numbers)
        shapes += _pulya(field, seat, numbers)
    shapes += _middle(numbers)
    shapes += _legend(numbers)
    return [fitted(shape) if isinstance(shape, Text) else shape for shape in shapes]


def title(numbers: Numbers, game: Any, date: Any) -> str:
    """Return the title of the drawing."""
    parts = [word("pulka", numbers.lang)]
    if game is not None and str(game).strip():
        parts.append(word("game", numbers.lang, game=game))
    if date is not None and str(date).strip():
        parts.append(f"{date:%d.%m.%Y}" if hasattr(date, "strftime") else str(date))
    return " · ".join(parts)


def _head(numbers: Numbers, game: Any, date: Any) -> Iterator[Shape]:
    yield Text((CENTRE[0], 7.5), title(numbers, game, date), TITLE, RIGHT - LEFT, bold=True)
    yield Text((CENTRE[0], 13.2), numbers.rules(), 3.6, RIGHT - LEFT, faint=True)


def _lines(field: Field, players: int) -> Iterator[Shape]:
    for outline, _ in field.cells(WHISTS, players - 1):
        yield Outline(outline, "cell", width=0.25)
    yield Outline(field.strip(PULYA), "strip", width=0.25)
    yield Outline(field.outline, "field", width=0.6)


def _name(field: Field, name: str) -> Iterator[Shape]:
    """The name stands outside the frame, turned along the sides."""
    low, high = field.along(0.0)
    middle, room = (low + high) / 2, (high - low) * 0.9
    at, turn = {
        "bottom": ((middle, BOTTOM + 5.2), 0.0),
        "top": ((middle, TOP - 4.6), 0.0),
        "left": ((LEFT - 5.0, middle), -90.0),
        "right": ((RIGHT + 5.0, middle), 90.0),
    }[field.side]
    yield Text(at, name, NAME, room, bold=True, turn=turn)


def _whists(field: Field, seat: int, numbers: Numbers) -> Iterator[Shape]:
    """A cell a neighbour, clockwise: first the one on the side where the round comes from."""
    players = len(numbers.names)
    others = [(seat - 1 - step) % players for step in range(players - 1)]
    wide, high = field.size(WHISTS, players - 1)
    for index, (other, (_, middle)) in enumerate(zip(others, field.cells(WHISTS, players - 1), strict=True)):
        saldo = numbers.text(numbers.saldo[seat], sign=True) if index == (players - 2) // 2 else None
        # the slanted ends of a field leave less room than the middle
        room = wide * (0.74 if field.axis == 1 and players in (3, 4) else 0.9)
        balance = numbers.text(numbers.balances[seat][other], sign=True)
        cell = _Cell(middle, room, high)
        yield from cell.shapes(numbers.names[other], numbers.written(seat, other), balance, saldo)


class _Cell:
    """One cell of whists: the neighbour, what is written, the balance in an oval, and perhaps the sum beside it."""

    def __init__(self, middle: Point, room: float, high: float) -> None:
        self.middle, self.room, self.high = middle, room, high

    def shapes(self, name: str, written: str, balance: str, saldo: str | None) -> Iterator[Shape]:
        x, y = self.middle
        side_by_side = saldo is None or self.room >= _ring_width(balance) + _ring_width(saldo) + GAP
        lines = [CAPTION, VALUE, RING] if side_by_side else [CAPTION, VALUE, RING, RING]
        gap = min(GAP, (self.high - sum(lines) - 1) / len(lines))
        top = y - (sum(lines) + gap * (len(lines) - 1)) / 2
        middles = [top + sum(lines[:index]) + gap * index + line / 2 for index, line in enumerate(lines)]
        yield Text((x, middles[0]), name, CAPTION, self.room, faint=True)
        yield Text((x, middles[1]), written, VALUE, self.room)
        if saldo is None or not side_by_side:
            yield from _ring_of(balance, (x, middles[2]), self.room, "oval")
            if saldo is not None:
                yield from _ring_of(saldo, (x, middles[3]), self.room, "sum")
            return
        together = _ring_width(balance) + GAP + _ring_width(saldo)
        yield from _ring_of(balance, (x - together / 2 + _ring_width(balance) / 2, middles[2]), self.room, "oval")
        yield from _ring_of(saldo, (x + together / 2 - _ring_width(saldo) / 2, middles[2]), self.room, "sum")


def _ring_width(text: str) -> float:
    return max(width_of(text, VALUE) + 5.0, 14.0)


def _ring_of(text: str, at: Point, room: float, kind: str) -> Iterator[Shape]:
    """A number in an oval or in a rectangle."""
    wide = min(_ring_width(text), room)
    if kind == "oval":
        yield Oval(at, (wide / 2, RING / 2), width=0.35, filled="#ffffff")
    else:
        yield Outline(box(at, wide, RING - 0.4), kind, width=0.45, filled="#ffffff")
    yield Text(at, text, VALUE, wide - 3.0, bold=kind != "oval")


def _gora(field: Field, seat: int, numbers: Numbers) -> Iterator[Shape]:
    """The old values struck out, the last one standing, the final gora in a rectangle."""
    values = numbers.goras(seat)
    final = numbers.text(numbers.done.final_gora[seat], sign=True)
    depth = GORA[0] + (0.125 if field.axis == 1 else 0.2)
    x, y = field.point(depth, 0.5)
    if field.axis == 1:
        inwards = 1 if field.side == "top" else -1
        room = 0.8 * (field.along(depth)[1] - field.along(depth)[0])
        yield from _row(values, (x, y), room, numbers)
        deeper = field.depth(GORA[0]) + inwards * 17.0
        across = field.along(abs(deeper - field.depth(0)) / abs(field.depth(1) - field.depth(0)))
        yield from _ring_of(final, ((across[0] + across[1]) / 2, deeper), 0.9 * (across[1] - across[0]), "final-gora")
        return
    # between the rhombus and the circle in the middle of the sheet
    room = 36.0
    x = field.depth(1) - 30.5 if field.side == "left" else field.depth(1) + 30.5
    yield Text((x, y - 11.5), word("gora", numbers.lang), CAPTION, room, faint=True)
    yield from _row(values, (x, y - 4.5), room, numbers, caption=False)
    yield from _ring_of(final, (x, y + 5.0), room, "final-gora")


def _row(values: list[str], at: Point, room: float, numbers: Numbers, *, caption: bool = True) -> Iterator[Shape]:
    """Numbers side by side, all but the last struck out."""
    texts = ([word("gora", numbers.lang)] if caption else []) + values
    sizes = ([CAPTION] if caption else []) + [VALUE] * len(values)
    wide = [width_of(text, size) for text, size in zip(texts, sizes, strict=True)]
    space = 3.0
    scale = min(1.0, room / (sum(wide) + space * (len(wide) - 1)))
    x = at[0] - scale * (sum(wide) + space * (len(wide) - 1)) / 2
    for index, (text, size, width) in enumerate(zip(texts, sizes, wide, strict=True)):
        is_caption, last = caption and index == 0, index == len(texts) - 1
        middle = (x + scale * width / 2, at[1])
        yield Text(middle, text, size * scale, width * scale, faint=is_caption, struck=not is_caption and not last)
        x += scale * (width + space)


def _pulya(field: Field, seat: int, numbers: Numbers) -> Iterator[Shape]:
    """The pulya, and the result in a rhombus in the middle of the field."""
    pulya = numbers.text(numbers.done.pulya[seat])
    depth = sum(PULYA) / 2
    wide, _ = field.size(PULYA, 1)
    room = wide * 0.9 if field.axis == 0 else wide * 0.2
    x, y = field.point(depth, 0.2)
    yield Text((x, y - 3.2), word("pulya", numbers.lang), CAPTION, room, faint=True)
    yield Text((x, y + 1.6), pulya, VALUE, room)
    result = numbers.done.result_exact[seat]
    text = numbers.text(result, sign=True)
    size = min(max(34.0, width_of(text, 6.0) * 1.45), 40.0 if field.axis == 0 else wide * 0.44)
    centre = field.point(depth, 0.5)
    fill = FILLS[(result > 0) - (result < 0)]
    height = 17.0
    yield Outline(rhombus(centre, size, height), "result", width=0.9 if result > 0 else 0.5, filled=fill)
    yield Text(centre, text, 6.0, size * 0.72, bold=True)


def _middle(numbers: Numbers) -> Iterator[Shape]:
    yield Oval(CENTRE, (9.5, 9.5), "middle", width=0.6, filled="#ffffff")
    mean = numbers.done.convention.target == "mean"
    yield Text((CENTRE[0], CENTRE[1] - 3.4), word("pulya", numbers.lang), 2.6, 14, faint=True)
    yield Text((CENTRE[0], CENTRE[1] + 1.0), numbers.target(), VALUE, 15, bold=True)
    if mean:
        yield Text((CENTRE[0], CENTRE[1] + 5.2), word("mean", numbers.lang), 2.4, 13, faint=True)


def _legend(numbers: Numbers) -> Iterator[Shape]:
    y = 197.5
    x = LEFT + 4
    samples: list[tuple[float, Shape, str]] = [
        (66.0, Oval((x, y), (4.2, 2.4)), "oval"),
        (74.0, Outline(box((x + 62, y), 8.4, 4.6), "sum"), "box"),
        (26.0, Outline(rhombus((x + 148, y), 9.4, 5.6), "result"), "rhombus"),
    ]
    for start, (room, shape, key) in zip((6.5, 68.5, 155.0), samples, strict=True):
        yield shape
        yield Text((x + start, y), word(key, numbers.lang), CAPTION, room, faint=True, anchor="start")
    yield Text((RIGHT, y), numbers.sum(), 3.4, 70.0, bold=True, anchor="end")
