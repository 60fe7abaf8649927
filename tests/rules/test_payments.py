"""Money without a lost kopeck, and the fewest transfers against brute force."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prefxl
from prefxl.errors import OptionError
from prefxl.rules.payments import Payment, fewest, find_payment_kind, find_stake
from tests.strategies import sheets

BOOK = {
    "pulya": [0] * 4,
    "gora": [4, 10, 21, 16],
    "whists": [[0, 2, 0, 0], [0] * 4, [10, 50, 0, 0], [42, 78, 0, 0]],
    "players": ["С", "З", "В", "Ю"],
}


def book(**options):
    return prefxl.settle(**BOOK, convention="sochi", **options)


def fewest_by_brute_force(amounts):
    """n less the largest number of disjoint zero-sum groups, by trying all of them."""
    amounts = tuple(amount for amount in amounts if amount)
    if not amounts:
        return 0
    rest = range(1, len(amounts))
    splits = [
        fewest_by_brute_force(tuple(amounts[i] for i in rest if i not in others)) + len(others)
        for size in range(1, len(amounts))
        for others in combinations(rest, size)
        if amounts[0] + sum(amounts[i] for i in others) == 0
    ]
    return min(splits)


@given(st.lists(st.integers(-12, 12), min_size=1, max_size=6))
def test_the_transfers_are_as_few_as_brute_force_finds(amounts):
    amounts = [*amounts, -sum(amounts)]
    transfers, proved = fewest(list(enumerate(amounts)))
    assert proved
    assert len(transfers) == fewest_by_brute_force(tuple(amounts))


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=30))
@settings(max_examples=50)
def test_transfers_settle_every_balance(amounts):
    amounts = [*amounts, -sum(amounts)]
    transfers, proved = fewest(list(enumerate(amounts)))
    left = list(amounts)
    for paid in transfers:
        assert paid.amount > 0
        left[paid.payer] += paid.amount
        left[paid.payee] -= paid.amount
    assert not any(left)
    assert proved == (sum(amount != 0 for amount in amounts) <= 12)


def test_the_book_game_needs_two_transfers_not_three():
    assert [(paid.payer, paid.payee, paid.amount) for paid in book(rounding="divisible-debts").payments("fewest")] == [
        ("З", "Ю", 88),
        ("В", "С", 24),
        ("З", "С", 14),
    ]
    transfers, _ = fewest([("a", 5), ("b", -5), ("c", 7), ("d", -7)])
    assert len(transfers) == 2


def test_pairwise_payments_are_what_the_players_would_write_down():
    assert book(rounding="divisible-debts").payments("pairwise") == [
        Payment("З", "С", 17),
        Payment("В", "С", 33),
        Payment("С", "Ю", 12),
        Payment("З", "В", 22),
        Payment("З", "Ю", 63),
        Payment("В", "Ю", 13),
    ]


def test_money_is_whole_kopecks_and_sums_to_zero():
    settled = prefxl.settle([10] * 3, [0, 0, 1], [[0] * 3] * 3, convention="sochi", stake="0.01")
    assert settled.result_exact == [Fraction(10, 3), Fraction(10, 3), Fraction(-20, 3)]
    assert settled.money == [Decimal("0.03"), Decimal("0.03"), Decimal("-0.06")]


@given(sheets(), st.sampled_from(sorted(prefxl.CONVENTIONS)), st.sampled_from(["0.01", "0,05", "0.5", "3", "0.333"]))
def test_money_always_sums_to_zero_and_is_within_a_kopeck(sheet, convention, stake):
    settled = prefxl.settle(sheet.pulya, sheet.gora, sheet.whists, convention=convention, stake=stake)
    assert sum(settled.money) == 0
    payable = settled.exact.result.exact() if settled.residual else settled.result_exact
    price = Fraction(stake.replace(",", "."))
    assert all(abs(Fraction(m) - r * price) < Fraction(1, 100) for m, r in zip(settled.money, payable, strict=True))


def test_a_truncated_game_that_does_not_sum_to_zero_is_paid_by_the_exact_results():
    settled = prefxl.settle(
        [14, 26, 10], [38, 41, 28], [[0, 148, 10], [28, 0, 0], [46, 94, 0]], convention="prefcount-leningrad", stake=3
    )
    assert sum(settled.result_exact) == 1
    assert settled.money == [22, -242, 220]
    assert sum(paid.amount for paid in settled.payments("fewest")) == 242


def test_pairwise_money_is_rounded_once_a_pair():
    settled = prefxl.settle([10] * 3, [0, 0, 1], [[0] * 3] * 3, convention="sochi", stake="0.01")
    assert [(paid.payer, paid.payee, paid.amount) for paid in settled.payments()] == [
        ("3", "1", Decimal("0.03")),
        ("3", "2", Decimal("0.03")),
    ]


def test_a_stake_of_nothing_is_a_stake():
    assert book(stake=0).money == [0, 0, 0, 0]
    assert book().money is None


@pytest.mark.parametrize(("said", "stake"), [("0,05", Fraction(1, 20)), (0.1, Fraction(1, 10)), (Decimal("2"), 2)])
def test_a_stake_is_the_decimal_that_was_typed(said, stake):
    assert find_stake(said).per_whist == stake


@pytest.mark.parametrize("wrong", ["пять", -1, "1/0"])
def test_a_stake_that_is_no_money_is_refused(wrong):
    with pytest.raises(OptionError, match="the stake must be money per whist"):
        find_stake(wrong)


def test_minor_units_have_bounds():
    with pytest.raises(OptionError, match="minor units must be 0 to 6"):
        find_stake(1, minor_units=9)


@pytest.mark.parametrize(("said", "kind"), [("Попарно", "pairwise"), ("fewest", "fewest"), ("меньше всего", "fewest")])
def test_the_payment_lists_have_names_in_both_languages(said, kind):
    assert find_payment_kind(said) == kind


def test_an_unknown_payment_list_is_refused():
    with pytest.raises(OptionError, match="pairwise or fewest"):
        book().payments("any")


def test_balances_that_do_not_sum_to_zero_are_refused():
    with pytest.raises(OptionError, match="do not sum to zero"):
        fewest([("a", 1)])


def test_more_people_than_can_be_proved_are_paid_largest_debt_to_largest_credit():
    creditors, debtors = [(name, 2) for name in "abcdefg"], [(name, -2) for name in "ABCDEFG"]
    transfers, proved = fewest(creditors + debtors)
    assert not proved
    assert [(paid.payer, paid.payee, paid.amount) for paid in transfers] == [(p.upper(), p, 2) for p in "abcdefg"]
