"""A look at an ``.xls`` workbook: the compound file, its records, error values, hidden rows, a password."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from prefxl.errors import FileError
from prefxl.sheets.guard import ERROR_CODES, Facts, damaged, protected
from prefxl.sheets.percents import percent_styles
from prefxl.sheets.values import CellError

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

# record types of [MS-XLS]
_FILEPASS, _BOUNDSHEET, _DATEMODE, _ROW, _FORMULA, _ERROR, _END, _BEGIN, _DIMENSIONS = (
    0x2F,
    0x85,
    0x22,
    0x208,
    0x06,
    0x205,
    0x0A,
    0x809,
    0x200,
)
_CELLS = frozenset({_FORMULA, _ERROR, 0x201, 0x203, 0x204, 0x27E, 0xFD, 0xD6})
_SEVERAL_NUMBERS = 0xBD
_SEVERAL_CELLS = frozenset({_SEVERAL_NUMBERS, 0xBE})
_COLUMNS, _STYLE, _FORMAT = 0x7D, 0xE0, 0x41E
_NUMBERS = frozenset({_FORMULA, 0x203, 0x27E})
_LAST_SECTOR = 0xFFFFFFF0
# the size of a small sector [bytes]
_SMALL = 64


def streams(data: bytes, name: str) -> dict[str, tuple[int, int]]:
    """Return the streams of a compound file, and its root: name to first sector and size.

    Raises
    ------
    FileError
        If its tables are broken.
    """
    # a reader makes room for as many sectors of tables as are claimed
    if len(data) < 512 or max(struct.unpack_from("<I", data, place)[0] for place in (44, 64, 72)) > len(data) // 128:
        raise damaged(name)
    try:
        return dict(_entries(_chain(data, struct.unpack_from("<I", data, 48)[0], 1 << 26)))
    except (struct.error, IndexError):
        raise damaged(name) from None


def _entries(directory: bytes) -> Iterator[tuple[str, tuple[int, int]]]:
    for start in range(0, len(directory) - 127, 128):
        length, kind = struct.unpack_from("<HB", directory, start + 64)
        if kind in (2, 5) and 2 <= length <= 64:
            first, size = struct.unpack_from("<II", directory, start + 116)
            yield directory[start : start + length - 2].decode("utf-16-le", "replace"), (first, size)


def _sector_size(data: bytes) -> int:
    shift: int = struct.unpack_from("<H", data, 30)[0]
    return 1 << shift if shift in (9, 12) else 512


def _table(data: bytes) -> list[int]:
    """Return the file's allocation table: for each sector the next."""
    size = _sector_size(data)
    parts = list(struct.unpack_from("<109I", data, 76))
    more, count = struct.unpack_from("<II", data, 68)
    for _ in range(min(count, len(data) // size)):
        if more >= _LAST_SECTOR:
            break
        numbers = struct.unpack_from(f"<{size // 4}I", data, (more + 1) * size)
        parts += numbers[:-1]
        more = numbers[-1]
    table: list[int] = []
    for part in parts:
        if part < _LAST_SECTOR and (part + 2) * size <= len(data) + size:
            block = data[(part + 1) * size : (part + 2) * size]
            table += struct.unpack(f"<{len(block) // 4}I", block[: len(block) // 4 * 4])
    return table


def _chain(data: bytes, first: int, most: int) -> bytes:
    """Return the sectors of a chain, joined; a loop ends with the file's own size."""
    size, table = _sector_size(data), _table(data)
    found: list[bytes] = []
    sector = first
    while sector < len(table) and len(found) <= min(most, len(data)) // size:
        found.append(data[(sector + 1) * size : (sector + 2) * size])
        sector = table[sector]
    return b"".join(found)


def _stream(data: bytes, found: dict[str, tuple[int, int]], name: str) -> bytes:
    """Return a stream; short ones stand in small sectors inside the root's own stream."""
    first, size = found[name]
    shortest: int = struct.unpack_from("<I", data, 56)[0]
    if size >= shortest:
        return _chain(data, first, size + 4096)[:size]
    root = _chain(data, *found["Root Entry"])
    table = _chain(data, struct.unpack_from("<I", data, 60)[0], len(data))
    following = struct.unpack(f"<{len(table) // 4}I", table[: len(table) // 4 * 4])
    parts: list[bytes] = []
    sector = first
    while sector < len(following) and len(parts) * _SMALL <= size:
        parts.append(root[sector * _SMALL : (sector + 1) * _SMALL])
        sector = following[sector]
    return b"".join(parts)[:size]


def look(data: bytes, name: str) -> tuple[dict[str, Facts], bool]:
    """Return what each worksheet holds by its name, and whether days count from 1904.

    Raises
    ------
    FileError, FileRefusedError
        If it is no ``.xls`` workbook, is damaged, or has a password.
    """
    found = streams(data, name)
    if "EncryptedPackage" in found or "EncryptionInfo" in found:
        raise protected(name)
    book = next((stream for stream in found if stream.casefold() in ("workbook", "book")), None)
    if book is None:
        raise FileError(
            f"{name} is a file of another program, not an Excel workbook",
            f"{name} — файл другой программы, а не книга Excel",
        )
    try:
        return _look_through(_stream(data, found, book), name)
    except (struct.error, IndexError, KeyError):
        raise damaged(name) from None


def _look_through(book: bytes, name: str) -> tuple[dict[str, Facts], bool]:
    sheets: dict[str, int] = {}
    from_1904 = False
    formats: list[tuple[int, str]] = []
    styles: list[int] = []
    for kind, body in _records(book, 0):
        if kind == _FILEPASS:
            raise protected(name)
        if kind == _DATEMODE and len(body) >= 2:
            from_1904 = body[0] == 1
        if kind == _FORMAT and len(body) >= 5:
            formats.append((int.from_bytes(body[:2], "little"), _short_text(body[2:3] + body[4:])))
        if kind == _STYLE and len(body) >= 4:
            styles.append(int.from_bytes(body[2:4], "little"))
        if kind == _BOUNDSHEET and len(body) > 8 and body[5] == 0:
            sheets[_short_text(body[6:])] = struct.unpack_from("<I", body)[0]
    percents = percent_styles(formats, styles)
    facts = {}
    for sheet, start in sheets.items():
        facts[sheet] = _sheet(book, start, percents)
        facts[sheet].check(name, sheet)
    return facts, from_1904


def _short_text(body: bytes) -> str:
    length, wide = body[0], body[1] & 1
    return body[2 : 2 + length * 2].decode("utf-16-le", "replace") if wide else body[2 : 2 + length].decode("latin-1")


def _sheet(book: bytes, start: int, percents: frozenset[int]) -> Facts:
    facts = Facts()
    for kind, body in _records(book, start):
        if kind == _DIMENSIONS:
            _check_dimensions(body)
        if kind in _CELLS or kind in _SEVERAL_CELLS:
            row, column = struct.unpack_from("<HH", body)
            last = struct.unpack_from("<H", body, len(body) - 2)[0] if kind in _SEVERAL_CELLS else column
            facts.cells += last - column + 1 if last >= column else 1
            facts.extend(row + 1, max(last, column) + 1)
            if percents:
                _note_percents(facts, kind, body, percents)
            code = _error_code(kind, body)
            if code is not None:
                facts.add(row + 1, column + 1, CellError(ERROR_CODES.get(code, "#N/A")))
        elif kind == _ROW and len(body) >= 14 and body[12] & 0x20:
            facts.hidden_rows.add(struct.unpack_from("<H", body)[0] + 1)
        elif kind == _COLUMNS and len(body) >= 10 and body[8] & 1:
            first, last = struct.unpack_from("<HH", body)
            facts.hide(first + 1, last + 1)
    return facts


def _note_percents(facts: Facts, kind: int, body: bytes, percents: frozenset[int]) -> None:
    """Note the cells of numbers that are shown in per cent."""
    row, column = struct.unpack_from("<HH", body)
    if kind in _NUMBERS:
        styles = [struct.unpack_from("<H", body, 4)[0]]
    elif kind == _SEVERAL_NUMBERS:
        styles = [struct.unpack_from("<H", body, place)[0] for place in range(4, len(body) - 7, 6)]
    else:
        styles = []
    for place, style in enumerate(styles):
        if style in percents:
            facts.note_percent(row + 1, column + 1 + place)


def _check_dimensions(body: bytes) -> None:
    """Refuse an extent no such worksheet has: a reader would make room for it.

    Raises
    ------
    struct.error
        If it is so.
    """
    rows, columns = struct.unpack_from("<4xI2xH" if len(body) >= 14 else "<2xH2xH", body)
    if rows > 1 << 16 or columns > 1 << 8:
        raise struct.error("an extent beyond the format's own")


def _error_code(kind: int, body: bytes) -> int | None:
    """Return the error a cell holds, ``None`` for none."""
    if kind == _ERROR and len(body) >= 8 and body[7] == 1:
        return body[6]
    # a formula's stored result: 02 xx code xx xx xx FF FF
    if kind == _FORMULA and len(body) >= 14 and body[6] == 2 and body[12:14] == b"\xff\xff":
        return body[8]
    return None


def _records(book: bytes, start: int) -> Iterator[tuple[int, bytes]]:
    """Yield the records of a substream, up to its end; charts inside it are passed over."""
    position, depth = start, 0
    while position + 4 <= len(book):
        kind, size = struct.unpack_from("<HH", book, position)
        depth += (kind == _BEGIN) - (kind == _END)
        if depth <= 0 and kind == _END:
            return
        if depth <= 1 and kind != _END:
            yield kind, book[position + 4 : position + 4 + size]
        position += 4 + size
