"""Looking through a workbook without changing anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from prefxl.workbook.package.blocks import Kind as RowKind
from prefxl.workbook.package.book import Book, Sheet, open_archive
from prefxl.workbook.package.coordinates import Area, AreaRows, Covered, parse_area, reference
from prefxl.workbook.package.fed import Fed, names_of
from prefxl.workbook.package.inspection import (
    Inspection,
    Kind,
    Obstacle,
    SheetInspection,
    Visibility,
)
from prefxl.workbook.package.marker import Marker
from prefxl.workbook.package.markup import OddMarkupError, Row
from prefxl.workbook.package.notes import our_notes
from prefxl.workbook.package.obstacles import frozen, hidden_columns, is_protected, obstacles, rules, sorted_apart
from prefxl.workbook.package.our_sheets import our_sheets
from prefxl.workbook.package.parts import Package
from prefxl.workbook.package.recognise import read_ours
from prefxl.workbook.package.runs import Runs
from prefxl.workbook.package.stream import AnySheet, streamed, whole
from prefxl.workbook.package.tables import beside_ours

_FORMULA = re.compile(rb"\s*<(?:[\w.-]+:)?f[\s/>]")
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
            marker=marker,
        )


def _inspected(package: Package, sheet: Sheet, marker: Marker, fed: Fed) -> SheetInspection:
    ours = marker.areas(sheet.name)
    try:
        with streamed(package, sheet.part) as stream:
            scanner, root = _Scanner(stream, sheet.name, ours, fed), stream.frame()
    except OddMarkupError:
        worksheet = whole(package, sheet.part)
        scanner, root = _Scanner(worksheet, sheet.name, ours, fed), worksheet.frame()
    return SheetInspection(
        name=sheet.name,
        part=sheet.part,
        visibility=Visibility(sheet.state) if sheet.state in _STATES else Visibility.VISIBLE,
        runs=scanner.runs,
        obstacles=[*_obstacles(package, sheet, root, marker), *scanner.arrays],
        rules=list(rules(root)),
        hidden_columns=hidden_columns(root),
        sorted_apart=list(sorted_apart(package, sheet.part, root)),
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

    def __init__(self, worksheet: AnySheet, name: str, ours: list[Area], fed: Fed) -> None:
        self._worksheet = worksheet
        self._name = name
        self._fed = fed
        self._ours = AreaRows(ours)
        self.arrays: list[Obstacle] = []
        self.runs = Runs()
        for block in worksheet.blocks():
            kinds = set(block.kinds)
            if ours or any(kind is None or kind.formulas for kind in kinds):
                looks = [self._look(*row, self._mine(row[0])) for row in zip(*block, strict=True)]
            else:
                looks = [kind.look for kind in block.kinds if kind is not None]
            self.runs.add_rows(block.numbers, looks)

    def _look(self, number: int, row: bytes, kind: RowKind | None, mine: int) -> tuple[int, int]:
        """Return the columns of a row that are filled, and those with formulas."""
        if kind is None:
            return self._odd_row(number, row, mine)
        # what our own formulas of an earlier run read does not count
        if kind.formulas & ~mine:
            self._fed.add(self._name, self._theirs(row, mine) if mine else row)
        return kind.filled & ~mine, kind.formulas & ~mine

    def _odd_row(self, number: int, raw: bytes, mine: int) -> tuple[int, int]:
        row = self._worksheet.row(number, raw)
        has_formula = b":f" in raw or b"<f" in raw
        if has_formula and b' ref="' in raw:
            self._note_arrays(raw)
        filled, formulas = self._columns(row)
        if formulas & ~mine:
            self._fed.add(self._name, self._named(row, mine))
        return filled & ~mine, formulas & ~mine

    def _columns(self, row: Row) -> tuple[int, int]:
        filled = formulas = 0
        for cell in self._worksheet.cells(row.inner):
            if cell.inner.strip():
                filled |= 1 << cell.column
            if _FORMULA.match(cell.inner):
                formulas |= 1 << cell.column
        return filled, formulas

    def _theirs(self, inner: bytes, mine: int) -> bytes:
        return b"".join(cell.raw for cell in self._worksheet.cells(inner) if not mine >> cell.column & 1)

    def _named(self, row: Row, mine: int) -> bytes:
        """Return the cells of a row that are the user's; one that does not say where it is gets its name."""
        start = len(b"<" + self._worksheet.prefix + b"c")
        cells = (cell for cell in self._worksheet.cells(row.inner) if not mine >> cell.column & 1)
        return b"".join(
            cell.raw
            if b' r="' in cell.attributes
            else cell.raw[:start] + f' r="{reference(row.number, cell.column)}"'.encode() + cell.raw[start:]
            for cell in cells
        )

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
