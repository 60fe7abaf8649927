"""Findings: what is wrong, where exactly, and what was expected, in both languages.

A finding is a value, collected and never raised. Its sentences are filled from
one table of reasons, so that a test can hold every reason to its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any


class Severity(StrEnum):
    """How much a finding matters."""

    #: the game (or the file) is not settled
    ERROR = "error"
    #: settled, but a person should look
    WARNING = "warning"
    #: said once, costs nothing
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Reason:
    """One kind of finding: its severity and its sentences.

    The sentences are templates over ``found``, ``where`` and the finding's details.
    """

    severity: Severity
    message: tuple[str, str]
    expected: tuple[str, str] = ("", "")


_NUMBER = ("a number: 12, −5, 7,5, ½", "число: 12, −5, 7,5, ½")


def _error(en: str, ru: str, expected: tuple[str, str] = ("", "")) -> Reason:
    return Reason(Severity.ERROR, (en, ru), expected)


def _warning(en: str, ru: str, expected: tuple[str, str] = ("", "")) -> Reason:
    return Reason(Severity.WARNING, (en, ru), expected)


def _note(en: str, ru: str, expected: tuple[str, str] = ("", "")) -> Reason:
    return Reason(Severity.NOTE, (en, ru), expected)


#: Every reason a finding can have; the key is what ``prefxl check --json`` calls it.
REASONS: Mapping[str, Reason] = MappingProxyType(
    {
        # one value
        "not-a-number": _error("“{found}” is not a number", "«{found}» — не число", _NUMBER),
        "error-value": _error("the cell holds an error: {found}", "в ячейке ошибка: {found}", _NUMBER),
        "date-in-score": _error(
            "Excel turned this entry into a date: {found}; type it again as text or a plain number",
            "Excel превратил запись в дату: {found}; введите её заново как текст или простое число",
            _NUMBER,
        ),
        "boolean": _error(
            "a truth value stands where a number belongs: {found}",
            "логическое значение вместо числа: {found}",
            _NUMBER,
        ),
        "no-cached-value": _error(
            "the formula has no stored value: open the file in Excel and save it",
            "у формулы нет сохранённого значения: откройте файл в Excel и сохраните",
            _NUMBER,
        ),
        "odd-fraction": _error(
            "{found} is a fraction of a point other than a half",
            "{found} — дробь очка, но не половина",
            ("whole or half points", "целые очки или половины"),
        ),
        "too-large": _error(
            "{found} is too large",
            "{found} — слишком много",
            ("at most 1 000 000 000", "не больше 1 000 000 000"),
        ),
        "negative-pulya": _error(
            "the pulya is negative: {found}", "пуля отрицательная: {found}", ("0 or more", "0 или больше")
        ),
        "empty-as-zero": _note(
            "empty cells of players who are there count as 0 ({count})",
            "пустые ячейки участников считаются нулём ({count})",
        ),
        # one game
        "whists-on-self": _error(
            "{player} has whists written on themselves: {found}",
            "у игрока {player} висты на самого себя: {found}",
            ("empty", "пусто"),
        ),
        "whists-on-nobody": _error(
            "{found} whists are written on a player who is not in this game",
            "{found} вистов записано на того, кого в этой игре нет",
            ("empty", "пусто"),
        ),
        "numbers-without-player": _error(
            "there are numbers here, but no player's name: {found}",
            "числа есть, а имени игрока нет: {found}",
            ("a name", "имя"),
        ),
        "player-twice": _error(
            "{found} plays twice in one game",
            "{found} участвует в игре дважды",
            ("different players", "разные игроки"),
        ),
        "one-player": _error(
            "the game has only one player: {found}",
            "в игре только один участник: {found}",
            ("2 to 5 players", "от 2 до 5 участников"),
        ),
        "too-many-players": _error(
            "the game has {found} players",
            "в игре {found} участников",
            ("2 to 5 players", "от 2 до 5 участников"),
        ),
        "no-player": _error("the row has no player", "в строке нет игрока", ("a name", "имя")),
        "unknown-setting": _error("{message_en}", "{message_ru}"),
        "cannot-settle": _error("{message_en}", "{message_ru}"),
        "unknown-corrected": _error(
            "“{found}” does not play in this game",
            "«{found}» не участвует в этой игре",
            ("a player of this game or a seat", "участник игры или его место"),
        ),
        "broken-line": _error(
            "the line has {found} fields, the heading {count}: a decimal comma or a separator is in the way",
            "в строке {found} полей, в заголовке {count}: мешает десятичная запятая или разделитель",
            ("{count} fields", "{count} полей"),
        ),
        "unclear-name": _error(
            "the heading of these whists fits several players: {found}",
            "заголовок этих вистов подходит нескольким игрокам: {found}",
            ("one player's name", "имя одного игрока"),
        ),
        "open-quote": _error(
            "a quote is opened here and never closed: {found}",
            "кавычка открыта и не закрыта: {found}",
            ("a closing quote", "закрывающая кавычка"),
        ),
        "whists-on-whom": _error(
            "the column “{found}” does not say on whom the whists are written: none of its games can be settled",
            "столбец «{found}» не говорит, на кого написаны висты: его игры рассчитать нельзя",
            ("whists on each: whists_1, whists_2 ...", "висты на каждого: «Висты на 1», «Висты на 2» ..."),
        ),
        "unread-columns": _error(
            "there is no column of {role_en}, and nothing says what these numbers are: {found}: "
            "none of these games can be settled",
            "нет столбца «{role_ru}», а что за числа здесь, заголовок не говорит: {found}; эти игры рассчитать нельзя",
            ("a heading that says what the column is", "заголовок, который говорит, что в столбце"),
        ),
        "contradicting-columns": _error(
            "two columns are headed “{found}” and hold other numbers (the first is {first}): "
            "none of these games can be settled",
            "два столбца с заголовком «{found}», и числа в них разные (первый — {first}): эти игры рассчитать нельзя",
            ("one column of each heading", "по одному столбцу с каждым заголовком"),
        ),
        "no-names": _error(
            "no column has the players' names; columns nobody knows: {found}",
            "нет столбцов с именами игроков; непонятные столбцы: {found}",
            ("player_1, player_2 ...", "«Игрок 1», «Игрок 2» ..."),
        ),
        # a person should look
        "game-twice": _warning(
            "game {found} stands here a second time (first at {first})",
            "игра {found} записана второй раз (первый — {first})",
            ("each game once", "каждая игра один раз"),
        ),
        "look-alike-name": _warning(
            "“{found}” looks like “{other}” ({first}): counted as two players",
            "«{found}» похоже на «{other}» ({first}): считаются разными игроками",
            ("one spelling, or a table of names", "одно написание или таблица имён"),
        ),
        "nobody-corrected": _warning(
            "“{found}”, whose gora was to be corrected, plays in none of these games",
            "«{found}», чью гору исправлять, не участвует ни в одной из этих игр",
            ("a player of these games or a seat", "участник этих игр или место"),
        ),
        "transposed-whists": _warning(
            "the whists may be written the wrong way round: a row is what its player wrote on the others",
            "висты, похоже, записаны наоборот: строка — то, что игрок написал на других",
        ),
        "truncation-residual": _warning(
            "the results of game {found} sum to {sum}, not 0: that is how “truncate” rounds; "
            "money is taken from the exact results",
            "сумма итогов игры {found} равна {sum}, а не 0: так округляет «отбрасывание»; деньги — по точным итогам",
        ),
        "column-twice": _warning(
            "the heading “{found}” stands twice: the first is read",
            "заголовок «{found}» стоит дважды: читается первый",
        ),
        "guessed-heading": _warning(
            "“{found}” read as {role_en}: is that right?",
            "«{found}» прочитано как {role_ru}: верно ли это?",
            ("the player's name", "имя игрока"),
        ),
        "missing-column": _warning(
            "there is no column of {role_en}: it counts as 0 for everybody",
            "нет столбца «{role_ru}»: у всех считается 0",
            ("a column of {role_en}", "столбец «{role_ru}»"),
        ),
        "without-whists": _warning(
            "no whists here, though other tables of this file have them: taken for totals, not for games",
            "вистов здесь нет, а в других таблицах файла они есть: считаем это итогами, а не играми",
            ("a column of whists, if these are games", "столбец «висты», если это игры"),
        ),
        "no-scores": _warning(
            "there are names, but not one number: everybody gets 0",
            "имена есть, а чисел нет: у всех ноль",
            ("pulya, gora, whists", "пуля, гора, висты"),
        ),
        "no-numbers": _warning(
            "{found} plays, but has not one number: all of theirs count as 0",
            "{found} участвует, но ни одного числа нет: всё считается нулём",
            ("pulya, gora, whists", "пуля, гора, висты"),
        ),
        "taken-for-remark": _warning(
            "“{found}” has not one number and plays nowhere else: taken for a remark, not for a player",
            "«{found}» — ни одного числа, и больше нигде не участвует: считается примечанием, а не игроком",
            ("a player's numbers, or no such row", "числа игрока или никакой строки"),
        ),
        "lost-letter": _warning(
            "a letter here cannot be read, the file is damaged: {found}",
            "здесь буква, которую не прочитать, файл повреждён: {found}",
            ("letters in UTF-8", "буквы в UTF-8"),
        ),
        "impossible-date": _warning(
            "there is no such day: {found}", "такого дня нет: {found}", ("a date: 04.01.2026", "дата: 04.01.2026")
        ),
        # said once
        "unread-date": _note(
            "kept as text, for it is not clear which day it is: {found} ({count} cells)",
            "остаётся текстом: неясно, какой это день: {found} (ячеек: {count})",
            ("a date: 2026-01-04", "дата: 04.01.2026"),
        ),
        "unequal-pulyas": _note(
            "unequal pulyas: “leningrad” (exact) would give {found}",
            "пули неравны: «ленинградка» (точно) дала бы {found}",
        ),
        "encoding": _note("read as {found}", "прочитано в кодировке {found}"),
        "totals-row": _note("a totals row, not a game: {found}", "строка итогов, а не игра: {found}"),
        "remark": _note("a remark, not a game: {found}", "примечание, а не игра: {found}"),
        "empty-game": _note(
            "numbered, but not played yet: {found} ({count} rows)",
            "номер есть, а игры ещё нет: {found} (строк: {count})",
        ),
        "hidden": _note("hidden, but read: {found}", "скрыто, но прочитано: {found}"),
        "left-out": _warning(
            "this worksheet is left out: {message_en}",
            "этот лист пропущен: {message_ru}",
        ),
        "far-cells": _warning(
            "far from everything else, not read: {found} ({count} cells)",
            "далеко от всего остального, не прочитано: {found} (ячеек: {count})",
            ("cells next to the table, or nothing there", "ячейки рядом с таблицей или пусто"),
        ),
        "not-a-score-sheet": _note("no score sheet here: {found}", "здесь нет записей игр: {found}"),
        "matched-heading": _note("“{found}” read as {role_en}", "«{found}» прочитано как {role_ru}"),
        "own-results": _note(
            "results of an earlier run, not read: {found}", "итоги прошлого расчёта, не читаются: {found}"
        ),
        # the whole file
        "no-games": _error(
            "no score sheet was found",
            "записей игр не найдено",
            (
                "a heading row: game, player, pulya, gora, whists",
                "строка заголовков: игра, игрок, пуля, гора, висты",
            ),
        ),
        "none-good": _error(
            "not one game could be settled: each has an error",
            "ни одна игра не рассчитана: в каждой есть ошибка",
            ("at least one game without errors", "хотя бы одна игра без ошибок"),
        ),
        "unreadable": _error("{message_en}", "{message_ru}"),
    }
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding and its place.

    Attributes
    ----------
    reason
        A key of :data:`REASONS`.
    file, sheet, cell
        Where: the file's name, the worksheet (``""`` for text files) and the cell in A1 style
        (``""`` when the whole sheet is meant). In a text file the row of the cell is the line.
    found
        What stands there, as text.
    details
        Whatever else the sentence of the reason needs.
    """

    reason: str
    file: str = ""
    sheet: str = ""
    cell: str = ""
    found: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return REASONS[self.reason].severity

    @property
    def where(self) -> str:
        """The place as users write it: ``club.xlsx!Май!C7``."""
        return "!".join(part for part in (self.file, self.sheet, self.cell) if part)

    def message(self, lang: str = "en") -> str:
        """Return the sentence in ``lang``."""
        return self._fill(REASONS[self.reason].message, lang)

    def expected(self, lang: str = "en") -> str:
        """Return what was expected there, in ``lang``."""
        return self._fill(REASONS[self.reason].expected, lang)

    def record(self, lang: str = "en") -> dict[str, str]:
        """Return the finding as a row: reason severity file sheet cell found expected message."""
        return {
            "reason": self.reason,
            "severity": self.severity.value,
            "file": self.file,
            "sheet": self.sheet,
            "cell": self.cell,
            "found": self.found,
            "expected": self.expected(lang),
            "message": self.message(lang),
        }

    def _fill(self, sentences: tuple[str, str], lang: str) -> str:
        sentence = sentences[1] if lang == "ru" else sentences[0]
        return sentence.format_map({"found": self.found, "where": self.where, **self.details})


