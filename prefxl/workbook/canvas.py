"""What report sheets are drawn on: an XlsxWriter workbook with one look and fast tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import xlsxwriter
from xlsxwriter.utility import xl_range

from prefxl.workbook import look
from prefxl.workbook.fill import Fill, Values, fill
from prefxl.workbook.widths import column_width, heading_height
from prefxl.workbook.words import heading as heading_of
from prefxl.workbook.words import phrase

#: Rows of a worksheet; a test lowers it.
LAST_ROW = 1_048_576

#: More columns on a page could not be read.
_COLUMNS_A_PAGE = 24

#: Points inside the margins of A4, across and down: portrait and landscape.
_A4 = {False: (523.0, 748.0), True: (770.0, 501.0)}
#: Points of a character of a column's width, of a cell's edges, of a row, and of a title and heading beyond a row's.
_POINTS_A_CHARACTER, _POINTS_A_CELL, _ROW, _TITLE = 5.25, 3.75, 15.0, 45.0

_NUMBERS = frozenset({"number", "signed", "result", "money", "amount"})


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a block.

    Attributes
    ----------
    key
        The column's name in our frames.
    heading
        Its heading, in the language of the report.
    values
        A value a row; numbers, text, dates or ``None``.
    role
        A role of :mod:`prefxl.workbook.look`.
    decimals
        For numbers; by default 0, 1 or 2, as the values need.
    width
        In characters; by default by the content.
    """

    key: str
    heading: str
    values: Values
    role: str = "text"
    decimals: int | None = None
    width: float | None = None


@dataclass(frozen=True)
class Area:
    """Where a block's rows stand, zero-based as XlsxWriter counts, heading not included."""

    sheet: str
    first_row: int
    last_row: int
    columns: Mapping[str, int]

    def range(self, key: str, last: str | None = None) -> tuple[int, int, int, int]:
        """Return (first row, first column, last row, last column) of a column, or of columns ``key`` to ``last``."""
        return self.first_row, self.columns[key], self.last_row, self.columns[last or key]

    def reference(self, key: str) -> list[Any]:
        """Return a column as a chart wants it: sheet, first row, first column, last row, last column."""
        return [self.sheet, *self.range(key)]


@dataclass
class Canvas:
    """The workbook in the making.

    Attributes
    ----------
    lang, currency, when
        The language, the sign behind money, and the time of writing.
    from_1904
        Whether the workbook they go to counts its days from 1904.
    """

    lang: str
    currency: str = ""
    when: datetime | None = None
    remarks: list[str] = field(default_factory=list)
    from_1904: bool = False

    def __post_init__(self) -> None:
        self._stream = BytesIO()
        self.book = xlsxwriter.Workbook(
            self._stream,
            {
                "in_memory": True,
                "date_1904": self.from_1904,
                "strings_to_formulas": False,
                "strings_to_urls": False,
                "strings_to_numbers": False,
                "default_format_properties": {"font_name": look.FONT, "font_size": 11},
            },
        )
        self._formats: dict[Any, Any] = {}
        self._fills: dict[str, list[Fill]] = {}
        self.tables: dict[str, tuple[str, str]] = {}
        self.book.set_properties({"created": self.when or datetime.now(), "comments": "prefxl"})

    def say(self, key: str, **values: object) -> str:
        """Return a phrase in the report's language."""
        return phrase(key, self.lang, **values)

    def heading(self, key: str) -> str:
        """Return a heading in the report's language."""
        return heading_of(key, self.lang)

    def format(self, role: str, decimals: int | None = None, **more: Any) -> Any:
        """Return the format of a role; ``more`` are XlsxWriter properties that go before the role's."""
        key = (role, decimals, tuple(sorted(more.items())))
        if key not in self._formats:
            self._formats[key] = self.book.add_format(look.properties(role, decimals, self.currency) | more)
        return self._formats[key]

    def dxf(self, **properties: Any) -> Any:
        """Return a format for a conditional rule, which holds nothing but ``properties``."""
        key = ("dxf", tuple(sorted(properties.items())))
        if key not in self._formats:
            self._formats[key] = self.book.add_format(properties)
        return self._formats[key]

    def page(self, title: str, *, landscape: bool = False) -> Page:
        """Return a new worksheet, set up for A4."""
        sheet = self.book.add_worksheet(title)
        sheet.hide_gridlines(2)
        sheet.set_paper(9)
        sheet.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        sheet.fit_to_pages(1, 0)
        if landscape:
            sheet.set_landscape()
        sheet.set_footer(f"&L&8{title.replace('&', '&&')}&R&8{self.say('page')}")
        self._fills[_member(sheet)] = []
        return Page(self, sheet, title, landscape)

    def table_name(self, wanted: str) -> str:
        """Return a name for a table that no other has."""
        name, number = wanted, 2
        while name in self.tables:
            name, number = f"{wanted}{number}", number + 1
        return name

    def add_fill(self, sheet: Any, block: Fill) -> None:
        """Remember the rows that take the place of the placeholder."""
        self._fills[_member(sheet)].append(block)

    def save(self, target: Path, *, filled: bool = True) -> Mapping[str, Sequence[Fill]]:
        """Write the workbook, and return the rows of its sheets that are still to be filled in.

        Parameters
        ----------
        filled
            False leaves the placeholders, for a workbook that is taken apart again at once.

        Returns
        -------
        mapping
            Name of a worksheet's member to its rows; empty if all are filled in.
        """
        self.book.close()
        self._stream.seek(0)
        fills = {name: blocks for name, blocks in self._fills.items() if blocks}
        fill(self._stream, target, fills if filled else {}, self.tables, packed=filled)
        return {} if filled else fills


