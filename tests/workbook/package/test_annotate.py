"""What is asked for is placed, and everything that was there stays."""

from __future__ import annotations

import datetime
import zipfile
from decimal import Decimal

import numpy as np
import openpyxl
import pytest

from prefxl.errors import FileInTheWayError, OptionError
from prefxl.workbook.package import CellChange, ColumnChange, Mark, Reason, SheetChange, StyleRole, annotate, inspect
from tests.workbook.package.books import (
    FEATURES,
    MAIN,
    changes,
    make,
    make_donor,
    opened,
    parts,
    raw_package,
    values,
)

UNTOUCHED = ("xl/sharedStrings.xml", "xl/theme/theme1.xml", "docProps/app.xml", "docProps/core.xml")


def annotated(folder, cells=(), marks=(), feature="plain", **options):
    source = make(folder, feature)
    target = folder / "out.xlsx"
    report = annotate(source, target, [SheetChange("Партии", cells, marks, **options)])
    return opened(target)["Партии"], report


@pytest.mark.parametrize("feature", FEATURES)
def test_every_earlier_value_and_every_other_part_stays(tmp_path, feature):
    source, target = make(tmp_path, feature), tmp_path / "out.xlsx"
    before = values(source)
    report = annotate(source, target, changes(source), donor=make_donor(tmp_path))
    after = values(target)
    for sheet, cells in before.items():
        assert {name: after[sheet].get(name) for name in cells} == cells
    assert not [item for item in report.not_placed if item.what != "note"]
    old, new = parts(source), parts(target)
    allowed = {"[Content_Types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml"}
    allowed |= {"xl/worksheets/sheet1.xml", "xl/worksheets/_rels/sheet1.xml.rels"}
    allowed |= {"xl/comments1.xml", "xl/drawings/vmlDrawing1.vml"}
    assert {name for name in old if old[name] != new.get(name)} <= allowed


def test_members_keep_their_order_their_dates_and_their_compressed_bytes(tmp_path):
    source, target = make(tmp_path, "objects"), tmp_path / "out.xlsx"
    annotate(source, target, changes(source))
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target) as new:
        names = old.namelist()
        assert new.namelist()[: len(names)] == names
        for name in UNTOUCHED:
            before, after = old.getinfo(name), new.getinfo(name)
            assert (before.date_time, before.compress_size) == (after.date_time, after.compress_size)
        assert new.testzip() is None


def test_only_the_sheet_asked_for_changes(tmp_path):
    source, target = make(tmp_path, "several"), tmp_path / "out.xlsx"
    annotate(source, target, [SheetChange("Партии", [CellChange(2, 7, 1)])])
    old, new = parts(source), parts(target)
    assert {name for name in old if old[name] != new[name]} == {"xl/worksheets/sheet1.xml", "xl/workbook.xml"}


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (7, 7),
        (-36.25, -36.25),
        (Decimal("0.1"), 0.1),
        (True, True),
        ("текст", "текст"),
        ("=1+1", "=1+1"),
        ("  пробелы \n и строка ", "  пробелы \n и строка "),
        ("<&>\"'", "<&>\"'"),
        (datetime.date(2025, 3, 1), datetime.datetime(2025, 3, 1)),
        (datetime.datetime(2025, 3, 1, 18, 30), datetime.datetime(2025, 3, 1, 18, 30)),
    ],
)
def test_a_value_is_read_back_as_it_was_given(tmp_path, value, read):
    sheet, report = annotated(tmp_path, [CellChange(2, 7, value)])
    assert sheet["G2"].value == read
    assert report.cells == 1


def test_a_text_that_looks_like_a_formula_stays_text(tmp_path):
    sheet, _ = annotated(tmp_path, [CellChange(2, 7, "=1+1")])
    assert sheet["G2"].data_type == "s"
    assert sheet["G2"].quotePrefix


def test_a_formula_has_its_value_with_it(tmp_path):
    _, report = annotated(tmp_path, [CellChange(2, 7, formula="=C2*2", cached=4)])
    assert report.cells == 1
    assert opened(tmp_path / "out.xlsx", data_only=True)["Партии"]["G2"].value == 4
    assert opened(tmp_path / "out.xlsx")["Партии"]["G2"].value == "=C2*2"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), Decimal("Infinity"), datetime.date(1850, 1, 1)])
def test_what_no_cell_can_hold_is_reported(tmp_path, value):
    sheet, report = annotated(tmp_path, [CellChange(2, 7, value, note="и примечание")])
    assert sheet["G2"].value is None
    assert [(item.what, item.reason) for item in report.not_placed] == [("cell", Reason.BAD_VALUE)]
    assert report.notes == 0


