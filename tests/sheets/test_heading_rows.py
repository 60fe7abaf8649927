"""Headings of two rows, forms beside and below each other, names that are headings: nothing is dropped."""

import re

import pytest

import prefxl.sheets as sheets
from tests.sheets.samples import FIRST, LONG, WIDE, csv_bytes, noted, scores, told, xlsx_bytes

GAME = [row[2:8] for row in LONG[1:4]]
NAMES = ["Аня", "Боря", "Вася"]
FIELDS = ["Игрок", "Пуля", "Гора"]


def two_rows(group="Висты", names=NAMES):
    return [[None, None, None, group], [*FIELDS, *names], *GAME]


def beside(*tables):
    """Return tables of six columns side by side, an empty column between."""
    height = max(len(table) for table in tables)
    padded = [[*table, *[[]] * (height - len(table))] for table in tables]
    rows = zip(*padded, strict=True)
    return [[cell for row in part for cell in [*row, *[None] * (7 - len(row))]] for part in rows]


def merge(*areas):
    def change(book):
        for area in areas:
            book.active.merge_cells(area)

    return change


def only(games):
    assert told(games) == []
    return scores(games)


@pytest.mark.parametrize("group", ["Висты", "Висты на", "Вист", "Написал вистов на", "Whists"])
@pytest.mark.parametrize("names", [NAMES, ["Аню", "Борю", "Васю"]], ids=["names", "declined"])
@pytest.mark.parametrize("merged", [True, False], ids=["merged", "unmerged"])
def test_whists_alone_may_stand_above_names_in_the_row_of_all_other_headings(group, names, merged):
    rows = [["Дача 5"], *two_rows(group, names)]
    data = xlsx_bytes({"а": rows}, merge("D2:F2") if merged else None)
    assert only(sheets.read(data)) == [("Дача 5", *FIRST[1:])]
    assert only(sheets.read(csv_bytes(rows))) == [("Дача 5", *FIRST[1:])]


def test_such_a_form_without_a_caption_is_named_by_its_sheet():
    assert only(sheets.read(xlsx_bytes({"9 мая": two_rows()})))[0][0] == "9 мая"


def test_a_column_of_remarks_beside_unmerged_whists_stays_ones_own():
    rows = [[*row, text] for row, text in zip(two_rows()[1:], ["Комментарий", "да", None, "нет"], strict=True)]
    games = sheets.read(xlsx_bytes({"а": [[None, None, None, "Висты"], *rows]}))
    assert (only(games)[0][1:], list(games.own.columns)) == (FIRST[1:], ["Комментарий"])


@pytest.mark.parametrize("merged", [True, False], ids=["merged", "unmerged"])
def test_two_such_forms_stand_side_by_side(merged):
    rows = beside([["Стол 1"], *two_rows()], [["Стол 2"], *two_rows()])
    data = xlsx_bytes({"а": rows}, merge("D2:F2", "K2:M2") if merged else None)
    assert only(sheets.read(data)) == [("Стол 1", *FIRST[1:]), ("Стол 2", *FIRST[1:])]


def test_such_forms_stand_below_each_other():
    rows = [["Стол 1"], *two_rows(), ["Итого", 36, 18], [], ["Стол 2"], *two_rows()]
    assert [game[0] for game in only(sheets.read(xlsx_bytes({"а": rows})))] == ["Стол 1", "Стол 2"]


FORM = [[*FIELDS, "Висты на 1", "Висты на 2", "Висты на 3"], *GAME]
OTHER = [[None, None, None, "Висты на"], [*FIELDS, "Аню", "Борю", "Васю"], *GAME]
BARE = [[*FIELDS, *NAMES], *GAME, ["Итого", 36, 18]]


@pytest.mark.parametrize("left", [FORM, OTHER, BARE], ids=["seats", "two rows", "bare"])
@pytest.mark.parametrize("right", [FORM, OTHER, BARE], ids=["seats", "two rows", "bare"])
@pytest.mark.parametrize("lower", [0, 1, 2, 4])
def test_forms_headed_in_their_own_way_stand_side_by_side(left, right, lower):
    rows = beside([["Стол 1"], *left], [*[[]] * lower, ["Стол 2"], *right])
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert sorted(only(games)) == [("Стол 1", *FIRST[1:]), ("Стол 2", *FIRST[1:])]


