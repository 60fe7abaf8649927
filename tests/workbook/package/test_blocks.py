"""Rows by the block are the same rows, with the same cells, as one at a time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from prefxl.workbook.package import WorkbookRefusedError, blocks
from prefxl.workbook.package.blocks import without_spans
from prefxl.workbook.package.markup import OddMarkupError
from prefxl.workbook.package.stream import SheetStream
from prefxl.workbook.package.worksheet import Worksheet
from tests.workbook.package.sheets import MAIN, sheet_bytes, worksheets

START = f'<worksheet xmlns="{MAIN}"><sheetData>'.encode()
END = b"</sheetData></worksheet>"
FORMULA = re.compile(rb"<(?:[\w.-]+:)?f[ >]")


def cut(data: bytes, size: int):
    return (data[start : start + size] for start in range(0, len(data), size))


def stream(data: bytes, size: int = 1 << 20) -> SheetStream:
    return SheetStream(cut(data, size), "f.xlsx", "sheet1.xml")


def seen(sheet):
    """Return number, bytes and kind of every row."""
    return [row for block in sheet.blocks() for row in zip(*block, strict=True)]


@given(worksheets(), st.sampled_from([7, 64, 1000, 1 << 20]))
def test_blocks_have_the_rows_of_the_sheet_however_it_is_cut(sheet, size):
    data = sheet_bytes(*sheet)
    whole = Worksheet(data, "f.xlsx", "sheet1.xml")
    rows = list(whole.rows())
    for found in (seen(whole), seen(stream(data, max(size, 200)))):
        raw = [(number, row if kind is None else row + whole.row_end) for number, row, kind in found]
        assert raw == [(row.number, row.raw) for row in rows]


@given(worksheets())
def test_a_kind_tells_the_cells_of_its_rows(sheet):
    whole = Worksheet(sheet_bytes(*sheet), "f.xlsx", "sheet1.xml")
    for number, raw, kind in seen(whole):
        if kind is not None:
            row = whole.row(number, raw + whole.row_end)
            cells = list(whole.cells(row.inner))
            assert kind.columns == tuple(cell.column for cell in cells)
            assert kind.filled == sum(1 << cell.column for cell in cells if cell.inner)
            assert kind.formulas == sum(1 << cell.column for cell in cells if FORMULA.match(cell.inner))
            assert kind.styled == sum(1 << cell.column for cell in cells if b" s=" in cell.attributes)
            assert kind.has_spans == (b"spans" in row.attributes)
            assert kind.has_format == (b'customFormat="1"' in row.attributes)
            if kind.has_spans:
                assert without_spans(raw) == raw.replace(b' spans="1:9"', b"")


def test_usual_rows_are_of_few_kinds():
    text = "".join(
        f'<row r="{n}" spans="1:3"><c r="A{n}"><v>{n * 7}</v></c>'
        f'<c r="B{n}" t="inlineStr"><is><t>Игрок {n}</t></is></c><c r="C{n}"><f>A{n}*2.5</f><v>-{n}</v></c></row>'
        for n in range(1, 9001)
    )
    found = seen(stream(START + text.encode() + END))
    assert len({kind for _, _, kind in found}) == 1
    assert found[0][2].columns == (1, 2, 3)
    assert found[-1][0] == 9000


def test_empty_rows_without_end_come_in_blocks_too():
    rows = [f'<row r="{n}" ht="15"/>' if n % 500 else f'<row r="{n}"><c r="A{n}"/></row>' for n in range(1, 2000)]
    text = "".join(rows)
    sheet = stream(START + text.encode() + END, 300)
    sizes = [len(block.numbers) for block in sheet.blocks()]
    assert sum(sizes) == 1999
    assert max(sizes) < 50


@pytest.mark.parametrize(
    "row",
    [
        b"<row r=\"2\"><c r='A2'><v>1</v></c></row>",
        b'<row r="2"><c r = "A2"><v>1</v></c></row>',
        b'<row r="2"><c r="A2"><v><![CDATA[1]]></v></c></row>',
        b'<!-- <row r="2"></row> -->',
        b"<?x y?>",
    ],
)
def test_odd_markup_is_noticed_wherever_it_stands(row):
    usual = b'<row r="1"><c r="A1"><v>1</v></c></row>'
    with pytest.raises(OddMarkupError):
        seen(stream(START + usual + row + END, 256))


@pytest.mark.parametrize(
    ("head", "tail"), [(b"<!-- x -->", b""), (b"", b"<!-- x -->")], ids=["before the rows", "after the rows"]
)
def test_a_comment_around_the_rows_is_noticed(head, tail):
    data = START.replace(b"<sheetData>", head + b"<sheetData>") + END.replace(b"</work", tail + b"</work")
    with pytest.raises(OddMarkupError):
        seen(stream(data))


def test_another_encoding_is_noticed():
    with pytest.raises(OddMarkupError):
        stream((START + END).decode().encode("utf-16"))


def test_a_whole_sheet_that_turns_out_odd_late_can_be_written_anew():
    usual = b"".join(b'<row r="%d"><c r="A%d"><v>1</v></c></row>' % (n, n) for n in range(1, 3000))
    data = START + usual + b'<row r = "3000"><c r="A3000"><v>1</v></c></row>' + END
    sheet = Worksheet(data, "f.xlsx", "sheet1.xml")
    with pytest.raises(OddMarkupError):
        seen(sheet)
    sheet.normalise()
    assert seen(sheet)[-1][0] == 3000


@pytest.mark.parametrize(
    "rows",
    [
        b'<row r="2"><c r="A2"/></row><row r="2"><c r="A2"/></row>',
        b'<row r="2"/><row r="1"/>',
        b'<row r="3"><c r="A3"/></row><row r="2"/>',
        b'<row r="3"/><row r="1"><c r="A1"/></row>',
        b'<row r="1"><c r="A1"/>',
    ],
)
def test_rows_out_of_order_or_without_an_end_are_refused(rows):
    for size in (1, 1 << 20):
        with pytest.raises(WorkbookRefusedError):
            seen(SheetStream(iter([START, *cut(rows, size), END]), "f.xlsx", "sheet1.xml"))


def test_a_part_that_breaks_off_is_refused():
    for data in (START, START + b'<row r="1"></row>', START[:-5], b"<worksheet/>"):
        with pytest.raises(WorkbookRefusedError):
            seen(stream(data))


def test_what_rows_are_known_by_does_not_grow_without_end(monkeypatch):
    monkeypatch.setattr(blocks, "_MOST_KNOWN", 10)
    text = "".join(f'<row r="{n}"><c r="A{n}"><v>{"E" * n}</v></c></row>' for n in range(1, 200))
    kinds = blocks.Kinds(b"")
    for row in text.encode().translate(None, b"0123456789").split(b"</row>")[:-1]:
        assert kinds[row].columns == (1,)
    assert len(kinds) <= 10


@given(worksheets(), st.integers(200, 5000))
def test_what_stands_around_the_rows_is_the_same_either_way(sheet, size):
    data = sheet_bytes(*sheet)
    pieces = stream(data, size)
    seen(pieces)
    assert etree.tostring(pieces.frame()) == etree.tostring(Worksheet(data, "f.xlsx", "sheet1.xml").frame())


SHAPES = st.lists(st.sampled_from(["A", "B", "AB", "ABC", "C"]), min_size=1, max_size=6)


@given(
    SHAPES, st.integers(1, 25), st.lists(st.sampled_from(["A", "B", "AC"]), max_size=2), st.sampled_from([60, 1 << 20])
)
def test_rows_that_come_again_and_again_are_known_as_others_are(shapes, times, last, size):
    rows = [*(shapes * times), *last]
    text = "".join(
        f'<row r="{n}">' + "".join(f'<c r="{letter}{n}"><v>{n}</v></c>' for letter in row) + "</row>"
        for n, row in enumerate(rows, 1)
    )
    data = START + text.encode() + END
    found = [(number, row, kind.columns) for number, row, kind in seen(stream(data, max(size, 200)))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_LONGEST_PERIOD", 0)
        assert found == [(number, row, kind.columns) for number, row, kind in seen(stream(data))]
    assert [columns for _, _, columns in found] == [tuple(ord(letter) - 64 for letter in row) for row in rows]
