"""The rules said as spreadsheet formulas: the one place that does.

A convention and a rounding become formulas over given cells (the live forms and
``settle --live``) or one LAMBDA over arrays. Both are the same text but for how a
seat and a sum over the seats are written (``seats``).

Why a binary float decides no tie here: pulyas, goras and whists are whole, halves or
quarters, which binary floats hold exactly; everything is added and multiplied by whole
numbers first, and divided once, by a whole number. So a quotient that should be a tie
is one exactly, and any other lies far from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import gcd, lcm

from prefxl.errors import RulesError
from prefxl.live.seats import BySeat, Cells, Factor, Seats, divisor, multiply, times
from prefxl.rules.conventions import RUSSIAN, Convention, find_convention, find_rounding

#: The roundings that formulas can say.
FORMULA_ROUNDINGS = ("exact", "debts", "truncate", "balanced")

#: The longest formula Excel takes [characters].
LONGEST = 8192

#: Above any numerator of a game, so that ``remainder * _RANK + number`` compares remainders first:
#: 2**41 times a remainder and its quarters is still exact in a binary float.
_RANK = 2**41


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
    '=(5*((B1-A1)+(B2-A2))-10*(B1-A1)+(D1-C2))/1'
    """
    rules = find_convention(convention)
    name, seats = formula_rounding(rules, rounding), range(len(pulya))
    cells = [*pulya, *gora, *(whists[i][j] for i in seats for j in seats if i != j)]
    formulas = [pattern.format(*cells) for pattern in _patterns(rules, name, len(pulya))]
    if max(map(len, formulas)) > LONGEST:
        raise RulesError(
            f"{rules.name} with {name} does not fit into one cell's formula: take another rounding",
            f"{RUSSIAN[rules.name]}, {RUSSIAN[name]} не помещается в формулу одной ячейки: возьмите другое округление",
        )
    return formulas


@lru_cache(maxsize=64)
def _patterns(rules: Convention, rounding: str, players: int) -> tuple[str, ...]:
    """Return the formulas of so many players with a number in braces for each cell.

    Thousands of games differ in their cells only, and some of these formulas take long to say.
    """
    seats = range(players)
    number = count()
    pulya, gora = ([f"{{{next(number)}}}" for _ in seats] for _ in range(2))
    whists = [["" if i == j else f"{{{next(number)}}}" for j in seats] for i in seats]
    cells = Cells(pulya, gora, whists)
    return tuple(f"={result(cells, rules, rounding, seat)}" for seat in seats)


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
        scale, target = seats.players, seats.once("sum_of_pulyas", seats.total(seats.pulya))
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
    divisors: dict[str, Factor] = {"players": seats.players, "others": f"({seats.players}-1)", "one": 1}
    return divisors[convention.divisor]


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
    won = f"{everybody}-{times(terms.value, seats.players, gora(seat))}"
    if rounding == "truncate":
        return f"{seats.whole_part(won, terms.denominator)}+{seats.saldo(seat)}"
    return f"({won}+{times(terms.denominator, seats.saldo(seat))})/{divisor(terms.denominator)}"


def whole_debt(seats: Seats, terms: Terms, gora: BySeat, seat: int) -> str:
    """Return the debt of ``seat`` to a whole whist, halves up: a debt is not negative."""
    least = seats.once("least", seats.smallest(gora))
    return seats.nearest(times(terms.value, f"({gora(seat)}-{least})"), terms.denominator)


def share_of(seats: Seats, terms: Terms, gora: BySeat, seat: int) -> str:
    """Return what is taken from everybody's common numerator to give the result's numerator of ``seat``."""
    return f"{times(terms.value, seats.players, gora(seat))}-{times(terms.denominator, seats.saldo(seat))}"


def balanced(seats: Seats, everybody: str, share: BySeat, denominator: Factor, seat: int) -> str:
    """Return the result to a whole whist with a zero sum: floors, and the missing whists one each.

    Largest remainder first, then the lowest result (the largest ``share``), then the
    earliest seat. The numerators sum to 0, so the floors lack what is missing.
    """
    under = divisor(denominator)
    floor = seats.each("floors", lambda own: f"INT(({everybody}-{share(own)})/{under})")
    rest = seats.each("rest", lambda own: seats.remainder(f"{everybody}-{share(own)}", denominator))
    key = seats.each("key", lambda own: f"{_RANK}*{rest(own)}+{share(own)}")
    return f"{floor(seat)}+({seats.served_before(key, seat)}<-{seats.total(floor)})"