def test_forms_fill_a_sheet_in_rows_and_columns():
    upper = beside([["Стол 1"], *FORM], [["Стол 2"], *OTHER])
    lower = beside([["Стол 3"], *OTHER], [["Стол 4"], *BARE])
    games = sheets.read(xlsx_bytes({"а": [*upper, [], *lower]}))
    assert sorted(only(games)) == [(f"Стол {number}", *FIRST[1:]) for number in (1, 2, 3, 4)]


@pytest.mark.parametrize("places", [(2,), (5, 9), (2, 6, 10, 14)])
def test_empty_columns_within_a_wide_table_do_not_part_it(places):
    rows = [list(row) for row in WIDE]
    for place in places:
        for row in rows:
            row.insert(place, None)
    assert only(sheets.read(xlsx_bytes({"а": rows})))[0] == FIRST


def test_a_column_of_ones_own_behind_an_empty_one_is_kept():
    rows = [[*row, None, text] for row, text in zip(FORM, ["Стол", 7, 7, 7], strict=True)]
    assert sheets.read(xlsx_bytes({"а": rows})).own["Стол"].tolist() == [7, 7, 7]


def test_the_long_layout_has_whists_above_names_too():
    heads = [[None] * 5 + ["Висты"], ["Игра", "Дата", *FIELDS, *NAMES]]
    rows = [*heads, *(row[:8] for row in LONG[1:4])]
    assert only(sheets.read(xlsx_bytes({"а": rows}, merge("F1:H1")))) == [FIRST]
    assert only(sheets.read(csv_bytes(rows))) == [FIRST]


def test_whists_headed_by_seat_stay_so_under_a_row_of_remarks():
    rows = [[None, None, None, "на: Аня", "на: Боря", "на: Вася"], [*FIELDS, *(f"Висты на {i}" for i in (1, 2, 3))]]
    assert only(sheets.read(xlsx_bytes({"а": [*rows, *GAME]})))[0][1:] == FIRST[1:]


PLAYERS = ["Игрок 1", "Игрок 2", "Игрок 3"]
PAIRS = ["1-2", "1-3", "2-1", "2-3", "3-1", "3-2"]


@pytest.mark.parametrize("merged", [True, False], ids=["merged", "unmerged"])
def test_the_word_player_repeated_under_each_field_is_its_seat(merged):
    heads = [
        ["Игра", "Дата", "Игроки", None, None, "Пуля", None, None, "Гора", None, None, "Висты"],
        [None, None, *PLAYERS * 3, *PAIRS],
    ]
    areas = ["A1:A2", "B1:B2"] + (["C1:E1", "F1:H1", "I1:K1", "L1:Q1"] if merged else [])
    assert only(sheets.read(xlsx_bytes({"а": [*heads, *WIDE[1:]]}, merge(*areas))))[0] == FIRST


def named_wide(sign, second=NAMES):
    """Return heading pairs of names in the order of WIDE."""
    places = [tuple(int(part) - 1 for part in pair.split("-")) for pair in PAIRS]
    return [f"{NAMES[one]}{sign}{second[other]}" for one, other in places]


SIGNS = [("-", NAMES), ("→", NAMES), (" – ", NAMES), (" на ", ["Аню", "Борю", "Васю"]), (" -> ", NAMES)]


@pytest.mark.parametrize(("sign", "second"), SIGNS, ids=[sign.strip() for sign, _ in SIGNS])
def test_pairs_of_names_under_whists(sign, second):
    heads = [
        ["Игра", "Дата", "Пуля", None, None, "Гора", None, None, "Висты"],
        [None, None, *NAMES * 2, *named_wide(sign, second)],
    ]
    rows = [*heads, *([*row[:2], *row[5:]] for row in WIDE[1:2])]
    assert only(sheets.read(xlsx_bytes({"а": rows}, merge("C1:E1", "F1:H1", "I1:N1", "A1:A2", "B1:B2")))) == [FIRST]


@pytest.mark.parametrize(("sign", "second"), SIGNS, ids=[sign.strip() for sign, _ in SIGNS])
def test_pairs_of_names_that_nothing_gathers(sign, second):
    fields = [f"{field} {name}" for field in ("Пуля", "Гора") for name in NAMES]
    rows = [["Игра", "Дата", *fields, *named_wide(sign, second)], *([*row[:2], *row[5:]] for row in WIDE[1:2])]
    assert only(sheets.read(csv_bytes(rows))) == [FIRST]


