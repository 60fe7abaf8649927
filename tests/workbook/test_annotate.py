"""The user's own workbook annotated: real fixtures, read back."""

from __future__ import annotations

import hashlib
import random
import re
import shutil
import zipfile
from copy import copy
from datetime import datetime
from fractions import Fraction
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from prefxl.errors import FileInTheWayError
from prefxl.games import read
from prefxl.rules.conventions import CONVENTIONS
from prefxl.rules.single import settle_sheet
from prefxl.workbook.annotate import annotate, beside, describe
from prefxl.workbook.carry import read_carried
from prefxl.workbook.new import write_report
from prefxl.workbook.package import Refusal, WorkbookRefusedError
from tests.clients.engines import ENGINES, open_in
from tests.clients.office import LibreOffice
from tests.clients.validator import sdk_findings
from tests.workbook.reading import members, open_book, rows, type_text

SHEETS = Path("tests/cases/sheets")
WHEN = datetime(2026, 2, 1, 12, 30)
OURS = ["Расчёт", "Платежи", "Таблица", "Личные встречи", "Ход сезона", "Замечания", "Правила"]


@pytest.fixture
def club(tmp_path):
    return Path(shutil.copy(SHEETS / "club.xlsx", tmp_path / "клуб.xlsx"))


@pytest.fixture
def forms(tmp_path):
    return Path(shutil.copy(SHEETS / "forms.xlsx", tmp_path / "forms.xlsx"))


def settled(path, **options):
    return read(path).settle(**options)


def column(sheet, text, row):
    return next(cell.column for cell in sheet[row] if cell.value == text)


def test_a_long_table_has_its_results_beside_it_and_the_report_at_the_end(club):
    season = settled(club, stake="0.5")
    done = annotate(season, club, lang="ru")
    assert done.path == beside(club)
    book = open_book(done.path)
    assert book.sheetnames == [*open_book(club).sheetnames, *OURS]
    sheet = book["Январь"]
    result = column(sheet, "Итог", 4)
    steps = season.steps[season.steps["game"].astype(str).str.startswith("Янв")]
    assert [sheet.cell(row, result).value for row in range(5, 5 + len(steps))] == steps["result"].tolist()
    assert sheet.cell(5, result).comment.text.startswith("Борис: ")


def test_a_form_has_its_results_beside_every_block(forms):
    season = settled(forms)
    book = open_book(annotate(season, forms, lang="ru").path)
    sheet = book["Дача"]
    for heading in (3, 11, 19):
        result = column(sheet, "Итог", heading)
        assert sheet.cell(heading + 4, column(sheet, "Проверка", heading)).value == 0
        assert all(isinstance(sheet.cell(heading + seat, result).value, int) for seat in (1, 2, 3, 4))


def test_everything_the_user_had_stays_byte_for_byte_but_for_the_parts_that_must_change(club):
    done = annotate(settled(club), club)
    with zipfile.ZipFile(club) as before, zipfile.ZipFile(done.path) as after:
        changed = {name for name in before.namelist() if before.read(name) != after.read(name)}
    assert not [name for name in changed if re.search(r"chart|drawing\d|theme|sharedStrings|sheet4", name)]
    assert changed <= set(done.report.changed_parts)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def long_season(path, games):
    """Write a season of one row a game, four of ten players at the table."""
    chance = random.Random(7)
    seats = range(1, 5)
    pairs = [(writer, on) for writer in seats for on in seats if writer != on]
    names = ["Аня", "Боря", "Вера", "Гена", "Дима", "Женя", "Зина", "Илья", "Коля", "Лёша"]
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Игры")
        fields = [f"{field} {seat}" for field in ("Игрок", "Пуля", "Гора") for seat in seats]
        sheet.write_row(0, 0, ["Игра", *fields, *(f"Висты {writer}-{on}" for writer, on in pairs)])
        for row in range(1, games + 1):
            scores = [chance.randrange(60) for _ in range(8)] + [chance.randrange(200) for _ in pairs]
            sheet.write_row(row, 0, [row, *chance.sample(names, 4), *scores])


def test_a_wide_season_of_many_games_has_every_result_beside_its_game(tmp_path):
    source, target = tmp_path / "season.xlsx", tmp_path / "settled.xlsx"
    long_season(source, 500)
    settled = read(source).settle("leningrad", stake="0.5")
    annotate(settled, source, target)
    sheet = open_book(target)["Игры"]
    heads = [column for column in range(26, 40) if "Итог" in str(sheet.cell(1, column).value)]
    found = [[sheet.cell(row, column).value for column in heads] for row in range(2, 502)]
    assert found == settled.frame[[f"result_{seat}" for seat in range(1, 5)]].to_numpy().tolist()


