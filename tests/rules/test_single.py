"""One settled sheet answers for every step, in fractions, floats and numerators."""

from __future__ import annotations

from fractions import Fraction

import prefxl


def settled():
    return prefxl.settle(
        [48, 48, 54],
        [0, 0, Fraction(1, 2)],
        [[0, 10, 0], [0, 0, 0], [4, 0, 0]],
        convention="rozaliev",
        rounding="exact",
    )


def test_the_exact_results_are_numerators_over_a_common_denominator():
    one = settled()
    assert [Fraction(number, one.denominator) for number in one.numerators] == one.result_exact
    assert one.result == [float(number) for number in one.result_exact]


def test_the_sheet_comes_back_as_it_was_given():
    one = settled()
    assert one.pulya == [48, 48, 54]
    assert one.gora == [0, 0, Fraction(1, 2)]
    assert one.whists == [[0, 10, 0], [0, 0, 0], [4, 0, 0]]


def test_it_says_what_it_was_settled_by():
    one = settled()
    assert (one.convention.name, one.rounding) == ("rozaliev", "exact")
    assert one.players == ("1", "2", "3")


def test_the_saldo_of_pairs_is_what_i_wrote_less_what_was_written_on_i():
    assert settled().pair_saldo == [[0, 10, -4], [-10, 0, 0], [4, 0, 0]]


def test_it_explains_itself_in_both_languages():
    assert "48" in settled().explain("ru")
    assert settled().explain("en") != settled().explain("ru")


def test_it_draws_itself():
    assert "<svg" in settled().draw(lang="en")
