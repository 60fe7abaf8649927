"""What is known of a workbook before anything is written."""

from __future__ import annotations

import functools
import operator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prefxl.workbook.package import Area, CellChange, Kind, OurSheet, SheetChange, Visibility, annotate, inspect
from prefxl.workbook.package.inspection import Obstacle, SheetInspection
from prefxl.workbook.package.runs import Runs, bits, stacked
from tests.workbook.package.books import OFFICE, PACKAGE, make, make_donor, parts, raw_package, repacked

NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def sheet_of(folder, feature="plain"):
    return inspect(make(folder, feature)).sheet("Партии")


def test_the_used_range_is_told(tmp_path):
    assert sheet_of(tmp_path).used == Area(1, 1, 5, 4)


def test_formulas_arrays_and_spills_are_known(tmp_path):
    sheet = sheet_of(tmp_path, "formulas")
    assert sheet.is_formula(2, 6)
    assert sheet.is_formula(5, 7)
    assert sheet.is_formula(3, 9)
    assert not sheet.is_formula(2, 3)
    assert not sheet.is_free(Area(4, 6, 5, 7))


@pytest.mark.parametrize(
    ("feature", "area", "kind"),
    [
        ("table", Area(1, 1, 5, 4), Kind.TABLE),
        ("table", Area(1, 6, 2, 7), Kind.MERGED),
        ("table", Area(1, 9, 3, 10), Kind.FILTER),
        ("notes", Area(2, 2, 2, 2), Kind.NOTE),
        ("rules", Area(2, 6, 2, 6), Kind.SPARKLINE),
    ],
)
def test_what_stands_on_the_sheet_is_an_obstacle(tmp_path, feature, area, kind):
    assert (area, kind) in sheet_of(tmp_path, feature).obstacles


def test_pictures_charts_and_buttons_are_obstacles(tmp_path):
    kinds = [item.kind for item in sheet_of(tmp_path, "objects").obstacles]
    assert kinds.count(Kind.DRAWING) == 3
    assert kinds.count(Kind.CONTROL) == 1


XDR = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
# a picture from the middle of C1, 640 pixels wide and 100 high; the same by absolute co-ordinates
ONE_CELL = "<from><col>2</col><colOff>304800</colOff><row>0</row><rowOff>0</rowOff></from>"
PICTURES = {
    "oneCellAnchor": f'{ONE_CELL}<ext cx="6096000" cy="952500"/>',
    "absoluteAnchor": '<pos x="1524000" y="0"/><ext cx="6096000" cy="952500"/>',
}


@pytest.mark.parametrize("anchor", PICTURES)
@pytest.mark.parametrize(
    ("widths", "last"),
    [
        ("", (13, 13)),
        ('<sheetFormatPr defaultColWidth="18.28515625" defaultRowHeight="15"/>', (8, 7)),
        ('<cols><col min="4" max="13" width="2.7109375"/></cols>', (20, 20)),
        ('<cols><col min="4" max="5" width="0" hidden="1"/></cols>', (15, 15)),
        ('<sheetFormatPr defaultColWidth="1e400" defaultRowHeight="15,5"/>', (13, 13)),
        ('<sheetFormatPr baseColWidth="восемь" defaultRowHeight="NaN"/>', (13, 13)),
        ('<cols><col min="4" max="5" width="9,14"/></cols>', (13, 13)),
    ],
    ids=["usual", "wide by default", "narrow", "hidden", "infinite", "in words", "with a comma"],
)
def test_a_picture_without_a_last_cell_covers_columns_by_their_widths(tmp_path, anchor, widths, last):
    sheet = f'<worksheet {NS} xmlns:r="{OFFICE}">{widths}<sheetData/><drawing r:id="d"/></worksheet>'
    relation = f'<Relationship Id="d" Type="{OFFICE}/drawing" Target="/xl/drawings/drawing1.xml"/>'
    path = repacked(
        raw_package(tmp_path / "a.xlsx", sheet),
        tmp_path / "b.xlsx",
        **{
            "xl/drawings/drawing1.xml": f'<wsDr xmlns="{XDR}"><{anchor}>{PICTURES[anchor]}</{anchor}></wsDr>'.encode(),
            "xl/worksheets/_rels/sheet1.xml.rels": (
                f'<Relationships xmlns="{PACKAGE}/relationships">{relation}</Relationships>'.encode()
            ),
        },
    )
    (found,) = [item.area for item in inspect(path).sheet("Партии").obstacles if item.kind is Kind.DRAWING]
    assert found.last_column == dict(zip(PICTURES, last, strict=True))[anchor]
    assert (found.first_row, found.last_row) == (1, 6)


