"""Headings and players: matched all together, one to one, and never by a likeness of letters."""

import pytest

from prefxl.matching import match_names


def meant(headings, players, **options):
    found = match_names(dict(enumerate(headings)), players, **options)
    return [", ".join(found[place].names) for place in range(len(headings))]


@pytest.mark.parametrize(
    ("headings", "players"),
    [
        (["Александра", "Александру"], ["Александр", "Александра"]),
        (["Александра", "Александру", "Веру"], ["Александр", "Александра", "Вера"]),
        (["Александр", "Александра", "Вера"], ["Александр", "Александра", "Вера"]),
        (["Евгения", "Евгению", "Веру"], ["Евгений", "Евгения", "Вера"]),
        (["Валерия", "Валерию"], ["Валерий", "Валерия"]),
        (["Валентина", "Валентину"], ["Валентин", "Валентина"]),
        (["Петрова", "Петрову"], ["Петров", "Петрова"]),
        (["Лёву", "Льва"], ["Лёва", "Лев"]),
        (["Мишу", "Михаила", "Аню", "Анну"], ["Миша", "Михаил", "Аня", "Анна"]),
        (["дядю Ваню", "Сергея П.", "Сергея К."], ["дядя Ваня", "Сергей П.", "Сергей К."]),
        (["Николая Второго", "Рабиновича", "Шевченко"], ["Николай Второй", "Рабинович", "Шевченко"]),
        (["Анну Ивановну", "Петра Ильича"], ["Анна Ивановна", "Пётр Ильич"]),
        (["Анну-Марию", "Соловья", "Бойца"], ["Анна-Мария", "Соловей", "Боец"]),
        (["Любовь", "Игоря", "Нелли", "Кармен"], ["Любовь", "Игорь", "Нелли", "Кармен"]),
        (["Peter", "Alexander", "Alexandra"], ["Peter", "Alexander", "Alexandra"]),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_the_headings_of_a_table_are_matched_together(headings, players, turned):
    order = -1 if turned else 1
    assert meant(headings, players[::order]) == players


def test_whose_whists_they_are_is_told_by_the_genitive():
    assert meant(["Валерия", "Валерии"], ["Валерия", "Валерий"], of_whom=True) == ["Валерий", "Валерия"]


def test_a_man_has_his_column_though_a_woman_without_one_is_called_alike():
    players = ["Александр", "Борис", "Александра"]
    assert meant(["Александра", "Бориса"], players) == ["Александр", "Борис"]


def test_what_two_readings_fit_is_unclear():
    found = match_names({1: "Александра", 2: "Нелли"}, ["Александр", "Александра", "Нелли"])
    assert (found[1].names, found[1].clear, found[2].clear) == (("Александр", "Александра"), False, True)


def test_headings_declined_and_not_show_nothing_about_the_others():
    found = match_names(dict(enumerate(["Вера", "Юлия", "Бориса"])), ["Вера", "Юлия", "Юлий", "Борис"])
    assert [found[place].clear for place in range(3)] == [True, False, True]


@pytest.mark.parametrize(
    ("heading", "player"),
    [("Марию", "Марина"), ("Зою", "Аня"), ("Александру", "Александр"), ("Anna", "Ann"), ("Борю", "Борис")],
)
def test_another_name_is_nobody(heading, player):
    assert meant([heading, "Веру"], [player, "Вера"]) == ["", "Вера"]


def test_an_exact_name_goes_before_a_declined_one():
    assert meant(["Саши"], ["Саша", "Саши"]) == ["Саши"]


def test_spellings_of_one_name_are_one_player():
    assert meant(["Аню", "Борю"], ["Аня", "аня", "Боря"]) == ["Аня, аня", "Боря"]


def test_initials_and_first_letters_are_names_too():
    assert meant(["А", "Б"], ["Аня", "Боря"]) == ["Аня", "Боря"]
    assert meant(["АП", "А"], ["Аня Петрова", "Аня Сидорова"]) == ["Аня Петрова", "Аня Сидорова"]
    assert meant(["С"], ["Саша", "Света"]) == ["Саша, Света"]


def test_one_word_of_a_full_name_is_enough():
    players = ["Аня Петрова", "Аня Сидорова"]
    assert meant(["Петрову"], players) == ["Аня Петрова"]
    assert meant(["Аню"], players) == ["Аня Петрова, Аня Сидорова"]
    assert meant(["Аню П.", "Сидорову Аню"], players) == players


@pytest.mark.parametrize(
    ("heading", "player"), [("Ане", "Аня"), ("Annu", "Anna"), ("Pavla", "Pavel"), ("Алекс", "Александр")]
)
def test_a_guess_says_that_it_is_one(heading, player):
    found = match_names({1: heading}, [player])
    assert (found[1].names, found[1].sure) == ((player,), False)


def test_a_womans_name_among_declined_ones_may_be_a_mans():
    found = match_names({1: "Александра", 2: "Бориса"}, ["Александра", "Борис"])
    assert (found[1].names, found[1].sure, found[2].sure) == (("Александра",), False, True)


@pytest.mark.parametrize("headings", [["Веру", "Вера"], ["Александра", "Александру"]])
def test_two_columns_of_one_player_are_unclear(headings):
    found = match_names(dict(enumerate(headings)), ["Вера", "Александра"])
    assert not found[0].clear
    assert not found[1].clear
