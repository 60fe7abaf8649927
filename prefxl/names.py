"""Names of players: declined, spelled alike, and nicknames given in a table."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from prefxl.declension import mixed_forms
from prefxl.errors import FileError
from prefxl.sheets.values import clean, folded

_LATIN_TO_CYRILLIC = str.maketrans("aeopcyxkmthbiéëӧ3", "аеорсухкмтнвіееоз")
_DIGIT_LIKE = str.maketrans("03", "оз")


def key(name: str) -> str:
    """Return what spellings of one name have in common: case, spaces, ё and look-alike letters do not matter.

    Latin letters are only taken for Cyrillic ones where the word has Cyrillic letters too,
    or consists of look-alikes alone.

    >>> key("Иванoв"), key(" ЛЁША ") == key("леша"), key("Zina")
    ('иванов', True, 'zina')
    """
    words = folded(name).replace("-", " ").replace(".", " ").split()
    return " ".join(_one_script(word) for word in words)


def _one_script(word: str) -> str:
    scripts = {unicodedata.name(char, "").split(" ")[0] for char in word if char.isalpha()}
    alike = word.translate(_LATIN_TO_CYRILLIC)
    if scripts == {"LATIN"}:
        whole = all(unicodedata.name(char, "").startswith("CYRILLIC") for char in alike if char.isalpha())
        return alike if whole else word
    return alike if "CYRILLIC" in scripts else word


def same_name(declined: str, name: str) -> bool:
    """Return whether ``declined`` may be a form of ``name``.

    >>> same_name("Лёшу", "Леша"), same_name("Павла", "Павел"), same_name("Аню", "Анна")
    (True, True, False)
    """
    return key(declined) in mixed_forms(key(name)) or key(declined) == key(name)


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
    from prefxl.sheets.content import read_bytes
    from prefxl.sheets.encoding import decode

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
