"""Packages as odd programs write them: prefixes, odd part names, missing styles, cells and rows without names."""

from __future__ import annotations

import re
import zipfile

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from prefxl.workbook.package import CellChange, Mark, Reason, SheetChange, StyleRole, annotate, inspect
from tests.workbook.package.books import MAIN, OFFICE, PACKAGE, make, make_donor, opened, parts, raw_package, repacked

STYLES = [
    None,
    f'<styleSheet xmlns="{MAIN}"/>',
    f'<styleSheet xmlns="{MAIN}"><fonts count="0"/><cellXfs/></styleSheet>',
    f'<s:styleSheet xmlns:s="{MAIN}"><s:fonts><s:font/></s:fonts><s:fills><s:fill><s:patternFill/></s:fill></s:fills>'
    "<s:borders><s:border/></s:borders><s:cellXfs><s:xf/></s:cellXfs></s:styleSheet>",
]
PARTS = ["xl/worksheets/sheet1.xml", "xl/worksheets/sheet1a.xml", "XL/Листы/первый.xml", "sheet.xml"]


@st.composite
def packages(draw):
    """Return rows of (number, [(column, value)]), and how they are written."""
    rows = sorted(draw(st.sets(st.integers(1, 12), max_size=6)))
    cells = {row: sorted(draw(st.sets(st.integers(1, 9), max_size=5))) for row in rows}
    return cells, {
        "prefix": draw(st.sampled_from(["", "x", "ss"])),
        "sheet_part": draw(st.sampled_from(PARTS)),
        "styles": draw(st.sampled_from(STYLES)),
        "typed_relations": draw(st.booleans()),
        "named": draw(st.booleans()),
        "quote": draw(st.sampled_from(['"', "'"])),
        "gap": draw(st.sampled_from(["", "\n  ", "<!-- x -->"])),
        "spans": draw(st.booleans()),
        "encoding": draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])),
    }


def sheet_xml(cells, options):
    p = f"{options['prefix']}:" if options["prefix"] else ""
    q, gap = options["quote"], options["gap"]
    text = f"<{p}worksheet xmlns{':' if p else ''}{options['prefix']}={q}{MAIN}{q}><{p}sheetData>"
    # names may be left out only where nothing is skipped
    last = 0
    for row, columns in cells.items():
        named = options["named"] or row != last + 1
        spans = f" spans={q}1:9{q}" if options["spans"] else ""
        start = f"{gap}<{p}row{f' r={q}{row}{q}' if named else ''}{spans}"
        inside, before = "", 0
        for column in columns:
            shown = options["named"] or column != before + 1
            name = f" r={q}{openpyxl.utils.get_column_letter(column)}{row}{q}" if shown else ""
            inside += f"{gap}<{p}c{name}><{p}v>{row * 100 + column}</{p}v></{p}c>"
            before = column
        text += f"{start}>{inside}</{p}row>" if columns else f"{start}/>"
        last = row
    encoding = {"utf-8-sig": "utf-8"}.get(options["encoding"], options["encoding"])
    return f"<?xml version={q}1.0{q} encoding={q}{encoding}{q}?>{text}{gap}</{p}sheetData></{p}worksheet>"


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    packages(),
    st.sets(st.tuples(st.integers(1, 14), st.integers(1, 11)), max_size=6),
    st.sets(st.tuples(st.integers(1, 14), st.integers(1, 11)), max_size=4),
)
def test_an_odd_package_keeps_its_cells_and_takes_ours(tmp_path, package, wanted, marked):
    cells, options = package
    path = raw_package(
        tmp_path / "odd.xlsx",
        sheet_xml(cells, options),
        **{name: options[name] for name in ("prefix", "sheet_part", "styles", "typed_relations", "encoding")},
    )
    change = SheetChange(
        "Партии",
        [CellChange(row, column, -1, style=StyleRole(bold=True)) for row, column in sorted(wanted)],
        [Mark(row, column, "FFC7CE", "наше") for row, column in sorted(marked - wanted)],
    )
    first, second = tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    report = annotate(path, first, [change], overwrite=True)
    annotate(first, second, [change], overwrite=True)
    assert first.read_bytes() == second.read_bytes()
    sheet = opened(first)["Партии"]
    theirs = {(row, column): row * 100 + column for row, columns in cells.items() for column in columns}
    expected = dict.fromkeys(wanted, -1) | theirs
    found = {(c.row, c.column): c.value for line in sheet.iter_rows() for c in line if c.value is not None}
    assert found == expected
    assert {(item.row, item.column) for item in report.not_placed} == wanted & set(theirs)
    assert {item.reason for item in report.not_placed} <= {Reason.OCCUPIED}
    for row, column in marked - wanted:
        assert sheet.cell(row, column).fill.fgColor.rgb == "FFFFC7CE"
        assert sheet.cell(row, column).comment.text == "наше"


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(packages())
def test_an_odd_package_is_looked_through_right(tmp_path, package):
    cells, options = package
    path = raw_package(
        tmp_path / "odd.xlsx",
        sheet_xml(cells, options),
        **{name: options[name] for name in ("prefix", "sheet_part", "styles", "typed_relations", "encoding")},
    )
    sheet = inspect(path).sheet("Партии")
    for row in range(1, 13):
        filled = [column for column in range(1, 12) if sheet.is_filled(row, column)]
        assert filled == cells.get(row, [])


