"""Sheets of a donor, with everything that belongs to them."""

from __future__ import annotations

import re

import pytest
import xlsxwriter

from prefxl.workbook.package import Refusal, WorkbookRefusedError, annotate, inspect, strip
from prefxl.workbook.package.renaming import Renaming, free_sheet_name
from tests.workbook.package.books import make, make_donor, opened, parts, repacked


def grafted(folder, feature="plain", names=("Таблица", "Правила")):
    source, target = make(folder, feature), folder / "out.xlsx"
    report = annotate(source, target, [], donor=make_donor(folder, *names))
    return opened(target), report


def test_sheets_come_last_and_in_their_order(tmp_path):
    book, report = grafted(tmp_path, "several", ("Расчёт", "Правила"))
    assert book.sheetnames == ["Партии", "Таблица", "Скрытый", "Диаграмма", "Расчёт", "Правила"]
    assert report.sheets == {"Расчёт": "Расчёт", "Правила": "Правила"}


def test_texts_numbers_and_formulas_come_with_their_looks(tmp_path):
    book, _ = grafted(tmp_path)
    sheet = book["Таблица"]
    assert [sheet.cell(2, column).value for column in (1, 2)] == ["Анна & Ко", 10.5]
    assert sheet["B2"].number_format == '#,##0.00 "₽"'
    assert sheet["B2"].font.b
    assert sheet["B6"].value == "=SUM(Table1[Сумма])"
    assert sheet.freeze_panes == "A2"
    assert sheet.print_title_rows == "$1:$1"
    assert sheet["B2"].comment.text.endswith("заметка донора")
    assert book["Правила"]["A1"].data_type == "s"


@pytest.mark.parametrize(
    ("part", "before", "after", "limit"),
    [
        ("xl/workbook.xml", rb'sheetId="1"', b'sheetId="65534"', 65_534),
        ("xl/tables/table1.xml", rb' id="1" name', b' id="4294967294" name', 2**32 - 2),
    ],
)
def test_numbers_at_their_limit_do_not_run_over_it(tmp_path, part, before, after, limit):
    source = make(tmp_path, "table")
    edited = repacked(
        source, tmp_path / "limit.xlsx", **{part.replace("/", "__"): parts(source)[part].replace(before, after, 1)}
    )
    annotate(edited, tmp_path / "out.xlsx", [], donor=make_donor(tmp_path, "Таблица", "Правила"))
    done = b"".join(text for name, text in parts(tmp_path / "out.xlsx").items() if name.startswith(part[:9]))
    numbers = [int(number) for number in re.findall(rb'(?:sheetId| id)="(\d+)"', done)]
    assert max(numbers) == limit
    ids = re.findall(rb'sheetId="(\d+)"', done) or re.findall(rb'<table [^>]* id="(\d+)"', done)
    assert len(ids) == len(set(ids)) > 1


def test_cached_values_come_too(tmp_path):
    grafted(tmp_path)
    assert opened(tmp_path / "out.xlsx", data_only=True)["Таблица"]["B6"].value == 63


def test_tables_charts_and_rules_come_too(tmp_path):
    book, _ = grafted(tmp_path)
    sheet = book["Таблица"]
    assert list(sheet.tables) == ["Table1"]
    (rule,) = next(iter(sheet.conditional_formatting)).rules
    assert rule.dxf.font.color.rgb == "FF9C0006"
    assert len(sheet._charts) == 1


