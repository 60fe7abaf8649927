"""Adding to a user's workbook: everything of theirs stays, everything of ours from an earlier run is replaced."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from prefxl.errors import OptionError
from prefxl.files import replacing
from prefxl.workbook.package import calc_chain
from prefxl.workbook.package.book import Book, Sheet, open_archive
from prefxl.workbook.package.graft import Filler, graft
from prefxl.workbook.package.marker import PREFIX, Marker, write_marker
from prefxl.workbook.package.model import NotPlaced, Reason, Report, SheetChange
from prefxl.workbook.package.our_sheets import first_text
from prefxl.workbook.package.parts import Package
from prefxl.workbook.package.prints import pack
from prefxl.workbook.package.recognise import read_ours
from prefxl.workbook.package.refusals import Refusal, WorkbookRefusedError
from prefxl.workbook.package.sheet_edit import Job, edit_sheet
from prefxl.workbook.package.styles import Styles
from prefxl.workbook.package.sweep import remove_unreached
from prefxl.workbook.package.verify import verify


def annotate(
    source: Path,
    target: Path,
    changes: Sequence[SheetChange],
    *,
    donor: Path | None = None,
    kinds: Mapping[str, str] | None = None,
    typed: Sequence[SheetChange] = (),
    fill: Filler | None = None,
    ours: Marker | None = None,
    overwrite: bool = False,
    backup: bool = False,
) -> Report:
    """Write a copy of a workbook with cells, tints, notes and sheets added to it.

    What an earlier run added to ``source`` is taken away first. The result is
    read back and compared with ``source`` before it is moved into place.

    Parameters
    ----------
    source
        An ``.xlsx`` or ``.xlsm``; it is only read.
    target
        Where the result goes; of the same suffix. It may be ``source`` itself
        only with ``overwrite`` and ``backup``.
    changes
        What to add, at most one entry a worksheet.
    donor
        A workbook written by XlsxWriter all of whose worksheets are appended,
        in their order, with tables, charts, pictures, notes and names. One of
        the kind of a sheet of an earlier run takes that one's place and name.
    kinds
        The donor's sheet names to their kinds; by default the names themselves.
    typed
        Cells the user typed on our sheets of the earlier run, by the donor's
        sheet: they are put where they were, and stay the user's.
    fill
        Puts rows into the donor's sheets, see :func:`~prefxl.workbook.package.graft.graft`.
    ours
        What an earlier run placed, if the workbook has been inspected already.
    overwrite
        ``target`` may exist.
    backup
        Keep an existing ``target`` as ``NAME.bak``.

    Returns
    -------
    Report
        What was placed, and what was not and why.

    Raises
    ------
    WorkbookRefusedError
        If the workbook is of a kind that is not annotated. Nothing is written.
    VerificationError
        If the result differs from the source where it must not. Nothing is replaced.
    FileError
        If ``target`` cannot be written, see :func:`prefxl.files.replacing`.
    OptionError
        If ``target`` has another suffix than ``source``, or is ``source`` without a backup.
    """
    _check_target(source, target, overwrite=overwrite, backup=backup)
    with replacing(target, overwrite=overwrite, backup=backup) as temp:
        with open_archive(source) as archive:
            package = Package(archive)
            try:
                report = _apply(package, changes, _Donor(donor, kinds or {}, typed, fill), ours)
                package.write(temp)
            finally:
                package.close()
        verify(source, temp)
    return report


def strip(source: Path, target: Path, *, overwrite: bool = False, backup: bool = False) -> Report:
    """Write a copy of a workbook without anything :func:`annotate` added to it; see there."""
    return annotate(source, target, (), overwrite=overwrite, backup=backup)


def _check_target(source: Path, target: Path, *, overwrite: bool, backup: bool) -> None:
    if source.suffix.lower() != target.suffix.lower():
        raise OptionError(
            f"{source.name} stays a {source.suffix} workbook: Excel would not open it as {target.name}.",
            f"Книга {source.name} остаётся книгой {source.suffix}: под именем {target.name} Excel её не откроет.",
        )
    if os.path.realpath(source) == os.path.realpath(target) and not (overwrite and backup):
        raise OptionError(
            f"{source.name} is written over only together with a backup.",
            f"{source.name} перезаписывается только вместе с резервной копией.",
        )


def _apply(package: Package, changes: Sequence[SheetChange], donor: _Donor, ours: Marker | None) -> Report:
    book = Book(package)
    if donor.path is not None and book.structure_locked:
        raise WorkbookRefusedError(package.file, Refusal.LOCKED)
    old = read_ours(book) if ours is None else ours
    book.drop_names(PREFIX)
    for name in old.names:
        book.drop_names(name, whole=True)
    job = Job(book, Styles(book), old, Marker(), Report())
    if changes or donor.path is not None:
        # a styles part made now outlives the next run, so it comes before all that does not
        job.styles.ensure_part()
    places = {} if donor.path is None else _places(book, old, donor.path, donor.kinds)
    gone = _remove_sheets(job, set(places.values()))
    _edit_sheets(job, changes)
    calc_chain.forget(book, job.removed_formulas, gone)
    if donor.path is not None:
        _graft(job, donor, donor.path, places)
        _give_back(job, donor.typed)
    if job.new:
        job.new.memo["v"] = 1
        job.new.memo["notes"] = pack(job.note_digests)
    write_marker(book, job.new)
    job.report.changed_parts = package.changed_parts
    job.report.added_parts = package.added_parts
    job.report.removed_parts = package.removed_parts
    return job.report


class _Donor(NamedTuple):
    """The report sheets, see :func:`annotate`."""

    path: Path | None
    kinds: Mapping[str, str]
    typed: Sequence[SheetChange]
    fill: Filler | None


def _graft(job: Job, donor: _Donor, path: Path, places: Mapping[str, str]) -> None:
    grafted = graft(job.book, job.styles, path, places, donor.fill)
    job.report.sheets = grafted.sheets
    memos: dict[str, dict[str, str]] = {}
    for number, (title, name) in enumerate(grafted.sheets.items(), 1):
        job.new.sheets[number] = name
        memos[str(number)] = {"k": donor.kinds.get(title, title), **grafted.prints[title]}
    job.new.memo["sheets"] = memos
    if grafted.names:
        job.new.memo["names"] = grafted.names


def _places(book: Book, old: Marker, donor: Path, kinds: Mapping[str, str]) -> dict[str, str]:
    """Return which sheet of an earlier run each of the donor's sheets takes the place of."""
    memos = old.memo.get("sheets")
    if memos is not None:
        present = {str(memos.get(str(number), {}).get("k", name)): name for number, name in old.sheets.items()}
    else:
        # an early version kept no kinds, but most sheets begin with their title
        present = {first_text(book, name): name for name in old.sheets.values()}
        present |= {name: name for name in old.sheets.values()}
    with open_archive(donor) as archive:
        titles = [sheet.name for sheet in Book(Package(archive)).sheets() if sheet.kind == "worksheet"]
    wanted = ((title, present.get(kinds.get(title, title)) or present.get(title)) for title in titles)
    return {title: name for title, name in wanted if name is not None}


