"""Notes (classic comments): the text in one part, the yellow box in another that is not always XML."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.contents import joined_text, plain_text
from prefxl.workbook.package.coordinates import Covered, parse_reference
from prefxl.workbook.package.marker import AUTHOR, Marker
from prefxl.workbook.package.note_markup import SHAPE_TYPE, as_drawing, boxes, new_drawing, texts
from prefxl.workbook.package.parts import Package
from prefxl.workbook.package.prints import digest, unpack
from prefxl.workbook.package.worksheet import Frame

COMMENTS_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml"
VML_TYPE = "application/vnd.openxmlformats-officedocument.vmlDrawing"

#: A shape of a VML drawing. Office and LibreOffice call the namespace v, openpyxl ns0; written without a lazy dot,
#: which takes three times as long.
SHAPE = re.compile(rb"<((?:[\w.-]+:)?)shape[\s>][^<]*(?:<(?!/\1shape>)[^<]*)*</\1shape>\s*")
# what frames shapes and draws nothing
_FRAME = re.compile(rb"<((?:[\w.-]+:)?)(shapetype|shapelayout)[\s>][^<]*(?:<(?!/\1\2>)[^<]*)*</\1\2>")
_ROOT = re.compile(rb"<[\w.-][^>]*>")
_NOTE = re.compile(rb"""ObjectType\s*=\s*["']Note["']""")
_ROW = re.compile(rb"<(?:[\w.-]+:)?Row>\s*(\d+)\s*</")
# as nearly everybody writes them, found at one go
_USUAL = re.compile(
    rb'ObjectType="Note">(?:<x:(?!Row)[^<]*(?:</[^<]*)?)*<x:Row>(\d+)</x:Row>\s*<x:Column>(\d+)</x:Column>'
)
_COLUMN = re.compile(rb"<(?:[\w.-]+:)?Column>\s*(\d+)\s*</")
_SHAPE_ID = re.compile(rb"_x0000_s(\d+)")
_ID_BLOCKS = re.compile(rb"""<(?:[\w.-]+:)?idmap[^>]*?data\s*=\s*["']([\d,\s]+)["']""")
_BLOCK = 1024

Cell = tuple[int, int]
# how the notes of an early version on cells with findings began
_EARLY = re.compile(r"(?:ошибка|внимание|заметка|error|warning|note): ")


class Entry(NamedTuple):
    """A note: its cell (row, column), its author, its text."""

    cell: Cell
    author: str
    text: str


class Notes:
    """The notes of one worksheet."""

    def __init__(self, package: Package, part: str, frame: Frame) -> None:
        self._package = package
        self._sheet = part
        self._frame = frame
        found = package.related(part, "comments")
        self._comments = found[0] if found else ""

    def taken(self) -> set[Cell]:
        """Return the cells that have a note, ours included."""
        return cells_noted(self._package.tree(self._comments)) if self._comments else set()

    # -- taking away

    def remove(self, gone: Collection[Cell]) -> int:
        """Remove the notes on the given cells and return how many there were; parts that become empty go too."""
        if not gone:
            return 0
        root = self._package.tree(self._comments)
        for comment in list(xml.children(xml.child(root, "commentList"), "comment")):
            if parse_reference(comment.get("ref") or "") in gone:
                xml.drop(comment)
        _drop_our_author(root)
        self._package.touch(self._comments)
        is_empty = next(xml.children(xml.child(root, "commentList"), "comment"), None) is None
        if is_empty and not self._package.is_users(self._comments):
            self._package.unrelate(self._sheet, self._comments)
            self._package.remove(self._comments)
            self._comments = ""
        self._remove_shapes(set(gone))
        return len(gone)

    def _remove_shapes(self, gone: set[Cell]) -> None:
        vml = self._vml()
        if not vml:
            return
        text = without_notes(as_drawing(self._package.read(vml)), gone)
        if b'"#_x0000_t202"' not in text:
            text = text.replace(SHAPE_TYPE, b"")
        if not drawn(text) and not self._package.is_users(vml):
            element = self._frame.child("legacyDrawing")
            if element is not None:
                self._frame.remove(element)
            self._package.unrelate(self._sheet, vml)
            self._package.remove(vml)
        else:
            self._package.put(vml, text)

    def _vml(self) -> str:
        element = self._frame.child("legacyDrawing")
        if element is None:
            return ""
        wanted = element.get(xml.RELATION_ID)
        for relation in self._package.relations(self._sheet):
            if relation.id == wanted and not relation.external:
                return self._package.find(relation.target) or ""
        return ""

    # -- placing

    def place(self, notes: Iterable[tuple[int, int, str]]) -> None:
        """Add notes of ours to cells that have none."""
        wanted = sorted(notes)
        if not wanted:
            return
        self._add_texts(wanted)
        vml = self.prepare()
        text = as_drawing(self._package.read(vml))
        # before the end tag of the root element, whatever its prefix
        last = text.rfind(b"</")
        shapes = b"" if b'id="_x0000_t202"' in text else SHAPE_TYPE
        shapes += boxes(_next_shape(text), wanted)
        self._package.put(vml, text[:last] + shapes + text[last:])

    def prepare(self) -> str:
        """Make sure that the worksheet has a drawing for boxes; call it before the worksheet's end is written."""
        return self._vml() or self._new_vml()

    def _add_texts(self, notes: list[tuple[int, int, str]]) -> None:
        if not self._comments:
            empty = f'<comments xmlns="{xml.MAIN}"><authors/><commentList/></comments>'
            part = self._package.free_name("xl/comments1.xml")
            self._comments = self._package.put_tree(part, etree.fromstring(empty))
            self._package.relate(self._sheet, f"{xml.RELATION}/comments", part)
            self._package.override_type(part, COMMENTS_TYPE)
        root = self._package.tree(self._comments)
        author = _author_number(root, AUTHOR)
        comments = xml.child(root, "commentList")
        if comments is None:
            comments = etree.SubElement(root, xml.main("commentList"))
        # there may be thousands: their bytes are put in where this one stands, instead of an element each
        place = etree.ProcessingInstruction("prefxl-notes")
        mark = etree.tostring(place)
        comments.append(place)
        before, _, after = xml.serialise(root).rpartition(mark)
        namespace = "" if comments.nsmap.get(None) == xml.MAIN else xml.MAIN
        self._package.put(self._comments, before + texts(notes, author, namespace) + after)

    def _new_vml(self) -> str:
        for present in list(xml.children(self._frame.root, "legacyDrawing")):
            # it leads nowhere
            self._frame.remove(present)
        part = self._package.free_name("xl/drawings/vmlDrawing1.vml")
        block = free_block(self._package)
        self._package.put(part, new_drawing(block))
        relation = self._package.relate(self._sheet, f"{xml.RELATION}/vmlDrawing", part)
        self._package.default_type("vml", VML_TYPE)
        self._package.override_type(part, VML_TYPE)
        element = etree.Element(xml.main("legacyDrawing"), nsmap={"r": xml.RELATION})
        element.set(xml.RELATION_ID, relation)
        self._frame.insert(element)
        return part


def entries(root: etree._Element, without: Collection[Cell] = ()) -> Iterator[tuple[Entry, etree._Element]]:
    """Yield every note of a comments part, with its element; those on some cells left out."""
    authors = [item.text or "" for item in xml.children(xml.child(root, "authors"), "author")]
    # hardly any note has readings of characters, and looking for them at each takes most of the time
    read = joined_text if next(root.iter("{*}rPh"), None) is not None else plain_text
    for comment in xml.children(xml.child(root, "commentList"), "comment"):
        cell = parse_reference(comment.get("ref") or "")
        if cell not in without:
            number = int(comment.get("authorId") or 0)
            author = authors[number] if 0 <= number < len(authors) else ""
            yield Entry(cell, author, read(comment)), comment


def cells_noted(root: etree._Element) -> set[Cell]:
    """Return the cells that have a note in a comments part."""
    comments = xml.children(xml.child(root, "commentList"), "comment")
    return {parse_reference(comment.get("ref") or "") for comment in comments}


def our_notes(package: Package, part: str, marker: Marker, sheet: str) -> set[Cell]:
    """Return the cells of a worksheet whose note is ours.

    Our notes are known by their text; the author says little, for LibreOffice numbers authors
    anew. A copy of a note of ours that the user has put elsewhere is the user's.
    """
    found = package.related(part, "comments")
    if not marker or not found:
        return set()
    areas = Covered(marker.noted_areas(sheet))
    written = unpack(marker.memo["notes"]) if "notes" in marker.memo else None
    ours: set[Cell] = set()
    elsewhere: dict[int, list[Cell]] = {}
    placed: set[int] = set()
    for (cell, author, text), _ in entries(package.tree(found[0])):
        inside = areas.covers(*cell)
        if written is None:
            # an early version kept no fingerprints, and noted cells without marking them
            if inside or (author == AUTHOR and not marker.noted and _EARLY.match(text)):
                ours.add(cell)
        elif (known := digest(text)) in written:
            if inside:
                ours.add(cell)
                placed.add(known)
            else:
                elsewhere.setdefault(known, []).append(cell)
    # a program that moves notes but no names has moved it
    moved = [cells[0] for known, cells in elsewhere.items() if known not in placed and len(cells) == 1]
    return ours | set(moved)


def _drop_our_author(root: etree._Element) -> None:
    """Take our author off the end of the list, if nothing is by it any more."""
    authors = list(xml.children(xml.child(root, "authors"), "author"))
    if authors and authors[-1].text == AUTHOR and len(authors) - 1 not in _authors_referred_to(root):
        xml.drop(authors[-1])


def _authors_referred_to(root: etree._Element) -> set[int]:
    comments = xml.children(xml.child(root, "commentList"), "comment")
    return {int(comment.get("authorId") or 0) for comment in comments}


def without_notes(vml: bytes, gone: set[Cell]) -> bytes:
    """Return a VML drawing without the boxes of the notes on the given cells; nothing else is touched."""

    def kept(match: re.Match[bytes]) -> bytes:
        return b"" if cell_of_box(match[0]) in gone else match[0]

    return SHAPE.sub(kept, vml)


def cell_of_box(shape: bytes) -> Cell | None:
    """Return the cell whose note a shape is the box of; None for another shape."""
    if usual := _USUAL.search(shape):
        return int(usual[1]) + 1, int(usual[2]) + 1
    row, column = _ROW.search(shape), _COLUMN.search(shape)
    if not (_NOTE.search(shape) and row and column):
        return None
    return int(row[1]) + 1, int(column[1]) + 1


def drawn(vml: bytes) -> bytes:
    """Return what a VML drawing holds within its frame; lines, ovals and groups are no shapes by name."""
    root = _ROOT.search(vml)
    return b" ".join(_FRAME.sub(b"", vml[root.end() : vml.rfind(b"</")]).split()) if root else vml


def free_block(package: Package) -> int:
    """Return the first number of a block of shape ids that no drawing of the package uses."""
    taken: set[int] = set()
    for name in package.names():
        if name.lower().endswith(".vml"):
            taken.update(package.derived(name, _blocks))
    block = 1
    while block in taken:
        block += 1
    return block


def _blocks(package: Package, part: str) -> list[int]:
    """Return the numbers of the blocks of shape ids that a drawing uses."""
    return _blocks_in(as_drawing(package.read(part)))


def _blocks_in(text: bytes) -> list[int]:
    return [int(number) for match in _ID_BLOCKS.finditer(text) for number in match[1].split(b",") if number.strip()]


def _next_shape(text: bytes) -> int:
    used = [int(number) for number in _SHAPE_ID.findall(text)]
    first = min(_blocks_in(text), default=1) * _BLOCK
    return max([*used, first]) + 1


def _author_number(root: etree._Element, name: str) -> int:
    """Return the number of an author of a comments part, who is added if need be, where no note refers to."""
    authors = xml.child(root, "authors")
    if authors is None:
        authors = etree.Element(xml.main("authors"))
        root.insert(0, authors)
    names = [item.text or "" for item in xml.children(authors, "author")]
    referred = _authors_referred_to(root)
    while len(names) in referred:
        # a note by an author who is not in the list must not become ours
        etree.SubElement(authors, xml.main("author"))
        names.append("")
    if name not in names:
        etree.SubElement(authors, xml.main("author")).text = name
        names.append(name)
    return names.index(name)
