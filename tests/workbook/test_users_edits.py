"""What the user does to a settled workbook between two runs, and that none of it is lost."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill

from prefxl.games import read
from prefxl.workbook.annotate import Annotated, annotate
from tests.workbook.reading import open_book, rows
from tests.workbook.test_annotate import GAMES, scores

WHEN = datetime(2026, 2, 1, 12, 30)
# a wide sheet of three players: results stand in Q to S, money in T to V, the check in W
RESULT, LAST = "Q", "W"


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "club.xlsx"
    scores(path, GAMES)
    return path


def run(path: Path, target: Path | None = None, **options: Any) -> Annotated:
    into = {"target": target} if target is not None else {"in_place": True}
    season = read(path).settle("leningrad", stake=options.pop("stake", "0.5"))
    return annotate(season, path, lang="ru", when=WHEN, **into, **options)


@contextlib.contextmanager
def edited(path: Path) -> Iterator[Any]:
    book = openpyxl.load_workbook(path)
    yield book
    book.save(path)


def settled_copy(source: Path) -> Path:
    return run(source, source.with_name("done.xlsx")).path


def headings(path: Path, sheet: str = "Партии") -> list[str]:
    return [cell.value for cell in open_book(path)[sheet][1] if cell.value is not None]


def notes(path: Path) -> dict[str, str]:
    return {
        cell.coordinate: cell.comment.text
        for row in open_book(path)["Партии"].iter_rows()
        for cell in row
        if cell.comment is not None
    }


def rewritten(path: Path, part: str, change: Any) -> None:
    with zipfile.ZipFile(path) as package:
        members = {info: package.read(info) for info in package.infolist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for info, data in members.items():
            package.writestr(info, change(data) if re.fullmatch(part, info.filename) else data)


# -- notes


def test_notes_are_told_apart_whoever_their_author_is_said_to_be(source):
    path = settled_copy(source)
    with edited(path) as book:
        book["Партии"]["A2"].comment = Comment("на пуле", "я")
        book["Партии"]["R3"].comment = Comment("моя поверх вашей", "я")
    # as LibreOffice saves it: the authors are numbered anew
    rewritten(
        path,
        r"xl/comments/comment1\.xml",
        lambda data: data.replace(b">prefxl<", b">Unknown Author<").replace("я</author>".encode(), b"prefxl</author>"),
    )
    again = notes(run(path).path)
    assert (again["A2"], again["R3"]) == ("на пуле", "моя поверх вашей")
    assert again["Q2"].startswith("Аня: ")
    assert len(again) == 10


@pytest.mark.clients
def test_notes_results_and_sheets_are_known_again_after_libreoffice_has_saved_the_workbook(source, tmp_path):
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice is not installed")
    with edited(source) as book:
        book["Партии"]["A2"].comment = Comment("на пуле", "я")
    path = settled_copy(source)
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = [office, profile, "--headless", "--convert-to", "xlsx", "--outdir", str(tmp_path / "saved"), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    saved = tmp_path / "saved" / path.name
    done = run(saved)
    assert done.lost == ()
    assert headings(saved) == headings(path)
    assert notes(saved)["A2"] == "на пуле"
    assert len(notes(saved)) == 10
    assert done.report.removed_notes == 9


def test_a_note_of_ours_that_the_user_has_added_to_stays(source):
    path = settled_copy(source)
    with edited(path) as book:
        cell = book["Партии"]["Q2"]
        cell.comment = Comment(cell.comment.text + "\nне согласен", "prefxl")
    assert notes(run(path).path)["Q2"].endswith("не согласен")


def test_a_workbook_whose_note_was_saved_by_openpyxl_is_settled_again(source):
    with edited(source) as book:
        book["Партии"]["A2"].comment = Comment("моя", "я")
    path = settled_copy(source)
    with edited(path):
        pass
    assert notes(run(path).path)["A2"] == "моя"


# -- columns


def moved_names(book: Any, **moves: str) -> None:
    """Move the names' references as Excel and LibreOffice do, which openpyxl does not."""
    for name, defined in book.defined_names.items():
        if name.startswith("_prefxl."):
            for old, new in moves.items():
                defined.attr_text = re.sub(rf"(?<=\$){old}(?=\$)", f"#{new}", defined.attr_text)
            defined.attr_text = defined.attr_text.replace("#", "")


