"""Headings: Russian, English, transliterated, short, declined."""

import pytest

from prefxl.games import UNIT, read
from prefxl.sheets.headers import Heading, heading, is_total, own_columns


def pair(one, other):
    return Heading("whists", one, other)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Игра", Heading("game")),
        ("№", Heading("game")),
        ("№ игры:", Heading("game")),
        ("Game ID", Heading("game")),
        ("Дата", Heading("date")),
        ("Игрок", Heading("player")),
        ("ФИО", Heading("player")),
        ("igrok", Heading("player")),
        ("Пуля", Heading("pulya")),
        ("В пулю", Heading("pulya")),
        ("П", Heading("pulya")),
        ("Пуля (очки)", Heading("pulya")),
        ("pulia", Heading("pulya")),
        ("Г", Heading("gora")),
        ("gora", Heading("gora")),
        ("Конвенция", Heading("convention")),
        ("rounding", Heading("rounding")),
        ("Ставка", Heading("stake")),
        ("Пуля до", Heading("target")),
        ("Исправлен", Heading("corrected")),
        ("Игрок 1", Heading("player", 1)),
        ("player_4", Heading("player", 4)),
        ("Игрок №2", Heading("player", 2)),
        ("Пуля1", Heading("pulya", 1)),
        ("Пуля игрока 3", Heading("pulya", 3)),
        ("П2", Heading("pulya", 2)),
        ("Г 4", Heading("gora", 4)),
        ("Висты 1-2", pair(1, 2)),
        ("Висты 1→2", pair(1, 2)),
        ("Висты 1 на 2", pair(1, 2)),
        ("Висты 3 - 4", pair(3, 4)),
        ("Вист 1/2", pair(1, 2)),
        ("whists_4_3", pair(4, 3)),
        ("W12", pair(1, 2)),
        ("В21", pair(2, 1)),
        ("W 1 on 2", pair(1, 2)),
        ("Висты на 2", Heading("whists", other=2)),
        ("whists_2", Heading("whists", other=2)),
        ("W on 2", Heading("whists", other=2)),
        ("В→2", Heading("whists", other=2)),
        ("Висты 12", pair(1, 2)),
        ("Висты (12)", pair(1, 2)),
        ("Висты на Игрок11", Heading("whists", other="Игрок11")),
        ("Висты на игрока 12", Heading("whists", other="игрока 12")),
        ("Whists on Player 12", Heading("whists", other="Player 12")),
        ("Висты на Аню", Heading("whists", other="Аню")),
        ("висты на аню", Heading("whists", other="аню")),
        ("В→Аня", Heading("whists", other="Аня")),
        ("Whists on Anna", Heading("whists", other="Anna")),
        ("Висты на Лёшу", Heading("whists", other="Лёшу")),
        ("Висты от Ани", Heading("whists", other="Ани", turned=True)),
        ("Whists on Peter", Heading("whists", other="Peter")),
        ("W→Nora", Heading("whists", other="Nora")),
        ("on Olly", Heading("whists", other="Olly")),
        ("Visty na Pavel", Heading("whists", other="Pavel")),
        ("Whists on player 2", Heading("whists", other=2)),
        ("Whists on p2", Heading("whists", other=2)),
        ("Висты на игрока Аню", Heading("whists", other="Аню")),
        ("Висты Отто", Heading("whists", other="Отто", loose=True)),
        ("whists by Ann", Heading("whists", other="Ann", turned=True)),
        ("Пуля Аня", Heading("pulya", "Аня", loose=True)),
        ("Висты Аня→Боря", Heading("whists", "Аня", "Боря", loose=True)),
        ("\ufeffИгра", Heading("game")),
    ],
)
def test_a_heading_is_understood(text, said):
    assert heading(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "Комментарий",
        "Стол",
        "Итог",
        "Аня",
        "Дача 1",
        "G000",
        "17",
        "12",
        "2026-01-04",
        "Клуб «Пуля», Январь 2026",
        "",
        "Висты сальдо",
        5.0,
        None,
    ],
)
def test_other_texts_are_no_headings(text):
    assert heading(text) is None


@pytest.mark.parametrize("text", ["Итого", "ИТОГО:", "Всего за май", "Total", "Сумма", "среднее"])
def test_totals_are_known_by_their_first_word(text):
    assert is_total(text)


@pytest.mark.parametrize("text", ["Всеволод", "Итогов", "Максим", "Макс", "Сумароков", 7.0])
def test_names_that_begin_alike_are_no_totals(text):
    assert not is_total(text)


def test_our_own_results_are_known_by_the_check_that_ends_them():
    assert own_columns({3: "Итог", 4: "Деньги", 5: "Проверка"}) == {3, 4, 5}
    assert own_columns({3: "Итог 1", 4: "Итог 2", 5: "Check"}) == {3, 4, 5}


def test_a_result_column_of_the_user_is_not_ours():
    assert own_columns({3: "Итог", 4: "Комментарий"}) == frozenset()
    assert own_columns({3: "Пуля", 4: "Проверка"}) == frozenset()


@pytest.mark.parametrize("theirs", ["Итог", "Деньги", "Money", "Итог 2", "Итог Аня"])
def test_a_column_of_the_user_beside_our_results_is_not_ours_whatever_its_heading(theirs):
    ours = {5: "Итог 1", 6: "Итог 2", 7: "Деньги 1", 8: "Деньги 2", 9: "Проверка"}
    assert own_columns({4: theirs, **ours}, marked={5, 6, 7, 8, 9}) == {5, 6, 7, 8, 9}
    # by headings alone, where a format has no marks, nothing tells the results of one more player
    found = own_columns({4: theirs, **ours})
    assert found == {5, 6, 7, 8, 9} | ({4} if theirs == "Итог Аня" else set())


