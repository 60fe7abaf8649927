"""Workbooks (``.xlsx .xlsm .xlsb .xls .ods``) as grids of typed cells, by python-calamine.

What calamine does not tell (error values, formulas never calculated, hidden rows) comes from
a look at the file beforehand, which also refuses what would break calamine.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

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
from prefxl.sheets import scan_ods, scan_xls, scan_xlsb, scan_xlsx
from prefxl.sheets.cells import Column
from prefxl.sheets.grid import Grid
from prefxl.sheets.guard import Facts, Package, damaged, protected
from prefxl.sheets.numeric import Gathered
from prefxl.sheets.values import CellError, Uncached

_BLOCK = 500


def read_workbook(data: bytes, name: str, kind: str) -> Iterator[Grid]:
    """Yield the worksheets of a workbook, in their order.

    Parameters
    ----------
    data, name
        The file.
    kind
        ``xlsx``, ``xlsb``, ``xls`` or ``ods``.

    Raises
    ------
    FileError, FileRefusedError
        If it cannot be read, is protected by a password, or is more than can be borne.
    """
    facts, from_1904 = look(data, name, kind)
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for index, about in enumerate(book.sheets_metadata):
            if about.typ is SheetTypeEnum.WorkSheet:
                hidden = about.visible != SheetVisibleEnum.Visible
                if about.name not in facts and kind != "xls":
                    # what was not looked at is not opened
                    raise damaged(name)
                sheet = book.get_sheet_by_index(index)
                grid = _grid(sheet, name, facts.get(about.name, Facts()), hidden=hidden, from_1904=from_1904)
                yield grid if kind == "xlsx" else replace(grid, unmarked=True)
    except PasswordError:
        raise protected(name) from None
    except FileError:
        raise
    except (CalamineError, OSError, ValueError):
        raise damaged(name) from None
    except BaseException as error:
        # a panic of calamine's own derives from BaseException alone, and its class cannot be imported
        if type(error).__name__ != "PanicException":
            raise
        raise damaged(name) from None


def look(data: bytes, name: str, kind: str) -> tuple[dict[str, Facts], bool]:
    """Return what each worksheet holds by its name, and whether days count from 1904.

    Raises
    ------
    FileError, FileRefusedError
        As :func:`read_workbook`.
    """
    if kind == "xls":
        return scan_xls.look(data, name)
    package = Package(data, name)
    if kind == "ods":
        return scan_ods.look(package), False
    return scan_xlsb.look(package) if kind == "xlsb" else scan_xlsx.look(package)


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
    )