def _member(sheet: Any) -> str:
    return f"xl/worksheets/sheet{sheet.index + 1}.xml"


@dataclass
class Page:
    """One worksheet of a :class:`Canvas`."""

    canvas: Canvas
    sheet: Any
    title: str
    landscape: bool = False
    widths: dict[int, float] = field(default_factory=dict)

    def head(self, title: str, subtitle: str = "") -> int:
        """Write a title and a line beneath it; return the first free row."""
        self.sheet.set_row(0, 26)
        self.sheet.write_string(0, 0, title, self.canvas.format("title"))
        if subtitle:
            self.sheet.write_string(1, 0, subtitle, self.canvas.format("subtitle"))
        return 3

    def section(self, row: int, text: str, remark: str = "") -> int:
        """Write the heading of a section and a line beneath it; return the row for what follows."""
        self.sheet.set_row(row, 20)
        self.sheet.write_string(row, 0, text, self.canvas.format("section"))
        if remark:
            self.sheet.write_string(row + 1, 0, remark, self.canvas.format("subtitle"))
        return row + 1 + bool(remark)

    def table(
        self, columns: Sequence[Column], *, row: int = 0, left: int = 0, name: str = "", freeze: int | None = None
    ) -> Area:
        """Write a block as an Excel table with its heading in ``row``.

        Parameters
        ----------
        columns
            All as long as each other, at least one row.
        name
            The table's name; ``""`` for a plain block, whose headings may be alike.
        freeze
            Freeze the heading and so many columns.
        """
        rows = len(columns[0].values)
        first, last = row + 1, row + rows
        shaped = [(column, _decimals(column)) for column in columns]
        headings = [column.heading for column in columns]
        if name:
            headings = unlike(headings)
        self._heading(headings, row, left)
        for offset, (column, decimals) in enumerate(shaped):
            self.sheet.write_blank(first, left + offset, None, self.canvas.format(column.role, decimals))
            self._widen(left + offset, column, decimals, headings[offset])
        values = tuple(column.values for column in columns)
        self.canvas.add_fill(self.sheet, Fill(first + 1, last + 1, values, self.canvas.from_1904))
        if name:
            self._add_table(headings, (row, left, last, left + len(columns) - 1), name)
        self._ignore_text_numbers(columns, first, last, left)
        if freeze is not None:
            self.sheet.freeze_panes(row + 1, left + freeze)
            self.sheet.repeat_rows(row)
        return Area(self.title, first, last, {column.key: left + at for at, column in enumerate(columns)})

    def _heading(self, headings: Sequence[str], row: int, left: int) -> None:
        for offset, text in enumerate(headings):
            self.sheet.write_string(row, left + offset, text, self.canvas.format("heading"))

    def _add_table(self, headings: Sequence[str], area: tuple[int, int, int, int], name: str) -> None:
        # laid out with one row: XlsxWriter would remember every cell of a large table
        first_row, first, _, last = area
        unique = self.canvas.table_name(name)
        self.canvas.tables[unique] = (xl_range(first_row, first, first_row + 1, last), xl_range(*area))
        self.sheet.add_table(
            first_row,
            first,
            first_row + 1,
            last,
            {
                "name": unique,
                "style": None,
                "columns": [{"header": text, "header_format": self.canvas.format("heading")} for text in headings],
            },
        )

    def _widen(self, at: int, column: Column, decimals: int | None, text: str) -> None:
        width = column.width
        if width is None:
            width = column_width(column.values, text, column.role, decimals, self.canvas.currency)
        self.widths[at] = max(width, self.widths.get(at, 0))

    def _ignore_text_numbers(self, columns: Sequence[Column], first: int, last: int, left: int) -> None:
        texts = [
            f"{xl_range(first, left + at, last, left + at)}"
            for at, column in enumerate(columns)
            if column.role in ("exact", "text", "id")
        ]
        if texts:
            earlier = (self.sheet.ignored_errors or {}).get("number_stored_as_text", "")
            self.sheet.ignore_errors({"number_stored_as_text": " ".join([earlier, *texts]).strip()})

    def print_side_by_side(self, columns: int, repeated: int) -> bool:
        """Let a table of very many columns print on several pages side by side, its first columns on each.

        Tell whether it does: what floats above the first columns is printed on each page, too.
        """
        if columns <= _COLUMNS_A_PAGE:
            return False
        self.sheet.fit_to_pages(-(-columns // _COLUMNS_A_PAGE), 0)
        self.sheet.repeat_columns(0, repeated - 1)
        return True

    def fits(self, row: int, width: float, height: float) -> bool:
        """Tell whether something of so many points still fits on the first printed page, from ``row`` on.

        The widths of the columns must be set; the page is printed as wide as they are.
        """
        across, down = _A4[self.landscape]
        columns = sum(_POINTS_A_CHARACTER * each + _POINTS_A_CELL for each in self.widths.values())
        scale = min(1.0, across / max(columns, width))
        above = _ROW * row + _TITLE
        return scale * (above + height) <= down

    def finish(self, headings: Mapping[int, Sequence[str]] | None = None) -> None:
        """Set the widths of the columns, and the heights of the given heading rows."""
        for at, width in self.widths.items():
            self.sheet.set_column(at, at, width)
        for row, texts in (headings or {}).items():
            widths = [self.widths.get(at, 9) for at in range(len(texts))]
            self.sheet.set_row(row, heading_height(texts, widths))


def unlike(headings: Sequence[str]) -> list[str]:
    """Return headings of which no two are alike, as an Excel table wants them.

    >>> unlike(["Итог", "итог", ""])
    ['Итог', 'итог 2', '–']
    """
    seen: set[str] = set()
    result = []
    for text in headings:
        shown = "".join(char for char in str(text) if char.isprintable() or char.isspace())
        clean = " ".join(shown.split())[:250] or "–"
        name, number = clean, 2
        while name.casefold() in seen:
            name, number = f"{clean} {number}", number + 1
        seen.add(name.casefold())
        result.append(name)
    return result


def parts(columns: Sequence[Column], *, heading_rows: int = 1) -> Iterator[tuple[int, list[Column]]]:
    """Yield (number, columns) of a block cut to what a worksheet holds; most are one part, number 1."""
    room = LAST_ROW - heading_rows
    rows = len(columns[0].values)
    for number, start in enumerate(range(0, max(rows, 1), room), start=1):
        stop = min(start + room, rows)
        if rows <= room:
            yield number, list(columns)
        else:
            yield (
                number,
                [
                    Column(one.key, one.heading, one.values[start:stop], one.role, _decimals(one), one.width)
                    for one in columns
                ],
            )


def _decimals(column: Column) -> int | None:
    if column.role not in _NUMBERS:
        return None
    if column.decimals is not None:
        return column.decimals
    return needed_decimals(column.values)


def needed_decimals(values: Values) -> int:
    """Return 0 for whole numbers, 1 for halves, else 2."""
    plain = isinstance(values, np.ndarray) and values.dtype.kind in "iuf"
    numbers = np.asarray(values if plain else [np.nan if value is None else float(value) for value in values], float)
    numbers = numbers[np.isfinite(numbers)]
    if (numbers == np.round(numbers)).all():
        return 0
    return 1 if (2 * numbers == np.round(2 * numbers)).all() else 2
