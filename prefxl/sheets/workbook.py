"""Workbooks (``.xlsx .xlsm .xlsb .xls .ods``) as grids of typed cells, by python-calamine.

What calamine does not tell (error values, formulas never calculated, hidden rows) comes from
a look at the file beforehand, which also refuses what would break calamine.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from prefxl.errors import FileError
from prefxl.findings import Finding
from prefxl.sheets import scan_ods, scan_xls, scan_xlsb, scan_xlsx
from prefxl.sheets.cells import Column
from prefxl.sheets.grid import Grid
from prefxl.sheets.guard import Facts, Near, Package, damaged, protected, unreadable
from prefxl.sheets.numeric import Gathered
from prefxl.sheets.plain_xlsx import plain_copy
from prefxl.sheets.values import CellError, Uncached

_BLOCK = 500


def read_workbook(
    data: bytes, name: str, kind: str, findings: list[Finding] | None = None, *, with_ours: bool = True
) -> Iterator[Grid]:
    """Yield the worksheets of a workbook, in their order.

    Parameters
    ----------
    data, name
        The file.
    kind
        ``xlsx``, ``xlsb``, ``xls`` or ``ods``.
    findings
        Takes what is said of worksheets that had to be left out.
    with_ours
        Whether sheets that an ``.xlsx`` marks as added by an earlier run are read: they may be the larger part of it.

    Raises
    ------
    FileError, FileRefusedError
        If it cannot be read, is protected by a password, or is more than can be borne.
    """
    package = None if kind == "xls" else Package(data, name)
    facts, from_1904 = scan_xls.look(data, name) if package is None else _look(package, kind, with_ours=with_ours)
    with _told(name):
        book = _opened(data, package if kind == "xlsx" else None, facts)
    unread: list[FileError] = []
    count = 0
    for index, about in enumerate(book.sheets_metadata):
        if about.typ is SheetTypeEnum.WorkSheet:
            if about.name not in facts and kind != "xls":
                # what was not looked at is not opened
                raise damaged(name)
            known = facts.get(about.name, Facts())
            if known.ours and not with_ours:
                continue
            hidden = about.visible != SheetVisibleEnum.Visible
            try:
                if known.refusal is not None:
                    raise known.refusal
                with _told(name, about.name):
                    grid = _grid(book.get_sheet_by_index(index), name, known, hidden=hidden, from_1904=from_1904)
            except FileError as fault:
                unread.append(fault)
                if findings is not None:
                    findings.append(_left_out(fault, name, about.name))
                continue
            count += 1
            if findings is not None and known.near is not None and known.near.cells:
                findings.append(_passed_over(known.near, name, about.name))
            yield grid if kind == "xlsx" else replace(grid, unmarked=True)
    if unread and not count:
        raise unread[0]


def _look(package: Package, kind: str, *, with_ours: bool) -> tuple[dict[str, Facts], bool]:
    """Return what each worksheet holds by its name, and whether days count from 1904."""
    if kind == "ods":
        return scan_ods.look(package), False
    return scan_xlsb.look(package) if kind == "xlsb" else scan_xlsx.look(package, with_ours=with_ours)


def open_book(path: Path, sheets: Collection[str] | None = None) -> CalamineWorkbook:
    """Open an ``.xlsx`` for its values alone.

    Parameters
    ----------
    path
        The file.
    sheets
        The worksheets that will be asked for, where it is known: only they are looked at for what would break calamine.

    Raises
    ------
    FileError, FileRefusedError
        As :func:`read_workbook`.
    """
    data = path.read_bytes()
    package = Package(data, path.name)
    facts, _ = scan_xlsx.look(package, only=sheets)
    with _told(path.name):
        return _opened(data, package, facts)


def _opened(data: bytes, package: Package | None, facts: Mapping[str, Facts]) -> CalamineWorkbook:
    """Open a workbook; an ``.xlsx`` (``package``) that calamine does not take goes to it as a plain copy."""
    odd = any(about.near is not None or about.odd_extent for about in facts.values())
    if package is not None and (odd or package.recoded or scan_xlsx.has_winding_paths(package)):
        return CalamineWorkbook.from_filelike(io.BytesIO(plain_copy(package, facts)))
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        known = [about.name in facts for about in book.sheets_metadata if about.typ is SheetTypeEnum.WorkSheet]
        if package is None or all(known):
            return book
    except PasswordError:
        raise
    except BaseException as error:
        if package is None or not _is_calamines(error):
            raise
    return CalamineWorkbook.from_filelike(io.BytesIO(plain_copy(package, facts)))


@contextmanager
def _told(name: str, sheet: str = "") -> Iterator[None]:
    """Say in a sentence what calamine cannot read: the whole file, or one worksheet of it."""
    try:
        yield
    except PasswordError:
        raise protected(name) from None
    except FileError:
        raise
    except BaseException as error:
        if not _is_calamines(error):
            raise
        raise (unreadable(name, sheet) if sheet else damaged(name)) from None


def _is_calamines(error: BaseException) -> bool:
    # a panic of calamine's own derives from BaseException alone, and its class cannot be imported
    return isinstance(error, (CalamineError, OSError, ValueError)) or type(error).__name__ == "PanicException"


def _left_out(fault: FileError, name: str, sheet: str) -> Finding:
    details = {"message_en": fault.en, "message_ru": fault.ru}
    return Finding("left-out", name, sheet, "", sheet, details)


def _passed_over(near: Near, name: str, sheet: str) -> Finding:
    more = "…" if near.cells > len(near.beyond) else ""
    return Finding("far-cells", name, sheet, near.beyond[0], ", ".join(near.beyond) + more, {"count": near.cells})


def _columns(sheet: CalamineSheet) -> tuple[list[Column], int]:
    """Return the columns of a worksheet from its first filled one, and how many rows they have."""
    gathered: list[Gathered] = []
    count = 0
    rows = iter(sheet.iter_rows())
    # in blocks, for then every cell is still in the processor's cache when it is looked at again
    while block := list(islice(rows, _BLOCK)):
        count += len(block)
        if not gathered:
            gathered = [Gathered() for _ in block[0]]
        for column, cells in zip(gathered, zip(*block, strict=True), strict=True):
            column.add(cells)
    return [column.column() for column in gathered], count


def _grid(sheet: CalamineSheet, name: str, facts: Facts, *, hidden: bool, from_1904: bool) -> Grid:
    left = sheet.start[1] if sheet.start else 0
    columns, count = _columns(sheet)
    others: dict[int, dict[int, CellError | Uncached]] = {}
    for (row, column), value in facts.special.items():
        if 0 < row <= count and 0 < column - left <= len(columns):
            others.setdefault(column - left - 1, {})[row - 1] = value
    for place, values in others.items():
        columns[place] = columns[place].replaced(values)
    merged = tuple((a + 1, b + 1, c + 1, d + 1) for (a, b), (c, d) in sheet.merged_cell_ranges or ())
    lines = np.arange(1, count + 1, dtype=np.int64)
    return Grid(
        file=name,
        sheet=sheet.name,
        columns=tuple(columns),
        first_column=left + 1,
        lines=lines,
        merged=merged,
        hidden=hidden,
        hidden_rows=frozenset(facts.hidden_rows),
        hidden_columns=frozenset(facts.hidden_columns),
        percents=facts.percents,
        from_1904=from_1904,
        ours=facts.ours,
        our_areas=tuple(facts.our_areas),
        unmarked=facts.settled,
    )
