"""The named last steps: how results come to whole whists, and who pays for it.

Each rounding takes the exact steps and the sheet and returns them altered, with their result. All
decisions are taken on whole numerators; no binary float decides a tie.
"""

from __future__ import annotations

from collections.abc import Callable

from prefxl.errors import RulesError
from prefxl.rules.conventions import Convention, find_rounding
from prefxl.rules.numbers import Number, halves_up, total, toward_zero
from prefxl.rules.settlement import (
    Amounts,
    Sheet,
    Steps,
    combine,
    debts_from_gora,
    gora_to_whists,
    work_exactly,
)

#: Whists written for one point of corrected gora, at a table of three or four.
#: Source: the book passage ("one point is about three whists"); PrefCount help.
COMPENSATION = 3


def work(sheet: Sheet, convention: Convention, rounding: str | None = None) -> Steps:
    """Settle ``sheet`` by ``convention``, rounded as asked, else as the convention has it.

    Raises
    ------
    SheetError
        If the number of players is not 2 to 5.
    RulesError
        If the rounding does not exist or cannot be applied to this sheet.
    """
    name = convention.rounding if rounding is None else find_rounding(rounding)
    return ROUNDERS[name](work_exactly(sheet, convention), sheet)


def exact(steps: Steps, sheet: Sheet) -> Steps:
    """Nothing is rounded: the book's "exact result"."""
    return combine(steps)


def debts(steps: Steps, sheet: Sheet) -> Steps:
    """Each debt goes to a whole whist, halves up. Source: the Pulya calculator, step 2."""
    whole = tuple(halves_up(number, steps.debt.denominator) for number in steps.debt.numerators)
    return _with_debts(steps, "debts", Amounts(whole))


def truncate(steps: Steps, sheet: Sheet) -> Steps:
    """Each final gora loses its fraction, toward zero; the sum may be off. Source: PrefCount's default."""
    gora = steps.final_gora
    whole = tuple(toward_zero(number, gora.denominator) for number in gora.numerators)
    return combine(steps, rounding="truncate", final_gora=Amounts(whole))


def divisible(steps: Steps, sheet: Sheet) -> Steps:
    """One gora is corrected so that their sum divides. Source: PrefCount; the book's second method."""
    gora = _whole_gora(steps)
    value, players = steps.convention.whists_per_gora, steps.players
    points = _points_to_correct(total(gora), value.numerator, value.denominator * players, players)
    _refuse_uncorrectable(steps, (points,), (total(gora),))
    seat = _corrected_seat(gora, sheet.corrected)
    return _with_gora(steps, "divisible", gora, tuple((seat == i) * points for i in range(players)))


def divisible_debts(steps: Steps, sheet: Sheet) -> Steps:
    """Every gora whose own debt is not whole is corrected. Source: the book's first method."""
    gora = _whole_gora(steps)
    value, players = steps.convention.whists_per_gora, steps.players
    points = tuple(_points_to_correct(own, value.numerator, value.denominator * players, players) for own in gora)
    _refuse_uncorrectable(steps, points, gora)
    return _with_gora(steps, "divisible-debts", gora, points)


def balanced(steps: Steps, sheet: Sheet) -> Steps:
    """Each result goes to a whole whist, within one of the exact, with a zero sum.

    The missing whists go one each: largest remainder first, then lowest result,
    then earliest seat.
    """
    steps = combine(steps)
    numerators, denominator = steps.result.numerators, steps.result.denominator
    whole = tuple(apportion(numerators, denominator))
    by_rounding = tuple(rounded * denominator - number for rounded, number in zip(whole, numerators, strict=True))
    return steps._replace(rounding="balanced", correction=Amounts(by_rounding, denominator), result=Amounts(whole))


