"""Nicknames, given in a table of the user's own."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from prefxl.errors import FileError
from prefxl.sheets.content import read_bytes
from prefxl.sheets.encoding import decode
from prefxl.texts import clean, folded


def read_names(source: str | Path | Mapping[str, str] | None) -> dict[str, str]:
    """Return a table of names: folded nickname to the player's one name.

    Parameters
    ----------
    source
        A text file of two columns, nickname and name, with or without a heading; or a mapping.

    Raises
    ------
    FileError
        If the file cannot be read as two columns.
    """
    if source is None:
        return {}
    if isinstance(source, Mapping):
        return {folded(nick): clean(name) for nick, name in source.items()}
    text, _ = decode(read_bytes(Path(source)))
    pairs = _pairs(text)
    bad = next((line for line, row in pairs if len([cell for cell in row if clean(cell)]) != 2), 0)
    if bad or not pairs:
        raise FileError(
            f"{Path(source).name}: line {bad or 1} needs a nickname and a name",
            f"{Path(source).name}: в строке {bad or 1} нужны прозвище и имя",
        )
    cells = [[clean(cell) for cell in row if clean(cell)] for _, row in pairs]
    return {folded(nick): name for nick, name in cells}


def _pairs(text: str) -> list[tuple[int, list[str]]]:
    delimiter = max(";\t,", key=text[:2000].count)
    rows = enumerate(csv.reader(io.StringIO(text), delimiter=delimiter), 1)
    return [(line, row) for line, row in rows if any(clean(cell) for cell in row)]
