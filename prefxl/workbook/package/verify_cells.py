"""Comparing the cells of a worksheet before and after, as bytes."""

from __future__ import annotations

import re
from collections.abc import Callable

from prefxl.workbook.package.book import Book, Sheet
from prefxl.workbook.package.coordinates import Area, AreaRows, column_number, reference
from prefxl.workbook.package.marker import Marker
from prefxl.workbook.package.markup import Cell, Row
from prefxl.workbook.package.styles import key
from prefxl.workbook.package.worksheet import Worksheet

_STYLE = re.compile(rb'\ss="(\d+)"')
_NAME = re.compile(rb'\sr="[^"]*"')
_SPANS = re.compile(rb'\s(?:spans|r)="[^"]*"')
_CELL_NAMES = re.compile(rb'<(?:[\w.-]+:)?c r="([A-Z]+)\d+"')
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
    _Sheets(before, after, fail).run()


class _Sheets:
    def __init__(self, before: Side, after: Side, fail: Callable[[str, str], None]) -> None:
        self._name = before[1].name
        self._fail = fail
        self._before, self._after = _worksheet(before), _worksheet(after)
        self._old, self._new = AreaRows(_areas(before)), AreaRows(_areas(after))
        # looks an earlier run changed, and looks this one changed
        self._looks_old, self._looks_new = AreaRows(_looks(before)), AreaRows(_looks(after))
        # what the user has typed over ours is theirs
        self._foreign = before[2].foreign_on(self._name)
        self._foreign_rows = {row for row, _ in self._foreign}

    def run(self) -> None:
        self._frames()
        after = self._after.rows()
        new = next(after, None)
        for old in self._before.rows():
            while new is not None and new.number < old.number:
                self._row(None, new)
                new = next(after, None)
            if new is not None and new.number == old.number:
                self._row(old, new)
                new = next(after, None)
            else:
                self._row(old, None)
        while new is not None:
            self._row(None, new)
            new = next(after, None)

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
        for letters in _CELL_NAMES.findall(added):
            column = column_number(letters.decode("ascii"))
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
        if not looked and _style(old.attributes) != _style(new.attributes):
            self._fail(f"{where} looks different", f"{where} выглядит иначе")


def _look(row: Row) -> bytes:
    return _SPANS.sub(b"", row.attributes).strip()


def _worksheet(side: Side) -> Worksheet:
    book, sheet, _ = side
    return Worksheet(book.package.read(sheet.part), book.package.file, sheet.part)


def _areas(side: Side) -> list[Area]:
    return side[2].areas(side[1].name)


def _looks(side: Side) -> list[Area]:
    name = side[1].name.casefold()
    return [place.area for found in side[2].looks.values() for place in found if place.sheet.casefold() == name]


def _rest(attributes: bytes) -> list[bytes]:
    return sorted(_NAME.sub(b"", _STYLE.sub(b"", attributes)).split())


def _style(attributes: bytes) -> bytes:
    match = _STYLE.search(attributes)
    return match[1] if match else b"0"
