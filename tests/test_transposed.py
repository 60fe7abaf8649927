"""Whists written the wrong way round are told by what the user has noted beside them, and never otherwise."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prefxl.sheets as sheets
from tests.oracle import RULES, settle
from tests.sheets.samples import csv_bytes, told, xlsx_bytes
from tests.strategies import sheets as random_sheets

NAMES = ["Аня", "Боря", "Вася", "Галя", "Дима"]


class Game:
    """One game, and what a person may note beside it; whists go into the sheet ``turned`` or not."""

    def __init__(self, pulya, gora, whists, *, turned=False):
        self.pulya, self.gora, self.whists, self.turned = pulya, gora, whists, turned

    @property
    def players(self):
        return len(self.pulya)

    @property
    def written(self):
        return [list(row) for row in zip(*self.whists, strict=True)] if self.turned else self.whists

    def noted(self, kind, rules=RULES["rozaliev"], rounding="debts", **house):
        if kind == "sum":
            return [sum(row) for row in self.whists]
        steps = settle(self.pulya, self.gora, self.whists, rules, rounding, **house)
        if kind == "saldo":
            return steps["saldo"]
        return [float(value) / 2 if kind == "money" else value for value in steps["result"]]


ODD = [
    Game([10, 12, 14], [4, 6, 8], [[0, 20, 30], [40, 0, 50], [60, 70, 0]]),
    Game([20, 16, 20], [14, 0, 30], [[0, 120, 8], [44, 0, 150], [10, 66, 0]]),
    Game([20, 20, 18, 22], [0, 40, 8, 6], [[0, 10, 90, 4], [66, 0, 50, 80], [16, 70, 0, 3], [40, 0, 9, 0]]),
    Game([20, 22, 20], [4, 26, 12], [[0, 64, 130], [12, 0, 90], [0, 8, 0]]),
]


def turned(game):
    return Game(game.pulya, game.gora, game.whists, turned=True)


def text(value):
    return str(round(float(value), 2)).replace(".", ",")


def long_rows(games, heading, kind, **how):
    rows = [["Игра", "Игрок", "Пуля", "Гора", *(f"Висты на {seat}" for seat in range(1, 6)), heading]]
    for number, game in enumerate(games, 1):
        noted = game.noted(kind, **how)
        for seat in range(game.players):
            whists = [None if other == seat else value for other, value in enumerate(game.written[seat])]
            whists += [None] * (5 - len(whists))
            rows.append([number, NAMES[seat], game.pulya[seat], game.gora[seat], *whists, text(noted[seat])])
    return rows


def wide_rows(games, headings, kind="result", names=False):
    seats = range(3)
    heads = [f"{field} {seat + 1}" for field in ("Игрок", "Пуля", "Гора") for seat in seats]
    if names:
        heads = [f"{field} {NAMES[seat]}" for field in ("Пуля", "Гора") for seat in seats]
    pairs = [(i, j) for i in seats for j in seats if i != j]
    of = NAMES if names else "123"
    heads += [f"Висты {of[i]}→{of[j]}" for i, j in pairs]
    rows = [["Игра", *heads, *headings]]
    for number, game in enumerate(games, 1):
        people = [] if names else NAMES[:3]
        whists = [game.written[i][j] for i, j in pairs]
        rows.append([number, *people, *game.pulya, *game.gora, *whists, *map(text, game.noted(kind))])
    return rows


KINDS = [
    ("Итог", "result"),
    ("Результат", "result"),
    ("Result", "result"),
    ("Деньги", "money"),
    ("Выигрыш", "money"),
    ("Сальдо вистов", "saldo"),
    ("Сумма вистов", "sum"),
]


@pytest.mark.parametrize(("heading", "kind"), KINDS)
def test_whists_of_a_whole_table_turned_round_are_told_on_its_heading(heading, kind):
    wrong = sheets.read(csv_bytes(long_rows(map(turned, ODD), heading, kind)))
    assert (told(wrong), len(wrong)) == ([("transposed-whists", "E1")], 4)
    assert wrong.findings[-1].found == heading
    assert told(sheets.read(csv_bytes(long_rows(ODD, heading, kind)))) == []


@pytest.mark.parametrize(("heading", "kind"), KINDS)
def test_one_game_among_others_is_told_on_its_own_cell(heading, kind):
    games = [ODD[0], turned(ODD[1]), *ODD[2:]]
    assert told(sheets.read(csv_bytes(long_rows(games, heading, kind)))) == [("transposed-whists", "F5")]


@pytest.mark.parametrize("rules", ["rozaliev", "leningrad", "sochi"])
@pytest.mark.parametrize("rounding", ["exact", "balanced"])
def test_any_usual_convention_tells(rules, rounding):
    rows = long_rows(map(turned, ODD), "Итог", "result", rules=RULES[rules], rounding=rounding)
    assert told(sheets.read(csv_bytes(rows))) == [("transposed-whists", "E1")]


@pytest.mark.parametrize(
    ("headings", "names"),
    [
        (("Итог 1", "Итог 2", "Итог 3"), False),
        (("Итог Аня", "Итог Боря", "Итог Вася"), True),
        (("Результат Ани", "Результат Бори", "Результат Васи"), True),
    ],
)
def test_results_of_a_wide_sheet_tell(headings, names):
    three = [game for game in ODD if game.players == 3]
    rows = wide_rows(map(turned, three), headings, names=names)
    place = "H1" if names else "K1"
    assert told(sheets.read(csv_bytes(rows))) == [("transposed-whists", place)]
    assert told(sheets.read(csv_bytes(wide_rows(three, headings, names=names)))) == []


def forms(games):
    rows = []
    for number, game in enumerate(games, 1):
        table = long_rows([game], "Итог", "result")
        rows += [[f"Дача {number}"], *(row[1 : 4 + game.players] + row[-1:] for row in table), []]
    return rows


def test_each_form_tells_of_itself():
    games = sheets.read(xlsx_bytes({"а": forms([ODD[0], turned(ODD[1]), ODD[2], turned(ODD[3])])}))
    assert told(games) == [("transposed-whists", "D8"), ("transposed-whists", "D21")]


def test_whists_that_are_the_same_either_way_are_not_told():
    same = Game([10, 12, 14], [4, 6, 8], [[0, 20, 30], [20, 0, 50], [30, 50, 0]])
    assert told(sheets.read(csv_bytes(long_rows([turned(same)], "Итог", "result")))) == []


def test_one_number_that_happens_to_agree_bothers_nobody():
    two = Game([10, 10], [0, 0], [[0, 30], [10, 0]])
    assert told(sheets.read(csv_bytes(long_rows([turned(two)], "Итог", "result")))) == []


def test_a_column_of_something_else_is_not_asked():
    rows = long_rows(map(turned, ODD), "Итог прошлого сезона", "result")
    assert told(sheets.read(csv_bytes(rows))) == []


def test_results_noted_for_some_games_only_are_enough():
    rows = long_rows(map(turned, ODD), "Итог", "result")
    for row in rows[1:4]:
        row[-1] = None
    assert told(sheets.read(csv_bytes(rows))) == [("transposed-whists", "E1")]


def test_money_of_one_game_that_happens_to_fit_bothers_nobody():
    # what a whist costs is free to fit, so that one number less speaks
    game = Game([17, 23, 0], [0, 5, -42], [[0, -6, 45], [-7, 0, -5], [59, -43, 0]])
    rows = long_rows([game], "Деньги", "money", divisor=1)
    assert "transposed-whists" not in [reason for reason, _ in told(sheets.read(csv_bytes(rows)))]


HOUSE = [{"divisor": 1}, {"value": 5}, {"value": 20}, {"rounding": "balanced"}, {"rules": (30, 3, 0)}]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(random_sheets(min_players=3, halves=False), min_size=1, max_size=5),
    st.sampled_from(["result", "money", "saldo", "sum"]),
    st.sampled_from([{}, *HOUSE]),
)
def test_right_whists_are_never_told_whatever_the_house_rules(games, kind, house):
    heading = {"result": "Итог", "money": "Деньги", "saldo": "Сальдо", "sum": "Сумма вистов"}[kind]
    rows = long_rows([Game(one.pulya, one.gora, one.whists) for one in games], heading, kind, **house)
    assert "transposed-whists" not in [reason for reason, _ in told(sheets.read(csv_bytes(rows)))]
