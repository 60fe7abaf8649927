"""Bytes of a text file to text: by its byte order mark, then strict UTF-8, then by the words in it."""

from __future__ import annotations

import codecs
import re
from itertools import pairwise

from prefxl.errors import FileError
from prefxl.sheets.headers import heading

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

#: What stands for a letter that cannot be read.
LOST = "\ufffd"

#: Old Cyrillic encodings, in the order they are believed.
_CYRILLIC = ("cp1251", "cp866", "koi8-r", "mac-cyrillic")

#: How much of a file its encoding is judged by.
_SAMPLE = 1 << 16

_CELLS = re.compile(r"[;\t,|\r\n\"]+")
_GOOD_WORD = re.compile(r"\b(?:[А-ЯЁ]?[а-яё]+|[А-ЯЁ]+)\b")
_WITHIN_NUMBER = re.compile(r"(?<=\d)[А-Яа-яЁё](?=\d{3}\b)")
#: Letters Russian names are full of, and those that hardly stand in them.
_COMMON, _RARE = frozenset("аеиноврлск"), frozenset("хшщъыьэюфцё")
_LETTERS = re.compile(r"[^\W\d_]")
_VOWELS = frozenset("аеёиоуыэюя")
_ODD = re.compile(r"[^\w\s.,;:!?()\[\]\"'/+*=@#%&<>|\\«»№—–-]|[ЂЃѓЉЊЌЋЏђљњќћџЎўЈҐЄЇІіґєјЅѕї]")


def decode(data: bytes) -> tuple[str, str]:
    """Return the text and the name of its encoding.

    Raises
    ------
    FileError
        If the bytes are no text in any of the known encodings.

    >>> decode("Игра;Пуля 1;Гора 1".encode("cp866"))[1]
    'cp866'
    """
    encoding = encoding_of(data)
    try:
        # a byte that was spoilt on the way costs a letter, not the file
        kind = "replace" if encoding.startswith("utf-8") else "strict"
        return data.decode(encoding, kind).removeprefix("\ufeff"), encoding
    except (UnicodeDecodeError, UnicodeError):
        raise FileError(
            f"the text is broken: it is not {encoding} throughout", f"текст повреждён: он не весь в {encoding}"
        ) from None


def encoding_of(data: bytes) -> str:
    """Return the encoding ``data`` is most surely in.

    Raises
    ------
    FileError
        If it looks like no text at all.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    head = data[:_SAMPLE]
    if b"\0" in head:
        return _wide_without_mark(head)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as fault:
        return (
            "utf-8" if _is_spoilt_utf8(data[max(fault.start - _SAMPLE, 0) : fault.start + _SAMPLE]) else _cyrillic(head)
        )
    return "utf-8"


def _is_spoilt_utf8(around: bytes) -> bool:
    """Tell whether the bytes around the first that is no UTF-8 mostly are: hardly a letter of an old encoding is."""
    text = around.decode("utf-8", "replace")
    return len(around) - len(text) > 20 * text.count(LOST)


def _wide_without_mark(head: bytes) -> str:
    """Return UTF-16 where every other byte is mostly the same plane, else refuse: it is no text."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    # spaces, digits and separators have a zero byte on one side only
    if len(head) >= 4 and min(even, odd) == 0:
        return "utf-16-le" if odd else "utf-16-be"
    raise FileError("this is no text: it has zero bytes", "это не текст: в нём нулевые байты")


def _cyrillic(head: bytes) -> str:
    """Return the old encoding in which most headings are known, then most words look Russian."""
    best = max(_CYRILLIC, key=lambda encoding: (_likeness(head, encoding), -_CYRILLIC.index(encoding)))
    return best


def _likeness(head: bytes, encoding: str) -> tuple[int, int, int]:
    text = head.decode(encoding, errors="replace")
    first = text[:8000]
    # a single letter is a short heading in one encoding and a piece of a name in another
    cells = {cell.strip() for cell in _CELLS.split(first) if len(_LETTERS.findall(cell)) > 1}
    known = sum(1 for cell in cells if not cell.isascii() and heading(cell) is not None)
    words = _GOOD_WORD.findall(first)
    odd = len(_ODD.findall(first)) + len(_WITHIN_NUMBER.findall(first))
    # an old encoding taken for another one may give words as well, but nobody is called «Гхэр»
    letters = "".join(words).casefold()
    likely = sum((letter in _COMMON) - 2 * (letter in _RARE) for letter in letters)
    likely += 2 * sum(_flow(word.casefold()) for word in words)
    return known, sum(map(len, words)) - 3 * odd, likely


def _flow(word: str) -> int:
    """Return how much more often vowels and consonants follow each other in a word than their like."""
    kinds = [letter in _VOWELS for letter in word]
    return sum(1 if one != other else -1 for one, other in pairwise(kinds)) - 3 * (word[0] in "ьъы")
