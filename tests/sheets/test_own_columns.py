"""Columns of one's own: whatever stands there comes back and is no score."""

import pytest

import prefxl.sheets as sheets
from tests.sheets.samples import FIRST, LONG, csv_bytes, scores, told, xlsx_bytes

TEXTS = ["у Веры", "1,5", "nan", "inf", "1e400", "9" * 30, "١٢", "#Н/Д", "ИСТИНА", "03.04.2026", "10%", "½", "'5"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("first", [5, 7.5, True, None])
def test_any_text_may_stand_in_a_column_of_ones_own(text, first):
    rows = [[*LONG[0], "Стол"], [*LONG[1], first], *([*row, text] for row in LONG[2:])]
    for data in (csv_bytes(rows), xlsx_bytes({"а": rows})):
        games = sheets.read(data)
        assert (scores(games)[0], told(games)) == (FIRST, [])
        assert [str(cell) for cell in games.own["Стол"]][1].startswith(text[0])
