"""Every finding of reading: its reason, its cell, its sentence in both languages, and that the rest is settled."""

import pytest

import prefxl.sheets as sheets
from prefxl.checks import findings_frame
from prefxl.findings import FINDING_COLUMNS, REASONS
from tests.sheets.samples import FIRST, LONG, WIDE, WIDE_HEAD, changed, csv_bytes, noted, scores, told, xlsx_bytes


def long(cells):
    return sheets.read(csv_bytes(changed(LONG, cells)))


def wide(cells):
    return sheets.read(csv_bytes(changed(WIDE, cells)))


FAULTS = {
    "not-a-number": ({(3, 4): "десять"}, "D3"),
    "error-value": ({(3, 6): "#ДЕЛ/0!"}, "F3"),
    "date-in-score": ({(4, 7): "03.апр"}, "G4"),
    "boolean": ({(2, 5): "ИСТИНА"}, "E2"),
    "odd-fraction": ({(2, 5): "4,3"}, "E2"),
    "too-large": ({(2, 5): "40000000000"}, "E2"),
    "negative-pulya": ({(4, 4): "-1"}, "D4"),
    "whists-on-self": ({(3, 7): 5}, "G3"),
    "whists-on-nobody": ({(3, 9): 5}, "I3"),
    "player-twice": ({(4, 3): "Аня"}, "C4"),
    "no-player": ({(4, 3): None}, "C4"),
}


@pytest.mark.parametrize("reason", FAULTS)
def test_a_fault_is_one_finding_on_its_cell_and_the_other_game_is_settled(reason):
    cells, cell = FAULTS[reason]
    games = long(cells)
    assert told(games) == [(reason, cell)]
    assert list(games.game) == [2]


WIDE_FAULTS = {
    "not-a-number": ({(2, 7): "десять"}, "G2"),
    "odd-fraction": ({(2, 12): "0,3"}, "L2"),
    "negative-pulya": ({(2, 8): -3}, "H2"),
    "player-twice": ({(2, 5): "Аня"}, "E2"),
    "numbers-without-player": ({(2, 4): None}, "D2"),
    "error-value": ({(2, 17): "#N/A"}, "Q2"),
}


@pytest.mark.parametrize("reason", WIDE_FAULTS)
def test_a_fault_in_a_wide_sheet_is_one_finding_on_its_cell(reason):
    cells, cell = WIDE_FAULTS[reason]
    games = wide(cells)
    assert told(games) == [(reason, cell)]
    assert list(games.game) == [2]


def test_whists_on_an_empty_seat_of_a_wide_sheet():
    games = wide({(2, 5): None, **{(2, column): None for column in (8, 11, 13, 16, 17)}})
    assert told(games) == [("whists-on-nobody", "O2")]


def test_whists_on_oneself_in_a_wide_sheet():
    rows = [[*WIDE_HEAD, "Висты 2-2"], [*WIDE[1], 5], [*WIDE[2], "x"]]
    assert told(sheets.read(csv_bytes(rows))) == [("whists-on-self", "R2")]


def test_a_row_of_numbers_without_anybody():
    games = wide({(2, 3): None, (2, 4): None, (2, 5): None})
    assert told(games) == [("numbers-without-player", "C2")]


BY_NAME = [
    ["Игрок", "Пуля", "Гора", "Висты на Аню", "Висты на Борю", "Висты на Веру"],
    ["Аня", 10, 1, None, 20, 30],
    ["Боря", 10, 2, 40, None, 50],
    ["Вера", 10, 3, 60, 70, None],
]


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ({(3, 1): "Аня"}, ("player-twice", "A3")),
        ({(4, 1): None}, ("no-player", "A4")),
        ({(3, 1): "аня", (3, 2): -3}, ("negative-pulya", "B3")),
    ],
)
def test_only_the_cause_is_told(cells, found):
    told_of = told(sheets.read(xlsx_bytes({"а": changed(BY_NAME, cells)})))
    assert found in told_of
    if found[0] != "negative-pulya":
        assert told_of == [found, ("none-good", "")]


def test_a_file_whose_every_game_has_an_error_was_not_without_games():
    games = sheets.read(csv_bytes(changed(LONG, {(2, 4): "а", (5, 4): "б"})))
    assert told(games) == [("not-a-number", "D2"), ("not-a-number", "D5"), ("none-good", "")]
    assert games.findings[-1].message("ru") == "ни одна игра не рассчитана: в каждой есть ошибка"


