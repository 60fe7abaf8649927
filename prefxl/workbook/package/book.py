"""The workbook part: its sheets, names and locks; and the refusals that can be seen from there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from prefxl.errors import FileError
from prefxl.workbook.package import xml
from prefxl.workbook.package.archive import Archive
from prefxl.workbook.package.coordinates import Area, parse_area
from prefxl.workbook.package.parts import TYPES_PART, Package
from prefxl.workbook.package.refusals import Refusal, WorkbookRefusedError

_ORDER = (
    "fileVersion fileSharing workbookPr workbookProtection bookViews sheets functionGroups externalReferences "
    "definedNames calcPr oleSize customWorkbookViews pivotCaches smartTagPr smartTagTypes webPublishing "
    "fileRecoveryPr webPublishObjects extLst"
)
ORDER = tuple(_ORDER.split())

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
# a sheet's name in quotes (doubled inside), or bare
_PLACE = re.compile(r"(?:'((?:[^']|'')*)'|([^',!]+))!([^,]+)(?:,|$)")


#: The kind of a sheet that has lost its part and waits for another.
EMPTIED = "emptied"


#: The kind of a sheet that is listed without a part, as modules of Excel 5 are to this day; Excel minds them not.
LOST = "lost"

# no part is called so
_NO_PART = "?"

#: Excel takes no larger one.
_LAST_SHEET_ID = 65_534


def free_number(taken: Collection[int], last: int) -> int:
    """Return the number behind the largest one taken, or, where that is beyond ``last``, the first one free."""
    behind = max(taken, default=0) + 1
    return behind if behind <= last else next(number for number in range(1, last + 1) if number not in taken)


class Sheet(NamedTuple):
    """A sheet as the workbook part lists it."""

    name: str
    part: str
    kind: str
    state: str
    element: etree._Element


class Place(NamedTuple):
    """An area on a sheet, as a defined name tells it."""

    sheet: str
    area: Area


class Book:
    """A package seen as a workbook.

    Raises
    ------
    WorkbookRefusedError
        If the workbook is of a kind that is not annotated.
    """

    def __init__(self, package: Package) -> None:
        self.package = package
        if package.find(TYPES_PART) is None:
            raise WorkbookRefusedError(package.file, _kind_of_zip(package))
        roots = package.relations("")
        if any(item.kind == "origin" and "digital-signature" in item.type for item in roots):
            raise WorkbookRefusedError(package.file, Refusal.SIGNED)
        if any(item.type.startswith(xml.STRICT) for item in roots):
            raise WorkbookRefusedError(package.file, Refusal.STRICT)
        parts = package.related("", "officeDocument")
        if not parts:
            raise WorkbookRefusedError(package.file, _kind_of_zip(package))
        self.part = parts[0]
        if self.part.endswith(".bin"):
            raise WorkbookRefusedError(package.file, Refusal.BINARY)
        self.root = package.tree(self.part)
        # sheets that wait for new content
        self._emptied: list[etree._Element] = []
        self._refuse()

    def _refuse(self) -> None:
        if self.root.tag.startswith(f"{{{xml.STRICT}"):
            raise WorkbookRefusedError(self.package.file, Refusal.STRICT)
        if self.root.tag != xml.main("workbook"):
            raise WorkbookRefusedError(self.package.file, Refusal.NOT_A_WORKBOOK)
        kinds = {item.kind for item in self.package.relations(self.part)}
        if kinds & {"revisionHeaders", "revisionLog"}:
            raise WorkbookRefusedError(self.package.file, Refusal.SHARED)

    # -- sheets

    def sheets(self) -> list[Sheet]:
        """Return all sheets in their order, chart and dialog sheets and those without a part too."""
        relations = {item.id: item for item in self.package.relations(self.part)}
        found: list[Sheet] = []
        for element in xml.children(xml.child(self.root, "sheets"), "sheet"):
            if element in self._emptied:
                found.append(Sheet(element.get("name") or "", "", EMPTIED, element.get("state") or "visible", element))
                continue
            if element.get(xml.RELATION_ID) == "":
                found.append(
                    Sheet(element.get("name") or "", _NO_PART, LOST, element.get("state") or "visible", element)
                )
                continue
            relation = relations.get(element.get(xml.RELATION_ID) or "")
            part = self.package.find(relation.target) if relation and not relation.external else None
            if relation is None or part is None:
                raise WorkbookRefusedError(self.package.file, Refusal.BROKEN, element.get("name") or self.part)
            state = element.get("state") or "visible"
            found.append(Sheet(element.get("name") or "", part, relation.kind, state, element))
        return found

    def worksheet(self, name: str) -> Sheet | None:
        """Return the worksheet of that name, upper and lower case alike as in Excel."""
        for sheet in self.sheets():
            if sheet.kind == "worksheet" and sheet.name.casefold() == name.casefold():
                return sheet
        return None

    def append_sheet(self, name: str, part: str, state: str = "visible") -> int:
        """List a worksheet last and return its position."""
        sheets = xml.child(self.root, "sheets")
        if sheets is None:
            raise WorkbookRefusedError(self.package.file, Refusal.BROKEN, self.part)
        relation = self.package.relate(self.part, f"{xml.RELATION}/worksheet", part)
        numbers = {int(item.get("sheetId") or 0) for item in xml.children(sheets, "sheet")}
        count = len(list(xml.children(sheets, "sheet")))
        element = etree.SubElement(sheets, xml.main("sheet"))
        element.set("name", name)
        element.set("sheetId", str(free_number(numbers, _LAST_SHEET_ID)))
        if state != "visible":
            element.set("state", state)
        element.set(xml.RELATION_ID, relation)
        self.package.touch(self.part)
        return count

    def empty_sheet(self, sheet: Sheet) -> None:
        """Part a sheet from its content, which :meth:`fill_sheet` replaces; names that belong to it go."""
        position = [item.element for item in self.sheets()].index(sheet.element)
        for name in list(self.names()):
            if name.get("localSheetId") == str(position):
                xml.drop(name)
        self.package.unrelate(self.part, sheet.part)
        self._emptied.append(sheet.element)
        self._drop_empty_names()
        self.package.touch(self.part)

    def fill_sheet(self, name: str, part: str) -> int:
        """Give a sheet that was emptied its new part and return its position."""
        position, sheet = next(
            (at, one) for at, one in enumerate(self.sheets()) if one.kind == EMPTIED and one.name == name
        )
        relation = self.package.relate(self.part, f"{xml.RELATION}/worksheet", part)
        sheet.element.set(xml.RELATION_ID, relation)
        self._emptied.remove(sheet.element)
        self.package.touch(self.part)
        return position

    def remove_sheet(self, sheet: Sheet) -> None:
        """Take a sheet off the list; names that belong to it go, the others' numbers follow."""
        position = [item.element for item in self.sheets()].index(sheet.element)
        for name in list(self.names()):
            local = name.get("localSheetId")
            if local is not None and int(local) == position:
                xml.drop(name)
            elif local is not None and int(local) > position:
                name.set("localSheetId", str(int(local) - 1))
        self.package.unrelate(self.part, sheet.part)
        xml.drop(sheet.element)
        self._keep_views_valid(position)
        self._drop_empty_names()
        self.package.touch(self.part)

    def _keep_views_valid(self, removed: int) -> None:
        last = len(list(xml.children(xml.child(self.root, "sheets"), "sheet"))) - 1
        for view in xml.children(xml.child(self.root, "bookViews"), "workbookView"):
            for attribute in ("activeTab", "firstSheet"):
                shown = int(view.get(attribute) or 0)
                if shown == removed or shown > last:
                    view.attrib.pop(attribute, "")
                elif shown > removed:
                    view.set(attribute, str(shown - 1))

    # -- names

    def names(self) -> Iterator[etree._Element]:
        """Yield the elements of the defined names."""
        yield from xml.children(xml.child(self.root, "definedNames"), "definedName")

    def add_name(self, name: str, text: str, **attributes: str) -> None:
        """Define a name."""
        names = xml.child(self.root, "definedNames")
        if names is None:
            names = etree.Element(xml.main("definedNames"))
            # the workbook's own prefix, if it has one
            xml.insert_ordered(self.root, names, ORDER)
        element = etree.SubElement(names, xml.main("definedName"))
        element.set("name", name)
        for key, value in attributes.items():
            element.set(key, value)
        element.text = text
        self.package.touch(self.part)

    def drop_names(self, prefix: str, *, whole: bool = False) -> None:
        """Remove the names that begin with a prefix, or the workbook-wide one that is the ``whole`` of it."""
        for element in list(self.names()):
            name = element.get("name") or ""
            if (name == prefix and element.get("localSheetId") is None) if whole else name.startswith(prefix):
                xml.drop(element)
                self.package.touch(self.part)
        self._drop_empty_names()

    def _drop_empty_names(self) -> None:
        names = xml.child(self.root, "definedNames")
        if names is not None and next(xml.children(names), None) is None:
            xml.drop(names)
            self.package.touch(self.part)

    # -- the rest

    @property
    def structure_locked(self) -> bool:
        """Whether sheets may not be added."""
        lock = xml.child(self.root, "workbookProtection")
        return lock is not None and xml.truth(lock.get("lockStructure"))

    @property
    def date1904(self) -> bool:
        """Whether dates count from 1904."""
        properties = xml.child(self.root, "workbookPr")
        return properties is not None and xml.truth(properties.get("date1904"))