def test_the_box_of_a_note_that_is_shown_all_the_time_is_an_obstacle(tmp_path):
    source = make(tmp_path, "notes")
    boxes = parts(source)["xl/drawings/vmlDrawing1.vml"]
    shown = boxes.replace(b"<x:SizeWithCells/>", b"<x:SizeWithCells/><x:Visible/>")
    path = repacked(source, tmp_path / "shown.xlsx", **{"xl/drawings/vmlDrawing1.vml": shown})
    before, after = (set(inspect(one).sheet("Партии").obstacles) for one in (source, path))
    (box,) = after - before
    assert box.kind is Kind.DRAWING
    assert box.area.first_column == 3
    # a note of ours may be shown too, and moves nothing
    out, again = tmp_path / "out.xlsx", tmp_path / "again.xlsx"
    annotate(source, out, [SheetChange("Партии", [CellChange(2, 12, 1, note="наше")])])
    shown = parts(out)["xl/drawings/vmlDrawing1.vml"].replace(b"<x:SizeWithCells/>", b"<x:SizeWithCells/><x:Visible/>")
    look = inspect(repacked(out, again, **{"xl/drawings/vmlDrawing1.vml": shown})).sheet("Партии")
    assert {item for item in look.obstacles if item.kind is Kind.DRAWING} == {box}


def test_notes_are_told_cell_by_cell(tmp_path):
    sheet = sheet_of(tmp_path, "notes")
    assert sheet.has_note(2, 2)
    assert not sheet.has_note(2, 3)
    assert not sheet.has_thread(2, 2)


@pytest.mark.parametrize(
    ("feature", "after", "width", "column"),
    [
        ("plain", 4, 3, 5),
        ("plain", 5, 3, 6),
        ("plain", 1, 1, 5),
        ("formulas", 5, 1, 8),
        ("formulas", 5, 2, 10),
        ("table", 5, 2, 11),
        ("rules", 5, 2, 8),
    ],
)
def test_the_first_free_columns_avoid_everything(tmp_path, feature, after, width, column):
    assert sheet_of(tmp_path, feature).first_free_column(1, 5, after, width) == column


def test_rows_that_are_not_asked_for_do_not_matter(tmp_path):
    assert sheet_of(tmp_path, "formulas").first_free_column(6, 9, 5, 2) == 6


def test_a_full_sheet_has_no_free_column(tmp_path):
    assert sheet_of(tmp_path).first_free_column(1, 5, 16_383, 2) is None


def test_where_all_free_columns_are_hidden_a_hidden_one_is_told(tmp_path):
    text = f'<worksheet {NS}><cols><col min="2" max="16384" hidden="1"/></cols><sheetData/></worksheet>'
    assert inspect(raw_package(tmp_path / "a.xlsx", text)).sheet("Партии").first_free_column(1, 2, 1, 1) == 2


@pytest.mark.parametrize(("after", "width", "column"), [(4, 1, 5), (5, 1, 8), (5, 2, 10), (11, 1, 13), (12, 2, 15)])
def test_cells_that_the_users_formulas_read_are_kept_free(tmp_path, after, width, column):
    assert sheet_of(tmp_path, "totals").first_free_column(1, 5, after, width) == column


def test_where_every_free_column_is_read_one_of_them_is_told(tmp_path):
    inside = '<row r="1"><c r="A1"><f>COUNTA(2:2)</f><v>0</v></c></row>'
    text = f"<worksheet {NS}><sheetData>{inside}</sheetData></worksheet>"
    assert inspect(raw_package(tmp_path / "a.xlsx", text)).sheet("Партии").first_free_column(1, 2, 2, 1) == 3


def test_a_formula_in_a_cell_without_a_name_is_told_by_its_place(tmp_path):
    rows = "<row><c><v>1</v></c></row><row><c/><c><f>SUM(A1:Z1)</f><v>1</v></c><c><f>SUM(A1:Z1)</f></c></row>"
    path = raw_package(tmp_path / "a.xlsx", f"<worksheet {NS}><sheetData>{rows}</sheetData></worksheet>")
    assert inspect(path).sheet("Партии").readers(Area(1, 5, 1, 6)) == ("B2", "C2")


