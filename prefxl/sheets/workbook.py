"""Workbooks (``.xlsx .xlsm .xlsb .xls .ods``) as grids of typed cells, by python-calamine."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, SheetVisibleEnum

from prefxl.errors import FileError, FileRefusedError
from prefxl.sheets.cells import Column, Grid


def read_workbook(data: bytes, name: str) -> Iterator[Grid]:
    """Yield the worksheets of a workbook that hold anything.

    Raises
    ------
    FileError, FileRefusedError
        If it cannot be read, or is protected by a password.
    """
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for index, about in enumerate(book.sheets_metadata):
            yield _grid(book.get_sheet_by_index(index), name, hidden=about.visible != SheetVisibleEnum.Visible)
    except PasswordError:
        raise FileRefusedError(
            f"{name} is protected by a password: save it without one",
            f"{name} защищён паролем: сохраните его без пароля",
        ) from None
    except CalamineError as error:
        raise FileError(f"{name} is damaged: {error}", f"{name} повреждён: {error}") from None


def _grid(sheet: CalamineSheet, name: str, *, hidden: bool) -> Grid:
    rows = sheet.to_python(skip_empty_area=True)
    top, left = sheet.start or (0, 0)
    columns = tuple(Column.of(cells) for cells in zip(*rows, strict=True))
    merged = tuple((a + 1, b + 1, c + 1, d + 1) for (a, b), (c, d) in sheet.merged_cell_ranges or ())
    lines = np.arange(top + 1, top + 1 + len(rows), dtype=np.int64)
    return Grid(name, sheet.name, columns, left + 1, lines, merged=merged, hidden=hidden)