def places(text: str | None) -> Iterator[Place]:
    """Yield the areas of a reference such as ``'My sheet'!$A$1:$B$2,Other!$C$3``; ``#REF!`` is left out."""
    for match in _PLACE.finditer(text) if text and "!" in text else ():
        area = parse_area(match[3])
        if area is not None:
            yield Place(match[1].replace("''", "'") if match[1] is not None else match[2], area)


def quoted(sheet: str) -> str:
    """Return a sheet's name as formulas want it."""
    return "'" + sheet.replace("'", "''") + "'"


def open_archive(path: Path) -> Archive:
    """Open a workbook's zip file, telling the other formats by their first bytes.

    Raises
    ------
    WorkbookRefusedError
        For anything that is no zip file, with the format it is.
    FileError
        If the file is missing or may not be read.
    """
    try:
        with open(path, "rb") as file:
            start = file.read(1 << 16)
    except FileNotFoundError as fault:
        raise FileError(f"There is no file {path}.", f"Файла {path} нет.") from fault
    except (PermissionError, IsADirectoryError) as fault:
        raise FileError(f"{path} cannot be read.", f"Файл {path} нельзя прочитать.") from fault
    if start.startswith(_OLE):
        encrypted = _ENCRYPTED in start or _ENCRYPTED in path.read_bytes()
        raise WorkbookRefusedError(path.name, Refusal.ENCRYPTED if encrypted else Refusal.OLD_EXCEL)
    if not start.startswith(b"PK"):
        raise WorkbookRefusedError(path.name, Refusal.NOT_A_WORKBOOK)
    return Archive(path)


def _kind_of_zip(package: Package) -> Refusal:
    if package.find("mimetype") is not None and b"opendocument" in package.read("mimetype"):
        return Refusal.OPEN_DOCUMENT
    if package.find("xl/workbook.bin") is not None:
        return Refusal.BINARY
    return Refusal.NOT_A_WORKBOOK
