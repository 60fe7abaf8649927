"""The smallest ``.xlsb`` there is: binary records of [MS-XLSB], enough for every reader."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Sequence
from typing import Any

_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/>'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>'
)
_RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8"?><Relationships '
    'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}" Target="{target}"/>'
    "</Relationships>"
)


def record(kind: int, body: bytes = b"") -> bytes:
    """Return one record: its type, its size, its body."""
    head = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size, sizes = len(body), b""
    while True:
        size, low = size >> 7, size & 0x7F
        sizes += bytes([low | (0x80 if size else 0)])
        if not size:
            return head + sizes + body


def wide(text: str) -> bytes:
    """Return a text as these records hold it."""
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


class Percent(float):
    """A number that is shown in per cent."""


#: Styles of cells, after one that no cell has: plain, ``0%``, and a format of one's own.
_STYLES = (
    record(278)
    + record(615, struct.pack("<I", 1))
    + record(44, struct.pack("<H", 164) + wide("0.0%"))
    + record(616)
    + record(626, struct.pack("<I", 1))
    + record(47, struct.pack("<HHIII", 0xFFFF, 9, 0, 0, 0))
    + record(627)
    + record(617, struct.pack("<I", 3))
    + b"".join(record(47, struct.pack("<HHIII", 0, kind, 0, 0, 0)) for kind in (0, 9, 164))
    + record(618)
    + record(279)
)


def _cell(column: int, value: Any) -> bytes:
    start = struct.pack("<II", column, 2 - column % 2 if isinstance(value, Percent) else 0)
    if isinstance(value, bytes):
        # an error, by its code
        return record(3, start + value)
    if isinstance(value, str):
        return record(6, start + wide(value))
    return record(5, start + struct.pack("<d", value))


def xlsb_bytes(
    rows: Sequence[Sequence[Any]],
    *,
    far: tuple[int, int] | None = None,
    name: str = "Игры",
    hidden: tuple[int, int] | None = None,
) -> bytes:
    """Return ``rows`` as an ``.xlsb`` file.

    Bytes are error codes, ``far`` a cell (from 0) in a far corner, ``hidden`` the first and the last column not shown.
    """
    sheet = record(129) + record(148, struct.pack("<IIII", 0, len(rows), 0, 20))
    if hidden:
        sheet += record(390) + record(60, struct.pack("<IIIIH", *hidden, 2048, 0, 1)) + record(391)
    sheet += record(145)
    filled = [(row, [(column, value) for column, value in enumerate(cells)]) for row, cells in enumerate(rows)]
    for row, cells in [*filled, *([(far[0], [(far[1], 1.0)])] if far else [])]:
        sheet += record(0, struct.pack("<IIHHBI", row, 0, 300, 0, 0, 0))
        sheet += b"".join(_cell(column, value) for column, value in cells if value is not None)
    sheet += record(146) + record(130)
    book = record(131) + record(143) + record(156, struct.pack("<II", 0, 1) + wide("rId1") + wide(name)) + record(144)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("[Content_Types].xml", _TYPES)
        package.writestr("_rels/.rels", _RELATIONS.format(kind="officeDocument", target="xl/workbook.bin"))
        package.writestr("xl/workbook.bin", book + record(132))
        package.writestr(
            "xl/_rels/workbook.bin.rels", _RELATIONS.format(kind="worksheet", target="worksheets/sheet1.bin")
        )
        package.writestr("xl/worksheets/sheet1.bin", sheet)
        package.writestr("xl/styles.bin", _STYLES)
    return buffer.getvalue()
