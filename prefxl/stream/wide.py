"""Pieces of the wide layout: a row is a game."""

from __future__ import annotations

from typing import Any

import numpy as np

from prefxl.sheets.headers import is_total
from prefxl.stream.batches import Batch, Made, dates, ids, own_columns, worded_totals
from prefxl.stream.cells import Flags, Integers, Numbers, coded, numbers
from prefxl.stream.pieces import Piece
from prefxl.stream.plan import Plan


def wide_batch(piece: Piece, plan: Plan) -> Batch:
    """Return the games of a piece; rows that are not plain are left to the ordinary reader."""
    made = Made(piece.table.num_rows)
    codes, names = _players(piece, plan, made)
    taken = codes >= 0
    seats = taken.sum(axis=0)
    made.strange |= seats < 2
    if not taken.all():
        # an empty seat before a taken one: the ordinary reader packs them
        made.strange |= (taken[1:] & ~taken[:-1]).any(axis=0)
    scores = {role: numbers(piece.table.column(plan.places[role]).chunk(0)) for role in plan.scores}
    unit = max((column.unit for column in scores.values()), default=1)
    matrix = _matrix(scores, plan, unit, made, taken)
    made.no_settings(piece, plan)
    made.strange |= worded_totals(piece, plan, ("game", "date"))
    return Batch(
        plan=plan,
        game=ids(piece, plan, made),
        date=dates(piece, plan, made),
        seats=seats.astype(np.int64),
        codes=codes,
        names=names,
        pulya=matrix[0],
        gora=matrix[1],
        whists=matrix[2],
        unit=unit,
        own=own_columns(piece, plan),
        lines=np.broadcast_to(piece.lines, codes.shape),
        strange=made.strange,
        empties=made.empties,
    )


def _players(piece: Piece, plan: Plan, made: Made) -> tuple[Integers, list[str]]:
    """Return (S, R) players as codes of names, -1 at empty seats."""
    names: dict[str, int] = {}
    codes = np.full((plan.seats, piece.table.num_rows), -1, np.int32)
    for seat in range(plan.seats):
        place = plan.places.get(f"player_{seat + 1}")
        if place is None:
            continue
        own, values = coded(piece.table.column(place).chunk(0), plan.body.name_of)
        table = np.array([*(names.setdefault(value, len(names)) for value in values), -1], np.int32)
        codes[seat] = table[own]
        totals = [code for code, value in enumerate(values) if is_total(value)]
        if totals:
            made.strange |= np.isin(own, totals)
    for seat in range(1, plan.seats):
        for earlier in range(seat):
            made.strange |= (codes[seat] == codes[earlier]) & (codes[seat] >= 0)
    return codes, list(names)


def _matrix(
    scores: dict[str, Numbers], plan: Plan, unit: int, made: Made, taken: Flags
) -> tuple[list[Integers], list[Integers], list[list[Any]]]:
    """Return pulyas, goras and whists seat by seat, and mark what only the ordinary reader can judge."""
    nothing = np.zeros(made.rows, np.int64)
    everybody = bool(taken.all())

    def take(role: str, *seats: int) -> Integers:
        column = scores.get(role)
        if column is None:
            return nothing
        seated = None if everybody else np.logical_and.reduce([taken[seat] for seat in seats])
        made.look(role, column, seated)
        values = column.over(unit)
        if seated is not None:
            made.strange |= (values != 0) & ~seated
        return values

    seats = range(plan.seats)
    pulya = [take(f"pulya_{i + 1}", i) for i in seats]
    gora = [take(f"gora_{i + 1}", i) for i in seats]
    whists = [[None if i == j else take(f"whists_{i + 1}_{j + 1}", i, j) for j in seats] for i in seats]
    for column in pulya:
        made.strange |= column < 0
    for i in seats:
        if f"whists_{i + 1}_{i + 1}" in scores:
            own = scores[f"whists_{i + 1}_{i + 1}"]
            made.strange |= own.values != 0
            if own.strange is not None:
                made.strange |= own.strange
    made.nothing_written(scores, taken)
    return pulya, gora, whists
