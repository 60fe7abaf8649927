"""A worksheet as a list of what goes where, decided before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from xlsxwriter.utility import xl_range, xl_rowcol_to_cell


def cell(row: int, column: int) -> str:
    """Return the name of a cell, counted from 0."""
    return str(xl_rowcol_to_cell(row, column))


def fixed(row: int, column: int) -> str:
    """Return the name of a cell with both dollar signs."""
    return str(xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True))


class PlainText(str):
    """A text that stays a text in a cell, even one that begins with ``=``."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One cell, or a range merged into one.

    Attributes
    ----------
    row, column, last_row, last_column
        Where, counted from 0.
    style
        The name of a style, see the writer.
    content
        A value, or a formula that begins with ``=``.
    shown
        What the formula gives in the file as it is made: programs that do not recalculate show it.
    """

    row: int
    column: int
    last_row: int
    last_column: int
    style: str
    content: Any = None
    shown: Any = None

    @property
    def is_formula(self) -> bool:
        """Whether the content is a formula."""
        text = isinstance(self.content, str) and not isinstance(self.content, PlainText)
        return text and self.content.startswith("=")


@dataclass
class Plan:
    """What goes where on one worksheet."""

    name: str
    entries: list[Entry] = field(default_factory=list)
    #: (cells, the options of XlsxWriter's ``data_validation``)
    validations: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    #: (cells, the options of XlsxWriter's ``conditional_format``, the name of the style)
    highlights: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)
    widths: dict[int, float] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)

    def put(self, row: int, column: int, style: str, content: Any = None, shown: Any = 0) -> str:
        """Plan one cell; return its name with dollar signs."""
        return self.spread((row, column, row, column), style, content, shown)

    def spread(self, where: tuple[int, int, int, int], style: str, content: Any = None, shown: Any = 0) -> str:
        """Plan a range merged into one cell; return the name of its first cell with dollar signs."""
        self.entries.append(Entry(*where, style, content, shown))
        return fixed(where[0], where[1])

    def validate(self, where: tuple[int, int, int, int], **options: Any) -> None:
        """Plan what may be typed into a range; anything else is stopped."""
        self.validations.append((xl_range(*where), options))

    def highlight(self, where: tuple[int, int, int, int], style: str, **options: Any) -> None:
        """Plan a conditional format of a range."""
        self.highlights.append((xl_range(*where), options, style))


def write_plan(book: Any, sheet: Any, plan: Plan, styles: Mapping[str, Mapping[str, Any]]) -> None:
    """Write ``plan`` to a worksheet of an XlsxWriter workbook."""
    formats = {entry.style for entry in plan.entries} | {style for _, _, style in plan.highlights}
    made = {name: book.add_format(dict(styles[name])) for name in sorted(formats)}
    for column, width in plan.widths.items():
        sheet.set_column(column, column, width)
    for row, height in plan.heights.items():
        sheet.set_row(row, height)
    for entry in plan.entries:
        _write_entry(sheet, entry, made[entry.style])
    for where, options in plan.validations:
        sheet.data_validation(where, {"error_type": "stop", **options})
    for where, options, style in plan.highlights:
        sheet.conditional_format(where, {**options, "format": made[style]})


def _write_entry(sheet: Any, entry: Entry, style: Any) -> None:
    where = (entry.row, entry.column)
    if where != (entry.last_row, entry.last_column):
        sheet.merge_range(*where, entry.last_row, entry.last_column, "", style)
    if entry.is_formula:
        sheet.write_formula(*where, entry.content, style, entry.shown)
    elif entry.content is None:
        sheet.write_blank(*where, None, style)
    elif isinstance(entry.content, str):
        sheet.write_string(*where, str(entry.content), style)
    else:
        sheet.write(*where, entry.content, style)
