"""Rows changed by the thousand get the same bytes as one at a time, and are compared as strictly."""

from __future__ import annotations

import re
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prefxl.workbook.package import (
    Area,
    CellChange,
    ColumnChange,
    Mark,
    Reason,
    SheetChange,
    StyleRole,
    VerificationError,
    WorkbookRefusedError,
    annotate,
    blocks,
    inspect,
    rewrite,
)
from prefxl.workbook.package.book import Book, open_archive
from prefxl.workbook.package.edits import Edits, OurColumn
from prefxl.workbook.package.parts import Package
from prefxl.workbook.package.rewrite import SheetRewriter
from prefxl.workbook.package.styles import Styles
from prefxl.workbook.package.verify import verify
from prefxl.workbook.package.worksheet import Worksheet
from tests.workbook.package.books import parts, raw_package, repacked
from tests.workbook.package.sheets import MAIN, sheet_bytes, worksheets

ROLES = [
    None,
    StyleRole(bold=True),
    StyleRole(number_format="0.00"),
    StyleRole(like="B3", italic=True),
    *(StyleRole(like=name, bold=True) for name in "AEJ"),
]
STYLES = (
    f'<styleSheet xmlns="{MAIN}"><fonts><font/></fonts><fills><fill><patternFill/></fill></fills>'
    "<borders><border/></borders><cellXfs><xf/><xf numFmtId='2'/></cellXfs></styleSheet>"
)


@st.composite
def columns(draw):
    """Return numbers down some columns, of which no two are in one cell."""
    taken: set[tuple[int, int]] = set()
    found = []
    # side by side as a rule, so that they fit between the user's
    first, width = draw(st.integers(1, 34)), draw(st.sampled_from([0, 1, 3, 3, 20]))
    for column in draw(st.lists(st.integers(first, first + width), min_size=1, max_size=4)):
        rows = sorted(row for row in draw(st.sets(st.integers(1, 64))) if (row, column) not in taken)
        if draw(st.booleans()) and rows:
            rows = [row for row in range(rows[0], rows[-1] + 1) if (row, column) not in taken]
        taken |= {(row, column) for row in rows}
        kinds = draw(st.sampled_from([PLAIN, NUMBERS]))
        values = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))
        numbers = np.resize(np.array(values), len(rows))
        found.append(ColumnChange(column, np.array(rows, np.int64), numbers, draw(st.sampled_from(ROLES))))
    return [change for change in found if len(change.rows)]


# those that are written alike by everybody, and those that are not
PLAIN = [0.0, -0.0, 7.0, -205.5, 0.1, 40 / 3, -1234567.125, 0.0001, 999999999.5]
NUMBERS = [*PLAIN, 1e9, 1e15, 123456789012.5, 1e300, 1e-5, 1e-7]


@st.composite
def areas(draw):
    """Return areas of an earlier run's cells: a column or some, over many rows."""
    found = []
    for _ in range(draw(st.integers(0, 3))):
        first, row = draw(st.integers(1, 32)), draw(st.integers(1, 40))
        found.append(Area(row, first, row + draw(st.integers(0, 40)), first + draw(st.integers(0, 3))))
    return found


@st.composite
def edits(draw):
    """Return a function that makes equal :class:`Edits`, with columns or with cells instead."""
    numbers, removed = draw(columns()), draw(areas())
    place = st.tuples(st.integers(1, 64), st.integers(1, 34))
    cells = draw(st.dictionaries(place, st.sampled_from(["Итог", 5, None]), max_size=4))
    marks, foreign = draw(st.sets(place, max_size=3)), draw(st.sets(place, max_size=2))
    blocked = draw(st.lists(st.builds(lambda at: Area(*at, at[0] + 3, at[1] + 3), place), max_size=1))
    styles = draw(st.sampled_from([[], [(3, 30, 1)]]))

    def make(*, by_column: bool) -> Edits:
        made = Edits("Партии", column_styles=list(styles), blocked=[(area, Reason.IN_MERGED) for area in blocked])
        ranges: dict[int, list[tuple[int, int]]] = {}
        for area in removed:
            for row in range(area.first_row, area.last_row + 1):
                ranges.setdefault(row, []).append((area.first_column, area.last_column))
        made.removed = {row: tuple(found) for row, found in ranges.items()}
        for row, column in foreign:
            made.foreign.setdefault(row, set()).add(column)
        for (row, column), value in cells.items():
            made.cells.setdefault(row, {})[column] = CellChange(row, column, value, style=StyleRole(bold=True))
        for row, column in marks:
            made.marks.setdefault(row, {})[column] = Mark(row, column, "FFC7CE")
        for change in numbers:
            if not by_column or not made.take_column(change):
                for cell in change.cells():
                    made.cells.setdefault(cell.row, {}).setdefault(cell.column, cell)
        return made

    return make


