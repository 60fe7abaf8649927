"""The rules said as spreadsheet formulas: the one place that does.

A convention and a rounding become formulas over given cells (the live forms and
``settle --live``) or one LAMBDA over arrays. Both are the same text but for how a
seat and a sum over the seats are written (:class:`Cells`, :class:`Arrays`).

Why a binary float decides no tie here: pulyas, goras and whists are whole, halves or
quarters, which binary floats hold exactly; everything is added and multiplied by whole
numbers first, and divided once, by a whole number. So a quotient that should be a tie
is one exactly, and any other lies far from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, prod
from typing import TypeAlias

from prefxl.errors import RulesError
from prefxl.rules.conventions import RUSSIAN, Convention, find_convention, find_rounding

#: The roundings that formulas can say.
FORMULA_ROUNDINGS = ("exact", "debts", "truncate", "balanced")

#: The longest formula Excel takes [characters].
LONGEST = 8192

#: Above any numerator of a game, so that ``remainder * _RANK + number`` compares remainders first:
#: 2**41 times a remainder and its quarters is still exact in a binary float.
_RANK = 2**41

#: The text of a number for a seat.
BySeat: TypeAlias = Callable[[int], str]
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

    def served_before(self, key: BySeat, seat: int) -> str:
        """Return the rank by a square of comparisons."""
        own, order = key(seat), f"_xlfn.SEQUENCE({self.players},1,1,1)"
        larger, same = f"(TRANSPOSE({own})>{own})", f"(TRANSPOSE({own})={own})"
        earlier = f"(TRANSPOSE({order})<{order})"
        return f"MMULT({larger}+{same}*{earlier},_xlfn.SEQUENCE({self.players},1,1,0))"


def result_formulas(
    convention: str | Convention | None,
    rounding: str | None,
    pulya: Sequence[str],
    gora: Sequence[str],
    whists: Sequence[Sequence[str]],
) -> list[str]:
    """Return a plain formula a seat for the result [whists], each beginning with ``=``.

    Parameters
    ----------
    convention, rounding
        Names in either language, or a :class:`Convention`; ``None`` is the default.
    pulya, gora
        A cell reference a seat.
    whists
        ``whists[i][j]``: the cell of what ``i`` has written on ``j``; the diagonal is not looked at.

    Raises
    ------
    RulesError
        If formulas cannot say the rounding, or a formula is longer than Excel takes.

    >>> result_formulas("sochi", "exact", ["A1", "A2"], ["B1", "B2"], [["", "D1"], ["C2", ""]])[0]
    '=((5*((B1-A1)+(B2-A2))-10*(B1-A1))+(D1-C2))/1'
    """
    rules, cells = find_convention(convention), Cells(pulya, gora, whists)
    name = formula_rounding(rules, rounding)
    formulas = [f"={result(cells, rules, name, seat)}" for seat in range(len(pulya))]
    if max(map(len, formulas)) > LONGEST:
        raise RulesError(
            f"{rules.name} with {name} does not fit into one cell's formula: take another rounding",
            f"{RUSSIAN[rules.name]}, {RUSSIAN[name]} не помещается в формулу одной ячейки: возьмите другое округление",
        )
    return formulas


def check_formula(results: Sequence[str]) -> str:
    """Return the formula of the check cell: the sum of the results, which must be 0.

    ``truncate`` alone leaves the residual there, with its sign turned.
    """
    # thirds of a whist do not add up to 0 in the last bit
    return f"=ROUND({'+'.join(results)},6)"


def formula_rounding(convention: Convention, rounding: str | None) -> str:
    """Return the rounding's name if formulas can say it.

    Raises
    ------
    RulesError
        If they cannot.
    """
    name = convention.rounding if rounding is None else find_rounding(rounding)
    if name not in FORMULA_ROUNDINGS:
        raise RulesError(
            f"formulas cannot say the rounding {name}; they can say {', '.join(FORMULA_ROUNDINGS)}",
            f"округление «{RUSSIAN[name]}» формулами не выразить; есть: {', '.join(FORMULA_ROUNDINGS)}",
        )
    return name


@dataclass(frozen=True, slots=True)
class Terms:
    """A convention's numbers as factors of a formula: numbers, or cells that hold them.

    Attributes
    ----------
    scale
        What pulyas and target are multiplied by to stay whole.
    rates
        What gora is multiplied by besides: the common denominator of ``below`` and ``above``.
    below
        Gora points a pulya point, times ``rates``.
    surplus
        ``below - above``, times ``rates``; 0 where nobody has another rate above the target.
    target
        The target times ``scale``; not looked at where ``surplus`` is 0.
    value, denominator
        Whists a numerator of gora is worth: ``value / denominator``.
    """

    scale: Factor
    rates: Factor
    below: Factor
    surplus: Factor
    target: Factor
    value: Factor
    denominator: Factor


def terms_of(seats: Seats, convention: Convention) -> Terms:
    """Return the numbers of ``convention`` for as many seats."""
    rates = lcm(convention.below.denominator, convention.above.denominator)
    below, above = int(convention.below * rates), int(convention.above * rates)
    scale: Factor = 1
    target: Factor = 0
    # a constant on every gora changes no result, so a symmetric rule needs no target,
    # and nobody is above the largest
    surplus = 0 if convention.target == "largest" else below - above
    if surplus and convention.target == "mean":
        scale, target = seats.players, seats.once("pulyas", seats.total(seats.pulya))
    elif surplus:
        agreed = Fraction(convention.target)
        scale, target = agreed.denominator, agreed.numerator
    value, worth = convention.whists_per_gora.numerator, convention.whists_per_gora.denominator
    denominator = multiply(scale, rates, worth, _divisor(seats, convention))
    if isinstance(denominator, int):
        common = gcd(value, denominator)
        value, denominator = value // common, denominator // common
    return Terms(scale, rates, below, surplus, target, value, denominator)


def _divisor(seats: Seats, convention: Convention) -> Factor:
    if isinstance(seats.players, int):
        return convention.divisor_for(seats.players)
    return {"players": seats.players, "others": f"({seats.players}-1)", "one": 1}[convention.divisor]


def adjusted(seats: Seats, terms: Terms, seat: int) -> str:
    """Return the gora of ``seat`` after the pulyas are made equal, but for a constant, times scale and rates."""
    text = f"{times(terms.scale, terms.rates, seats.gora(seat))}"
    if terms.below != 0:
        text += f"-{times(terms.below, terms.scale, seats.pulya(seat))}"
    if terms.surplus != 0:
        above = seats.positive(f"{times(terms.scale, seats.pulya(seat))}-{terms.target}")
        text += f"+{times(terms.surplus, above)}"
    return text


def result(seats: Seats, convention: Convention, rounding: str, seat: int) -> str:
    """Return the text of the result of ``seat`` [whists]."""
    terms = terms_of(seats, convention)
    gora = seats.each("adjusted", lambda own: adjusted(seats, terms, own))
    if rounding == "debts":
        debt = seats.each("debt", lambda own: whole_debt(seats, terms, gora, own))
        return f"{seats.total(debt)}-{times(seats.players, debt(seat))}+{seats.saldo(seat)}"
    everybody = times(terms.value, seats.once("everybody", seats.total(gora)))
    if rounding == "balanced":
        share = seats.each("share", lambda own: share_of(seats, terms, gora, own))
        return balanced(seats, everybody, share, terms.denominator, seat)
    won = f"({everybody}-{times(terms.value, seats.players, gora(seat))})"
    if rounding == "truncate":
        return f"TRUNC({won}/{divisor(terms.denominator)})+{seats.saldo(seat)}"
    return f"({won}+{times(terms.denominator, seats.saldo(seat))})/{divisor(terms.denominator)}"


def whole_debt(seats: Seats, terms: Terms, gora: BySeat, seat: int) -> str:
    """Return the debt of ``seat`` to a whole whist: ROUND goes halves up, for a debt is not negative."""
    least = seats.once("least", seats.smallest(gora))
    return f"ROUND({times(terms.value, f'({gora(seat)}-{least})')}/{divisor(terms.denominator)},0)"


def share_of(seats: Seats, terms: Terms, gora: BySeat, seat: int) -> str:
    """Return what is taken from everybody's common numerator to give the result's numerator of ``seat``."""
    return f"{times(terms.value, seats.players, gora(seat))}-{times(terms.denominator, seats.saldo(seat))}"


def balanced(seats: Seats, everybody: str, share: BySeat, denominator: Factor, seat: int) -> str:
    """Return the result to a whole whist with a zero sum: floors, and the missing whists one each.

    Largest remainder first, then the lowest result (the largest ``share``), then the
    earliest seat. The numerators sum to 0, so the floors lack what is missing.
    """
    under = divisor(denominator)
    floor = seats.each("floor", lambda own: f"INT(({everybody}-{share(own)})/{under})")
    key = seats.each("key", lambda own: f"{_RANK}*MOD({everybody}-{share(own)},{denominator})+{share(own)}")
    return f"{floor(seat)}+({seats.served_before(key, seat)}<-{seats.total(floor)})"


def multiply(*factors: Factor) -> Factor:
    """Return the product of numbers and of texts: a number if all are."""
    number: int = prod(factor for factor in factors if isinstance(factor, int))
    texts = [factor for factor in factors if isinstance(factor, str)]
    if not texts or number == 0:
        return number
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
