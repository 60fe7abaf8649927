"""What the function wizards show: every live function and argument, in English and Russian.

English is ASCII, because a VBA module is not Unicode; nothing is longer than the
255 characters Excel takes.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Excel refuses a longer description of a function or an argument.
LONGEST = 255


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a live function.

    Attributes
    ----------
    name
        Its name in the signature; never the function's own, which VBA refuses.
    ru_name, en, ru
        The name and the description the wizards show.
    table
        Whether a range is meant (else one cell).
    """

    name: str
    ru_name: str
    en: str
    ru: str
    table: bool = False


@dataclass(frozen=True, slots=True)
class LiveFunction:
    """One live function: its name, its texts and its arguments in order."""

    name: str
    en: str
    ru: str
    arguments: tuple[Argument, ...]


_SHEET = (
    Argument(
        "pulyas",
        "пули",
        "Pulya of each player: a row or a column; one number if all are equal; or blank",
        "Пуля каждого игрока: строка или столбец; одно число, если у всех поровну; или пусто",
        table=True,
    ),
    Argument(
        "goras",
        "горы",
        "Gora of each player: a row or a column, or blank",
        "Гора каждого игрока: строка или столбец, или пусто",
        table=True,
    ),
    Argument(
        "whists",
        "висты",
        "Square table of whists: row 1 is what player 1 has written on each; the diagonal is empty",
        "Квадрат вистов: строка 1 — что записал игрок 1 на каждого; диагональ пустая",
        table=True,
    ),
)
_RULES = (
    Argument(
        "convention",
        "конвенция",
        "rozaliev (taken if left out), leningrad, sochi, rostov, classic, prefcount-sochi, prefcount-leningrad",
        "розалиев (если не указана), ленинградка, сочинка, ростов, классика, prefcount-sochi, prefcount-leningrad",
    ),
    Argument(
        "rounding",
        "округление",
        "exact, debts, truncate, divisible, divisible-debts, balanced; the convention's own if left out",
        "точно, долги, отбрасывание, делимость, делимость долгов, баланс; если не указано — по конвенции",
    ),
)
_HOUSE_RULES = (
    Argument(
        "target",
        "цель",
        "Agreed pulya: a number, mean or largest; the convention's own if left out",
        "Договорная пуля: число, среднее или наибольшая; если не указана — по конвенции",
    ),
    Argument(
        "corrected",
        "исправляемый",
        "For the rounding divisible: the number of the player whose gora is corrected",
        "Для округления «делимость»: номер игрока, чья гора исправляется",
    ),
)
_LANG = (Argument("lang", "язык", "Language of the words: ru or en", "Язык слов: ru или en"),)
_MONEY = (
    Argument(
        "stake",
        "ставка",
        "Money for one whist, such as 0.5; in whists if left out",
        "Деньги за один вист, например 0,5; если не указана — в вистах",
    ),
    Argument(
        "kind",
        "платежи",
        "pairwise (taken if left out: who owes whom) or fewest (the fewest transfers)",
        "попарно (если не указано: кто кому должен) или меньше всего (наименьшее число переводов)",
    ),
)
_NAMES = (
    Argument(
        "names",
        "имена",
        "Names of the players: a row or a column; their numbers if left out",
        "Имена игроков: строка или столбец; если не указаны — номера",
    ),
)

#: Every live function, in the order the wizards show them.
FUNCTIONS = (
    LiveFunction(
        "PULYA",
        "Settles a Preferans score sheet: what each player wins (above 0) or loses, in whists",
        "Рассчитывает пульку: сколько вистов каждый выиграл (больше 0) или проиграл",
        _SHEET + _RULES + _HOUSE_RULES,
    ),
    LiveFunction(
        "PULYA_WHY",
        "Says in a sentence why PULYA cannot settle this sheet, or by which rules it did",
        "Говорит одной фразой, почему PULYA не рассчитала эту пульку или по каким правилам рассчитала",
        _SHEET + _RULES + _HOUSE_RULES + _LANG,
    ),
    LiveFunction(
        "PULYA_STEPS",
        "Every step of the settlement as a table: a row of headings, then a row for each player",
        "Все шаги расчёта таблицей: строка заголовков, затем строка на каждого игрока",
        _SHEET + _RULES + _HOUSE_RULES + _LANG,
    ),
    LiveFunction(
        "PULYA_PAIRS",
        "Who wins how many whists from whom: row 1 is what player 1 wins from each",
        "Взаимный расчёт: строка 1 — сколько вистов игрок 1 выиграл у каждого",
        _SHEET + _RULES + _HOUSE_RULES,
    ),
    LiveFunction(
        "PULYA_PAY",
        "Who pays whom and how much: a row of headings, then a row for each payment",
        "Кто кому сколько платит: строка заголовков, затем строка на каждый платёж",
        _SHEET + _RULES + _MONEY + _HOUSE_RULES + _NAMES + _LANG,
    ),
)
