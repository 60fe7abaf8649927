"""A copy of a file with its cells with findings tinted and noted: ``prefxl check -o``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import xlsxwriter

from prefxl.errors import OptionError
from prefxl.files import replacing
from prefxl.findings import Finding, Severity
from prefxl.sheets.grid import Grid
from prefxl.sheets.layouts import Wanted
from prefxl.sheets.sources import grids, open_source
from prefxl.workbook.look import FONT, SEVERITY_FILL
from prefxl.workbook.marks import finding_note, plan_marks
from prefxl.workbook.notes import write_note
from prefxl.workbook.package import SheetChange, inspect
from prefxl.workbook.package import annotate as patch
from prefxl.workbook.package.coordinates import parse_area

#: Workbooks whose own copy is marked; of anything else the cells are copied into a new workbook.
PATCHED = (".xlsx", ".xlsm")

_MOST_NOTES = 2000


def mark(
    findings: Sequence[Finding],
    source: str | Path,
    target: str | Path,
    *,
    lang: str = "ru",
    overwrite: bool = False,
) -> Path:
    """Write a copy of ``source`` with the cells of ``findings`` tinted and noted.

    An Excel workbook is patched: everything else in it stays. The cells of a text file (or of
    ``.xls``, ``.ods``, ``.xlsb``) are copied as they stand into a new workbook.

    Parameters
    ----------
    findings
        Those of other files are left out.
    source, target
        The file and the copy; the copy of an ``.xlsm`` must be one, too.
    lang
        The language of the notes.
    overwrite
        Allow ``target`` to exist.

    Raises
    ------
    OptionError
        If the ending of ``target`` is not the one it must have.
    FileError
        If a file cannot be read or written.
    """
    origin, into = Path(source), Path(target)
    patched = origin.suffix.casefold() in PATCHED
    wanted = origin.suffix.casefold() if patched else ".xlsx"
    if into.suffix.casefold() != wanted:
        raise OptionError(
            f"{into.name}: a marked copy of {origin.name} must end in {wanted}",
            f"{into.name}: помеченная копия {origin.name} должна кончаться на {wanted}",
        )
    if patched:
        _patched(findings, origin, into, lang, overwrite)
    else:
        _copied(findings, origin, into, lang, overwrite)
    return into


def _patched(findings: Sequence[Finding], source: Path, target: Path, lang: str, overwrite: bool) -> None:
    inspection = inspect(source)
    everywhere = {sheet.name for sheet in inspection.sheets}
    marks = plan_marks(findings, inspection, everywhere, lang=lang, most_notes=_MOST_NOTES)
    changes = [SheetChange(sheet, marks=tuple(here)) for sheet, here in marks.items()]
    patch(source, target, changes, overwrite=overwrite)


def _copied(findings: Sequence[Finding], source: Path, target: Path, lang: str, overwrite: bool) -> None:
    file = open_source(source)
    options = {"strings_to_formulas": False, "strings_to_urls": False, "default_date_format": "dd.mm.yyyy"}
    with replacing(target, overwrite=overwrite) as temp, xlsxwriter.Workbook(str(temp), options) as book:
        for grid in grids(file, [], Wanted()):
            _copy(book, grid, [one for one in findings if (one.file, one.sheet) == (grid.file, grid.sheet)], lang)


def _copy(book: Any, grid: Grid, findings: Sequence[Finding], lang: str) -> None:
    sheet = book.add_worksheet(grid.sheet or None)
    plain = book.add_format({"font_name": FONT})
    places: dict[tuple[int, int], list[Finding]] = {}
    for finding in findings:
        area = parse_area(finding.cell) if finding.cell else None
        if area is not None:
            places.setdefault((area.first_row, area.first_column), []).append(finding)
    looks = {place: _look(book, here) for place, here in places.items()}
    for index, column in enumerate(grid.columns, start=grid.first_column):
        for line, cell in zip(grid.lines.tolist(), (column[row] for row in range(len(column))), strict=True):
            _write(sheet, line - 1, index - 1, cell, looks.get((line, index)), plain)
    for (row, index), here in places.items():
        write_note(sheet, row - 1, index - 1, finding_note(here, lang))


def _look(book: Any, findings: Sequence[Finding]) -> Any:
    gravest = min((finding.severity for finding in findings), key=list(Severity).index)
    fill = {} if gravest is Severity.NOTE else {"bg_color": f"#{SEVERITY_FILL[gravest.value]}"}
    return book.add_format({"font_name": FONT, **fill})


def _write(sheet: Any, row: int, column: int, cell: Any, look: Any, plain: Any) -> None:
    if cell is None or cell == "":
        if look is not None:
            sheet.write_blank(row, column, None, look)
    elif isinstance(cell, datetime | date):
        sheet.write_datetime(row, column, cell)
    elif isinstance(cell, int | float) and not isinstance(cell, bool):
        sheet.write_number(row, column, cell, look or plain)
    elif isinstance(cell, str) and cell.isascii() and cell.isdecimal() and str(int(cell)) == cell:
        # what a spreadsheet would make of the text itself
        sheet.write_number(row, column, int(cell), look or plain)
    else:
        sheet.write_string(row, column, str(cell), look or plain)
