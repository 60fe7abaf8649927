"""Columns of ours in hundreds of pieces: between them stand rows that are none of ours, and they stay as they are."""

from __future__ import annotations

import re
import zipfile

import numpy as np
import pytest

from prefxl.workbook.package import (
    CellChange,
    ColumnChange,
    Mark,
    SheetChange,
    StyleRole,
    annotate,
    inspect,
    rewrite,
)
from prefxl.workbook.package.annotate import strip
from prefxl.workbook.package.edits import Edits
from tests.workbook.package.books import parts, raw_package
from tests.workbook.package.sheets import MAIN

STYLES = (
    f'<styleSheet xmlns="{MAIN}"><fonts><font/></fonts><fills><fill><patternFill/></fill></fills>'
    "<borders><border/></borders><cellXfs><xf/><xf numFmtId='2'/></cellXfs></styleSheet>"
)
#: What stands in every sixth row, which is no game: a remark, nothing, a height, blank cells with a look.
OTHERS = [
    '<row r="{0}" spans="1:3"><c r="A{0}" t="inlineStr"><is><t>Итого</t></is></c></row>',
    '<row r="{0}"/>',
    '<row r="{0}"></row>',
    '<row r="{0}" ht="30" customHeight="1"/>',
    '<row r="{0}" spans="1:9"><c r="A{0}" s="1"><v>5</v></c><c r="E{0}" s="1"/><c r="F{0}" s="1"></c></row>',
    '<row r="{0}"><c r="A{0}" s="1"/><c r="C{0}"><v>1</v></c><c r="E{0}" s="1"/></row>',
    '<row r="{0}"><c r="E{0}" s="1"/><c r="H{0}"><v>1</v></c></row>',
]


def is_game(row):
    return row % 6 != 0


