"""The user's own workbook with results, notes and report sheets added, and nothing of it lost."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from prefxl.settled import Settled
from prefxl.workbook import package
from prefxl.workbook.carried import Carried
from prefxl.workbook.carry import read_carried, users_cells
from prefxl.workbook.fill import filler
from prefxl.workbook.guard import contents
from prefxl.workbook.live_cells import Raw
from prefxl.workbook.package.annotate import annotate as patch
from prefxl.workbook.package.runs import ColumnsIn
from prefxl.workbook.pages.task import Task
from prefxl.workbook.plan import make_plan
from prefxl.workbook.planned import Plan, apart, warnings
from prefxl.workbook.planned import describe as describe_plan
from prefxl.workbook.report import build_report
from prefxl.workbook.words import phrase


@dataclass(frozen=True)
class Annotated:
    """What was written.

    Attributes
    ----------
    path
        The annotated workbook.
    plan
        What was to go onto the user's sheets.
    report
        What the engine placed, and what it could not.
    lost
        What a person should look at, as sentences: tables without room for results, results over which the
        user has typed, formulas that read our columns; ticks, remarks and texts of the user's on the sheets
        of an earlier run that have no place any more.
    """

    path: Path
    plan: Plan
    report: package.Report
    lost: tuple[str, ...] = ()


def annotate(
    settled: Settled,
    source: str | Path,
    target: str | Path | None = None,
    *,
    lang: str | None = None,
    live: bool = False,
    overwrite: bool = False,
    in_place: bool = False,
    currency: str = "",
    when: datetime | None = None,
) -> Annotated:
    """Write a copy of the user's workbook with the results beside the games and the report sheets at the end.

    Parameters
    ----------
    settled
        The season, read from ``source``.
    source
        An ``.xlsx`` or ``.xlsm``.
    target
        Where the copy goes, of the same suffix; by default ``NAME-settled`` beside the source.
    lang
        ``"ru"`` or ``"en"``; by default the language of the input's headings.
    live
        Write results as plain formulas over the user's own cells.
    overwrite
        Allow ``target`` to exist.
    in_place
        Write over ``source`` itself, keeping it as ``NAME.bak``.
    currency
        A sign to show behind money.
    when
        The time to print; by default now.

    Raises
    ------
    WorkbookRefusedError
        If the workbook is of a kind that is not annotated; where ``refusal.new_workbook_helps``,
        :func:`prefxl.workbook.new.write_report` gives the report as a workbook of its own.
    VerificationError
        If the result differs from the source where it must not; nothing is replaced.
    FileError
        If ``target`` is in the way or cannot be written.
    """
    origin = Path(source)
    into = origin if in_place else Path(target) if target is not None else beside(origin)
    language = lang or settled.lang
    inspection, plan = _planned(settled, origin, lang=language, live=live, currency=currency)
    carried = read_carried(origin, inspection.our_sheets)
    own: dict[str, ColumnsIn] = {sheet.name: sheet.columns_of_ours for sheet in inspection.sheets}
    own.update((sheet.name, _everywhere) for sheet in inspection.our_sheets)
    warned = warnings(plan, language)
    with tempfile.TemporaryDirectory(prefix="prefxl-") as folder:
        donor = Path(folder) / "report.xlsx"

        def build(carried: Carried) -> Task:
            return build_report(
                settled,
                donor,
                lang=language,
                currency=currency,
                with_games=False,
                carried=carried,
                remarks=_remarks(plan, warned, language),
                own=own,
                when=when,
                from_1904=inspection.date1904,
            )

        task = build(carried)
        typed, homeless = _typed(origin, inspection, donor, task)
        if homeless:
            # they are told on the sheet of rules
            task = build(Carried(carried.entries, [*homeless, *carried.sentences]))
        report = patch(
            origin,
            into,
            plan.changes,
            donor=donor,
            kinds=task.kinds,
            typed=typed,
            ours=inspection.marker,
            fill=filler(task.fills),
            overwrite=overwrite or in_place,
            backup=in_place,
        )
    return Annotated(into, plan, report, tuple(dict.fromkeys([*warned, *task.lost()])))


def _everywhere(first_row: int, last_row: int) -> int:
    """Return all columns as bits."""
    return -1


def _typed(
    source: Path, inspection: package.Inspection, donor: Path, task: Task
) -> tuple[list[package.SheetChange], list[str]]:
    """Return what the user typed on our sheets of an earlier run: what has its place again, and sentences on the rest.

    Parameters
    ----------
    source, inspection
        The user's workbook.
    donor, task
        The new report, and how it was drawn.
    """
    found = [sheet for sheet in inspection.our_sheets if sheet.typed]
    if not found:
        return [], []
    by_kind = {kind: title for title, kind in task.kinds.items()}
    new = package.inspect(donor)
    filled = {sheet.name: task.fills.get(sheet.part, ()) for sheet in new.sheets}
    changes: list[package.SheetChange] = []
    homeless: list[str] = []
    for sheet in found:
        taken, title = users_cells(source, sheet), by_kind.get(sheet.kind)
        back: list[package.CellChange] = []
        for one in sheet.typed:
            if (one.row, one.column) in taken:
                continue
            area = package.Area(one.row, one.column, one.row, one.column)
            below = title is not None and any(
                block.first_row <= one.row <= block.last_row and one.column <= len(block.columns)
                for block in filled[title]
            )
            if title is None or below or not new.sheet(title).is_free(area):
                homeless.append(f"{sheet.name}!{package.reference(one.row, one.column)}: {one.shown}")
                continue
            look = package.StyleRole(format=one.format)
            if one.formula:
                back.append(package.CellChange(one.row, one.column, None, one.formula, one.value, look))
            else:
                back.append(package.CellChange(one.row, one.column, one.value, style=look))
        if back and title is not None:
            changes.append(package.SheetChange(title, back))
    return changes, homeless


def describe(settled: Settled, source: str | Path, *, lang: str | None = None, live: bool = False) -> str:
    """Return in words what :func:`annotate` would put onto the user's sheets; nothing is written."""
    language = lang or settled.lang
    return describe_plan(_planned(settled, Path(source), lang=language, live=live, currency="")[1], language)