def test_the_whists_of_somebody_else_are_said_to_be_theirs():
    rows = changed(BY_NAME, {(1, 4): "Висты от Ани", (1, 5): "Висты от Бори", (1, 6): "Висты от Веры"})
    games = sheets.read(xlsx_bytes({"а": rows}))
    assert scores(games)[0][4] == [[0, 40, 60], [20, 0, 70], [30, 50, 0]]
    said = games.findings[0]
    assert said.message("ru") == "«Висты от Ани» прочитано как висты, которые пишет Аня"
    assert said.message("en") == "“Висты от Ани” read as whists Аня wrote"


def test_one_player_is_no_game():
    games = sheets.read(csv_bytes([*LONG[:2], *LONG[4:]]))
    assert told(games) == [("one-player", "C2")]


def test_six_players_are_no_game():
    more = [[2, "05.01.2026", name, 1, 1] for name in ("Дед", "Ева")]
    games = sheets.read(xlsx_bytes({"а": [*LONG, *more]}))
    assert (told(games), list(games.game)) == ([("too-many-players", "C10")], [1])


def test_a_game_entered_twice_in_one_go_repeats_its_players():
    games = sheets.read(csv_bytes([*LONG[:4], *LONG[1:4], *LONG[4:]]))
    assert (told(games), list(games.game)) == ([("player-twice", "C5")], [2])


def test_a_game_id_twice_is_settled_and_looked_at():
    games = wide({(3, 1): 1, (3, 2): "04.01.2026"})
    assert (told(games), len(games)) == ([("game-twice", "A3")], 2)
    assert games.findings[0].details["first"] == "A2"


def test_a_game_id_twice_in_the_long_layout():
    again = [[1, *row[1:]] for row in LONG[1:4]]
    games = sheets.read(csv_bytes([*LONG, *again]))
    assert (told(games), len(games)) == ([("game-twice", "A9")], 3)


@pytest.mark.parametrize("name", ["Бopя", "боря", "БОРЯ", "Боря\u200b П", "Бoря"])
def test_names_that_look_alike_are_told_with_both_places(name):
    rows = changed(LONG, {(6, 3): name, (3, 3): name.replace("p", "р").replace("o", "о").title().replace("\u200b", "")})
    games = sheets.read(csv_bytes(rows))
    if name == "Боря\u200b П":
        assert told(games) == []
        return
    assert told(games) == [("look-alike-name", "C6")]
    finding = games.findings[0]
    assert (finding.details["other"], finding.details["first"]) == ("Боря", "C3")
    assert len({*games.names(0), *games.names(1)}) == 5


def test_the_rarer_spelling_is_the_one_shown():
    games = sheets.read(csv_bytes(changed([*LONG, *([3, *row[1:]] for row in LONG[1:4])], {(2, 3): "Aня"})))
    assert told(games) == [("look-alike-name", "C2")]


def test_names_apart_by_ё_are_told():
    rows = changed(LONG, {(2, 3): "Лёша", (5, 3): "Леша"})
    assert told(sheets.read(csv_bytes(rows))) == [("look-alike-name", "C5")]


def test_names_of_ones_own_join_nicknames():
    rows = changed(LONG, {(2, 3): "Анька", (5, 3): "аня п."})
    games = sheets.read(csv_bytes(rows), names={"Анька": "Аня", "Аня П.": "Аня"})
    assert [games.names(0)[0], games.names(1)[0], told(games)] == ["Аня", "Аня", []]


def test_empty_cells_of_players_are_noted_once_a_table():
    games = long({(2, 5): None, (3, 6): None, (6, 4): None})
    assert (noted(games), games.findings[0].details["count"]) == ([("empty-as-zero", "D6")], 3)
    assert scores(games)[0][3] == [0, 6, 8]


def test_names_without_any_number_are_looked_at():
    games = sheets.read(xlsx_bytes({"а": [*LONG, [3, "06.01.2026", "Аня"], [3, "06.01.2026", "Боря"]]}))
    assert told(games) == [("no-scores", "C9")]


