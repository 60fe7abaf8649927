"""A new workbook for a season that came from no workbook, or from one that cannot be annotated."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from prefxl.files import replacing
from prefxl.settled import Settled
from prefxl.workbook.carry import read_carried
from prefxl.workbook.package import claim
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
    SheetError
        If no game was settled.
    FileError
        If the file is in the way or cannot be written.
    """
    target = Path(path)
    with replacing(target, overwrite=overwrite) as temp, TemporaryDirectory(prefix="prefxl-") as folder:
        made = Path(folder) / target.name
        task = build_report(
            settled,
            made,
            lang=lang or settled.lang,
            currency=currency,
            carried=read_carried(target) if target.exists() else None,
            noted_games=noted_games,
            when=when,
        )
        # the games are the user's from now on, all beside them is known again by the next run
        kinds = {title: kind for title, kind in task.kinds.items() if title not in task.names["games"]}
        claim(made, temp, kinds, task.results, task.notes)
    return target
