"""What is said of rows and columns: totals, remarks, games nobody has played yet, what is hidden and read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from prefxl.findings import Finding
from prefxl.sheets.asides import is_month
from prefxl.sheets.body import Body
from prefxl.sheets.headers import is_total
from prefxl.tables import cell_name


def rows_aside(body: Body) -> Iterator[Finding]:
    """Yield the findings on the rows that are no games."""
    for row in np.flatnonzero(body.is_total).tolist():
        yield body.finding("totals-row", row, _total(body, row))
    months = body.is_empty_game
    if months.any():
        months = months & body.column(body.found.columns.get("game", body.found.first_column)).where(_is_month)
    empty = np.flatnonzero(body.is_empty_game & ~months).tolist()
    if empty:
        rows = tuple(body.lines[empty].tolist())
        yield body.finding("empty-game", empty[0], body.first_filled(empty[0]), count=len(empty), rows=rows)
    for row in np.flatnonzero(body.is_remark | months).tolist():
        yield body.finding("taken-for-remark" if body.is_doubtful[row] else "remark", row, _text(body, row))


def _total(body: Body, row: int) -> int:
    """Return the column of the word that says that a row sums up, else the leftmost filled one."""
    words = (number for number in sorted(body.found.labels) if is_total(body.column(number)[row]))
    return next(words, body.first_filled(row))


def _text(body: Body, row: int) -> int:
    """Return the column of a remark: the player's where one stands there, else the leftmost filled one."""
    if not body.is_note[row]:
        return body.first_filled(row)
    return next(column for column in body.is_role("player") if body.named(column)[row])


def _is_month(value: Any) -> bool:
    return isinstance(value, str) and is_month(value)


def hidden_rows(body: Body) -> Iterator[Finding]:
    """Yield a note on the rows that are hidden, but read."""
    lines = [int(line) for line in body.lines if int(line) in body.grid.hidden_rows] if body.grid.hidden_rows else []
    if lines:
        shown_lines = ", ".join(str(line) for line in lines[:20]) + (" …" if len(lines) > 20 else "")
        cell = cell_name(lines[0], body.found.first_column)
        yield Finding("hidden", body.grid.file, body.grid.sheet, cell, shown_lines)


def hidden_columns(body: Body) -> Iterator[Finding]:
    """Yield a note on the columns of scores and names that are hidden, but read."""
    found, grid = body.found, body.grid
    read = {*found.columns.values(), *found.named_whists}
    columns = sorted(read & grid.hidden_columns) if not grid.hidden else []
    if columns:
        texts = ", ".join(found.labels.get(column, "") for column in columns)
        yield Finding("hidden", grid.file, grid.sheet, cell_name(found.heading_lines[1], columns[0]), texts)
