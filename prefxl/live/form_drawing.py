"""The sheet drawn as it lies on the table: whists at the edge, pulya, gora, results in the middle."""

from __future__ import annotations

from dataclasses import dataclass

from prefxl.live.form_shape import FIRST, GORA, PLAYER, PULYA, WHISTS, Shape, highlight_result, name_of
from prefxl.live.form_words import word
from prefxl.live.plan import Plan, cell, fixed


@dataclass(frozen=True, slots=True)
class _Field:
    """One player's part of the drawing."""

    seat: int
    name: tuple[int, int, int, int]
    whists: list[tuple[int, int, int, int]]
    pulya: tuple[int, int, int, int]
    gora: tuple[int, int, int, int]
    result: tuple[int, int, int, int]


def plan_drawing(plan: Plan, shape: Shape, rows: dict[str, int], lang: str) -> None:
    """Plan the drawing: the players sit clockwise from the left, as they were typed in."""
    for place in _fields(shape):
        _plan_field(plan, shape, place, rows, lang)
    top, left, right = shape.drawing, WHISTS, shape.convention
    bottom = _first(shape) + 4
    corners = [
        ((bottom, PLAYER, bottom + 2, GORA), "corner up"),
        ((bottom, right, bottom + 2, shape.last), "corner down"),
    ]
    if shape.players == 4:
        corners.append(((top + 1, PLAYER, top + 3, GORA), "corner down"))
        corners.append(((top + 1, right, top + 3, shape.last), "corner up"))
    for where, style in corners:
        plan.spread(where, style)
    if shape.players == 3:
        # nobody sits at the top
        plan.spread((top, left, top, right - 1), "field gora", word("result name", lang))
        plan.spread((top + 1, left + 1, top + 2, left + 1), "suits", "♠ ♣ ♦ ♥")


def _first(shape: Shape) -> int:
    """Return the first row of those who sit left and right."""
    return shape.drawing + (4 if shape.players == 4 else 0)


def _fields(shape: Shape) -> list[_Field]:
    top, left, right = shape.drawing, WHISTS, shape.convention - 1
    middle = (left + right) // 2
    first = _first(shape)
    edge = shape.last
    west = _Field(
        0,
        (first, PLAYER, first, GORA),
        _rows(first + 1, first + 3, PLAYER, shape.players - 1),
        (first + 1, PULYA, first + 3, PULYA),
        (first + 1, GORA, first + 3, GORA),
        (first + 1, left, first + 2, middle if shape.players == 4 else left),
    )
    east = _Field(
        shape.players - 2 if shape.players == 4 else 1,
        (first, right + 1, first, edge),
        _rows(first + 1, first + 3, edge, shape.players - 1),
        (first + 1, edge - 1, first + 3, edge - 1),
        (first + 1, edge - 2, first + 3, edge - 2),
        (first + 1, middle + 1, first + 2, right),
    )
    south = _Field(
        shape.players - 1,
        (first + 7, left, first + 7, right),
        _columns(first + 6, left, right, shape.players - 1),
        (first + 5, left, first + 5, right),
        (first + 4, left, first + 4, right),
        (first + 3, left, first + 3, right),
    )
    if shape.players == 3:
        return [west, east, south]
    north = _Field(
        1,
        (top, left, top, right),
        _columns(top + 1, left, right, shape.players - 1),
        (top + 2, left, top + 2, right),
        (top + 3, left, top + 3, right),
        (first, left, first, right),
    )
    return [west, north, east, south]


def _rows(first: int, last: int, column: int, parts: int) -> list[tuple[int, int, int, int]]:
    if parts == 3:
        return [(row, column, row, column) for row in range(first, last + 1)]
    return [(first, column, first, column), (first + 1, column, last, column)]


def _columns(row: int, left: int, right: int, parts: int) -> list[tuple[int, int, int, int]]:
    if parts == 3:
        return [(row, left, row, left), (row, left + 1, row, right - 1), (row, right, row, right)]
    return [(row, left, row, left), (row, left + 1, row, right)]


def _plan_field(plan: Plan, shape: Shape, place: _Field, rows: dict[str, int], lang: str) -> None:
    seat = place.seat
    name, nobody = name_of(shape, seat, lang)
    plan.spread(place.name, "field name", f"={name}", nobody)
    others = [(seat + step) % shape.players for step in range(1, shape.players)]
    for where, other in zip(place.whists, others, strict=True):
        written, (whom, nobody) = cell(FIRST + seat, WHISTS + other), name_of(shape, other, lang)
        plan.spread(where, "field whists", f'={whom}&": "&IF({written}=0,"—",{written})', f"{nobody}: —")
    pulya, gora = fixed(FIRST + seat, PULYA), fixed(FIRST + seat, GORA)
    label = word("pulya", lang).casefold()
    plan.spread(place.pulya, "field", f'="{label} "&IF({pulya}="",0,{pulya})', f"{label} 0")
    amnestied = f"ROUND({cell(rows['amnestied'], WHISTS + seat)},2)"
    label = word("gora", lang).casefold()
    plan.spread(place.gora, "field gora", f'="{label} "&IF({gora}="",0,{gora})&" → "&{amnestied}', f"{label} 0 → 0")
    plan.spread(place.result, "field result", f"={cell(rows['result'], WHISTS + seat)}")
    highlight_result(plan, place.result)
