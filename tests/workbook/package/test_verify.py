"""The result is compared with the source before it is moved into place."""

from __future__ import annotations

import pickle

import pytest

from prefxl.workbook.package import VerificationError, annotate
from prefxl.workbook.package.verify import verify
from tests.workbook.package.books import changes, make, make_donor, parts, repacked


@pytest.fixture
def pair(tmp_path):
    source, target = make(tmp_path, "notes"), tmp_path / "out.xlsx"
    annotate(source, target, changes(source), donor=make_donor(tmp_path))
    return source, target


def tampered(pair, part, old, new):
    source, target = pair
    text = parts(target)[part]
    assert old in text
    # written anew as a whole, so that only the content can differ
    plain = repacked(source, source.with_name("plain.xlsx"))
    return plain, repacked(target, target.with_name("odd.xlsx"), **{part: text.replace(old, new, 1)})


def test_an_honest_result_passes(pair):
    verify(*pair)


@pytest.mark.parametrize(
    ("part", "old", "new", "said"),
    [
        ("xl/worksheets/sheet1.xml", b"<v>6</v>", b"<v>7</v>", "Партии!C4 has changed"),
        ("xl/worksheets/sheet1.xml", b'<c r="D3"><v>3</v></c>', b"", "Партии!D3 is gone"),
        ("xl/worksheets/sheet1.xml", b'<c r="D3">', b'<c r="D3" s="1">', "Партии!D3 looks different"),
        ("xl/worksheets/sheet1.xml", b"</row>", b'<c r="ZZ1"><v>1</v></c></row>', "ZZ1 is new and not ours"),
        ("xl/worksheets/sheet1.xml", b'<c r="L2"', b'<c r="L3"', "Партии!L2 is called as if it stood in row 3"),
        ("xl/worksheets/sheet1.xml", b'<row r="3"', b'<row r="3" ht="30"', "the look of row 3"),
        ("xl/worksheets/sheet1.xml", b'<pageMargins left="0.7"', b'<pageMargins left="0.8"', "around the cells"),
        ("xl/sharedStrings.xml", "Игрок 1".encode(), "Игрок 9".encode(), "sharedStrings.xml has changed"),
        ("xl/styles.xml", b'<xf numFmtId="0" fontId="1"', b'<xf numFmtId="0" fontId="0"', "cellXfs in xl/styles.xml"),
        ("xl/comments1.xml", "Замечание".encode(), "Исправлено".encode(), "the notes on Партии"),
        ("xl/drawings/vmlDrawing1.vml", b'ObjectType="Button"', b'ObjectType="Radio"', "boxes or controls"),
        ("xl/workbook.xml", b'name="\xd0\x9f', b'name="_\xd0\x9f', "is not where it was"),
        ("xl/drawings/_rels/drawing1.xml.rels", b"chart1.xml", b"chart9.xml", "refers to xl/charts/chart9.xml"),
        ("[Content_Types].xml", b"/xl/charts/chart1.xml", b"/xl/charts/chart8.xml", "chart1.xml has no content type"),
        ("xl/charts/chart1.xml", b"<c:chart>", b"<c:chart", "chart1.xml is not well-formed"),
    ],
)
def test_a_difference_is_found(pair, part, old, new, said):
    plain, odd = tampered(pair, part, old, new)
    with pytest.raises(VerificationError, match="would have differed") as caught:
        verify(plain, odd)
    assert said in caught.value.what


def test_a_lost_part_is_found(pair):
    source, target = pair
    odd = repacked(target, target.with_name("odd.xlsx"), **{"xl/theme/theme1.xml": None})
    with pytest.raises(VerificationError, match=r"theme1\.xml is gone"):
        verify(repacked(source, source.with_name("plain.xlsx")), odd)


def test_nothing_is_replaced_when_the_comparison_fails(tmp_path, monkeypatch):
    source, target = make(tmp_path), tmp_path / "out.xlsx"
    target.write_bytes(b"old")

    def differs(*_):
        raise VerificationError("all", "всё")

    monkeypatch.setitem(annotate.__globals__, "verify", differs)
    with pytest.raises(VerificationError, match="Nothing was written"):
        annotate(source, target, changes(source), overwrite=True)
    assert target.read_bytes() == b"old"
    assert sorted(item.name for item in tmp_path.iterdir()) == ["out.xlsx", "plain.xlsx"]


def test_the_error_survives_pickling():
    assert pickle.loads(pickle.dumps(VerificationError("x", "икс"))).russian == "икс"
