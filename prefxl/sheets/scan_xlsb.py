"""A look at an ``.xlsb`` package: the same facts from its binary records."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from xml.etree import ElementTree

from prefxl.sheets.guard import ERROR_CODES, MALFORMED, Facts, Package, damaged
from prefxl.sheets.percents import percent_styles
from prefxl.sheets.values import CellError

# record types of [MS-XLSB]
_ROW_HEADER = 0
_CELLS = range(1, 12)
_ERRORS = (3, 11)
_COLUMNS, _FORMAT, _STYLE, _STYLES, _END_OF_STYLES = 60, 44, 47, 617, 618
# cells of numbers: RK, number, and a formula's number
_NUMBERS = (2, 5, 9)
_SHEET = 156
_WORKBOOK_PROPERTIES = 153
_OTHER_BOOKS = 362
# the least a record of each cell takes: blank, RK, error, truth, number, text, shared text, and formulas of four kinds
_LEAST = (0, 8, 12, 9, 9, 16, 12, 12, 12, 16, 9, 9)
_LAST_ROW, _LAST_COLUMN = 1 << 20, 1 << 14


def look(package: Package) -> tuple[dict[str, Facts], bool]:
    """Return what each worksheet holds by its name, and whether days count from 1904.

    Raises
    ------
    FileError, FileRefusedError
        If the package is damaged, or a worksheet is more than can be borne.
    """
    targets = _targets(package)
    facts: dict[str, Facts] = {}
    from_1904 = False
    percents = _percents(package)
    for kind, body in _records(package, "xl/workbook.bin"):
        if kind == _OTHER_BOOKS and int.from_bytes(body[:4], "little") * 12 > len(body):
            raise damaged(package.name)
        if kind == _WORKBOOK_PROPERTIES and body:
            from_1904 = bool(body[0] & 1)
        if kind == _SHEET:
            name, relation = _sheet(body, package)
            part = targets.get(relation, "")
            if part in package and "/worksheets/" in part:
                facts[name] = _look_at(package, part, percents)
                facts[name].check(package.name, name)
    return facts, from_1904


def _targets(package: Package) -> dict[str, str]:
    try:
        relations = ElementTree.fromstring(package.read("xl/_rels/workbook.bin.rels"))
    except MALFORMED:
        raise damaged(package.name) from None
    return {
        one.get("Id", ""): f"xl/{target}"
        if not (target := one.get("Target", "")).startswith("/")
        else target.lstrip("/")
        for one in relations
    }


def _sheet(body: bytes, package: Package) -> tuple[str, str]:
    """Return a sheet's name and the id of its relation."""
    try:
        relation, rest = _text(body[8:])
        return _text(rest)[0], relation
    except (struct.error, UnicodeDecodeError):
        raise damaged(package.name) from None


def _text(data: bytes) -> tuple[str, bytes]:
    size = 2 * struct.unpack_from("<I", data)[0]
    return data[4 : 4 + size].decode("utf-16-le"), data[4 + size :]


def _percents(package: Package) -> frozenset[int]:
    """Return the styles of cells that show per cent."""
    formats: list[tuple[int, str]] = []
    styles: list[int] = []
    among = False
    part = "xl/styles.bin"
    for kind, body in _records(package, part) if part in package else ():
        among = kind == _STYLES or (among and kind != _END_OF_STYLES)
        if kind == _FORMAT and len(body) >= 6:
            formats.append((int.from_bytes(body[:2], "little"), body[6:].decode("utf-16-le", "replace")))
        elif kind == _STYLE and among and len(body) >= 4:
            styles.append(int.from_bytes(body[2:4], "little"))
    return percent_styles(formats, styles)


def _look_at(package: Package, part: str, percents: frozenset[int]) -> Facts:
    facts = Facts()
    row = 0
    for kind, body in _records(package, part):
        if kind == _ROW_HEADER:
            row = int.from_bytes(body[:4], "little") + 1
            if len(body) < 4 or row > _LAST_ROW:
                raise damaged(package.name)
            if len(body) > 11 and body[11] & 0x10:
                facts.hidden_rows.add(row)
        elif kind == _COLUMNS and len(body) >= 18 and body[16] & 1:
            facts.hide(int.from_bytes(body[:4], "little") + 1, int.from_bytes(body[4:8], "little") + 1)
        elif kind in _CELLS:
            column = int.from_bytes(body[:4], "little") + 1
            if len(body) < _LEAST[kind] or column > _LAST_COLUMN:
                raise damaged(package.name)
            facts.cells += 1
            facts.extend(row, column)
            if percents and kind in _NUMBERS and int.from_bytes(body[4:7], "little") in percents:
                facts.note_percent(row, column)
            if kind in _ERRORS and len(body) > 8:
                facts.add(row, column, CellError(ERROR_CODES.get(body[8], "#N/A")))
    return facts


def _records(package: Package, part: str) -> Iterator[tuple[int, bytes]]:
    """Yield record types and bodies; sizes and types are numbers of seven bits a byte.

    A body cut short is refused: a reader would take the bytes of an earlier one for it.
    """
    data = package.read(part)
    position, end = 0, len(data)
    while position < end:
        kind = data[position]
        position += 1
        if kind & 0x80 and position < end:
            kind = (kind & 0x7F) | (data[position] & 0x7F) << 7
            position += 1
        size = 0
        for shift in (0, 7, 14, 21):
            if position >= end:
                raise damaged(package.name)
            byte = data[position]
            position += 1
            size |= (byte & 0x7F) << shift
            if not byte & 0x80:
                break
        if position + size > end:
            raise damaged(package.name)
        yield kind, data[position : position + size]
        position += size
