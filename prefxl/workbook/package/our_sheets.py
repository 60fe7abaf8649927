"""Our sheets: known again whatever the user has called them, and what the user has typed on them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from prefxl.workbook.package.book import Book, Sheet
from prefxl.workbook.package.contents import Content, Texts
from prefxl.workbook.package.coordinates import LAST_COLUMN, LAST_ROW, Area, parse_area
from prefxl.workbook.package.marker import Marker
from prefxl.workbook.package.markup import Cell
from prefxl.workbook.package.prints import digest, pack, plain_number, skeleton, unpack
from prefxl.workbook.package.worksheet import Worksheet

#: A larger sheet is known by its texts at the top alone, and by how far it reaches [bytes].
MOST_BYTES = 2_000_000
_TOP_CELLS, _TOP_BYTES = 24, 1 << 17
_DIMENSION = re.compile(rb'<dimension ref="([A-Z0-9:]+)"')
_STYLE = re.compile(rb'\ss="(\d+)"')
_ENOUGH = 0.6


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


def sheet_prints(worksheet: Worksheet, texts: Texts) -> dict[str, str]:
    """Return what a sheet just made is known by."""
    top: list[int] = []
    everything: dict[tuple[bytes, bytes], int] = {}
    last_row, last_column = 0, 0
    for row, column, contents in _contents(worksheet):
        last_row, last_column = row, max(last_column, column)
        for content in set(contents) - everything.keys():
            everything[content] = _print(texts.content(Cell(0, *content, b"", b"")))
        top += [everything[content] for content in contents[: _TOP_CELLS - len(top)]]
    return {"h": pack(top), "e": f"{last_row} {last_column}", "v": pack(everything.values())}


def _contents(worksheet: Worksheet) -> Iterator[tuple[int, int, list[tuple[bytes, bytes]]]]:
    """Yield of rows, many at a time, the last one's number, the last column, and what stands in the filled cells.

    That is the type of each, as an attribute, and its inner bytes.
    """
    # a style says nothing of the content
    prefix = re.escape(worksheet.prefix)
    cell = rb'<%sc r="\w+"(?: s="\d+")?((?: t="\w+")?)(?: s="\d+")?>(?!</)(.+?)</%sc>' % (prefix, prefix)
    filled = re.compile(cell, re.DOTALL)
    for block in worksheet.blocks():
        for usual, run in groupby(zip(*block, strict=True), key=lambda row: row[2] is not None):
            rows = list(run)
            if usual:
                kinds = {kind for _, _, kind in rows if kind is not None}
                yield rows[-1][0], max(kind.last for kind in kinds), filled.findall(b"".join(raw for _, raw, _ in rows))
            else:
                for number, raw, _ in rows:
                    cells = list(worksheet.cells(worksheet.row(number, raw).inner))
                    last = max((cell.column for cell in cells), default=0)
                    yield number, last, [(cell.attributes, cell.inner) for cell in cells if cell.inner]


def large_prints(start: bytes, file: str, part: str, texts: Texts) -> dict[str, str]:
    """Return what a large sheet is known by, given how it begins: its dimension, and some rows."""
    # a first row that is longer than that is known by how far the sheet reaches alone
    end = start.rfind(b"</row>", 0, _TOP_BYTES)
    end = start.index(b"<sheetData>") + len(b"<sheetData>") if end < 0 else end + len(b"</row>")
    some = Worksheet(start[:end] + b"</sheetData></worksheet>", file, part)
    top = sheet_prints(some, texts)["h"]
    area = parse_area((_DIMENSION.search(some.head) or [b"", b""])[1].decode("ascii"))
    return {"h": top, "e": f"{area.last_row} {area.last_column}" if area else f"{LAST_ROW} {LAST_COLUMN}"}


def _print(content: Content) -> int:
    if content.formula is not None:
        return digest(f"={skeleton(content.formula)}")
    if isinstance(content.value, float) and not isinstance(content.value, bool):
        return digest(plain_number(content.value))
    return digest(str(content.value))


def find_sheets(book: Book, marker: Marker) -> None:
    """Put names into the marker for sheets whose name leads nowhere: they are known by their first cells."""
    memos: Mapping[str, Any] = marker.memo.get("sheets", {})
    present = {sheet.name.casefold(): sheet for sheet in book.sheets() if sheet.kind == "worksheet"}
    lost = [number for number, name in marker.sheets.items() if name.casefold() not in present]
    taken = {name.casefold() for name in marker.sheets.values()}
    texts = Texts(book)
    for number in lost:
        wanted = unpack(memos.get(str(number), {}).get("h"))
        found = next(
            (
                sheet
                for name, sheet in present.items()
                if name not in taken and wanted and _share(_worksheet(book, sheet), texts, wanted) >= _ENOUGH
            ),
            None,
        )
        if found is None:
            del marker.sheets[number]
        else:
            marker.sheets[number] = found.name
            taken.add(found.name.casefold())


def _share(worksheet: Worksheet, texts: Texts, wanted: frozenset[int]) -> float:
    """Return the share of prints that are among a sheet's first cells."""
    found: set[int] = set()
    for row in worksheet.rows():
        found.update(_print(texts.content(cell)) for cell in worksheet.cells(row.inner) if cell.inner)
        if len(found) > 3 * _TOP_CELLS:
            break
    return len(wanted & found) / len(wanted)


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


def _typed(book: Book, sheet: Sheet, memo: Mapping[str, Any], texts: Texts) -> Iterator[Typed]:
    if "e" not in memo:
        # an early version did not remember what it wrote
        return
    worksheet = _worksheet(book, sheet)
    last_row, last_column = (int(word) for word in str(memo["e"]).split())
    inside = Area(1, 1, min(last_row, LAST_ROW), min(max(last_column, 1), LAST_COLUMN))
    written = unpack(memo["v"]) if "v" in memo else None
    for row in worksheet.rows():
        for cell in worksheet.cells(row.inner):
            if not cell.inner or (written is None and inside.covers(row.number, cell.column)):
                continue
            content = texts.content(cell)
            if content != Content(None) and (written is None or _print(content) not in written):
                style = _STYLE.search(cell.attributes)
                yield Typed(row.number, cell.column, *content, int(style[1]) if style else 0)


def _worksheet(book: Book, sheet: Sheet) -> Worksheet:
    return Worksheet(book.package.read(sheet.part), book.package.file, sheet.part)
