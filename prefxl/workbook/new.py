"""A new workbook for a season that came from no workbook, or from one that cannot be annotated."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from prefxl.errors import FileRefusedError
from prefxl.files import replacing
from prefxl.settled import Settled
from prefxl.workbook.carried import Carried
from prefxl.workbook.carry import read_carried
from prefxl.workbook.package import inspect
from prefxl.workbook.pages.task import NOTED_GAMES
from prefxl.workbook.report import build_report


def write_report(
    settled: Settled,
    path: str | Path,
    *,
    lang: str | None = None,
    overwrite: bool = False,
    currency: str = "",
    noted_games: int = NOTED_GAMES,
    when: datetime | None = None,
) -> Path:
    """Write a new workbook: the games with their results, and every report sheet.

    Parameters
    ----------
    settled
        The season.
    path
        Where; ``.xlsx``.
    lang
        ``"ru"`` or ``"en"``; by default the language of the input's headings.
    overwrite
        Allow the file to exist.
    currency
        A sign to show behind money, such as ``₽``.
    noted_games
        How many games get notes with the derivation.
    when
        The time to print; by default now.

    Raises
    ------
    FileError
        If the file is in the way or cannot be written.
    """
    target = Path(path)
    with replacing(target, overwrite=overwrite) as temp:
        build_report(
            settled,
            temp,
            lang=lang or settled.lang,
            currency=currency,
            carried=_carried(target),
            noted_games=noted_games,
            when=when,
        )
    return target


def _carried(target: Path) -> Carried:
    """Return the ticks and remarks on the report that is to be replaced, if it is one of ours."""
    if not target.exists():
        return Carried()
    try:
        return read_carried(target, inspect(target).our_sheets)
    except FileRefusedError:
        # whatever was there is to be overwritten, and is no workbook of ours
        return Carried()
