"""Batches settled, and the columns of ``Settled.steps`` for them, as Arrow tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import Any

import numpy as np
import pyarrow as pa

from prefxl.batch import STEPS, Settlements, settle_columns
from prefxl.columns import Columns
from prefxl.errors import RulesError
from prefxl.settled import STEP_COLUMNS, Terms
from prefxl.stream.batches import Batch
from prefxl.stream.cells import Flags, Integers, as_dictionary
from prefxl.tabular import DayFormat, number_text, plain_type, shown_days

#: Texts of fractions are looked up in a table as long as results do not spread further than this.
_SPREAD = 1 << 22


@dataclass(frozen=True, eq=False)
class Group:
    """The games at ``at`` of a batch, all with as many players, settled."""

    batch: Batch
    at: Integers
    players: int
    done: Settlements

    @property
    def whole(self) -> bool:
        """Whether these are all the games of the batch."""
        return len(self.at) == len(self.batch)

    def by_player(self, seats: Sequence[Integers] | Integers) -> Integers:
        """Return seat by seat columns as one, a row a player a game."""
        chosen = seats[: self.players]
        taken = np.stack([column if self.whole else column[self.at] for column in chosen], axis=1)
        flat: Integers = taken.ravel()
        return flat


def settle_batch(batch: Batch, terms: Terms, corrected: int | str | None = None) -> tuple[list[Group], Flags]:
    """Return the plain games of a batch settled, by their number of players, and (G,) which are left over."""
    strange = batch.strange.copy()
    groups = []
    named = None if corrected is None else corrected_seats(batch, corrected)
    for players in np.unique(batch.seats[~strange]).tolist():
        at = np.flatnonzero(~strange & (batch.seats == players))
        while len(at):
            try:
                groups.append(Group(batch, at, players, _settle(batch, at, players, terms, named)))
                break
            except RulesError as error:
                # the ordinary way makes findings of games whose rounding cannot be applied
                rows = list(error.rows) or list(range(len(at)))
                strange[at[rows]] = True
                at = np.delete(at, rows)
    return groups, strange


def corrected_seats(batch: Batch, corrected: int | str) -> Integers:
    """(G,) the seat of the player whose gora is corrected, -1 in games in which nobody is meant.

    Parameters
    ----------
    corrected
        A seat from 0, or a name, else the number of a seat as text, from 1.
    """
    seats = np.full(len(batch), -1, np.int64)
    seat: Any = corrected
    if isinstance(corrected, str):
        name = corrected.strip()
        seat = int(name) - 1 if name.isdecimal() else -1
    if seat >= 0:
        seats[batch.seats > seat] = seat
    if isinstance(corrected, str) and name in batch.names:
        at, where = np.nonzero(batch.codes == batch.names.index(name))
        seats[where] = at
    return seats


def _settle(batch: Batch, at: Integers, players: int, terms: Terms, corrected: Integers | None) -> Settlements:
    chosen: Any = slice(None) if len(at) == len(batch) else at
    seats = range(players)
    columns = Columns(
        pulya=tuple(batch.pulya[i][chosen] for i in seats),
        gora=tuple(batch.gora[i][chosen] for i in seats),
        whists=tuple(tuple(None if i == j else batch.whists[i][j][chosen] for j in seats) for i in seats),
        unit=batch.unit,
        corrected=-1 if corrected is None else corrected[chosen],
    )
    return settle_columns(columns, terms.convention, rounding=terms.rounding, stake=terms.stake, threads=1)


def rows_of(group: Group, terms: Terms, days: DayFormat) -> pa.Table:
    """Return the columns of ``Settled.steps`` for a group, then the user's own."""
    batch, done, at, players = group.batch, group.done, group.at, group.players
    rows = np.repeat(at, players)
    count = len(rows)
    columns: dict[str, Any] = {
        "game": batch.game.take(pa.array(rows)),
        "date": _dates(batch, rows, days),
        "seat": pa.array(np.tile(np.arange(1, players + 1, dtype=np.int32), len(at))),
        "player": as_dictionary(group.by_player(batch.codes), batch.names),
        "pulya": fraction(group.by_player(batch.pulya), batch.unit, as_text=days is not None),
        "gora": fraction(group.by_player(batch.gora), batch.unit, as_text=days is not None),
    }
    columns |= {step: fraction(*_flat(done, step), as_text=days is not None) for step in STEPS}
    columns["result_exact"] = fraction_text(*_flat(done, "result"), coded=days is None)
    columns["money"] = _money(done, count, as_text=days is not None)
    columns["convention"] = as_dictionary(np.zeros(count, np.int32), [terms.convention.name])
    columns["rounding"] = as_dictionary(np.zeros(count, np.int32), [terms.rounding])
    own = _own(batch, group, rows)
    return pa.table({name: columns[name] for name in STEP_COLUMNS} | own)