def test_a_heading_takes_the_look_of_another_heading(tmp_path):
    sheet, _ = annotated(tmp_path, [CellChange(1, 7, "Итог", style=StyleRole(like="A1"))])
    assert sheet["G1"].font.b
    assert sheet["G1"].fill.fgColor.rgb == "FFDDEEFF"
    assert sheet["G1"].border.left.style == "thin"


def test_a_role_changes_only_what_it_names(tmp_path):
    role = StyleRole(like="A1", number_format="0.00", italic=True, color="9C0006", align="right", wrap=True)
    sheet, _ = annotated(tmp_path, [CellChange(2, 7, 1.5, style=role)])
    cell = sheet["G2"]
    assert (cell.number_format, cell.font.i, cell.font.b, cell.font.color.rgb) == ("0.00", True, True, "FF9C0006")
    assert (cell.alignment.horizontal, cell.alignment.wrap_text) == ("right", True)
    assert cell.fill.fgColor.rgb == "FFDDEEFF"


def test_a_cell_without_a_role_takes_the_look_of_its_column_or_row(tmp_path):
    sheet, _ = annotated(tmp_path, [CellChange(2, 6, 1), CellChange(3, 8, 2)], feature="plain")
    assert sheet["F2"].number_format == "General"
    folder = tmp_path / "rules"
    folder.mkdir()
    sheet, _ = annotated(folder, [CellChange(4, 6, 1), CellChange(3, 8, 2)], feature="rules")
    assert sheet["F4"].number_format == "0.000"
    assert sheet["H3"].font.i


def test_a_mark_changes_the_fill_and_nothing_else(tmp_path):
    sheet, report = annotated(tmp_path, marks=[Mark(1, 1, "FFC7CE", "Почему")])
    cell = sheet["A1"]
    assert (cell.value, cell.font.b, cell.border.left.style) == ("Игра", True, "thin")
    assert cell.fill.fgColor.rgb == "FFFFC7CE"
    assert (cell.comment.text, cell.comment.author) == ("Почему", "prefxl")
    assert (report.tints, report.notes) == (1, 1)


def test_a_mark_on_a_cell_that_is_not_there_makes_an_empty_one(tmp_path):
    sheet, _ = annotated(tmp_path, marks=[Mark(9, 9, "FFC7CE")])
    assert sheet["I9"].value is None
    assert sheet["I9"].fill.fgColor.rgb == "FFFFC7CE"


def test_a_note_of_the_users_stays_and_ours_is_reported(tmp_path):
    sheet, report = annotated(tmp_path, marks=[Mark(2, 2, "FFC7CE", "наше")], feature="notes")
    assert sheet["B2"].comment.text.endswith("Замечание пользователя")
    assert sheet["B2"].fill.fgColor.rgb == "FFFFC7CE"
    assert [(item.what, item.reason) for item in report.not_placed] == [("note", Reason.NOTE_THERE)]


def test_notes_join_those_that_are_there(tmp_path):
    sheet, report = annotated(tmp_path, marks=[Mark(3, 2, None, "наше")], feature="notes")
    assert sheet["B3"].comment.text == "наше"
    assert report.notes == 1
    drawing = parts(tmp_path / "out.xlsx")["xl/drawings/vmlDrawing1.vml"]
    assert drawing.startswith(parts(tmp_path / "notes.xlsx")["xl/drawings/vmlDrawing1.vml"].removesuffix(b"</xml>"))


@pytest.mark.parametrize(
    ("feature", "row", "column", "reason"),
    [
        ("plain", 2, 1, Reason.OCCUPIED),
        ("formulas", 2, 6, Reason.OCCUPIED),
        ("formulas", 5, 7, Reason.OCCUPIED),
        ("table", 2, 7, Reason.IN_MERGED),
        ("table", 2, 9, Reason.IN_TABLE),
        ("rules", 2, 6, Reason.UNDER_OBJECT),
        ("objects", 3, 13, Reason.UNDER_OBJECT),
        ("objects", 31, 6, Reason.UNDER_OBJECT),
        ("plain", 0, 1, Reason.OFF_GRID),
        ("plain", 2, 16_385, Reason.OFF_GRID),
    ],
)
def test_nothing_is_written_over_anything(tmp_path, feature, row, column, reason):
    _, report = annotated(tmp_path, [CellChange(row, column, "наше")], feature=feature)
    assert [item.reason for item in report.not_placed] == [reason]
    assert report.cells == 0


