"""What may be asked of the engine, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from prefxl.workbook.package.coordinates import reference

Value = int | float | str | bool | Decimal | date | None
"""What a cell may hold; a ``datetime`` is a ``date`` too."""

# below it every whole number has a floating-point number of its own
_EXACT = 2.0**53


class StyleRole(NamedTuple):
    """How a cell of ours shall look. What is left None is taken from ``like``, else from the column.

    Parameters
    ----------
    like
        A cell of the same sheet, such as ``"B4"``, whose whole look is cloned
        first: a heading then looks as the sheet's own headings do. Or a column,
        such as ``"B"``: each cell looks as that column's cell in its own row.
    format
        The number of a format the workbook has already, which is taken first, in place of ``like``.
    number_format
        A format code in Excel's own (English) notation: ``"0.00"``,
        ``'#,##0.00 "₽"'``, ``"General"``.
    bold, italic
        Font weight and slant.
    color, fill
        Colours of font and background, six hexadecimal digits ``RRGGBB``.
    border
        Line style on all four sides: ``"thin"``, ``"hair"``, ``"medium"`` ...
    align, wrap
        Horizontal alignment (``"left"``, ``"center"``, ``"right"``); line breaks within the cell.
    """

    like: str | None = None
    number_format: str | None = None
    bold: bool | None = None
    italic: bool | None = None
    color: str | None = None
    fill: str | None = None
    border: str | None = None
    align: str | None = None
    wrap: bool | None = None
    format: int | None = None


class CellChange(NamedTuple):
    """A new value in an *empty* cell. A cell that holds anything is left alone and reported.

    Parameters
    ----------
    row, column
        One-based, as Excel counts.
    value
        Number, text, truth value or date. Text is always text: a leading
        ``=`` makes no formula. None together with no ``formula`` gives a
        styled empty cell.
    formula
        A formula in Excel's file notation (English names, commas), with or
        without the leading ``=``.
    cached
        The formula's value, for whoever reads without calculating.
    style
        How it shall look; None takes the look of the column.
    note
        Text of a note (a classic comment) on the cell.
    """

    row: int
    column: int
    value: Value = None
    formula: str | None = None
    cached: Value = None
    style: StyleRole | None = None
    note: str | None = None


@dataclass(frozen=True, eq=False, slots=True)
class ColumnChange:
    """New numbers in empty cells of one column: each is what a :class:`CellChange` without a formula is.

    Parameters
    ----------
    column
        One-based, as Excel counts.
    rows
        One-based, ascending.
    values
        A number a row; whole ones are written without a point.
    style
        How all of them shall look; None takes the look of the column.
    notes
        Row to the text of the note on its cell.
    """

    column: int
    rows: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]
    style: StyleRole | None = None
    notes: Mapping[int, str] = field(default_factory=dict)

    def cells(self) -> Iterator[CellChange]:
        """Yield the same cell by cell."""
        for row, value in zip(self.rows.tolist(), plain_numbers(self.values), strict=True):
            yield CellChange(row, self.column, value, style=self.style, note=self.notes.get(row))

    def some(self, wanted: npt.NDArray[np.bool_]) -> ColumnChange:
        """Return the same for some of the rows."""
        rows = self.rows[wanted]
        notes = {row: text for row in rows.tolist() if (text := self.notes.get(row))} if self.notes else {}
        return ColumnChange(self.column, rows, self.values[wanted], self.style, notes)

    def cell(self, row: int) -> CellChange | None:
        """Return the change of one row, None if there is none."""
        at = int(np.searchsorted(self.rows, row))
        if at == len(self.rows) or self.rows[at] != row:
            return None
        value = plain_numbers(self.values[at : at + 1])[0]
        return CellChange(row, self.column, value, style=self.style, note=self.notes.get(row))


def plain_numbers(values: npt.NDArray[np.float64]) -> Sequence[int | float]:
    """Return numbers as they are written: whole ones without a point."""
    if (np.abs(values) < _EXACT).all() and (values == np.trunc(values)).all():
        whole: list[int] = values.astype(np.int64).tolist()
        return whole
    return [int(value) if value.is_integer() else value for value in values.tolist()]


class Mark(NamedTuple):
    """A tint and a note on a cell of the user's; its value and the rest of its look stay.

    Parameters
    ----------
    row, column
        One-based.
    fill
        ``RRGGBB``, or None for a note alone.
    note
        Text of the note, or None. A cell that has a note or a threaded
        comment already keeps it: the tint is placed, the note is reported.
    """

    row: int
    column: int
    fill: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class SheetChange:
    """Everything that is to happen on one of the user's worksheets.

    Parameters
    ----------
    sheet_name
        As the workbook has it.
    cells, columns, marks
        In any order; of two for one cell the first counts, and ``cells`` come before ``columns``.
    column_widths
        Column number to width [characters], for columns of ours.
    kept
        Cells (row, column) among ``cells`` that hold something of the user's: they are left alone, and
        belong to our columns all the same.
    """

    sheet_name: str
    cells: Sequence[CellChange] = ()
    marks: Sequence[Mark] = ()
    column_widths: Mapping[int, float] = field(default_factory=dict)
    kept: Sequence[tuple[int, int]] = ()
    columns: Sequence[ColumnChange] = ()

    def all_cells(self) -> Iterator[CellChange]:
        """Yield every cell, those of the columns too."""
        yield from self.cells
        for column in self.columns:
            yield from column.cells()


class Reason(Enum):
    """Why something was not placed."""

    NO_SHEET = "no such worksheet"
    OFF_GRID = "outside the worksheet"
    OCCUPIED = "the cell is not empty"
    IN_ARRAY = "inside an array, a spill or a data table"
    IN_MERGED = "inside a merged area"
    IN_TABLE = "inside a table, a pivot table or a query"
    UNDER_OBJECT = "under a picture, a chart, a control or a sparkline"
    NOTE_THERE = "the cell has a note already"
    THREAD_THERE = "the cell has a threaded comment"
    BAD_VALUE = "not a value a cell can hold"
    TWICE = "asked for twice"

    @property
    def ru(self) -> str:
        """The same in Russian."""
        return _REASONS_RU[self.name]


_REASONS_RU = {
    "NO_SHEET": "нет такого листа",
    "OFF_GRID": "за пределами листа",
    "OCCUPIED": "ячейка не пуста",
    "IN_ARRAY": "внутри массива, переноса или таблицы данных",
    "IN_MERGED": "внутри объединённой области",
    "IN_TABLE": "внутри таблицы, сводной таблицы или запроса",
    "UNDER_OBJECT": "под рисунком, диаграммой, элементом управления или спарклайном",
    "NOTE_THERE": "в ячейке уже есть примечание",
    "THREAD_THERE": "в ячейке есть обсуждение",
    "BAD_VALUE": "такое значение в ячейку не записать",
    "TWICE": "задано дважды",
}


class NotPlaced(NamedTuple):
    """One thing that was asked for and not done; the workbook is unchanged there."""

    sheet_name: str
    row: int
    column: int
    what: str
    """``"cell"``, ``"tint"`` or ``"note"``."""
    reason: Reason

    def __str__(self) -> str:
        place = reference(self.row, self.column) if self.row and self.column else "–"
        return f"{self.sheet_name}!{place}: {self.what}: {self.reason.value}"


@dataclass(slots=True)
class Report:
    """What :func:`annotate` did.

    Parameters
    ----------
    cells, tints, notes
        How many were placed.
    not_placed
        What was not, and why.
    sheets
        Name of each donor sheet to the name it got in the workbook (they differ when it was taken).
    removed_cells, removed_notes, removed_sheets
        What of an earlier run was taken away first.
    changed_parts, added_parts, removed_parts
        Names of the package's members; every other one is the source's, byte for byte.
    """

    cells: int = 0
    tints: int = 0
    notes: int = 0
    not_placed: list[NotPlaced] = field(default_factory=list)
    sheets: dict[str, str] = field(default_factory=dict)
    removed_cells: int = 0
    removed_notes: int = 0
    removed_sheets: list[str] = field(default_factory=list)
    changed_parts: list[str] = field(default_factory=list)
    added_parts: list[str] = field(default_factory=list)
    removed_parts: list[str] = field(default_factory=list)
