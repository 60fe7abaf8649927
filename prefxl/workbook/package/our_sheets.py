"""Our sheets: known again whatever the user has called them, and what the user has typed on them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from prefxl.workbook.package.blocks import Kind
from prefxl.workbook.package.book import Book, Sheet
from prefxl.workbook.package.contents import Content, Texts
from prefxl.workbook.package.coordinates import LAST_COLUMN, LAST_ROW, Area, parse_area
from prefxl.workbook.package.marker import Marker
from prefxl.workbook.package.markup import Cell, OddMarkupError, style_of
from prefxl.workbook.package.prints import digest, pack, plain_number, skeleton, unpack
from prefxl.workbook.package.stream import AnySheet, streamed, whole
from prefxl.workbook.package.worksheet import Worksheet

#: A larger sheet is known by its texts at the top alone, and by how far it reaches [bytes].
MOST_BYTES = 2_000_000
_TOP_CELLS, _TOP_BYTES = 24, 1 << 17
_DIMENSION = re.compile(rb'<dimension ref="([A-Z0-9:]+)"')
_ENOUGH, _MOSTLY = 0.6, 0.8


class Typed(NamedTuple):
    """A cell of one of our sheets that holds something of the user's."""

    row: int
    column: int
    value: float | str | bool | None
    formula: str | None
    format: int = 0
    """The number of its format in the workbook."""

    @property
    def shown(self) -> str:
        """The content as a person would name it."""
        return Content(self.value, self.formula).shown


class OurSheet(NamedTuple):
    """A sheet of an earlier run: its name now, its kind as the caller told it then, what the user typed on it."""

    name: str
    kind: str
    typed: tuple[Typed, ...] = ()


class _Contents:
    """What stands in the cells of a sheet: most of it many times over.

    A content is a cell's type, as an attribute, and its inner bytes.
    """

    def __init__(self, sheet: AnySheet, texts: Texts) -> None:
        self._sheet = sheet
        self._texts = texts
        prefix = re.escape(sheet.prefix)
        # a style says nothing of the content
        cell = rb'<%sc r="\w+"(?: s="\d+")?((?: t="\w+")?)(?: s="\d+")?>(?!</)(.+?)</%sc>' % (prefix, prefix)
        self._filled = re.compile(cell, re.DOTALL)
        self.prints: dict[tuple[bytes, bytes], int] = {}

    def runs(self) -> Iterator[list[tuple[int, bytes, Kind | None]]]:
        """Yield the rows, many usual ones at a time, the others one by one."""
        for block in self._sheet.blocks():
            for usual, run in groupby(zip(*block, strict=True), key=lambda row: row[2] is not None):
                if usual:
                    yield list(run)
                else:
                    yield from ([row] for row in run)

    def cells(self, number: int, raw: bytes, kind: Kind | None) -> list[Cell]:
        """Return the cells of a row."""
        row = self._sheet.row(number, raw if kind is None else raw + self._sheet.row_end)
        return list(self._sheet.cells(row.inner))

    def of(self, run: list[tuple[int, bytes, Kind | None]]) -> list[tuple[bytes, bytes]]:
        """Return what stands in the filled cells of some rows; each is in :attr:`prints` from now on."""
        if run[0][2] is None:
            contents = [(cell.attributes, cell.inner) for cell in self.cells(*run[0]) if cell.inner]
        else:
            contents = self._filled.findall(b"".join(raw for _, raw, _ in run))
        for content in set(contents) - self.prints.keys():
            self.prints[content] = _print(self._texts.content(Cell(0, *content, b"", b"")))
        return contents


def sheet_prints(worksheet: Worksheet, texts: Texts) -> dict[str, Any]:
    """Return what a sheet just made is known by."""
    top: list[int] = []
    last_row, last_column = 0, 0
    found = _Contents(worksheet, texts)
    for run in found.runs():
        last_row = run[-1][0]
        kinds = {kind for _, _, kind in run}
        for kind in kinds:
            columns = kind.columns if kind is not None else [cell.column for cell in found.cells(*run[0])]
            last_column = max([last_column, *columns])
        contents = found.of(run)
        top += [found.prints[content] for content in contents[: _TOP_CELLS - len(top)]]
    prints: dict[str, Any] = {"h": pack(top), "e": f"{last_row} {last_column}", "v": pack(found.prints.values())}
    return {**prints, "a": top[0]} if top else prints


def large_prints(start: bytes, file: str, part: str, texts: Texts) -> dict[str, Any]:
    """Return what a large sheet is known by, given how it begins: its dimension, and some rows."""
    # a first row that is longer than that is known by how far the sheet reaches alone
    end = start.rfind(b"</row>", 0, _TOP_BYTES)
    end = start.index(b"<sheetData>") + len(b"<sheetData>") if end < 0 else end + len(b"</row>")
    some = Worksheet(start[:end] + b"</sheetData></worksheet>", file, part)
    top = sheet_prints(some, texts)
    area = parse_area((_DIMENSION.search(some.head) or [b"", b""])[1].decode("ascii"))
    end_at = f"{area.last_row} {area.last_column}" if area else f"{LAST_ROW} {LAST_COLUMN}"
    return {**{key: top[key] for key in ("h", "a") if key in top}, "e": end_at}


