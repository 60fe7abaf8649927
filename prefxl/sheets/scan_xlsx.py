"""A look at an ``.xlsx`` or ``.xlsm`` package: extents, error values, formulas never calculated, hidden rows."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from html import unescape
from itertools import chain
from typing import NamedTuple
from xml.etree import ElementTree

from prefxl.errors import FileError, FileRefusedError
from prefxl.sheets.far_cells import MOST_CELLS, cell_rows, find_near
from prefxl.sheets.guard import MALFORMED, Facts, Package, bursting, damaged
from prefxl.sheets.headers import OWN_NAMES
from prefxl.sheets.percents import cells_with, marks_in
from prefxl.sheets.values import CellError, Uncached
from prefxl.tables import column_number

# rows that only carry a format have no cells and cost nothing
_ROW = re.compile(rb"<(?:\w+:)?row\s[^>]*?\br\s*=\s*[\"'](\d{1,9})[\"'][^>]*(?<!/)>(?!\s*</)")
_CELL = re.compile(rb"<(?:\w+:)?c[\s>]")
_EXTENT = re.compile(rb"<(?:\w+:)?dimension\s[^>]*?\bref\s*=\s*[\"']([^\"']*)")
_USUAL_EXTENT = re.compile(rb"[A-Z]{1,3}[1-9]\d{0,6}(?::[A-Z]{1,3}[1-9]\d{0,6})?")
# signs of what calamine does not tell, by a letter that a plain sheet has nowhere: to search for it costs nothing
_SPECIAL = {b"e": (b't="e"', b"t='e'", b"hidden="), b"f": (b"<f", b":f")}
_NAMELESS = re.compile(rb"<(?:\w+:)?(?:c|row)(?=[\s/>])(?![^>]*\sr\s*=)")
_WIDE_REF = re.compile(rb"\sr\s*=\s*[\"']\s*([A-Za-z]{2,4})\d")
_BARE_WIDE_REF = re.compile(rb"\sr\s*=\s*[\"']\s*([A-Za-z]{2,4})[\"']")
_UNIQUE_COUNT = re.compile(rb"uniqueCount\s*=\s*[\"'](\d{1,30})")
_FIRST_REF = re.compile(rb"<c r=[\"'][A-Za-z]{1,4}(\d{1,9})")
_SHORT_REF = re.compile(rb"\sr\s*=\s*[\"']\s*([A-Za-z])\d")
_HIDDEN = re.compile(rb"<(?:\w+:)?row\s(?=[^>]*\bhidden=[\"'](?:1|true)[\"'])[^>]*?\br\s*=\s*[\"'](\d{1,9})[\"']")
_HIDDEN_COLUMNS = re.compile(rb"<(?:\w+:)?col\s(?=[^>]*\bhidden=[\"'](?:1|true)[\"'])([^>]*)>")
_FIRST, _LAST = (re.compile(rb"\b%s\s*=\s*[\"'](\d{1,9})" % name) for name in (b"min", b"max"))
_ERROR = re.compile(
    rb"<(?:\w+:)?c\s(?=[^>]*\st=[\"']e[\"'])[^>]*?\br\s*=\s*[\"']([A-Za-z]{1,3})(\d{1,9})[\"'][^>]*>"
    rb"(?:(?!</(?:\w+:)?c>).)*?<(?:\w+:)?v>([^<]{0,40})<",
    re.DOTALL,
)
_UNCACHED = re.compile(
    rb"<(?:\w+:)?c\s(?![^>]*\st=[\"']str[\"'])[^>]*?\br\s*=\s*[\"']([A-Za-z]{1,3})(\d{1,9})[\"'][^>]*(?<!/)>\s*"
    rb"<(?:\w+:)?f(?:\s[^>]*)?(?:/>|>([^<]*)</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
_HAS_UNCACHED = (b"</f></c>", b"/></c>", b"<v></v>", b"f>\n", b":f></")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"

_AREA = re.compile(r"(?:'((?:[^']|'')+)'|([^'!,]+))!\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?")

# what is left of XML when only references count: capitals and digits alike, quotes and beginnings of tags
_ALIKE = bytes.maketrans(b"BCDEFGHIJKLMNOPQRSTUVWXYZ123456789'", b"A" * 25 + b"0" * 9 + b'"')
_KEPT = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\"'<")
_DROPPED = bytes(code for code in range(256) if code not in _KEPT)

#: Styles that take more are not looked at [bytes].
MOST_STYLES = 16 << 20

#: A row of XML longer than this is not waited for [bytes].
_LONGEST_ROW = 4 << 20
#: How much of it is looked at again with what follows.
_TAIL = 1 << 12


class _Ours(NamedTuple):
    """Sheets an earlier run added, and areas of cells it placed."""

    sheets: set[str]
    areas: list[tuple[str, tuple[int, int, int, int]]]


def look(
    package: Package, *, with_ours: bool = True, only: Collection[str] | None = None
) -> tuple[dict[str, Facts], bool]:
    """Return what each worksheet holds by its name, and whether days count from 1904.

    Parameters
    ----------
    with_ours
        Whether what an earlier run added is looked at.
    only
        The names of those that are looked at, if not all are.

    Raises
    ------
    FileError, FileRefusedError
        If the package is damaged. A worksheet that is more than can be borne has its refusal among its facts.
    """
    sheets, since_1904, marked = _sheets(package)
    facts: dict[str, Facts] = {}
    styles = _beside(package, "styles.xml")
    marks = marks_in(package.read(styles)) if styles in package and package.size(styles) < MOST_STYLES else ()
    for name, part in sheets.items():
        wanted = name in only if only is not None else with_ours or name not in marked.sheets
        facts[name] = _look_at(package, part, marks) if wanted else Facts()
        facts[name].ours = name in marked.sheets
        facts[name].our_areas = [area for sheet, area in marked.areas if sheet == name]
        facts[name].settled = bool(marked.areas)
        if facts[name].unbearable and facts[name].cells <= MOST_CELLS:
            _pass_over_far_cells(package, part, facts[name])
        try:
            facts[name].check(package.name, name)
        except FileRefusedError as refusal:
            # the reader opens one worksheet after the other, so the rest may be read
            facts[name].refusal = refusal
    _look_at_texts(package)
    return facts, since_1904


def _pass_over_far_cells(package: Package, part: str, facts: Facts) -> None:
    facts.near = find_near(package, part)
    facts.last_row = min(facts.last_row, facts.near.last_row)
    facts.last_column = min(facts.last_column, facts.near.last_column)


def _look_at_texts(package: Package) -> None:
    """Refuse shared texts that claim to be more than fit into their part."""
    part = _beside(package, "sharedStrings.xml")
    for number, block in enumerate(package.blocks(part) if part in package else ()):
        claimed = _UNIQUE_COUNT.search(block[:_TAIL]) if number == 0 else None
        # a reader makes room for as many texts as are claimed, and the shortest takes five bytes
        if claimed and int(claimed[1]) * 5 > package.size(part) + 5000:
            raise bursting(package.name)


def _beside(package: Package, name: str) -> str:
    """Return the part with this name in the folder of the workbook's own."""
    return f"{main_part(package).rpartition('/')[0]}/{name}".lstrip("/")