def written(path, data, wanted):
    """Return the rows, the styles and what is known of the outcome."""
    with open_archive(path) as archive:
        package = Package(archive)
        styles = Styles(Book(package))
        rewriter = SheetRewriter(Worksheet(data, "f.xlsx", "sheet1.xml"), wanted, styles)
        rows = b"".join(rewriter.pieces())
        outcome = rewriter.outcome
        placed = {column: (ours.runs, ours.heading, ours.memo()) for column, ours in outcome.placed.items()}
        told = (placed, outcome.count, outcome.tinted, outcome.removed, sorted(outcome.removed_formulas))
        looks = {look: cover.areas() for look, cover in outcome.looks.items()}
        return rows, package.read(styles.part), told, looks, sorted(map(str, outcome.not_placed))


@pytest.fixture
def one_by_one(monkeypatch):
    """Let every row be read by itself."""

    def turned(on: bool) -> None:
        def kind(self, skeleton):
            return None if on else known(self, skeleton)

        monkeypatch.setattr(blocks.Kinds, "__missing__", kind)

    known = blocks.Kinds.__missing__
    return turned


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
@given(worksheets(), edits())
def test_rows_changed_by_the_block_are_those_changed_one_by_one(tmp_path, monkeypatch, one_by_one, sheet, make):
    monkeypatch.setattr(rewrite, "_FEW", 1)
    monkeypatch.setattr("prefxl.workbook.package.worksheet.BLOCK_BYTES", 700)
    data = sheet_bytes(*sheet)
    path = raw_package(tmp_path / "a.xlsx", data.decode(), styles=STYLES)
    one_by_one(False)
    quick = written(path, data, make(by_column=True))
    one_by_one(True)
    assert quick == written(path, data, make(by_column=False))


def long_sheet(rows: int = 400) -> bytes:
    """Return a sheet of games of four: the third column is empty in turns, the last rows are odd."""
    text = f'<worksheet xmlns="{MAIN}"><sheetData>'
    for row in range(1, rows + 1):
        cells = "".join(f'<c r="{name}{row}"><v>{row * 3}</v></c>' for name in "ABC"[: 2 + row % 2])
        text += f'<row r="{row}" spans="1:3">{cells}</row>'
    return (text + "</sheetData></worksheet>").encode()


def long_change(rows: int = 400) -> SheetChange:
    down = np.arange(2, rows + 1)
    return SheetChange(
        "Партии",
        [CellChange(1, 5, "Итог"), CellChange(1, 6, "Проверка")],
        [Mark(200, 1, "FFC7CE", "Проверьте")],
        columns=[
            ColumnChange(5, down, down * 1.5, StyleRole(bold=True), {2: "Вывод", 300: "Вывод"}),
            ColumnChange(6, down[3::4], down[3::4] * 0.0, StyleRole(number_format="0")),
            # its look is met after those of the columns behind it
            ColumnChange(4, down[8:], down[8:] / 4, StyleRole(italic=True)),
        ],
    )


@pytest.fixture
def settled(tmp_path):
    source, target = raw_package(tmp_path / "a.xlsx", long_sheet().decode(), styles=STYLES), tmp_path / "b.xlsx"
    report = annotate(source, target, [long_change()])
    assert (report.cells, report.notes, report.not_placed) == (2 + 399 + 99 + 391, 3, [])
    return source, target


def test_columns_give_the_file_that_their_cells_give(settled, tmp_path, one_by_one):
    source, target = settled
    change = long_change()
    one_by_one(True)
    cells = SheetChange("Партии", [*change.all_cells()], change.marks)
    annotate(source, tmp_path / "c.xlsx", [cells])
    assert parts(tmp_path / "c.xlsx") == parts(target)


