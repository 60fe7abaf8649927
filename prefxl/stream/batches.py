"""Games of a piece as columns, and the rows of it that are left to the ordinary reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prefxl.sheets.days import day, is_unclear
from prefxl.sheets.headers import is_total
from prefxl.sheets.values import identifier
from prefxl.stream.cells import Flags, Integers, Numbers, coded, flags, identifiers
from prefxl.stream.pieces import NotStreamableError, Piece
from prefxl.stream.plan import Plan
from prefxl.tabular import arrow_values, plain_type

#: A cell with nothing to be seen in it.
_BLANK = r"^[\s\pZ\p{Cf}\p{Cc}]*$"


@dataclass(frozen=True, eq=False)
class Batch:
    """G games of up to S seats.

    Attributes
    ----------
    plan
        What the columns of their file are.
    game
        (G,) ids, Arrow: text or whole numbers.
    date
        (G,) codes and the dates (or texts) they stand for; ``None`` without such a column.
    seats
        (G,) how many players.
    codes, names
        (S, G) players as codes of names, -1 at empty seats.
    pulya, gora, whists
        Seat by seat (G,) in units; ``None`` on the diagonal.
    unit
        How many units make a point.
    own
        The user's own columns: a row a game (wide) or a row a player (long), in the order of the file.
    lines
        (S, G) the line each seat stands in.
    strange
        (G,) games that the ordinary reader has to look at.
    empties
        Role to where cells of players who are there are empty: (G,), or (S, G) in the long layout.
    """

    plan: Plan
    game: pa.Array
    date: tuple[Integers, list[Any]] | None
    seats: Integers
    codes: Integers
    names: list[str]
    pulya: Sequence[Integers] | Integers
    gora: Sequence[Integers] | Integers
    whists: Sequence[Sequence[Any]]
    unit: int
    own: pa.Table
    lines: Integers
    strange: Flags
    empties: dict[str, Flags] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.seats)


@dataclass
class Made:
    """What is found out about the rows of a piece while it is made into a batch."""

    rows: int
    strange: Flags = field(init=False)
    empties: dict[str, Flags] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.strange = np.zeros(self.rows, bool)

    def look(self, role: str, column: Numbers, seated: Flags | None) -> None:
        """Note the strange and the empty cells of a column of scores."""
        if column.strange is not None:
            self.strange |= column.strange
        if column.empty is not None:
            empty = column.empty if seated is None else column.empty & seated
            if empty.any():
                self.empties[role] = empty

    def nothing_written(self, scores: dict[str, Numbers], taken: Flags) -> None:
        """Leave games with somebody who has not a single number to the ordinary reader."""
        for seat in range(len(taken)):
            own = [column for role, column in scores.items() if role.split("_")[1:2] == [str(seat + 1)]]
            empty = [column.empty for column in own if column.empty is not None]
            if own and len(empty) == len(own):
                self.strange |= np.logical_and.reduce(empty) & taken[seat]

    def no_settings(self, piece: Piece, plan: Plan) -> None:
        """Leave games that say themselves how they are settled to the ordinary reader."""
        for role in plan.settings:
            column = piece.table.column(plan.places[role]).chunk(0)
            if column.null_count < len(column):
                self.strange |= flags(column.is_valid())


def ids(piece: Piece, plan: Plan, made: Made) -> pa.Array:
    """Return the ids of the rows.

    Raises
    ------
    NotStreamableError
        If a played row has none: it is then numbered, and that takes the whole file.
    """
    column = piece.table.column(plan.places["game"]).chunk(0)
    found = identifiers(column, identifier)[0]
    # spaces are no id either
    if found.null_count and bool((flags(found.is_null()) & ~made.strange).any()):
        raise NotStreamableError
    return found


def dates(piece: Piece, plan: Plan, made: Made) -> tuple[Integers, list[Any]] | None:
    """Return the dates of the rows as codes and what they stand for.

    Raises
    ------
    NotStreamableError
        If only all dates together show which of two days one is: ``1/2/26``.
    """
    place = plan.places.get("date")
    if place is None:
        return None
    codes, days = coded(piece.table.column(place).chunk(0), day)
    texts = [code for code, found in enumerate(days) if isinstance(found, str)]
    if any(is_unclear(days[code]) for code in texts):
        raise NotStreamableError
    if texts:
        made.strange |= np.isin(codes, texts)
    return codes, days


def own_columns(piece: Piece, plan: Plan) -> pa.Table:
    """Return the user's own columns under their own headings."""
    return pa.table({name: _own(piece.table.column(place).chunk(0)) for place, name in plan.own.items()})


def _own(column: pa.Array) -> pa.Array:
    """Return an own column as the ordinary reader has it: cells that hold nothing to be seen are empty."""
    kind = plain_type(column.type)
    if pa.types.is_null(kind) or pa.types.is_integer(kind) or pa.types.is_date32(kind):
        return column
    if pa.types.is_floating(kind):
        return pc.if_else(pc.is_nan(column), None, column)
    if pa.types.is_boolean(kind):
        return pc.if_else(column, "TRUE", "FALSE")
    if not pa.types.is_string(kind):
        # what a score sheet hardly holds: moments, amounts, lists
        return arrow_values(column.to_pylist())
    column = column if column.type == kind else column.cast(kind)
    blank = pc.match_substring_regex(column, _BLANK)
    return pc.if_else(blank, None, column) if pc.any(blank).as_py() else column


def worded_totals(piece: Piece, plan: Plan, roles: Sequence[str]) -> Flags:
    """(R,) rows in which one of these columns begins with a word for a total."""
    found = np.zeros(piece.table.num_rows, bool)
    for role in roles:
        place = plan.places.get(role)
        if place is None:
            continue
        column = piece.table.column(place).chunk(0)
        if not (pa.types.is_string(column.type) or pa.types.is_dictionary(column.type)):
            continue
        if role == "game" and _all_digits(column):
            continue
        codes, values = coded(column, lambda value: value)
        totals = [code for code, value in enumerate(values) if is_total(value)]
        if totals:
            found |= np.isin(codes, totals)
    return found


def _all_digits(column: pa.Array) -> bool:
    return pc.all(pc.utf8_is_decimal(column), min_count=0).as_py() is True