def tree(package: Package, part: str) -> ElementTree.Element:
    """Return the root of a small part."""
    try:
        return ElementTree.fromstring(package.read(part))
    except MALFORMED:
        raise damaged(package.name) from None


def _sheets(package: Package) -> tuple[dict[str, str], bool, _Ours]:
    """Return worksheet name to part, whether days count from 1904, and what is ours."""
    found = {element.get("name", ""): part for element, part in worksheets(package)}
    return found, from_1904(package), _ours(tree(package, main_part(package)))


def from_1904(package: Package) -> bool:
    """Return whether days count from 1904."""
    properties = (one for one in tree(package, main_part(package)).iter() if _local(one) == "workbookPr")
    return any(one.get("date1904") in ("1", "true") for one in properties)


def worksheets(package: Package) -> Iterator[tuple[ElementTree.Element, str]]:
    """Yield the worksheets as the workbook lists them, with the parts they are in."""
    parts = {one: part for one, (kind, part) in relations(package).items() if kind in ("worksheet", "")}
    for sheet in tree(package, main_part(package)).iter():
        if _local(sheet) == "sheet":
            part = parts.get(sheet.get(_RELATION) or sheet.get(_STRICT_RELATION) or "", "")
            if part in package:
                yield sheet, part


def relations(package: Package) -> dict[str, tuple[str, str]]:
    """Return the relations of the workbook: id to kind and part."""
    folder = posixpath.dirname(main_part(package))
    return {
        one.get("Id", ""): (
            one.get("Type", "").rpartition("/")[2],
            posixpath.normpath(posixpath.join("/", folder, _target(one))).lstrip("/"),
        )
        for one in _relations(package)
    }