def _print(content: Content) -> int:
    if content.formula is not None:
        return digest(f"={skeleton(content.formula)}")
    if isinstance(content.value, float) and not isinstance(content.value, bool):
        return digest(plain_number(content.value))
    return digest(str(content.value))


def find_sheets(book: Book, marker: Marker) -> None:
    """Put names into the marker for sheets whose name leads nowhere: they are known by their first cells.

    The user may have deleted them, and their own sheets hold the same names and numbers: a sheet that is
    taken for one of ours is replaced, so one in doubt is the user's.
    """
    memos: Mapping[str, Any] = marker.memo.get("sheets", {})
    present = {sheet.name.casefold(): sheet for sheet in book.sheets() if sheet.kind == "worksheet"}
    lost = [number for number, name in marker.sheets.items() if name.casefold() not in present]
    taken = {name.casefold() for name in marker.sheets.values()}
    # results of ours stand on sheets of the user's
    taken |= {place.sheet.casefold() for found in marker.columns.values() for place in found}
    texts = Texts(book)
    tops = {name: _top(_worksheet(book, sheet), texts) for name, sheet in present.items() if lost and name not in taken}
    for number in lost:
        name = next((name for name, top in tops.items() if _is_top_of(memos.get(str(number), {}), top)), None)
        if name is None:
            del marker.sheets[number]
        else:
            marker.sheets[number] = present[name].name
            del tops[name]


def _is_top_of(memo: Mapping[str, Any], top: list[int]) -> bool:
    """Tell whether a sheet that begins so is the one remembered: it has the same title, and little else is new."""
    wanted, written = unpack(memo.get("h")), unpack(memo.get("v"))
    if not wanted or not top or top[0] != memo.get("a", top[0]) or top[0] not in wanted:
        return False
    here = set(top)
    is_known = not written or len(written & here) >= _MOSTLY * len(here)
    return is_known and len(wanted & here) >= _ENOUGH * len(wanted)


def _top(worksheet: Worksheet, texts: Texts) -> list[int]:
    """Return the prints of a sheet's first cells."""
    found: dict[int, None] = {}
    for row in worksheet.rows():
        found.update((_print(texts.content(cell)), None) for cell in worksheet.cells(row.inner) if cell.inner)
        if len(found) > 3 * _TOP_CELLS:
            break
    return list(found)


def first_text(book: Book, name: str) -> str:
    """Return the text in the first cell of a sheet; empty if it holds none."""
    sheet = book.worksheet(name)
    if sheet is not None:
        worksheet = _worksheet(book, sheet)
        for row in worksheet.rows():
            for cell in worksheet.cells(row.inner):
                value = Texts(book).content(cell).value
                return value if isinstance(value, str) else ""
    return ""


def our_sheets(book: Book, marker: Marker) -> tuple[OurSheet, ...]:
    """Return our sheets in the book's order, with what the user typed on them."""
    numbers = {name.casefold(): number for number, name in marker.sheets.items()}
    memos: Mapping[str, Any] = marker.memo.get("sheets", {})
    texts = Texts(book)
    found = []
    for sheet in book.sheets():
        number = numbers.get(sheet.name.casefold())
        if number is not None and sheet.kind == "worksheet":
            memo = memos.get(str(number), {})
            found.append(OurSheet(sheet.name, str(memo.get("k", "")), tuple(_typed(book, sheet, memo, texts))))
    return tuple(found)


def _typed(book: Book, sheet: Sheet, memo: Mapping[str, Any], texts: Texts) -> list[Typed]:
    if "e" not in memo:
        # an early version did not remember what it wrote
        return []
    last_row, last_column = (int(word) for word in str(memo["e"]).split())
    inside = Area(1, 1, min(last_row, LAST_ROW), min(max(last_column, 1), LAST_COLUMN))
    written = unpack(memo["v"]) if "v" in memo else None
    try:
        with streamed(book.package, sheet.part) as stream:
            return list(_foreign(_Contents(stream, texts), inside, written, texts))
    except OddMarkupError:
        return list(_foreign(_Contents(whole(book.package, sheet.part), texts), inside, written, texts))


def _foreign(found: _Contents, inside: Area, written: frozenset[int] | None, texts: Texts) -> Iterator[Typed]:
    """Yield the cells that hold what we have not written; of a large sheet, what lies outside of it."""
    for run in found.runs():
        if written is not None:
            suspect = run if not written.issuperset(found.prints[content] for content in found.of(run)) else []
        else:
            suspect = [
                (number, raw, kind)
                for number, raw, kind in run
                if kind is None or number > inside.last_row or kind.last > inside.last_column
            ]
        for number, raw, kind in suspect:
            for cell in found.cells(number, raw, kind):
                if not cell.inner or (written is None and inside.covers(number, cell.column)):
                    continue
                content = texts.content(cell)
                if content != Content(None) and (written is None or _print(content) not in written):
                    yield Typed(number, cell.column, *content, style_of(cell.attributes))


def _worksheet(book: Book, sheet: Sheet) -> Worksheet:
    return Worksheet(book.package.read(sheet.part), book.package.file, sheet.part)
