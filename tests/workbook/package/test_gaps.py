"""Columns of ours in hundreds of pieces: between them stand rows that are none of ours, and they stay as they are."""

from __future__ import annotations

import re
import zipfile
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prefxl.workbook.package import (
    Area,
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
from prefxl.workbook.package.gaps import pack_gaps, users_rows
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


def typed(path, **cells):
    """Type numbers into cells, such as a user would; those are blank or are not there."""
    data = parts(path)
    text = data["xl/worksheets/sheet1.xml"].decode()
    for name, number in cells.items():
        row = re.search(r"\d+", name)[0]
        start = re.search(rf'<row r="{row}"[^>]*?(/>|>)', text)
        cell = f'<c r="{name}"><v>{number}</v></c>'
        if start[1] == "/>":
            text = text.replace(start[0], f"{start[0][:-2]}>{cell}</row>")
        else:
            row_text = text[start.start() : text.index("</row>", start.end())]
            bare = re.sub(rf'<c r="{name}"[^>]*(/>|></c>)', "", row_text)
            before = [one for one in re.finditer(r'<c r="([A-Z])\d+".*?(?:/>|</c>)', bare) if one[1] < name[0]]
            at = before[-1].end() if before else len(start[0])
            text = text.replace(row_text, bare[:at] + cell + bare[at:])
    data["xl/worksheets/sheet1.xml"] = text.encode()
    with zipfile.ZipFile(path, "w") as package:
        for name, member in data.items():
            package.writestr(name, member)


def values(path, column):
    found = re.findall(rf'<c r="{column}(\d+)"[^>]*><v>([^<]*)</v>', "".join(rows_of(path).values()))
    return {int(row): float(value) for row, value in found}


def test_a_number_like_one_of_ours_that_the_user_types_between_results_stays(book, tmp_path):
    done = [tmp_path / f"{number}.xlsx" for number in range(4)]
    annotate(book, done[0], [results(300)])
    typed(done[0], E120=3 * 1.5, F132=0)
    for before, after in pairwise(done):
        annotate(before, after, [results(300)])
        assert values(after, "E") == {row: row * 1.5 for row in range(2, 301) if is_game(row)} | {120: 4.5}
        assert values(after, "F")[132] == 0
        assert inspect(after).sheet("Партии").foreign == {(120, 5): "4.5", (132, 6): "0"}


ROWS = st.lists(st.booleans(), min_size=1, max_size=40)


@given(ROWS, st.integers(0, 40), st.integers(-5, 5), st.data())
def test_numbers_between_results_are_known_after_rows_were_inserted_or_deleted_at_one_place(ours, at, count, data):
    at = min(at, len(ours))
    runs = [(row, row) for row, mine in enumerate(ours, 10) if mine]
    packed = pack_gaps([Area(10, 5, 9 + len(ours), 5)], runs)
    now = [*ours[:at], *[False] * count, *ours[at:]] if count >= 0 else [*ours[:at], *ours[at - count :]]
    gaps = [row for row, mine in enumerate(now, 10) if not mine]
    extra = data.draw(st.sets(st.sampled_from(gaps))) if gaps else set()
    filled = sorted({row for row, mine in enumerate(now, 10) if mine} | extra)
    found = users_rows(packed, [Area(10, 5, 9 + len(now), 5)] if now else [], filled)
    # a number of the user's may look as if the rows had been inserted or deleted elsewhere
    assert len(found) == len(extra) if count >= 0 else len(found) <= len(extra)
    if count == 0:
        assert found == sorted(extra)


def test_where_results_are_missing_nothing_is_said_to_be_the_users():
    packed = pack_gaps([Area(1, 5, 6, 5)], [(1, 2), (4, 5)])
    assert users_rows(packed, [Area(1, 5, 6, 5)], [1, 2, 4, 5, 6]) == [6]
    # all of them one row further down: a program that moves no names has inserted a row
    assert users_rows(packed, [Area(1, 5, 6, 5)], [2, 3, 5, 6]) == []
    assert users_rows(1, [Area(1, 5, 6, 5)], [1, 2, 3]) == []