def test_of_two_values_for_a_cell_the_first_counts(tmp_path):
    sheet, report = annotated(tmp_path, [CellChange(2, 7, 1), CellChange(2, 7, 2)])
    assert sheet["G2"].value == 1
    assert [item.reason for item in report.not_placed] == [Reason.TWICE]


def test_a_sheet_that_is_not_there_is_reported(tmp_path):
    source = make(tmp_path)
    report = annotate(source, tmp_path / "out.xlsx", [SheetChange("Нет такого", [CellChange(1, 1, 1)])])
    assert [item.reason for item in report.not_placed] == [Reason.NO_SHEET]
    assert report.not_placed[0].reason.ru == "нет такого листа"


def test_a_new_row_is_inserted_where_it_belongs(tmp_path):
    sheet, _ = annotated(tmp_path, [CellChange(row, 7, row) for row in (1, 8, 300)], feature="rich")
    assert [row for row in range(1, 301) if sheet.cell(row, 7).value is not None] == [1, 8, 300]


def test_widths_are_set_for_our_columns_alone(tmp_path):
    sheet, _ = annotated(tmp_path, [CellChange(2, 7, 1)], feature="rules", column_widths={7: 14, 8: 20})
    assert sheet.column_dimensions["G"].width == 14
    assert sheet.column_dimensions["H"].width == 20
    assert sheet.column_dimensions["F"].width == pytest.approx(20.7109375)


def test_a_column_that_the_user_has_made_wide_is_not_made_narrow(tmp_path):
    sheet = '<cols><col min="1" max="16384" width="{}" customWidth="1"/></cols><sheetData/></worksheet>'
    for width, wanted in (("20.5", 20.5), ("3", 9)):
        source = raw_package(tmp_path / "a.xlsx", f'<worksheet xmlns="{MAIN}">{sheet.format(width)}')
        annotate(source, tmp_path / "b.xlsx", [SheetChange("Партии", column_widths={7: 9})], overwrite=True)
        assert opened(tmp_path / "b.xlsx")["Партии"].column_dimensions["G"].width == wanted


def test_the_source_is_only_read(tmp_path):
    source = make(tmp_path)
    before = source.read_bytes()
    annotate(source, tmp_path / "out.xlsx", changes(source))
    assert source.read_bytes() == before


def test_a_target_that_is_there_is_refused(tmp_path):
    source = make(tmp_path)
    (tmp_path / "out.xlsx").write_bytes(b"mine")
    with pytest.raises(FileInTheWayError, match="there already"):
        annotate(source, tmp_path / "out.xlsx", changes(source))
    assert (tmp_path / "out.xlsx").read_bytes() == b"mine"


def test_in_place_needs_a_backup(tmp_path):
    source = make(tmp_path)
    with pytest.raises(OptionError, match="together with a backup"):
        annotate(source, source, changes(source), overwrite=True)


def test_in_place_with_a_backup_keeps_the_source_beside_it(tmp_path):
    source = make(tmp_path)
    before = source.read_bytes()
    annotate(source, source, changes(source), overwrite=True, backup=True)
    assert (tmp_path / "plain.xlsx.bak").read_bytes() == before
    assert inspect(source).sheet("Партии").ours


def test_the_suffix_cannot_change(tmp_path):
    source = make(tmp_path)
    with pytest.raises(OptionError, match="Excel would not open it"):
        annotate(source, tmp_path / "out.xlsm", changes(source))


@pytest.mark.parametrize("by_column", [False, True])
def test_cells_can_look_as_the_cells_of_a_column_do_each_in_its_row(tmp_path, by_column):
    source, target = make(tmp_path), tmp_path / "out.xlsx"
    book = openpyxl.load_workbook(source)
    for row in range(2, 6):
        book["Партии"].cell(row, 3).font = openpyxl.styles.Font(italic=row % 2 == 0)
    del book["Партии"]._cells[5, 3]
    book.save(source)
    rows, style = np.arange(2, 7), StyleRole(like="C", number_format="0.00")
    numbers = ColumnChange(8, rows, rows * 1.5, style)
    change = SheetChange("Партии", [] if by_column else [*numbers.cells()], columns=[numbers] if by_column else [])
    annotate(source, target, [change])
    sheet = opened(target)["Партии"]
    assert [sheet[f"H{row}"].font.i for row in range(2, 7)] == [True, False, True, False, False]
    assert {sheet[f"H{row}"].number_format for row in range(2, 7)} == {"0.00"}
