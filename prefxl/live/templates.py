"""The starting files of this part: ``prefxl template KIND`` writes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from prefxl.errors import OptionError
from prefxl.files import replacing
from prefxl.live.forms import write_form
from prefxl.live.lambda_book import write_lambda_book


def _form_of_three(path: Path) -> None:
    write_form(path, 3)


def _form_of_four(path: Path) -> None:
    write_form(path, 4)


#: How each kind of starting file is made.
WRITERS: dict[str, Callable[[Path], None]] = {
    "pulka-3.xlsx": _form_of_three,
    "pulka-4.xlsx": _form_of_four,
    "lambda.xlsx": write_lambda_book,
}


def write_template(kind: str, path: str | Path | None = None, *, overwrite: bool = False) -> Path:
    """Write a starting file and return where it is.

    Parameters
    ----------
    kind
        One of ``WRITERS``.
    path
        Where; by default a file of that name in the current folder.
    overwrite
        Allow the file to exist already.

    Raises
    ------
    OptionError
        If there is no such kind.
    FileInTheWayError, FileError
        If the file exists, or cannot be written.
    """
    if kind not in WRITERS:
        names = ", ".join(WRITERS)
        raise OptionError(f"there is no template {kind!r}; there are: {names}", f"нет образца «{kind}»; есть: {names}")
    target = Path(kind if path is None else path)
    with replacing(target, overwrite=overwrite) as temporary:
        WRITERS[kind](temporary)
    return target


def rebuild(folder: str | Path) -> list[Path]:
    """Make every shipped starting file of this part anew in ``folder`` and return where they are.

    To be done after a change of a form or a formula, or the tests say so::

        python -c "from prefxl.live.templates import rebuild; rebuild('templates')"
    """
    return [write_template(kind, Path(folder) / kind, overwrite=True) for kind in WRITERS]
