"""The drawn pulka as a worksheet of native cells that prints on one A4 page.

Each player has a block of cells where the player sits: below, left, above, right. The numbers are
numbers, so they can be added up; the signs of the paper sheet are in their formats: ``( )`` for the
oval of a balance, a frame for a sum and for the final gora, ``◇ ◇`` for the rhombus of the result.
"""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from typing import Any

from prefxl.drawing.plan import FILLS, title
from prefxl.drawing.words import Numbers, word
from prefxl.rules.single import Settlement

#: Rows of a player's block: name, pulya and result, gora, final gora, neighbours, written, balances.
BLOCK_ROWS = 7

#: Where the blocks stand, in steps of half a block across and of a block down, seat by seat.
_PLACES = {
    2: ((0, 1), (0, 0)),
    3: ((1, 1), (0, 0), (2, 0)),
    4: ((1, 2), (0, 1), (1, 0), (2, 1)),
    5: ((2, 1), (0, 1), (1, 0), (3, 0), (4, 1)),
}

#: Rows above the first block, the width of every column [characters], and the height of every row [points].
_HEAD_ROWS, _COLUMN_WIDTH, _ROW_HEIGHT = 3, 10.5, 20

_CAPTION = "#555555"


def draw_workbook(settlement: Settlement, *, lang: str = "ru", game: Any = None, date: Any = None) -> bytes:
    """Return the drawn pulka of one game as the bytes of an ``.xlsx`` file with one worksheet.

    The parameters are those of :func:`prefxl.drawing.draw_svg`.
    """
    import xlsxwriter

    file = BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as workbook:
        draw_sheet(workbook, settlement, lang=lang, game=game, date=date)
    return file.getvalue()


def draw_sheet(
    workbook: Any,
    settlement: Settlement,
    *,
    name: str | None = None,
    lang: str = "ru",
    game: Any = None,
    date: Any = None,
) -> Any:
    """Add a worksheet with the drawn pulka to an XlsxWriter workbook.

    Parameters
    ----------
    workbook
        An open :class:`xlsxwriter.Workbook`.
    settlement, lang, game, date
        As for :func:`prefxl.drawing.draw_svg`.
    name
        The name of the worksheet; by default the word for a pulka.

    Returns
    -------
    xlsxwriter.worksheet.Worksheet
        The worksheet, set up to print on one page.
    """
    sheet = workbook.add_worksheet(name or word("pulka", lang))
    page = _Page(workbook, sheet, Numbers(settlement, lang))
    page.head(title(page.numbers, game, date))
    for seat in page.numbers.seats:
        page.block(seat)
    page.middle()
    page.set_up()
    return sheet


