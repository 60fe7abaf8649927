"""Remarks among the rows of players, players without numbers, and headings of months."""

import pytest

import prefxl.sheets as sheets
from prefxl.sheets.asides import is_month, is_remark
from tests.sheets.samples import LONG, LONG_HEAD, WIDE, csv_bytes, noted, scores, told, xlsx_bytes

REMARKS = [
    "Прим.: Вера ушла раньше",
    "доиграли в два часа ночи",
    "Доиграли в два часа ночи.",
    "Вера не пришла",
    "Вера опоздала",
    "Записывал Гена",
    "без Веры",
    "Note: finished at two",
    "Вера ушла!",
]
NAMES = [
    "Вера",
    "дядя Ваня",
    "Петров Иван Сергеевич",
    "Иванов А.",
    "И. И. Иванов",
    "аня петрова",
    "Иванов мл.",
    "Людвиг ван Бетховен",
    "Боря (гость)",
    "Игра 2",
]


@pytest.mark.parametrize("text", REMARKS)
def test_a_remark_is_known_by_its_words(text):
    assert is_remark(text)


@pytest.mark.parametrize("text", NAMES)
def test_a_name_is_no_remark(text):
    assert not is_remark(text)


@pytest.mark.parametrize("text", ["Январь 2026", "январь", "Февраль 2026 г.", "Jan. 2026", "May"])
def test_a_month_is_known(text):
    assert is_month(text)


@pytest.mark.parametrize("text", ["Май-1", "2026", "Марта Петрова", "Январь 5", ""])
def test_a_month_in_a_longer_text_is_none(text):
    assert not is_month(text)


BLOCK = [["Игрок", "Пуля", "Гора", "Висты на 1", "Висты на 2"], ["Аня", 10, 5, None, 20], ["Боря", 10, 7, 30, None]]


@pytest.mark.parametrize("text", REMARKS)
def test_a_remark_under_a_form_is_no_player(text):
    games = sheets.read(xlsx_bytes({"Дача": [*BLOCK, [text]]}))
    assert (games.names(0), noted(games), told(games)) == (["Аня", "Боря"], [("remark", "A4")], [])


def test_a_remark_between_the_rows_of_a_game_does_not_part_it():
    rows = [BLOCK[0], BLOCK[1], ["Боря опоздал на час"], BLOCK[2]]
    games = sheets.read(xlsx_bytes({"Дача": rows}))
    assert (games.names(0), noted(games)) == (["Аня", "Боря"], [("remark", "A3")])


def test_a_remark_between_two_games_parts_them():
    games = sheets.read(xlsx_bytes({"Дача": [*BLOCK, ["Вера ушла раньше"], *BLOCK[1:]]}))
    assert ([games.names(0), games.names(1)], noted(games)) == ([["Аня", "Боря"]] * 2, [("remark", "A4")])


@pytest.mark.parametrize("heads", [("Игра", "Дата"), ("Дата",), ("Игра",)])
def test_a_remark_in_a_long_table_is_no_player(heads):
    places = [LONG_HEAD.index(head) for head in heads]
    rows = [[row[place] for place in places] + list(row[2:]) for row in LONG]
    rows.insert(4, [None] * len(heads) + ["доиграли в два часа ночи"] + [None] * 6)
    games = sheets.read(csv_bytes(rows))
    assert [games.names(position) for position in range(2)] == [
        ["Аня", "Боря", "Вася"],
        ["Аня", "Боря", "Вася", "Галя"],
    ]
    assert ("remark", f"{'ABC'[len(heads)]}5") in noted(games)
    assert told(games) == []


def test_a_remark_in_a_wide_table_is_no_player():
    games = sheets.read(csv_bytes([*WIDE[:2], [None, None, "Вера ушла раньше", *[None] * 14], WIDE[2]]))
    assert (len(games), noted(games), told(games)) == (2, [("remark", "C3")], [])


@pytest.mark.parametrize("text", ["Вера опоздала на час", "Дошёл Гена"])
def test_a_line_of_one_text_is_a_remark(text):
    text = f"Дача 1\nИгрок;Пуля;Гора;Висты на Аню;Висты на Борю\nАня;10;5;;20\nБоря;10;7;30;\n{text}\n"
    games = sheets.read(text.encode())
    assert (games.names(0), told(games)) == (["Аня", "Боря"], [])
    assert ("remark", "A5") in noted(games)


def test_a_player_cut_off_after_the_name_is_no_remark():
    games = sheets.read("Игрок;Пуля;Гора;Висты на Аню;Висты на Борю\nАня;10;5;;20\nБоря\n".encode())
    assert told(games) == [("broken-line", "A3"), ("none-good", "")]


def test_a_player_without_one_number_is_looked_at():
    games = sheets.read(csv_bytes([*LONG[:3], [1, "04.01.2026", "Вася", *[None] * 6]]))
    assert (told(games), scores(games)[0][1:3]) == ([("no-numbers", "C4")], (["Аня", "Боря", "Вася"], [10, 12, 0]))
    assert games.findings[-1].message("ru") == "Вася участвует, но ни одного числа нет: всё считается нулём"


def test_where_most_cells_are_left_empty_nobody_is_looked_at():
    rows = [LONG_HEAD, [1, None, "Аня", None, -6], [1, None, "Боря"], [1, None, "Вася"], [1, None, "Галя"]]
    assert told(sheets.read(xlsx_bytes({"а": rows}))) == []


def test_a_player_of_other_games_is_no_remark_whatever_the_name():
    rows = [[*row[:2], "Вера не пришла" if row[2] == "Вася" else row[2], *row[3:]] for row in LONG]
    rows[6] = [*rows[6][:3], *[None] * 6]
    assert told(sheets.read(csv_bytes(rows))) == [("no-numbers", "C7")]


def test_a_seat_of_a_wide_sheet_without_one_number_is_looked_at():
    none = {
        place: None for place, head in enumerate(WIDE[0]) if head in ("Пуля 2", "Гора 2") or head.startswith("Висты 2")
    }
    rows = [WIDE[0], [none.get(place, cell) for place, cell in enumerate(WIDE[1])], WIDE[2]]
    assert told(sheets.read(csv_bytes(rows))) == [("no-numbers", "D2")]


def test_months_between_games_are_remarks_not_games_to_come():
    month = ["Январь 2026", *[None] * 16]
    games = sheets.read(csv_bytes([WIDE[0], month, WIDE[1], ["Февраль", *month[1:]], WIDE[2], [3, *month[1:]]]))
    assert (len(games), told(games)) == (2, [])
    assert noted(games) == [("empty-game", "A6"), ("remark", "A2"), ("remark", "A4")]
