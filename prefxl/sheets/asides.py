"""Texts that stand where a player's name is looked for, and are none: remarks on the evening."""

from __future__ import annotations

import re

from prefxl.sheets.aliases import MONTH_NAMES, MONTHS, NAMES_LIKE_VERBS, PREPOSITIONS, REMARK_WORDS
from prefxl.sheets.headers import words_of

#: No name is longer [characters].
_LONGEST_NAME = 40

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*\.?")
_BRACKETS = re.compile(r"[(\[][^)\]]*[)\]]")
_SHORTENED = 3
#: A verb in the past tense: «Дежурил Гена», «Играли Дома», «Собрались».
_PAST = re.compile(r"[а-я]{2,}[аеияы]л(?:а|о|и|ся|ась|ось|ись)?")


def is_remark(text: str, *, alone: bool = False) -> bool:
    """Return whether a text is a remark rather than a name: by its first word, its length, its small letters.

    Parameters
    ----------
    text
        What stands in the players' column of a row without numbers.
    alone
        Whether it is all that stands in its line of a text file.

    >>> is_remark("Прим.: Вера ушла раньше"), is_remark("доиграли в два часа ночи"), is_remark("Вера не пришла")
    (True, True, True)
    >>> is_remark("Дежурил Гена"), is_remark("У Лёши"), is_remark("Перерыв"), is_remark("Павел Ильин")
    (True, True, True, False)
    >>> is_remark("Вера"), is_remark("дядя Ваня"), is_remark("Петров Иван Сергеевич"), is_remark("Иванов А.")
    (False, False, False, False)
    """
    words = _WORD.findall(_BRACKETS.sub("", text)) or _WORD.findall(text)
    if not words:
        return False
    first = words_of(words[0])
    if first in REMARK_WORDS or text[0] in "*(" or len(text) > _LONGEST_NAME:
        return len(words) > 1 or words_of(text) in REMARK_WORDS or text.endswith((".", ":", "!"))
    if any(sign in text for sign in ":;!?") or (text.endswith(".") and len(words[-1]) > _SHORTENED + 1):
        return True
    if len(words) == 1:
        return _is_verb(text, plural=True)
    return alone or len(words) > 3 or _says_something(words) or first in PREPOSITIONS or _is_verb(words[0])


def _is_verb(word: str, *, plural: bool = False) -> bool:
    """Return whether a word is a verb in the past tense, such as no name is."""
    plain = words_of(word)
    if not _PAST.fullmatch(plain) or plain in NAMES_LIKE_VERBS:
        return False
    return not plural or plain.endswith(("ли", "сь"))


def may_be_one(text: str) -> bool:
    """Return whether a text of several words may be a remark as well as a name: «Клуб Шахматист».

    >>> may_be_one("Второй Стол"), may_be_one("Гена")
    (True, False)
    """
    return len(_WORD.findall(_BRACKETS.sub("", text))) > 1


def _says_something(words: list[str]) -> bool:
    """Return whether words go on in small letters, as in a sentence: «Вера опоздала», not «дядя Ваня»."""
    small = [word[0].islower() for word in words]
    shortened = words[-1].endswith(".") and len(words[-1]) <= _SHORTENED + 1
    return small[-1] and not shortened and (not small[0] or len(words) > 2)


#: Months that are nobody's name either.
_NO_NAMES = frozenset({names[0] for names in MONTH_NAMES} | {"january", "february", "march", "july"})


def is_heading_between(text: str) -> bool:
    """Return whether a text in the players' column is a month and no name: «Март» is one, «Марта» is not.

    >>> is_heading_between("Март"), is_heading_between("Марта 2026"), is_heading_between("Марта")
    (True, True, False)
    """
    return is_month(text) and (any(char.isdigit() for char in text) or words_of(text) in _NO_NAMES)


def is_month(text: str) -> bool:
    """Return whether a text names a month, alone or with its year: a heading between games.

    >>> is_month("Январь 2026"), is_month("февраль"), is_month("May 2026"), is_month("Май-1")
    (True, True, True, False)
    """
    words = words_of(text).split()
    words = [word for word in words if word not in ("г", "год", "года")]
    years = [word for word in words if word.isdecimal() and len(word) == 4]
    return len(words) - len(years) == 1 and len(years) < 2 and words[0] in MONTHS
