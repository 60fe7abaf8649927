"""The styles part: entries are only ever found or appended, so the user's own indices stay."""

from __future__ import annotations

import copy
from typing import Any

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.book import Book
from prefxl.workbook.package.model import StyleRole

Key = tuple[Any, ...]

_ORDER = "numFmts fonts fills borders cellStyleXfs cellXfs cellStyles dxfs tableStyles colors extLst"
ORDER = tuple(_ORDER.split())
_FONT = "b i strike condense extend outline shadow u vertAlign sz color name family charset scheme"
_FONT_ORDER = tuple(_FONT.split())
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"
_BASE = f"""<styleSheet xmlns="{xml.MAIN}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/>
</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/>
</fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs
count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="1"><xf numFmtId="0"
fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs><cellStyles
count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>"""
#: Excel opens no workbook with more than some 65,490 cell formats.
MOST_FORMATS = 65_400
_FIRST_CUSTOM_FORMAT = 164
BUILT_IN_FORMATS = {
    "General": 0,
    "0": 1,
    "0.00": 2,
    "#,##0": 3,
    "#,##0.00": 4,
    "0%": 9,
    "0.00%": 10,
    "@": 49,
}
# id 14 is the short date of whatever country the reader lives in
SHORT_DATE = 14


class Styles:
    """The styles of a workbook, made up if it has none.

    Only :meth:`xf`-returning methods append; a workbook whose cells need no
    new look keeps its part untouched.
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        package = book.package
        parts = package.related(book.part, "styles")
        self.part = parts[0] if parts else ""
        self._keys: dict[str, dict[Key, int]] = {}
        self._cache: dict[tuple[Any, ...], int] = {}
        root = package.tree(self.part) if self.part else None
        self._complete = root is not None and all(
            xml.child(xml.child(root, name), kind) is not None
            for name, kind in (("fonts", "font"), ("fills", "fill"), ("borders", "border"), ("cellXfs", "xf"))
        )
        self.root = root if root is not None else etree.fromstring(_BASE)

    # -- looking up

    def entries(self, name: str) -> list[etree._Element]:
        """Return the entries of a list: ``cellXfs``, ``fonts``, ``dxfs`` ..."""
        return list(xml.children(xml.child(self.root, name)))

    def find_or_append(self, name: str, element: etree._Element) -> int:
        """Return the position of an equal entry, appended if there is none."""
        found = self._known(name).get(key(element))
        return self._append(name, element) if found is None else found

    def _known(self, name: str) -> dict[Key, int]:
        """Return where each entry of a list stands first."""
        self.complete()
        if name not in self._keys:
            self._keys[name] = {}
            for position, entry in enumerate(self.entries(name)):
                self._keys[name].setdefault(key(entry), position)
        return self._keys[name]

    def format(self, element: etree._Element, otherwise: int) -> int:
        """Return the index of a cell format; ``otherwise`` where Excel would take no more of them."""
        if len(self.entries("cellXfs")) < MOST_FORMATS:
            return self.find_or_append("cellXfs", element)
        return self._known("cellXfs").get(key(element), otherwise)

    def _append(self, name: str, element: etree._Element) -> int:
        parent = xml.child(self.root, name)
        if parent is None:
            parent = etree.Element(xml.main(name))
            xml.insert_ordered(self.root, parent, ORDER)
        rebuild(parent, element)
        position = len(list(xml.children(parent))) - 1
        parent.set("count", str(position + 1))
        self._keys[name][key(element)] = position
        self._book.package.touch(self.part)
        return position

    def ensure_part(self) -> None:
        """Add the part if the workbook has none."""
        package = self._book.package
        if not self.part:
            usual = "xl/styles.xml"
            # a second relation of this kind would be one too many
            promised = package.promised(self._book.part, "styles")
            free = package.free_name(usual) if package.find(usual) else usual
            self.part = package.put_tree(promised or free, self.root)
            if promised is None:
                package.relate(self._book.part, f"{xml.RELATION}/styles", self.part)
            package.override_type(self.part, _TYPE)
            self._complete = True

    def complete(self) -> None:
        """Add the part, or the lists in it, that Excel cannot do without."""
        self.ensure_part()
        if self._complete:
            return
        for element in etree.fromstring(_BASE):
            present = xml.child(self.root, xml.local(element))
            if present is not None and next(xml.children(present), None) is not None:
                continue
            if present is not None:
                xml.drop(present)
            xml.insert_ordered(self.root, element, ORDER)
        self._book.package.touch(self.part)
        self._complete = True

    def xf(self, index: int) -> etree._Element:
        """Return a copy of a cell format; the first one stands in for an index that does not exist."""
        formats = self.entries("cellXfs")
        if not formats:
            return etree.fromstring(f'<xf xmlns="{xml.MAIN}" numFmtId="0" fontId="0" fillId="0" borderId="0"/>')
        return copy.deepcopy(formats[index if index < len(formats) else 0])

    # -- looks of ours

    def tinted(self, base: int, rgb: str) -> int:
        """Return the format that is ``base`` with another background."""
        known = self._cache.get(("tint", base, rgb))
        if known is None:
            self.complete()
            format_ = self.xf(base)
            _set(format_, "fillId", self._fill(rgb), "applyFill")
            known = self._cache["tint", base, rgb] = self.format(format_, base)
        return known

    def styled(self, base: int, role: StyleRole, *, is_date: bool = False, quoted: bool = False) -> int:
        """Return the format that is ``base`` changed as the role says.

        Parameters
        ----------
        base
            Index of the format to begin with.
        role
            What to change; ``like`` is the caller's business.
        is_date
            Give a date format if the role names none and ``base`` has none.
        quoted
            Keep text text even when the user edits the cell (Excel's hidden apostrophe).
        """
        cached = ("role", base, role, is_date, quoted)
        if cached not in self._cache:
            self.complete()
            format_ = self.xf(base)
            self._number_format(format_, role, is_date)
            self._font(format_, role)
            if role.fill is not None:
                _set(format_, "fillId", self._fill(role.fill), "applyFill")
            if role.border is not None:
                _set(format_, "borderId", self.find_or_append("borders", _border(role.border)), "applyBorder")
            _align(format_, role)
            if quoted:
                format_.set("quotePrefix", "1")
            self._cache[cached] = self.format(format_, base)
        return self._cache[cached]

    def _fill(self, rgb: str) -> int:
        return self.find_or_append("fills", solid(rgb))

    def _number_format(self, format_: etree._Element, role: StyleRole, is_date: bool) -> None:
        if role.number_format is not None:
            _set(format_, "numFmtId", self.format_id(role.number_format), "applyNumberFormat")
        elif is_date and int(format_.get("numFmtId") or 0) == 0:
            _set(format_, "numFmtId", SHORT_DATE, "applyNumberFormat")

    def _font(self, format_: etree._Element, role: StyleRole) -> None:
        if role.bold is None and role.italic is None and role.color is None:
            return
        fonts = self.entries("fonts")
        index = int(format_.get("fontId") or 0)
        font = copy.deepcopy(fonts[index if index < len(fonts) else 0])
        # some programs write its parts in an order of their own: what is ours is as the schema has it
        font[:] = sorted(font, key=_font_rank)
        for name, wanted in (("b", role.bold), ("i", role.italic)):
            present = xml.child(font, name)
            if wanted is not None and present is not None:
                xml.drop(present)
            if wanted:
                xml.insert_ordered(font, etree.Element(xml.main(name)), _FONT_ORDER)
        if role.color is not None:
            if (present := xml.child(font, "color")) is not None:
                xml.drop(present)
            color = etree.Element(xml.main("color"))
            color.set("rgb", f"FF{role.color.upper()}")
            xml.insert_ordered(font, color, _FONT_ORDER)
        _set(format_, "fontId", self.find_or_append("fonts", font), "applyFont")

    def format_id(self, code: str) -> int:
        """Return the id of a number format, defined if need be."""
        if code in BUILT_IN_FORMATS:
            return BUILT_IN_FORMATS[code]
        highest = _FIRST_CUSTOM_FORMAT - 1
        for entry in self.entries("numFmts"):
            number = int(entry.get("numFmtId") or 0)
            if entry.get("formatCode") == code:
                return number
            highest = max(highest, number)
        element = etree.Element(xml.main("numFmt"))
        element.set("numFmtId", str(highest + 1))
        element.set("formatCode", code)
        self.find_or_append("numFmts", element)
        return highest + 1

    def format_code(self, number: int) -> str | None:
        """Return the code of a format of the workbook's own; None for a built-in one."""
        for entry in self.entries("numFmts"):
            if int(entry.get("numFmtId") or 0) == number:
                return entry.get("formatCode")
        return None


def _font_rank(element: etree._Element) -> int:
    name = xml.local(element)
    return _FONT_ORDER.index(name) if name in _FONT_ORDER else len(_FONT_ORDER)


def solid(rgb: str) -> etree._Element:
    """Return a plain background of a colour ``RRGGBB``."""
    color = rgb.upper()
    return etree.fromstring(
        f'<fill xmlns="{xml.MAIN}"><patternFill patternType="solid"><fgColor rgb="FF{color}"/>'
        f'<bgColor indexed="64"/></patternFill></fill>'
    )


def key(element: etree._Element) -> Key:
    """Return what makes two entries equal: names, attributes and children, whatever the prefixes."""
    # asked for each of tens of thousands of formats in workbooks that have been copied into each other for years
    attributes = tuple(sorted(element.items()))
    inside = tuple(map(key, xml.children(element))) if len(element) else ()
    return str(element.tag), attributes, (element.text or "").strip(), inside


def equal(element: etree._Element, other: etree._Element) -> bool:
    """Tell whether two entries are equal; see :func:`key`, which takes its time."""
    return etree.tostring(element, with_tail=False) == etree.tostring(other, with_tail=False) or key(element) == key(
        other
    )


def rebuild(parent: etree._Element, element: etree._Element) -> etree._Element:
    """Append a copy of an element that uses the parent's own prefixes."""
    copied = etree.SubElement(parent, element.tag)
    for name, value in element.attrib.items():
        copied.set(name, value)
    copied.text = (element.text or "").strip() or None
    for item in xml.children(element):
        rebuild(copied, item)
    return copied


def _set(format_: etree._Element, attribute: str, index: int, applied: str) -> None:
    format_.set(attribute, str(index))
    format_.set(applied, "1")


def _border(style: str) -> etree._Element:
    sides = "".join(
        f'<{side} style="{style}"><color auto="1"/></{side}>' for side in ("left", "right", "top", "bottom")
    )
    return etree.fromstring(f'<border xmlns="{xml.MAIN}">{sides}<diagonal/></border>')


def _align(format_: etree._Element, role: StyleRole) -> None:
    if role.align is None and role.wrap is None:
        return
    alignment = xml.child(format_, "alignment")
    if alignment is None:
        alignment = etree.Element(xml.main("alignment"))
        format_.insert(0, alignment)
    if role.align is not None:
        alignment.set("horizontal", role.align)
    if role.wrap is not None:
        alignment.set("wrapText", "1" if role.wrap else "0")
    format_.set("applyAlignment", "1")