def sheet(rows):
    text = "".join(
        f'<row r="{row}" spans="1:3"><c r="A{row}"><v>{row}</v></c><c r="C{row}" s="1"><v>{row * 2}</v></c></row>'
        if is_game(row)
        else OTHERS[row // 6 % len(OTHERS)].format(row)
        for row in range(1, rows + 1)
    )
    return f'<worksheet xmlns="{MAIN}"><sheetData>{text}</sheetData></worksheet>'


def results(rows):
    games = np.array([row for row in range(2, rows + 1) if is_game(row)])
    return SheetChange(
        "Партии",
        [CellChange(1, 5, "Итог"), CellChange(1, 6, "Проверка")],
        columns=[ColumnChange(5, games, games * 1.5, StyleRole(like="C")), ColumnChange(6, games, games * 0.0)],
    )


@pytest.fixture(params=["many at a time", "one at a time"])
def book(request, tmp_path, monkeypatch):
    """Return a workbook whose results stand in many pieces, more than a column is remembered by."""
    monkeypatch.setattr("prefxl.workbook.package.edits.MOST_RUNS", 3)
    monkeypatch.setattr(rewrite, "_FEW", 4 if request.param == "many at a time" else 10**9)
    return raw_package(tmp_path / "a.xlsx", sheet(300), styles=STYLES)


def rows_of(path):
    with zipfile.ZipFile(path) as package:
        data = package.read("xl/worksheets/sheet1.xml").decode()
    found = re.findall(r"<row [^>]*?/>|<row .*?</row>", data)
    return {int(re.search(r'r="(\d+)"', row)[1]): row for row in found}


def test_ten_runs_over_rows_between_results_give_the_same_file_as_one(book, tmp_path):
    once, path = tmp_path / "once.xlsx", book
    for run in range(10):
        target = once if run == 0 else tmp_path / f"{run}.xlsx"
        annotate(path, target, [results(300)])
        path = target
    assert len(inspect(once).sheet("Партии").ours) < 10
    assert parts(path) == parts(once)


def test_rows_between_results_stay_as_they_were_in_every_run(book, tmp_path):
    annotate(book, tmp_path / "b.xlsx", [results(300)])
    annotate(tmp_path / "b.xlsx", tmp_path / "c.xlsx", [results(300)])
    strip(tmp_path / "c.xlsx", tmp_path / "d.xlsx")
    before = rows_of(book)
    for name in "bcd":
        after = rows_of(tmp_path / f"{name}.xlsx")
        changed = [row for row in before if not is_game(row) and before[row] != after.get(row)]
        assert changed == []


def test_a_game_left_out_and_taken_in_again_leaves_blank_cells_of_the_users_alone(book, tmp_path):
    annotate(book, tmp_path / "b.xlsx", [results(300)])
    column = results(300).columns[0]
    more = ColumnChange(5, np.append(column.rows, 24 + 6), np.append(column.values, 7.0), column.style)
    order = np.argsort(more.rows)
    with_one = SheetChange("Партии", columns=[ColumnChange(5, more.rows[order], more.values[order], more.style)])
    annotate(tmp_path / "b.xlsx", tmp_path / "c.xlsx", [with_one])
    assert re.search(r'<c r="E30"[^>]*><v>7</v>', rows_of(tmp_path / "c.xlsx")[30])
    strip(tmp_path / "c.xlsx", tmp_path / "d.xlsx")
    assert rows_of(tmp_path / "d.xlsx")[30] == rows_of(book)[30]


def test_blocks_one_below_the_other_are_one_change_a_column_and_look():
    bold = StyleRole(bold=True)
    forms = [
        ColumnChange(column, np.arange(top, top + 4), np.full(4, float(top)), style)
        for top in range(90, 0, -10)
        for column, style in ((7, None), (8, bold))
    ]
    odd = [ColumnChange(8, np.array([15, 16]), np.zeros(2)), ColumnChange(8, np.array([16]), np.zeros(1))]
    edits = Edits("Партии")
    assert list(edits.take_columns([*forms, *odd])) == odd[1:]
    assert [(change.column, len(change.rows)) for change in edits.columns] == [(7, 36), (8, 36), (8, 2)]
    assert edits.columns[0].rows.tolist() == sorted(edits.columns[0].rows.tolist())


def test_a_blank_cell_that_was_tinted_and_then_saved_by_openpyxl_is_tinted_again(tmp_path):
    path, marks = raw_package(tmp_path / "a.xlsx", sheet(5), styles=STYLES), [Mark(2, 2, "F8D7D3")]
    annotate(path, tmp_path / "b.xlsx", [SheetChange("Партии", marks=marks)])
    # openpyxl's way without lxml: a blank cell says that it holds a number
    with zipfile.ZipFile(tmp_path / "b.xlsx") as old, zipfile.ZipFile(tmp_path / "c.xlsx", "w") as new:
        for info in old.infolist():
            data = re.sub(rb'(<c r="B2" s="\d+")/>', rb'\1 t="n"></c>', old.read(info))
            assert (data != old.read(info)) == (info.filename == "xl/worksheets/sheet1.xml")
            new.writestr(info, data)
    annotate(tmp_path / "c.xlsx", tmp_path / "d.xlsx", [SheetChange("Партии", marks=marks)])
    assert rows_of(tmp_path / "d.xlsx")[2] == rows_of(tmp_path / "b.xlsx")[2]


def form(top, column):
    numbers = np.arange(top + 1, top + 4)
    cells = [CellChange(top, column, "Итог"), CellChange(top, column + 1, "Проверка")]
    return cells, [ColumnChange(column, numbers, numbers * 1.0), ColumnChange(column + 1, numbers[-1:], np.zeros(1))]


def test_a_column_does_not_reach_over_a_block_that_has_its_results_in_other_columns(book, tmp_path):
    forms = [form(top, 11 if top == 103 else 8) for top in range(7, 200, 6)]
    change = SheetChange(
        "Партии", [c for cells, _ in forms for c in cells], columns=[n for _, one in forms for n in one]
    )
    annotate(book, tmp_path / "b.xlsx", [change])
    ours = inspect(tmp_path / "b.xlsx").sheet("Партии").ours
    assert {column for area in ours if area.has_row(103) for column in area.columns} == {11, 12}
    assert {column for area in ours if area.has_row(109) for column in area.columns} == {8, 9}
