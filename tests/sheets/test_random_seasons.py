"""Whatever a season, its layout, format and faults: the right results, the right findings on the right cells."""

import random
from fractions import Fraction

import pytest

import prefxl.sheets as sheets
from tests.oracle import RULES, settle
from tests.sheets.random_seasons import make
from tests.sheets.samples import csv_bytes, xlsx_bytes

#: Notes that say nothing of a fault, and what follows where no game is good.
ASIDE = {"empty-as-zero", "matched-heading", "encoding", "none-good", "no-scores", "no-numbers"}

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1251", "cp866", "koi8-r", "mac-cyrillic")


def as_text(value, draw, *, comma):
    """Return a number as one may write it in a text file."""
    if not isinstance(value, int | float):
        return value
    whole, half = divmod(abs(value), 1)
    sign = draw.choice(["-", "−"]) if value < 0 else ""
    ends = [".5", "½", *([",5"] if comma else [])] if half else [""]
    thousands = f"{int(whole):,}".replace(",", draw.choice([" ", "\u00a0"]))
    return sign + draw.choice([str(int(whole)), thousands]) + draw.choice(ends)


def text_file(rows, draw):
    separator = draw.choice([";", "\t", ",", "|"])
    written = [[as_text(cell, draw, comma=separator != ",") for cell in row] for row in rows]
    for encoding in draw.sample(ENCODINGS, len(ENCODINGS)):
        try:
            return csv_bytes(written, separator, encoding)
        except UnicodeEncodeError:
            continue
    raise AssertionError("UTF-8 holds everything")


def settled(games):
    results = games.settle().by_player("result") if len(games) else []
    found = []
    for position in range(len(games)):
        names = games.names(position)
        start = int(games.offsets[position])
        exact = [Fraction(value).limit_denominator(1000) for value in results[start : start + len(names)]]
        found.append((games.game[position], names, exact))
    return found


@pytest.mark.parametrize("seed", range(120))
def test_a_season_made_at_random(seed):
    season, draw = make(seed), random.Random(seed)
    rows = season.rows()
    games = sheets.read(xlsx_bytes({"Игры": rows}) if seed % 2 else text_file(rows, draw))
    found = {(one.reason, one.cell) for one in games.findings if one.reason not in ASIDE}
    assert found == season.expected
    expected = [
        (
            one.name,
            one.players,
            settle(one.pulya, list(map(Fraction, one.gora)), one.whists, RULES["rozaliev"], "debts"),
        )
        for one in season.games
        if one.good
    ]
    assert settled(games) == [(name, players, list(steps["result"])) for name, players, steps in expected]
