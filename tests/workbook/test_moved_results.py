"""Results that a program which moves no names has moved, copied or deleted, and sheets of ours that are gone."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName

from prefxl.rules.single import settle_sheet
from tests.workbook.reading import open_book, rows
from tests.workbook.test_annotate import GAMES, OURS, scores
from tests.workbook.test_users_edits import edited, run

HEADINGS = ["Игрок", "Пуля", "Гора", "Висты на 1", "Висты на 2", "Висты на 3"]
# a form: its caption, its headings, three players, two blank rows; results stand in G, the check in H
STEP, RESULT, CHECK = 7, 7, 8


@pytest.fixture
def forms(tmp_path):
    """Return a settled workbook with four forms one below the other."""
    path, numbers = tmp_path / "forms.xlsx", random.Random(3)
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Бланки"
    for form in range(4):
        sheet.append([f"Игра {form + 1}"])
        sheet.append(HEADINGS)
        for own, name in enumerate(["Аня", "Боря", "Вера"]):
            whists = [None if own == other else 2 * numbers.randint(0, 60) for other in range(3)]
            # of three players the third part of whole points is whole
            sheet.append([name, 20, 6 * numbers.randint(0, 10), *whists])
        sheet.append([])
        sheet.append([])
    book.save(path)
    return run(path, tmp_path / "done.xlsx", stake=None).path


def again(path: Path) -> Path:
    return run(path, path.with_name("again.xlsx"), stake=None).path


def expected(path: Path) -> dict[int, float]:
    """Return the result that is to stand in each row of a player."""
    sheet, found = open_book(path)["Бланки"], {}
    for cells in sheet.iter_rows():
        texts = [cell.value for cell in cells]
        if "Игрок" in texts:
            left, top = cells[texts.index("Игрок")].column, cells[0].row
            lines = [[sheet.cell(top + 1 + own, left + at).value or 0 for at in range(6)] for own in range(3)]
            pulya, gora = ([line[at] for line in lines] for at in (1, 2))
            results = settle_sheet(pulya, gora, [line[3:] for line in lines], convention="leningrad").result
            found |= {top + 1 + own: float(result) for own, result in enumerate(results)}
    return found


def results(path: Path, heading: str = "Итог") -> dict[int, float]:
    """Return what stands below the headings of ours, of which a form must have one."""
    sheet, found, at = open_book(path)["Бланки"], {}, None
    for cells in sheet.iter_rows():
        ours = [cell.column for cell in cells if cell.value == heading]
        assert len(ours) <= 1, f"row {cells[0].row} has {heading} in {ours}"
        at = ours[0] if ours else at
        if at is not None and not ours and sheet.cell(cells[0].row, at).value is not None:
            found[cells[0].row] = sheet.cell(cells[0].row, at).value
    return found


def shown(path: Path) -> list[list[object]]:
    """Return the sheet of games, numbers as a person sees them: openpyxl keeps a digit less than there was."""
    return [[round(one, 6) if isinstance(one, float) else one for one in row] for row in rows(path, "Партии")]


def told(path: Path) -> list[str]:
    """Return what was found."""
    return [str(row[1]) for row in rows(path, "Замечания")]


EDITS = {
    "a row between the first and the second form": lambda sheet: sheet.insert_rows(7),
    "rows before the last form": lambda sheet: sheet.insert_rows(21, 3),
    "a blank row deleted": lambda sheet: sheet.delete_rows(14),
    "the second form deleted": lambda sheet: sheet.delete_rows(8, STEP),
    "the first form deleted": lambda sheet: sheet.delete_rows(1, STEP),
    "a column between results and check": lambda sheet: sheet.insert_cols(CHECK, 2),
    "a column before the results": lambda sheet: sheet.insert_cols(RESULT),
    "a column before the table": lambda sheet: sheet.insert_cols(1),
    "the column of results deleted": lambda sheet: sheet.delete_cols(RESULT),
    "the check deleted": lambda sheet: sheet.delete_cols(CHECK),
}


@pytest.mark.parametrize("edit", EDITS)
def test_results_of_several_forms_are_found_where_a_program_that_moves_no_names_has_put_them(forms, edit):
    with edited(forms) as book:
        EDITS[edit](book["Бланки"])
    done = again(forms)
    assert results(done) == expected(done)
    assert set(results(done, "Проверка").values()) == {0}
    assert "Проверка" not in rows(done, "Расчёт")[0]
    assert rows(done, "Замечания") == rows(forms, "Замечания")


def test_a_number_of_the_users_below_moved_results_stays(forms):
    with edited(forms) as book:
        sheet = book["Бланки"]
        sheet.insert_rows(14, 2)
        sheet.cell(14, RESULT).value = 123456
        sheet.cell(13, CHECK).value = "не забыть"
    done = open_book(again(forms))["Бланки"]
    assert done.cell(14, RESULT).value == 123456
    assert done.cell(13, CHECK).value == "не забыть"


@pytest.mark.parametrize("gone", OURS)
def test_a_sheet_of_the_users_is_never_taken_for_a_report_sheet_that_was_deleted(forms, gone):
    with edited(forms) as book:
        del book[gone]
    before = rows(forms, "Бланки")
    done = again(forms)
    assert rows(done, "Бланки") == before
    assert sorted(open_book(done).sheetnames) == sorted(["Бланки", *OURS])


@pytest.mark.parametrize("gone", OURS[::3])
def test_a_sheet_onto_which_the_user_copied_one_of_ours_before_deleting_it_is_theirs(forms, gone):
    with edited(forms) as book:
        mine = book.create_sheet("Моё", 0)
        mine.append(["моё"])
        for row in book[gone].iter_rows(min_row=2, values_only=True):
            mine.append(row)
        del book[gone]
    before = rows(forms, "Моё")
    assert rows(again(forms), "Моё") == before


@pytest.mark.parametrize("copied", ["Таблица", "Правила"])
def test_a_copy_of_a_report_sheet_that_has_names_of_its_own_is_the_users(forms, copied):
    title = f"{copied} в мае"
    with edited(forms) as book:
        copy = book.copy_worksheet(book[copied])
        copy.title = title
        for name, one in book.defined_names.items():
            if f"{copied}'!" in one.attr_text and name.startswith("_prefxl.sheet"):
                copy.defined_names[name] = DefinedName(name, attr_text=f"'{title}'!$A$1", hidden=True)
    before = rows(forms, title)
    first = again(forms)
    assert rows(first, title) == before
    second = run(first, forms.with_name("third.xlsx"), stake=None).path
    assert told(second) == told(first)


def test_results_on_a_copy_of_a_sheet_of_games_are_replaced_where_they_stand(forms):
    with edited(forms) as book:
        copy = book.copy_worksheet(book["Бланки"])
        copy.title = "Копия"
        copy["C3"] = 98
        for name, one in list(book.defined_names.items()):
            if "Бланки" in one.attr_text:
                copy.defined_names[name] = DefinedName(
                    name, attr_text=one.attr_text.replace("Бланки", "Копия"), hidden=True
                )
    done = again(forms)
    assert results(done) == expected(done)
    first, second = rows(done, "Бланки"), rows(done, "Копия")
    assert [row[:6] for row in second] == [
        row[:6] if at != 2 else [*row[:2], 98, *row[3:6]] for at, row in enumerate(first)
    ]
    assert {len(row) for row in second} == {len(row) for row in first}
    assert second[2][RESULT - 1] != first[2][RESULT - 1]


def test_what_the_user_writes_between_results_does_not_move_them(tmp_path):
    source = tmp_path / "club.xlsx"
    scores(source, GAMES)
    with edited(source) as book:
        # a blank row among the games
        book["Партии"].insert_rows(3)
    path = run(source, tmp_path / "done.xlsx").path
    with edited(path) as book:
        book["Партии"]["R3"] = "перерыв"
    before = shown(path)
    for _ in range(3):
        run(path)
        assert shown(path) == before


@pytest.mark.parametrize("at", [3, 17])
def test_a_column_of_the_users_onto_which_results_leave_their_marks_stays_theirs(tmp_path, at):
    source = tmp_path / "club.xlsx"
    scores(source, GAMES)
    with edited(source) as book:
        for row, text in enumerate(["Кто вёл", "Аня", "Боря", "Вера"], 1):
            book["Партии"].cell(row, 17, text)
    path = run(source, tmp_path / "done.xlsx").path
    before = rows(path, "Расчёт")
    with edited(path) as book:
        book["Партии"].insert_cols(at)
    run(path)
    assert rows(path, "Расчёт") == before
    assert open_book(path)["Партии"]["R1"].comment is None


def blocks(sheet: Any) -> list[list[object]]:
    """Return the rows from our results on, which stand in other columns below each heading."""
    found, at = [], None
    # but for captions and blank rows
    for cells in sheet.iter_rows(values_only=True):
        at = cells.index("Итог") if "Итог" in cells else at
        if at is not None and len([*filter(None, cells)]) > 1:
            found.append(
                [round(cell, 6) if isinstance(cell, float) else cell for cell in cells[at:] if cell is not None]
            )
    return found


def fill(sheet: Any, tables: Sequence[int], numbers: random.Random) -> None:
    """Write forms one below the other, of so many players each."""
    for players in tables:
        sheet.append([f"Игра {players}"])
        sheet.append(["Игрок", "Пуля", "Гора", *(f"Висты на {seat}" for seat in range(1, players + 1))])
        for own, name in enumerate(["Аня", "Боря", "Вера", "Гена"][:players]):
            whists = [None if own == other else 2 * numbers.randint(0, 60) for other in range(players)]
            sheet.append([name, 20, 12 * numbers.randint(0, 10), *whists])
        sheet.append([])


@pytest.fixture
def table_sizes(tmp_path):
    """Return settled forms of two, four and three players, on three worksheets."""
    path, numbers = tmp_path / "forms.xlsx", random.Random(5)
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title in ("Январь", "Февраль", "Март"):
        fill(book.create_sheet(title), (3, 2, 4, 3), numbers)
    book.save(path)
    return run(path, tmp_path / "done.xlsx", stake="1").path


@pytest.mark.parametrize(
    "edit",
    [lambda sheet: sheet.insert_cols(3), lambda sheet: sheet.insert_rows(9, 2)],
)
def test_results_in_other_columns_below_each_heading_are_found_after_rows_or_columns_were_inserted(table_sizes, edit):
    before = blocks(open_book(table_sizes)["Февраль"])
    with edited(table_sizes) as book:
        edit(book["Февраль"])
    done = run(table_sizes, table_sizes.with_name("again.xlsx"), stake="1")
    assert done.lost == ()
    assert blocks(open_book(done.path)["Февраль"]) == before


def test_results_are_found_below_a_row_that_was_inserted_though_scores_stand_in_the_columns_of_others(tmp_path):
    path = tmp_path / "forms.xlsx"
    book = openpyxl.Workbook()
    book.active.title = "Январь"
    fill(book.active, (4, 2, 3), random.Random(5))
    book.save(path)
    path = run(path, tmp_path / "done.xlsx", stake="1").path
    with edited(path) as book:
        book["Январь"].insert_rows(10)
    run(path, stake=None)
    assert [row.count("Проверка") for row in rows(path, "Январь")] == [
        int(row[0] == "Игрок") for row in rows(path, "Январь")
    ]


@pytest.mark.parametrize("renamed", [["Февраль"], ["Январь", "Февраль", "Март"]])
def test_results_on_worksheets_that_a_program_which_moves_no_names_has_renamed_are_replaced(table_sizes, renamed):
    before = [rows(table_sizes, title) for title in ("Январь", "Февраль", "Март")]
    with edited(table_sizes) as book:
        for title in renamed:
            book[title].title = f"{title} 2026"
        titles = book.sheetnames[:3]
    done = run(table_sizes, table_sizes.with_name("again.xlsx"), stake="1")
    assert done.lost == ()
    assert [rows(done.path, title) for title in titles] == before


def test_results_of_a_worksheet_that_was_deleted_are_not_looked_for_among_those_of_others(table_sizes):
    with edited(table_sizes) as book:
        del book["Январь"]
        titles = book.sheetnames[:2]
    before = [rows(table_sizes, title) for title in titles]
    done = run(table_sizes, table_sizes.with_name("again.xlsx"), stake="1")
    assert done.lost == ()
    assert [rows(done.path, title) for title in titles] == before


def delete_row(book: Any, title: str, gone: int) -> None:
    """Delete a row as a program does that moves names along."""
    book[title].delete_rows(gone)
    for name in book.defined_names.values():
        kept = []
        for area in name.attr_text.split(",") if title in name.attr_text else ():
            sheet, column, first, _, last = re.fullmatch(r"(.*!)(\$[A-Z]+\$)(\d+)(:\$[A-Z]+\$(\d+))?", area).groups()
            first, last = int(first), int(last or first)
            if not first == last == gone:
                kept.append(f"{sheet}{column}{first - (first > gone)}:{column.rstrip('$')}${last - (last >= gone)}")
        name.attr_text = ",".join(kept) or name.attr_text


def test_results_whose_row_of_headings_was_deleted_are_not_left_behind(forms):
    with edited(forms) as book:
        delete_row(book, "Бланки", 2)
    sheet = open_book(again(forms))["Бланки"]
    # the rows of a form that is none any longer
    assert [sheet.cell(row, column).value for row in (2, 3, 4) for column in (RESULT, CHECK)] == [None] * 6
    assert [sheet.cell(row, RESULT).value for row in (8, 15, 22)] == ["Итог"] * 3


def test_results_among_which_their_own_headings_were_sorted_are_replaced(tmp_path):
    source = tmp_path / "club.xlsx"
    scores(source, GAMES)
    path = run(source, tmp_path / "done.xlsx").path
    with edited(path) as book:
        sheet = book["Партии"]
        for first, third in zip(sheet[1], sheet[3], strict=True):
            first.value, third.value = third.value, first.value
    sheet = open_book(run(path, tmp_path / "again.xlsx").path)["Партии"]
    assert [cell.value for cell in sheet["Q1:W1"][0]] == [None] * 7
    assert str(sheet["Q3"].value).startswith("Итог")
