"""The live forms: their numbers in two formula engines, what they let be typed, how they are set up."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import openpyxl
import pytest

from prefxl.live.form_shape import FIRST, GORA, PLAYER, PULYA, WHISTS, Shape
from prefxl.live.plan import cell
from prefxl.live.templates import write_template
from prefxl.rules.conventions import RUSSIAN
from tests.clients.engines import ENGINES, Formulon, open_in
from tests.live.cases import shared_cases
from tests.live.forms import (
    LANGS,
    check_cell,
    every_rule,
    form_cases,
    formula_entries,
    inputs_of,
    pair_cells,
    result_cells,
    sheet_of,
    status_cell,
    warning_cell,
)

TEMPLATES = Path(__file__).parents[2] / "templates"
PLAYERS = (3, 4)


def form(players):
    return TEMPLATES / f"pulka-{players}.xlsx"


def fill(book, sheet, case):
    for name, value in inputs_of(case).items():
        book.type_in(sheet, name, value)
    book.recalculate()


@pytest.fixture(scope="module", params=ENGINES)
def books(request):
    return {players: open_in(request.param, form(players)) for players in PLAYERS}


def assert_form_settles(book, sheet, case):
    fill(book, sheet, case)
    settled = case.settled()
    assert [book.value(sheet, name) for name in result_cells(case.players)] == pytest.approx(case.floats, abs=1e-9)
    assert book.value(sheet, check_cell(case.players)) == pytest.approx(-float(settled.residual), abs=1e-6)
    shown = [
        [0.0 if seat == other else book.value(sheet, name) for other, name in enumerate(names)]
        for seat, names in enumerate(pair_cells(case.players))
    ]
    assert shown == [pytest.approx([float(won) for won in row], abs=1e-6) for row in settled.pair_results]


def assert_steps_are_shown(book, sheet, case):
    shape, steps = Shape(case.players), case.settled().steps
    for row, key in enumerate(("adjusted_gora", "amnestied_gora", "debt", "final_gora", "saldo", "correction"), 2):
        shown = [book.value(sheet, cell(shape.steps + row, WHISTS + seat)) for seat in range(case.players)]
        assert shown == pytest.approx([float(number) for number in steps[key]], abs=1e-9), key


@pytest.mark.parametrize("case", list(form_cases(shared_cases())), ids=lambda case: case.id)
def test_the_forms_settle_the_shared_cases(books, case):
    assert_form_settles(books[case.players], sheet_of("ru"), case)


def test_the_forms_settle_random_sheets_under_every_rule_and_show_every_step(books):
    for number, case in enumerate(every_rule(seed=8)):
        sheet = sheet_of(LANGS[number % 2])
        assert_form_settles(books[case.players], sheet, case)
        assert_steps_are_shown(books[case.players], sheet, case)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("lang", LANGS)
def test_what_a_form_shows_before_it_is_recalculated_is_what_it_computes(books, players, lang):
    book = open_in(type(books[players]).__name__.casefold(), form(players))
    for entry in formula_entries(players, lang):
        assert book.value(sheet_of(lang), cell(entry.row, entry.column)) == entry.shown, entry


@pytest.mark.parametrize("players", PLAYERS)
def test_the_cached_values_are_in_the_file(players):
    book = openpyxl.load_workbook(form(players), data_only=True)
    for lang in LANGS:
        for entry in formula_entries(players, lang):
            # an empty text comes back as None
            value = book[sheet_of(lang)].cell(entry.row + 1, entry.column + 1).value
            assert (value or "") == (entry.shown or "") or value == entry.shown


def test_russian_and_english_names_of_a_rule_both_count_on_either_sheet(books):
    case = next(case for case in every_rule(seed=9) if case.convention == "sochi" and case.rounding == "truncate")
    for lang in LANGS:
        book, sheet = books[case.players], sheet_of(lang)
        fill(book, sheet, case)
        book.type_in(sheet, cell(FIRST, Shape(case.players).convention), RUSSIAN["sochi"])
        book.type_in(sheet, cell(FIRST, Shape(case.players).convention + 1), RUSSIAN["truncate"])
        book.recalculate()
        assert [book.value(sheet, name) for name in result_cells(case.players)] == case.floats


@pytest.mark.parametrize("players", PLAYERS)
def test_a_blank_rounding_is_the_conventions_own(books, players):
    case = next(
        case
        for case in every_rule(seed=10)
        if case.players == players and case.rounding == "truncate" and case.convention == "prefcount-leningrad"
    )
    book, sheet = books[players], sheet_of("ru")
    fill(book, sheet, case)
    book.type_in(sheet, cell(FIRST, Shape(players).convention + 1), None)
    book.recalculate()
    assert [book.value(sheet, name) for name in result_cells(players)] == case.floats
    assert "отбрасывание" in book.value(sheet, status_cell(players))


@pytest.mark.parametrize("players", PLAYERS)
def test_a_word_pasted_over_a_number_is_told_and_spoils_the_check(books, players):
    book, sheet = books[players], sheet_of("ru")
    for name in (cell(FIRST, PULYA), cell(FIRST + 1, GORA), cell(FIRST + 1, WHISTS)):
        fill(book, sheet, next(case for case in every_rule(seed=11) if case.players == players))
        book.type_in(sheet, name, "много")
        book.recalculate()
        assert book.value(sheet, check_cell(players)) == "#VALUE!"
        assert "слово вместо числа" in book.value(sheet, warning_cell(players))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (cell(FIRST, PULYA), 0.3, "дробь, но не половина"),
        (cell(FIRST + 1, WHISTS), 7.25, "дробь, но не половина"),
        (cell(FIRST, PULYA), -5, "Пуля не бывает меньше нуля"),
        (cell(FIRST, PULYA), "5", "слово вместо числа"),
        (cell(FIRST, Shape(4).last), "много", "слово вместо числа"),
    ],
)
def test_other_wrong_input_is_told_in_words(books, name, value, sentence):
    book, sheet = books[4], sheet_of("ru")
    fill(book, sheet, next(case for case in every_rule(seed=14) if case.players == 4))
    book.type_in(sheet, name, value)
    book.recalculate()
    assert sentence in book.value(sheet, warning_cell(4))


def test_a_player_who_is_there_twice_is_told(books):
    book, sheet = books[3], sheet_of("en")
    fill(book, sheet, next(case for case in every_rule(seed=14) if case.players == 3))
    for row, name in ((FIRST, "Аня"), (FIRST + 1, "Борис"), (FIRST + 2, "Аня")):
        book.type_in(sheet, cell(row, PLAYER), name)
    book.recalculate()
    assert book.value(sheet, warning_cell(3)) == "One player is there twice."
    for seat in range(3):
        book.type_in(sheet, cell(FIRST + seat, PLAYER), None)


def test_a_pasted_rule_that_does_not_exist_is_told(books):
    book, sheet = books[4], sheet_of("en")
    fill(book, sheet, next(case for case in every_rule(seed=12) if case.players == 4))
    book.type_in(sheet, cell(FIRST, Shape(4).convention), "poker")
    book.recalculate()
    assert book.value(sheet, status_cell(4)).startswith("There is no such convention")
    assert book.value(sheet, check_cell(4)) == "#N/A"


def test_a_truncation_residual_is_told(books):
    case = next(case for case in every_rule(seed=13) if case.settled().residual)
    book, sheet = books[case.players], sheet_of("ru")
    fill(book, sheet, case)
    assert "остаток" in book.value(sheet, warning_cell(case.players))


@pytest.mark.clients
@pytest.mark.parametrize("players", PLAYERS)
def test_typing_nonsense_is_stopped(players):
    formulon = pytest.importorskip("formulon", reason="the formula engine formulon is not installed")
    book = Formulon(form(players))
    shape, sheet = Shape(players), sheet_of("ru")

    def taken(row, column, value):
        made = (
            formulon.Value(formulon.ValueKind.TEXT, text=value)
            if isinstance(value, str)
            else formulon.Value(formulon.ValueKind.NUMBER, number=float(value))
        )
        # a custom rule is evaluated on the cell, so the value has to be there
        book.type_in(sheet, cell(row, column), value)
        book.recalculate()
        outcome = book.book.validate_value(*book.at(sheet, cell(row, column)), made)
        book.type_in(sheet, cell(row, column), None)
        return outcome.valid if hasattr(outcome, "valid") else outcome

    accepted = [(PULYA, 20), (PULYA, 7.5), (GORA, -3), (GORA, 0.5), (WHISTS + 1, 40), (shape.last, 20)]
    refused = [(PULYA, -5), (PULYA, "x"), (PULYA, 0.3), (GORA, "x"), (WHISTS + 1, "Ø"), (shape.last, -1)]
    accepted += [(shape.convention, "сочинка"), (shape.convention + 1, "баланс")]
    refused += [(shape.convention, "покер"), (shape.convention + 1, "вверх")]
    verdicts = [taken(FIRST, column, value) for column, value in accepted + refused]
    assert [bool(verdict) for verdict in verdicts] == [True] * len(accepted) + [False] * len(refused)


@pytest.mark.parametrize("players", PLAYERS)
def test_only_the_cells_to_fill_in_are_unlocked_and_no_password_is_set(players):
    book = openpyxl.load_workbook(form(players))
    for lang in LANGS:
        sheet = book[sheet_of(lang)]
        assert sheet.protection.sheet
        assert sheet.protection.password is None
        unlocked = {
            cell.coordinate
            for row in sheet.iter_rows()
            for cell in row
            if not cell.protection.locked and type(cell).__name__ == "Cell"
        }
        filled_in = set(inputs_of(next(case for case in every_rule(seed=8) if case.players == players)))
        names = {cell(FIRST + seat, PLAYER) for seat in range(players)}
        assert unlocked == filled_in | names | {"B4"}
        assert all(sheet[entry_cell].data_type != "f" for entry_cell in unlocked)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_page_is_one_sheet_of_a4(players):
    book = openpyxl.load_workbook(form(players))
    for lang in LANGS:
        sheet = book[sheet_of(lang)]
        assert (sheet.page_setup.paperSize, sheet.page_setup.orientation) == (9, "portrait")
        # one page is the default, and so not written
        assert {sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight} <= {1, None}
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.print_area.startswith(f"'{sheet.title}'!$A$1:$")


@pytest.mark.parametrize("players", PLAYERS)
def test_the_formulas_are_plain(players):
    with zipfile.ZipFile(form(players)) as package:
        names = package.namelist()
        text = "".join(package.read(name).decode() for name in names if "worksheets/sheet" in name)
    assert not re.search(r'_xlfn|_xlws|t="array"|cm="1"|LAMBDA|LET\(', text)
    assert not any("vba" in name.lower() or "metadata" in name for name in names)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(
    ("lang", "heads"),
    [("ru", ["Игрок", "Пуля", "Гора", "Висты на 1"]), ("en", ["Player", "Pulya", "Gora", "Whists on 1"])],
)
def test_the_table_is_laid_out_as_a_form_is_read(players, lang, heads):
    sheet = openpyxl.load_workbook(form(players))[sheet_of(lang)]
    rows = list(sheet.iter_rows(min_row=4, max_row=6 + players, max_col=Shape(players).last + 1, values_only=True))
    assert list(rows[1][1:5]) == heads
    assert rows[0][1] in ("Игра 1", "Game 1")
    assert set(rows[2 + players]) == {None}


@pytest.mark.parametrize("players", PLAYERS)
def test_a_rebuilt_form_is_the_shipped_one(tmp_path, players):
    made = write_template(f"pulka-{players}.xlsx", tmp_path / "made.xlsx")
    with zipfile.ZipFile(made) as new, zipfile.ZipFile(form(players)) as shipped:
        assert new.namelist() == shipped.namelist()
        for name in new.namelist():
            assert new.read(name) == shipped.read(name), name
