"""Telling our cells from the user's by what stands in them, for the user goes on working in a settled workbook.

The marker says where our cells were. Since then the user may have typed over
them, or a program that does not move defined names along may have inserted
rows and columns or renamed a sheet.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any

from prefxl.workbook.package.blocks import Block
from prefxl.workbook.package.book import Book, Place
from prefxl.workbook.package.contents import Texts
from prefxl.workbook.package.coordinates import LAST_COLUMN, LAST_ROW, Area, Covered, rectangles
from prefxl.workbook.package.displaced import begins_with_results, beside_columns, elsewhere
from prefxl.workbook.package.gaps import users_rows
from prefxl.workbook.package.known import Known, Legacy
from prefxl.workbook.package.marker import UNGROUPED, Marker, read_marker
from prefxl.workbook.package.markup import Cell, OddMarkupError, Row
from prefxl.workbook.package.our_sheets import find_sheets
from prefxl.workbook.package.page import Page
from prefxl.workbook.package.prints import digest, pack

# of the headings of a block at least so many must be where they are looked for
_ENOUGH = 0.5


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


class _Recogniser:
    def __init__(self, book: Book, marker: Marker) -> None:
        self._marker = marker
        self._texts = Texts(book)
        sheets = [one for one in book.sheets() if one.kind == "worksheet" and not marker.owns_sheet(one.name)]
        self._pages = {sheet.name.casefold(): Page(book, sheet) for sheet in sheets}
        named = {place.sheet.casefold() for found in marker.columns.values() for place in found}
        self._unnamed = [page for name, page in self._pages.items() if name not in named]
        # by worksheet: where the marker says that our cells are
        self._marked: dict[str, Covered] = {}
        # by the name that the marker knows
        self._new_names: dict[str, Page] = {}
        self._known: dict[int, Known] = {}
        self._headings: dict[int, str] = {}
        # how many cells of each column hold something of ours
        self._count: dict[int, int] = {}
        # in columns that are marked with gaps: the cells that may be ours
        self._likely: dict[int, dict[int, Cell]] = {}

    def run(self) -> None:
        """Find the columns, then look through their cells."""
        self._part_ungrouped()
        memos: dict[str, Any] = self._marker.memo.get("columns", {})
        for group in self._marker.columns:
            memo = memos.get(str(group))
            if isinstance(memo, dict):
                self._known[group] = Known(memo)
            else:
                self._known[group] = Legacy({"t": pack([digest(self._headings.get(group, ""))])})
        marked: dict[str, list[Area]] = {}
        for place in (place for found in self._marker.columns.values() for place in found):
            marked.setdefault(place.sheet.casefold(), []).append(place.area)
        self._marked = {name: Covered(areas) for name, areas in marked.items()}
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

    def _filled(self, page: Page, area: Area) -> tuple[dict[int, str], Counter[int]]:
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
        standing = self._standing(page, block) if page is not None else set()
        if page is not None and len(standing) >= _ENOUGH * len(block):
            self._locate_others(page, block, standing)
            return
        pages = [page] if page is not None else self._renamed(first.sheet.casefold())
        found = [(other, shift) for other in pages if (shift := self._shift(other, block)) is not None]
        if found:
            other, shift = min(found, key=lambda one: abs(one[1][0]) + abs(one[1][1]))
            if other is page and self._has_stayed(page, block, *shift):
                return
            self._new_names[first.sheet.casefold()] = other
            for group in block:
                moved = (_moved(place.area, *shift) for place in self._marker.columns[group])
                self._marker.columns[group] = [Place(other.name, area) for area in moved]
            # the others were deleted, or moved elsewhere: what stands there is the user's
            self._drop(set(block) - self._standing(other, block))
            return
        if page is None:
            self._drop(block)
        else:
            self._locate_others(page, block, standing)

    def _has_stayed(self, page: Page, block: list[int], down: int, right: int) -> bool:
        """Tell whether results are where they were, though headings like theirs are elsewhere.

        These are another block's, the own ones being deleted; or they were sorted in among the results.
        """
        # not each column has a result in every row
        rows = [self._around(group) for group in block] if right == 0 else []
        for group in block:
            first = self._first(group)
            at = first.area.first_row + down, first.area.first_column + right
            among = any(area.has_row(at[0]) for area in rows)
            if not among and not self._marked[page.name.casefold()].covers(*at):
                return False
        columns = {self._first(group).area.first_column: self._known[group] for group in block}
        tell = {column: partial(known.is_result, self._texts) for column, known in columns.items()}
        return begins_with_results(page, self._first(block[0]).area, tell)

    def _renamed(self, name: str) -> list[Page]:
        """Return the worksheets that one which is gone may be by now: none that the marker knows by its own name.

        Those have headings of ours, too, and results of their own below them.
        """
        if name in self._new_names:
            return [self._new_names[name]]
        taken = list(self._new_names.values())
        return [page for page in self._unnamed if page not in taken]

    def _locate_others(self, page: Page, block: list[int], standing: set[int]) -> None:
        """Find columns whose heading has moved to the left or right; one that another has come upon is gone."""
        others = {self._first(group).area.first_column: group for group in block if group not in standing}
        kept = {self._first(group).area.first_column for group in standing}
        wanted = {column: self._known[group].heading for column, group in others.items()}
        there = self._texts_in(page, self._first(block[0]).area.first_row) if wanted else {}
        moved = beside_columns(wanted, there, kept)
        for column, group in others.items():
            if column in moved:
                areas = [_moved(place.area, 0, moved[column] - column) for place in self._marker.columns[group]]
                self._marker.columns[group] = [Place(page.name, area) for area in areas]
            elif column in moved.values():
                self._drop([group])

    def _texts_in(self, page: Page, number: int) -> dict[int, int]:
        """Return the fingerprints of the texts in a row, by column."""
        for row in page.rows():
            if row.number == number:
                cells = ((cell.column, self._texts.content(cell).value) for cell in page.cells(row) if cell.inner)
                return {column: digest(text) for column, text in cells if isinstance(text, str)}
        return {}

    def _drop(self, groups: Iterable[int]) -> None:
        for group in groups:
            del self._marker.columns[group]

    def _first(self, group: int) -> Place:
        return self._marker.columns[group][0]

    def _standing(self, page: Page, block: list[int]) -> set[int]:
        """Return those of a block's columns whose headings are where they are looked for."""
        wanted = {self._first(group).area.first_column: group for group in block}
        number = self._first(block[0]).area.first_row
        for row in page.rows():
            if row.number >= number:
                cells = [cell for cell in page.cells(row) if cell.column in wanted and cell.inner]
                texts = {wanted[cell.column]: self._texts.content(cell).value for cell in cells if row.number == number}
                # not any text of the column's: it may be the heading of another form that has moved here
                return {group for group, text in texts.items() if self._is_heading(text, group)}
        return set()

    def _is_heading(self, text: object, group: int) -> bool:
        return isinstance(text, str) and digest(text) == self._known[group].heading

    def _shift(self, page: Page, block: list[int]) -> tuple[int, int] | None:
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

    def _look_through(self, page: Page, groups: list[int]) -> None:
        try:
            foreign = self._foreign(page, groups)
        except OddMarkupError:
            page.normalise()
            foreign = self._foreign(page, groups)
        if self._gather(page, groups):
            foreign = self._foreign(page, groups)
        if foreign:
            self._marker.foreign[page.name.casefold()] = foreign

    def _gather(self, page: Page, groups: list[int]) -> bool:
        """Take in results that were moved to rows outside our areas; tell whether there were any.

        A program that inserts or deletes rows and moves no names along leaves as many of our cells without
        a result as there are results outside of them: more than are missing were never ours.
        """
        memos: dict[str, Any] = self._marker.memo.get("columns", {})
        missing = {
            group: sum(place.area.last_row - place.area.first_row + 1 for place in self._marker.columns[group])
            - self._count[group]
            for group in groups
            if self._known[group].is_certain and not memos[str(group)].get("g")
        }
        columns = {self._first(group).area.first_column: group for group, count in missing.items() if count}
        if not columns:
            return False
        around = {column: self._around(group) for column, group in columns.items()}
        ours = Covered(place.area for group in groups for place in self._marker.columns[group])
        tell = {column: partial(self._known[group].is_ours, self._texts) for column, group in columns.items()}
        gathered = False
        for column, rows in elsewhere(page, around, ours, tell).items():
            group = columns[column]
            if len(rows) <= missing[group]:
                more = rectangles((row, column) for row in rows)
                self._marker.columns[group] += [Place(page.name, area) for area in more]
                # what is blank in the others may be a row of the user's by now
                memos[str(group)] = {**memos[str(group)], "g": 1}
                gathered = True
        return gathered

    def _around(self, group: int) -> Area:
        """Return the area around the cells of a column."""
        whole = self._first(group).area
        for place in self._marker.columns[group]:
            whole = whole.joined(place.area)
        return whole

    def _foreign(self, page: Page, groups: list[int]) -> dict[tuple[int, int], str]:
        """Return the cells among ours that hold something of the user's, and what."""
        areas = sorted(
            ((place.area, group) for group in groups for place in self._marker.columns[group]),
            key=lambda item: item[0].first_row,
            reverse=True,
        )
        foreign: dict[tuple[int, int], str] = {}
        self._count.update(dict.fromkeys(groups, 0))
        memos: dict[str, Any] = self._marker.memo.get("columns", {})
        gaps = {group: memos.get(str(group), {}).get("g") for group in groups}
        self._likely = {group: {} for group, packed in gaps.items() if isinstance(packed, str)}
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
        for group, likely in self._likely.items():
            column = self._first(group).area.first_column
            for line in users_rows(gaps[group], [place.area for place in self._marker.columns[group]], sorted(likely)):
                foreign[line, column] = self._texts.content(likely[line]).shown
        return dict(sorted(foreign.items()))

    def _strange(
        self, page: Page, block: Block, here: list[tuple[Area, int]], foreign: dict[tuple[int, int], str]
    ) -> None:
        """Find what is not ours in rows that are all in the same areas."""
        columns = {area.first_column: group for area, group in here}
        usual = page.from_column(block, min(columns)) if columns else b""
        for column, group in columns.items() if usual else ():
            found = page.filled(usual, column)
            strange = self._known[group].strange(self._texts, {(type_, inner) for _, type_, inner in found})
            self._count[group] += len(found)
            if group in self._likely:
                self._likely[group].update(
                    (int(row), Cell(column, kind, inner, b"", b"")) for row, kind, inner in found
                )
            for row, *content in found if strange else ():
                if (shown := strange.get((content[0], content[1]))) is not None:
                    foreign[int(row), column] = shown
                    self._likely.get(group, {}).pop(int(row), None)
                    self._count[group] -= 1
        for at, kind in enumerate(block.kinds):
            if kind is None:
                self._strange_in(page, page.row(block, at), here, foreign)

    def _strange_in(
        self, page: Page, row: Row, here: list[tuple[Area, int]], foreign: dict[tuple[int, int], str]
    ) -> None:
        """Find what is not ours in one row."""
        columns = {area.first_column: group for area, group in here}
        for cell in page.cells(row, min(columns), max(columns)) if columns else ():
            group = columns.get(cell.column)
            if group is None or not cell.inner:
                continue
            if self._known[group].is_ours(self._texts, cell):
                self._count[group] += 1
                if group in self._likely:
                    self._likely[group][row.number] = cell
            else:
                foreign[row.number, cell.column] = self._texts.content(cell).shown

    def _went_on(
        self, page: Page, row: Row, ended: list[tuple[Area, int]], here: list[tuple[Area, int]]
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