@pytest.mark.parametrize("live", [False, True])
def test_ten_runs_give_the_same_file_as_one(club, live):
    # the name of the file is printed on the sheet of rules
    folders = [club.parent / str(run) for run in range(3)]
    source = club
    for folder in folders:
        folder.mkdir()
        annotate(settled(source), source, folder / club.name, live=live, when=WHEN)
        source = folder / club.name
    first, again = folders[0] / club.name, source
    with zipfile.ZipFile(first) as one, zipfile.ZipFile(again) as other:
        assert one.namelist() == other.namelist()
        assert [name for name in one.namelist() if one.read(name) != other.read(name)] == []


def test_ticks_survive_the_next_run(club):
    first = annotate(settled(club, stake="0.5"), club, lang="ru").path
    type_text(first, "Платежи", "E7", "✓")
    second = annotate(settled(first, stake="0.5"), first, club.with_name("2.xlsx"), lang="ru")
    assert open_book(second.path)["Платежи"]["E7"].value == "✓"
    assert second.lost == ()
    third = annotate(settled(first, stake="2"), first, club.with_name("3.xlsx"), lang="ru")
    assert len(third.lost) == 1
    assert "✓" in third.lost[0]


def test_in_place_keeps_the_old_file_as_a_backup(club):
    before = digest(club)
    done = annotate(settled(club), club, in_place=True)
    assert done.path == club
    assert digest(club.with_name("клуб.xlsx.bak")) == before
    assert "Правила" in open_book(club).sheetnames


def test_an_existing_output_is_refused_and_left_alone(club):
    beside(club).write_text("mine")
    with pytest.raises(FileInTheWayError, match="is there already"):
        annotate(settled(club), club)
    assert beside(club).read_text() == "mine"


def test_a_workbook_with_a_locked_structure_is_refused_with_the_offer_of_a_new_one(club, tmp_path):
    book = openpyxl.load_workbook(club)
    book.security = openpyxl.workbook.protection.WorkbookProtection(lockStructure=True)
    book.save(club)
    with pytest.raises(WorkbookRefusedError, match="locked structure") as caught:
        annotate(settled(club), club)
    assert caught.value.refusal is Refusal.LOCKED
    assert caught.value.refusal.new_workbook_helps
    assert not beside(club).exists()


def test_a_dry_run_tells_where_everything_goes_and_writes_nothing(club):
    text = describe(settled(club), club, lang="ru")
    assert text.startswith("Январь: ")
    assert list(club.parent.iterdir()) == [club]


def test_cells_with_findings_are_tinted_and_carry_the_finding(club):
    book = openpyxl.load_workbook(club)
    book["Январь"]["D5"] = "двадцать"
    book.save(club)
    done = annotate(settled(club), club, lang="ru")
    cell = open_book(done.path)["Январь"]["D5"]
    assert cell.value == "двадцать"
    assert cell.fill.fgColor.rgb == "FFF8D7D3"
    assert cell.comment.text.startswith("ошибка: «двадцать» — не число")


def test_a_cell_with_a_finding_may_be_copied_with_its_note_and_tint(tmp_path):
    path = tmp_path / "a.xlsx"
    scores(path, [*GAMES, *GAMES])
    book = openpyxl.load_workbook(path)
    book["Партии"]["F2"] = "семь"
    book.save(path)
    path = annotate(settled(path), path, lang="ru").path
    book = openpyxl.load_workbook(path)
    cell = book["Партии"]["F2"]
    for name in ("F3", "F5"):
        other = book["Партии"][name]
        other.value, other.comment, other._style = cell.value, copy(cell.comment), copy(cell._style)
    book.save(path)
    for _ in range(2):
        path = annotate(settled(path), path, lang="ru").path
        notes = [open_book(path)["Партии"][name].comment for name in ("F2", "F3", "F5")]
        assert [note.text.partition("\n")[0] for note in notes] == ["ошибка: «семь» — не число"] * 3


CASES = [(name, rounding) for name in ("rozaliev", "sochi") for rounding in ("exact", "debts", "truncate", "balanced")]


