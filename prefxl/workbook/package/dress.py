"""What the user has changed in the look of our cells: they wear it again when they are written anew.

What we gave a column's cells is remembered part by part (font, background, border …), for another program
renumbers the formats of a workbook, and a winner's bold type is ours to change though the yellow under it is not.
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.blocks import from_column
from prefxl.workbook.package.coordinates import Covered, column_letters
from prefxl.workbook.package.marker import Marker
from prefxl.workbook.package.markup import OddMarkupError, style_of
from prefxl.workbook.package.model import SheetChange
from prefxl.workbook.package.prints import digest, pack, unpack
from prefxl.workbook.package.styles import BUILT_IN_FORMATS, Styles
from prefxl.workbook.package.worksheet import Worksheet

#: The parts of a look, in the order in which they are remembered.
PARTS = ("font", "fill", "border", "alignment", "protection", "number")

_LISTS = {"font": ("fonts", "fontId"), "fill": ("fills", "fillId"), "border": ("borders", "borderId")}
_APPLIED = {part: f"apply{part.capitalize()}" for part in PARTS} | {"number": "applyNumberFormat"}
# what it means to say nothing; some programs say it all
_DEFAULTS = {
    "alignment": {("horizontal", "general"), ("vertical", "bottom"), ("textRotation", "0"), ("indent", "0")}
    | {(name, no) for name in ("wrapText", "shrinkToFit", "justifyLastLine") for no in ("0", "false")},
    "protection": {("locked", "1"), ("locked", "true"), ("hidden", "0"), ("hidden", "false")},
}
_FONT = ("name", "sz", "b", "i", "strike", "u", "color")
_SIDES = ("left", "right", "top", "bottom", "diagonal")
_NO = ("0", "false", "none")
_QUOTES = re.compile(r'[\\"]')
_TEXT = re.compile(rb'\st="(?:s|str|inlineStr)"')

#: For each part of a look, what stands for those we gave.
Given = tuple[frozenset[int], ...]


class Dress(NamedTuple):
    """A format of the user's choice, and the parts of it that are theirs."""

    style: int
    parts: tuple[str, ...]


class Wardrobe:
    """The looks of a workbook, part by part.

    Parameters
    ----------
    styles
        Its styles.
    """

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._known: dict[int, tuple[int, ...]] = {}
        self._dressed: dict[tuple[int, Dress], int] = {}

    def given(self, styles: Iterable[int]) -> list[str]:
        """Return what to remember of formats we gave, see :func:`read_given`."""
        looks = [self._parts(style) for style in sorted(styles)]
        return [pack(look[at] for look in looks) for at in range(len(PARTS))]

    def changed(self, style: int, given: Given) -> tuple[str, ...]:
        """Return the parts of a format that are none of those we gave."""
        parts = zip(PARTS, self._parts(style), given, strict=True)
        return tuple(name for name, part, ours in parts if part not in ours)

    def dressed(self, own: int, dress: Dress) -> int:
        """Return the format that is ``own`` but for the parts that are the user's."""
        if (own, dress) not in self._dressed:
            mine, theirs = self._styles.xf(own), self._styles.xf(dress.style)
            for part in dress.parts:
                _put_on(mine, theirs, part)
            # formats may look alike and yet differ in what they say to apply: the cell keeps its own then
            quoted = mine.get("quotePrefix") == theirs.get("quotePrefix")
            same = quoted and self._told(mine) == self._parts(dress.style)
            self._dressed[own, dress] = dress.style if same else self._styles.format(mine, own)
        return self._dressed[own, dress]

    def _parts(self, style: int) -> tuple[int, ...]:
        if style not in self._known:
            self._known[style] = self._told(self._styles.xf(style))
        return self._known[style]

    def _told(self, format_: etree._Element) -> tuple[int, ...]:
        return tuple(digest(repr(self._part(format_, part))) for part in PARTS)

    def _part(self, format_: etree._Element, part: str) -> object:
        if part in _LISTS:
            entries, attribute = _LISTS[part]
            found, at = self._styles.entries(entries), int(format_.get(attribute) or 0)
            return _DESCRIBED[part](found[at]) if at < len(found) else None
        if part == "number":
            number = int(format_.get("numFmtId") or 0)
            code = self._styles.format_code(number)
            # whether a sign is quoted, and how, is each program's own way
            return number if code is None else BUILT_IN_FORMATS.get(code, _QUOTES.sub("", code).casefold())
        element = xml.child(format_, part)
        said = set() if element is None else {(str(name), str(value)) for name, value in element.attrib.items()}
        return sorted(said - _DEFAULTS[part])


