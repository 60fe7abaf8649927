"""Who pays whom: money without a lost kopeck, pair by pair or with the fewest transfers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from heapq import heapify, heappop, heappush
from math import lcm
from typing import Any, Generic, TypeVar

from prefxl.errors import OptionError, PrefxlError
from prefxl.rules.conventions import fold
from prefxl.rules.numbers import Number, as_fraction, halves_up
from prefxl.rules.rounding import apportion
from prefxl.rules.settlement import Steps

#: The two payment lists, never confused.
PAYMENT_KINDS = ("pairwise", "fewest")

#: Up to so many people with a balance the number of transfers is proved to be the smallest.
PROVED_UP_TO = 12

_KIND_ALIASES = {"попарно": "pairwise", "взаимно": "pairwise", "меньше": "fewest", "меньшевсего": "fewest"}

Payer = TypeVar("Payer", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Payment(Generic[Payer]):
    """One transfer: ``payer`` gives ``amount`` (above 0) to ``payee``."""

    payer: Payer
    payee: Payer
    amount: Any


@dataclass(frozen=True)
class Stake:
    """What a whist costs.

    Attributes
    ----------
    per_whist
        Money per whist.
    minor_units
        Decimal places of the currency: 2 for kopecks and cents.
    """

    per_whist: Fraction
    minor_units: int = 2

    @property
    def scale(self) -> int:
        """How many minor units make one unit of money."""
        return int(10**self.minor_units)

    @cached_property
    def price(self) -> Fraction:
        """What a whist is worth [minor units]."""
        return self.per_whist * self.scale


def find_stake(value: Any, minor_units: int = 2) -> Stake | None:
    """Return the stake written as a number or as text (``"0.5"``, ``"0,05"``); ``None`` for none.

    Raises
    ------
    OptionError
        If it is not a number, or below 0, or the minor units are not 0 to 6.
    """
    if value is None:
        return None
    if not 0 <= minor_units <= 6:
        raise OptionError(
            f"minor units must be 0 to 6, not {minor_units}",
            f"знаков после запятой от 0 до 6, а не {minor_units}",
        )
    if isinstance(value, float):
        # a stake is typed as a decimal, and its shortest decimal is what was typed
        value = repr(value)
    try:
        stake = as_fraction(value)
    except PrefxlError:
        stake = Fraction(-1)
    if stake < 0:
        raise OptionError(
            f"the stake must be money per whist, such as 0.5, not {value!r}",
            f"ставка — деньги за вист, например 0,5, а не «{value}»",
        )
    return Stake(stake, minor_units)


def money(steps: Steps, exact: Steps, stake: Stake) -> tuple[Number, ...]:
    """Return what each wins in whole minor units, with a zero sum (largest remainder).

    ``truncate`` may leave results that cannot be paid as they stand; the money of
    such a game comes from the ``exact`` steps.
    """
    payable = _minor_units(steps, stake)
    if steps.rounding != "truncate":
        return tuple(payable)
    by_exact = _minor_units(exact, stake)
    even = (steps.residual.numerators[0] == 0) * 1
    return tuple(own * even + other * (1 - even) for own, other in zip(payable, by_exact, strict=True))


def _minor_units(steps: Steps, stake: Stake) -> list[Number]:
    price = stake.price
    numerators = tuple(number * price.numerator for number in steps.result.numerators)
    return apportion(numerators, steps.result.denominator * price.denominator)


def find_payment_kind(kind: str) -> str:
    """Return ``"pairwise"`` or ``"fewest"`` for a name in either language.

    Raises
    ------
    OptionError
        If no payment list is called so.
    """
    folded = fold(kind)
    found = folded if folded in PAYMENT_KINDS else _KIND_ALIASES.get(folded)
    if found is None:
        raise OptionError(
            f"payments are pairwise or fewest, not {kind!r}",
            f"платежи бывают pairwise (попарно) или fewest (меньше всего), а не «{kind}»",
        )
    return found


def pairwise(steps: Steps) -> list[Payment[int]]:
    """Return who owes whom by the pair results of one sheet, in whists."""
    common = steps.pair_denominator
    pairs = [(i, j) for i in range(steps.players) for j in range(i + 1, steps.players)]
    return [payment for i, j in pairs for payment in directed(i, j, Fraction(steps.pair_result(i, j), common))]


def pairwise_money(steps: Steps, stake: Stake) -> list[Payment[int]]:
    """Return who owes whom in minor units, each pair rounded once, halves up, the same for both sides."""
    paid = []
    for payment in pairwise(steps):
        due = payment.amount * stake.per_whist * stake.scale
        paid += directed(payment.payee, payment.payer, halves_up(due.numerator, due.denominator))
    return paid


def directed(i: Payer, j: Payer, won: Any) -> list[Payment[Payer]]:
    """Return the payment that gives ``i`` what ``i`` won from ``j``; none for 0."""
    if won == 0:
        return []
    return [Payment(j, i, won)] if won > 0 else [Payment(i, j, -won)]


def fewest(balances: Sequence[tuple[Payer, Any]]) -> tuple[list[Payment[Payer]], bool]:
    """Return transfers that settle ``balances`` (above 0: is owed), and whether they are provably fewest.

    With n non-zero balances that part into at most g groups of zero sum, n - g
    transfers are needed and enough. The groups are searched exhaustively up to
    ``PROVED_UP_TO`` people; beyond that the largest debtor pays the largest
    creditor, and the list is not proved minimal.

    Raises
    ------
    OptionError
        If the balances do not sum to zero.
    """
    open_balances = [(who, amount) for who, amount in balances if amount != 0]
    if sum(amount for _, amount in open_balances) != 0:
        raise OptionError(
            "balances that do not sum to zero cannot be settled",
            "остатки с ненулевой суммой нельзя рассчитать",
        )
    if len(open_balances) > PROVED_UP_TO:
        return _largest_first(open_balances), False
    groups = _zero_sum_groups([amount for _, amount in open_balances])
    transfers: list[Payment[Payer]] = []
    for group in groups:
        transfers += _largest_first([open_balances[index] for index in group])
    return transfers, True


def _largest_first(balances: Sequence[tuple[Payer, Any]]) -> list[Payment[Payer]]:
    """Return at most n - 1 transfers: again and again the largest debt goes to the largest credit."""
    credits = [(-amount, index) for index, (_, amount) in enumerate(balances) if amount > 0]
    debts = [(amount, index) for index, (_, amount) in enumerate(balances) if amount < 0]
    # heaps, so that a club of thousands is paid in a moment; of equal amounts the earliest goes first
    heapify(credits)
    heapify(debts)
    transfers: list[Payment[Payer]] = []
    while credits:
        (owed, creditor), (owes, debtor) = heappop(credits), heappop(debts)
        amount = min(-owed, -owes)
        transfers.append(Payment(balances[debtor][0], balances[creditor][0], amount))
        if owed + amount:
            heappush(credits, (owed + amount, creditor))
        if owes + amount:
            heappush(debts, (owes + amount, debtor))
    return transfers


def _zero_sum_groups(amounts: Sequence[Any]) -> list[list[int]]:
    """Return the indices parted into as many zero-sum groups as there can be.

    ``most[mask]`` is the largest number of zero-sum prefixes over all orders in
    which the people of ``mask`` can be lined up: each prefix closes a group.
    """
    people = len(amounts)
    sums = _subset_sums(amounts)
    if sums.count(0) == 2:
        # as nearly always: nobody and everybody sum to zero, and no others do
        return [list(range(people))]
    most, last = [0] * (1 << people), [0] * (1 << people)
    for mask in range(1, 1 << people):
        best = -1
        for index in range(people):
            if mask >> index & 1 and most[mask ^ 1 << index] > best:
                best, last[mask] = most[mask ^ 1 << index], index
        most[mask] = best + (sums[mask] == 0)
    groups: list[list[int]] = []
    mask = (1 << people) - 1
    while mask:
        if sums[mask] == 0:
            groups.append([])
        groups[-1].append(last[mask])
        mask &= ~(1 << last[mask])
    return [sorted(group) for group in reversed(groups)]


def _subset_sums(amounts: Sequence[Any]) -> list[int]:
    """Return the sum of every subset by its mask, in units that make all of them whole."""
    exact = [Fraction(amount) for amount in amounts]
    unit = lcm(*(amount.denominator for amount in exact))
    sums = [0]
    for amount in exact:
        whole = int(amount * unit)
        sums += [so_far + whole for so_far in sums]
    return sums