def test_a_name_with_a_hyphen_is_parted_in_the_right_place():
    names = ["Анна-Мария", "Боря"]
    heads = ["Игра", *(f"{field} {name}" for field in ("Пуля", "Гора") for name in names)]
    rows = [[*heads, "Анна-Мария-Боря", "Боря-Анна-Мария"], [1, 10, 12, 4, 6, 20, 40]]
    assert only(sheets.read(csv_bytes(rows))) == [(1, names, [10, 12], [4, 6], [[0, 20], [40, 0]])]


@pytest.mark.parametrize("names", [NAMES, ["Аню", "Борю", "Васю"], ["Вася", "Аня", "Боря"], [1, 2, 3]])
def test_bare_names_of_the_players_head_whists_on_them(names):
    order = [NAMES.index(name) if name in NAMES else place for place, name in enumerate(names)]
    rows = [[*FIELDS, *names], *([*row[:3], *(row[3 + place] for place in order)] for row in GAME)]
    assert only(sheets.read(xlsx_bytes({"а": rows})))[0][1:] == FIRST[1:]


def test_bare_names_with_a_crossed_out_diagonal_a_total_and_a_column_of_ones_own():
    game = [[*row, 7] for row in GAME]
    for place in range(3):
        game[place][3 + place] = "×"
    rows = [["Дача"], [*FIELDS, *NAMES, "Раздач"], *game, ["Итого", 36, 18]]
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert only(games) == [("Дача", *FIRST[1:])]
    assert list(games.own.columns) == ["Раздач"]


def test_a_bare_name_on_whom_nobody_wrote_whists_is_one_too():
    game = [[*row[:5], cell] for row, cell in zip(GAME, (0, None, None), strict=True)]
    games = sheets.read(xlsx_bytes({"а": [[*FIELDS, *NAMES], *game]}))
    assert only(games)[0][4] == [[0, 20, 0], [40, 0, 0], [60, 70, 0]]


def test_unexplained_noughts_and_blanks_are_no_error():
    rows = [[*FIELDS, "первый", "второй"], *([*row[:3], 0, None] for row in GAME)]
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert (len(games), [reason for reason, _ in told(games)]) == (1, ["missing-column"])


def test_bare_names_in_the_long_layout_head_whists_on_them():
    rows = [["Игра", *FIELDS, *NAMES, "Галя"], *([row[0], *row[2:]] for row in LONG[1:])]
    games = sheets.read(csv_bytes(rows))
    assert only(games)[0] == FIRST
    assert only(games)[1][4][0] == [0, 20, 30, 5]


def unread(games):
    assert len(games) == 0
    return [(one.reason, one.cell) for one in games.findings if one.reason not in ("no-games", "none-good")]


def test_numbers_nobody_explains_are_an_error_where_whists_would_be_0():
    rows = [[*FIELDS, "первый", "второй", "третий"], *GAME]
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert unread(games) == [("unread-columns", "D1")]
    assert games.findings[0].found == "первый, второй, третий"
    assert games.findings[0].details["rows"] == (2, 3, 4)


def test_numbers_nobody_explains_are_an_error_where_pulya_would_be_0():
    rows = [["Игра", "Игрок", "Очки в зачёт", "Гора", "Висты на 1"], [1, "Аня", 10, 4, None], [1, "Боря", 12, 6, 40]]
    assert unread(sheets.read(csv_bytes(rows))) == [("unread-columns", "C1")]


def test_whists_of_somebody_the_heading_does_not_know_are_an_error():
    heads = ["Игра", "Пуля Аня", "Пуля Боря", "Гора Аня", "Гора Боря", "Висты Аня→Боря", "Висты Бори→Сеня"]
    games = sheets.read(csv_bytes([heads, [1, 10, 12, 4, 6, 20, 40]]))
    assert unread(games) == [("whists-on-whom", "G1")]


@pytest.mark.parametrize("head", ["Место", "Раздач", "Итог", "Стол", "№", "Комментарий"])
def test_a_table_without_whists_beside_a_column_of_another_kind_is_settled_with_a_warning(head):
    rows = [["Игра", *FIELDS, head], *([row[0], *row[2:5], 3] for row in LONG[1:4])]
    if head == "Комментарий":
        rows = [*rows[:1], *([*row[:4], "тихо"] for row in rows[1:])]
    games = sheets.read(csv_bytes(rows))
    assert (len(games), [reason for reason, _ in told(games)]) == (1, ["missing-column"])


