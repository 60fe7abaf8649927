"""Headings: what a cell above a column says the column is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from prefxl.sheets.aliases import ALIASES, FROM_WORDS, NOT_NAMES, ON_WORDS, SEAT_WORDS, TOTAL_WORDS, UNIT_WORDS
from prefxl.sheets.values import CellError, Uncached, is_empty, shown
from prefxl.texts import folded

#: Headings of the columns that ``prefxl`` itself writes beside a table, in both languages;
#: in the wide layout followed by a seat: ``Итог 1``. A block of them ends with the check.
OWN_MONEY_HEADINGS = ("Деньги", "Money")
OWN_RESULT_HEADINGS = ("Итог", "Result", *OWN_MONEY_HEADINGS)
OWN_CHECK_HEADINGS = ("Проверка", "Check")
OWN_HEADINGS = (*OWN_RESULT_HEADINGS, *OWN_CHECK_HEADINGS)

#: Worksheets that ``prefxl`` itself writes, in both languages.
OWN_SHEETS = (
    "Расчёт", "Платежи", "Таблица", "Личные встречи", "Ход сезона", "Замечания", "Правила", "Пулька",
    "Settlement", "Payments", "Standings", "Head to head", "Season", "Findings", "Rules", "Pulka",
)  # fmt: skip

#: Steps of the settlement, as our frames and report sheets head them: with these and no whists, a table is a result.
OWN_STEPS = frozenset(
    {
        "adjusted gora",
        "amnestied gora",
        "final gora",
        "result exact",
        "correction",
        "gora, equal pulyas",
        "result, exact",
        "гора при равных пулях",
        "гора после амнистии",
        "конечная гора",
        "итог точно",
        "поправка",
    }
)

#: A sheet of ours says so with this word in its first cell, where a format has no defined names.
OWN_MARK = "prefxl"

#: Defined names that mark our sheets (``_prefxl.sheet.1``) and our cells (``_prefxl.cells.1``).
OWN_NAMES = "_prefxl."

#: Roles of columns that are about the game, not about a seat.
GAME_ROLES = ("game", "date", "convention", "rounding", "corrected", "stake", "target")

#: Roles that hold a player's numbers.
SCORE_ROLES = ("pulya", "gora", "whists")


@dataclass(frozen=True, slots=True)
class Heading:
    """What a heading says.

    Attributes
    ----------
    role
        ``game date player pulya gora whists seat`` or a setting.
    one, other
        Whose column it is, and on whom the whists are: a seat from 1 or a name as written, ``""`` for none.
    turned
        The whists are those written by ``other``, not on them.
    loose
        Only matched by what was left of the text; may be some other column.
    """

    role: str
    one: int | str = ""
    other: int | str = ""
    turned: bool = False
    loose: bool = False

    @property
    def plain(self) -> bool:
        """Whether the heading names nobody."""
        return self.one == "" and self.other == ""


def _either(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_WHOLE: Mapping[str, str] = {alias: role for role, aliases in ALIASES.items() for alias in aliases}
_SEAT = rf"(?:(?:{_either(SEAT_WORDS)})\s*)?"
_ARROWS = _either([word for word in ON_WORDS if not word[0].isalpha()])
_ONS = _either([word for word in ON_WORDS if word[0].isalpha()])
_ON = rf"\s*(?:{_ARROWS})\s*|\s+(?:{_ONS})\s+"
_FIELDS = {role: _either(ALIASES[role]) for role in ("player", *SCORE_ROLES)}
_SEATED = {
    role: re.compile(
        rf"(?:{words})\s*[-(\[]?\s*{_SEAT}(?P<seat>[1-9])[)\]]?|{_SEAT}(?P<seat2>[1-9])\s*[-)]?\s*(?:{words})"
    )
    for role, words in _FIELDS.items()
}
_PAIR = re.compile(
    rf"(?P<word>{_FIELDS['whists']})?\s*[(\[]?\s*{_SEAT}(?P<one>[1-9])(?:{_ON}|\s*[-–—−_/:,x]\s*|\s*){_SEAT}(?P<other>[1-9])[)\]]?"
)
_BARE_PAIR = re.compile(rf"{_SEAT}[1-9](?:{_ON}|\s*[-–—−]\s*){_SEAT}[1-9]")
# before a name only whole words go: the «p» of Peter and the «no» of Nora are theirs
_LONG_SEAT = _either([word for word in SEAT_WORDS if len(word) > 4])
_WHOSE = rf"(?:(?:{_either(SEAT_WORDS)})\s*(?=[1-9][)\]]?$)|(?:{_LONG_SEAT})\s+(?!\d\d))?"
_CALLED = re.compile(rf"\b(?:{_either(SEAT_WORDS)})\s*[1-9]$", re.IGNORECASE)
_FROM_ARROWS = _either([word for word in FROM_WORDS if not word[0].isalpha()])
_FROMS = _either([word for word in FROM_WORDS if word[0].isalpha()])
_ON_SOMEBODY = re.compile(
    rf"(?:(?:{_FIELDS['whists']})(?:{_ON})|(?:{_ON.strip()})|(?:на|on|na)\s+){_WHOSE}(?P<whom>\S.*)"
)
_FROM_SOMEBODY = re.compile(
    rf"(?:{_FIELDS['whists']})(?:\s*(?:{_FROM_ARROWS})\s*|\s+(?:{_FROMS})\s+){_WHOSE}(?P<whom>\S.*)"
)
_BETWEEN = re.compile(rf"(?:(?:{_FIELDS['whists']})\s+)?(?P<one>\S.*?)(?:{_ON}|\s*[-–—]\s*)(?P<other>\S.*)")
_LONG_WHISTS = r"висты|вист|whists|whist|visty|vist"
_LONG_WORDS = {
    "player": r"игрок|player|igrok",
    "pulya": r"пуля|пули|pulya|pulia|pool",
    "gora": r"гора|горы|gora",
    "whists": _LONG_WHISTS,
}
_NAMED = {
    role: re.compile(
        rf"(?:{words})(?:\s*[:(\[-]\s*|\s+)(?P<name>[^\d\W].*?)[)\]]?|(?P<name2>[^\d\W].*?)(?:\s*[:-]\s*|\s+)(?:{words})"
    )
    for role, words in _LONG_WORDS.items()
}
_UNITS = re.compile(rf"\s*(?:[,(\[]\s*(?:в\s+)?(?:{_either(UNIT_WORDS)})\s*[)\]]?)$")
#: What parts a sentence, or more words than two people's names take.
_SENTENCE = re.compile(r"[,;!?]\s|(?:\S+\s+){8}")
_STARTS = re.compile(rf"(?:{'|'.join(_LONG_WORDS.values())})\b")
_TOTALS = re.compile(rf"\W{{0,5}}(?:{_either(TOTAL_WORDS)})(?![\w-])", re.IGNORECASE)


def words_of(text: str) -> str:
    """Return a heading folded for comparison.

    >>> words_of("№ игры:"), words_of("Whists_1_2")
    ('no игры', 'whists 1 2')
    """
    plain = folded(text.replace("№", "no ")).replace("_", " ").replace(".", " ").replace(":", " ").replace("*", " ")
    return " ".join(plain.split())


def heading(value: Any) -> Heading | None:
    """Return what a cell says as a heading, ``None`` where it is none.

    >>> heading("Висты 1 на 2"), heading("pulya_3").one, heading("Висты на Аню").other
    (Heading(role='whists', one=1, other=2, turned=False, loose=False), 3, 'Аню')
    """
    if not isinstance(value, str):
        return None
    return parse(value) if len(value) <= 80 else None


@lru_cache(maxsize=4096)
def parse(text: str) -> Heading | None:
    """Return what ``text`` says as a heading."""
    words = words_of(text)
    if not words:
        return None
    words = _UNITS.sub("", words) or words
    if _SENTENCE.search(words) and not _STARTS.match(words):
        return None
    return _whole(words) or _seated(words) or _whists(words, _spelled(text)) or _named(words, _spelled(text))


def _spelled(text: str) -> str:
    """Return the heading in the user's own spelling, as far as folding keeps its length."""
    return " ".join(text.replace("_", " ").replace(":", " ").split())