@pytest.mark.parametrize(
    "spelling", ["xl\\worksheets\\sheet1.xml", "/xl/worksheets/sheet1.xml", "xl/Worksheets/SHEET1.xml"]
)
def test_members_may_be_spelled_as_other_programs_do(tmp_path, spelling):
    path = raw_package(tmp_path / "a.xlsx", f'<worksheet xmlns="{MAIN}"><sheetData/></worksheet>')
    odd = tmp_path / "odd.xlsx"
    with zipfile.ZipFile(path) as package, zipfile.ZipFile(odd, "w") as copy:
        for name in package.namelist():
            copy.writestr(zipfile.ZipInfo(spelling if "sheet1" in name else name), package.read(name))
    annotate(odd, tmp_path / "out.xlsx", [SheetChange("Партии", [CellChange(1, 1, 5)])])
    with zipfile.ZipFile(tmp_path / "out.xlsx") as package:
        assert spelling in [info.orig_filename for info in package.infolist()]
        assert b"<v>5</v>" in package.read(package.infolist()[0])


def test_text_within_cdata_is_not_taken_for_rows(tmp_path):
    inside = '<row r="1"><c r="A1" t="inlineStr"><is><t><![CDATA[</row><row r="9">]]></t></is></c></row>'
    path = raw_package(tmp_path / "a.xlsx", f'<worksheet xmlns="{MAIN}"><sheetData>{inside}</sheetData></worksheet>')
    annotate(path, tmp_path / "out.xlsx", [SheetChange("Партии", [CellChange(1, 3, 5)])])
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx")["Партии"]
    assert (sheet["A1"].value, sheet["C1"].value) == ('</row><row r="9">', 5)


def test_an_extension_list_stays_at_the_end_of_its_row(tmp_path):
    inside = '<row r="1"><c r="A1"><v>1</v></c><extLst><ext uri="x"/></extLst></row>'
    path = raw_package(tmp_path / "a.xlsx", f'<worksheet xmlns="{MAIN}"><sheetData>{inside}</sheetData></worksheet>')
    annotate(path, tmp_path / "out.xlsx", [SheetChange("Партии", [CellChange(1, 3, 5)])])
    with zipfile.ZipFile(tmp_path / "out.xlsx") as package:
        text = package.read("xl/worksheets/sheet1.xml")
    assert b'<c r="C1"><v>5</v></c><extLst><ext uri="x"/></extLst></row>' in text


EMPTY = '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"'