@pytest.mark.parametrize("heads", [["пуля 1", "гора 2 → 0", 0, "♠", 0, "гора 1 → 0", "пуля 2"], ["Игрок 1", "Игрок 2"]])
def test_what_is_drawn_below_a_form_is_no_heading(heads):
    rows = [["Дача"], [*FIELDS, "Висты на 1", "Висты на 2", "Висты на 3"], *GAME, [], ["Аня: 5", *heads], ["Боря"]]
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert only(games) == [("Дача", *FIRST[1:])]
    assert noted(games) == [("remark", "A7")]


def test_a_table_of_another_kind_below_a_form_is_told_once():
    form = [["Дача"], [*FIELDS, "Висты на 1", "Висты на 2", "Висты на 3"], *GAME]
    rows = [*form, [], ["Все правила"], ["Игрок", "точно", "долги"], ["Аня", 44, 43], ["Боря", -44, -43]]
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert (only(games), noted(games)) == ([("Дача", *FIRST[1:])], [("remark", "A7")])
    assert games.findings[0].details["rows"] == (7, 8, 9, 10)


def test_a_later_block_with_numbers_in_pulya_or_gora_is_a_game():
    form = [[*FIELDS, "Висты на 1", "Висты на 2", "Висты на 3"], *GAME]
    games = sheets.read(xlsx_bytes({"а": [*form, [], ["Вторая"], *GAME]}))
    assert [game[0] for game in only(games)] == [1, "Вторая"]


ON = ["на Борю", "на Васю", "на Аню", "на Васю", "на Аню", "на Борю"]
BARE_ON = ["Боря", "Вася", "Аня", "Вася", "Аня", "Боря"]
FIRST_NAMED = (1, NAMES, *FIRST[2:])


def spread(*groups):
    """Return texts each followed by as many empty cells as it spans."""
    return [cell for text, width in groups for cell in [text, *[None] * (width - 1)]]


def tall_rows(kind, whom):
    """Return a heading of three rows and one game, and the cells a person would merge."""
    game, date, *numbers = WIDE[1][0], WIDE[1][1], *WIDE[1][5:]
    pulya, gora, whists = numbers[:3], numbers[3:6], numbers[6:]
    if kind == "field, writer, whom":
        heads = [
            ["Игра", "Дата", *spread(("Пуля", 3), ("Гора", 3), ("Висты", 6))],
            [None, None, *NAMES * 2, *spread(*((name, 2) for name in NAMES))],
            [*[None] * 8, *whom],
        ]
        areas = ["A1:A3", "B1:B3", "C1:E1", "F1:H1", "I1:N1", "I2:J2", "K2:L2", "M2:N2"]
        areas += [f"{letter}2:{letter}3" for letter in "CDEFGH"]
        return [*heads, [game, date, *pulya, *gora, *whists]], areas
    mine = [[pulya[i], gora[i], *whists[2 * i : 2 * i + 2]] for i in range(3)]
    row = [game, date, *(cell for part in mine for cell in part)]
    pairs = [["Пуля", "Гора", *whom[2 * i : 2 * i + 2]] for i in range(3)]
    people = spread(*((name, 4) for name in NAMES))
    if kind == "title, player, field":
        heads = [["Игра", "Дата", *spread(("Счёт партии", 12))], [None, None, *people]]
        heads.append([None, None, *(cell for part in pairs for cell in part)])
        return [*heads, row], ["A1:A3", "B1:B3", "C1:N1", "C2:F2", "G2:J2", "K2:N2"]
    heads = [["Игра", "Дата", *people], [None, None, *["Пуля", "Гора", "Висты", None] * 3]]
    heads.append([None, None, *(cell for part in pairs for cell in [None, None, *part[2:]])])
    areas = ["A1:A3", "B1:B3", "C1:F1", "G1:J1", "K1:N1", "E2:F2", "I2:J2", "M2:N2"]
    areas += [f"{letter}2:{letter}3" for letter in "CDGHKL"]
    return [*heads, row], areas


