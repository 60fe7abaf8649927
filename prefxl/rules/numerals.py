"""How whole multiples of a fraction are written, each worked out once: a season repeats the same few numbers."""

from __future__ import annotations

from collections.abc import Sequence

from prefxl.rules.numbers import ratio
from prefxl.rules.wording import MINUS, number


class Numerals(dict[int, str]):
    """Numerator to how the number is written; all of them over one denominator.

    >>> thirds = Numerals(3, "ru")
    >>> thirds[-40], thirds.signed(21), thirds.bracketed(-3), thirds.added([29, -106])
    ('−13 1/3', '+7', '(−1)', '9 2/3 − 35 1/3 = −25 2/3')
    """

    __slots__ = ("_denominator", "_lang")

    def __init__(self, denominator: int, lang: str) -> None:
        super().__init__()
        self._denominator, self._lang = denominator, lang

    def __missing__(self, numerator: int) -> str:
        text = self[numerator] = number(ratio(numerator, self._denominator), self._lang)
        return text

    def signed(self, numerator: int) -> str:
        """Return a number with its sign, a plus as well."""
        return f"+{self[numerator]}" if numerator > 0 else self[numerator]

    def bracketed(self, numerator: int) -> str:
        """Return a number with brackets around it where it is below 0: ``(−3)``."""
        return self[numerator] if numerator >= 0 else f"({self[numerator]})"

    def added(self, numerators: Sequence[int]) -> str:
        """Return a sum as it is written by hand, the total after it: ``29 − 106 = −77``; one number stands alone."""
        first, *rest = numerators
        text = self[first]
        if not rest:
            return text
        for one in rest:
            text += f" {MINUS} {self[-one]}" if one < 0 else f" + {self[one]}"
        return f"{text} = {self[first + sum(rest)]}"

    def less(self, numerator: int, other: int) -> str:
        """Return a difference as it is written by hand: ``24 − 60 = −36``."""
        return f"{self[numerator]} {MINUS} {self.bracketed(other)} = {self[numerator - other]}"