def _whole(words: str) -> Heading | None:
    role = _WHOLE.get(words)
    return Heading(role) if role else None


def _seated(words: str) -> Heading | None:
    for role, pattern in _SEATED.items():
        found = pattern.fullmatch(words)
        if found:
            seat = int(found["seat"] or found["seat2"])
            return Heading("whists", other=seat) if role == "whists" else Heading(role, one=seat)
    found = _PAIR.fullmatch(words)
    # two bare digits are a number, and with a comma between them as well
    if found and not found["word"] and not _BARE_PAIR.fullmatch(words):
        return None
    if found and _is_one_number(words, found):
        return None
    if found and found["one"] != found["other"]:
        return Heading("whists", int(found["one"]), int(found["other"]), loose=not found["word"])
    return Heading("whists", int(found["one"]), int(found["other"])) if found and found["word"] else None


def _is_one_number(words: str, found: re.Match[str]) -> bool:
    """Tell whether two digits are one number, the name's of whom the whists are on: ``Висты на Игрок11``."""
    before = words[: found.start("one")].strip(" ([")
    told_on = any(before.endswith(f" {word}") for word in ON_WORDS) or (before != "" and before not in _WHOLE)
    return found.end("one") == found.start("other") and told_on


def _whists(words: str, spelled: str) -> Heading | None:
    turned = _FROM_SOMEBODY.fullmatch(words)
    found = turned or _ON_SOMEBODY.fullmatch(words)
    if found:
        whom = found["whom"].strip(" ()[]")
        if whom.split(" ")[0] in NOT_NAMES or not whom:
            return None
        between = _BETWEEN.fullmatch(whom) if re.search(_ON, whom) else None
        if between is None:
            return Heading("whists", other=_party(whom, spelled), turned=bool(turned))
    between = _BETWEEN.fullmatch(words)
    if between and re.search(_ON, words) and between["one"] not in _WHOLE:
        one, other = between["one"].strip(" ()[]"), between["other"].strip(" ()[]")
        return Heading("whists", _party(one, spelled), _party(other, spelled), loose=True)
    return None