def test_a_formula_filled_down_reads_all_its_rows(tmp_path):
    formula = '<f t="shared" ref="A1:A9" si="0">SUM(D1:E1)</f>'
    text = f'<worksheet {NS}><sheetData><row r="1"><c r="A1">{formula}<v>0</v></c></row></sheetData></worksheet>'
    assert inspect(raw_package(tmp_path / "a.xlsx", text)).sheet("Партии").fed == [Area(1, 4, 9, 5)]


def test_frozen_panes_rules_and_protection_are_told(tmp_path):
    rules = sheet_of(tmp_path, "rules")
    assert rules.frozen == (1, 1)
    assert Area(2, 3, 5, 3) in rules.rules
    assert Area(2, 2, 5, 2) in rules.rules
    assert not rules.protected
    assert sheet_of(tmp_path, "protected").protected


def test_sheets_are_told_with_their_visibility_and_charts_are_none(tmp_path):
    look = inspect(make(tmp_path, "several"))
    assert [sheet.name for sheet in look.sheets] == ["Партии", "Таблица", "Скрытый"]
    assert look.sheet("скрытый").visibility is Visibility.HIDDEN


def test_an_unknown_sheet_is_a_key_error(tmp_path):
    with pytest.raises(KeyError, match="Нет"):
        inspect(make(tmp_path)).sheet("Нет")


def test_what_an_earlier_run_placed_does_not_count(tmp_path):
    source, target = make(tmp_path), tmp_path / "out.xlsx"
    before = inspect(source).sheet("Партии")
    annotate(source, target, [SheetChange("Партии", [CellChange(2, 6, 1, note="наше")])], donor=make_donor(tmp_path))
    look = inspect(target)
    assert look.sheet("Партии").used == before.used
    assert look.sheet("Партии").ours == (Area(2, 6, 2, 6),)
    assert look.our_sheets == (OurSheet("Таблица", "Таблица"), OurSheet("Правила", "Правила"))
    assert [sheet.name for sheet in look.sheets] == ["Партии"]


@given(st.lists(st.lists(st.tuples(st.integers(1, 3), st.sampled_from([(0, 0), (2, 0), (6, 4)])), max_size=8)))
def test_equal_rows_that_follow_each_other_are_one_run_however_they_come(blocks):
    runs, row, looks = Runs(), 0, {}
    for block in blocks:
        numbers = []
        for step, look in block:
            row += step
            numbers.append(row)
            looks[row] = look
        runs.add_rows(numbers, [look for _, look in block])
    filled = {number: look for number, look in looks.items() if look[0]}
    for number in range(row + 2):
        at = runs.at(number)
        assert (at and (at.filled, at.formulas)) == filled.get(number)
    for first, second in pairwise(runs):
        assert first.last_row < second.first_row
        assert first.last_row + 1 < second.first_row or first[2:] != second[2:]
    for first in range(0, row + 2, 2):
        for last in range(first, row + 2, 3):
            here = [look[0] for number, look in filled.items() if first <= number <= last]
            assert runs.filled(first, last) == functools.reduce(operator.or_, here, 0)


AREAS = st.builds(
    lambda row, column, down, right: Area(row, column, row + down, column + right),
    *(st.integers(1, 6), st.integers(1, 5), st.integers(0, 4), st.integers(0, 3)),
)


@given(st.lists(AREAS, max_size=9))
def test_areas_however_they_lie_are_asked_for_by_rows(areas):
    runs = stacked(areas)
    for first in range(1, 12):
        for last in range(first, 12):
            here = [bits(one.first_column, one.last_column) for one in areas if one.meets(Area(first, 1, last, 99))]
            assert runs.filled(first, last) == functools.reduce(operator.or_, here, 0)


def test_thousands_of_notes_and_blocks_are_looked_at_once_not_for_every_block(monkeypatch):
    looked_at = []
    monkeypatch.setattr(Area, "meets", lambda *areas: looked_at.append(areas))
    notes = [Obstacle(Area(row, 40, row, 40), Kind.NOTE) for row in range(1, 4000)]
    sheet = SheetInspection("Бланки", "x", obstacles=notes, ours=tuple(one.area for one in notes))
    for row in range(1, 4000):
        assert not sheet.is_free(Area(row, 38, row, 41))
        assert sheet.first_free_column(row, row, 38, 2) == 41
        assert sheet.columns_of_ours(row, row) == 1 << 40
    assert not looked_at