def two_looks(rows: int) -> SheetChange:
    """Return a column whose cells look in two ways by turns, as results do where each game's winner is bold."""
    down = np.arange(2, rows + 1)
    bold = down % 3 == 0
    return SheetChange(
        "Партии",
        columns=[
            ColumnChange(5, down[bold], down[bold] * 1.5, StyleRole(bold=True)),
            ColumnChange(5, down[~bold], down[~bold] * 1.5),
        ],
    )


def test_a_column_in_two_looks_is_one_run_of_cells(tmp_path, one_by_one):
    source = raw_package(tmp_path / "a.xlsx", long_sheet(1500).decode(), styles=STYLES)
    assert annotate(source, tmp_path / "b.xlsx", [two_looks(1500)]).cells == 1499
    assert inspect(tmp_path / "b.xlsx").sheet("Партии").ours == (Area(2, 5, 1500, 5),)
    one_by_one(True)
    annotate(source, tmp_path / "c.xlsx", [SheetChange("Партии", [*two_looks(1500).all_cells()])])
    assert parts(tmp_path / "b.xlsx") == parts(tmp_path / "c.xlsx")


def test_a_second_run_by_columns_gives_the_same_file(settled, tmp_path):
    _, target = settled
    annotate(target, tmp_path / "c.xlsx", [long_change()])
    assert (tmp_path / "c.xlsx").read_bytes() == target.read_bytes()
    assert zipfile.ZipFile(tmp_path / "c.xlsx").testzip() is None


def test_numbers_that_cannot_be_placed_are_told_one_by_one(tmp_path):
    source = raw_package(tmp_path / "a.xlsx", long_sheet(6).decode(), styles=STYLES)
    rows = np.array([1, 2, 3])
    change = SheetChange(
        "Партии",
        [CellChange(2, 9, 1)],
        columns=[
            ColumnChange(2, rows, rows * 1.0),
            ColumnChange(9, rows, rows * 1.0),
            ColumnChange(10, rows, np.array([1.0, np.inf, 2.0])),
            ColumnChange(20_000, rows, rows * 1.0),
        ],
    )
    report = annotate(source, tmp_path / "b.xlsx", [change])
    reasons = [(item.row, item.column, item.reason) for item in report.not_placed]
    assert reasons == [
        (2, 9, Reason.TWICE),
        *((row, 20_000, Reason.OFF_GRID) for row in (1, 2, 3)),
        *((row, column, reason) for row, column, reason in [(1, 2, Reason.OCCUPIED), (2, 2, Reason.OCCUPIED)]),
        (2, 10, Reason.BAD_VALUE),
        (3, 2, Reason.OCCUPIED),
    ]
    assert report.cells == 1 + 2 + 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'<c r="A77"><v>231</v>', b'<c r="A77"><v>232</v>'),
        (b'<c r="B78"><v>234</v></c>', b""),
        (b'<c r="C79">', b'<c r="H79">'),
        (b'<c r="A90">', b'<c r="A90" s="1">'),
        (b'<row r="91">', b'<row r="91" ht="3">'),
        (b'<row r="92"><c r="A92"><v>276</v></c>', b'<row r="92"><c r="A92"><v>276</v></c><c r="A92"/>'),
        (b'<c r="E93"', b'<c r="E94"'),
        (b'<c r="E95"', b'<c r="G95"'),
        (b'<c r="F97"', b'<c r="D97"'),
        (b'<c r="A400">', b'<c r="A400" t="s">'),
        (b"</sheetData>", b'<row r="401"><c r="A401"><v>1</v></c></row></sheetData>'),
        (b'<row r="300">', b'<row r="299"/><row r="300">'),
    ],
)
def test_one_wrong_cell_among_many_is_found(settled, tmp_path, one_by_one, old, new):
    source, target = settled
    text = parts(target)["xl/worksheets/sheet1.xml"]
    assert text.count(old) == 1
    odd = repacked(target, tmp_path / "odd.xlsx", **{"xl/worksheets/sheet1.xml": text.replace(old, new)})
    plain = repacked(source, tmp_path / "plain.xlsx")
    said = []
    for on in (False, True):
        one_by_one(on)
        with pytest.raises((VerificationError, WorkbookRefusedError)) as caught:
            verify(plain, odd)
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_a_cell_typed_over_ours_is_found_wherever_the_columns_begin(settled):
    _, target = settled
    text = parts(target)["xl/worksheets/sheet1.xml"]
    for name in (b"D10", b"E2", b"E399", b"F5", b"F77", b"F397"):
        text, count = re.subn(rb'<c r="%s"[^>]*>.*?</c>' % name, b'<c r="%s" t="b"><v>1</v></c>' % name, text)
        assert count == 1
    odd = repacked(target, target.with_name("odd.xlsx"), **{"xl/worksheets/sheet1.xml": text})
    places = [(2, 5), (5, 6), (10, 4), (77, 6), (397, 6), (399, 5)]
    assert list(inspect(odd).sheet("Партии").foreign.items()) == [(place, "✓") for place in places]


