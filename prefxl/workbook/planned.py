"""What is planned on the user's own sheets, and how it is said in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from prefxl.tables import Table, cell_name
from prefxl.workbook.package import Area, SheetChange
from prefxl.workbook.package.coordinates import column_letters
from prefxl.workbook.words import phrase


class Placement(NamedTuple):
    """The block of ours beside one table: its columns, how many games stand there, whether its check cells watch."""

    table: Table
    area: Area
    headings: tuple[str, ...]
    games: int
    guarded: bool = False


class Kept(NamedTuple):
    """A cell of ours over which the user has typed; it stays as it is."""

    sheet: str
    row: int
    column: int
    present: str
    wanted: str


class ReadBlock(NamedTuple):
    """A block of ours that formulas of the user's read."""

    sheet: str
    area: Area
    readers: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """Everything that is to happen on the user's own sheets.

    Attributes
    ----------
    changes
        A change a worksheet, as the engine takes it.
    placements
        The blocks of results.
    homeless
        Tables beside which there is no room.
    formulas
        How many results are formulas.
    fixed
        Games of a ``live`` plan whose results stay numbers, for a formula would not give them.
    kept
        Cells of ours over which the user has typed: sheet, cell, what stands there and what was to.
    read
        Blocks that formulas of the user's read: sheet, columns, the cells of these formulas.
    """

    changes: tuple[SheetChange, ...] = ()
    placements: tuple[Placement, ...] = ()
    homeless: tuple[Table, ...] = ()
    formulas: int = 0
    fixed: tuple[str, ...] = ()
    kept: tuple[Kept, ...] = ()
    read: tuple[ReadBlock, ...] = ()


def describe(plan: Plan, lang: str = "ru") -> str:
    """Return the plan in words, for ``--dry-run``."""
    return "\n".join(_lines(plan, lambda key, **values: phrase(key, lang, **values)))


def _lines(plan: Plan, say: Callable[..., str]) -> Iterator[str]:
    for placement in plan.placements:
        area, table = placement.area, placement.table
        yield say(
            "plan_block",
            sheet=table.sheet,
            first=column_letters(area.first_column),
            last=column_letters(area.last_column),
            top=table.heading,
            bottom=area.last_row,
            headings=", ".join(placement.headings),
            games=placement.games,
        )
    for change in plan.changes:
        for mark in change.marks:
            if mark.fill is not None:
                text = (mark.note or "").replace("\n", "; ")
                yield say("plan_mark", sheet=change.sheet_name, cell=cell_name(mark.row, mark.column), text=text)
    yield from _warnings(plan, say)
    yield from _apart(plan, say)
    if plan.fixed:
        yield say("plan_fixed", games=_some(plan.fixed))


def warnings(plan: Plan, lang: str = "ru") -> list[str]:
    """Return what of the plan a person should look at, as sentences."""
    return list(_warnings(plan, lambda key, **values: phrase(key, lang, **values)))


def apart(plan: Plan, lang: str = "ru") -> list[str]:
    """Return what there is to say of tables that may be sorted without the results beside them."""
    return list(_apart(plan, lambda key, **values: phrase(key, lang, **values)))


def _apart(plan: Plan, say: Callable[..., str]) -> Iterator[str]:
    sheets = dict.fromkeys(placement.table.sheet for placement in plan.placements if placement.guarded)
    if sheets:
        yield say("plan_apart", sheets=", ".join(sheets), word=say("moved"))


def _warnings(plan: Plan, say: Callable[..., str]) -> Iterator[str]:
    for table in plan.homeless:
        yield say("plan_no_room", sheet=table.sheet, row=table.heading)
    for one in plan.kept:
        cell = cell_name(one.row, one.column)
        yield say("plan_kept", sheet=one.sheet, cell=cell, present=one.present, wanted=one.wanted)
    for block in plan.read:
        area = block.area
        yield say(
            "plan_read",
            sheet=block.sheet,
            first=column_letters(area.first_column),
            last=column_letters(area.last_column),
            cells=_some(block.readers),
        )


def _some(words: Sequence[str]) -> str:
    return ", ".join(words[:20]) + ("…" if len(words) > 20 else "")
