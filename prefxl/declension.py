"""How Russian names are declined: what stands after «на» (whom) and «от» (of whom).

Words are folded: small letters, ``е`` for ``ё``. A name of several words is declined as a whole.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

#: Cases by what they answer: who, on whom, of whom, to whom.
NOMINATIVE, ACCUSATIVE, GENITIVE, DATIVE = "who", "whom", "of whom", "to whom"
CASES = (NOMINATIVE, ACCUSATIVE, GENITIVE, DATIVE)

#: Endings of the nominative with those of accusative, genitive, dative; all that fit go.
_ENDINGS: tuple[tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
    ("ая", ("ую",), ("ой",), ("ой",)),
    ("яя", ("юю",), ("ей",), ("ей",)),
    ("ий", ("ого", "его"), ("ого", "его"), ("ому", "ему")),
    ("ый", ("ого",), ("ого",), ("ому",)),
    ("ой", ("ого",), ("ого",), ("ому",)),
    ("ей", ("ья",), ("ья",), ("ью",)),
    ("ел", ("ла",), ("ла",), ("лу",)),
    ("лец", ("льца",), ("льца",), ("льцу",)),
    ("яц", ("йца",), ("йца",), ("йцу",)),
    ("аец", ("айца",), ("айца",), ("айцу",)),
    ("оец", ("ойца",), ("ойца",), ("ойцу",)),
    ("ец", ("ца",), ("ца",), ("цу",)),
    ("ек", ("ка", "ька"), ("ка", "ька"), ("ку", "ьку")),
    ("ок", ("ка",), ("ка",), ("ку",)),
    ("а", ("у",), ("ы", "и"), ("е",)),
    ("я", ("ю",), ("и",), ("е", "и")),
    ("й", ("я",), ("я",), ("ю",)),
    ("ь", ("я", "ь"), ("я", "и"), ("ю", "и")),
    ("о", ("а", "у"), ("а", "ы"), ("у", "е")),
)

#: Names that lose their vowel and have no other form: «Лёву» is of «Лёва», not of «Лев».
_IRREGULAR = {"лев": ("льва", "льва", "льву"), "павел": ("павла", "павла", "павлу")}

#: The same for transliterated names; no two people write them alike.
_LATIN = (
    ("a", ("u", "y", "i", "e")),
    ("ya", ("yu", "iu", "i", "e")),
    ("ia", ("iu", "iyu", "ii")),
    ("iy", ("iya", "ia")),
    ("ij", ("iya", "ija")),
    ("y", ("ya", "ia")),
    ("ey", ("eya",)),
    ("ei", ("eya",)),
    ("ej", ("eja",)),
    ("el", ("la",)),
    ("ev", ("va",)),
)

#: Words that end so have the same form in every case, as «Нелли», «Короленко», «Черных».
_SAME = ("е", "и", "о", "у", "ы", "э", "ю", "их", "ых")
_VOWELS = "аеиоуыэюяйь"

#: More words than this are no name.
_MOST_WORDS = 4


@lru_cache(maxsize=8192)
def word_forms(word: str) -> dict[str, frozenset[str]]:
    """Return the forms of one word by case.

    >>> sorted(word_forms("павел")[ACCUSATIVE]), sorted(word_forms("мария")[GENITIVE])
    (['павла'], ['марии'])
    """
    found: dict[str, set[str]] = {ACCUSATIVE: set(), GENITIVE: set(), DATIVE: set()}
    if word in _IRREGULAR:
        for case, form in zip(found, _IRREGULAR[word], strict=True):
            found[case].add(form)
        return _frozen(word, found)
    for ending, *cases in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending):
            for case, others in zip(found, cases, strict=True):
                found[case] |= {word[: -len(ending)] + other for other in others}
    if len(word) > 1 and "а" <= word[-1] <= "я" and word[-1] not in _VOWELS:
        for case, ending in ((ACCUSATIVE, "а"), (GENITIVE, "а"), (DATIVE, "у")):
            found[case].add(word + ending)
    if len(word) < 2 or word.endswith(_SAME) or not "а" <= word[-1] <= "я":
        for forms in found.values():
            forms.add(word)
    return _frozen(word, found)


def _frozen(word: str, found: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {NOMINATIVE: frozenset({word}), **{case: frozenset(forms) for case, forms in found.items()}}


@lru_cache(maxsize=8192)
def name_forms(name: str) -> dict[str, frozenset[str]]:
    """Return the forms of a name, all its words in one case.

    >>> sorted(name_forms("николай второй")[ACCUSATIVE])
    ['николая второго', 'николая второя']
    """
    by_word = [word_forms(word) for word in name.split()[:_MOST_WORDS]]
    return {case: frozenset(" ".join(form) for form in product(*(one[case] for one in by_word))) for case in CASES}


@lru_cache(maxsize=8192)
def mixed_forms(name: str) -> frozenset[str]:
    """Return the forms of a name with each word as it is or declined: often only one of them is.

    >>> "анна керна" in mixed_forms("анна керн"), "анне" in mixed_forms("анна")
    (True, False)
    """
    words = [frozenset().union(*(word_forms(word)[case] for case in CASES[:3])) for word in name.split()[:_MOST_WORDS]]
    return frozenset(" ".join(form) for form in product(*words))


@lru_cache(maxsize=8192)
def guessed_forms(name: str) -> frozenset[str]:
    """Return forms that hardly stand in a heading: datives of «а» and «я», and transliterated names declined.

    >>> "boryu" in guessed_forms("borya"), "борису" in guessed_forms("борис")
    (True, False)
    """
    words = [_guessed(word) for word in name.split()[:_MOST_WORDS]]
    return frozenset(" ".join(form) for form in product(*words))


def _guessed(word: str) -> frozenset[str]:
    # another dative may be what a woman's name becomes: «Александру» is not Александр
    if word.endswith(("а", "я")):
        return word_forms(word)[DATIVE]
    return frozenset(word[: -len(end)] + other for end, others in _LATIN if word.endswith(end) for other in others)
