"""Names of players: declined, spelled alike, and nicknames given in a table."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

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


#: Endings of the nominative and what the accusative, dative and genitive make of them.
_ENDINGS = (
    ("ия", ("ию", "ии")),
    ("ая", ("ую", "ой")),
    ("яя", ("юю", "ей")),
    ("ий", ("ого", "его", "ому", "ему", "ия", "ию", "ья")),
    ("ый", ("ого", "ому")),
    ("ой", ("ого", "ому", "оя")),
    ("ел", ("ла", "лу")),
    ("ец", ("ца", "цу")),
    ("ек", ("ка", "ку")),
    ("ок", ("ка", "ку")),
    ("ев", ("ева", "еву", "ьва", "ьву")),
    ("а", ("у", "ы", "и", "е")),
    ("я", ("ю", "и", "е")),
    ("й", ("я", "ю")),
    ("ь", ("я", "ю", "и")),
    ("о", ("а", "у")),
)


@lru_cache(maxsize=4096)
def forms(name: str) -> frozenset[str]:
    """Return a name's forms after «на», folded.

    >>> sorted(forms("Аня")), "андрея" in forms("Андрей")
    (['ане', 'ани', 'аню', 'аня'], True)
    """
    words = folded(name).replace(".", " ").split()
    made = [""]
    for word in words[:4]:
        made = [f"{start} {end}".strip() for start in made for end in _word_forms(word)]
    return frozenset(made)


def _word_forms(word: str) -> list[str]:
    found = [word]
    for ending, others in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending):
            found += [word[: -len(ending)] + other for other in others]
    if word[-1:].isalpha() and word[-1] not in "аеёиоуыэюяьй" and len(word) > 1:
        found += [word + "а", word + "у"]
    return found


def same_name(declined: str, name: str) -> bool:
    """Return whether ``declined`` may be a form of ``name``.

    >>> same_name("Лёшу", "Леша"), same_name("Павла", "Павел"), same_name("Аню", "Анна")
    (True, True, False)
    """
    return folded(declined).replace(".", " ").strip() in forms(name) or clean(declined) == clean(name)


def candidates(declined: str, names: Iterable[str]) -> list[str]:
    """Return the names that a heading's ``declined`` name may mean: exact ones, else forms, else by stem."""
    known = list(names)
    exact = [name for name in known if clean(name) == clean(declined)]
    alike = exact or [name for name in known if folded(name) == folded(declined)]
    found = alike or [name for name in known if same_name(declined, name)]
    found = found or [name for name in known if any(same_name(declined, word) for word in name.split())]
    found = found or [name for name in known if _by_stem(folded(declined), folded(name))]
    return found or [name for name in known if _begins(name, declined)]


def _begins(name: str, short: str) -> bool:
    """Return whether ``short`` is a name's first letters, or its words' initials."""
    start = folded(short).replace(".", "").replace(" ", "")
    initials = "".join(word[0] for word in folded(name).split())
    return bool(start) and (folded(name).startswith(start) or start == initials)


def _by_stem(one: str, other: str) -> bool:
    """Return whether two words differ only by up to two letters at the end."""
    common = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        common += 1
    return common >= 3 and len(one) - common <= 2 and len(other) - common <= 2 and len(one) != common != len(other)


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
    from prefxl.sheets.encoding import decode, read_bytes

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