def apportion(numerators: tuple[Number, ...], denominator: int) -> list[Number]:
    """Return whole numbers near ``numerators / denominator`` with the same (whole) sum.

    Largest remainder first, then the lowest number, then the earliest.
    """
    floors = [number // denominator for number in numerators]
    remainders = [number - floor * denominator for number, floor in zip(numerators, floors, strict=True)]
    missing = total(tuple(remainders)) // denominator
    whole = []
    for own, floor in enumerate(floors):
        before = total(
            tuple(_goes_before(other, own, remainders, numerators) for other in range(len(floors)) if other != own)
        )
        whole.append(floor + (before < missing) * 1)
    return whole


def _goes_before(other: int, own: int, remainders: list[Number], numbers: tuple[Number, ...]) -> Number:
    """Return 1 where ``other`` is served before ``own``, else 0."""
    tied = remainders[other] == remainders[own]
    lower = (numbers[other] < numbers[own]) | ((numbers[other] == numbers[own]) & (other < own))
    return ((remainders[other] > remainders[own]) | (tied & lower)) * 1


def _with_debts(steps: Steps, rounding: str, debt: Amounts) -> Steps:
    return combine(steps, rounding=rounding, debt=debt, final_gora=gora_to_whists(debt))


def _with_gora(steps: Steps, rounding: str, gora: tuple[Number, ...], points: tuple[Number, ...]) -> Steps:
    """Return ``steps`` with ``points`` put on each gora and the whists that make up for them."""
    corrected = Amounts(tuple(own + point for own, point in zip(gora, points, strict=True)))
    everybody, players = total(points), len(points)
    written = tuple(COMPENSATION * (players * point - everybody) for point in points)
    altered = steps._replace(
        amnestied_gora=corrected,
        correction=Amounts(written),
        gora_correction=points,
        compensation=COMPENSATION,
    )
    return _with_debts(altered, rounding, debts_from_gora(corrected, steps.convention))


def _whole_gora(steps: Steps) -> tuple[Number, ...]:
    """Return the amnestied gora in whole points.

    Raises
    ------
    RulesError
        If a gora is not whole, or the divisor is not the number of players.
    """
    if steps.convention.divisor != "players":
        raise RulesError(
            "a divisible gora means divisible by the number of players: take the divisor 'players'",
            "делимость горы — это делимость на число игроков: возьмите делитель players",
        )
    gora, unit = steps.amnestied_gora.numerators, steps.amnestied_gora.denominator
    odd = [(own - own // unit * unit) != 0 for own in gora]
    rows = _rows_where_any(odd)
    if rows is not None:
        raise RulesError(
            "the gora of a game is not whole after the pulyas are made equal: "
            "the roundings 'divisible' and 'divisible-debts' need whole points",
            "гора после уравнивания пуль не целая: округлениям «делимость» и «делимость долгов» нужны целые очки",
            rows,
        )
    return tuple(own // unit for own in gora)


def _points_to_correct(gora: Number, value: int, divisor: int, players: int) -> Number:
    """Return -1 or +1 where ``gora`` (or a sum of them) must change to divide by ``players``, else 0."""
    rest = gora - gora // players * players
    uneven = (gora * value - gora * value // divisor * divisor) != 0
    cut, raised = (rest == 1) * 1, ((rest == players - 1) & (rest != 1)) * 1
    return uneven * (raised - cut)


def _refuse_uncorrectable(steps: Steps, points: tuple[Number, ...], gora: tuple[Number, ...]) -> None:
    """Refuse gora that one point more or less would not make divisible (only with V other than 10)."""
    value = steps.convention.whists_per_gora
    divisor = value.denominator * steps.players
    left = []
    for own, point in zip(gora, points, strict=True):
        whists = (own + point) * value.numerator
        left.append((whists - whists // divisor * divisor) != 0)
    rows = _rows_where_any(left)
    if rows is not None:
        raise RulesError(
            f"with {value} whists a gora point one point more or less does not make this gora divisible "
            f"by {steps.players}: take another rounding",
            f"при {value} вистах за очко горы одно очко не делает гору делимой на {steps.players}: "
            "возьмите другое округление",
            rows,
        )


def _rows_where_any(flags: list[Number]) -> tuple[int, ...] | None:
    """Return None where no flag is set, else the games at fault (empty for one sheet)."""
    found = flags[0]
    for flag in flags[1:]:
        found = found | flag
    if isinstance(found, bool):
        return () if found else None
    rows = tuple(int(row) for row in found.nonzero()[0])
    return rows or None


def _corrected_seat(gora: tuple[Number, ...], named: Number) -> Number:
    """Return the seat to correct: the one named, else the largest gora, the earliest on a tie."""
    seat, largest = gora[0] * 0, gora[0]
    for i, own in enumerate(gora[1:], start=1):
        above = (own > largest) * 1
        seat = seat + above * (i - seat)
        largest = largest + above * (own - largest)
    by_name = (named >= 0) * 1
    return by_name * named + (1 - by_name) * seat


#: The roundings by name; the order is the one they are shown in.
ROUNDERS: dict[str, Callable[[Steps, Sheet], Steps]] = {
    "exact": exact,
    "debts": debts,
    "truncate": truncate,
    "divisible": divisible,
    "divisible-debts": divisible_debts,
    "balanced": balanced,
}