def _flat(done: Settlements, step: str) -> tuple[Integers, int]:
    numerators, denominator = done.kept[step]
    return numerators.T.ravel(), denominator


def _dates(batch: Batch, rows: Integers, days: DayFormat) -> pa.Array:
    if batch.date is None:
        return pa.nulls(len(rows))
    codes, values = batch.date
    return as_dictionary(codes[rows], shown_days(values, days))


def _money(done: Settlements, count: int, *, as_text: bool) -> pa.Array:
    if done.money_units is None or done.stake is None:
        return pa.nulls(count, pa.float64())
    return fraction(done.money_units.T.ravel(), done.stake.scale, as_text=as_text)


def _own(batch: Batch, group: Group, rows: Integers) -> dict[str, pa.Array]:
    if not batch.plan.wide and group.whole:
        places = None
    elif batch.plan.wide:
        places = pa.array(rows)
    else:
        first = np.concatenate([[0], np.cumsum(batch.seats)])[group.at]
        places = pa.array(np.repeat(first, group.players) + np.tile(np.arange(group.players), len(group.at)))
    own = batch.own if places is None else batch.own.take(places)
    return {own_name(name): own.column(name).combine_chunks() for name in own.column_names}


def own_name(name: str) -> str:
    """Return the name of a user's own column beside ours."""
    return f"{name} (own)" if name in STEP_COLUMNS else name


def fraction(numerators: Integers, denominator: int, *, as_text: bool = False) -> pa.Array:
    """Return numbers as a column: integers where all of it are whole, else floats, or their text."""
    if denominator == 1:
        return pa.array(numerators)
    whole = numerators // denominator
    if bool((whole * denominator == numerators).all()):
        return pa.array(whole)
    if as_text:
        # few different numbers stand in many rows: each is turned into text once
        return _told(numerators, denominator, _decimal)
    return pa.array(np.true_divide(numerators, denominator))


def fraction_text(numerators: Integers, denominator: int, *, coded: bool = False) -> pa.Array:
    """Return fractions as text, ``38`` or ``-205/2``; whole ones as codes only where that is asked for."""
    if (denominator == 1 and not coded) or not len(numerators):
        return pa.array(numerators).cast(pa.string())
    return _told(numerators, denominator, _text)


def _told(numerators: Integers, denominator: int, tell: Callable[[int, int], str]) -> pa.DictionaryArray:
    low, high = int(numerators.min()), int(numerators.max())
    if high - low > _SPREAD:
        values, codes = np.unique(numerators, return_inverse=True)
    else:
        seen = np.zeros(high - low + 1, bool)
        seen[numerators - low] = True
        places = np.cumsum(seen, dtype=np.int32) - 1
        values, codes = np.flatnonzero(seen) + low, places[numerators - low]
    return as_dictionary(codes, [tell(value, denominator) for value in values.tolist()])


@lru_cache(maxsize=1 << 17)
def _text(numerator: int, denominator: int) -> str:
    common = gcd(numerator, denominator)
    below = denominator // common
    return f"{numerator // common}/{below}" if below != 1 else str(numerator // common)


@lru_cache(maxsize=1 << 17)
def _decimal(numerator: int, denominator: int) -> str:
    return number_text(numerator / denominator)


def in_order(tables: Sequence[tuple[pa.Table, Integers]]) -> Iterator[pa.Table]:
    """Yield one table of several with (rows,) the game each row belongs to, game by game."""
    filled = [(table, games) for table, games in tables if table.num_rows]
    if len(filled) == 1:
        yield filled[0][0]
    elif filled:
        joined = pa.concat_tables(_alike([table for table, _ in filled]))
        order = np.argsort(np.concatenate([games for _, games in filled]), kind="stable")
        yield joined.take(pa.array(order))


def _alike(tables: list[pa.Table]) -> list[pa.Table]:
    """Return tables with every column of one type: text, or floats where numbers differ."""
    names = tables[0].column_names
    types = {name: [plain_type(table.schema.field(name).type) for table in tables] for name in names}
    shared = {name: _shared(kinds) for name, kinds in types.items()}
    schema = pa.schema([(name, shared[name]) for name in names])
    return [
        pa.table({name: table.column(name).cast(shared[name]) for name in names}, schema=schema) for table in tables
    ]


def _shared(kinds: list[pa.DataType]) -> pa.DataType:
    told = [kind for kind in kinds if not pa.types.is_null(kind)]
    if not told:
        return pa.string()
    if len(set(told)) == 1:
        return told[0]
    if all(pa.types.is_integer(kind) for kind in told):
        return pa.int64()
    if all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in told):
        return pa.float64()
    return pa.string()
