"""Remarks among the rows of players, players without numbers, and headings of months."""

import pytest

import prefxl.sheets as sheets
from prefxl.sheets.asides import is_month, is_remark
from tests.sheets.samples import LONG, LONG_HEAD, WIDE, changed, csv_bytes, noted, scores, told, xlsx_bytes

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
    "Дежурил Гена",
    "Играли Дома",
    "У Лёши",
    "На Даче",
    "Перерыв",
    "Доигрывали",
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
    "Павел Ильин",
    "Кирилл Мазур",
    "Людмила",
    "Натали Портная",
    "Сокол Иван",
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


def block(*texts):
    return xlsx_bytes({"Дача": [*BLOCK, *([text] for text in texts)]})


def test_two_words_without_a_number_are_looked_at_and_settle_nothing():
    games = sheets.read(block("Клуб Шахматист"))
    assert (games.names(0), told(games)) == (["Аня", "Боря"], [("taken-for-remark", "A4")])
    assert "участвует" in games.findings[-1].message("ru")


def test_two_words_are_a_player_where_names_are_of_two_words():
    rows = [BLOCK[0], ["Аня Петрова", *BLOCK[1][1:]], ["Боря Ким", *BLOCK[2][1:]], ["Вася Ли"]]
    games = sheets.read(xlsx_bytes({"Дача": rows}))
    assert (len(games.names(0)), told(games)) == (3, [("no-numbers", "A4")])


@pytest.mark.parametrize("cell", ["—", 0, "-"])
def test_two_words_with_a_dash_or_a_nought_are_a_player(cell):
    games = sheets.read(xlsx_bytes({"Дача": [*BLOCK, ["Вася Ли", cell]]}))
    assert len(games.names(0)) == 3
    assert [reason for reason, _ in told(games)] in ([], ["no-numbers"])


def test_two_words_where_a_column_waits_for_their_whists_are_a_player():
    rows = [[*BLOCK[0], "Висты на 3"], *BLOCK[1:], ["Вася Ли"]]
    games = sheets.read(xlsx_bytes({"Дача": rows}))
    assert (games.names(0)[2], told(games)) == ("Вася Ли", [("no-numbers", "A4")])


def test_two_words_with_the_id_of_a_game_are_a_player():
    games = sheets.read(csv_bytes([*LONG[:4], [1, "04.01.2026", "Дядя Фёдор", *[None] * 6], *LONG[4:]]))
    assert (games.names(0)[3], told(games)) == ("Дядя Фёдор", [("no-numbers", "C5")])


OTHER = [BLOCK[0], ["Клуб Шахматист", *BLOCK[1][1:]], BLOCK[2]]


def test_a_player_of_another_sheet_is_no_remark():
    games = sheets.read(xlsx_bytes({"Дача": [*BLOCK, ["Клуб Шахматист"]], "Лес": OTHER}))
    assert (games.names(0)[2], told(games)) == ("Клуб Шахматист", [("no-numbers", "A4")])


def test_a_player_of_another_file_is_no_remark():
    games = sheets.read([block("Клуб Шахматист"), xlsx_bytes({"Лес": OTHER})])
    assert (games.names(0)[2], told(games)) == ("Клуб Шахматист", [("no-numbers", "A4")])
    games = sheets.read([block("Вера не пришла"), xlsx_bytes({"Лес": BLOCK}), block("Играли Дома")])
    assert [len(games.names(position)) for position in range(3)] == [2, 2, 2]


def test_a_remark_where_a_games_id_is_looked_for_is_no_game_to_come():
    games = sheets.read(csv_bytes([*WIDE[:2], ["Играли Дома", *[None] * 16], WIDE[2], ["Пулька 3", *[None] * 16]]))
    assert (len(games), noted(games)) == (2, [("empty-game", "A5"), ("remark", "A3")])


