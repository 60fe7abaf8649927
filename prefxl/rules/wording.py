"""The words a settlement is explained in, Russian and English, and how its numbers are written.

Names of players are never declined: the sentences are built so that a name stands as it is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from prefxl.rules.conventions import RUSSIAN

#: An exact number; whole ones are best given as ``int``, which takes a fraction of the time.
Exact: TypeAlias = int | Fraction

#: How numbers are written: U+2212 is the minus people write, a comma stands in Russian decimals.
MINUS = "−"

#: Every sentence of an explanation: (English, Russian).
SENTENCES = {
    "title": (
        "Convention: {convention}. Rounding: {rounding}. Players: {players}.",
        "Конвенция: {convention}. Округление: {rounding}. Участников: {players}.",
    ),
    "whist-value": (
        "A gora point is worth {value} whists.",
        "Очко горы стоит {value} в.",
    ),
    "divisor": (
        "The gora is divided by {divisor}: the house rule of this table.",
        "Гора делится на {divisor}: так договорились за этим столом.",
    ),
    "undivided": (
        "The gora is not divided: the house rule of this table.",
        "Гора ни на что не делится: так договорились за этим столом.",
    ),
    # headings
    "sheet": ("The sheet", "Запись"),
    "equalise": ("1. The pulyas are made equal", "1. Уравниваем пули"),
    "amnesty": ("2. The amnesty", "2. Амнистия"),
    "correct": ("The gora is made divisible", "Делимость горы"),
    "gora": ("3. Gora to whists", "3. Гора в висты"),
    "whists": ("4. The whists cancel", "4. Сальдо вистов"),
    "result": ("5. The result", "5. Итог"),
    "money": ("6. Money", "6. Деньги"),
    "payments": ("Who pays whom (the fewest transfers)", "Кто кому платит (переводов меньше всего)"),
    # the sheet
    "player": ("player", "игрок"),
    "pulya": ("pulya", "пуля"),
    "gora-column": ("gora", "гора"),
    "whists-on": ("whists on {player}", "висты на: {player}"),
    # equalising
    "mean": ("The mean pulya: {sum}.", "Средняя пуля: {sum}."),
    "largest": ("The largest pulya: {target} ({player}).", "Наибольшая пуля: {target} ({player})."),
    "agreed": ("The agreed pulya: {target}.", "Условленная пуля: {target}."),
    "below-rule": (
        "A point below it adds {below} to the gora.",
        "За каждое недостающее очко к горе добавляется {below}.",
    ),
    "above-rule": (
        "A point above it takes {above} off the gora.",
        "За каждое лишнее очко с горы снимается {above}.",
    ),
    "all-equal": ("Every pulya is {target}: the gora stays.", "Все пули равны {target}: гора не меняется."),
    "below": ("pulya below by {difference}; gora {change}", "пуля меньше на {difference}; гора {change}"),
    "above": ("pulya above by {difference}; gora {change}", "пуля больше на {difference}; гора {change}"),
    "even": ("pulya equal; gora {gora}", "пуля равна; гора {gora}"),
    # amnesty
    "smallest": (
        "The smallest gora is {gora} ({player}): it is taken off everybody's.",
        "Наименьшая гора {gora} ({player}): вычитаем её из каждой.",
    ),
    "no-amnesty": (
        "The smallest gora is 0 ({player}): nothing is taken off.",
        "Наименьшая гора 0 ({player}): вычитать нечего.",
    ),
    "amnestied": ("gora {change}", "гора {change}"),
    # divisible
    "sum-divides": (
        "The sum of the goras {sum}; {whists}, a whole number: no correction is needed.",
        "Сумма гор {sum}; {whists} — целое: поправка не нужна.",
    ),
    "sum-uneven": (
        "The sum of the goras {sum}; {whists}, not a whole number.",
        "Сумма гор {sum}; {whists} — не целое.",
    ),
    "each-divides": (
        "Everybody's debt is a whole number: no correction is needed.",
        "Долг с каждой горы целый: поправки не нужны.",
    ),
    "each-uneven": ("{player}: {whists}, not a whole number.", "{player}: {whists} — не целое."),
    "cut": (
        "{player}: 1 point is taken off the gora, {change}; each of the others writes 3 whists on this player.",
        "{player}: с горы списано 1 очко, {change}; остальные написали на этого игрока по 3 виста.",
    ),
    "raised": (
        "{player}: 1 point is put on the gora, {change}; this player writes 3 whists on each of the others.",
        "{player}: к горе добавлено 1 очко, {change}; этот игрок написал на каждого из остальных по 3 виста.",
    ),
    "by-name": ("{player} was named on the sheet.", "Игрок {player} указан в записи."),
    "by-size": (
        "Nobody was named: the largest gora is corrected, the earliest seat on a tie.",
        "Никто не указан: поправка идёт к наибольшей горе, при равенстве — к той, что раньше в записи.",
    ),
    "compensation": ("Whists for the correction: {whists}.", "Висты за поправку: {whists}."),
    # gora to whists
    "debt-rule": (
        "The debt is what each of the others writes on a player for the gora.",
        "Долг с горы — столько на игрока пишет каждый из остальных.",
    ),
    "debt-rounded": ("{debt}, rounded (a half goes up) to {whole}", "{debt}, округляем (половина — вверх) до {whole}"),
    "debt": ("debt {debt}", "долг {debt}"),
    "gora-by-debts": (
        "writes {gains}, the others write {losses}; gora {difference}",
        "пишет {gains}, на игрока пишут {losses}; гора {difference}",
    ),
    "mean-gora": ("The mean gora: {mean}.", "Средняя гора: {mean}."),
    "gora-by-mean": ("gora {difference}", "гора {difference}"),
    "cut-off": ("{difference}, the fraction is dropped: {whole}", "{difference}, дробь отброшена: {whole}"),
    # whists
    "with": ("with {player} {difference}", "с игроком {player} {difference}"),
    "together": ("together {sum}", "вместе {sum}"),
    # the result
    "total": ("{sum}", "{sum}"),
    "parts": ("gora, whists", "гора, висты"),
    "parts-correction": ("gora, whists, whists for the correction", "гора, висты, висты за поправку"),
    "balanced": ("{sum}, rounded to {whole}", "{sum}, округляем до {whole}"),
    "balanced-rule": (
        "Every result goes to a whole number so that the sum stays 0: down first, then the missing whists one each, "
        "the largest remainder first, then the lowest result, then the seat.",
        "Итоги округляются до целых так, чтобы сумма осталась нулём: сначала вниз, затем недостающие висты по одному — "
        "сперва наибольшим остаткам, потом меньшим итогам, потом по порядку мест.",
    ),
    "check": ("Check: {sum}.", "Проверка: {sum}."),
    "residual": (
        "The results do not sum to zero: with the fractions dropped they lack {residual} to it. "
        "What is paid is taken from the exact results: {results}.",
        "Сумма итогов не ноль: из-за отброшенных дробей до нуля не хватает {residual}. "
        "Платят по точным итогам: {results}.",
    ),
    "leningrad": (
        "Under leningrad (a point above costs what a point below does) it would be: {results}.",
        "По ленинградке (лишнее очко стоит столько же, сколько недостающее) вышло бы: {results}.",
    ),
    # money
    "stake": ("A whist costs {stake}.", "Вист стоит {stake}."),
    "paid": ("{product}", "{product}"),
    "paid-rounded": ("{product}, to the smallest coin {money}", "{product}, до мелкой монеты {money}"),
    "transfer": ("{payer} → {payee}: {amount}", "{payer} → {payee}: {amount}"),
    "nobody-pays": ("Nobody pays anybody.", "Никто никому не платит."),
    # labels of the short form
    "short-pulya": ("Pulya", "Пуля"),
    "short-amnesty": ("Amnesty", "Амнистия"),
    "short-debt": ("Debt", "Долг с горы"),
    "short-gora": ("Gora", "Гора"),
    "short-whists": ("Whists", "Висты"),
    "short-correction": ("Correction", "Поправка"),
    "short-result": ("Result", "Итог"),
    "short-money": ("Money", "Деньги"),
}


def sentence(key: str, lang: str, **filled: object) -> str:
    """Return a sentence of :data:`SENTENCES` in ``lang``, filled."""
    text = SENTENCES[key][lang == "ru"]
    return text.format(**filled) if filled else text


def rule_name(name: str, lang: str) -> str:
    """Return how a convention or rounding is called in ``lang``."""
    return RUSSIAN.get(name, name) if lang == "ru" else name


def number(value: Exact, lang: str = "ru", *, sign: bool = False) -> str:
    """Return a number as people write it.

    >>> number(Fraction(-40, 3)), number(Fraction(15, 2)), number(Fraction(38), sign=True)
    ('−13 1/3', '7,5', '+38')
    """
    if value.__class__ is int:
        # most numbers of a sheet; the rest of this would take three times as long
        return f"{MINUS}{-value}" if value < 0 else f"+{value}" if sign and value > 0 else str(value)
    # numerators are compared instead of fractions, which takes many times as long
    numerator = value.numerator
    lead = MINUS if numerator < 0 else "+" if sign and numerator > 0 else ""
    return lead + _size(abs(numerator), value.denominator, lang)


def _size(numerator: int, denominator: int, lang: str) -> str:
    """Return a fraction in lowest terms, not below 0, as people write it."""
    if denominator == 1:
        return str(numerator)
    whole, rest = divmod(numerator, denominator)
    for places in (1, 2):
        if 10**places % denominator == 0:
            digits = str(rest * 10**places // denominator).zfill(places)
            return f"{whole}{',' if lang == 'ru' else '.'}{digits}"
    return f"{whole} {rest}/{denominator}" if whole else f"{rest}/{denominator}"


def divided(lang: str) -> str:
    """Return the sign of division people write by hand."""
    return ":" if lang == "ru" else "÷"
