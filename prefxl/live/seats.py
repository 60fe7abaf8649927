"""How a formula writes a seat and a sum over the seats: plain cells, or arrays in a LAMBDA."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from math import prod
from typing import TypeAlias

#: The text of a number for a seat.
BySeat: TypeAlias = Callable[[int], str]
#: A factor of a product: a number, or the text of one.
Factor: TypeAlias = int | str


class Seats(ABC):
    """How one program's formulas write the numbers of a seat, and sums over the seats."""

    #: how many settle, as a number or as the text of one
    players: Factor

    @abstractmethod
    def pulya(self, seat: int) -> str:
        """Return the pulya of ``seat``."""

    @abstractmethod
    def gora(self, seat: int) -> str:
        """Return the gora of ``seat``."""

    @abstractmethod
    def saldo(self, seat: int) -> str:
        """Return the saldo of the whists of ``seat``."""

    @abstractmethod
    def each(self, name: str, number: BySeat) -> BySeat:
        """Call a number of every seat ``name``, where the formula can name things."""

    @abstractmethod
    def once(self, name: str, text: str) -> str:
        """Call one number ``name``, where the formula can name things."""

    @abstractmethod
    def total(self, number: BySeat) -> str:
        """Return the sum over the seats."""

    @abstractmethod
    def smallest(self, number: BySeat) -> str:
        """Return the smallest over the seats."""

    @abstractmethod
    def positive(self, text: str) -> str:
        """Return a number where it is above 0, else 0."""

    @abstractmethod
    def nearest(self, numerator: str, denominator: Factor) -> str:
        """Return a quotient of at least 0 to the nearest whole, halves up."""

    @abstractmethod
    def whole_part(self, numerator: str, denominator: Factor) -> str:
        """Return a quotient cut off toward zero."""

    @abstractmethod
    def remainder(self, numerator: str, denominator: Factor) -> str:
        """Return what is left of ``numerator`` over the floor of the quotient."""

    @abstractmethod
    def served_before(self, key: BySeat, seat: int) -> str:
        """Return how many seats go before ``seat``: by a larger key, or earlier with the same."""


class Cells(Seats):
    """Plain cells: everything is written out, nothing is an array.

    Parameters
    ----------
    pulya, gora
        A cell reference a seat.
    whists
        ``whists[i][j]``: the cell of what ``i`` has written on ``j``; the diagonal is not looked at.
    """

    players: int

    def __init__(self, pulya: Sequence[str], gora: Sequence[str], whists: Sequence[Sequence[str]]) -> None:
        self.players = len(pulya)
        self._pulya, self._gora, self._whists = pulya, gora, whists

    def pulya(self, seat: int) -> str:
        """Return the cell of the pulya."""
        return self._pulya[seat]

    def gora(self, seat: int) -> str:
        """Return the cell of the gora."""
        return self._gora[seat]

    def saldo(self, seat: int) -> str:
        """Return whists written on the others less whists the others have written."""
        others = [other for other in range(self.players) if other != seat]
        won = "+".join(self._whists[seat][other] for other in others)
        return f"({won}-{'-'.join(self._whists[other][seat] for other in others)})"

    def each(self, name: str, number: BySeat) -> BySeat:
        """Nothing can be named: the text itself, in brackets."""
        return lambda seat: enclosed(number(seat))

    def once(self, name: str, text: str) -> str:
        """Nothing can be named: the text itself, in brackets."""
        return enclosed(text)

    def total(self, number: BySeat) -> str:
        """Return a sum written out: SUM would pass over a word in a cell without a sound."""
        return f"({'+'.join(number(seat) for seat in range(self.players))})"

    def smallest(self, number: BySeat) -> str:
        """Return MIN over the seats; its arguments are computed, so a word in a cell is an error."""
        return f"MIN({','.join(number(seat) for seat in range(self.players))})"

    def positive(self, text: str) -> str:
        """Return MAX with 0."""
        return f"MAX({text},0)"

    def nearest(self, numerator: str, denominator: Factor) -> str:
        """Return ROUND, which takes halves away from zero."""
        return f"ROUND({numerator}/{divisor(denominator)},0)"

    def whole_part(self, numerator: str, denominator: Factor) -> str:
        """Return TRUNC."""
        return f"TRUNC({enclosed(numerator)}/{divisor(denominator)})"

    def remainder(self, numerator: str, denominator: Factor) -> str:
        """Return MOD."""
        return f"MOD({numerator},{denominator})"

    def served_before(self, key: BySeat, seat: int) -> str:
        """Return the comparisons written out; the leading 0 makes a lone comparison a number."""
        signs = [(other, ">=" if other < seat else ">") for other in range(self.players) if other != seat]
        return "0+" + "+".join(f"({key(other)}{sign}{key(seat)})" for other, sign in signs)