def has_winding_paths(package: Package) -> bool:
    """Tell whether the workbook's relations lead through other folders and back (``./../xl/…``)."""
    return any("./" in _target(one) for one in _relations(package))


def _relations(package: Package) -> Iterable[ElementTree.Element]:
    folder, name = posixpath.split(main_part(package))
    part = posixpath.join(folder, "_rels", f"{name}.rels")
    return tree(package, part) if part in package else ()


def _target(relation: ElementTree.Element) -> str:
    return relation.get("Target", "").replace("\\", "/")


def _ours(book: ElementTree.Element) -> _Ours:
    """Return what the defined names of an earlier run mark as ours."""
    ours = _Ours(set(), [])
    for one in book.iter():
        kind = one.get("name", "").casefold() if _local(one) == "definedName" else ""
        # other names of ours hold no areas, and may be a hundred thousand letters long
        is_sheet, is_cells = (kind.startswith(f"{OWN_NAMES}{what}") for what in ("sheet", "cells"))
        # a sheet-wide one came with a copy the user has made of a sheet of ours
        is_sheet = is_sheet and one.get("localSheetId") is None
        for quoted, bare, left, top, right, bottom in _AREA.findall(one.text or "") if is_sheet or is_cells else ():
            sheet = quoted.replace("''", "'") or bare
            if is_sheet:
                ours.sheets.add(sheet)
            else:
                first, last = (column_number(letters.encode()) for letters in (left, right or left))
                ours.areas.append((sheet, (int(top), first, int(bottom or top), last)))
    return ours