def test_marks_that_did_not_move_with_our_results_say_nothing_of_them():
    ours = {5: "Итог", 6: "Деньги", 7: "Проверка"}
    assert own_columns(ours, marked={4, 5, 6}) == {5, 6, 7}
    assert own_columns(ours, marked={6, 7, 8}) == {5, 6, 7}


@pytest.mark.parametrize(
    "text", ["играли на даче, шёл дождь", "у Лёши; пишем на Борю", "кто-то сказал, что завтра на реку"]
)
def test_a_sentence_is_no_heading(text):
    assert heading(text) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Гора (в вистах)", Heading("gora")),
        ("Пуля, в очках", Heading("pulya")),
        ("Записано на Аню", Heading("whists", other="Аню")),
        ("Написано на 2", Heading("whists", other=2)),
        ("Иванов И. И. → Петров П.П.", Heading("whists", "Иванов И. И.", "Петров П.П.", loose=True)),
        ("Пуля Иванов А.", Heading("pulya", "Иванов А.", loose=True)),
    ],
)
def test_units_and_words_of_writing_say_nothing_more_and_initials_keep_their_stops(text, said):
    assert heading(text) == said


@pytest.mark.parametrize(
    "names", [("Игрок04", "Игрок11", "Игрок12"), ("Игрок 21", "Аня", "Игрок 34"), ("Б", "В11", "Г")]
)
def test_whists_on_players_whose_names_end_in_two_digits_are_read(tmp_path, names):
    heading_row = ["Игрок", "Пуля", "Гора", *(f"Висты на {name}" for name in names)]
    whists = [["", "35", "40"], ["105", "", "46"], ["88", "112", ""]]
    rows = [[name, "20", "26", *written] for name, written in zip(names, whists, strict=True)]
    (tmp_path / "a.csv").write_text("\n".join(";".join(row) for row in [heading_row, *rows]), "utf-8")
    games = read(tmp_path / "a.csv")
    assert [finding for finding in games.findings if finding.severity != "note"] == []
    assert (games.whists[:, :, 0] / UNIT).tolist() == [[0, 35, 40], [105, 0, 46], [88, 112, 0]]


HEADED = "Игра;Игрок;Пуля;Гора;Висты на {0} 1;Висты на {0} 2;Висты на {0} 3"


@pytest.mark.parametrize(("word", "name"), [("Игрок", "Игрок "), ("игрока", "Игрок "), ("P", "P"), ("Игрок", "игрок")])
def test_whists_on_player_1_are_by_name_where_somebody_is_called_so(tmp_path, word, name):
    rows = [f"1;{name}2;20;20;0;;40", f"1;{name}1;20;20;;0;40", f"1;{name}3;20;20;50;0;"]
    (tmp_path / "a.csv").write_text("\n".join([HEADED.format(word), *rows]), "utf-8")
    games = read(tmp_path / "a.csv")
    assert (games.whists[:, :, 0] / UNIT).tolist() == [[0, 0, 40], [0, 0, 40], [0, 50, 0]]


def test_one_guest_called_like_a_seat_makes_no_names_of_the_others(tmp_path):
    rows = [f"{game};{name}" for game, first in ((1, "Аня"), (2, "Игрок 3")) for name in (
        f"{first};20;20;;30;40", "Боря;20;20;10;;20", "Вера;20;20;50;60;")]  # fmt: skip
    (tmp_path / "a.csv").write_text("\n".join([HEADED.format("Игрок"), *rows]), "utf-8")
    games = read(tmp_path / "a.csv")
    assert games.whists[:, :, 1].tolist() == games.whists[:, :, 0].tolist()
    assert (games.whists[:, :, 1] / UNIT).tolist() == [[0, 30, 40], [10, 0, 20], [50, 60, 0]]


def test_one_name_that_is_missing_makes_no_seats_of_the_others(tmp_path):
    rows = ["1;Игрок 2;20;20;10;;40", "1;Игрок 1;20;20;;20;40", "1;;20;20;50;60;"]
    rows += ["2;Игрок 2;20;20;10;;", "2;Игрок 1;20;20;;20;"]
    (tmp_path / "a.csv").write_text("\n".join([HEADED.format("Игрок"), *rows]), "utf-8")
    games = read(tmp_path / "a.csv")
    assert (games.game.tolist(), (games.whists[:2, :2, 0] / UNIT).tolist()) == ([2], [[0, 10], [20, 0]])


def test_a_seat_nobody_takes_does_not_keep_the_others_from_being_names(tmp_path):
    rows = ["1;Игрок 2;20;20;;;40;0", "1;Игрок 1;20;20;;;40;", "1;Игрок 3;20;20;50;;;"]
    (tmp_path / "a.csv").write_text("\n".join([HEADED.format("Игрок") + ";Висты на Игрок 4", *rows]), "utf-8")
    games = read(tmp_path / "a.csv")
    assert (games.whists[:, :, 0] / UNIT).tolist() == [[0, 0, 40], [0, 0, 40], [0, 50, 0]]


def test_whists_on_player_1_are_by_seat_where_nobody_is_called_so(tmp_path):
    rows = ["1;Аня;20;20;;30;40", "1;Боря;20;20;10;;20", "1;Вера;20;20;50;60;"]
    (tmp_path / "a.csv").write_text("\n".join([HEADED.format("игрока"), *rows]), "utf-8")
    games = read(tmp_path / "a.csv")
    assert (games.whists[:, :, 0] / UNIT).tolist() == [[0, 30, 40], [10, 0, 20], [50, 60, 0]]