class Arrays(Seats):
    """Column arrays with names, for LET inside a LAMBDA: one text for all seats.

    Attributes
    ----------
    named
        The names in the order of their making, each with its text.
    """

    def __init__(self, pulya: str, gora: str, saldo: str, players: str) -> None:
        self.players = players
        self.named: list[tuple[str, str]] = []
        self._texts = (pulya, gora, saldo)

    def pulya(self, seat: int) -> str:
        """Return the array of pulyas."""
        return self._texts[0]

    def gora(self, seat: int) -> str:
        """Return the array of goras."""
        return self._texts[1]

    def saldo(self, seat: int) -> str:
        """Return the array of saldi."""
        return self._texts[2]

    def each(self, name: str, number: BySeat) -> BySeat:
        """Name an array."""
        text = self.once(name, number(0))
        return lambda seat: text

    def once(self, name: str, text: str) -> str:
        """Name a number or an array."""
        # new names carry this prefix in the file, or Excel refuses it
        self.named.append((f"_xlpm.{name}", text))
        return f"_xlpm.{name}"

    def total(self, number: BySeat) -> str:
        """Return SUM."""
        return f"SUM({number(0)})"

    def smallest(self, number: BySeat) -> str:
        """Return MIN."""
        return f"MIN({number(0)})"

    def positive(self, text: str) -> str:
        """Return the positive part seat by seat: MAX would take the whole array at once."""
        return f"(({text})>0)*({text})"

    # INT is the one rounding function that every engine applies to an array seat by seat

    def nearest(self, numerator: str, denominator: Factor) -> str:
        """Return the floor of the quotient and a half."""
        return f"INT((2*{numerator}+{denominator})/({times(2, denominator)}))"

    def whole_part(self, numerator: str, denominator: Factor) -> str:
        """Return the floor of the size, with the sign put back."""
        number = self.once("cut", numerator)
        return f"(({number}>0)-({number}<0))*INT(ABS({number})/{divisor(denominator)})"

    def remainder(self, numerator: str, denominator: Factor) -> str:
        """Return the numerator less the floor times the denominator."""
        number = self.once("numerator", numerator)
        return f"({number}-{denominator}*INT({number}/{divisor(denominator)}))"

    def served_before(self, key: BySeat, seat: int) -> str:
        """Return the rank by a square of comparisons."""
        own, order = key(seat), f"_xlfn.SEQUENCE({self.players},1,1,1)"
        larger, same = f"(TRANSPOSE({own})>{own})", f"(TRANSPOSE({own})={own})"
        earlier = f"(TRANSPOSE({order})<{order})"
        return f"MMULT({larger}+{same}*{earlier},_xlfn.SEQUENCE({self.players},1,1,0))"


def multiply(*factors: Factor) -> Factor:
    """Return the product of numbers and of texts: a number if all are."""
    number: int = prod(factor for factor in factors if isinstance(factor, int))
    texts = [factor for factor in factors if isinstance(factor, str)]
    if not texts or number == 0:
        return int(number)
    return "*".join([str(number)] * (number != 1) + texts)


def times(*factors: Factor) -> str:
    """Return the text of the product of numbers and texts.

    >>> times(2, "A1", 5), times(1, "A1"), times(0, "A1")
    ('10*A1', 'A1', '0')
    """
    return str(multiply(*factors))


def enclosed(text: str) -> str:
    """Return ``text`` in brackets, unless it is one call or one bracket already.

    >>> enclosed("A1-B1"), enclosed("MIN(A1,B1)"), enclosed("(A1)-(B1)")
    ('(A1-B1)', 'MIN(A1,B1)', '((A1)-(B1))')
    """
    head, bracket, tail = text.partition("(")
    depth, closes = 1, [0]
    for place, char in enumerate(tail):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            closes.append(place)
            break
    whole = bool(bracket) and closes[-1] == len(tail) - 1 and (not head or head.isalpha())
    return text if whole else f"({text})"


def divisor(denominator: Factor) -> str:
    """Return a denominator as it may stand after a division sign."""
    return f"({denominator})" if isinstance(denominator, str) and "*" in denominator else str(denominator)
