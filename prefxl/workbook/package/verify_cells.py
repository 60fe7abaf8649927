"""Comparing the cells of a worksheet before and after, as bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from prefxl.workbook.package.blocks import Kind, all_without_spans
from prefxl.workbook.package.book import Book, Sheet
from prefxl.workbook.package.coordinates import Area, AreaRows, Covered, column_letters, column_number, reference
from prefxl.workbook.package.marker import Marker
from prefxl.workbook.package.markup import STYLE, Cell, OddMarkupError, Row, style_of
from prefxl.workbook.package.stream import AnySheet, streamed, whole
from prefxl.workbook.package.styles import key

_NAME = re.compile(rb'\sr="[^"]*"')
_SPANS = re.compile(rb'\s(?:spans|r)="[^"]*"')
_CELL_NAMES = re.compile(rb'<(?:[\w.-]+:)?c r="([A-Z]+)(\d+)"')
_ROW_OF_NAME = re.compile(rb'\sr="[A-Z]+(\d+)"')
# what of a worksheet may differ around its rows
_FRAME = ("dimension", "cols", "legacyDrawing", "sheetData")

Side = tuple[Book, Sheet, Marker]


def compare_cells(before: Side, after: Side, fail: Callable[[str, str], None]) -> None:
    """Make sure that every cell of the user's has its value, and every new cell is marked as ours.

    Parameters
    ----------
    before, after
        Workbook, worksheet and marker of source and result.
    fail
        Is called with the first difference, in English and in Russian.
    """
    sources = [(book.package, sheet.part) for book, sheet, _ in (before, after)]
    try:
        with streamed(*sources[0]) as old, streamed(*sources[1]) as new:
            _Sheets(before, after, (old, new), fail).run()
    except OddMarkupError:
        _Sheets(before, after, (whole(*sources[0]), whole(*sources[1])), fail).run()


class _Rows:
    """The rows of a worksheet, and how far they have been compared."""

    def __init__(self, sheet: AnySheet) -> None:
        self._sheet = sheet
        self._blocks = sheet.blocks()
        self.numbers: list[int] = []
        self.rows: list[bytes] = []
        self.kinds: list[Kind | None] = []

    def ready(self) -> bool:
        """Tell whether there is another row."""
        while not self.numbers:
            block = next(self._blocks, None)
            if block is None:
                return False
            self.numbers, self.rows, self.kinds = block
        return True

    def read(self, at: int) -> Row:
        """Return one of the rows that are ready."""
        raw = self.rows[at]
        return self._sheet.row(self.numbers[at], raw if self.kinds[at] is None else raw + self._sheet.row_end)

    def skip(self, count: int) -> None:
        """Pass over rows."""
        del self.numbers[:count], self.rows[:count], self.kinds[:count]


class _Sheets:
    def __init__(
        self, before: Side, after: Side, sheets: tuple[AnySheet, AnySheet], fail: Callable[[str, str], None]
    ) -> None:
        self._name = before[1].name
        self._fail = fail
        self._before, self._after = sheets
        self._old, self._new = AreaRows(_areas(before)), AreaRows(_areas(after))
        # looks an earlier run changed, and looks this one changed
        self._looks_old, self._looks_new = AreaRows(_looks(before)), AreaRows(_looks(after))
        # what the user has typed over ours is theirs
        self._foreign = before[2].foreign_on(self._name)
        self._foreign_rows = {row for row, _ in self._foreign}
        self._special_rows = self._foreign_rows | {
            row for area in _looks(before) for row in range(area.first_row, area.last_row + 1)
        }
        self._was_ours, self._is_ours = Covered(_areas(before)), Covered([*_areas(after), *_looks(after)])
        self._names = re.compile(rb"<%sc r=\"[A-Z]+(\d+)\"" % re.escape(self._after.prefix))

    def run(self) -> None:
        before, after = _Rows(self._before), _Rows(self._after)
        while before.ready() and after.ready():
            together = _same_start(before.numbers, after.numbers)
            if together:
                self._rows(before, after, together)
            elif before.numbers[0] < after.numbers[0]:
                self._row(before.read(0), None)
                before.skip(1)
            else:
                self._row(None, after.read(0))
                after.skip(1)
        while before.ready():
            self._row(before.read(0), None)
            before.skip(1)
        while after.ready():
            self._row(None, after.read(0))
            after.skip(1)
        # what stands around the rows is known when they have been read
        self._frames()

    def _frames(self) -> None:
        old, new = self._before.frame(), self._after.frame()
        for root in (old, new):
            for child in list(root):
                if isinstance(child.tag, str) and child.tag.rsplit("}", 1)[-1] in _FRAME:
                    root.remove(child)
        if key(old) != key(new):
            self._fail(
                f"{self._name}: something around the cells has changed",
                f"лист {self._name}: изменилось что-то вокруг ячеек",
            )

    # -- many rows at once

    def _rows(self, before: _Rows, after: _Rows, count: int) -> None:
        """Compare rows of the same numbers."""
        groups: dict[tuple[Kind, Kind], list[int]] = {}
        doubtful: list[int] = []
        for at, kind, new_kind in zip(range(count), before.kinds, after.kinds, strict=False):
            if kind is None or new_kind is None or before.numbers[at] in self._special_rows:
                doubtful.append(at)
            else:
                groups.setdefault((kind, new_kind), []).append(at)
        for kinds, places in groups.items():
            doubtful += self._not_just_added(before, after, kinds, places)
        for at in sorted(doubtful):
            self._row(before.read(at), after.read(at))
        before.skip(count)
        after.skip(count)

    def _not_just_added(
        self, before: _Rows, after: _Rows, kinds: tuple[Kind, Kind], places: list[int]
    ) -> Iterable[int]:
        """Return those of rows of one kind where something else differs than cells of ours behind the user's."""
        kind, new_kind = kinds
        numbers = [before.numbers[at] for at in places]
        kept = len(kind.columns)
        while kept and self._was_ours.covers_all(numbers, kind.columns[kept - 1]):
            kept -= 1
        added = new_kind.columns[kept:]
        if kind.columns[:kept] != new_kind.columns[:kept] or not all(
            self._is_ours.covers_all(numbers, column) for column in added
        ):
            return places
        olds = [before.rows[at] for at in places]
        if kind.has_spans and not new_kind.has_spans:
            olds = all_without_spans(olds, [kind] * len(olds))
        if kept < len(kind.columns):
            start = b'<%sc r="%s' % (self._before.prefix, column_letters(kind.columns[kept]).encode())
            olds = [old[: old.index(b'%s%d"' % (start, number))] for old, number in zip(olds, numbers, strict=True)]
        news = [after.rows[at] for at in places]
        more = b"".join([new[len(old) :] for new, old in zip(news, olds, strict=True)])
        texts = [b"%d" % number for number in numbers]
        if self._names.findall(more) != [text for text in texts for _ in added]:
            return places
        return [at for at, new, old in zip(places, news, olds, strict=True) if not new.startswith(old)]

    # -- one row

    def _row(self, old: Row | None, new: Row | None) -> None:
        if old is not None and new is not None:
            if old.raw == new.raw:
                return
            if old.attributes != new.attributes and _look(old) != _look(new):
                self._fail(
                    f"{self._name}: the look of row {old.number} has changed",
                    f"лист {self._name}: изменился вид строки {old.number}",
                )
            if new.inner.startswith(old.inner) and old.number not in self._old and old.number not in self._looks_old:
                start, last = self._before.last_cell(old.inner)
                if start >= 0:
                    self._only_ours(new.number, last, new.inner[len(old.inner) :])
                    return
            if old.number not in self._looks_old and self._replaced(old, new):
                return
        self._cell_by_cell(old, new)

    def _replaced(self, old: Row, new: Row) -> bool:
        """Tell whether all that differs is that cells of ours at the row's end are others now."""
        mine = self._old.at(old.number)
        if not mine or old.number in self._foreign_rows:
            return False
        parted = self._before.split_at(old.number, min(area.first_column for area in mine), old.inner)
        if parted is None or not new.inner.startswith(parted[0]):
            return False
        if not all(self._old.covers(old.number, cell.column) for cell in parted[1]):
            return False
        start, last = self._before.last_cell(parted[0])
        if start >= 0:
            self._only_ours(new.number, last, new.inner[len(parted[0]) :])
        return start >= 0

    def _only_ours(self, row: int, last: int, added: bytes) -> None:
        mine = [*self._new.at(row), *self._looks_new.at(row)]
        for letters, number in _CELL_NAMES.findall(added):
            column = column_number(letters.decode("ascii"))
            self._is_of_row(row, column, number)
            if column <= last:
                self._fail(
                    f"{self._name}!{reference(row, column)} is there twice",
                    f"{self._name}!{reference(row, column)} записана дважды",
                )
            last = column
            if not any(area.first_column <= column <= area.last_column for area in mine):
                self._fail(
                    f"{self._name}!{reference(row, column)} is new and not ours",
                    f"{self._name}!{reference(row, column)} появилась и не наша",
                )

    def _is_of_row(self, row: int, column: int, number: bytes) -> None:
        if int(number) != row:
            self._fail(
                f"{self._name}!{reference(row, column)} is called as if it stood in row {int(number)}",
                f"{self._name}!{reference(row, column)} названа так, будто стоит в строке {int(number)}",
            )

    def _cell_by_cell(self, old: Row | None, new: Row | None) -> None:
        number = old.number if old is not None else new.number if new is not None else 0
        before = {cell.column: cell for cell in self._before.cells(old.inner)} if old is not None else {}
        present = list(self._after.cells(new.inner)) if new is not None else []
        after = {cell.column: cell for cell in present}
        if list(after) != sorted(after) or len(after) != len(present):
            self._fail(
                f"{self._name}: the cells of row {number} are not in order",
                f"лист {self._name}: ячейки строки {number} не по порядку",
            )
        for column, cell in before.items():
            self._one(number, column, cell, after.get(column))
        for column, cell in after.items():
            known = column in before or self._new.covers(number, column) or self._looks_new.covers(number, column)
            if not known and (cell.inner or not self._looks_old.covers(number, column)):
                self._fail(
                    f"{self._name}!{reference(number, column)} is new and not ours",
                    f"{self._name}!{reference(number, column)} появилась и не наша",
                )
            if column not in before and (match := _ROW_OF_NAME.search(cell.attributes)):
                self._is_of_row(number, column, match[1])

    def _one(self, row: int, column: int, old: Cell, new: Cell | None) -> None:
        where = f"{self._name}!{reference(row, column)}"
        mine = self._old.covers(row, column) and (row, column) not in self._foreign
        looked = self._looks_old.covers(row, column) or self._looks_new.covers(row, column)
        if mine or (self._new.covers(row, column) and not old.inner.strip()):
            return
        if new is None:
            if old.inner.strip() or not looked:
                self._fail(f"{where} is gone", f"{where} пропала")
            return
        if old.inner != new.inner or _rest(old.attributes) != _rest(new.attributes):
            self._fail(f"{where} has changed", f"{where} изменилась")
        if not looked and style_of(old.attributes) != style_of(new.attributes):
            self._fail(f"{where} looks different", f"{where} выглядит иначе")


def _same_start(before: list[int], after: list[int]) -> int:
    """Return how many of the first rows have the same numbers."""
    count = min(len(before), len(after))
    if before[:count] == after[:count]:
        return count
    return next(at for at in range(count) if before[at] != after[at])


def _look(row: Row) -> bytes:
    return _SPANS.sub(b"", row.attributes).strip()


def _areas(side: Side) -> list[Area]:
    return side[2].areas(side[1].name)


def _looks(side: Side) -> list[Area]:
    name = side[1].name.casefold()
    return [place.area for found in side[2].looks.values() for place in found if place.sheet.casefold() == name]


def _rest(attributes: bytes) -> list[bytes]:
    # a number is what a cell holds that does not say what it holds
    return sorted(word for word in _NAME.sub(b"", STYLE.sub(b"", attributes)).split() if word != b't="n"')
