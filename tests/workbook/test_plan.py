"""The plan: what goes beside the user's tables, without any file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from prefxl.findings import Finding
from prefxl.tables import Table
from prefxl.workbook.marks import MANY_ERRORS, plan_marks
from prefxl.workbook.package import Area, Inspection, Kind, Obstacle, SheetInspection
from prefxl.workbook.package.coordinates import reference
from prefxl.workbook.package.runs import RowRun, Runs
from prefxl.workbook.plan import make_plan
from prefxl.workbook.planned import describe
from prefxl.workbook.widths import text_width
from tests.workbook.seasons import season

FILE = "клуб.xlsx"
WIDE_ROLES = {
    "game": 1,
    **{f"player_{i}": 1 + i for i in (1, 2, 3)},
    **{f"pulya_{i}": 4 + i for i in (1, 2, 3)},
    **{f"gora_{i}": 7 + i for i in (1, 2, 3)},
    **{
        f"whists_{i}_{j}": 10 + at
        for at, (i, j) in enumerate(((1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2)), start=1)
    },
}
LONG_ROLES = {"game": 1, "player": 2, "pulya": 3, "gora": 4, "whists_1": 5, "whists_2": 6, "whists_3": 7}


def bits(first, last):
    return ((1 << (last - first + 1)) - 1) << first


def workbook(*sheets):
    return Inspection(Path("/somewhere") / FILE, tuple(sheets))


def sheet(name, rows, columns, *obstacles):
    return SheetInspection(name, "x", runs=Runs([RowRun(1, rows, bits(1, columns), 0)]), obstacles=list(obstacles))


def wide(games=3, *, stake=None, **more):
    """Three players a game in the rows below a heading in row 1."""
    table = Table(FILE, "Партии", "wide", 1, 2, games + 1, 1, 16, WIDE_ROLES)
    made = replace(season(games, players=4, seats=(3,), own=False), **({"tables": (table,)} | more))
    return made.settle("rozaliev", stake=stake)


def long(games=2, layout="long"):
    """Three rows a game below a heading in row 4."""
    table = Table(FILE, "Май", layout, 4, 5, 4 + 3 * games, 1, 7, LONG_ROLES)
    made = season(games, players=4, seats=(3,), own=False)
    rows = 5 + np.arange(3 * games).reshape(games, 3).T
    return replace(made, tables=(table,), rows=rows).settle("leningrad", stake="0.5")


def cells(plan):
    return {reference(cell.row, cell.column): cell for change in plan.changes for cell in change.all_cells()}


def test_headings_of_results_are_not_cut_where_the_users_own_do_not_wrap():
    players = np.array([["Аня"] * 2, ["Вера Ивановна"] * 2, ["Константин Константинопольский-Задунайский"] * 2], object)
    (change,) = make_plan(wide(2, players=players), workbook(sheet("Партии", 3, 16))).changes
    short, long, longest, _ = (change.column_widths[at] for at in sorted(change.column_widths))
    assert short < 13
    assert long >= text_width("Итог Вера Ивановна")
    assert longest == 40


def test_a_wide_table_gets_a_result_a_seat_and_a_check_in_the_first_free_columns():
    settled = wide()
    plan = make_plan(settled, workbook(sheet("Партии", 4, 16)))
    planned = cells(plan)
    assert [planned[f"{letter}1"].value for letter in "QRST"] == ["Итог 1", "Итог 2", "Итог 3", "Проверка"]
    results = settled.by_seat("result")
    for game in range(3):
        assert [planned[f"{letter}{game + 2}"].value for letter in "QRS"] == results[:, game].tolist()
        assert planned[f"T{game + 2}"].value == 0
    assert len(planned) == 16


def test_a_number_of_the_users_in_a_column_of_ours_is_kept():
    settled = wide(4)
    ours = SheetInspection("Партии", "x", runs=Runs([RowRun(1, 5, bits(1, 16), 0)]), foreign={(3, 18): "5"})
    plan = make_plan(settled, workbook(ours))
    assert "R3" not in cells(plan)
    assert {"R2", "R4", "Q3"} <= set(cells(plan))
    (kept,) = plan.kept
    assert (kept.row, kept.column, kept.present) == (3, 18, "5")
    assert float(kept.wanted) == settled.by_seat("result")[1, 1]
    assert plan.changes[0].kept == [(3, 18)]


def test_nothing_is_ever_planned_over_what_the_user_has():
    chart = Obstacle(Area(3, 18, 9, 24), Kind.DRAWING)
    plan = make_plan(wide(), workbook(sheet("Партии", 4, 16, chart)))
    assert plan.placements[0].area == Area(1, 25, 4, 28)


def test_seats_that_are_always_the_same_players_are_headed_by_their_names():
    games = season(2, players=4, seats=(3,), own=False)
    players = games.players.copy()
    players[:, :] = np.array([["Аня"], ["Боря"], ["Вера"]])
    planned = cells(make_plan(wide(2, players=players), workbook(sheet("Партии", 3, 16))))
    assert [planned[f"{letter}1"].value for letter in "QRS"] == ["Итог Аня", "Итог Боря", "Итог Вера"]
    players[2, 0] = "Гена"
    planned = cells(make_plan(wide(2, players=players), workbook(sheet("Партии", 3, 16))))
    assert planned["Q1"].value == "Итог 1"


def test_a_player_in_a_later_seat_of_the_table_keeps_that_seats_column():
    roles = WIDE_ROLES | {"player_4": 20}
    table = Table(FILE, "Партии", "wide", 1, 2, 3, 1, 20, roles)
    places = np.array([[0, 0], [2, 1], [3, 2]])
    games = replace(season(2, players=4, seats=(3,), own=False), tables=(table,), places=places)
    settled = games.settle()
    planned = cells(make_plan(settled, workbook(sheet("Партии", 3, 20))))
    results = settled.by_seat("result")
    assert [planned.get(f"{letter}2") and planned[f"{letter}2"].value for letter in "UVWX"] == [
        results[0, 0],
        None,
        results[1, 0],
        results[2, 0],
    ]


@pytest.mark.parametrize("layout", ["long", "form"])
def test_a_table_with_a_row_a_player_gets_result_money_and_a_check_on_each_games_last_row(layout):
    settled = long(layout=layout)
    planned = cells(make_plan(settled, workbook(sheet("Май", 10, 7))))
    assert [planned[f"{letter}4"].value for letter in "HIJ"] == ["Итог", "Деньги", "Проверка"]
    assert [planned[f"H{row}"].value for row in range(5, 11)] == settled.by_player("result").tolist()
    assert [planned[f"I{row}"].value for row in range(5, 11)] == settled.money().tolist()
    assert [row for row in range(5, 11) if f"J{row}" in planned] == [7, 10]


def test_headings_look_as_the_sheets_own_do_and_results_as_the_rows_numbers():
    planned = cells(make_plan(long(), workbook(sheet("Май", 10, 7))))
    assert planned["H4"].style.like == "G4"
    assert planned["H6"].style.like == "C"
    assert planned["H6"].style.number_format == "+#,##0.00;-#,##0.00;0.00"


def test_every_result_carries_its_derivation_up_to_the_limit():
    settled = wide()
    planned = cells(make_plan(settled, workbook(sheet("Партии", 4, 16)), noted_games=2))
    assert planned["Q2"].note.split("\n")[0].startswith(settled.games.players[0, 0])
    assert planned["T2"].note is None
    assert planned["Q4"].note is None


def test_two_tables_side_by_side_get_columns_of_their_own():
    one = Table(FILE, "Партии", "wide", 1, 2, 2, 1, 16, WIDE_ROLES)
    games = season(2, players=4, seats=(3,), own=False)
    rows = np.array([[2, 2]] * 3)
    made = replace(games, tables=(one, one), table=np.array([0, 1]), rows=rows).settle()
    areas = [placement.area for placement in make_plan(made, workbook(sheet("Партии", 2, 16))).placements]
    assert not areas[0].meets(areas[1])


def test_a_table_without_room_beside_it_is_told_and_not_written():
    full = sheet("Партии", 4, 16, Obstacle(Area(1, 17, 9, 16_384), Kind.MERGED))
    plan = make_plan(wide(), workbook(full))
    assert cells(plan) == {}
    assert "нет свободных столбцов" in describe(plan, "ru")
    assert "no free columns" in describe(plan, "en")


def test_tables_of_other_files_and_sheets_are_left_alone():
    settled = wide(tables=(Table("другой.xlsx", "Партии", "wide", 1, 2, 4, 1, 16, WIDE_ROLES),))
    assert make_plan(settled, workbook(sheet("Партии", 4, 16))).changes == ()
    assert make_plan(wide(), workbook(sheet("Июль", 4, 16))).changes == ()


def test_the_plan_is_told_in_words():
    text = describe(make_plan(wide(), workbook(sheet("Партии", 4, 16))), "ru")
    assert text.split("\n")[0] == "Партии: Q1:T4 — Итог 1, Итог 2, Итог 3, Проверка; игр: 3"


def test_live_results_are_formulas_over_the_users_cells_with_their_values_cached():
    settled = wide()
    numbers = raw_of(settled)
    plan = make_plan(settled, workbook(sheet("Партии", 4, 16)), raw=numbers)
    planned = cells(plan)
    assert plan.formulas == 9
    assert "E2" in planned["Q2"].formula
    assert planned["Q2"].cached == settled.by_seat("result")[0, 0]
    assert planned["T2"].formula == "=ROUND(Q2+R2+S2,6)"


def raw_of(settled, instead=None):
    """Return what the cells of the wide table hold."""
    held = {}
    games = settled.games
    for game in range(len(games)):
        for i in range(3):
            held[game + 2, WIDE_ROLES[f"pulya_{i + 1}"]] = games.pulya[i, game] / 2
            held[game + 2, WIDE_ROLES[f"gora_{i + 1}"]] = games.gora[i, game] / 2
            for j in range(3):
                if i != j:
                    held[game + 2, WIDE_ROLES[f"whists_{i + 1}_{j + 1}"]] = games.whists[i, j, game] / 2
    held |= instead or {}
    return lambda sheet, row, column: held[row, column]


@pytest.mark.parametrize("held", [None, 999.0])
def test_a_live_game_stays_numbers_where_a_cell_holds_another_thing_than_was_settled(held):
    settled = wide()
    plan = make_plan(settled, workbook(sheet("Партии", 4, 16)), raw=raw_of(settled, {(3, 5): held}))
    assert plan.fixed == ("2",)
    assert cells(plan)["Q3"].formula is None
    assert cells(plan)["Q4"].formula is not None


def test_money_follows_live_where_nothing_is_rounded_away():
    settled = wide(stake="0.5")
    planned = cells(make_plan(settled, workbook(sheet("Партии", 4, 16)), raw=raw_of(settled)))
    assert planned["T2"].formula == "=ROUND(Q2*0.5,2)"
    uneven = wide(stake="0.333")
    planned = cells(make_plan(uneven, workbook(sheet("Партии", 4, 16)), raw=raw_of(uneven)))
    assert planned["T2"].formula is None


def finding(reason, cell, sheet="Партии", **details):
    return Finding(reason, FILE, sheet, cell, "7,25", details)


def marks(findings, with_games=("Партии",), **options):
    options = {"lang": "ru", "most_notes": 100} | options
    return plan_marks(findings, workbook(sheet("Партии", 9, 9)), with_games, **options).get("Партии", [])


def test_cells_with_findings_are_tinted_and_say_what_was_expected():
    (mark,) = marks([finding("odd-fraction", "B3")])
    assert (mark.row, mark.column, mark.fill) == (3, 2, "F8D7D3")
    assert mark.note == "ошибка: 7,25 — дробь очка, но не половина\nОжидалось: целые очки или половины"


def test_several_findings_on_a_cell_share_the_note_and_the_gravest_tints():
    (mark,) = marks([finding("unequal-pulyas", "B3"), finding("negative-pulya", "B3")])
    assert mark.fill == "F8D7D3"
    assert mark.note.count("\n") == 2


def test_what_is_only_worth_noting_is_not_tinted():
    (mark,) = marks([finding("unequal-pulyas", "B3")])
    assert mark.fill is None
    assert marks([finding("unequal-pulyas", f"B{row}") for row in (3, 4)], most_notes=1) == [mark]


def test_a_sheet_full_of_errors_and_without_a_game_is_no_score_sheet_and_stays_untouched():
    many = [finding("odd-fraction", f"B{row}") for row in range(1, MANY_ERRORS + 1)]
    assert marks(many, with_games=()) == []
    assert len(marks(many)) == MANY_ERRORS


@pytest.mark.parametrize("doubt", ["missing-column", "no-names", "unread-columns", "whists-on-whom", "without-whists"])
def test_a_table_of_doubtful_headings_and_without_a_game_is_something_else_and_stays_untouched(doubt):
    # «P» and «p» above values that are compared are no pulyas
    found = [finding(doubt, "A1", role_en="gora", role_ru="гора"), finding("error-value", "A2")]
    assert marks(found, with_games=()) == []
    assert {mark.row for mark in marks(found)} >= {2}
