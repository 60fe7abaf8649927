"""How a sheet of paper is divided between two, three, four or five players.

Lengths are millimetres of an A4 sheet laid across; y runs downwards. A player's
field lies along one side of the frame and runs into the middle; it is cut into
strips parallel to that side, and the strip of the whists into a cell a neighbour.
"""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]
Polygon = tuple[Point, ...]

#: The frame the pulka is drawn in, and the point its fields meet in.
LEFT, TOP, RIGHT, BOTTOM = 14.0, 25.0, 283.0, 183.0
CENTRE: Point = ((LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2)

#: How deep into its field a strip reaches: 0 at the side of the frame, 1 at the middle.
WHISTS = (0.0, 0.40)
PULYA = (0.40, 0.58)
GORA = (0.58, 1.0)


@dataclass(frozen=True)
class Field:
    """One player's part of the sheet.

    Attributes
    ----------
    side
        The side of the frame it lies along: ``bottom``, ``left``, ``top`` or ``right``.
    outline
        Its corners.
    """

    side: str
    outline: Polygon

    @property
    def axis(self) -> int:
        """The axis that leads from the side into the middle: 0 for x, 1 for y."""
        return 0 if self.side in ("left", "right") else 1

    def depth(self, part: float) -> float:
        """Return the coordinate a part of the way from the side to the middle."""
        edge = {"bottom": BOTTOM, "left": LEFT, "top": TOP, "right": RIGHT}[self.side]
        return edge + part * (CENTRE[self.axis] - edge)

    def strip(self, parts: tuple[float, float]) -> Polygon:
        """Return the outline of the strip between two depths."""
        low, high = sorted(self.depth(part) for part in parts)
        return clip(self.outline, self.axis, low, high)

    def along(self, part: float) -> tuple[float, float]:
        """Return where the field begins and ends along its side, at a depth."""
        line = clip(self.outline, self.axis, self.depth(part) - 1e-6, self.depth(part) + 1e-6)
        across = [point[1 - self.axis] for point in line]
        return min(across), max(across)

    def point(self, part: float, share: float) -> Point:
        """Return the point at a depth, a share of the way along the field (from the left, or from the top)."""
        low, high = self.along(part)
        across, inwards = low + share * (high - low), self.depth(part)
        return (inwards, across) if self.axis == 0 else (across, inwards)

    def cells(self, parts: tuple[float, float], count: int) -> list[tuple[Polygon, Point]]:
        """Return the strip cut into cells of one width, clockwise round the table: outline and middle."""
        middle = sum(parts) / 2
        low, high = self.along(middle)
        cuts = [low + (high - low) * index / count for index in range(count + 1)]
        cuts[0], cuts[-1] = -1e6, 1e6
        strip = self.strip(parts)
        cells = [
            (clip(strip, 1 - self.axis, cuts[index], cuts[index + 1]), self.point(middle, (index + 0.5) / count))
            for index in range(count)
        ]
        # clockwise is to the left along the bottom and upwards along the left side
        return cells[::-1] if self.side in ("bottom", "left") else cells

    def size(self, parts: tuple[float, float], count: int) -> tuple[float, float]:
        """Return width and height of one cell of the strip."""
        low, high = self.along(sum(parts) / 2)
        deep = abs(self.depth(parts[1]) - self.depth(parts[0]))
        wide = (high - low) / count
        return (deep, wide) if self.axis == 0 else (wide, deep)


def clip(polygon: Polygon, axis: int, low: float, high: float) -> Polygon:
    """Return the part of a convex polygon with ``low`` <= coordinate <= ``high``."""
    return _cut(_cut(polygon, axis, low, 1), axis, high, -1)


def _cut(polygon: Polygon, axis: int, limit: float, sign: int) -> Polygon:
    """Return the part of a convex polygon on one side of a line parallel to an axis (Sutherland-Hodgman)."""
    kept: list[Point] = []
    for one, other in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        inside, next_inside = ((point[axis] - limit) * sign >= 0 for point in (one, other))
        if inside:
            kept.append(one)
        if inside != next_inside:
            share = (limit - one[axis]) / (other[axis] - one[axis])
            kept.append((one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])))
    return tuple(kept)


def fields(players: int) -> tuple[Field, ...]:
    """Return the fields of the players, clockwise from the one at the bottom, as their seats go."""
    return {2: _two, 3: _three, 4: _four, 5: _five}[players]()


_CORNERS: dict[str, Point] = {"nw": (LEFT, TOP), "ne": (RIGHT, TOP), "se": (RIGHT, BOTTOM), "sw": (LEFT, BOTTOM)}


def _outline(*corners: str | Point) -> Polygon:
    return tuple(_CORNERS[corner] if isinstance(corner, str) else corner for corner in corners)


def _two() -> tuple[Field, ...]:
    west, east = (LEFT, CENTRE[1]), (RIGHT, CENTRE[1])
    return Field("bottom", _outline(west, east, "se", "sw")), Field("top", _outline("nw", "ne", east, west))


def _three() -> tuple[Field, ...]:
    north = (CENTRE[0], TOP)
    return (
        Field("bottom", _outline(CENTRE, "se", "sw")),
        Field("left", _outline("nw", north, CENTRE, "sw")),
        Field("right", _outline(north, "ne", "se", CENTRE)),
    )


def _four() -> tuple[Field, ...]:
    return (
        Field("bottom", _outline(CENTRE, "se", "sw")),
        Field("left", _outline("nw", CENTRE, "sw")),
        Field("top", _outline("nw", "ne", CENTRE)),
        Field("right", _outline("ne", "se", CENTRE)),
    )


def _five() -> tuple[Field, ...]:
    # nobody draws five fields round a point: three stand along the bottom and two along the top
    y, thirds = CENTRE[1], [LEFT + (RIGHT - LEFT) * third / 3 for third in range(4)]
    halves = (LEFT, CENTRE[0], RIGHT)

    def low(index: int) -> Field:
        west, east = thirds[index], thirds[index + 1]
        return Field("bottom", ((west, y), (east, y), (east, BOTTOM), (west, BOTTOM)))

    def high(index: int) -> Field:
        west, east = halves[index], halves[index + 1]
        return Field("top", ((west, TOP), (east, TOP), (east, y), (west, y)))

    return low(1), low(0), high(0), high(1), low(2)
