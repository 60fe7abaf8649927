"""The shared score sheets, read and settled under three conventions, to the last fraction."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

import prefxl.sheets as sheets

CASES = Path(__file__).parent.parent / "cases" / "sheets"
EXPECTED = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("convention", ["rozaliev", "leningrad", "sochi"])
@pytest.mark.parametrize("name", EXPECTED)
def test_every_game_of_the_shared_sheets_settles_exactly(name, convention):
    settled = sheets.read(CASES / name).settle(convention)
    texts, offsets = settled.exact_texts(), settled.games.offsets
    got = [
        (game, settled.games.names(i), [Fraction(text) for text in texts[offsets[i] : offsets[i + 1]]])
        for i, game in enumerate(settled.games.game)
    ]
    assert got == [(one["game"], one["players"], [Fraction(x) for x in one[convention]]) for one in EXPECTED[name]]