def beside(source: Path) -> Path:
    """Return the default output of a workbook.

    >>> beside(Path("club.xlsm")).name
    'club-settled.xlsm'
    """
    return source.with_name(f"{source.stem}-settled{source.suffix}")


def _planned(
    settled: Settled, source: Path, *, lang: str, live: bool, currency: str
) -> tuple[package.Inspection, Plan]:
    inspection = package.inspect(source)
    raw = _raw_numbers(source) if live else None
    plan = make_plan(settled, inspection, lang=lang, currency=currency, raw=raw, content=contents(source))
    return inspection, plan


def _raw_numbers(source: Path) -> Raw:
    """Return a function that answers the number in a cell of a workbook: 0 for an empty one, ``None`` for no number."""
    from prefxl.sheets.workbook import open_book

    book = open_book(source)
    sheets: dict[str, list[list[Any]]] = {}

    def number(sheet: str, row: int, column: int) -> float | None:
        if sheet not in sheets:
            sheets[sheet] = book.get_sheet_by_name(sheet).to_python(skip_empty_area=False)
        rows = sheets[sheet]
        value = rows[row - 1][column - 1] if row <= len(rows) and column <= len(rows[row - 1]) else ""
        if value == "":
            return 0.0
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    return number


def _remarks(plan: Plan, warned: Sequence[str], lang: str) -> list[str]:
    remarks = [*warned, *apart(plan, lang)]
    if plan.fixed:
        games = ", ".join(plan.fixed[:20]) + ("…" if len(plan.fixed) > 20 else "")
        remarks.append(phrase("plan_fixed", lang, games=games))
    return remarks
