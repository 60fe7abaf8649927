"""The derivation in words: every number told is computed again, in both languages."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import prefxl
from prefxl.rules.explanation import Explainer, explain, explain_data, explain_markdown, explain_result
from tests.strategies import sheets

NAMES = ("Аня", "Борис", "Вера", "Гриша", "Дина")
BOOK = ([0] * 4, [4, 10, 21, 16], [[0, 2, 0, 0], [0, 0, 0, 0], [10, 50, 0, 0], [42, 78, 0, 0]])
EQUATION = re.compile(r"[0-9(−][0-9 ,./+−×:÷()]*=[0-9 ,./+−×:÷()]*[0-9)]")
TOKEN = re.compile(r"(\d+) (\d+)/(\d+)|(\d+)/(\d+)|(\d+)[.,](\d+)|(\d+)|([+−×:÷()])|\s+")


def tokens(text):
    for match in TOKEN.finditer(text):
        whole, over, under, above, below, point, digits, plain, sign = match.groups()
        if sign:
            yield sign
        elif whole:
            yield Fraction(int(whole)) + Fraction(int(over), int(under))
        elif above:
            yield Fraction(int(above), int(below))
        elif point:
            yield Fraction(f"{point}.{digits}")
        elif plain:
            yield Fraction(int(plain))


def value(text):
    """Return what an expression as written by hand comes to: a parser of its own, no eval."""
    left = list(tokens(text))

    def atom():
        token = left.pop(0)
        if token == "−":
            return -atom()
        if token == "(":
            inside = total()
            assert left.pop(0) == ")"
            return inside
        return token

    def product():
        found = atom()
        while left and left[0] in ("×", ":", "÷"):
            found = found * atom() if left.pop(0) == "×" else found / atom()
        return found

    def total():
        found = product()
        while left and left[0] in ("+", "−"):
            found = found + product() if left.pop(0) == "+" else found - product()
        return found

    found = total()
    assert not left, text
    return found


def equations(text):
    """Return the sides of every equation told."""
    return [match.group().split("=") for line in text.splitlines() for match in EQUATION.finditer(line)]


def told_after(text, title, name):
    """Return the last number told of a player under a heading."""
    section = next(part for part in text.split("\n\n") if part.startswith(title))
    line = next(line for line in section.splitlines() if line.startswith(f"  {name}: "))
    return value(re.search(r"−?[0-9 ,./]+$", line).group())


def settle_or_skip(sheet, **options):
    try:
        return prefxl.settle(sheet.pulya, sheet.gora, sheet.whists, players=NAMES[: sheet.players], **options)
    except prefxl.RulesError:
        assume(False)


OPTIONS = st.fixed_dictionaries(
    {
        "convention": st.sampled_from(sorted(prefxl.CONVENTIONS)),
        "rounding": st.sampled_from(prefxl.ROUNDINGS),
        "stake": st.sampled_from([None, "0,05", 3]),
    },
    optional={
        "target": st.sampled_from(["mean", "largest", 20, "12,5"]),
        "divisor": st.sampled_from(["others", "one"]),
        "whists_per_gora": st.sampled_from([5, "2,5"]),
        "below": st.integers(0, 3),
    },
)


@pytest.mark.parametrize("lang", ["ru", "en"])
@given(sheets(), OPTIONS)
@settings(max_examples=50)
def test_both_sides_of_every_equation_are_equal(lang, sheet, options):
    text = explain(settle_or_skip(sheet, **options), lang)
    found = equations(text)
    assert len(found) > 2 * sheet.players
    for sides in found:
        assert len({value(side) for side in sides}) == 1, sides


@given(sheets(), OPTIONS)
@settings(max_examples=50)
def test_every_step_told_is_the_settlements(sheet, options):
    done = settle_or_skip(sheet, **options)
    text = explain(done, "en")
    assert [told_after(text, "5.", name) for name in done.players] == done.result_exact
    saldi = [told_after(text, "4.", name) for name in done.players]
    assert saldi == done.saldo
    section = next(part for part in text.split("\n\n") if part.startswith("3."))
    final = [line for line in section.splitlines() if "gora" in line and ": " in line][-sheet.players :]
    assert [value(re.search(r"−?[0-9 ./]+$", line).group()) for line in final] == done.final_gora
    if done.money is not None:
        assert [told_after(text, "6.", name) for name in done.players] == [Fraction(won) for won in done.money]


@given(sheets(), OPTIONS, st.sampled_from(["ru", "en"]))
@settings(max_examples=30)
def test_a_note_is_short_and_ends_with_the_result(sheet, options, lang):
    done = settle_or_skip(sheet, **options)
    for seat, result in enumerate(done.result_exact):
        note = explain_result(done, seat, lang)
        assert len(note) <= 600
        assert all(len({value(side) for side in sides}) == 1 for sides in equations(note))
        line = next(line for line in note.splitlines() if line.startswith(("Result", "Итог")))
        assert value(re.search(r"−?[0-9 ,./]+$", line).group()) == result


def book(rounding, **options):
    return prefxl.settle(*BOOK, convention="sochi", rounding=rounding, players=list("СЗВЮ"), **options)


def test_a_cut_gora_is_told_as_the_book_tells_it():
    text = explain(book("divisible-debts"))
    assert "В: 10 × 17 : 4 = 42,5 — не целое." in text
    assert "В: с горы списано 1 очко, 17 − 1 = 16; остальные написали на этого игрока по 3 виста." in text
    assert "С: 85 − 50 + 3 = 38" in text


def test_a_raised_gora_is_told_and_who_chose_it():
    named = explain(book("divisible", corrected="Ю"))
    assert "Ю: к горе добавлено 1 очко, 12 + 1 = 13; этот игрок написал на каждого из остальных по 3 виста." in named
    assert "Игрок Ю указан в записи." in named
    assert "Никто не указан: поправка идёт к наибольшей горе" in explain(book("divisible"))


def test_a_sum_that_divides_needs_no_correction_and_says_so():
    done = prefxl.settle([0] * 3, [1, 2, 3], [[0] * 3] * 3, convention="sochi", rounding="divisible")
    assert "10 × 3 : 3 = 10 — целое: поправка не нужна" in explain(done)


def test_a_residual_is_told():
    sheet = ([14, 26, 10], [38, 41, 28], [[0, 148, 10], [28, 0, 0], [46, 94, 0]])
    text = explain(prefxl.settle(*sheet, convention="leningrad", rounding="truncate"))
    assert "отбросить" not in text
    assert "Проверка: 8 − 81 + 74 = 1." in text
    assert "до нуля не хватает −1. Платят по точным итогам: 1 +7 1/3; 2 −80 2/3; 3 +73 1/3." in text


def test_rozaliev_tells_what_leningrad_would_give():
    sheet = ([48, 48, 54], [0] * 3, [[0] * 3] * 3)
    assert "1 −40; 2 −40; 3 +80" in explain(prefxl.settle(*sheet))
    assert "ленинградк" not in explain(prefxl.settle(*sheet, convention="sochi"))


def test_house_rules_stand_in_the_heading():
    sheet = ([0] * 3, [1, 2, 3], [[0] * 3] * 3)
    text = explain(prefxl.settle(*sheet, convention="sochi", whists_per_gora=5, divisor="others"), "en")
    assert "A gora point is worth 5 whists." in text
    assert "The gora is divided by 2" in text


def test_who_pays_whom_is_told_last():
    assert explain(book("exact", stake=1)).endswith("З → Ю: 87,50\n  В → С: 22,50\n  З → С: 15,00")


def test_a_level_game_has_no_payments():
    assert "Никто никому не платит." in explain(prefxl.settle([0, 0], [1, 1], [[0, 0], [0, 0]]))


def test_markdown_shows_names_as_they_are_written():
    done = prefxl.settle([0, 0], [1, 2], [[0, 3], [4, 0]], players=["A*B|C", "<i>x</i>"])
    text = explain_markdown(done)
    assert "A\\*B\\|C" in text
    assert "\\<i\\>x" in text
    assert "### 5. Итог" in text


def test_the_data_are_plain_values_for_json():
    data = json.loads(json.dumps(explain_data(book("divisible-debts", stake="0,5"), "en")))
    assert [player["result"] for player in data["players"]] == ["38", "-102", "-24", "88"]
    assert data["corrections"] == [0, 0, -1, 0]
    assert data["players"][0]["pair_results"] == ["0", "17", "33", "-12"]
    assert data["payments"]["fewest"][0] == {"payer": "З", "payee": "Ю", "amount": "44.00"}


def test_two_players_of_one_name_stay_two():
    done = prefxl.settle([0, 0], [1, 5], [[0, 3], [4, 0]], players=["Анна", "Анна"])
    assert [player["result"] for player in explain_data(done)["players"]] == ["19", "-19"]


def test_the_settlement_explains_itself():
    assert book("exact").explain("en").startswith("Convention: sochi. Rounding: exact. Players: 4.")


def test_a_balanced_result_tells_how_the_missing_whists_went_round():
    from prefxl.rules.single import settle_sheet

    done = settle_sheet([10, 10, 10], [1, 0, 0], [[0] * 3] * 3, convention="leningrad", rounding="balanced")
    assert any(done.correction)
    assert "Итоги округляются до целых так, чтобы сумма осталась нулём" in done.explain("ru")
    assert "down first" in done.explain("en")


def test_an_agreed_pulya_that_everybody_passed_names_only_the_rule_for_what_is_over():
    text = explain(prefxl.settle([20, 30, 25], [1, 2, 3], [[0] * 3] * 3, convention="leningrad", target=10))
    assert "За каждое лишнее очко с горы снимается" in text
    assert "недостающее" not in text


def test_debts_that_are_whole_need_no_correction_and_it_is_said():
    done = prefxl.settle([0] * 3, [3, 6, 9], [[0] * 3] * 3, convention="sochi", rounding="divisible-debts")
    assert "Долг с каждой горы целый: поправки не нужны." in explain(done)


def test_games_of_the_same_terms_are_told_alike_and_of_others_apart():
    explainer = Explainer("ru")
    games = [book("exact", stake=1), book("exact", stake=1), book("debts")]
    notes = [explainer.notes(game) for game in games]
    assert notes[0] == notes[1]
    assert notes[0][0].splitlines()[0] == "С: +37,5"
    assert notes[0][0].splitlines()[1:-1] == explain_result(games[0], 0).splitlines()
    assert notes[0][0].splitlines()[-1] == "сочинка, точно"
    assert notes[2][3].splitlines()[1:-1] == explain_result(games[2], 3).splitlines()
    assert explainer.manner(games[0]) is explainer.manner(games[0])


def test_a_gora_that_is_divided_by_nobody_is_told_so():
    done = prefxl.settle([0, 0], [1, 2], [[0, 0], [0, 0]], convention="sochi", divisor="others")
    assert "The gora is not divided: the house rule of this table." in explain(done, "en")


def test_a_balanced_result_that_was_whole_already_is_told_without_a_correction():
    done = prefxl.settle([0] * 3, [1, 2, 3], [[0] * 3] * 3, convention="sochi", rounding="balanced")
    assert explain_result(done, 0, "en").splitlines()[-1] == "Result: 10 + 0 = 10"


def test_money_that_is_no_whole_coin_is_told_with_what_is_paid():
    done = prefxl.settle([0] * 3, [1, 0, 0], [[0] * 3] * 3, convention="sochi", stake=1)
    assert "3: 3 1/3 × 1 = 3 1/3, до мелкой монеты 3,33" in explain(done)
