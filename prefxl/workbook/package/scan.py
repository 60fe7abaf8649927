"""Looking through a workbook without changing anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from prefxl.workbook.package.book import Book, Sheet, open_archive
from prefxl.workbook.package.coordinates import Area, AreaRows, Covered, column_number, parse_area
from prefxl.workbook.package.fed import Fed, names_of
from prefxl.workbook.package.inspection import (
    Inspection,
    Kind,
    Obstacle,
    RowRun,
    SheetInspection,
    Visibility,
    merge_runs,
)
from prefxl.workbook.package.marker import Marker
from prefxl.workbook.package.notes import our_notes
from prefxl.workbook.package.obstacles import frozen, hidden_columns, is_protected, obstacles, rules
from prefxl.workbook.package.our_sheets import our_sheets
from prefxl.workbook.package.parts import Package
from prefxl.workbook.package.recognise import read_ours
from prefxl.workbook.package.tables import beside_ours
from prefxl.workbook.package.worksheet import Row, Worksheet

_ARRAY = re.compile(rb'<(?:[\w.-]+:)?f(?=[^<>]*\st="(?:array|dataTable)")[^<>]*\sref="([A-Z0-9:]+)"')


def inspect(path: Path) -> Inspection:
    """Tell what is in a workbook and where there is room.

    What an earlier run of ours placed does not count as being there; it is
    told apart in ``ours`` and ``our_sheets``.

    Parameters
    ----------
    path
        An ``.xlsx`` or ``.xlsm``.

    Raises
    ------
    WorkbookRefusedError
        If the workbook is of a kind that is not annotated; ``refusal`` tells which.
    FileError
        If it is missing or may not be read.
    """
    with open_archive(path) as archive:
        package = Package(archive)
        book = Book(package)
        marker = read_ours(book)
        sheets = [sheet for sheet in book.sheets() if sheet.kind == "worksheet"]
        kinds = {item.kind for item in package.relations(book.part)}
        fed = Fed(names_of(book))
        looks = tuple(_inspected(package, item, marker, fed) for item in sheets if not marker.owns_sheet(item.name))
        for look in looks:
            look.reads = fed.areas(look.name)
        macros = package.related(book.part, "vbaProject")
        return Inspection(
            path=path,
            sheets=looks,
            our_sheets=our_sheets(book, marker),
            structure_locked=book.structure_locked,
            macros=bool(macros) or "vbaProject" in kinds,
            macros_signed=any("Signature" in item.kind for name in macros for item in package.relations(name)),
            date1904=book.date1904,
        )


def _inspected(package: Package, sheet: Sheet, marker: Marker, fed: Fed) -> SheetInspection:
    worksheet = Worksheet(package.read(sheet.part), package.file, sheet.part)
    root = worksheet.frame()
    ours = marker.areas(sheet.name)
    scanner = _Scanner(worksheet, sheet.name, ours, fed)
    runs = merge_runs(scanner.runs())
    return SheetInspection(
        name=sheet.name,
        part=sheet.part,
        visibility=Visibility(sheet.state) if sheet.state in _STATES else Visibility.VISIBLE,
        runs=runs,
        obstacles=[*_obstacles(package, sheet, root, marker), *scanner.arrays],
        rules=list(rules(root)),
        hidden_columns=hidden_columns(root),
        frozen=frozen(root),
        protected=is_protected(root),
        ours=tuple(ours),
        foreign=marker.foreign_on(sheet.name),
    )


def _obstacles(package: Package, sheet: Sheet, root: etree._Element, marker: Marker) -> Iterator[Obstacle]:
    areas = marker.areas(sheet.name)
    ours = Covered(areas)
    found = obstacles(package, sheet.part, root, our_notes(package, sheet.part, marker, sheet.name))
    for obstacle in beside_ours(found, areas):
        # a note of the user's on a result of ours stays there
        if obstacle.kind not in _NOTES or not ours.covers(obstacle.area.first_row, obstacle.area.first_column):
            yield obstacle


_NOTES = (Kind.NOTE, Kind.THREAD)
_STATES = {state.value for state in Visibility}


class _Scanner:
    """Finds which columns are filled, row by row."""

    def __init__(self, worksheet: Worksheet, name: str, ours: list[Area], fed: Fed) -> None:
        self._worksheet = worksheet
        self._name = name
        self._fed = fed
        self._ours = AreaRows(ours)
        self._has_ours = bool(ours)
        self.arrays: list[Obstacle] = []
        self._bits: dict[bytes, int] = {}
        prefix = re.escape(worksheet.prefix)
        # an empty cell is written <c .../>, or as start and end tag with nothing between
        self._filled = re.compile(rb"<" + prefix + rb'c r="([A-Z]+)\d+"(?:[^>]*[^/>])?>(?!</)')
        self._named = re.compile(rb"<" + prefix + rb'c r="([A-Z]+)')
        self._formula = re.compile(rb"<" + prefix + rb'c r="([A-Z]+)\d+"[^>]*><' + prefix + rb"f[\s/>]")
        self._opening = b"<" + worksheet.prefix + b"c"
        self._quick_opening = self._opening + b' r="'

    def runs(self) -> Iterator[RowRun]:
        """Yield the rows that have something in them."""
        if self._is_plain():
            for row in self._worksheet.rows():
                if row.inner:
                    yield RowRun(row.number, row.number, self._mask(self._named.findall(row.inner)), 0)
            return
        for row in self._worksheet.rows():
            if not row.inner:
                continue
            filled, formulas = self._columns(row)
            mine = self._mine(row.number)
            filled &= ~mine
            # what our own formulas of an earlier run read does not count
            if formulas & ~mine:
                self._fed.add(self._name, self._theirs(row, mine) if mine else row.inner)
            if filled:
                yield RowRun(row.number, row.number, filled, formulas & ~mine)

    def _is_plain(self) -> bool:
        """Tell whether there are named and filled cells only: asked of the whole sheet at once, for large ones."""
        sheet, opening = self._worksheet, self._opening
        data, start, stop = sheet.data, sheet.rows_start, sheet.rows_end
        odd = (b"/>", b'"></', b"<f", b":f")
        if self._has_ours or any(data.find(sign, start, stop) >= 0 for sign in odd):
            return False
        count = data.count
        named = count(self._quick_opening, start, stop)
        return named == count(opening + b" ", start, stop) + count(opening + b">", start, stop)

    def _columns(self, row: Row) -> tuple[int, int]:
        inner = row.inner
        has_formula = b":f" in inner or b"<f" in inner
        if has_formula and b' ref="' in inner:
            self._note_arrays(inner)
        if inner.count(self._quick_opening) != inner.count(self._opening + b" ") + inner.count(self._opening + b">"):
            return self._slowly(row)
        # without an empty cell, every cell is filled
        names = self._filled if b"/>" in inner or b'"></' in inner else self._named
        filled = self._mask(names.findall(inner))
        return filled, self._mask(self._formula.findall(inner)) if has_formula else 0

    def _theirs(self, row: Row, mine: int) -> bytes:
        return b"".join(cell.raw for cell in self._worksheet.cells(row.inner) if not mine >> cell.column & 1)

    def _slowly(self, row: Row) -> tuple[int, int]:
        filled = formulas = 0
        for cell in self._worksheet.cells(row.inner):
            if cell.inner.strip():
                filled |= 1 << cell.column
            if re.match(rb"\s*<(?:[\w.-]+:)?f[\s/>]", cell.inner):
                formulas |= 1 << cell.column
        return filled, formulas

    def _mask(self, letters: list[bytes]) -> int:
        bits = self._bits
        joined = b",".join(letters)
        # most rows of a sheet have the same columns filled
        mask = bits.get(joined)
        if mask is None:
            mask = 0
            for word in letters:
                mask |= 1 << column_number(word.decode("ascii"))
            bits[joined] = mask
        return mask

    def _note_arrays(self, inner: bytes) -> None:
        for match in _ARRAY.finditer(inner):
            area = parse_area(match[1].decode("ascii"))
            if area is not None:
                self.arrays.append(Obstacle(area, Kind.ARRAY))

    def _mine(self, row: int) -> int:
        mine = 0
        for area in self._ours.at(row):
            mine |= ((1 << (area.last_column - area.first_column + 1)) - 1) << area.first_column
        return mine
