"""A second run replaces the first; taking away leaves the user's own."""

from __future__ import annotations

import re

import openpyxl
import pytest

from prefxl.workbook.package import CellChange, Mark, SheetChange, StyleRole, annotate, inspect, strip
from tests.workbook.package.books import (
    FEATURES,
    MAIN,
    PACKAGE,
    changes,
    make,
    make_donor,
    opened,
    parts,
    raw_package,
    repacked,
    values,
)


@pytest.mark.parametrize("feature", FEATURES)
def test_a_second_run_gives_the_same_bytes(tmp_path, feature):
    source, donor = make(tmp_path, feature), make_donor(tmp_path)
    first, second = tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    annotate(source, first, changes(source), donor=donor)
    annotate(first, second, changes(first), donor=donor)
    assert first.read_bytes() == second.read_bytes()


def test_ten_runs_give_the_same_bytes_as_one(tmp_path):
    source, donor = make(tmp_path, "notes"), make_donor(tmp_path, "Партии", "Таблица")
    path = tmp_path / "0.xlsx"
    annotate(source, path, changes(source), donor=donor)
    first = path.read_bytes()
    for number in range(1, 10):
        following = tmp_path / f"{number}.xlsx"
        annotate(path, following, changes(path), donor=donor)
        path = following
    assert path.read_bytes() == first


@pytest.mark.parametrize("feature", FEATURES)
def test_taking_away_brings_back_every_part_but_the_styles(tmp_path, feature):
    source, first, bare = make(tmp_path, feature), tmp_path / "1.xlsx", tmp_path / "bare.xlsx"
    annotate(source, first, changes(source), donor=make_donor(tmp_path))
    report = strip(first, bare)
    assert report.removed_cells == 7
    assert report.removed_sheets
    old, new = parts(source), parts(bare)
    assert set(new) == set(old)
    rewritten = {"[Content_Types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml"}
    rewritten |= {"xl/worksheets/sheet1.xml", "xl/worksheets/_rels/sheet1.xml.rels", "xl/comments1.xml"}
    assert {name for name in old if old[name] != new[name]} <= rewritten
    assert values(bare) == values(source)
    assert looks(bare) == looks(source)


def looks(path):
    """Return format, font and background of every cell, and the widths of the columns."""
    sheet = opened(path)["Партии"]
    cells = {
        cell.coordinate: (cell.number_format, cell.font.b, cell.fill.fgColor.rgb, cell.fill.fill_type)
        for row in sheet.iter_rows(max_row=12)
        for cell in row
    }
    return cells, {name: column.width for name, column in sheet.column_dimensions.items()}, sheet.calculate_dimension()


def test_another_plan_leaves_nothing_of_the_first(tmp_path):
    source, first, second = make(tmp_path), tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    annotate(source, first, changes(source), donor=make_donor(tmp_path, "Старый"))
    annotate(first, second, [SheetChange("Партии", [CellChange(3, 9, 1)])], donor=make_donor(tmp_path, "Новый"))
    assert opened(second).sheetnames == ["Партии", "Новый"]
    assert inspect(second).sheet("Партии").ours[0].first_column == 9
    assert opened(second)["Партии"]["F2"].value is None
    assert opened(second)["Партии"]["A2"].comment is None


def test_a_tint_goes_and_the_users_later_format_stays(tmp_path):
    source, first, second = make(tmp_path), tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    annotate(source, first, [SheetChange("Партии", marks=[Mark(1, 1, "FFC7CE"), Mark(2, 3, "FFC7CE")])])
    book = openpyxl.load_workbook(first)
    book["Партии"]["A1"].number_format = "0.000"
    book["Партии"]["C2"].fill = openpyxl.styles.PatternFill("solid", fgColor="FF00FF00")
    book.save(first)
    strip(first, second)
    sheet = openpyxl.load_workbook(second)["Партии"]
    assert (sheet["A1"].number_format, sheet["A1"].fill.fgColor.rgb, sheet["A1"].font.b) == ("0.000", "FFDDEEFF", True)
    assert sheet["C2"].fill.fgColor.rgb == "FF00FF00"


def test_ours_is_known_again_after_another_program_has_saved_the_workbook(tmp_path):
    source, first, second = make(tmp_path, "rich"), tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    annotate(source, first, changes(source), donor=make_donor(tmp_path))
    openpyxl.load_workbook(first).save(first)
    report = strip(first, second)
    assert (report.removed_cells, report.removed_notes) == (7, 3)
    assert report.removed_sheets == ["Таблица", "Правила"]
    assert looks(second)[0] == looks(source)[0]


def test_ours_moves_with_the_rows_the_user_inserts(tmp_path):
    source, first, second = make(tmp_path), tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    annotate(source, first, [SheetChange("Партии", [CellChange(2, 7, 1)])])
    book = openpyxl.load_workbook(first)
    # as Excel would, openpyxl does not
    book["Партии"].move_range("A2:G5", rows=3)
    book.defined_names["_prefxl.cells.1.1"].attr_text = "'Партии'!$G$5"
    book.save(first)
    strip(first, second)
    assert openpyxl.load_workbook(second)["Партии"]["G5"].value is None
    assert openpyxl.load_workbook(second)["Партии"]["A5"].value == 1