@pytest.mark.parametrize("width", [3, 2000], ids=["many rows", "a long first row"])
def test_a_large_sheet_comes_over_and_is_known_again(tmp_path, monkeypatch, width):
    monkeypatch.setattr("prefxl.workbook.package.graft.MOST_BYTES", 5000)
    monkeypatch.setattr("prefxl.workbook.package.our_sheets._TOP_BYTES", 2000)
    with xlsxwriter.Workbook(str(tmp_path / "donor.xlsx")) as book:
        sheet = book.add_worksheet("Расчёт")
        for row in range(600 // width + 1):
            sheet.write_row(row, 0, [f"Столбец {column}" if not row else row * column for column in range(width)])
    source, one, two = make(tmp_path), tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    annotate(source, one, [], donor=tmp_path / "donor.xlsx")
    assert opened(one)["Расчёт"]["B1"].value == "Столбец 1"
    (ours,) = inspect(one).our_sheets
    assert (ours.name, ours.typed) == ("Расчёт", ())
    assert strip(one, two).removed_sheets == ["Расчёт"]


def test_a_taken_sheet_name_gets_a_number_and_everything_follows(tmp_path):
    book, report = grafted(tmp_path, "several", ("Таблица", "Правила"))
    assert report.sheets["Таблица"] == "Таблица (2)"
    assert book["Правила"]["A2"].value == "='Таблица (2)'!B2"
    assert book["Правила"]["A3"].hyperlink.location == "'Таблица (2)'!A1"
    chart = next(text for name, text in parts(tmp_path / "out.xlsx").items() if name.endswith("charts/chart2.xml"))
    assert set(re.findall("<c:f>([^!]*)!", chart.decode())) == {"'Таблица (2)'"}


def test_names_come_too_and_follow(tmp_path):
    book, _ = grafted(tmp_path, "several")
    assert book.defined_names["Суммы"].attr_text == "'Таблица (2)'!$B$2:$B$4"


def test_a_taken_table_name_gets_a_number_and_formulas_follow(tmp_path):
    book, _ = grafted(tmp_path, "several")
    (table,) = book["Таблица (2)"].tables.values()
    assert (table.displayName, table.id) == ("Table_2", 2)
    assert book["Таблица (2)"]["B6"].value == "=SUM(Table_2[Сумма])"


def test_indices_of_the_users_styles_stay(tmp_path):
    source = make(tmp_path, "rich")
    before = re.search(b"<cellXfs.*</cellXfs>", parts(source)["xl/styles.xml"], re.DOTALL)[0]
    annotate(source, tmp_path / "out.xlsx", [], donor=make_donor(tmp_path))
    after = parts(tmp_path / "out.xlsx")["xl/styles.xml"]
    assert before.split(b">", 1)[1].removesuffix(b"</cellXfs>") in after


def test_names_of_parts_do_not_clash(tmp_path):
    source = make(tmp_path, "objects")
    annotate(source, tmp_path / "out.xlsx", [], donor=make_donor(tmp_path))
    names = set(parts(tmp_path / "out.xlsx"))
    assert {"xl/charts/chart2.xml", "xl/drawings/drawing2.xml", "xl/worksheets/sheet3.xml"} <= names


def test_shape_ids_of_the_donor_are_in_a_block_of_their_own(tmp_path):
    source = make(tmp_path, "notes")
    annotate(source, tmp_path / "out.xlsx", [], donor=make_donor(tmp_path))
    drawings = {name: data for name, data in parts(tmp_path / "out.xlsx").items() if name.endswith(".vml")}
    blocks = [re.search(rb'data="(\d+)"', text)[1] for text in drawings.values()]
    assert sorted(blocks) == [b"1", b"2"]


def test_a_locked_structure_is_refused_before_anything_is_written(tmp_path):
    source = make(tmp_path)
    book = parts(source)["xl/workbook.xml"]
    lock = b'<workbookProtection lockStructure="1"/><bookViews>'
    locked = repacked(source, tmp_path / "locked.xlsx", xl__workbook_xml=None)
    repacked(source, locked, **{"xl/workbook.xml": book.replace(b"<bookViews>", lock)})
    with pytest.raises(WorkbookRefusedError, match="locked structure") as caught:
        annotate(locked, tmp_path / "out.xlsx", [], donor=make_donor(tmp_path))
    assert caught.value.refusal is Refusal.LOCKED
    assert caught.value.refusal.new_workbook_helps
    assert not (tmp_path / "out.xlsx").exists()


def test_a_sheet_name_has_at_most_31_characters():
    long = "О" * 40
    assert free_sheet_name(long, set()) == "О" * 31
    assert free_sheet_name(long, {"о" * 31}) == "О" * 27 + " (2)"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Старый!A1+'Старый'!B2", "'Новый'!A1+'Новый'!B2"),
        ('"Старый!"&Старый!A1', "\"Старый!\"&'Новый'!A1"),
        ("НеСтарый!A1", "НеСтарый!A1"),
        ("SUM(Т[x])", "SUM(У[x])"),
    ],
)
def test_formulas_follow_a_new_name(old, new):
    assert Renaming({"Старый": "Новый"}, {"Т": "У"}).formula(old) == new
