"""XML of the package: parsed without trust, written in one way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lxml import etree

from prefxl.sheets.guard import UTF16
from prefxl.workbook.package.refusals import Refusal, WorkbookRefusedError

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE_RELATION = "http://schemas.openxmlformats.org/package/2006/relationships"
CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
STRICT = "http://purl.oclc.org/ooxml/"
RELATION_ID = f"{{{RELATION}}}id"

_BOM = b"\xef\xbb\xbf"
_DECLARATION = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
# infinity is no size
_LARGEST = 1e6
_DOCTYPE = re.compile(rb"<!DOCTYPE", re.IGNORECASE)


def main(name: str) -> str:
    """Return a tag of the main namespace in lxml's notation."""
    return f"{{{MAIN}}}{name}"


def guard(data: bytes, file: str, part: str) -> None:
    """Refuse a DOCTYPE, and an encoding in which one could hide.

    Raises
    ------
    WorkbookRefusedError
        With :attr:`Refusal.HOSTILE` or :attr:`Refusal.BROKEN`.
    """
    plain = data
    if data[:2] in UTF16:
        plain = data.decode(UTF16[data[:2]], "replace").encode("utf-8", "replace")
    elif data.removeprefix(_BOM).lstrip()[:1] != b"<":
        raise WorkbookRefusedError(file, Refusal.BROKEN, part)
    # it is one only before the root element
    if _DOCTYPE.search(plain[: _root(plain)]):
        raise WorkbookRefusedError(file, Refusal.HOSTILE, part)


def _root(plain: bytes) -> int:
    """Return where the root element begins, comments and instructions before it passed over."""
    position = plain.find(b"<")
    while position >= 0 and plain[position + 1 : position + 2] in (b"?", b"!"):
        if plain.startswith(b"<!--", position):
            position = plain.find(b"-->", position)
        elif plain.startswith(b"<!", position):
            # whatever it declares, it is to be found
            return position + len(b"<!DOCTYPE")
        position = plain.find(b"<", position + 1) if position >= 0 else -1
    return position if position >= 0 else len(plain)


def parse(data: bytes, file: str, part: str) -> etree._Element:
    """Parse a part: no DOCTYPE, no entities, no network.

    Raises
    ------
    WorkbookRefusedError
        If the part is hostile or not well-formed.
    """
    guard(data, file, part)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as fault:
        raise WorkbookRefusedError(file, Refusal.BROKEN, part) from fault


def serialise(root: etree._Element) -> bytes:
    """Write a part; equal trees give equal bytes."""
    return _DECLARATION + etree.tostring(root.getroottree(), encoding="UTF-8", xml_declaration=False)


def local(element: etree._Element) -> str:
    """Return an element's name without its namespace; empty for comments and the like."""
    tag = element.tag
    # asked thousands of times: an object for each name takes ten times as long
    return tag[tag.rfind("}") + 1 :] if isinstance(tag, str) else ""


def children(element: etree._Element | None, name: str = "") -> Iterator[etree._Element]:
    """Return an iterator over the child elements of a name (of any namespace), or over all of them."""
    return iter(()) if element is None else element.iterchildren(f"{{*}}{name}" if name else "*")


def child(element: etree._Element | None, name: str) -> etree._Element | None:
    """Return the first child of a name, or None."""
    return next(children(element, name), None)


def insert_ordered(parent: etree._Element, element: etree._Element, order: Sequence[str]) -> None:
    """Insert a child where the schema's sequence wants it; names the sequence does not know stay where they are."""
    rank = order.index(local(element))
    position = 0
    for index, sibling in enumerate(parent):
        name = local(sibling)
        if name in order and order.index(name) <= rank:
            position = index + 1
    parent.insert(position, element)


def drop(element: etree._Element) -> None:
    """Remove an element from its parent; text after it stays."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    element.tail = None
    parent.remove(element)


def truth(text: str | None, default: bool = False) -> bool:
    """Read an ``xsd:boolean`` attribute."""
    return default if text is None else text.strip() in ("1", "true", "on")


def size(text: str | None) -> float | None:
    """Read the width of a column or the height of a row; ``None`` where a program would take the usual one instead.

    >>> size("9.14"), size("0"), size("9,14"), size("1e400"), size(None)
    (9.14, 0.0, None, None, None)
    """
    try:
        found = float(text or "")
    except ValueError:
        return None
    return found if 0 <= found <= _LARGEST else None
