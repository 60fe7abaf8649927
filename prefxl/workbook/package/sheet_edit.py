"""One worksheet of the user's: what is ours goes, what is wanted comes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypeVar

from prefxl.workbook.package import columns
from prefxl.workbook.package.archive import Blob
from prefxl.workbook.package.book import Book, Place, Sheet
from prefxl.workbook.package.coordinates import Area, Covered, rectangles
from prefxl.workbook.package.dress import Wardrobe, dressed
from prefxl.workbook.package.edits import Edits, OurColumn, Outcome, Restore, around, off_grid
from prefxl.workbook.package.inspection import Kind
from prefxl.workbook.package.looks import describe
from prefxl.workbook.package.marker import Marker
from prefxl.workbook.package.markup import OddMarkupError
from prefxl.workbook.package.model import CellChange, Mark, NotPlaced, Reason, Report, SheetChange
from prefxl.workbook.package.notes import Notes, our_notes
from prefxl.workbook.package.obstacles import hidden_columns, obstacles
from prefxl.workbook.package.prints import digest
from prefxl.workbook.package.refusals import WorkbookRefusedError
from prefxl.workbook.package.rewrite import SheetRewriter
from prefxl.workbook.package.styles import Styles
from prefxl.workbook.package.tables import beside_ours, follow
from prefxl.workbook.package.worksheet import Frame, Worksheet

_REASONS = {
    Kind.MERGED: Reason.IN_MERGED,
    Kind.TABLE: Reason.IN_TABLE,
    Kind.PIVOT: Reason.IN_TABLE,
    Kind.FILTER: Reason.IN_TABLE,
    Kind.NOTE: Reason.NOTE_THERE,
    Kind.THREAD: Reason.THREAD_THERE,
    Kind.DRAWING: Reason.UNDER_OBJECT,
    Kind.CONTROL: Reason.UNDER_OBJECT,
    Kind.SPARKLINE: Reason.UNDER_OBJECT,
    Kind.ARRAY: Reason.IN_ARRAY,
}

Placed = TypeVar("Placed", CellChange, Mark)


@dataclass(slots=True)
class Job:
    """What the edits of all worksheets share.

    Parameters
    ----------
    book, styles
        The workbook.
    old, new
        What an earlier run placed, and what this one places.
    report
        Is filled in.
    removed_formulas
        (sheet id, cell) of formulas of ours that are gone.
    note_digests
        What the notes placed are known by.
    wardrobe
        The looks of our cells.
    """

    book: Book
    styles: Styles
    old: Marker
    new: Marker
    report: Report
    removed_formulas: set[tuple[str, str]] = field(default_factory=set)
    note_digests: set[int] = field(default_factory=set)
    _groups: dict[tuple[int, str | None, bool], int] = field(default_factory=dict)
    wardrobe: Wardrobe = field(init=False)

    def __post_init__(self) -> None:
        self.wardrobe = Wardrobe(self.styles)

    def remember_look(self, sheet: str, group: tuple[int, str | None, bool], areas: Iterable[Area]) -> None:
        """Keep how cells looked before."""
        number = self._groups.get(group)
        if number is None:
            number = self._groups[group] = len(self._groups) + 1
            style, rgb, was_missing = group
            known = {"look": describe(self.styles, style), "rgb": rgb, "new": was_missing}
            self.new.memo.setdefault("looks", {})[str(number)] = known
        self.new.looks.setdefault(number, []).extend(Place(sheet, area) for area in areas)

    def remember_column(self, sheet: str, column: int, ours: OurColumn, kept: Sequence[int]) -> None:
        """Keep where our cells of a column are, and what they are known by."""
        number = len(self.new.columns) + 1
        cells = [(row, column) for row in kept]
        runs = [Area(first, column, last, column) for first, last in ours.runs]
        if cells:
            # they stand between ours, which become one run again
            cells += [(row, column) for area in runs for row in range(area.first_row, area.last_row + 1)]
            runs = rectangles(cells)
        self.new.columns[number] = [Place(sheet, area) for area in runs]
        looks = {"s": self.wardrobe.given(ours.number_styles), "ts": self.wardrobe.given(ours.text_styles)}
        self.new.memo.setdefault("columns", {})[str(number)] = ours.memo(runs, kept) | looks

    def remember_notes(self, sheet: str, placed: Mapping[tuple[int, int], str]) -> None:
        """Keep what our notes are known by, and where they are."""
        self.note_digests.update(map(digest, placed.values()))
        areas = Covered(self.new.noted_areas(sheet))
        bare = [place for place in placed if not areas.covers(*place)]
        self.new.noted += [Place(sheet, area) for area in rectangles(bare)]


def edit_sheet(job: Job, sheet: Sheet, change: SheetChange) -> None:
    """Take what an earlier run placed off a worksheet, and place what is wanted now.

    Parameters
    ----------
    job
        The shared state; its report and new marker are filled in.
    sheet
        The worksheet.
    change
        What is wanted; empty to only take away.
    """
    package = job.book.package
    worksheet = Worksheet(package.read(sheet.part), package.file, sheet.part)
    frame = Frame(worksheet)
    notes = Notes(package, sheet.part, frame)
    job.report.removed_notes += notes.remove(our_notes(package, sheet.part, job.old, sheet.name))
    hidden = _hidden_ours(job, sheet, frame)
    columns.restore(frame, job.old.memo.get("frames", {}).get(sheet.name, {}))
    edits = _edits(job, sheet, change, frame)
    edits.dressed = dressed(job.old, sheet.name, change, worksheet, job.wardrobe)
    texts = _note_texts(job, sheet, edits, notes, change)
    if texts:
        notes.prepare()
    memo = {**columns.widen(frame, _bounds(edits)), **columns.set_widths(frame, change.column_widths, hidden)}
    if memo:
        job.new.memo.setdefault("frames", {})[sheet.name] = memo
    outcome = _write(job, sheet, frame, edits)
    _account(job, sheet, outcome, change)
    failed = {(item.row, item.column) for item in outcome.not_placed}
    placed = {place: text for place, text in texts.items() if place not in failed}
    notes.place((row, column, text) for (row, column), text in placed.items())
    job.report.notes += len(placed)
    job.remember_notes(sheet.name, placed)


def _hidden_ours(job: Job, sheet: Sheet, frame: Frame) -> set[int]:
    """Return the columns of an earlier run's that the user has hidden since, for they were shown."""
    ours = {column for area in job.old.areas(sheet.name) for column in area.columns}
    spans = hidden_columns(frame.root)
    return {column for column in ours if any(first <= column <= last for first, last in spans)}