@pytest.mark.parametrize(
    "drawing",
    [
        f"{EMPTY}/>".encode(),
        f'<?xml version="1.0"?>\n{EMPTY} />\n'.encode(),
        f"{EMPTY}></xml>".encode(),
        f'<?xml version="1.0" encoding="UTF-16"?>{EMPTY}><v:oval id="o"/></xml>'.encode("utf-16"),
    ],
    ids=["closed at once", "closed after a declaration", "empty", "UTF-16"],
)
def test_a_drawing_for_notes_may_be_empty_or_in_another_encoding(tmp_path, drawing):
    source = repacked(make(tmp_path, "notes"), tmp_path / "odd.xlsx", **{"xl/drawings/vmlDrawing1.vml": drawing})
    first, second = tmp_path / "first.xlsx", tmp_path / "second.xlsx"
    change = [SheetChange("Партии", marks=[Mark(3, 3, None, "наше")])]
    annotate(source, first, change)
    assert opened(first)["Партии"]["C3"].comment.text == "наше"
    written = parts(first)["xl/drawings/vmlDrawing1.vml"]
    assert etree.fromstring(written).xpath("count(//*[local-name()='ClientData'])") == 1
    assert (b"v:oval" in written) == (b"v:oval" in drawing.replace(b"\0", b""))
    annotate(first, second, change)
    assert first.read_bytes() == second.read_bytes()


def test_notes_of_an_author_who_is_not_listed_do_not_become_ours(tmp_path):
    source = make(tmp_path, "notes")
    texts = re.sub(rb"<authors>.*</authors>", b"<authors/>", parts(source)["xl/comments1.xml"])
    odd = repacked(source, tmp_path / "odd.xlsx", **{"xl/comments1.xml": texts})
    annotate(odd, tmp_path / "out.xlsx", [SheetChange("Партии", marks=[Mark(3, 3, None, "наше")])])
    root = etree.fromstring(parts(tmp_path / "out.xlsx")["xl/comments1.xml"])
    authors = [one.text for one in root.iter("{*}author")]
    told = {one.get("ref"): authors[int(one.get("authorId"))] for one in root.iter("{*}comment")}
    assert told == {"B2": None, "C3": "prefxl"}


@pytest.mark.parametrize("number", [b"4294967295", b"-1"])
def test_a_note_of_an_author_of_an_impossible_number_stays(tmp_path, number):
    source = make(tmp_path, "notes")
    texts = re.sub(rb'authorId="\d+"', b'authorId="%s"' % number, parts(source)["xl/comments1.xml"])
    odd = repacked(source, tmp_path / "odd.xlsx", **{"xl/comments1.xml": texts})
    annotate(odd, tmp_path / "out.xlsx", [SheetChange("Партии", marks=[Mark(3, 3, None, "наше")])])
    root = etree.fromstring(parts(tmp_path / "out.xlsx")["xl/comments1.xml"])
    authors = [one.text for one in root.iter("{*}author")]
    told = {one.get("ref"): one.get("authorId") for one in root.iter("{*}comment")}
    assert told == {"B2": number.decode(), "C3": str(authors.index("prefxl"))}


def test_html_in_a_caption_that_is_not_xml_does_no_harm(tmp_path):
    source = make(tmp_path, "notes")
    drawing = parts(source)["xl/drawings/vmlDrawing1.vml"].replace("Кнопка".encode(), b"A<br>B")
    odd = repacked(source, tmp_path / "odd.xlsx", **{"xl/drawings/vmlDrawing1.vml": drawing})
    annotate(odd, tmp_path / "out.xlsx", [SheetChange("Партии", marks=[Mark(3, 3, None, "наше")])])
    assert b"A<br>B" in parts(tmp_path / "out.xlsx")["xl/drawings/vmlDrawing1.vml"]


def test_a_last_cell_without_a_name_is_not_written_over(tmp_path):
    inside = '<row r="6"><c r="F6"><v>1</v></c><c><v>2</v></c></row>'
    path = raw_package(tmp_path / "a.xlsx", f'<worksheet xmlns="{MAIN}"><sheetData>{inside}</sheetData></worksheet>')
    report = annotate(path, tmp_path / "out.xlsx", [SheetChange("Партии", [CellChange(6, 7, 5), CellChange(6, 8, 6)])])
    assert [item.reason for item in report.not_placed] == [Reason.OCCUPIED]
    sheet = opened(tmp_path / "out.xlsx")["Партии"]
    assert [sheet.cell(6, column).value for column in (6, 7, 8)] == [1, 2, 6]


