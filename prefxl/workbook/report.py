"""The report: all its sheets on one canvas, for a new workbook and for grafting into the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from prefxl.errors import SheetError
from prefxl.settled import Settled
from prefxl.workbook.canvas import Canvas
from prefxl.workbook.carried import Carried
from prefxl.workbook.package.runs import ColumnsIn
from prefxl.workbook.pages import course, findings, games, meetings, payments, rules, settlement, standings
from prefxl.workbook.pages.task import NOTED_GAMES, Task


def build_report(
    settled: Settled,
    target: Path,
    *,
    lang: str = "ru",
    currency: str = "",
    with_games: bool = True,
    carried: Carried | None = None,
    remarks: Sequence[str] = (),
    noted_games: int = NOTED_GAMES,
    own: Mapping[str, ColumnsIn] | None = None,
    when: datetime | None = None,
    from_1904: bool = False,
) -> Task:
    """Write the report sheets to ``target``, which is replaced.

    Parameters
    ----------
    settled
        The season.
    lang, currency
        ``"ru"`` or ``"en"``; a sign to show behind money.
    with_games
        Add the sheet with the games themselves and their results.
    carried
        Ticks and remarks of an earlier run.
    remarks
        Sentences for the sheet of rules.
    noted_games
        How many games get notes with the derivation.
    own
        Where by worksheet results of an earlier run stand.
    when
        The time to print; by default now.
    from_1904
        Whether the workbook that takes the sheets counts its days from 1904.

    Returns
    -------
    Task
        With the names of the sheets drawn, what could not be carried over, and, without the games, the rows
        that are still to be filled in.

    Raises
    ------
    SheetError
        If no game was settled.
    """
    if not len(settled):
        raise SheetError("no game was settled: there is nothing to report", "ни одна игра не рассчитана: отчёта нет")
    canvas = Canvas(lang, currency, when, list(remarks), from_1904)
    task = Task(settled, canvas, with_games, carried or Carried(), noted_games, own or {})
    if with_games:
        games.draw(task)
    settlement.draw(task)
    payments.draw(task)
    standings.draw(task)
    meetings.draw(task)
    course.draw(task)
    findings.draw(task)
    rules.draw(task)
    task.fills = canvas.save(target, filled=with_games)
    return task