def test_a_remark_alone_in_a_column_of_scores_is_a_remark():
    games = sheets.read(csv_bytes([*WIDE[:2], [*[None] * 6, "перерыв на чай", *[None] * 10], WIDE[2]]))
    assert (len(games), noted(games), told(games)) == (2, [("remark", "G3")], [])
    games = sheets.read(csv_bytes([*WIDE[:2], [*[None] * 6, "12а", *[None] * 10], WIDE[2]]))
    assert told(games) == [("numbers-without-player", "C3")]


def test_a_row_of_totals_is_told_on_the_word_that_says_so():
    rows = [[row[3], *row[:3], *row[4:]] for row in LONG]
    games = sheets.read(xlsx_bytes({"а": [*rows, [86, None, None, "Итого", 36]]}))
    assert (len(games), noted(games)) == (2, [("totals-row", "D9")])


@pytest.mark.parametrize("spoiled", [{(2, 1): None}, {(3, 1): "Аня"}])
def test_a_crossed_out_diagonal_is_none_of_the_faults_of_a_game_without_a_name(spoiled):
    heads = ["Игрок", "Пуля", "Гора", "Висты на Аню", "Висты на Борю"]
    rows = [heads, ["Аня", 10, 5, "x", 20], ["Боря", 10, 7, 30, "х"]]
    games = sheets.read(xlsx_bytes({"Дача": changed(rows, spoiled), "Лес": rows}))
    assert len(told(games)) == 1


def test_whists_crossed_out_for_somebody_who_does_not_play_are_none():
    heads = [*LONG_HEAD[:5], *(f"Висты на {name}" for name in ("Аню", "Борю", "Васю", "Галю"))]
    crossed = [[*row[:8], "x"] for row in LONG[1:4]]
    assert told(sheets.read(csv_bytes([heads, *crossed, *LONG[4:]]))) == []
    wrong = [*crossed[:1], [*crossed[1][:8], 7], crossed[2]]
    assert told(sheets.read(csv_bytes([heads, *wrong, *LONG[4:]]))) == [("whists-on-nobody", "I3")]


@pytest.mark.parametrize("text", ["Февраль", "март 2026 г.", "Марта 2026"])
def test_a_month_where_players_are_looked_for_is_a_remark(text):
    month = [None, None, text, *[None] * 6]
    games = sheets.read(csv_bytes([*LONG[:4], month, *LONG[4:]]))
    assert ([len(games.names(position)) for position in (0, 1)], noted(games)) == ([3, 4], [("remark", "C5")])


def test_a_player_called_like_a_month_stays_one():
    games = sheets.read(csv_bytes([*LONG[:4], [1, "04.01.2026", "Марта", *[None] * 6], *LONG[4:]]))
    assert (games.names(0)[3], told(games)) == ("Марта", [("no-numbers", "C5")])


@pytest.mark.parametrize("text", ["Зима", "Стол Второй", "I круг", "Март"])
def test_one_text_in_a_row_of_a_wide_table_is_a_remark(text):
    games = sheets.read(csv_bytes([*WIDE[:2], [None, None, None, text, *[None] * 13], WIDE[2]]))
    assert (len(games), noted(games), told(games)) == (2, [("remark", "D3")], [])
    games = sheets.read(f"{csv_bytes(WIDE[:2]).decode()};;{text}\n".encode())
    assert (len(games), noted(games), told(games)) == (1, [("remark", "C3")], [])


def test_one_name_of_a_player_in_a_row_of_a_wide_table_is_a_game_of_one():
    games = sheets.read(csv_bytes([*WIDE[:2], [None, None, "Аня", *[None] * 14], WIDE[2]]))
    assert told(games) == [("one-player", "C3")]


def test_a_row_just_above_a_repeated_heading_is_told_of_where_games_have_ids():
    games = sheets.read(csv_bytes([*LONG[:4], ["Февраль 2026"], LONG_HEAD, *LONG[4:]]))
    assert (len(games), noted(games)) == (2, [("remark", "A5")])
    games = sheets.read(csv_bytes([*LONG[:4], [3, None, "Аня"], LONG_HEAD, *LONG[4:]]))
    assert told(games) == [("broken-line", "A5")]