def read_given(memo: object) -> Given | None:
    """Return what :meth:`Wardrobe.given` remembered; ``None`` for anything else, as an early version left it."""
    if not isinstance(memo, list) or len(memo) != len(PARTS):
        return None
    return tuple(unpack(part) for part in memo)


@dataclass(slots=True)
class Dressed:
    """Cells of ours that the user has dressed: row to column to what they wear."""

    wardrobe: Wardrobe
    cells: dict[int, dict[int, Dress]] = field(default_factory=dict)

    def style(self, row: int, column: int, own: int) -> int:
        """Return the format of a cell of ours that would have a format of its own."""
        dress = self.cells.get(row, {}).get(column)
        return own if dress is None else self.wardrobe.dressed(own, dress)


class _Column(NamedTuple):
    """What is known of one column of ours: its heading, its cells, what we gave those with numbers and with texts."""

    heading: int | None
    cells: Covered
    numbers: Given
    texts: Given


def dressed(old: Marker, name: str, change: SheetChange, sheet: Worksheet, wardrobe: Wardrobe) -> Dressed | None:
    """Return what cells of ours are to wear where they are to be placed now.

    A cell is known again by its row and by what its column is called.

    Parameters
    ----------
    old
        What an earlier run placed.
    name, sheet
        A worksheet.
    change
        What is to be placed on it.
    wardrobe
        The looks of the workbook.

    Returns
    -------
    Dressed or None
        None if nobody has changed the look of a cell of ours.
    """
    columns = _columns(old, name)
    now = _columns_now(columns, change)
    if not now:
        return None
    try:
        found = _find(sheet, columns, wardrobe)
    except OddMarkupError:
        sheet.normalise()
        found = _find(sheet, columns, wardrobe)
    cells = {
        row: {now[column]: dress for column, dress in here.items() if column in now} for row, here in found.items()
    }
    return Dressed(wardrobe, cells) if cells else None


def _columns(old: Marker, name: str) -> dict[int, _Column]:
    """Return our columns on a worksheet of which it is known how they looked."""
    memos = old.memo.get("columns", {})
    found: dict[int, _Column] = {}
    for group, places in old.columns.items():
        memo = memos.get(str(group), {})
        areas = [place.area for place in places if place.sheet.casefold() == name.casefold()]
        numbers, texts = read_given(memo.get("s")), read_given(memo.get("ts"))
        if areas and numbers is not None and texts is not None:
            found[areas[0].first_column] = _Column(memo.get("h"), Covered(areas), numbers, texts)
    return found


def _columns_now(columns: Mapping[int, _Column], change: SheetChange) -> dict[int, int]:
    """Return where our columns are placed now: where they were, if all of them are, else where their heading is."""
    called: dict[int, int] = {}
    for cell in sorted(change.cells, key=lambda cell: cell.row, reverse=True):
        if isinstance(cell.value, str) and cell.formula is None:
            called[cell.column] = digest(cell.value)
    if called.keys() == columns.keys():
        return {column: column for column in columns}
    headings = Counter(called.values())
    by_heading = {heading: column for column, heading in called.items() if headings[heading] == 1}
    now: dict[int, int] = {}
    for column, known in columns.items():
        if known.heading is not None and called.get(column) == known.heading:
            now[column] = column
        elif known.heading in by_heading:
            now[column] = by_heading[known.heading]
    return now