def scores(path, games):
    """Write a plain wide score sheet of three players."""
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet("Партии")
    seats = (1, 2, 3)
    pairs = [(i, j) for i in seats for j in seats if i != j]
    heading = ["Игра", *(f"{word} {seat}" for word in ("Игрок", "Пуля", "Гора") for seat in seats)]
    sheet.write_row(0, 0, [*heading, *(f"Висты {i}-{j}" for i, j in pairs)])
    for row, (pulya, gora, whists) in enumerate(games, start=1):
        line = [row, "Аня", "Боря", "Вера", *pulya, *gora, *(whists[i - 1][j - 1] for i, j in pairs)]
        sheet.write_row(row, 0, line)
    book.close()


GAMES = [
    ([20, 22, 18], [10, 0, 5], [[0, 50, 20], [10, 0, 40], [30, 60, 0]]),
    ([20, 20, 20], [1, 2, 3.5], [[0, 5, 7], [8, 0, 0], [0, 13, 0]]),
    ([8, 20, 13], [31, 4, 17], [[0, 101, 7], [8, 0, 99], [55, 13, 0]]),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("name", "rounding"), CASES)
def test_live_results_recalculate_to_the_batch_and_follow_a_whist(name, rounding, engine, tmp_path):
    path = tmp_path / "a.xlsx"
    scores(path, GAMES)
    done = annotate(settled(path, convention=name, rounding=rounding), path, live=True, lang="ru")
    assert done.plan.formulas == 9
    book = open_in(engine, without_notes(done.path))
    pulya, gora, whists = GAMES[0]
    assert_results(book, 2, (pulya, gora, whists), name, rounding)
    book.type_in("Партии", "K2", 150)
    book.recalculate()
    assert_results(book, 2, (pulya, gora, [[0, 150, 20], [10, 0, 40], [30, 60, 0]]), name, rounding)
    assert_results(book, 4, GAMES[2], name, rounding)


def without_notes(path):
    """Return a copy one of the engines can open: it does not read files with notes."""
    copy = path.with_name("plain.xlsx")
    book = openpyxl.load_workbook(path)
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                cell.comment = None
    for title in OURS:
        del book[title]
    book.save(copy)
    return copy


def assert_results(book, row, game, name, rounding):
    wanted = settle_sheet(*game, convention=CONVENTIONS[name], rounding=rounding)
    for letter, result in zip("QRS", wanted.result_exact, strict=True):
        assert Fraction(book.value("Партии", f"{letter}{row}")).limit_denominator(1000) == result
    assert book.value("Партии", f"T{row}") == float(-wanted.residual)


def test_live_formulas_carry_the_batchs_values_for_who_does_not_calculate(tmp_path):
    path = tmp_path / "a.xlsx"
    scores(path, GAMES)
    season = settled(path)
    done = annotate(season, path, live=True, lang="ru")
    cached = openpyxl.load_workbook(done.path, data_only=True)["Партии"]
    assert [cached[f"Q{row}"].value for row in (2, 3, 4)] == season.by_seat("result")[0].tolist()


def test_a_rounding_that_formulas_cannot_say_stays_numbers_and_the_rules_tell(tmp_path):
    path = tmp_path / "a.xlsx"
    scores(path, [GAMES[0], GAMES[2]])
    done = annotate(settled(path, convention="sochi", rounding="divisible"), path, live=True, lang="ru")
    assert done.plan.formulas == 0
    assert any("оставшиеся числами" in str(row[1]) for row in rows(done.path, "Правила"))


def test_our_own_results_are_not_read_as_scores_in_the_next_run(club):
    first = settled(club)
    again = settled(annotate(first, club).path)
    assert again.steps["result_exact"].tolist() == first.steps["result_exact"].tolist()
    assert again.steps.columns.tolist() == first.steps.columns.tolist()


@pytest.mark.parametrize("theirs", ["Итог", "Деньги"])
def test_a_column_of_the_users_that_is_headed_as_ours_are_is_theirs_in_the_next_run_too(tmp_path, theirs):
    path = tmp_path / "a.xlsx"
    scores(path, GAMES)
    book = openpyxl.load_workbook(path)
    for row, value in enumerate([theirs, "за ужин", 7.5, "—"], 1):
        book["Партии"].cell(row, 17, value)
    book.save(path)
    # the name of the file is printed on the sheet of rules
    for folder in "12":
        (tmp_path / folder).mkdir()
    first = annotate(settled(path, stake="1"), path, tmp_path / "1" / path.name, when=WHEN).path
    second = annotate(settled(first, stake="1"), first, tmp_path / "2" / path.name, when=WHEN).path
    assert second.read_bytes() == first.read_bytes()
    assert open_book(second)["Партии"]["Q1"].comment is None
    assert theirs in settled(second).steps.columns


