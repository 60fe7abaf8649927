"""Appending all worksheets of a workbook of ours to the user's, with everything that belongs to them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.archive import Blob
from prefxl.workbook.package.book import Book, Sheet, free_number, open_archive
from prefxl.workbook.package.contents import Texts
from prefxl.workbook.package.donor_styles import StyleMap
from prefxl.workbook.package.graft_rows import SharedStrings, grafted_rows
from prefxl.workbook.package.notes import free_block
from prefxl.workbook.package.our_sheets import MOST_BYTES, large_prints, sheet_prints
from prefxl.workbook.package.parts import RELATIONS_TYPE, Package, relations_part
from prefxl.workbook.package.renaming import Renaming, free_sheet_name
from prefxl.workbook.package.styles import Styles
from prefxl.workbook.package.worksheet import Frame, Worksheet

_SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
_TABLE_NAME_END = re.compile(r"\d*$")
_SHAPE_ID = re.compile(rb"_x0000_s(\d+)")
_ID_BLOCK = re.compile(rb'(<o:idmap[^>]*?data=")[\d,\s]+(")')
_BLOCK = 1024
_LAST_TABLE_ID = 2**32 - 2


#: Member of the donor and its bytes to the pieces that are written.
Filler = Callable[[str, bytes], Iterator[bytes]]


class Grafted(NamedTuple):
    """What came over: each donor sheet's name to its name here, in order; the workbook-wide names defined;
    and for each sheet what it is known by."""

    sheets: dict[str, str]
    names: list[str]
    prints: dict[str, dict[str, str]]


def graft(
    book: Book, styles: Styles, donor: Path, places: Mapping[str, str] | None = None, fill: Filler | None = None
) -> Grafted:
    """Append the worksheets of a donor workbook.

    The donor is written by XlsxWriter (or openpyxl): its formulas must carry
    their values, for nobody recalculates them here. Shared strings become
    inline ones, styles are merged, parts renumbered, names of sheets and
    tables made unique; formulas, charts and links follow. A dynamic array
    becomes an ordinary array formula.

    Parameters
    ----------
    book, styles
        The user's workbook.
    donor
        Path of the workbook to take over.
    places
        Donor's sheet to the emptied sheet of the book it takes the place of; the others come last.
    fill
        Yields a sheet in pieces, given its member in the donor and its bytes as they are to be here: a chance
        to put rows in that the donor has only a sample of.

    Returns
    -------
    Grafted
        The new names.
    """
    with open_archive(donor) as archive:
        return _Graft(book, styles, Book(Package(archive)), places or {}, fill or _as_it_is).run()


class _Graft:
    def __init__(self, book: Book, styles: Styles, donor: Book, places: Mapping[str, str], fill: Filler) -> None:
        self._book = book
        self._places = places
        self._fill = fill
        self._prints: dict[str, dict[str, str]] = {}
        self._donor = donor
        self._package = book.package
        self._from = donor.package
        self._styles = StyleMap(Styles(donor), styles)
        self._strings = SharedStrings(donor)
        self._texts = Texts(donor)
        self._renaming = Renaming()
        self._copied: dict[str, str] = {}
        self._table_ids, self._table_names = _tables(book)

    def run(self) -> Grafted:
        sheets = [sheet for sheet in self._donor.sheets() if sheet.kind == "worksheet"]
        names = self._new_names(sheets)
        self._renaming.sheets = {old: new for old, new in names.items() if old != new}
        self._rename_tables(sheets)
        positions = {sheet.name: self._sheet(sheet, names[sheet.name]) for sheet in sheets}
        return Grafted(names, self._names(positions), self._prints)

    def _new_names(self, sheets: list[Sheet]) -> dict[str, str]:
        taken = {sheet.name.casefold() for sheet in self._book.sheets()}
        names: dict[str, str] = {}
        for sheet in sheets:
            names[sheet.name] = self._places.get(sheet.name) or free_sheet_name(sheet.name, taken)
            taken.add(names[sheet.name].casefold())
        return names

    def _rename_tables(self, sheets: list[Sheet]) -> None:
        for sheet in sheets:
            for part in self._from.related(sheet.part, "table"):
                old = self._from.tree(part).get("displayName") or ""
                new, number = old, 2
                while new.casefold() in self._table_names:
                    new = f"{_TABLE_NAME_END.sub('', old).rstrip('_')}_{number}"
                    number += 1
                self._table_names.add(new.casefold())
                if new != old:
                    self._renaming.tables[old] = new

    # -- parts

    def _sheet(self, sheet: Sheet, name: str) -> int:
        worksheet = Worksheet(self._from.read(sheet.part), self._from.file, sheet.part)
        frame = Frame(worksheet)
        self._styles.translate(frame.root)
        self._renaming.tree(frame.root)
        for view in xml.children(frame.child("sheetViews"), "sheetView"):
            view.attrib.pop("tabSelected", "")
        frame.changed = True
        part = self._package.free_name("xl/worksheets/sheet1.xml")
        # rows are written before the parts they are related to, so that the names of members stay in order
        rows = grafted_rows(worksheet, self._styles.formats, self._strings, self._renaming)
        blob, prints = self._filled(sheet.part, frame, rows)
        self._prints[sheet.name] = prints
        self._package.put(part, blob)
        self._package.override_type(part, _SHEET_TYPE)
        self._relations(sheet.part, part)
        if sheet.name in self._places:
            return self._book.fill_sheet(name, part)
        return self._book.append_sheet(name, part, sheet.state)

    def _filled(self, part: str, frame: Frame, rows: Iterator[bytes]) -> tuple[Blob, dict[str, str]]:
        """Return the sheet's content, and what it is known by."""
        blob, size = Blob(), 0
        kept: list[bytes] = []
        for piece in self._fill(part, frame.whole(rows)):
            blob.write(piece)
            size += len(piece)
            if size <= MOST_BYTES or not kept:
                kept.append(piece)
        blob.finish()
        if size <= MOST_BYTES:
            return blob, sheet_prints(Worksheet(b"".join(kept), self._from.file, part), self._texts)
        return blob, large_prints(b"".join(kept), self._from.file, part, self._texts)

    def _relations(self, old: str, new: str) -> None:
        relations = self._from.relations(old)
        if not relations:
            return
        root = etree.fromstring(f'<Relationships xmlns="{xml.PACKAGE_RELATION}"/>')
        for relation in relations:
            item = etree.SubElement(root, f"{{{xml.PACKAGE_RELATION}}}Relationship")
            target = relation.target if relation.external else f"/{self._copy(relation.target, relation.kind)}"
            item.attrib.update({"Id": relation.id, "Type": relation.type, "Target": target})
            if relation.external:
                item.set("TargetMode", "External")
        self._package.put_tree(relations_part(new), root)
        self._package.default_type("rels", RELATIONS_TYPE)

    def _copy(self, part: str, kind: str) -> str:
        """Copy a part and all it is related to; return its new name."""
        if part in self._copied:
            return self._copied[part]
        new = self._copied[part] = self._package.free_name(part)
        if kind == "table":
            self._package.put_tree(new, self._table(part))
        elif kind == "chart" and self._renaming:
            root = self._from.tree(part)
            self._renaming.tree(root)
            self._package.put_tree(new, root)
        elif kind == "vmlDrawing":
            self._package.put(new, self._renumbered(self._from.read(part)))
        else:
            self._package.put(new, self._from.read(part))
        self._type(part, new)
        self._relations(part, new)
        return new

    def _type(self, part: str, new: str) -> None:
        type_ = self._from.content_type(part)
        extension = posixpath.splitext(new)[1].lstrip(".")
        if extension.lower() != "xml" and not self._package.content_type(new):
            self._package.default_type(extension, type_)
        self._package.override_type(new, type_)

    def _table(self, part: str) -> etree._Element:
        root = self._from.tree(part)
        number = free_number(self._table_ids, _LAST_TABLE_ID)
        self._table_ids.add(number)
        old = root.get("displayName") or ""
        root.set("id", str(number))
        for attribute in ("name", "displayName"):
            root.set(attribute, self._renaming.tables.get(old, old))
        self._styles.translate(root)
        self._renaming.tree(root)
        return root

    def _renumbered(self, vml: bytes) -> bytes:
        """Return a VML drawing whose shapes have ids no other drawing of the workbook uses."""
        block = free_block(self._package)
        text = _ID_BLOCK.sub(rb"\g<1>%d\g<2>" % block, vml)
        return _SHAPE_ID.sub(lambda match: b"_x0000_s%d" % (block * _BLOCK + int(match[1]) % _BLOCK), text)

    # -- names

    def _names(self, positions: dict[str, int]) -> list[str]:
        defined: list[str] = []
        order = [sheet.name for sheet in self._donor.sheets()]
        taken = {(item.get("name") or "").casefold() for item in self._book.names() if not item.get("localSheetId")}
        for item in self._donor.names():
            attributes = {str(name): str(value) for name, value in item.attrib.items()}
            name = attributes.pop("name")
            local = attributes.pop("localSheetId", None)
            if local is not None:
                attributes["localSheetId"] = str(positions[order[int(local)]])
            elif name.casefold() in taken:
                continue
            else:
                defined.append(name)
            self._book.add_name(name, self._renaming.formula(item.text or ""), **attributes)
        return defined


def _as_it_is(_: str, sheet: bytes) -> Iterator[bytes]:
    yield sheet


def _tables(book: Book) -> tuple[set[int], set[str]]:
    """Return the ids of all tables, and the names no table may have (of tables and of defined names)."""
    ids: set[int] = set()
    names = {(item.get("name") or "").casefold() for item in book.names()}
    for sheet in book.sheets():
        for part in book.package.related(sheet.part, "table"):
            root = book.package.tree(part)
            ids.add(int(root.get("id") or 0))
            names |= {(root.get("displayName") or "").casefold(), (root.get("name") or "").casefold()}
    return ids, names