class _Page:
    """The worksheet while it is being filled."""

    def __init__(self, workbook: Any, sheet: Any, numbers: Numbers) -> None:
        self.workbook, self.sheet, self.numbers = workbook, sheet, numbers
        self.lang = numbers.lang
        players = len(numbers.names)
        # a label, then a column a neighbour and one for their sum; the gora goes through up to four values
        self.width = 1 + max(players, 4)
        self.places = _PLACES[players]
        #: borders of the blocks, kept by whatever is written into their cells
        self.edges: dict[tuple[int, int], dict[str, int]] = {}
        self.formats: dict[tuple[tuple[str, Any], ...], Any] = {}
        self.columns = max(self.corner(seat)[1] for seat in numbers.seats) + self.width
        self.rows = max(self.corner(seat)[0] for seat in numbers.seats) + BLOCK_ROWS

    def style(self, **properties: Any) -> Any:
        """Return a format of the workbook, each made once."""
        key = tuple(sorted(properties.items()))
        if key not in self.formats:
            self.formats[key] = self.workbook.add_format({"valign": "vcenter", "align": "center", **properties})
        return self.formats[key]

    def corner(self, seat: int) -> tuple[int, int]:
        """Return the first row and column of a player's block."""
        across, down = self.places[seat]
        return _HEAD_ROWS + down * (BLOCK_ROWS + 1), across * (self.width + 1) // 2

    def head(self, text: str) -> None:
        """Write the title and the rules."""
        last = self.columns - 1
        self.merge(0, 0, last, text, self.style(bold=True, font_size=14))
        self.merge(1, 0, last, self.numbers.rules(), self.style(font_color=_CAPTION))

    def merge(self, row: int, first: int, last: int, text: str, style: Any) -> None:
        """Write text over several columns; text stays text, whatever it begins with."""
        self.sheet.merge_range(row, first, row, last, "", style)
        self.sheet.write_string(row, first, text, style)

    def block(self, seat: int) -> None:
        """Write the block of one player."""
        numbers, done = self.numbers, self.numbers.done
        row, column = self.corner(seat)
        last = column + self.width - 1
        self.outline(row, column)
        self.merge(row, column, last, numbers.names[seat], self.style(bold=True, font_size=12, border=2, shrink=True))
        labels = ("pulya", "gora", "final-gora", "whists", "written", "balance")
        for index, key in enumerate(labels, start=1):
            self.text(row + index, column, word(key, self.lang), align="left", indent=1, shrink=True)
        self.number(row + 1, column + 1, done.pulya[seat])
        self.result(row + 1, column + 2, last, seat)
        self.goras(row + 2, column + 1, seat)
        self.number(row + 3, column + 1, done.final_gora[seat], sign="", border=2, bold=True)
        self.whists(row + 4, column + 1, seat)

    def outline(self, row: int, column: int) -> None:
        """Draw the frame of a block, and the line above its whists."""
        last = column + self.width - 1
        for below in range(1, BLOCK_ROWS):
            for across in range(column, last + 1):
                edges = {"left": 2} if across == column else {"right": 2} if across == last else {}
                edges |= {"bottom": 2} if below == BLOCK_ROWS - 1 else {"top": 1} if below == 4 else {}
                self.edges[row + below, across] = edges
                self.sheet.write_blank(row + below, across, None, self.style(**edges))

    def text(self, row: int, column: int, text: str, **look: Any) -> None:
        """Write a caption or a name; text stays text, whatever it begins with."""
        edges = self.edges.get((row, column), {})
        self.sheet.write_string(row, column, text, self.style(font_color=_CAPTION, **edges, **look))

    def result(self, row: int, column: int, last: int, seat: int) -> None:
        """Write the result of a player in its rhombus."""
        result = self.numbers.done.result_exact[seat]
        self.text(row, column, word("result", self.lang), align="right")
        style = self.style(
            num_format=_format(result, "◇ {} ◇"),
            bold=True,
            font_size=13,
            border=5 if result > 0 else 1,
            bg_color=FILLS[(result > 0) - (result < 0)],
        )
        self.sheet.merge_range(row, column + 1, row, last, "", style)
        self.sheet.write_number(row, column + 1, float(result), style)

    def goras(self, row: int, column: int, seat: int) -> None:
        """Write the values the gora went through, all but the last struck out."""
        values = self.numbers.gora_values(seat)
        for index, value in enumerate(values):
            self.number(row, column + index, value, font_strikeout=index < len(values) - 1)

    def whists(self, row: int, column: int, seat: int) -> None:
        """Write the neighbours, what is written on each, the balances and their sum."""
        numbers = self.numbers
        players = len(numbers.names)
        for index in range(players - 1):
            other = (seat - players + 1 + index) % players
            self.text(row, column + index, numbers.names[other], text_wrap=True, font_size=9)
            self.number(row + 1, column + index, numbers.written_value(seat, other))
            self.number(row + 2, column + index, numbers.balances[seat][other], sign="( {} )")
        self.text(row, column + players - 1, word("saldo", self.lang), font_size=9)
        self.number(row + 2, column + players - 1, numbers.saldo[seat], sign="", border=2, bold=True)

    def number(self, row: int, column: int, value: Fraction, *, sign: str | None = None, **look: Any) -> None:
        """Write a number, with its sign and between the marks of ``sign`` where that is given."""
        edges = {} if "border" in look else self.edges.get((row, column), {})
        style = self.style(num_format=_format(value, sign), shrink=True, **edges, **look)
        self.sheet.write_number(row, column, float(value), style)

    def middle(self) -> None:
        """Write the pulya everybody was brought to, and the check, below the blocks."""
        numbers = self.numbers
        first, last, row = 0, self.columns - 1, self.rows + 1
        mean = f" ({word('mean', self.lang)})" if numbers.done.convention.target == "mean" else ""
        text = f"{word('pulya', self.lang)} {numbers.target()}{mean}"
        self.merge(row, first, last, text, self.style(bold=True, border=1))
        self.merge(row + 1, first, last, numbers.sum(), self.style(font_color=_CAPTION))

    def set_up(self) -> None:
        """Make the page print whole on one A4 sheet laid across."""
        sheet = self.sheet
        sheet.set_column(0, self.columns - 1, _COLUMN_WIDTH)
        sheet.set_default_row(_ROW_HEIGHT)
        for seat in self.numbers.seats:
            row, _ = self.corner(seat)
            sheet.set_row(row + 1, 26)
            sheet.set_row(row + 4, 26)
        sheet.hide_gridlines(2)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.set_margins(0.4, 0.4, 0.4, 0.4)
        sheet.center_horizontally()
        sheet.center_vertically()
        sheet.fit_to_pages(1, 1)
        sheet.print_area(0, 0, self.rows + 2, self.columns - 1)


def _format(value: Fraction, marks: str | None) -> str:
    """Return the number format that shows ``value`` exactly, signed between ``marks`` where they are given."""
    below = value.denominator
    places = next((places for places in (0, 1, 2) if 10**places % below == 0), None)
    fraction = "# ?/?" if below < 10 else "# ??/??" if below < 100 else "0.00"
    digits = fraction if places is None else "0" + ("." + "0" * places if places else "")
    if marks is None:
        return f'{digits};"−"{digits};0'
    before, _, after = (marks or "{}").partition("{}")
    closing = f'"{after}"' if after else ""
    plus, minus, level = (f'"{before}{sign}"' if before + sign else "" for sign in ("+", "−", ""))
    return f"{plus}{digits}{closing};{minus}{digits}{closing};{level}0{closing}"
