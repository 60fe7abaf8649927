"""Conventions are values with names in two languages."""

from __future__ import annotations

from fractions import Fraction

import pytest

from prefxl.errors import RulesError
from prefxl.rules.conventions import CONVENTIONS, ROUNDINGS, RUSSIAN, find_convention, find_rounding, find_target


@pytest.mark.parametrize(
    ("name", "target", "below", "above", "rounding"),
    [
        ("rozaliev", "mean", 2, 1, "debts"),
        ("leningrad", "largest", 2, 2, "exact"),
        ("sochi", "largest", 1, 1, "exact"),
        ("rostov", "largest", 1, 1, "exact"),
        ("classic", "largest", 1, 1, "exact"),
        ("prefcount-sochi", "largest", 1, 1, "truncate"),
        ("prefcount-leningrad", "largest", 2, 2, "truncate"),
    ],
)
def test_the_presets_are_those_of_the_table(name, target, below, above, rounding):
    one = CONVENTIONS[name]
    assert (one.target, one.below, one.above, one.rounding) == (target, below, above, rounding)
    assert (one.whists_per_gora, one.divisor) == (10, "players")
    assert one.source


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (None, "rozaliev"),
        ("  ", "rozaliev"),
        ("Розалиев", "rozaliev"),
        ("ЛЕНИНГРАДКА", "leningrad"),
        ("Питер", "leningrad"),
        ("piter", "leningrad"),
        ("сочинка", "sochi"),
        ("Ростов", "rostov"),
        ("классика", "classic"),
        ("PrefCount Sochi", "prefcount-sochi"),
        ("prefcount_leningrad", "prefcount-leningrad"),
    ],
)
def test_a_convention_is_found_by_its_names_in_both_languages(said, name):
    assert find_convention(said).name == name


def test_every_russian_name_leads_back_to_its_own():
    for name in CONVENTIONS:
        assert find_convention(RUSSIAN[name]).name == name
    for name in ROUNDINGS:
        assert find_rounding(RUSSIAN[name]) == name
    for name in ("mean", "largest"):
        assert find_target(RUSSIAN[name]) == name


def test_a_convention_is_found_as_itself():
    assert find_convention(CONVENTIONS["sochi"]) is CONVENTIONS["sochi"]


@pytest.mark.parametrize("unknown", ["bridge", 5])
def test_an_unknown_convention_names_the_known_ones_in_both_languages(unknown):
    with pytest.raises(RulesError, match=r"there is no convention .*rozaliev, leningrad") as caught:
        find_convention(unknown)
    assert caught.value.say("ru").startswith("нет конвенции")


def test_an_unknown_rounding_is_refused():
    with pytest.raises(RulesError, match="there is no rounding 'up'"):
        find_rounding("up")


def test_a_target_may_be_a_number_as_text():
    assert find_target("20") == 20
    assert find_target("12,5") == Fraction(25, 2)


def test_a_negative_target_is_refused():
    with pytest.raises(RulesError, match="target must not be negative"):
        find_target(-1)


def test_an_altered_convention_leaves_the_preset_as_it_is():
    altered = CONVENTIONS["sochi"].altered(below="0,5", above=None, divisor="one", rounding="долги")
    assert (altered.below, altered.above, altered.divisor, altered.rounding) == (Fraction(1, 2), 1, "one", "debts")
    assert CONVENTIONS["sochi"].below == 1


def test_an_unknown_divisor_is_refused():
    with pytest.raises(RulesError, match="divisor must be one of players, others, one"):
        CONVENTIONS["sochi"].altered(divisor="two")


def test_only_equal_rates_are_symmetric():
    assert [name for name, one in CONVENTIONS.items() if not one.symmetric] == ["rozaliev"]