def test_a_column_inserted_between_ours_stays(source):
    path = settled_copy(source)
    with edited(path) as book:
        sheet = book["Партии"]
        sheet.insert_cols(18)
        sheet["R1"], sheet["R3"], sheet["R4"] = "моя", "вставка", 30
        moved_names(book, R="S", S="T", T="U", U="V", V="W", W="X")
    done = run(path)
    sheet = open_book(done.path)["Партии"]
    assert [sheet[cell].value for cell in ("R1", "R3", "R4")] == ["моя", "вставка", 30]
    assert headings(done.path)[16:] == ["Итог Аня", "моя", *headings(source.with_name("done.xlsx"))[18:]]
    assert done.lost == ()


def test_what_is_typed_over_a_result_stays_and_is_told(source):
    path = settled_copy(source)
    with edited(path) as book:
        sheet = book["Партии"]
        sheet["Q3"], sheet["R4"], sheet["S1"], sheet["Q9"] = 999, "не забыть", "Мой заголовок", "под ними"
    for _ in range(2):
        done = run(path)
        sheet = open_book(path)["Партии"]
        assert [sheet[cell].value for cell in ("Q3", "R4", "S1", "Q9")] == [
            999,
            "не забыть",
            "Мой заголовок",
            "под ними",
        ]
        assert [line.partition(":")[0] for line in done.lost] == ["Партии!S1", "Партии!Q3", "Партии!R4"]
        assert "«999»" in done.lost[1]
        assert any("«не забыть»" in str(row[1]) for row in rows(path, "Правила"))
        assert sheet["Q1"].value == "Итог Аня"
        assert sheet.max_column == 23


def test_what_stands_below_our_columns_from_the_first_is_no_news_in_the_second_run(source):
    with edited(source) as book:
        book["Партии"]["R8"], book["Партии"]["S8"] = 1, "итого"
    first = run(source, source.with_name("done.xlsx")).path
    before = rows(first, "Замечания"), sorted(notes(first))
    run(first)
    assert (rows(first, "Замечания"), sorted(notes(first))) == before


def test_a_cleared_cell_gets_its_result_again(source):
    path = settled_copy(source)
    before = open_book(path)["Партии"]["Q3"].value
    for value in (999, None):
        with edited(path) as book:
            book["Партии"]["Q3"] = value
        done = run(path)
    assert open_book(path)["Партии"]["Q3"].value == before
    assert done.lost == ()


@pytest.mark.parametrize("way", ["row inside", "row above", "column before", "sheet renamed"])
def test_results_are_known_again_after_a_program_that_moves_no_names(source, way):
    path = settled_copy(source)
    before = headings(path)
    with edited(path) as book:
        sheet = book["Партии"]
        {
            "row inside": lambda: sheet.insert_rows(3),
            "row above": lambda: sheet.insert_rows(1),
            "column before": lambda: sheet.insert_cols(1),
            "sheet renamed": lambda: setattr(sheet, "title", "Май"),
        }[way]()
    done = run(path)
    sheet = open_book(done.path).worksheets[0]
    row = 2 if way == "row above" else 1
    texts = [cell.value for cell in sheet[row] if cell.value]
    assert texts.count("Проверка") == 1
    assert texts == before
    assert len([cell for line in sheet.iter_rows() for cell in line if cell.comment]) == 9
    assert done.lost == ()