TYPED = [
    b'<c r="%s"><v>31</v></c>',
    b'<c r="%s" s="1"><v>31</v></c>',
    b'<c r="%s"><v>3</v></c>',
    b'<c r="%s"/>',
    b'<c r="%s" t="inlineStr"><is><t>\xd0\xbc\xd0\xbe\xd1\x91</t></is></c>',
    b'<c r="%s" t="inlineStr"><is><r><t>a</t></r></is></c>',
    b'<c r="%s"><f>A1+1</f><v>7</v></c>',
    b'<c r="%s" t="b"><v>1</v></c>',
    b"",
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    st.dictionaries(st.tuples(st.sampled_from(b"DEF"), st.integers(1, 402)), st.sampled_from(TYPED), max_size=12),
    st.sets(st.integers(2, 400), max_size=3),
    st.integers(0, 3),
)
def test_what_is_typed_over_ours_is_known_whichever_way_it_is_read(settled, one_by_one, typed, gone, more):
    _, target = settled
    text = parts(target)["xl/worksheets/sheet1.xml"]
    for number in range(401, 401 + more):
        # filled down by hand
        cells = b"".join(b'<c r="%c%d"><v>%d</v></c>' % (letter, number, number * 1.5) for letter in b"ADEF")
        text = text.replace(b"</sheetData>", b'<row r="%d">%s</row></sheetData>' % (number, cells))
    for (letter, row), cell in typed.items():
        name = b"%c%d" % (letter, row)
        text = re.sub(rb'<c r="%s"[^>]*>.*?</c>' % name, (cell % name if cell else b"").replace(b"\\", b""), text)
    for row in gone:
        text = re.sub(rb'<row r="%d".*?</row>' % row, b"", text)
    odd = repacked(target, target.with_name("odd.xlsx"), **{"xl/worksheets/sheet1.xml": text})
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("prefxl.workbook.package.worksheet.BLOCK_BYTES", 3000)
        for on in (False, True):
            one_by_one(on)
            sheet = inspect(odd).sheet("Партии")
            seen.append((sheet.ours, list(sheet.foreign.items()), list(sheet.runs)))
    assert seen[0] == seen[1]


@given(
    st.lists(st.tuples(st.integers(1, 90), st.integers(1, 3)), min_size=1, max_size=60),
    st.integers(0, 12),
    st.integers(1, 400),
)
def test_many_cells_of_ours_are_remembered_as_one_after_the_other(steps, most_runs, most_numbers):
    rows = np.cumsum([step for step, _ in steps])
    values = np.array([float(value) for _, value in steps])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("prefxl.workbook.package.edits.MOST_RUNS", most_runs)
        patch.setattr("prefxl.workbook.package.edits.MOST_NUMBERS", most_numbers)
        slow, quick = OurColumn(), OurColumn()
        for row, value in zip(rows.tolist(), values.tolist(), strict=True):
            slow.add(row, CellChange(row, 1, value))
        half = len(rows) // 2
        for part in (slice(half), slice(half, None)):
            if len(rows[part]):
                quick.add_numbers(rows[part], values[part])
        assert (quick.runs, quick.memo()) == (slow.runs, slow.memo())
