"""The settlement step by step: equalise, amnesty, gora to whists, saldi, result.

Everything is written for one seat at a time on numbers that may be ints or
integer columns; numerators over a denominator known beforehand, so that nothing
is ever divided before the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from prefxl.errors import SheetError
from prefxl.rules.conventions import Convention
from prefxl.rules.numbers import Number, greatest, least, plus, positive_part, ratio, times, total

#: The numbers of players a game may have.
TABLE_SIZES = (2, 3, 4, 5)


class Amounts(NamedTuple):
    """One number a seat: numerators over a common denominator.

    Attributes
    ----------
    numerators
        An ``int`` a seat, or an integer column a seat.
    denominator
        What all of them are divided by, a plain ``int``.
    """

    numerators: tuple[Number, ...]
    denominator: int = 1

    def exact(self) -> list[Fraction]:
        """Return the numbers of one sheet as fractions."""
        return [Fraction(number, self.denominator) for number in self.numerators]

    def plain(self) -> list[int | Fraction]:
        """Return the numbers of one sheet, whole ones as ``int``, which is reckoned with many times as fast."""
        return [ratio(number, self.denominator) for number in self.numerators]

    def over(self, denominator: int) -> tuple[Number, ...]:
        """Return the numerators over another denominator, a multiple of this one."""
        factor = denominator // self.denominator
        return self.numerators if factor == 1 else tuple([number * factor for number in self.numerators])

    @property
    def total(self) -> Number:
        """The sum over the seats, over the same denominator."""
        return total(self.numerators)


def nothing(players: int) -> Amounts:
    """Return a zero a seat, which stands for every game of a batch."""
    return Amounts((0,) * players)


@dataclass(frozen=True)
class Sheet:
    """One score sheet, or a batch of sheets of as many players, seat by seat.

    Attributes
    ----------
    pulya, gora
        A number a seat, in units of a point.
    whists
        ``whists[i][j]`` is what ``i`` has written on ``j``, in units of a whist;
        ``whists[i][i]`` is not looked at.
    unit
        How many units make one point or whist: 1 for whole numbers, 2 for halves.
    corrected
        The seat whose gora the rounding ``divisible`` corrects; -1 where nobody is named.
    """

    pulya: tuple[Number, ...]
    gora: tuple[Number, ...]
    whists: tuple[tuple[Number, ...], ...]
    unit: int = 1
    corrected: Number = -1

    @property
    def players(self) -> int:
        """How many settle, the sitting-out dealer included."""
        return len(self.pulya)


class Steps(NamedTuple):
    """Every step of a settlement, as numerators; the exact one until a rounding altered it.

    ``result = final_gora + saldo + correction`` under every rounding.
    """

    convention: Convention
    rounding: str
    #: gora after the pulyas are made equal [gora points]
    adjusted_gora: Amounts
    #: adjusted gora less the smallest, after the correction of ``divisible`` [gora points]
    amnestied_gora: Amounts
    #: what every other player writes on this one for the gora [whists]
    debt: Amounts
    #: gora as won or lost whists [whists]
    final_gora: Amounts
    #: ``pair_saldo[i, j]`` for i < j, over ``saldo.denominator`` [whists]
    pair_saldo: dict[tuple[int, int], Number]
    #: the whists of the game, mutual entries cancelled [whists]
    saldo: Amounts
    #: what the rounding adds: the whists written for a corrected gora, or the rounding itself [whists]
    correction: Amounts
    #: what each wins (positive) or loses [whists]
    result: Amounts
    #: points the rounding put on (+1) or took off (-1) each gora [gora points]
    gora_correction: tuple[Number, ...] | None = None
    #: whists written for one corrected gora point [whists]
    compensation: int = 0

    @property
    def players(self) -> int:
        """How many settle."""
        return len(self.result.numerators)

    @property
    def residual(self) -> Amounts:
        """What the results lack to a zero sum, which only ``truncate`` leaves [whists]."""
        return Amounts((-self.result.total,), self.result.denominator)

    @property
    def pair_denominator(self) -> int:
        """The denominator of :meth:`pair_result`."""
        return lcm(self.debt.denominator, self.saldo.denominator)

    def saldo_with(self, i: int, j: int) -> Number:
        """Return s_ij = w_ij - w_ji, over ``saldo.denominator`` [whists]."""
        return self.pair_saldo[i, j] if i < j else -self.pair_saldo[j, i]

    def pair_result(self, i: int, j: int) -> Number:
        """Return what ``i`` wins from ``j``, over ``pair_denominator`` [whists]."""
        common = self.pair_denominator
        debts = self.debt.over(common)
        won = self.saldo_with(i, j) * (common // self.saldo.denominator) + debts[j] - debts[i]
        if self.gora_correction is None:
            return won
        # the others write on a player whose gora was cut; one whose gora was raised writes on them
        points = self.gora_correction
        return won + self.compensation * common * (points[i] - points[j])


def work_exactly(sheet: Sheet, convention: Convention) -> Steps:
    """Return the steps of ``sheet`` by ``convention`` with nothing rounded; :func:`combine` brings them to a result.

    Raises
    ------
    SheetError
        If the number of players is not 2 to 5.
    """
    _check_table(sheet)
    adjusted = equalise(sheet, convention)
    amnestied = amnesty(adjusted)
    debt = debts_from_gora(amnestied, convention)
    pair_saldo, saldo = cancel_whists(sheet)
    none_yet = nothing(sheet.players)
    return Steps(
        convention=convention,
        rounding="exact",
        adjusted_gora=adjusted,
        amnestied_gora=amnestied,
        debt=debt,
        final_gora=gora_to_whists(debt),
        pair_saldo=pair_saldo,
        saldo=saldo,
        correction=none_yet,
        # a rounding would only have to work it out again
        result=none_yet,
    )


def _check_table(sheet: Sheet) -> None:
    if sheet.players not in TABLE_SIZES:
        raise SheetError(
            f"a game has 2 to 5 players, not {sheet.players}",
            f"в игре от 2 до 5 участников, а не {sheet.players}",
        )


def equalise(sheet: Sheet, convention: Convention) -> Amounts:
    """Return the gora after the pulyas are made equal to the convention's target.

    Source: the Pulya calculator, step 1 (mean); PrefCount help, section 1 (largest, agreed).
    """
    target, scale = target_of(sheet, convention)
    below, above, rates = convention.whole_rates
    adjusted = []
    for pulya, gora in zip(sheet.pulya, sheet.gora, strict=True):
        missing = target - times(pulya, scale)
        # below * (what lacks) - above * (what is over), where only one of the two is not 0
        change = times(missing, above)
        if below != above:
            change = change + times(positive_part(missing), below - above)
        adjusted.append(times(gora, scale * rates) + change)
    return Amounts(tuple(adjusted), sheet.unit * scale * rates)


def target_of(sheet: Sheet, convention: Convention) -> tuple[Number, int]:
    """Return the pulya all are made equal to, and what it and the pulyas are multiplied by to stay whole."""
    if convention.target == "mean":
        return total(sheet.pulya), sheet.players
    if convention.target == "largest":
        return greatest(sheet.pulya), 1
    agreed = convention.target * sheet.unit if isinstance(convention.target, Fraction) else Fraction(0)
    return agreed.numerator, agreed.denominator


def amnesty(gora: Amounts) -> Amounts:
    """Return the gora less the smallest: nobody loses by it, and nothing is negative.

    Source: the book passage, first method; PrefCount help, section 2.
    """
    smallest = least(gora.numerators)
    return Amounts(tuple([number - smallest for number in gora.numerators]), gora.denominator)


def debts_from_gora(amnestied: Amounts, convention: Convention) -> Amounts:
    """Return what every other player writes on each for the gora [whists].

    Source: the book passage, first method; the Pulya calculator, step 2.
    """
    value = convention.whists_per_gora
    divisor = convention.divisor_for(len(amnestied.numerators))
    numerators = tuple([times(number, value.numerator) for number in amnestied.numerators])
    return Amounts(numerators, amnestied.denominator * value.denominator * divisor)


def gora_to_whists(debt: Amounts) -> Amounts:
    """Return what the gora wins or loses each: everybody's debts less one's own to each [whists].

    With nothing rounded it is V * (mean gora - own gora), the book's second method.
    """
    players, everybody = len(debt.numerators), debt.total
    return Amounts(tuple([everybody - own * players for own in debt.numerators]), debt.denominator)


def cancel_whists(sheet: Sheet) -> tuple[dict[tuple[int, int], Number], Amounts]:
    """Return the saldo of each pair (i < j) and of each player [whists].

    Source: PrefCount help, section 3.
    """
    players, whists = sheet.players, sheet.whists
    pairs: dict[tuple[int, int], Number] = {}
    saldi: list[Number] = [None] * players
    for i in range(players):
        for j in range(i + 1, players):
            won = pairs[i, j] = whists[i][j] - whists[j][i]
            # a first number is taken as it is: adding it to nothing would cost a pass over a column
            saldi[i] = won if saldi[i] is None else saldi[i] + won
            saldi[j] = -won if saldi[j] is None else saldi[j] - won
    return pairs, Amounts(tuple(saldi), sheet.unit)


def combine(steps: Steps, **changes: Any) -> Steps:
    """Return ``steps`` with ``changes``, and the result that final gora, saldo and correction then give."""
    parts = [changes.get(name) or getattr(steps, name) for name in ("final_gora", "saldo", "correction")]
    return steps._replace(**changes, result=_result(*parts))


def _result(final_gora: Amounts, saldo: Amounts, correction: Amounts) -> Amounts:
    common = lcm(final_gora.denominator, saldo.denominator, correction.denominator)
    parts = zip(final_gora.over(common), saldo.over(common), correction.over(common), strict=True)
    return Amounts(tuple([plus(gora + whists, more) for gora, whists, more in parts]), common)


def largest_intermediate(players: int, unit: int, largest: int, convention: Convention) -> int:
    """Return a bound on every whole number met while settling sheets whose values do not pass ``largest``.

    ``largest`` is in units. With it a batch chooses an integer width that cannot overflow.
    """
    value = convention.whists_per_gora
    divisor = convention.divisor_for(players)
    rates = lcm(convention.below.denominator, convention.above.denominator)
    target = convention.target if isinstance(convention.target, Fraction) else Fraction(0)
    scale = players * (target * unit).denominator
    pulyas = scale * (players * largest + int(target * unit) + 1)
    steepest = int(max(convention.below, convention.above) * rates) + 1
    gora = 2 * (scale * rates * largest + steepest * pulyas)
    denominator = unit * scale * rates * value.denominator * divisor
    whists = 2 * players * largest * denominator
    # halves_up doubles a debt and adds its denominator; a final gora sums N debts
    return 4 * players * (gora * value.numerator * players + whists + denominator)