def _remove_sheets(job: Job, kept: set[str]) -> set[str]:
    """Remove our sheets, or empty those that are to be filled again; return the ids of both."""
    gone: set[str] = set()
    for sheet in job.book.sheets():
        if job.old.owns_sheet(sheet.name):
            gone.add(sheet.element.get("sheetId") or "")
            if sheet.name in kept:
                job.book.empty_sheet(sheet)
            else:
                job.book.remove_sheet(sheet)
            remove_unreached(job.book.package, sheet.part)
            job.report.removed_sheets.append(sheet.name)
    return gone


def _give_back(job: Job, typed: Sequence[SheetChange]) -> None:
    """Put what the user typed on our sheets where it was; it is not ours."""
    for change in typed:
        sheet = job.book.worksheet(job.report.sheets.get(change.sheet_name, ""))
        if sheet is not None:
            apart = Job(job.book, job.styles, Marker(), Marker(), Report())
            edit_sheet(apart, sheet, dataclasses.replace(change, sheet_name=sheet.name))
            job.report.not_placed += apart.report.not_placed


def _edit_sheets(job: Job, changes: Sequence[SheetChange]) -> None:
    wanted = {change.sheet_name.casefold(): change for change in changes}
    for sheet in job.book.sheets():
        change = wanted.pop(sheet.name.casefold(), None) if sheet.kind == "worksheet" else None
        if change is not None:
            edit_sheet(job, sheet, change)
        elif sheet.kind == "worksheet" and _has_ours(job, sheet):
            edit_sheet(job, sheet, SheetChange(sheet.name))
    for change in wanted.values():
        job.report.not_placed.append(NotPlaced(change.sheet_name, 0, 0, "cell", Reason.NO_SHEET))


def _has_ours(job: Job, sheet: Sheet) -> bool:
    # a note that was moved is asked for by its text, so a sheet that has any is looked at
    looked = any(place.sheet.casefold() == sheet.name.casefold() for found in job.old.looks.values() for place in found)
    has_notes = bool(job.old) and bool(job.book.package.related(sheet.part, "comments"))
    framed = sheet.name in job.old.memo.get("frames", {})
    return looked or has_notes or framed or bool(job.old.areas(sheet.name))
