"""Where values stood: the tables recognised in a file, and the cell of every value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prefxl.errors import SettlementMissingError

#: What one row of a table is: a game, a player in a game, or a player in a block that is one game.
LAYOUTS = ("wide", "long", "form")


def cell_name(row: int, column: int) -> str:
    """Return the A1 name of a cell; rows and columns count from 1.

    >>> cell_name(7, 28)
    'AB7'
    """
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def column_number(letters: bytes) -> int:
    """Return the number of a column from its letters.

    >>> column_number(b"XFD")
    16384
    """
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def column_of(cell: str) -> int:
    """Return the column of an A1 name, counted from 1; 0 for an empty name.

    >>> column_of("AB7")
    28
    """
    column = 0
    for letter in cell:
        if not letter.isalpha():
            break
        column = column * 26 + ord(letter) - ord("A") + 1
    return column


@dataclass(frozen=True)
class Table:
    """One recognised table of a file.

    Attributes
    ----------
    file, sheet
        The file's name as given, and its worksheet (``""`` for text files).
    layout
        One of :data:`LAYOUTS`.
    heading
        The row (or line) of the heading; of a heading of two rows, the lower one.
    first_row, last_row
        The rows of the games.
    first_column, last_column
        The columns that belong to the table, the user's own ones included.
    columns
        Role to column. Wide: ``game date player_1 pulya_1 gora_1 whists_1_2`` ...; long and form:
        ``game date player pulya gora``, and ``whists_2`` (on seat 2) or ``whists_on:Аня`` (on a name);
        anywhere: ``convention rounding corrected stake target``.
    caption
        The cell just above a form's heading, ``""`` where there is none.
    heading_top
        The first row of the heading, where it has two.
    turned
        Whists are headed by who wrote them: a row holds what others have written on its player.
    """

    file: str
    sheet: str
    layout: str
    heading: int
    first_row: int
    last_row: int
    first_column: int
    last_column: int
    columns: Mapping[str, int] = field(default_factory=dict)
    caption: str = ""
    heading_top: int = 0
    turned: bool = False

    def cell(self, role: str, row: int) -> str:
        """Return the A1 name of the cell with ``role`` in ``row``, ``""`` where the table has no such column."""
        column = self.columns.get(role)
        return cell_name(row, column) if column else ""

    def role(self, field_name: str, seat: int, other: str | int | None = None) -> str:
        """Return the role of a seat's field in this layout.

        Parameters
        ----------
        field_name
            ``player``, ``pulya``, ``gora`` or ``whists``.
        seat
            The seat, from 0.
        other
            For whists: the seat (from 0) or the name they are written on.
        """
        if field_name == "whists":
            if isinstance(other, str):
                return f"whists_on:{other}"
            if other is None:
                raise SettlementMissingError("whists are written on somebody", "висты пишут на кого-то")
            return f"whists_{seat + 1}_{other + 1}" if self.layout == "wide" else f"whists_{other + 1}"
        return f"{field_name}_{seat + 1}" if self.layout == "wide" else field_name
