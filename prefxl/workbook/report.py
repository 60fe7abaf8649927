"""The report: all its sheets on one canvas, for a new workbook and for grafting into the user's."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from prefxl.settled import Settled
from prefxl.workbook.canvas import Canvas
from prefxl.workbook.carried import Carried
from prefxl.workbook.pages import course, findings, games, meetings, rules, settlement, standings
from prefxl.workbook.pages.task import NOTED_GAMES, Task


def build_report(
    settled: Settled,
    target: Path,
    *,
    lang: str = "ru",
    currency: str = "",
    with_games: bool = True,
    carried: Carried | None = None,
    noted_games: int = NOTED_GAMES,
    when: datetime | None = None,
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
    noted_games
        How many games get notes with the derivation.
    when
        The time to print; by default now.

    Returns
    -------
    Task
        With the names of the sheets drawn, and what could not be carried over.
    """
    canvas = Canvas(lang, currency, when)
    task = Task(settled, canvas, with_games, carried or Carried(), noted_games)
    if with_games:
        games.draw(task)
    settlement.draw(task)
    standings.draw(task)
    meetings.draw(task)
    course.draw(task)
    findings.draw(task)
    rules.draw(task)
    canvas.save(target)
    return task