def test_columns_of_the_users_are_not_taken_for_ours_when_some_of_ours_are_deleted(source):
    with edited(source) as book:
        book["Партии"]["R1"], book["Партии"]["R3"] = "Заметки", "своё"
    path = settled_copy(source)
    with edited(path) as book:
        book["Партии"].delete_cols(19, 2)
    done = run(path)
    sheet = open_book(done.path)["Партии"]
    assert [sheet[cell].value for cell in ("Q1", "R1", "R3", "R4")] == [None, "Заметки", "своё", None]
    assert [text for text in headings(done.path) if text == "Проверка"] == ["Проверка"]


def test_references_to_results_and_report_sheets_hold_after_the_next_run(source):
    path = settled_copy(source)
    with edited(path) as book:
        book["Платежи"].title = "Долги"
        book.defined_names["_prefxl.sheet.2"].attr_text = "'Долги'!$A$1"
        book.move_sheet("Таблица", -2)
        sheet = book["Партии"]
        sheet["X1"], sheet["X2"] = "Заметки", "своё"
        mine = book.create_sheet("Моё", 1)
        mine["A1"], mine["A2"] = "=Долги!D7*2", "=Партии!Q2"
    order = open_book(path).sheetnames
    done = run(path)
    book = open_book(done.path)
    assert book.sheetnames == order
    assert book["Долги"]["A1"].value == "Платежи"
    assert [book["Моё"][cell].value for cell in ("A1", "A2")] == ["=Долги!D7*2", "=Партии!Q2"]
    assert book["Партии"]["Q1"].value == "Итог Аня"
    assert book["Партии"]["X2"].value == "своё"
    # they read one result on purpose: that is no reason to warn
    assert done.lost == ()


def test_a_report_sheet_renamed_by_a_program_that_moves_no_names_is_known_by_its_content(source):
    path = settled_copy(source)
    with edited(path) as book:
        book["Платежи"].title = "Долги"
    names = open_book(run(path).path).sheetnames
    assert "Долги" in names
    assert "Платежи" not in names


def test_a_copy_of_a_report_sheet_is_the_users(source):
    path = settled_copy(source)
    with edited(path) as book:
        copy = book.copy_worksheet(book["Таблица"])
        copy.title = "Таблица в мае"
    assert "Таблица в мае" in open_book(run(path).path).sheetnames


def test_sums_that_take_our_columns_in_are_named(source):
    with edited(source) as book:
        book["Партии"]["A9"] = "=SUM(Партии!2:2)"
        book.create_sheet("Свод")["B2"] = "=SUM(Партии!A:XFD)"
    done = run(source, source.with_name("done.xlsx"))
    assert len(done.lost) == 1
    assert "A9" in done.lost[0]
    assert "Свод!B2" in done.lost[0]


def test_a_sum_that_ends_somewhere_is_not_fed(source):
    with edited(source) as book:
        book["Партии"]["A9"] = "=SUM(E2:AC2)"
    done = run(source, source.with_name("done.xlsx"))
    assert done.lost == ()
    assert done.plan.placements[0].area.first_column > 29


def test_two_tables_side_by_side_keep_their_columns(tmp_path):
    one, path = tmp_path / "a.xlsx", tmp_path / "b.xlsx"
    scores(one, GAMES)
    book = openpyxl.load_workbook(one)
    sheet = book["Партии"]
    for row in sheet.iter_rows(max_row=3):
        for cell in row:
            value = f"B{cell.value}" if cell.column == 1 and cell.row > 1 else cell.value
            sheet.cell(cell.row, cell.column + 18, value)
    book.save(path)
    first = run(path, tmp_path / "1.xlsx").path
    second = run(first, tmp_path / "2.xlsx").path
    assert headings(first) == headings(second)
    assert [cell.coordinate for cell in open_book(first)["Партии"][2]] == [
        cell.coordinate for cell in open_book(second)["Партии"][2]
    ]
    assert rows(second, "Замечания") == rows(first, "Замечания")


def test_a_full_row_is_told(source):
    with edited(source) as book:
        book["Партии"]["XFD2"] = "конец"
        book["Партии"]["R2"] = "мешает"
        for column in range(24, 16384, 6):
            book["Партии"].cell(2, column, "x")
    done = run(source, source.with_name("done.xlsx"))
    assert "нет свободных столбцов" in done.lost[0]
    assert any("нет свободных столбцов" in str(row[1]) for row in rows(done.path, "Правила"))


