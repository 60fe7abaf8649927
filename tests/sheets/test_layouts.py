"""Tables as people keep them, each recognised without being told."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

import prefxl.sheets as sheets
from prefxl.sheets.layouts import Wanted, find_tables
from prefxl.sheets.text import read_text
from tests.sheets.samples import FIRST, LONG, LONG_HEAD, WIDE, changed, csv_bytes, noted, scores, told, xlsx_bytes


def first(data, **options):
    games = sheets.read(data, **options)
    assert told(games) == []
    return scores(games)[0]


def named(rows, heads):
    """Return game 1 of LONG with other whist headings."""
    return [["Игра", "Игрок", "Пуля", "Гора", *heads], *([row[0], *row[2:8]] for row in rows[1:4])]


def test_long_rows_are_one_game_by_their_id():
    games = sheets.read(csv_bytes(LONG))
    assert scores(games)[0] == FIRST
    assert [list(games.names(i)) for i in range(2)] == [["Аня", "Боря", "Вася"], ["Аня", "Боря", "Вася", "Галя"]]


def test_wide_rows_are_games():
    assert first(csv_bytes(WIDE)) == FIRST


@pytest.mark.parametrize(
    "heads",
    [
        ("Висты на Аню", "Висты на Борю", "Висты на Васю"),
        ("Висты на Аня", "Висты на Боря", "Висты на Вася"),
        ("В→Аня", "В→Боря", "В→Вася"),
        ("на Аню", "на Борю", "на Васю"),
        ("Висты на А", "Висты на Б", "Висты на В"),
        ("W1", "W2", "W3"),
    ],
)
def test_whists_may_be_headed_by_names_or_seats(heads):
    assert first(csv_bytes(named(LONG, heads))) == FIRST


def test_a_declined_name_is_reported_as_matched():
    games = sheets.read(csv_bytes(named(LONG, ("Висты на Аню", "Висты на Боря", "Висты на Вася"))))
    assert noted(games) == [("matched-heading", "E1")]


def test_whists_headed_by_their_writer_are_turned_round():
    rows = named(LONG, ("Висты от Ани", "Висты от Бори", "Висты от Васи"))
    games = sheets.read(csv_bytes(rows))
    assert scores(games)[0][4] == np.array(FIRST[4]).T.tolist()
    assert games.cell(0, "whists", 0, 1) == ("", "", "E3")


def merged(book):
    sheet = book.active
    sheet.merge_cells("E1:G1")
    for letter in "ABCD":
        sheet.merge_cells(f"{letter}1:{letter}2")


TWO_ROWS = [["Игра", "Игрок", "Пуля", "Гора", "Висты на", None, None], [None] * 4 + ["Аню", "Борю", "Васю"]]


@pytest.mark.parametrize(
    "data",
    [
        xlsx_bytes({"а": [*TWO_ROWS, *named(LONG, ())[1:]]}, merged),
        xlsx_bytes({"а": [*TWO_ROWS, *named(LONG, ())[1:]]}),
        csv_bytes([*TWO_ROWS, *named(LONG, ())[1:]]),
    ],
    ids=["merged", "unmerged", "text"],
)
def test_a_heading_of_two_rows_over_names(data):
    assert first(data) == FIRST


def test_a_heading_of_two_rows_over_seats():
    heads = [
        ["Игра", "Дата", "Игрок", None, None, "Пуля", None, None, "Гора", None, None, "Висты"],
        [None, None, 1, 2, 3, 1, 2, 3, 1, 2, 3, "1→2", "1→3", "2→1", "2→3", "3→1", "3→2"],
    ]
    assert first(xlsx_bytes({"а": [*heads, *WIDE[1:]]})) == FIRST


def test_names_in_the_heading_of_a_wide_sheet():
    heads = [
        ["№", "Дата", "Пуля", None, None, "Гора", None, None, "Висты"],
        [
            None,
            None,
            *["Аня", "Боря", "Вася"] * 2,
            "Аня→Боря",
            "Аня→Вася",
            "Боря→Аня",
            "Боря→Вася",
            "Вася→Аня",
            "Вася→Боря",
        ],
    ]
    assert first(xlsx_bytes({"а": [*heads, *([*row[:2], *row[5:]] for row in WIDE[1:])]})) == FIRST


def test_columns_grouped_under_players_names():
    rows = [
        ["Игра", "Аня", None, None, None, "Боря", None, None, None, "Вася"],
        [
            None,
            "Пуля",
            "Гора",
            "на Борю",
            "на Васю",
            "Пуля",
            "Гора",
            "на Аню",
            "на Васю",
            "Пуля",
            "Гора",
            "на Аню",
            "на Борю",
        ],
        [1, 10, 4, 20, 30, 12, 6, 40, 50, 14, 8, 60, 70],
    ]
    assert first(xlsx_bytes({"а": rows})) == FIRST


def test_a_player_of_the_heading_who_did_not_play_is_left_out():
    head = ["Игра", "Пуля Аня", "Пуля Боря", "Пуля Вася", "Гора Аня", "Гора Боря", "Гора Вася"]
    pairs = [f"Висты {a} на {b}" for a in ("Аня", "Боря", "Вася") for b in ("Аню", "Борю", "Васю") if a[0] != b[0]]
    games = sheets.read(csv_bytes([head + pairs, [1, 10, None, 14, 4, None, 8, None, 30, None, None, 60, None]]))
    assert scores(games) == [(1, ["Аня", "Вася"], [10, 14], [4, 8], [[0, 30], [60, 0]])]
    assert games.cell(0, "whists", 1, 0)[2] == "L2"


def test_an_empty_seat_in_the_middle_is_closed_up_and_its_cells_remembered():
    head = ["Игра", *(f"{word} {seat}" for word in ("Игрок", "Пуля", "Гора") for seat in (1, 2, 3))]
    pairs = [f"Висты {i}-{j}" for i in (1, 2, 3) for j in (1, 2, 3) if i != j]
    row = [1, "Аня", None, "Вася", 10, None, 14, 4, None, 8, None, 30, None, None, 60, None]
    games = sheets.read(csv_bytes([head + pairs, row]))
    assert scores(games) == [(1, ["Аня", "Вася"], [10, 14], [4, 8], [[0, 30], [60, 0]])]
    assert [games.cell(0, "player", 1)[2], games.cell(0, "pulya", 1)[2]] == ["D2", "G2"]
    assert games.cell(0, "whists", 0, 1)[2] == "L2"


def test_a_wide_sheet_without_ids_counts_its_games():
    assert list(sheets.read(csv_bytes([row[2:] for row in WIDE])).game) == [1, 2]


def test_games_without_ids_are_counted_on_over_sheets():
    rows = [row[2:] for row in WIDE]
    games = sheets.read(xlsx_bytes({"а": rows, "б": rows}))
    assert (list(games.game), told(games)) == ([1, 2, 3, 4], [])


def test_without_ids_the_date_parts_the_games():
    assert [x[1] for x in scores(sheets.read(csv_bytes([row[1:] for row in LONG])))] == [
        ["Аня", "Боря", "Вася"],
        ["Аня", "Боря", "Вася", "Галя"],
    ]


def test_without_ids_and_dates_a_blank_row_parts_the_games():
    rows = [row[2:] for row in LONG]
    games = sheets.read(csv_bytes([*rows[:4], [], *rows[4:]]))
    assert [len(x[1]) for x in scores(games)] == [3, 4]
    assert list(games.game) == [1, 2]


def test_an_id_written_once_holds_for_the_rows_below():
    blank = {(row, column): None for row in (3, 4, 6, 7, 8) for column in (1, 2)}
    games = sheets.read(xlsx_bytes({"а": changed(LONG, blank)}))
    assert [(x[0], len(x[1])) for x in scores(games)] == [(1, 3), (2, 4)]


def test_an_id_on_a_row_of_its_own_names_the_game_below():
    rows = [LONG[0], ["Игра 7"], *([None, None, *row[2:]] for row in LONG[1:4])]
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert (list(games.game), noted(games)) == (["Игра 7"], [])


def test_rows_of_a_game_need_not_stand_together():
    again = [[3, *row[1:]] for row in LONG[1:4]]
    games = sheets.read(csv_bytes([LONG[0], *sorted(LONG[1:4] + again, key=lambda row: row[2])]))
    assert scores(games) == [FIRST, (3, *FIRST[1:])]


FORM = [["Игрок", "Пуля", "Гора", "Висты на 1", "Висты на 2", "Висты на 3"], *(row[2:8] for row in LONG[1:4])]


def test_a_form_is_named_by_its_caption():
    assert first(xlsx_bytes({"Лист1": [["Дача"], *FORM]}))[0] == "Дача"


@pytest.mark.parametrize("caption", ["Игра 2 от 09.05.2026", "Дача, 9 мая 2026 г.", "Дата: 2026-05-09"])
def test_a_form_is_of_the_day_its_caption_names(caption):
    games = sheets.read(xlsx_bytes({"Лист1": [[caption], *FORM, [], [f"{caption}, вторая"], *FORM]}))
    assert list(games.game) == [caption, f"{caption}, вторая"]
    assert list(games.date) == [date(2026, 5, 9)] * 2


def test_a_form_without_a_caption_is_named_by_its_sheet():
    assert first(xlsx_bytes({"2026-05-09": FORM}))[0] == "2026-05-09"


def test_a_caption_must_stand_just_above():
    assert first(xlsx_bytes({"Лес": [["Клуб «Пуля»"], [], *FORM]}))[0] == "Лес"


def test_forms_stand_below_each_other_with_totals_between():
    rows = [["Дача 1"], *FORM, ["Итого", 36, 18], [], ["Дача 2"], *FORM]
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert (list(games.game), noted(games)) == (["Дача 1", "Дача 2"], [("totals-row", "A6")])


def test_forms_stand_side_by_side():
    left = [["Стол 1"], *FORM]
    rows = [[*row, *[None] * (7 - len(row)), *other] for row, other in zip(left, [["Стол 2"], *FORM], strict=True)]
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert list(games.game) == ["Стол 1", "Стол 2"]
    assert games.cell(1, "whists", 0, 1) == ("", "а", "L3")


def test_a_column_that_numbers_the_players_is_no_id():
    rows = [["Пулька у Лёши"], ["№", *FORM[0]], *([number, *row] for number, row in enumerate(FORM[1:], 1))]
    assert first(xlsx_bytes({"а": rows}))[0] == "Пулька у Лёши"


@pytest.mark.parametrize("mark", ["—", "-", "x", "х", "X", "***", "///"])
def test_a_crossed_out_diagonal_is_empty(mark):
    rows = changed(FORM, {(2, 4): mark, (3, 5): mark, (4, 6): mark})
    assert first(xlsx_bytes({"а": rows}))[1:] == FIRST[1:]


def test_a_table_may_start_anywhere():
    rows = [
        [],
        ["Клуб «Пуля», Январь 2026"],
        ["ведёт секретарь; висты — кто на кого написал"],
        [],
        *([None, None, *row] for row in LONG),
    ]
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert scores(games)[0] == FIRST
    assert games.cell(0, "gora", 1)[2] == "G7"


def test_columns_come_in_any_order():
    order = [4, 7, 2, 0, 6, 3, 1, 5, 8]
    assert first(csv_bytes([[row[i] for i in order] for row in LONG])) == FIRST


def test_totals_and_remarks_between_are_left_out_and_told():
    rows = [
        *LONG[:4],
        [None, None, "Итого", 36, 18],
        ["перерыв на чай и пироги"],
        *LONG[4:],
        [None, None, None, 86, 36],
    ]
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert len(games) == 2
    assert noted(games) == [("totals-row", "C5"), ("totals-row", "D11"), ("remark", "A6")]


def test_numbered_rows_that_wait_for_their_games_are_told_once():
    games = sheets.read(xlsx_bytes({"а": [*WIDE, [3], [4], [5]]}))
    assert (len(games), noted(games)) == (2, [("empty-game", "A4")])


def test_a_heading_repeated_further_down_is_a_heading():
    games = sheets.read(csv_bytes([*LONG[:4], [], LONG[0], *LONG[4:]]))
    assert [(x[0], len(x[1])) for x in scores(games)] == [(1, 3), (2, 4)]


def test_several_sheets_make_one_season():
    other = [LONG_HEAD, *([row[0] + 2, *row[1:]] for row in LONG[1:])]
    assert list(sheets.read(xlsx_bytes({"а": LONG, "Заметки": [["Взносы", 5]], "б": other})).game) == [1, 2, 3, 4]


def test_a_sheet_without_games_is_noted():
    games = sheets.read(xlsx_bytes({"а": LONG, "Заметки": [[], [None, "Взносы", 5]]}))
    assert noted(games) == [("not-a-score-sheet", "B2")]


def test_only_the_sheet_asked_for_is_read():
    data = xlsx_bytes({"а": LONG, "б": WIDE})
    assert sheets.read(data, sheet="б").tables[0].layout == "wide"
    assert sheets.read(data, sheet=1).tables[0].layout == "long"


def test_headings_of_ones_own_are_mapped():
    rows = [["Игра", "Кто", "Очки", "Штраф", "на 1", "на 2", "на 3"], *([row[0], *row[2:8]] for row in LONG[1:4])]
    assert first(csv_bytes(rows), mapping={"Очки": "pulya", "Штраф": "gora"}) == FIRST


def test_pulya_kept_downwards_is_turned_round():
    rows = changed(LONG, {(2, 4): 10, (3, 4): 8, (4, 4): 6})
    assert scores(sheets.read(csv_bytes(rows), start_from=20))[0] == FIRST


def test_own_columns_are_kept_and_settings_set_apart():
    rows = [[*LONG[0], "Конвенция", "Стол", "Комментарий"], *([*row, "сочинка", "7", None] for row in LONG[1:])]
    rows[1][-1] = "у Пети"
    games = sheets.read(csv_bytes(rows))
    assert list(games.settings["convention"]) == ["сочинка", "сочинка"]
    assert games.own["Стол"].tolist() == [7] * 7
    assert games.own["Комментарий"].iloc[0] == "у Пети"


def test_own_columns_follow_the_seats_of_a_wide_table():
    games = sheets.read(csv_bytes([[*WIDE[0], "Стол"], [*WIDE[1], "А"], [*WIDE[2], "Б"]]))
    assert games.own["Стол"].tolist() == ["А"] * 3 + ["Б"] * 3


def test_a_result_column_of_the_user_is_kept():
    rows = [[*LONG[0], "Итог"], *([*row, 5] for row in LONG[1:])]
    assert sheets.read(xlsx_bytes({"а": rows})).own["Итог"].tolist() == [5] * 7


def test_results_of_an_earlier_run_are_not_read_where_a_format_keeps_no_marks():
    rows = [[*LONG[0], "Итог", "Деньги", "Проверка"], *([*row, 5, 6, 0] for row in LONG[1:])]
    grid, _ = read_text(csv_bytes(rows), "а.csv")
    found = find_tables(replace(grid, unmarked=True), Wanted())
    assert ([list(one.own) for one in found], [one.reason for one in found[0].findings]) == ([[]], ["own-results"])


def test_the_language_is_that_of_the_headings():
    english = [
        ["game", "player", "pulya", "gora", "whists_1", "whists_2"],
        [1, "Аня", 1, 2, None, 3],
        [1, "Боря", 1, 2, 4, None],
    ]
    assert sheets.read(csv_bytes(english)).lang == "en"
    assert sheets.read(csv_bytes(LONG)).lang == "ru"


def test_blocks_under_one_heading_may_each_have_a_caption():
    rows = [*FORM, [], ["Вторая"], *FORM[1:]]
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert (list(games.game), noted(games), told(games)) == ([1, "Вторая"], [], [])


def test_a_form_that_waits_for_its_game_is_passed_over():
    games = sheets.read(xlsx_bytes({"а": [["Дача 1"], *FORM, [], ["Дача 2"], FORM[0]]}))
    assert (list(games.game), told(games)) == (["Дача 1"], [])


def test_results_of_ours_are_not_taken_for_games():
    rows = sheets.read(csv_bytes(LONG)).settle().steps
    games = sheets.read(rows.to_csv(index=False).encode())
    assert (len(games), noted(games)) == (0, [("own-results", "A1")])


def test_a_seat_column_puts_the_players_in_order():
    heads = ["game", "seat", "player", "pulya", "gora", "whists_1", "whists_2"]
    games = sheets.read(csv_bytes([heads, [1, 2, "Б", 1, 2, 3, None], [1, 1, "А", 3, 4, None, 5]]))
    assert scores(games) == [(1, ["А", "Б"], [3, 1], [4, 2], [[0, 5], [3, 0]])]


def test_a_column_that_counts_the_rows_gives_way_to_one_that_names_the_games():
    rows = [["№", *LONG[0]], *([number, *row] for number, row in enumerate(LONG[1:], 1))]
    games = sheets.read(csv_bytes(rows))
    assert (list(games.game), told(games)) == ([1, 2], [])
    assert games.own["№"].tolist() == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("whists", [("на Александру", "на Александра"), ("→Александра", "→Александр")])
def test_a_man_and_a_woman_called_alike_have_their_own_columns_in_a_wide_sheet(whists):
    men = [f"{field} {name}" for field in ("Пуля", "Гора") for name in ("Александр", "Александра")]
    heads = ["Игра", *men, f"Висты Александр {whists[0]}", f"Висты Александра {whists[1]}"]
    games = sheets.read(csv_bytes([heads, [1, 10, 12, 1, 2, 20, 30]]))
    assert scores(games) == [(1, ["Александр", "Александра"], [10, 12], [1, 2], [[0, 20], [30, 0]])]


def test_whists_between_players_nobody_knows_are_not_dropped():
    heads = ["Игра", "Пуля Аня", "Пуля Боря", "Гора Ани", "Гора Бори", "Висты Аня→Боря", "Висты Зоя→Аня"]
    games = sheets.read(csv_bytes([heads, [1, 10, 12, 1, 2, 20, 30]]))
    assert (len(games), told(games)[0]) == (0, ("whists-on-whom", "G1"))
    games = sheets.read(csv_bytes([heads, [1, 10, 12, 1, 2, 20, 0]]))
    assert (len(games), told(games)) == (1, [])


def test_results_a_user_keeps_come_back_in_a_text_file():
    rows = [[*WIDE[0], "Итог 1", "Итог 2", "Проверка"], *([*row, -5, 5, "ок"] for row in WIDE[1:])]
    for data in (csv_bytes(rows), xlsx_bytes({"Игры": rows})):
        games = sheets.read(data)
        assert list(games.own.columns) == ["Итог 1", "Итог 2", "Проверка"]
        assert noted(games) == []


SHORT = ["№", "И1", "И2", "И3", "П1", "П2", "П3", "Г1", "Г2", "Г3", "В12", "В13", "В21", "В23", "В31", "В32"]


def test_short_headings_of_players_are_known_by_those_beside_them():
    games = sheets.read(csv_bytes([SHORT, *([row[0], *row[2:]] for row in WIDE[1:2])]))
    assert (scores(games), told(games)) == ([FIRST], [])


def test_a_short_heading_beside_a_players_is_the_users_own():
    heads = ["Игра", "Игрок 1", "Игрок 2", "П1", "П2", "Г1", "Г2", "В12", "В21", "И1", "И2"]
    games = sheets.read(csv_bytes([heads, [1, "Аня", "Боря", 10, 10, 1, 2, 20, 30, 5, -5]]))
    assert (games.names(0), list(games.own.columns)) == (["Аня", "Боря"], ["И1", "И2"])


def test_where_nobody_is_named_the_headings_nobody_knows_are_told():
    heads = [text.replace("И", "Хто ") for text in SHORT]
    games = sheets.read(csv_bytes([heads, *([row[0], *row[2:]] for row in WIDE[1:])]))
    assert told(games) == [("no-names", "B1"), ("none-good", "")]
    assert games.findings[0].found == "Хто 1, Хто 2, Хто 3"
