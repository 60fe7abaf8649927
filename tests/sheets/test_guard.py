"""Files that would bring a reader down are refused first, in a moment."""

import io
import random
import re
import struct
import zipfile

import pytest

import prefxl.sheets as sheets
from prefxl.errors import FileError, FileRefusedError
from prefxl.sheets import scan_xls
from tests.sheets.samples import FIRST, LONG, scores, xlsx_bytes
from tests.sheets.xlsb import record, xlsb_bytes

SHEET = "xl/worksheets/sheet1.xml"
BOOK = xlsx_bytes({"Игры": LONG})


def patched(change, part=SHEET, data=BOOK):
    """Return the workbook with one part changed."""
    source, buffer = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name in source.namelist():
            package.writestr(name, change(source.read(name)) if name == part else source.read(name))
    return buffer.getvalue()


def with_row(xml):
    return patched(lambda text: text.replace(b"</sheetData>", xml + b"</sheetData>"))


@pytest.mark.parametrize(
    "row",
    [
        b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        b'<row r="9"><c r="XFD1048576"><v>1</v></c></row>',
        b'<row r="1048576"><c r="Z1048576"><v>1</v></c></row>',
        b'<row r="1048576"><c r="xfd1048576"><v>1</v></c></row>',
        b"<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>",
        b'<row r="9"><c t="n"  r = "XFD1048576"><v>1</v></c></row>',
        b'<row\n r="1048576"><c\n r="AAA1048576"><v>1</v></c></row>',
        b'<row r="2000000"><c r="XFE2000000"><v>1</v></c></row>',
    ],
    ids=range(8),
)
def test_one_cell_in_a_far_corner_is_passed_over_and_named(row):
    games = sheets.read(with_row(row))
    assert scores(games)[0] == FIRST
    (finding,) = [one for one in games.findings if one.reason == "far-cells"]
    assert finding.cell == re.search(rb"[A-Z]{1,3}\d+", row.upper().replace(b"R=", b""))[0].decode()
    assert finding.severity == "warning"


def test_cells_far_away_that_only_have_a_format_are_not_worth_a_word():
    games = sheets.read(with_row(b'<row r="65536"><c r="IV65536" s="1"/></row>'))
    assert scores(games)[0] == FIRST
    assert not [one for one in games.findings if one.reason == "far-cells"]


def test_a_sheet_that_is_large_and_empty_all_over_is_refused():
    rows = b"".join(b'<row r="%d"><c r="ZZ%d"><v>1</v></c></row>' % (row, row) for row in range(20, 900_000, 990))
    with pytest.raises(FileRefusedError, match="claims cells as far as"):
        sheets.read(with_row(rows))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "windows-1251"])
@pytest.mark.parametrize("which", ["sheet1", "workbook", "sharedStrings", ".rels", "Content_Types"])
def test_a_workbook_with_parts_in_another_encoding_is_read(which, encoding):
    def recoded(name, data):
        text = re.sub(r"^<\?xml[^>]*\?>", "", data.decode("utf-8-sig"))
        told = "UTF-16" if encoding.startswith("utf-16") else encoding
        declared = f'<?xml version="1.0" encoding="{told}" standalone="yes"?>{text}'
        return declared.encode(encoding) if which in name else data

    parts = zipfile.ZipFile(io.BytesIO(patched(lambda text: text)))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name in parts.namelist():
            package.writestr(name, recoded(name, parts.read(name)))
    assert scores(sheets.read(buffer.getvalue()))[0] == FIRST


@pytest.mark.parametrize("extent", ["A:XFD", "", "A1:", "a1:i9", "1:20", "$A$1:$I$9", "Лист1!A1:I9"])
def test_a_worksheet_that_claims_an_odd_extent_is_read(extent):
    claimed = f'<dimension ref="{extent}"></dimension>'.encode()
    odd = patched(
        lambda text: re.sub(rb"(<worksheet[^>]*>)(.*?)(<sheetViews|<sheetData)", rb"\1" + claimed + rb"\3", text)
    )
    assert scores(sheets.read(odd))[0] == FIRST


