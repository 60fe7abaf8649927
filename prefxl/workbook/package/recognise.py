"""Telling our cells from the user's by what stands in them, for the user goes on working in a settled workbook.

The marker says where our cells were. Since then the user may have typed over
them, or a program that does not move defined names along may have inserted
rows and columns or renamed a sheet.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from prefxl.workbook.package.blocks import Block
from prefxl.workbook.package.book import Book, Place, Sheet
from prefxl.workbook.package.contents import Content, Texts
from prefxl.workbook.package.coordinates import LAST_COLUMN, LAST_ROW, Area, column_letters
from prefxl.workbook.package.marker import UNGROUPED, Marker, read_marker
from prefxl.workbook.package.markup import Cell, OddMarkupError, Row
from prefxl.workbook.package.our_sheets import find_sheets
from prefxl.workbook.package.prints import digest, pack, plain_number, skeleton, unpack
from prefxl.workbook.package.worksheet import Worksheet

# of the headings of a block at least so many must be where they are looked for
_ENOUGH = 0.5


class Known:
    """What the cells of one column of ours are known by."""

    def __init__(self, memo: dict[str, Any]) -> None:
        self.heading = memo.get("h")
        self._texts = unpack(memo.get("t"))
        self._any_number = "v" not in memo
        self._numbers = frozenset(str(memo.get("v", "")).split())
        self._formulas = frozenset(memo.get("f", ()))
        self._seen: dict[tuple[bytes, bytes], bool] = {}

    def is_ours(self, texts: Texts, cell: Cell) -> bool:
        """Tell whether a cell holds what we wrote into this column, or nothing."""
        if not cell.inner:
            return True
        kind = cell.attributes.partition(b" t=")[2]
        answer = self._seen.get((kind, cell.inner))
        if answer is None:
            answer = self._seen[kind, cell.inner] = self.wrote(texts.content(cell))
        return answer

    def wrote(self, content: Content) -> bool:
        """Tell whether we wrote such a value."""
        value = content.value
        if content.formula is not None:
            return bool(self._formulas) and (not content.formula or skeleton(content.formula) in self._formulas)
        if isinstance(value, str | bool):
            return digest(str(value)) in self._texts
        if isinstance(value, float):
            return self._any_number or plain_number(value) in self._numbers
        return value is None


class _Legacy(Known):
    """A column an early version marked, without fingerprints: its heading is ours, and any number and formula."""

    def wrote(self, content: Content) -> bool:
        """Tell whether we may have written such a value."""
        return content.formula is not None or super().wrote(content)


def read_ours(book: Book) -> Marker:
    """Read what an earlier run placed, and find again what has been moved, renamed or typed over since."""
    marker = read_marker(book)
    find_sheets(book, marker)
    return recognise(book, marker)


def recognise(book: Book, marker: Marker) -> Marker:
    """Complete a marker just read: where our cells are now, and what of the user's is among them."""
    if marker.columns:
        _Recogniser(book, marker).run()
    return marker


class _Page:
    """A worksheet of the user's."""

    def __init__(self, book: Book, sheet: Sheet) -> None:
        self.name = sheet.name
        self._worksheet = Worksheet(book.package.read(sheet.part), book.package.file, sheet.part)
        self._opening = b"<" + self._worksheet.prefix + b"c"

    def rows(self) -> Iterator[Row]:
        """Yield the rows."""
        return self._worksheet.rows()

    def blocks(self) -> Iterator[Block]:
        """Yield the rows, many at a time."""
        return self._worksheet.blocks()

    def normalise(self) -> None:
        """Write the rows anew, see :meth:`Worksheet.normalise`."""
        self._worksheet.normalise()

    def row(self, block: Block, at: int) -> Row:
        """Return one of the rows of a block."""
        raw = block.rows[at]
        return self._worksheet.row(block.numbers[at], raw if block.kinds[at] is None else raw + self._worksheet.row_end)

    def filled(self, rows: bytes, column: int) -> list[tuple[bytes, bytes, bytes]]:
        """Return row, type (as an attribute) and content of the filled cells of a column in usual rows."""
        prefix, letters = re.escape(self._worksheet.prefix), column_letters(column).encode()
        cell = rb'<%sc r="%s(\d+)"(?: s="\d+")?((?: t="\w+")?)(?: s="\d+")?>(?!</)(.+?)</%sc>'
        return re.findall(cell % (prefix, letters, prefix), rows, re.DOTALL)

    def cells(self, row: Row, first: int = 1, last: int = LAST_COLUMN) -> Iterator[Cell]:
        """Yield the cells of a row between two columns."""
        inner = row.inner
        # our cells are a row's last ones as a rule
        start = inner.find(self._opening + b' r="%s%d"' % (column_letters(first).encode(), row.number))
        for cell in self._worksheet.cells(inner[max(start, 0) :]):
            if cell.column > last:
                return
            if cell.column >= first:
                yield cell


