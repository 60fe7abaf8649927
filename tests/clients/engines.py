"""Two formula engines that are not each other's relatives, behind one small face.

Both compute from the file's formulas; the cached values in it are never believed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from xlsxwriter.utility import xl_cell_to_rowcol

#: formulon takes seconds to start
ENGINES = (pytest.param("formulon", marks=pytest.mark.clients), "ironcalc")


class Formulon:
    """The engine ``formulon`` over one workbook."""

    def __init__(self, path: Path) -> None:
        formulon = pytest.importorskip("formulon", reason="the formula engine formulon is not installed")
        self.module = formulon
        self.book = formulon.Workbook.load(Path(path).read_bytes())
        self.sheets = {self.book.sheet_name(index): index for index in range(self.book.sheet_count())}
        self.recalculate()

    def recalculate(self) -> None:
        self.book.recalc()

    def at(self, sheet: str, cell: str) -> tuple[int, int, int]:
        return (self.sheets[sheet], *xl_cell_to_rowcol(cell))

    def value(self, sheet: str, cell: str) -> Any:
        value = self.book.get_value(*self.at(sheet, cell))
        if value.kind == self.module.ValueKind.ERROR:
            return self.module.error_display_name(value.error_code)
        return value.to_python()

    def type_in(self, sheet: str, cell: str, value: Any) -> None:
        if value is None:
            self.book.set_blank(*self.at(sheet, cell))
        elif isinstance(value, str):
            self.book.set_text(*self.at(sheet, cell), value)
        else:
            self.book.set_number(*self.at(sheet, cell), float(value))


class IronCalc:
    """The engine ``ironcalc`` over one workbook."""

    def __init__(self, path: Path) -> None:
        ironcalc = pytest.importorskip("ironcalc", reason="the formula engine ironcalc is not installed")
        self.book = ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
        self.sheets = {sheet["name"]: index for index, sheet in enumerate(self.book.get_worksheets_properties())}
        self.recalculate()

    def recalculate(self) -> None:
        self.book.evaluate()

    def at(self, sheet: str, cell: str) -> tuple[int, int, int]:
        row, column = xl_cell_to_rowcol(cell)
        return self.sheets[sheet], row + 1, column + 1

    def value(self, sheet: str, cell: str) -> Any:
        return self.book.get_cell_value(*self.at(sheet, cell))

    def type_in(self, sheet: str, cell: str, value: Any) -> None:
        if value is None:
            self.book.clear_cell_contents(*self.at(sheet, cell))
        elif isinstance(value, str):
            self.book.update_cell_with_text(*self.at(sheet, cell), value)
        else:
            self.book.update_cell_with_number(*self.at(sheet, cell), float(value))


def open_in(engine: str, path: Path) -> Formulon | IronCalc:
    """Open and recalculate a workbook."""
    return Formulon(path) if engine == "formulon" else IronCalc(path)
