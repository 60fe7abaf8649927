"""Texts of cells and names as they are compared: what cannot be seen does not count."""

from __future__ import annotations

import re
import unicodedata

_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0b\x0c\x0e-\x1f]")
_BLANKS = re.compile(r"\s+")


def visible(text: str) -> str:
    """Return ``text`` without invisible characters, its spaces as they are."""
    return _UNSEEN.sub("", text)


def clean(text: str) -> str:
    """Return ``text`` without invisible characters, its spaces single and none at the ends.

    >>> clean("\\ufeff Аня\\u00a0 П. ")
    'Аня П.'
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return _BLANKS.sub(" ", visible(text)).strip()


def folded(text: str) -> str:
    """Return ``text`` folded for comparison: compatibility forms, case, ё and spaces do not matter.

    >>> folded("  Лёша\\u00a0П.") == folded("леша п.")
    True
    """
    return clean(unicodedata.normalize("NFKC", text)).casefold().replace("ё", "е")