def test_entities_in_utf_16_are_refused():
    hostile = patched(
        lambda text: text.decode().replace("<worksheet", '<!DOCTYPE x [<!ENTITY a "b">]><worksheet', 1).encode("utf-16")
    )
    with pytest.raises(FileRefusedError, match="declares a document type"):
        sheets.read(hostile)


def test_a_workbook_whose_relations_wind_about_is_read():
    parts = zipfile.ZipFile(io.BytesIO(patched(lambda text: text)))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name in parts.namelist():
            package.writestr(name, parts.read(name).replace(b'Target="/xl/worksheets/', b'Target="./../xl/worksheets/'))
    assert b"./../xl" in zipfile.ZipFile(buffer).read("xl/_rels/workbook.xml.rels")
    assert scores(sheets.read(buffer.getvalue()))[0] == FIRST


def test_a_wrong_dimension_does_no_harm():
    data = patched(lambda text: re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1:XFD1048576"', text))
    assert scores(sheets.read(data))[0] == FIRST


def test_rows_that_only_have_a_format_do_no_harm():
    rows = b"".join(b'<row r="%d" s="1" customFormat="1"/>' % number for number in range(10, 200_000))
    assert scores(sheets.read(with_row(rows)))[0] == FIRST


def test_a_far_cell_in_a_binary_workbook_is_refused():
    with pytest.raises(FileRefusedError, match="claims cells as far as XFD1048576"):
        sheets.read(xlsb_bytes([["Игра"]], far=(1_048_575, 16_383)))


SPACES = "urn:oasis:names:tc:opendocument:xmlns"
CONTENT = (
    '<?xml version="1.0"?>{doctype}'
    f'<office:document-content xmlns:office="{SPACES}:office:1.0" xmlns:table="{SPACES}:table:1.0" '
    f'xmlns:text="{SPACES}:text:1.0"><office:body><office:spreadsheet><table:table table:name="а">'
    "{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
)


def ods(rows="", doctype="", manifest=""):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr("META-INF/manifest.xml", f"<manifest>{manifest}</manifest>")
        package.writestr("content.xml", CONTENT.format(rows=rows, doctype=doctype))
    return buffer.getvalue()


def test_a_repeated_cell_in_an_open_document_is_refused():
    cell = (
        '<table:table-cell office:value-type="string" table:number-columns-repeated="16384">'
        "<text:p>x</text:p></table:table-cell>"
    )
    with pytest.raises(FileRefusedError, match="claims cells as far as XFD1048576"):
        sheets.read(ods(f'<table:table-row table:number-rows-repeated="1048576">{cell}</table:table-row>'))


def test_entities_are_refused():
    with pytest.raises(FileRefusedError, match="declares a document type"):
        sheets.read(patched(lambda text: text.replace(b"<worksheet", b'<!DOCTYPE x [<!ENTITY a "b">]><worksheet', 1)))
    with pytest.raises(FileRefusedError, match="declares a document type"):
        sheets.read(ods(doctype='<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'))


def test_a_package_that_unpacks_to_a_flood_is_refused():
    flood = b'<row r="20"><c r="A20" t="inlineStr"><is><t>' + b"A" * (40 << 20) + b"</t></is></c></row>"
    with pytest.raises(FileRefusedError, match="unpacks to far more"):
        sheets.read(with_row(flood))


def test_a_package_that_lies_about_its_sizes_is_refused():
    data = bytearray(with_row(b'<row r="20"/>' * 200_000))
    place = data.rfind(SHEET.encode()) - 46
    # the size, unpacked, in the directory at the end
    data[place + 24 : place + 28] = (1000).to_bytes(4, "little")
    with pytest.raises(FileError, match=r"unpacks to far more|damaged"):
        sheets.read(bytes(data))


def test_a_password_is_named():
    with pytest.raises(FileRefusedError, match="protected by a password"):
        sheets.read(ods(manifest="<encryption-data/>"))


def test_an_encrypted_workbook_is_named():
    with pytest.raises(FileRefusedError, match="protected by a password"):
        sheets.read(compound("EncryptedPackage"))


def test_a_compound_file_of_another_program_is_named():
    with pytest.raises(FileError, match="another program"):
        sheets.read(compound("WordDocument"))


def compound(stream):
    """Return a compound file of one empty stream."""
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    header[24:34] = b"\x3e\0\x03\0\xfe\xff\x09\0\x06\0"
    header[44:76] = b"\x01\0\0\0\x01\0\0\0\0\0\0\0\0\x10\0\0\xfe\xff\xff\xff\0\0\0\0\xfe\xff\xff\xff\0\0\0\0"
    header[76:80] = b"\0\0\0\0"
    header[80:512] = b"\xff" * 432
    table = b"\xfd\xff\xff\xff\xfe\xff\xff\xff" + b"\xff" * 504
    return bytes(header) + table + entry("Root Entry", 5) + entry(stream, 2) + bytes(256)


def entry(name, kind):
    text = name.encode("utf-16-le")
    return text + bytes(64 - len(text)) + (len(text) + 2).to_bytes(2, "little") + bytes([kind]) + bytes(61)


@pytest.mark.parametrize("cut", [30, 200, 2000])
def test_a_package_cut_short_is_damaged(cut):
    with pytest.raises(FileError, match="damaged or cut short"):
        sheets.read(BOOK[:-cut])


def test_an_archive_of_something_else_is_no_workbook():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        package.writestr("a.txt", "x")
    with pytest.raises(FileError, match="no workbook"):
        sheets.read(buffer.getvalue())


@pytest.mark.parametrize(
    "start", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"PAR1"], ids=["zip", "ole", "parquet"]
)
def test_noise_is_refused_in_a_sentence(start):
    for seed in range(20):
        data = start + random.Random(seed).randbytes(600)
        with pytest.raises(FileError, match=r"\w+"):
            sheets.read(data)