class _Recogniser:
    def __init__(self, book: Book, marker: Marker) -> None:
        self._marker = marker
        self._texts = Texts(book)
        sheets = [one for one in book.sheets() if one.kind == "worksheet" and not marker.owns_sheet(one.name)]
        self._pages = {sheet.name.casefold(): _Page(book, sheet) for sheet in sheets}
        self._known: dict[int, Known] = {}
        self._headings: dict[int, str] = {}

    def run(self) -> None:
        """Find the columns, then look through their cells."""
        self._part_ungrouped()
        memos: dict[str, Any] = self._marker.memo.get("columns", {})
        for group in self._marker.columns:
            memo = memos.get(str(group))
            if isinstance(memo, dict):
                self._known[group] = Known(memo)
            else:
                self._known[group] = _Legacy({"t": pack([digest(self._headings.get(group, ""))])})
        for block in self._blocks():
            self._locate(block)
        for name, page in self._pages.items():
            groups = [group for group, found in self._marker.columns.items() if found[0].sheet.casefold() == name]
            if groups:
                self._look_through(page, groups)

    # -- an early version's marks

    def _part_ungrouped(self) -> None:
        """Part areas into columns; one without a number below its heading is the user's."""
        for place in self._marker.columns.pop(UNGROUPED, []):
            page, area = self._pages.get(place.sheet.casefold()), place.area
            headings, filled = ({}, Counter[int]()) if page is None else self._filled(page, area)
            for column in area.columns:
                if filled[column] or area.first_row == area.last_row:
                    number = -len(self._marker.columns) - 1
                    part = area._replace(first_column=column, last_column=column)
                    self._marker.columns[number] = [Place(place.sheet, part)]
                    self._headings[number] = headings.get(column, "")

    def _filled(self, page: _Page, area: Area) -> tuple[dict[int, str], Counter[int]]:
        """Return the texts in an area's first row, and how many numbers stand below them, by column."""
        headings: dict[int, str] = {}
        filled: Counter[int] = Counter()
        for row in page.rows():
            for cell in page.cells(row, area.first_column, area.last_column) if area.has_row(row.number) else ():
                content = self._texts.content(cell)
                if row.number > area.first_row:
                    filled[cell.column] += isinstance(content.value, float) or content.formula is not None
                elif isinstance(content.value, str):
                    headings[cell.column] = content.value
        return headings, filled

    # -- where the columns are

    def _blocks(self) -> Iterable[list[int]]:
        """Return the groups whose headings stand in one row."""
        blocks: dict[tuple[str, int], list[int]] = {}
        for group, found in list(self._marker.columns.items()):
            if not found:
                # every cell of it was deleted
                del self._marker.columns[group]
            elif self._known[group].heading is not None:
                first = found[0]
                blocks.setdefault((first.sheet.casefold(), first.area.first_row), []).append(group)
        return blocks.values()

    def _locate(self, block: list[int]) -> None:
        first = self._first(block[0])
        page = self._pages.get(first.sheet.casefold())
        if page is not None and len(self._standing(page, block)) >= _ENOUGH * len(block):
            return
        for other in [page] if page is not None else self._pages.values():
            shift = self._shift(other, block)
            if shift is not None:
                for group in block:
                    moved = (_moved(place.area, *shift) for place in self._marker.columns[group])
                    self._marker.columns[group] = [Place(other.name, area) for area in moved]
                # the others were deleted, or moved elsewhere: what stands there is the user's
                self._drop(set(block) - self._standing(other, block))
                return
        if page is None:
            self._drop(block)

    def _drop(self, groups: Iterable[int]) -> None:
        for group in groups:
            del self._marker.columns[group]

    def _first(self, group: int) -> Place:
        return self._marker.columns[group][0]

    def _standing(self, page: _Page, block: list[int]) -> set[int]:
        """Return those of a block's columns whose headings are where they are looked for."""
        wanted = {self._first(group).area.first_column: group for group in block}
        number = self._first(block[0]).area.first_row
        for row in page.rows():
            if row.number >= number:
                cells = [cell for cell in page.cells(row) if cell.column in wanted and cell.inner]
                groups = ((wanted[cell.column], cell) for cell in cells if row.number == number)
                return {group for group, cell in groups if self._known[group].is_ours(self._texts, cell)}
        return set()

    def _shift(self, page: _Page, block: list[int]) -> tuple[int, int] | None:
        """Return by how many rows and columns the headings have moved, None if they are not there."""
        wanted: dict[int, list[Area]] = {}
        for group in block:
            wanted.setdefault(self._known[group].heading or 0, []).append(self._first(group).area)
        votes: Counter[tuple[int, int]] = Counter()
        for row in page.rows():
            for cell in page.cells(row):
                value = self._texts.content(cell).value if b" t=" in cell.attributes else None
                for area in wanted.get(digest(value), ()) if isinstance(value, str) else ():
                    votes[row.number - area.first_row, cell.column - area.first_column] += 1
        if not votes:
            return None
        shift, count = max(votes.items(), key=lambda item: (item[1], -abs(item[0][0]) - abs(item[0][1])))
        return shift if count >= _ENOUGH * len(block) else None

    # -- what stands in them

    def _look_through(self, page: _Page, groups: list[int]) -> None:
        try:
            foreign = self._foreign(page, groups)
        except OddMarkupError:
            page.normalise()
            foreign = self._foreign(page, groups)
        if foreign:
            self._marker.foreign[page.name.casefold()] = foreign

    def _foreign(self, page: _Page, groups: list[int]) -> dict[tuple[int, int], str]:
        """Return the cells among ours that hold something of the user's, and what."""
        areas = sorted(
            ((place.area, group) for group in groups for place in self._marker.columns[group]),
            key=lambda item: item[0].first_row,
            reverse=True,
        )
        foreign: dict[tuple[int, int], str] = {}
        here: list[tuple[Area, int]] = []
        # the next row in which it is others of them
        until = 0
        for block in page.blocks():
            at = 0
            while at < len(block.numbers):
                if block.numbers[at] < until:
                    stop = bisect_left(block.numbers, until, at)
                    self._strange(page, Block(*(part[at:stop] for part in block)), here, foreign)  # type: ignore[arg-type]
                    at = stop
                    continue
                row = page.row(block, at)
                while areas and areas[-1][0].first_row <= row.number:
                    here.append(areas.pop())
                ended = [item for item in here if item[0].last_row < row.number]
                if ended:
                    here = [item for item in here if item[0].last_row >= row.number]
                    ended = [item for item in ended if item[0].last_row == row.number - 1]
                    here += self._went_on(page, row, ended, here)
                self._strange_in(page, row, here, foreign)
                changes = [area.last_row + 1 for area, _ in here] + [area.first_row for area, _ in areas[-1:]]
                until = min(changes, default=LAST_ROW + 1)
                at += 1
        return dict(sorted(foreign.items()))

    def _strange(
        self, page: _Page, block: Block, here: list[tuple[Area, int]], foreign: dict[tuple[int, int], str]
    ) -> None:
        """Find what is not ours in rows that are all in the same areas."""
        usual = b"".join(row for row, kind in zip(block.rows, block.kinds, strict=True) if kind is not None)
        for column, group in {area.first_column: group for area, group in here if usual}.items():
            found = page.filled(usual, column)
            strange = {
                content: self._texts.content(cell).shown
                for content in {(type_, inner) for _, type_, inner in found}
                if not self._known[group].is_ours(self._texts, cell := Cell(column, *content, b"", b""))
            }
            for row, *content in found if strange else ():
                if (shown := strange.get((content[0], content[1]))) is not None:
                    foreign[int(row), column] = shown
        for at, kind in enumerate(block.kinds):
            if kind is None:
                self._strange_in(page, page.row(block, at), here, foreign)

    def _strange_in(
        self, page: _Page, row: Row, here: list[tuple[Area, int]], foreign: dict[tuple[int, int], str]
    ) -> None:
        """Find what is not ours in one row."""
        columns = {area.first_column: group for area, group in here}
        for cell in page.cells(row, min(columns), max(columns)) if columns else ():
            group = columns.get(cell.column)
            if group is not None and not self._known[group].is_ours(self._texts, cell):
                foreign[row.number, cell.column] = self._texts.content(cell).shown

    def _went_on(
        self, page: _Page, row: Row, ended: list[tuple[Area, int]], here: list[tuple[Area, int]]
    ) -> list[tuple[Area, int]]:
        """Return the areas that reach one row further than the marker says, all of their cells there being ours."""
        columns = {area.first_column: (area, group) for area, group in ended}
        for area, _ in here:
            columns.pop(area.first_column, None)
        if not columns:
            return []
        cells = [cell for cell in page.cells(row, min(columns), max(columns)) if cell.column in columns and cell.inner]
        ours = [cell for cell in cells if self._known[columns[cell.column][1]].is_ours(self._texts, cell)]
        if len(cells) < 2 or len(ours) < len(cells):
            return []
        longer = []
        for area, group in columns.values():
            places = self._marker.columns[group]
            at = next(index for index, place in enumerate(places) if place.area == area)
            grown = area._replace(last_row=row.number)
            places[at] = Place(page.name, grown)
            longer.append((grown, group))
        return longer


def _moved(area: Area, down: int, right: int) -> Area:
    rows = (min(max(row + down, 1), LAST_ROW) for row in (area.first_row, area.last_row))
    columns = (min(max(column + right, 1), LAST_COLUMN) for column in (area.first_column, area.last_column))
    (first_row, last_row), (first_column, last_column) = rows, columns
    return Area(first_row, first_column, last_row, last_column)