@pytest.mark.parametrize(
    ("heading", "value"),
    [
        ("Конвенция", "московская"),
        ("Округление", "вверх"),
        ("Ставка", "много"),
        ("Цель", "до упора"),
    ],
)
def test_a_setting_that_does_not_exist_skips_its_game(heading, value):
    rows = [[*LONG[0], heading], *([*row, value if row[0] == 1 else None] for row in LONG[1:])]
    games = sheets.read(csv_bytes(rows))
    assert (told(games), list(games.game)) == ([("unknown-setting", "J2")], [2])


def test_a_corrected_player_who_does_not_play_skips_the_game():
    rows = [[*WIDE_HEAD, "Исправлен"], [*WIDE[1], "Галя"], [*WIDE[2], 2]]
    games = sheets.read(csv_bytes(rows))
    assert (told(games), list(games.game)) == ([("unknown-corrected", "R2")], [2])
    assert list(games.settings["corrected"]) == ["2"]


def test_whists_headed_by_a_name_that_fits_two_players():
    rows = [
        ["Игра", "Игрок", "Пуля", "Гора", "Висты на С", "Висты на Вову"],
        [1, "Саша", 1, 2, None, 3],
        [1, "Света", 1, 2, 4, 4],
        [1, "Вова", 1, 2, 4, None],
    ]
    assert told(sheets.read(csv_bytes(rows)))[:2] == [("unclear-name", "E3"), ("unclear-name", "E4")]


def test_a_heading_twice_is_read_once_where_both_columns_say_the_same():
    gora = LONG[0].index("Гора")
    rows = [[*LONG[0], "Гора"], *([*row, row[gora]] for row in LONG[1:])]
    games = sheets.read(csv_bytes(rows))
    assert (told(games), scores(games)[0]) == ([("column-twice", "J1")], FIRST)


def test_nothing_is_settled_where_two_columns_of_one_heading_say_different_things():
    rows = [[*LONG[0], "Гора"], *([*row, 99] for row in LONG[1:])]
    games = sheets.read(csv_bytes(rows))
    assert ("contradicting-columns", "J2") in told(games)
    assert len(games) == 0


def test_a_missing_column_is_looked_at():
    assert told(sheets.read(csv_bytes([[*row[:4], *row[5:]] for row in LONG]))) == [("missing-column", "A1")]


def test_whists_on_nobody_in_particular_cannot_be_settled():
    games = sheets.read(csv_bytes([[*LONG[0][:5], "Висты"], *([*row[:5], 7] for row in LONG[1:])]))
    assert told(games) == [("whists-on-whom", "F1"), ("none-good", "")]


def test_whists_written_the_wrong_way_round_are_looked_at():
    straight = sheets.read(csv_bytes(LONG))
    results = straight.settle("sochi").by_player("result")
    rows = [[*LONG[0], "Итог"], *([*row, round(result)] for row, result in zip(LONG[1:], results, strict=True))]
    assert told(sheets.read(xlsx_bytes({"а": rows}))) == []
    turned = [list(row) for row in rows]
    for first, count in ((1, 3), (4, 4)):
        for i in range(count):
            for j in range(count):
                turned[first + i][5 + j] = rows[first + j][5 + i]
    assert told(sheets.read(xlsx_bytes({"а": turned}))) == [("transposed-whists", "F1")]


def test_nothing_found_is_a_finding():
    games = sheets.read("просто текст\nв две строки\n".encode())
    assert (len(games), told(games)) == (0, [("no-games", "")])


def test_every_reason_speaks_both_languages():
    for reason in REASONS.values():
        for sentences in (reason.message, reason.expected):
            assert all(sentences) or not any(sentences)


def test_every_finding_of_reading_fills_its_sentences():
    games = long({(2, 5): None, (3, 4): "десять", (6, 3): "боря", (5, 9): "x"})
    for finding in games.findings:
        for lang in ("en", "ru"):
            assert "{" not in finding.message(lang) + finding.expected(lang)


def test_findings_make_a_table():
    frame = findings_frame(long({(3, 4): "десять"}).findings, "ru")
    assert tuple(frame.columns) == FINDING_COLUMNS
    assert frame.iloc[0].tolist()[:6] == ["not-a-number", "error", "", "", "D3", "десять"]


def test_no_findings_make_an_empty_table():
    assert tuple(findings_frame(()).columns) == FINDING_COLUMNS