def _write(job: Job, sheet: Sheet, frame: Frame, edits: Edits) -> Outcome:
    """Write the worksheet's rows, changed as they are to be."""
    package, worksheet = job.book.package, frame.sheet
    rewriter = SheetRewriter(worksheet, edits, job.styles, date1904=job.book.date1904)
    if edits.removed or edits.restores or edits.cells or edits.columns or edits.marks:
        try:
            package.put(sheet.part, write_rows(frame, rewriter.pieces()))
        except OddMarkupError:
            worksheet.normalise()
            rewriter = SheetRewriter(worksheet, edits, job.styles, date1904=job.book.date1904)
            package.put(sheet.part, write_rows(frame, rewriter.pieces()))
    elif frame.changed:
        package.put(sheet.part, write_rows(frame, iter([worksheet.data_rows])))
    return rewriter.outcome


def write_rows(frame: Frame, pieces: Iterator[bytes]) -> Blob:
    """Write a worksheet of the given rows, a piece at a time."""
    blob = Blob()
    try:
        blob.write(frame.open())
        for piece in pieces:
            blob.write(piece)
        return frame.write(blob)
    except (WorkbookRefusedError, OddMarkupError):
        # what is wrong with a row is seen only when it is reached
        blob.close()
        raise


# -- what is to be done


def _edits(job: Job, sheet: Sheet, change: SheetChange, frame: Frame) -> Edits:
    edits = Edits(sheet.name, column_styles=columns.column_styles(frame.root))
    edits.removed, edits.gapped = _by_row(job.old.areas(sheet.name)), job.old.has_gaps(sheet.name)
    for row, column in job.old.foreign_on(sheet.name):
        edits.foreign.setdefault(row, set()).add(column)
    for place, restore in _restores(job.old, sheet.name):
        edits.restores.setdefault(place[0], {})[place[1]] = restore
    for cell in change.cells:
        _take(job, sheet.name, edits.cells, cell, "cell")
    for numbers in edits.take_columns(change.columns):
        for cell in numbers.cells():
            _take(job, sheet.name, edits.cells, cell, "cell")
    for mark in change.marks:
        _take(job, sheet.name, edits.marks, mark, "tint")
    areas = job.old.areas(sheet.name)
    bounds, ours = _bounds(edits), Covered(areas)
    found = list(obstacles(job.book.package, sheet.part, frame.root))
    follow(job.book.package, sheet.part, areas, edits, [area for area, _ in found])
    for area, kind in beside_ours(found, areas):
        if bounds is not None and area.meets(bounds):
            # a note of the user's on a result of ours does not keep the next result away
            on_ours = kind in (Kind.NOTE, Kind.THREAD) and ours.covers(area.first_row, area.first_column)
            (edits.noted if on_ours else edits.blocked).append((area, _REASONS[kind]))
    return edits