#: Reasons that leave out a whole table or file, however many games it holds.
WHOLE_TABLES = frozenset(
    {
        "whists-on-whom",
        "unread-columns",
        "contradicting-columns",
        "no-names",
        "no-games",
        "none-good",
        "open-quote",
        "unreadable",
    }
)


def games_left_out(findings: Iterable[Finding]) -> int:
    """Return how many games have an error of their own, each counted once."""
    return len(
        {
            (finding.file, finding.sheet, finding.details.get("rows", finding.cell))
            for finding in findings
            if finding.severity is Severity.ERROR and finding.reason not in WHOLE_TABLES
        }
    )


def tables_left_out(findings: Iterable[Finding]) -> int:
    """Return how many tables and files were not read at all."""
    told = [finding for finding in findings if finding.reason in WHOLE_TABLES and finding.reason != "none-good"]
    return len({(finding.file, finding.sheet, finding.details.get("rows", finding.cell)) for finding in told})


#: The columns of findings as a table, in order.
FINDING_COLUMNS = ("reason", "severity", "file", "sheet", "cell", "found", "expected", "message")


def worst(findings: Iterable[Finding]) -> Severity | None:
    """Return the gravest severity among ``findings``, ``None`` where there are none."""
    found = {finding.severity for finding in findings}
    return next((severity for severity in Severity if severity in found), None)
