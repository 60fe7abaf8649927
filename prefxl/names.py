"""Names of players: declined and spelled alike."""

from __future__ import annotations

import unicodedata

from prefxl.declension import mixed_forms
from prefxl.texts import folded

_LATIN_TO_CYRILLIC = str.maketrans("aeopcyxkmthbiéëӧ3", "аеорсухкмтнвіееоз")


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
