"""Writing a settled season: which writer a file name asks for, and the text formats themselves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prefxl.errors import OptionError
from prefxl.files import replacing
from prefxl.rules.conventions import fold

if TYPE_CHECKING:
    import pandas as pd

    from prefxl.settled import Settled

#: File endings that ``write`` knows.
ENDINGS = (".xlsx", ".csv", ".tsv", ".parquet")

#: How a CSV is written: ``plain`` (comma, decimal point) or as Russian Excel reads it.
CSV_DIALECTS = ("plain", "ru")

# what makes a spreadsheet take a text for a formula (OWASP, CSV injection)
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\0")
_NUMBER = re.compile(r"-[0-9]+([.,][0-9]+)?")


def write(
    settled: Settled,
    path: str | Path,
    *,
    overwrite: bool = False,
    lang: str | None = None,
    csv: str = "plain",
    **options: Any,
) -> Path:
    """Write a settled season to ``path``; its ending says how.

    Parameters
    ----------
    settled
        The season.
    path
        ``.xlsx`` (a workbook with every step, standings, payments), ``.csv``, ``.tsv`` or
        ``.parquet`` (the columns of ``Settled.steps``; text is UTF-8 with a byte order mark).
    overwrite
        Allow the file to exist.
    lang
        ``"ru"`` or ``"en"``; by default the language of the input's headings.
    csv
        ``"plain"``, or ``"ru"`` for ``;``, a decimal comma and CRLF.
    **options
        For ``.xlsx``: see :func:`prefxl.workbook.new.write_report`.

    Returns
    -------
    pathlib.Path
        The file written.

    Raises
    ------
    OptionError
        If the ending or the dialect is none of those.
    FileError
        If the file is in the way or cannot be written; nothing is changed then.
    """
    target = Path(path)
    ending = target.suffix.casefold()
    if ending not in ENDINGS:
        raise OptionError(
            f"{target.name}: the output must end in one of {', '.join(ENDINGS)}",
            f"{target.name}: имя результата должно кончаться на одно из {', '.join(ENDINGS)}",
        )
    if ending == ".xlsx":
        from prefxl.workbook.new import write_report

        write_report(settled, target, lang=lang or settled.lang, overwrite=overwrite, **options)
        return target
    from prefxl.settled import STEP_COLUMNS

    dialect = find_dialect(csv)
    with replacing(target, overwrite=overwrite) as temp:
        steps = settled.steps
        # a column of the user's own that is empty in all of these games is left out
        blank = [name for name in steps.columns[len(STEP_COLUMNS) :] if steps[name].isna().all()]
        write_frame(steps.drop(columns=blank), temp, dialect=dialect)
    return target


def find_dialect(name: str) -> str:
    """Return the CSV dialect called ``name``.

    Raises
    ------
    OptionError
        If there is none called so.
    """
    folded = fold(name)
    found = {"en": "plain", "рус": "ru", "русский": "ru"}.get(folded, folded)
    if found not in CSV_DIALECTS:
        raise OptionError(
            f"CSV is written {' or '.join(CSV_DIALECTS)}, not {name!r}",
            f"CSV пишется как {' или '.join(CSV_DIALECTS)}, а не «{name}»",
        )
    return found


def write_frame(frame: pd.DataFrame, path: Path, *, dialect: str = "plain") -> None:
    """Write a frame as text that a spreadsheet opens without taking a name for a formula, or as Parquet.

    Parameters
    ----------
    frame
        Columns of one type each, or of mixed ones, which become text.
    path
        ``.csv``, ``.tsv`` or ``.parquet``.
    dialect
        One of :data:`CSV_DIALECTS`.
    """
    # text and Parquet need Arrow, workbooks do not
    from prefxl.sinks import Form, write_table
    from prefxl.tabular import arrow_table

    form = Form.of(path, dialect)
    write_table(arrow_table(frame, form.days), path, form)


def inert(value: Any) -> Any:
    """Return a text that no spreadsheet takes for a formula; anything else as it is.

    >>> inert("=1+1")
    "'=1+1"
    >>> inert("-5")
    '-5'
    """
    formula = isinstance(value, str) and value.startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(value)
    return f"'{value}" if formula else value