KINDS = ["field, writer, whom", "title, player, field", "player, field, whom"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("merged", [True, False], ids=["merged", "unmerged"])
@pytest.mark.parametrize("above", [0, 2], ids=["first row", "under a title"])
def test_a_heading_of_three_rows(kind, merged, above):
    rows, areas = tall_rows(kind, ON)
    title = [["Клуб «Пуля», сезон 2026"], []][:above]
    areas = [re.sub(r"\d+", lambda found: str(int(found[0]) + above), area) for area in areas]
    games = sheets.read(xlsx_bytes({"а": [*title, *rows]}, merge(*areas) if merged else None))
    assert only(games) == [FIRST_NAMED]
    assert games.cell(0, "whists", 0, 1)[2] == {"field, writer, whom": "I"}.get(kind, "E") + str(4 + above)
    assert only(sheets.read(csv_bytes([*title, *rows]))) == [FIRST_NAMED]


@pytest.mark.parametrize("kind", ["field, writer, whom", "player, field, whom"])
def test_three_rows_with_bare_names_in_the_lowest(kind):
    rows, areas = tall_rows(kind, BARE_ON)
    assert only(sheets.read(xlsx_bytes({"а": rows}, merge(*areas)))) == [FIRST_NAMED]


def test_three_rows_with_seats_in_place_of_names():
    rows = [
        ["Игра", *spread(("Игроки", 2), ("Пуля", 2), ("Гора", 2), ("Висты", 2))],
        [None, *["Игрок 1", "Игрок 2"] * 4],
        [*[None] * 7, "на 2", "на 1"],
        [1, "Аня", "Боря", 10, 12, 4, 6, 20, 40],
    ]
    expected = [(1, NAMES[:2], [10, 12], [4, 6], [[0, 20], [40, 0]])]
    assert only(sheets.read(csv_bytes(rows))) == expected


def test_a_form_under_three_rows():
    rows = [
        ["Игрок", *spread(("Счёт", 2), ("Висты", 3))],
        [None, "Пуля", "Гора", *spread(("кому записаны", 3))],
        [None, None, None, *NAMES],
        *GAME,
    ]
    areas = ["A1:A3", "B1:C1", "D1:F1", "B2:B3", "C2:C3", "D2:F2"]
    assert only(sheets.read(xlsx_bytes({"а": rows}, merge(*areas))))[0][1:] == FIRST[1:]


def test_rows_of_words_above_a_heading_stay_out_of_it():
    rows = [["Дата", "4 января"], ["Место", "у Лёши, пиши на Борю"], *two_rows()]
    assert only(sheets.read(xlsx_bytes({"9 мая": rows})))[0][1:] == FIRST[1:]


@pytest.mark.parametrize("title", ["Итоги зимы", "Клуб «Пуля»"])
@pytest.mark.parametrize("lower", [2, 4])
def test_a_title_in_the_row_of_a_neighbours_heading_takes_no_game_from_it(title, lower):
    left = [*WIDE, *([row[0] + 2, *row[1:]] for row in WIDE[1:])]
    right = [[title], *[[]] * (lower - 1), LONG[0], *([row[0] + 10, *row[1:]] for row in LONG[1:])]
    rows = [
        [*(left[row] if row < len(left) else [None] * len(WIDE[0])), None, *(right[row] if row < len(right) else [])]
        for row in range(max(len(left), len(right)))
    ]
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert sorted(games.game) == [1, 2, 3, 4, 11, 12]
    assert (told(games), noted(games), list(games.own.columns)) == ([], [], [])
    turned_round = [
        [*row[len(WIDE[0]) + 1 :], *[None] * (11 - len(row[len(WIDE[0]) + 1 :])), *row[: len(WIDE[0])]] for row in rows
    ]
    assert sorted(sheets.read(xlsx_bytes({"а": turned_round})).game) == [1, 2, 3, 4, 11, 12]


def test_letters_that_may_be_pulyas_below_two_words_are_no_table_without_any_other_column_of_a_game():
    # a sheet of comparisons beside the season: «P» and «p» are its values
    beside = [["Anna", "An"], ["P", "p"], [3, 5], [7, 1]]
    games = sheets.read(xlsx_bytes({"Сравнение": beside, "Игры": LONG}))
    assert {table.sheet for table in games.tables} == {"Игры"}
    assert [finding.reason for finding in games.findings] == ["not-a-score-sheet"]
