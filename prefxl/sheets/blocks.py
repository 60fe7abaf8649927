"""Blocks of a form: which rows below its heading are its game, and which are drawings, steps and remarks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from prefxl.findings import Finding
from prefxl.sheets.body import Body
from prefxl.sheets.headers import heading
from prefxl.sheets.values import shown

#: What heads the steps on a form of ours, in both languages.
STEPS = ("Расчёт по шагам", "Step by step")

#: What the sheets of our forms and templates that hold no game begin with.
SHEETS_BESIDE = ("Правила · Rules", "Имена · Names", "Как заполнять / How to fill this in")

Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]


def live_rows(body: Body) -> tuple[Body, list[Finding]]:
    """Return the rows of a form that may be games, and a note on every block that is none.

    A blank row ends a block. The first counts where it stands just below the heading, any other
    where some player has a number in pulya or gora. A row headed like a table of its own ends
    the block it stands in. On a form of ours only the rows just below the heading count, and
    nothing is said of the rest: it is the form's own drawing and steps.
    """
    if body.found.layout != "form" or not len(body):
        return body, []
    block = np.cumsum(np.concatenate([[True], np.diff(body.lines) != 1])) - 1
    below = body.lines[0] == body.found.heading_lines[1] + 1
    if _is_shipped(body):
        first = (block == 0) & below
        return body.keep(first & (body.has_player | body.has_score)), []
    dead = _headed(body, block)
    for number in range(int(block[-1]) + 1):
        rows = (block == number) & ~dead
        if (number or not below) and not (_scored(body) & rows).any():
            dead |= block == number
    first_dead = np.flatnonzero(dead & np.concatenate([[True], ~dead[:-1] | (np.diff(block) != 0)]))
    return body.keep(~dead), [_note(body, block, dead, int(row)) for row in first_dead]


def _scored(body: Body) -> Flags:
    """(R,) where a player has a number in pulya or gora."""
    flags = np.zeros(len(body), dtype=bool)
    for role in ("pulya", "gora"):
        column = body.role(role)
        if column is not None:
            scores = column.scores
            numbers = ~scores.empty
            numbers[list(scores.faults)] = False
            flags |= numbers
    return flags & body.has_player


def _headed(body: Body, block: Integers) -> Flags:
    """(R,) rows from a heading of something else to the end of its block."""
    column = body.role("player")
    if column is None:
        return np.zeros(len(body), dtype=bool)
    heads = column.where(lambda value: (said := heading(value)) is not None and said.role == "player" and said.plain)
    dead = np.zeros(len(body), dtype=bool)
    for row in np.flatnonzero(heads).tolist():
        dead[row:] |= block[row:] == block[row]
    return dead


def _note(body: Body, block: Integers, dead: Flags, row: int) -> Finding:
    rows = np.flatnonzero(dead & (block == block[row]))
    return body.finding("remark", row, body.first_filled(row), rows=tuple(body.lines[rows].tolist()))


def _is_shipped(body: Body) -> bool:
    """Return whether this is a form of ours: its steps are headed below."""
    column = body.role("player")
    return column is not None and any(shown(value) in STEPS for value in column.values)