def test_parts_of_ours_do_not_take_names_that_the_users_relations_lead_to_in_vain(tmp_path):
    # as R's openxlsx writes every workbook: each worksheet is related to drawings that are not there
    path = raw_package(tmp_path / "a.xlsx", f'<worksheet xmlns="{MAIN}"><sheetData/></worksheet>')
    relations = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/{kind}" Target="../{target}"/>'
        for number, (kind, target) in enumerate(
            [
                ("drawing", "drawings/drawing1.xml"),
                ("vmlDrawing", "drawings/vmlDrawing1.vml"),
                ("table", "tables/Table1.xml"),
            ],
            1,
        )
    )
    types = parts(path)["[Content_Types].xml"].replace(
        b"</Types>", b'<Override PartName="/xl/charts/chart1.xml" ContentType="application/xml"/></Types>'
    )
    odd = repacked(
        path,
        tmp_path / "odd.xlsx",
        **{
            "xl__worksheets___rels__sheet1.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{relations}'
            "</Relationships>".encode(),
            "[Content_Types].xml": types,
        },
    )
    first, second = tmp_path / "first.xlsx", tmp_path / "second.xlsx"
    change = [SheetChange("Партии", [CellChange(2, 2, 1, note="наше")])]
    donor = make_donor(tmp_path)
    annotate(odd, first, change, donor=donor)
    told = {"drawings/drawing1.xml", "drawings/vmldrawing1.vml", "tables/table1.xml", "charts/chart1.xml"}
    assert not {f"xl/{name}" for name in told} & {name.lower() for name in parts(first)}
    assert "наше".encode() in parts(first)["xl/comments1.xml"]
    annotate(first, second, change, donor=donor)
    assert first.read_bytes() == second.read_bytes()


def test_a_sheet_that_is_listed_without_a_part_stays_in_the_list(tmp_path):
    # modules of Excel 5 are listed so to this day
    path = raw_package(tmp_path / "a.xlsx", f'<worksheet xmlns="{MAIN}"><sheetData/></worksheet>')
    listed = b'<sheet name="Module1" sheetId="2" state="veryHidden" r:id=""/>'
    book = parts(path)["xl/workbook.xml"].replace(b"<sheet name", listed + b"<sheet name")
    odd = repacked(path, tmp_path / "odd.xlsx", **{"xl__workbook.xml": book})
    assert [sheet.name for sheet in inspect(odd).sheets] == ["Партии"]
    first, second = tmp_path / "first.xlsx", tmp_path / "second.xlsx"
    change = [SheetChange("Партии", [CellChange(2, 2, 1, note="наше")])]
    donor = make_donor(tmp_path)
    annotate(odd, first, change, donor=donor)
    assert listed in parts(first)["xl/workbook.xml"]
    annotate(first, second, change, donor=donor)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_workbook_in_another_encoding_takes_ours(tmp_path, encoding):
    path = raw_package(tmp_path / "a.xlsx", f'<worksheet xmlns="{MAIN}"><sheetData/></worksheet>')
    text = f'<?xml version="1.0" encoding="{encoding}"?>' + parts(path)["xl/workbook.xml"].decode()
    odd = repacked(path, tmp_path / "odd.xlsx", **{"xl__workbook.xml": text.encode(encoding)})
    annotate(odd, tmp_path / "out.xlsx", [SheetChange("Партии", [CellChange(2, 2, 1)])], donor=make_donor(tmp_path))
    assert opened(tmp_path / "out.xlsx")["Партии"]["B2"].value == 1


def test_styles_that_are_promised_and_not_there_are_ours_to_write(tmp_path):
    # there can be one part only: a second relation of this kind is one too many
    path = raw_package(tmp_path / "a.xlsx", f'<worksheet xmlns="{MAIN}"><sheetData/></worksheet>', styles="<x/>")
    odd = repacked(path, tmp_path / "odd.xlsx", **{"xl/styles.xml": None})
    first, second = tmp_path / "first.xlsx", tmp_path / "second.xlsx"
    change = [SheetChange("Партии", [CellChange(2, 2, 1, note="наше", style=StyleRole(bold=True))])]
    annotate(odd, first, change)
    assert parts(first)["xl/_rels/workbook.xml.rels"].count(b'/styles"') == 1
    assert opened(first)["Партии"]["B2"].font.b
    annotate(first, second, change)
    assert first.read_bytes() == second.read_bytes()
