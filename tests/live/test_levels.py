"""One set of cases through every level: all must give the same numbers."""

from __future__ import annotations

import functools

import pytest

from tests.live.cases import random_cases, shared_cases
from tests.live.levels import LEVELS

CASES = [*shared_cases(), *random_cases(seed=71, count=48)]
NAMES = [
    pytest.param(name, marks=pytest.mark.clients) if real_program else name
    for name, (_, real_program) in LEVELS.items()
]


@pytest.fixture(scope="module")
def answers_of(tmp_path_factory):
    """Return all answers of a level, asked once."""

    @functools.cache
    def ask(level):
        settle, _ = LEVELS[level]
        return settle(CASES, tmp_path_factory.mktemp(level))

    return ask


@pytest.mark.parametrize("level", NAMES)
@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda number: CASES[number].id)
def test_every_level_gives_the_same_numbers(answers_of, level, number):
    if level == "excel-vba":
        pytest.importorskip("pyopenvba", reason="pyOpenVBA, which interprets VBA, is not installed")
    answer = answers_of(level)[number]
    if answer is not None:
        assert answer == pytest.approx(CASES[number].floats, abs=1e-9)


@pytest.mark.parametrize("level", NAMES)
def test_no_level_passes_over_more_than_it_must(answers_of, level):
    answered = sum(answer is not None for answer in answers_of(level))
    whole = {"python", "udf", "csv", "excel-com", "excel-vba", "libreoffice-addin"}
    assert answered == len(CASES) if level in whole else answered >= len(CASES) // 3
