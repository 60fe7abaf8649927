"""What is refused, before anything is written, with a sentence in both languages."""

from __future__ import annotations

import pickle
import struct
import zipfile

import pytest

from prefxl.errors import FileError, FileRefusedError
from prefxl.workbook.package import CellChange, Refusal, SheetChange, WorkbookRefusedError, annotate, inspect
from tests.workbook.package.books import make, parts, raw_package, repacked

NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
EMPTY = f"<worksheet {NS}><sheetData/></worksheet>"


def refusal_of(path):
    with pytest.raises(WorkbookRefusedError, match=path.name) as caught:
        inspect(path)
    target = path.with_name(f"out{path.suffix}")
    with pytest.raises(FileRefusedError, match=path.name):
        annotate(path, target, [SheetChange("Партии", [CellChange(9, 9, 1)])])
    assert not target.exists()
    assert caught.value.say("ru") != caught.value.say("en")
    return caught.value.refusal


def with_text(folder, part, old, new):
    source = make(folder)
    text = parts(source)[part]
    assert old in text
    return repacked(source, folder / "odd.xlsx", **{part: text.replace(old, new)})


def related(folder, part, relation):
    return with_text(folder, part, b"</Relationships>", relation.encode() + b"</Relationships>")


def written(folder, content, name="odd.xlsx"):
    path = folder / name
    path.write_bytes(content)
    return path


def test_strict_workbooks(tmp_path):
    old = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    new = b"http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument"
    assert refusal_of(with_text(tmp_path, "_rels/.rels", old, new)) is Refusal.STRICT


def test_signed_workbooks(tmp_path):
    kind = "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin"
    relation = f'<Relationship Id="s" Type="{kind}" Target="_xmlsignatures/origin.sigs"/>'
    assert refusal_of(related(tmp_path, "_rels/.rels", relation)) is Refusal.SIGNED


def test_shared_workbooks(tmp_path):
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/revisionHeaders"
    relation = f'<Relationship Id="s" Type="{kind}" Target="revisions/revisionHeaders.xml"/>'
    assert refusal_of(related(tmp_path, "xl/_rels/workbook.xml.rels", relation)) is Refusal.SHARED


@pytest.mark.parametrize(
    ("start", "refusal"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), Refusal.ENCRYPTED),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), Refusal.OLD_EXCEL),
        (b"<html><table></table></html>", Refusal.NOT_A_WORKBOOK),
        ("Игра;Игрок".encode("cp1251"), Refusal.NOT_A_WORKBOOK),
        (b"", Refusal.NOT_A_WORKBOOK),
        (b"PK\x03\x04 cut off", Refusal.BROKEN),
    ],
)
def test_other_formats_are_told_by_their_first_bytes(tmp_path, start, refusal):
    assert refusal_of(written(tmp_path, start)) is refusal


@pytest.mark.parametrize(
    ("member", "content", "refusal"),
    [
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet", Refusal.OPEN_DOCUMENT),
        ("xl/workbook.bin", b"x", Refusal.BINARY),
        ("readme.txt", b"x", Refusal.NOT_A_WORKBOOK),
    ],
)
def test_other_packages_are_told_by_what_is_in_them(tmp_path, member, content, refusal):
    path = tmp_path / "odd.xlsx"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr(member, content)
    assert refusal_of(path) is refusal


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "_rels/.rels"])
def test_a_doctype_is_never_opened(tmp_path, part):
    source = make(tmp_path)
    bomb = b'<?xml version="1.0"?><!-- <a> --><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    text = parts(source)[part].split(b"?>", 1)[1]
    assert refusal_of(repacked(source, tmp_path / "odd.xlsx", **{part: bomb + text})) is Refusal.HOSTILE


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_doctype_in_another_encoding_is_found(tmp_path, encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE x>{EMPTY}'
    assert refusal_of(raw_package(tmp_path / "odd.xlsx", text, encoding=encoding)) is Refusal.HOSTILE


def test_a_part_that_is_not_xml_is_damage(tmp_path):
    source = make(tmp_path)
    odd = repacked(source, tmp_path / "odd.xlsx", **{"xl/worksheets/sheet1.xml": b"\x00\x01"})
    assert refusal_of(odd) is Refusal.BROKEN


def test_a_sheet_whose_part_is_missing_is_damage(tmp_path):
    source = make(tmp_path)
    odd = repacked(source, tmp_path / "odd.xlsx", **{"xl/worksheets/sheet1.xml": None})
    assert refusal_of(odd) is Refusal.BROKEN


def test_rows_that_do_not_ascend_are_damage(tmp_path):
    rows = '<row r="2"/><row r="1"/>'
    odd = raw_package(tmp_path / "odd.xlsx", f"<worksheet {NS}><sheetData>{rows}</sheetData></worksheet>")
    assert refusal_of(odd) is Refusal.BROKEN


def test_a_flipped_byte_is_damage(tmp_path):
    path = make(tmp_path)
    with zipfile.ZipFile(path) as package:
        info = package.getinfo("xl/worksheets/sheet1.xml")
    content = bytearray(path.read_bytes())
    content[info.header_offset + 30 + len(info.filename) + 40] ^= 0xFF
    assert refusal_of(written(tmp_path, bytes(content))) is Refusal.BROKEN


def test_a_member_called_otherwise_in_its_own_header_is_damage(tmp_path):
    path = make(tmp_path)
    # its own header comes first, the directory at the end
    content = path.read_bytes().replace(b"xl/worksheets/sheet1.xml", b"xl/worksheets/sheet9.xml", 1)
    assert refusal_of(written(tmp_path, content)) is Refusal.BROKEN


def test_a_member_that_unpacks_to_gigabytes_is_not_unpacked(tmp_path):
    path = make(tmp_path)
    content = bytearray(path.read_bytes())
    start = content.find(b"PK\x01\x02")
    content[start + 24 : start + 28] = struct.pack("<L", 2 << 30)
    assert refusal_of(written(tmp_path, bytes(content))) is Refusal.TOO_LARGE


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(FileError, match="There is no file"):
        inspect(tmp_path / "нет.xlsx")


def test_a_refusal_survives_pickling():
    error = pickle.loads(pickle.dumps(WorkbookRefusedError("a.xlsx", Refusal.SIGNED, "x")))
    assert (error.name, error.refusal, error.detail) == ("a.xlsx", Refusal.SIGNED, "x")


@pytest.mark.parametrize("refusal", Refusal)
def test_every_refusal_has_a_sentence_in_both_languages(refusal):
    english, russian = refusal.value
    assert english.endswith(".")
    assert any("а" <= letter <= "я" for letter in russian)
