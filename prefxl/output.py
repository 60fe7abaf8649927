"""Writing a settled season: which writer a file name asks for, and the text formats themselves."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from prefxl.errors import OptionError
from prefxl.files import replacing
from prefxl.rules.conventions import fold

if TYPE_CHECKING:
    from prefxl.settled import Settled

#: File endings that ``write`` knows.
ENDINGS = (".xlsx", ".csv", ".tsv", ".parquet")

#: How a CSV is written: ``plain`` (comma, decimal point) or as Russian Excel reads it.
CSV_DIALECTS = ("plain", "ru")

#: Columns whose text is ours and never a formula, although it may begin with a minus.
_OUR_TEXT = ("result_exact", "convention", "rounding")

# what makes a spreadsheet take a text for a formula (OWASP, CSV injection)
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\0")


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
    with replacing(target, overwrite=overwrite) as temp:
        if ending == ".parquet":
            plain_columns(settled.steps).to_parquet(temp, index=False)
        else:
            write_text(settled.steps, temp, separator="\t" if ending == ".tsv" else ",", dialect=find_dialect(csv))
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


def plain_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with columns of one type each: mixed ids and dates become text."""
    return pd.DataFrame({str(name): _one_type(frame[name]) for name in frame.columns})


def _one_type(column: pd.Series[Any]) -> pd.Series[Any]:
    if column.dtype != object:
        return column
    kinds = {type(value) for value in column if value is not None and value == value}
    if len(kinds) <= 1:
        return column
    return column.map(lambda value: None if value is None or value != value else str(value))


def write_text(frame: pd.DataFrame, path: Path, *, separator: str = ",", dialect: str = "plain") -> None:
    """Write the frame as text that a spreadsheet opens without taking a name for a formula."""
    safe = frame.copy(deep=False)
    for name in safe.columns:
        if name not in _OUR_TEXT and not pd.api.types.is_numeric_dtype(safe[name]):
            safe[name] = safe[name].map(inert)
    safe.columns = pd.Index([inert(name) for name in safe.columns])
    russian = dialect == "ru"
    if russian and "date" in safe.columns:
        safe["date"] = safe["date"].map(lambda day: f"{day:%d.%m.%Y}" if isinstance(day, date) else day)
    safe.to_csv(
        path,
        sep=";" if russian and separator == "," else separator,
        decimal="," if russian else ".",
        lineterminator="\r\n" if russian else "\n",
        encoding="utf-8-sig",
        index=False,
    )


def inert(value: Any) -> Any:
    """Return a text that no spreadsheet takes for a formula; anything else as it is.

    >>> inert("=1+1")
    "'=1+1"
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value