def _local(element: ElementTree.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def main_part(package: Package) -> str:
    """Return the name of the workbook's own part."""
    if "xl/workbook.xml" in package:
        return "xl/workbook.xml"
    for relation in tree(package, "_rels/.rels") if "_rels/.rels" in package else ():
        target = relation.get("Target", "").lstrip("/")
        if relation.get("Type", "").endswith("/officeDocument") and target in package:
            return target
    raise FileError(
        f"{package.name} is a zip archive, but no workbook", f"{package.name} — архив zip, но не книга Excel"
    )


def _look_at(package: Package, part: str, marks: tuple[bytes, ...]) -> Facts:
    facts = Facts(marks=marks)
    nameless = False
    for number, text in enumerate(_whole_rows(package, part)):
        claimed = _EXTENT.search(text[:_TAIL]) if number == 0 else None
        facts.odd_extent = facts.odd_extent or bool(claimed and not _USUAL_EXTENT.fullmatch(claimed[1]))
        _look_through(text, facts)
        cells = text.count(b"<c ")
        facts.cells += cells or len(_CELL.findall(text))
        # most sheets without names have nothing to find: hundreds of thousands of cells are not gone through for it
        nameless = nameless or (_has_special(text, marks) and _has_nameless(text, cells))
    if nameless and not facts.unbearable:
        _look_at_cells(package, part, facts)
    if facts.unbearable:
        # columns up to Z were not told apart, as hardly any sheet needs it
        for text in _whole_rows(package, part):
            letters = set(_SHORT_REF.findall(text))
            facts.last_column = max(facts.last_column, *(column_number(one) for one in letters), 1)
    return facts


def _whole_rows(package: Package, part: str) -> Iterator[bytes]:
    """Yield a worksheet's XML in pieces that end between rows."""
    rest = b""
    for block in package.blocks(part):
        text = rest + block
        cut = text.rfind(b"<row")
        # elements may have a prefix: <x:row
        cut = cut if cut >= 0 else text.rfind(b"<", 0, max(text.rfind(b":row "), 0))
        if cut <= 0 and len(text) < _LONGEST_ROW:
            rest = text
            continue
        yield text if cut <= 0 else text[:cut]
        rest = text[-_TAIL:] if cut <= 0 else text[cut:]
    yield rest


def _has_nameless(text: bytes, cells: int) -> bool:
    """Return whether some row or cell of a piece does not say where it is, which is told by its place then.

    Parameters
    ----------
    text
        The piece. A program that leaves names out does so from the start; errors stand in cells with attributes.
    cells
        How many cells with attributes it has.
    """
    if cells and cells == text.count(b"<c r="):
        return _NAMELESS.search(text[:_TAIL]) is not None
    return _NAMELESS.search(text) is not None


def _has_special(text: bytes, marks: tuple[bytes, ...]) -> bool:
    """Tell whether a piece may have a cell that is more than its value."""
    signs = (signs for letter, signs in _SPECIAL.items() if letter in text)
    return any(sign in text for sign in (*chain.from_iterable(signs), *marks))


def _look_at_cells(package: Package, part: str, facts: Facts) -> None:
    """Take what is special among cells that are not named, cell by cell, into the facts."""
    facts.special, facts.percents, facts.hidden_rows = {}, {}, set()
    for row, cells in cell_rows(package, part, hidden=facts.hidden_rows):
        for column, cell in cells:
            facts.extend(row, column)
            inside = {_local(one): one.text or "" for one in cell}
            if cell.get("t") == "e":
                facts.add(row, column, CellError(inside.get("v", "")))
            elif "f" in inside and not inside.get("v", "").strip() and cell.get("t") != "str":
                facts.add(row, column, Uncached("=" + inside["f"]))
            if b' s="%b"' % (cell.get("s") or "").encode() in facts.marks:
                facts.note_percent(row, column)


def _look_through(text: bytes, facts: Facts) -> None:
    """Take a piece of a worksheet's XML, whole rows, into the facts."""
    _extend(text, facts)
    # a search for one byte costs nothing, and a plain sheet has none of these letters in its tags
    if b"e" in text and (b'"e"' in text or b"'e'" in text):
        for letters, row, value in _ERROR.findall(text):
            facts.add(int(row), column_number(letters), CellError(unescape(value.decode("utf-8", "replace"))))
    if b"f" in text and (b"<f" in text or b":f" in text) and any(sign in text for sign in _HAS_UNCACHED):
        for letters, row, formula in _UNCACHED.findall(text):
            facts.add(int(row), column_number(letters), Uncached("=" + unescape(formula.decode("utf-8", "replace"))))
    if b"i" in text and b"hidden" in text:
        facts.hidden_rows.update(int(row) for row in _HIDDEN.findall(text))
        for about in _HIDDEN_COLUMNS.findall(text):
            first, last = _FIRST.search(about), _LAST.search(about)
            if first and last:
                facts.hide(int(first[1]), int(last[1]))
    for letters, row in cells_with(text, facts.marks):
        facts.note_percent(row, column_number(letters))


def _extend(text: bytes, facts: Facts) -> None:
    """Take the far ends of a piece into the facts: its last cell, and whatever lies beyond it or beyond Z."""
    if b"<c" not in text and b":c" not in text:
        return
    before = facts.last_row
    last = _FIRST_REF.match(text, max(text.rfind(b"<c r="), 0))
    if last:
        facts.last_row = max(facts.last_row, int(last[1]))
    # `<c r="B7" t="s"><v>12` becomes `<"A0""<00`: plain searches in it tell what a pattern would take long for
    bare = text.translate(_ALIKE, _DROPPED)
    rows = bare.count(b'<"0')
    far = b"0" * (len(str(facts.last_row)) + 1) + b'"'
    # rows and cells that are not numbered, or numbered in small letters, make the counts odd
    if not last or rows > facts.last_row - before + 1 or b"<c>" in text[:_TAIL] or far in bare:
        _extend_slowly(text, facts)
    elif b'"AA' in bare:
        # of thousands of rows with cells in the same columns one is looked at
        alike = set(text.translate(None, b"0123456789").split(b"</row>"))
        _widen(facts, {letters for row in alike for letters in _BARE_WIDE_REF.findall(row)})


def _widen(facts: Facts, letters: Iterable[bytes]) -> None:
    facts.last_column = max(facts.last_column, *map(column_number, letters), 0)


def _extend_slowly(text: bytes, facts: Facts) -> None:
    _widen(facts, set(_WIDE_REF.findall(text)))
    facts.last_row = max(facts.last_row, *map(int, _ROW.findall(text)), text.count(b"<row>"))
    far = re.findall(rb"\sr\s*=\s*[\"']\s*[A-Za-z]{1,4}(\d{%d,9})[\"']" % (len(str(facts.last_row)) + 1), text)
    facts.last_row = max(facts.last_row, *map(int, far), 0)