def _by_row(areas: Iterable[Area]) -> dict[int, tuple[tuple[int, int], ...]]:
    """Return the column ranges of areas, row by row; equal ones are one object."""
    found: dict[int, tuple[tuple[int, int], ...]] = {}
    known: dict[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]] = {}
    for area in areas:
        columns = (area.first_column, area.last_column)
        for row in range(area.first_row, area.last_row + 1):
            ranges = (*found.get(row, ()), columns)
            found[row] = known.setdefault(ranges, ranges)
    return found


def _restores(old: Marker, sheet: str) -> Iterator[tuple[tuple[int, int], Restore]]:
    looks: dict[str, Any] = old.memo.get("looks", {})
    for group, found in sorted(old.looks.items()):
        known = looks.get(str(group))
        if known is None:
            continue
        restore = Restore(known["look"], known["rgb"], known["new"])
        for place in found:
            if place.sheet.casefold() == sheet.casefold():
                for row in range(place.area.first_row, place.area.last_row + 1):
                    for column in range(place.area.first_column, place.area.last_column + 1):
                        yield (row, column), restore


def _take(job: Job, sheet: str, into: dict[int, dict[int, Placed]], item: Placed, what: str) -> None:
    row, column = item.row, item.column
    if off_grid(row, column):
        job.report.not_placed.append(NotPlaced(sheet, row, column, what, Reason.OFF_GRID))
        return
    here = into.get(row)
    if here is None:
        into[row] = {column: item}
    elif column in here:
        job.report.not_placed.append(NotPlaced(sheet, row, column, what, Reason.TWICE))
    else:
        here[column] = item


def _bounds(edits: Edits) -> Area | None:
    areas = [area for area in (edits.target(), around(edits.marks)) if area is not None]
    return areas[0].joined(areas[-1]) if areas else None


def _note_texts(job: Job, sheet: Sheet, edits: Edits, notes: Notes, change: SheetChange) -> dict[tuple[int, int], str]:
    """Return the notes that may be placed; the others are reported."""
    texts: dict[tuple[int, int], str] = {}
    hindered: dict[tuple[int, int], Reason] = {
        (area.first_row, area.first_column): reason
        for area, reason in (*edits.blocked, *edits.noted)
        if reason in (Reason.NOTE_THERE, Reason.THREAD_THERE)
    }
    taken = notes.taken()
    for place, note in _wanted_notes(change):
        if off_grid(*place) or place in texts:
            continue
        reason = hindered.get(place) or (Reason.NOTE_THERE if place in taken else None)
        if reason is None:
            texts[place] = note
        else:
            job.report.not_placed.append(NotPlaced(sheet.name, *place, "note", reason))
    return texts


def _wanted_notes(change: SheetChange) -> Iterator[tuple[tuple[int, int], str]]:
    items: list[Sequence[CellChange | Mark]] = [change.cells, change.marks]
    for item in chain.from_iterable(items):
        if item.note is not None:
            yield (item.row, item.column), item.note
    for column in change.columns:
        for row, note in column.notes.items():
            yield (row, column.column), note


def _account(job: Job, sheet: Sheet, outcome: Outcome, change: SheetChange) -> None:
    job.report.cells += outcome.count
    job.report.tints += outcome.tinted
    job.report.not_placed += outcome.not_placed
    job.report.removed_cells += outcome.removed
    number = sheet.element.get("sheetId") or ""
    job.removed_formulas.update((number, cell) for cell in outcome.removed_formulas)
    kept: dict[int, list[int]] = {}
    for row, column in change.kept:
        kept.setdefault(column, []).append(row)
    for column, ours in sorted(outcome.placed.items()):
        job.remember_column(sheet.name, column, ours, kept.get(column, ()))
    for group, cover in outcome.looks.items():
        job.remember_look(sheet.name, group, cover.areas())