# -- our sheets


def test_what_is_typed_on_report_sheets_is_put_back_or_told_run_after_run(source):
    path = settled_copy(source)
    with edited(path) as book:
        book["Правила"]["D3"], book["Таблица"]["A40"] = "моя мысль", "итог года"
        book["Расчёт"]["Z2"], book["Расчёт"]["B3"] = "рядом", "поверх"
        book["Платежи"]["I2"] = "=SUM(D6:D9)"
    for _ in range(3):
        done = run(path)
        book = open_book(path)
        assert (book["Правила"]["D3"].value, book["Таблица"]["A40"].value) == ("моя мысль", "итог года")
        assert (book["Расчёт"]["Z2"].value, book["Платежи"]["I2"].value) == ("рядом", "=SUM(D6:D9)")
        assert [line for line in done.lost if "поверх" in line] == ["Расчёт!B3: поверх"]
    lines = [row[1] for row in rows(path, "Правила") if row[1] and "поверх" in str(row[1])]
    assert lines == ["Расчёт!B3: поверх"]


def test_what_is_typed_on_report_sheets_keeps_its_look_run_after_run(source):
    path = settled_copy(source)
    with edited(path) as book:
        sheet = book["Правила"]
        sheet["D3"], sheet["D4"], sheet["D5"] = "моя мысль", datetime(2026, 5, 1), "=1/3"
        sheet["D3"].font, sheet["D3"].fill = Font(bold=True, color="FF0000"), PatternFill("solid", fgColor="FFFF00")
        sheet["D4"].number_format, sheet["D5"].number_format = "dd.mm.yyyy", "0.0%"
    for _ in range(3):
        run(path)
        sheet = open_book(path)["Правила"]
        assert sheet["D3"].value == "моя мысль"
        assert (sheet["D3"].font.b, sheet["D3"].font.color.rgb, sheet["D3"].fill.fgColor.rgb) == (
            True,
            "00FF0000",
            "00FFFF00",
        )
        assert sheet["D4"].value == datetime(2026, 5, 1)
        assert (sheet["D4"].number_format, sheet["D5"].number_format) == ("dd.mm.yyyy", "0.0%")


def test_a_line_on_the_sheet_of_rules_that_the_user_deletes_does_not_come_back(source):
    path = settled_copy(source)
    with edited(path) as book:
        book["Расчёт"]["B3"] = "поверх"
    run(path)
    with edited(path) as book:
        next(row[1] for row in book["Правила"].iter_rows() if row[1].value == "Расчёт!B3: поверх").value = None
    assert run(path).lost == ()


def test_remarks_on_findings_survive_a_new_name_of_the_file(source):
    with edited(source) as book:
        book["Партии"]["E2"] = "12,5x"
    path = settled_copy(source)
    with edited(path) as book:
        sheet = book["Замечания"]
        column = next(cell.column for cell in sheet[4] if cell.value == "Ваша пометка")
        sheet.cell(5, column, "вижу")
    for _ in range(3):
        done = run(path)
        assert open_book(path)["Замечания"].cell(5, column).value == "вижу"
        assert done.lost == ()


def test_a_tick_stays_with_its_sum_a_remark_with_its_players_and_nothing_is_forgotten(source):
    path = settled_copy(source)
    with edited(path) as book:
        book["Платежи"]["E7"], book["Платежи"]["F7"] = True, "отдаст в мае"
    run(path)
    sheet = open_book(path)["Платежи"]
    assert (sheet["E7"].value, sheet["F7"].value) == (True, "отдаст в мае")
    for _ in range(3):
        done = run(path, stake="2")
        assert open_book(path)["Платежи"]["E7"].value is None
        assert open_book(path)["Платежи"]["F7"].value == "отдаст в мае"
        assert len(done.lost) == 1
        assert done.lost[0].endswith(": ✓")
