"""Random score sheets for the laws."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st


@dataclass(frozen=True)
class RandomSheet:
    pulya: list
    gora: list
    whists: list

    @property
    def players(self):
        return len(self.pulya)


@st.composite
def sheets(draw, *, min_players=2, max_players=5, halves=True, largest=400):
    players = draw(st.integers(min_players, max_players))
    whole = st.integers(-largest // 4, largest)
    points = whole | whole.map(lambda n: Fraction(n, 2)) if halves else whole
    pulya = draw(st.lists(st.integers(0, 60), min_size=players, max_size=players))
    gora = draw(st.lists(points, min_size=players, max_size=players))
    written = draw(st.lists(st.integers(-50, largest), min_size=players**2, max_size=players**2))
    whists = [[0 if i == j else written[i * players + j] for j in range(players)] for i in range(players)]
    return RandomSheet(pulya, gora, whists)