def test_our_own_report_can_be_annotated_and_its_report_sheets_are_replaced(tmp_path):
    source = SHEETS / "season-wide-cp1251.csv"
    report = write_report(settled(source, stake="0.5"), tmp_path / "a.xlsx", lang="ru")
    type_text(report, "Платежи", "E7", "✓")
    done = annotate(settled(report, stake="0.5"), report, lang="ru")
    assert open_book(done.path).sheetnames == ["Игры", *OURS]
    assert open_book(done.path)["Платежи"]["E7"].value == "✓"
    assert settled(done.path).steps["result_exact"].tolist() == settled(source).steps["result_exact"].tolist()


def test_the_report_sheets_come_over_with_charts_tables_and_print_titles(club):
    done = annotate(settled(club), club, lang="ru")
    book = open_book(done.path)
    assert len(book["Таблица"]._charts) == 1
    assert len(book["Ход сезона"]._charts) == 1
    assert book["Расчёт"].print_title_rows == "$1:$1"
    assert book["Расчёт"].freeze_panes == "E2"
    assert len(members(done.path, r"xl/tables/")) >= 6


@pytest.mark.clients
@pytest.mark.parametrize("fixture", ["club", "forms"])
def test_microsofts_validator_finds_nothing_new(fixture, request):
    source = request.getfixturevalue(fixture)
    done = annotate(settled(source, stake="0.5"), source, live=True)
    assert sdk_findings(done.path) <= sdk_findings(source)


@pytest.mark.clients
def test_libreoffice_opens_it_and_recalculates_live_results_to_the_same(club, tmp_path):
    season = settled(club)
    done = annotate(season, club, live=True, lang="ru")
    sheet = open_book(done.path)["Январь"]
    letter = sheet.cell(4, column(sheet, "Итог", 4)).column_letter
    steps = season.steps[season.steps["game"].astype(str).str.startswith("Янв")]
    names = [f"{letter}{row}" for row in range(5, 5 + len(steps))]
    with LibreOffice(tmp_path / "profile") as office:
        assert office.read(office.open(done.path), "Январь", names) == steps["result"].tolist()


def test_ticks_and_results_of_a_workbook_with_a_sheet_of_no_part_are_found_again(club, tmp_path):
    # modules of Excel 5 are listed so to this day, and calamine opens no such workbook
    odd = tmp_path / "odd.xlsx"
    with zipfile.ZipFile(club) as package, zipfile.ZipFile(odd, "w") as copy:
        for name in package.namelist():
            text = package.read(name)
            if name == "xl/workbook.xml":
                text = text.replace(b"</sheets>", b'<sheet name="Module1" sheetId="99" r:id=""/></sheets>')
            copy.writestr(name, text)
    source, made = odd, []
    for number in "123":
        made.append(tmp_path / number / "odd.xlsx")
        made[-1].parent.mkdir()
        annotate(settled(source, stake="0.5"), source, made[-1], lang="ru", live=True, when=WHEN)
        if number == "1":
            type_text(made[-1], "Платежи", "E7", "✓")
        source = made[-1]
    assert [entry for entry in read_carried(made[1]).entries.values() if "✓" in entry.values()]
    assert made[1].read_bytes() == made[2].read_bytes()


def test_days_of_a_workbook_that_counts_from_1904_are_the_same_days_in_the_report(club, tmp_path):
    mac, book = tmp_path / "mac.xlsx", openpyxl.load_workbook(club)
    book.epoch = CALENDAR_MAC_1904
    book.save(mac)
    days = {}
    for path in (club, mac):
        first = annotate(settled(path, stake="0.5"), path, tmp_path / "1.xlsx", lang="ru", overwrite=True).path
        row = next(number for number, cells in enumerate(rows(first, "Платежи"), 1) if isinstance(cells[0], datetime))
        type_text(first, "Платежи", f"E{row}", "✓")
        done = annotate(settled(first, stake="0.5"), first, lang="ru", in_place=True, overwrite=True)
        assert done.lost == ()
        assert open_book(first)["Платежи"][f"E{row}"].value == "✓"
        days[path] = [
            cell for sheet in ("Расчёт", "Платежи", "Ход сезона") for cells in rows(first, sheet) for cell in cells[:3]
        ]
        shutil.copy(first, tmp_path / f"{path.stem}-1.xlsx")
    assert sum(isinstance(one, datetime) for one in days[club]) > 20
    assert days[mac] == days[club]