def _named(words: str, spelled: str) -> Heading | None:
    for role, pattern in _NAMED.items():
        found = pattern.fullmatch(words)
        name = (found["name"] or found["name2"]).strip(" ()[]") if found else ""
        if name and name.split(" ")[0] not in NOT_NAMES and name not in _WHOLE:
            party = _party(name, spelled)
            return Heading(role, other=party, loose=True) if role == "whists" else Heading(role, one=party, loose=True)
    return None


def _party(folded_name: str, spelled: str) -> int | str:
    """Return a seat or a name; the name as it is spelled in the heading."""
    if len(folded_name) == 1 and folded_name in "123456789":
        return int(folded_name)
    words = folded_name.split(" ")
    # an initial keeps its full stop
    pattern = r"[\s.*]+".join(map(re.escape, words)) + (r"\.?" if len(words[-1]) == 1 < len(words) else "")
    found = list(re.finditer(pattern, spelled.casefold().replace("ё", "е")))
    return spelled[slice(*found[-1].span())] if found else folded_name


def seat_called(text: str) -> str:
    """Return what a heading calls a seat by, where that may be a player's name as well; ``""`` elsewhere.

    >>> seat_called("Висты на Игрок 1"), seat_called("whists_1")
    ('Игрок 1', '')
    """
    spelled = _spelled(text)
    found = _CALLED.search(spelled)
    return spelled[found.start() :] if found else ""


def label(value: Any) -> str:
    """Return a heading cell as text, ``""`` where empty or an error."""
    return "" if is_empty(value) or isinstance(value, (CellError, Uncached)) else shown(value)


def is_total(value: Any) -> bool:
    """Return whether a cell begins a row of totals.

    >>> is_total("Итого:"), is_total("Итого за май"), is_total("Всеволод")
    (True, True, False)
    """
    return isinstance(value, str) and _TOTALS.match(value) is not None


def own_columns(labels: Mapping[int, str], marked: Set[int] = frozenset()) -> frozenset[int]:
    """Return the columns that an earlier run of ``prefxl`` wrote: result columns up to a check, side by side.

    Parameters
    ----------
    labels
        Heading text by column.
    marked
        The columns with a mark of that run. Where they still fit the headings, no others are ours: a user has
        columns «Итог» and «Деньги», too.
    """
    ours: set[int] = set()
    for column, text in labels.items():
        if _own_word(text) in OWN_CHECK_HEADINGS:
            block = _own_block(labels, column)
            run = _run_up_to(column, marked)
            ours |= run if len(run) > 1 and run <= block and column + 1 not in marked else block
    return frozenset(ours)


def _own_block(labels: Mapping[int, str], check: int) -> set[int]:
    """Return the columns of a block of ours by its headings: results, then money, then the check."""
    block: list[str] = []
    for column in range(check - 1, 0, -1):
        text = labels.get(column, "")
        if _own_word(text) not in OWN_RESULT_HEADINGS or (block and not _goes_before(text, block)):
            break
        block.append(text)
    return set(range(check - len(block), check + 1)) if block else set()


def _goes_before(text: str, block: Sequence[str]) -> bool:
    """Tell whether a column of ours may stand before those of ``block``, of which the last is next to it.

    A column of the user's is told by a heading that was there, by money before the results, or by a heading of
    nobody's before those of players.
    """
    word, beside = _own_word(text), _own_word(block[-1])
    in_order = word not in OWN_MONEY_HEADINGS or beside in OWN_MONEY_HEADINGS
    return text not in block and in_order and (text == word) == (block[-1] == beside)


def _run_up_to(column: int, marked: Set[int]) -> set[int]:
    """Return the marked columns side by side that end with ``column``."""
    left = column
    while left in marked:
        left -= 1
    return set(range(left + 1, column + 1))


def stray_columns(labels: Mapping[int, str], marked: Set[int]) -> frozenset[int]:
    """Return the columns that an earlier run wrote and that the marks it left have lost.

    A program that moves no marks along leaves one on a column with another heading.

    Parameters
    ----------
    labels
        Heading text by column.
    marked
        The columns with a mark.
    """
    if all(_own_word(labels.get(column, "")) for column in marked):
        return frozenset()
    return frozenset(column for column, text in labels.items() if column > min(marked) and _own_word(text))


def _own_word(text: str) -> str:
    word = text.split(" ")[0].strip(":,")
    return word if word in OWN_HEADINGS else ""