def test_a_claim_of_more_shared_texts_than_fit_is_refused():
    texts = b'<sst uniqueCount = "99999999999"><si><t>x</t></si></sst>'
    source, buffer = zipfile.ZipFile(io.BytesIO(BOOK)), io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name in source.namelist():
            if name != "xl/sharedStrings.xml":
                package.writestr(name, source.read(name))
        package.writestr("xl/sharedStrings.xml", texts)
    with pytest.raises(FileRefusedError, match="unpacks to far more"):
        sheets.read(buffer.getvalue())


def test_two_parts_apart_by_case_alone_are_refused():
    buffer = io.BytesIO(BOOK)
    with zipfile.ZipFile(buffer, "a") as package:
        package.writestr(SHEET.upper(), "<worksheet/>")
    with pytest.raises(FileRefusedError, match="unpacks to far more"):
        sheets.read(buffer.getvalue())


def test_a_record_cut_short_in_a_binary_workbook_is_damage():
    data = xlsb_bytes([["Игра", 1.0]])
    sheet = "xl/worksheets/sheet1.bin"
    short = record(5, bytes(6))
    with pytest.raises(FileError, match="damaged"):
        sheets.read(patched(lambda part: part.replace(record(146), short + record(146)), sheet, data))
    with pytest.raises(FileError, match="damaged"):
        sheets.read(patched(lambda part: part[:-2], sheet, data))


def test_a_chart_inside_an_old_worksheet_hides_nothing():
    begin, end = b"\x09\x08\x04\x00" + bytes(4), b"\x0a\x00\x00\x00"
    cell = b"\x03\x02\x0e\x00" + struct.pack("<HHHd", 9, 2, 0, 1.0)
    kinds = [kind for kind, _ in scan_xls._records(begin + begin + cell + end + cell + end + cell, 0)]
    assert kinds == [0x809, 0x203]