def test_names_the_user_broke_are_passed_over(tmp_path):
    source, first, second = make(tmp_path), tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    annotate(source, first, changes(source), donor=make_donor(tmp_path))
    book = openpyxl.load_workbook(first)
    for name in ("_prefxl.cells.1.1", "_prefxl.cells.2.1"):
        book.defined_names[name].attr_text = "#REF!"
    book.defined_names["_prefxl.memo.1"].attr_text = '"не то"'
    book.save(first)
    assert strip(first, second).removed_cells == 0


def test_a_blank_cell_of_the_users_gets_its_look_back(tmp_path):
    source, first, second = make(tmp_path, "rich"), tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    annotate(source, first, [SheetChange("Партии", [CellChange(2, 6, 1, style=StyleRole(fill="FF0000"))])])
    assert opened(first)["Партии"]["F2"].fill.fgColor.rgb == "FFFF0000"
    strip(first, second)
    assert opened(second)["Партии"]["F2"].fill.fgColor.rgb == "FFFFFF00"


def test_a_like_cell_that_is_tinted_lends_its_own_look(tmp_path):
    source, first, second = make(tmp_path), tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    change = SheetChange("Партии", [CellChange(1, 7, "Итог", style=StyleRole(like="A1"))], [Mark(1, 1, "FFC7CE")])
    annotate(source, first, [change])
    annotate(first, second, [change])
    assert opened(second)["Партии"]["G1"].fill.fgColor.rgb == "FFDDEEFF"


def test_without_anything_of_ours_every_member_is_copied(tmp_path):
    source, bare = make(tmp_path, "objects"), tmp_path / "bare.xlsx"
    report = strip(source, bare)
    assert report.changed_parts == []
    assert parts(bare) == parts(source)


def test_columns_on_lines_of_their_own_give_the_same_bytes_again(tmp_path):
    lines = ["", " <cols>", '  <col min="1" max="2" width="9"/>', "  <!-- all others -->"]
    columns = "\n".join([*lines, '  <col min="5" max="16384" width="8"/>', " </cols>", ""])
    source = raw_package(tmp_path / "a.xlsx", f'<worksheet xmlns="{MAIN}">{columns} <sheetData/></worksheet>')
    first, second, bare = (tmp_path / f"{number}.xlsx" for number in (1, 2, 3))
    wanted = [SheetChange("Партии", [CellChange(2, 7, 1)], column_widths={3: 12, 7: 14})]
    annotate(source, first, wanted)
    annotate(first, second, wanted)
    assert first.read_bytes() == second.read_bytes()
    strip(second, bare)
    assert opened(bare)["Партии"].column_dimensions["E"].width == 8


@pytest.mark.parametrize("kind", ["line", "rect", "group", "shape"])
def test_what_the_user_has_drawn_in_the_old_way_survives_the_notes_that_joined_it(tmp_path, kind):
    # forms converted from old files have lines and ovals in VML, which are no shapes by name
    box = make(tmp_path, "notes")
    drawing = parts(box)["xl/drawings/vmlDrawing1.vml"]
    mine = f'<v:{kind} id="Line 1" style="width:160pt"><v:stroke color="#000000"/></v:{kind}>'.encode()
    drawing = re.sub(rb"<v:shape .*</v:shape>", mine, drawing, flags=re.DOTALL)
    notes = re.sub(rb"<comment .*</comment>", b"", parts(box)["xl/comments1.xml"], flags=re.DOTALL)
    edits = {"xl/drawings/vmlDrawing1.vml": drawing, "xl/comments1.xml": notes}
    source = repacked(box, tmp_path / "source.xlsx", **edits)
    first, second, bare = (tmp_path / f"{number}.xlsx" for number in (1, 2, 3))
    wanted = [SheetChange("Партии", [CellChange(2, 12, 1, note="наше")])]
    annotate(source, first, wanted)
    annotate(first, second, wanted)
    assert first.read_bytes() == second.read_bytes()
    strip(second, bare)
    for path in (first, second, bare):
        assert mine in parts(path)["xl/drawings/vmlDrawing1.vml"]


def test_parts_of_the_users_that_hold_nothing_stay_where_they_are(tmp_path):
    # PhpSpreadsheet writes relations of every worksheet, whether it has any or not
    plain = raw_package(tmp_path / "plain.xlsx", f'<worksheet xmlns="{MAIN}"><sheetData/></worksheet>')
    none = f'<Relationships xmlns="{PACKAGE}/relationships"/>'.encode()
    source = repacked(plain, tmp_path / "source.xlsx", **{"xl/worksheets/_rels/sheet1.xml.rels": none})
    first, second, bare = (tmp_path / f"{number}.xlsx" for number in (1, 2, 3))
    wanted = [SheetChange("Партии", [CellChange(2, 7, 1, note="наше")])]
    annotate(source, first, wanted)
    annotate(first, second, wanted)
    assert first.read_bytes() == second.read_bytes()
    strip(second, bare)
    assert set(parts(bare)) - {"xl/styles.xml"} == set(parts(source))