def _find(sheet: Worksheet, columns: Mapping[int, _Column], wardrobe: Wardrobe) -> dict[int, dict[int, Dress]]:
    """Return the cells in columns of ours whose look is not the one we gave: row to column to what they wear."""
    found: dict[int, dict[int, Dress]] = {}
    # what cells wear by letters and attributes, None for what we gave
    known: dict[tuple[bytes, bytes], Dress | None] = {}
    wanted = {column_letters(column).encode(): column for column in columns}
    names = rb'<%sc r="(%s)' % (re.escape(sheet.prefix), b"|".join(wanted))
    looks, cells = re.compile(names + rb'\d+"([^<>]*)>'), re.compile(names + rb'(\d+)"([^<>]*)>')
    for block in sheet.blocks():
        usual = from_column(block, min(columns), sheet.prefix)
        here = set(looks.findall(usual))
        known |= {
            (letters, attributes): _dress(attributes, columns[wanted[letters]], wardrobe)
            for letters, attributes in here - known.keys()
        }
        for letters, row, attributes in cells.findall(usual) if any(known[look] for look in here) else ():
            _take(found, columns, int(row), wanted[letters], known[letters, attributes])
        for number, raw, kind in zip(*block, strict=True):
            for one in sheet.cells(sheet.row(number, raw).inner) if kind is None else ():
                if one.column in columns:
                    _take(found, columns, number, one.column, _dress(one.attributes, columns[one.column], wardrobe))
    return found


def _take(
    found: dict[int, dict[int, Dress]], columns: Mapping[int, _Column], row: int, column: int, dress: Dress | None
) -> None:
    if dress is not None and columns[column].cells.covers(row, column):
        found.setdefault(row, {})[column] = dress


def _dress(attributes: bytes, worn: _Column, wardrobe: Wardrobe) -> Dress | None:
    style = style_of(attributes)
    parts = wardrobe.changed(style, worn.texts if _TEXT.search(attributes) else worn.numbers)
    return Dress(style, parts) if parts else None


def _put_on(mine: etree._Element, theirs: etree._Element, part: str) -> None:
    """Give one part of a format to another."""
    mine.set(_APPLIED[part], "1")
    if part in ("alignment", "protection"):
        own, other = xml.child(mine, part), xml.child(theirs, part)
        if own is not None:
            xml.drop(own)
        if other is not None:
            xml.insert_ordered(mine, copy.deepcopy(other), ("alignment", "protection", "extLst"))
        return
    attribute = "numFmtId" if part == "number" else _LISTS[part][1]
    mine.set(attribute, theirs.get(attribute) or "0")


# -- parts of a look, told so that two programs' ways of writing them are one


def _font(element: etree._Element) -> object:
    told: dict[str, object] = {}
    for name in _FONT:
        found = xml.child(element, name)
        if found is None:
            continue
        if name == "color":
            told[name] = _color(found)
        elif name in ("b", "i", "strike", "u"):
            value = found.get("val", "single" if name == "u" else "1")
            if value not in _NO:
                told[name] = value if name == "u" else True
        else:
            told[name] = found.get("val")
    return sorted(told.items())


def _fill(element: etree._Element) -> object:
    pattern = xml.child(element, "patternFill")
    if pattern is None:
        return etree.tostring(element, with_tail=False)
    kind = pattern.get("patternType", "none")
    if kind == "none":
        return None
    # of a plain background the second colour is not seen
    colors = ("fgColor",) if kind == "solid" else ("fgColor", "bgColor")
    return kind, *(_color(xml.child(pattern, name)) for name in colors)


def _border(element: etree._Element) -> object:
    sides = [(side, xml.child(element, side)) for side in _SIDES]
    drawn = [(side, line.get("style"), _color(xml.child(line, "color"))) for side, line in sides if line is not None]
    slanted = [element.get(name) for name in ("diagonalUp", "diagonalDown")]
    shown = any(value not in (None, *_NO) for value in slanted)
    return [line for line in drawn if line[1] not in (None, "none") and (line[0] != "diagonal" or shown)]


def _color(element: etree._Element | None) -> object:
    if element is None or element.get("auto") in ("1", "true") or element.get("indexed") == "64":
        return None
    return sorted((str(name), str(value).upper()) for name, value in element.attrib.items())


_DESCRIBED = {"font": _font, "fill": _fill, "border": _border}
