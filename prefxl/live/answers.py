"""From the cells of a spreadsheet to the answer's cells, for every program alike.

Cells arrive as rows of values (``float``, ``str``, ``bool``, ``None`` ...), and
answers leave as rows of ``float`` and ``str``, which any spreadsheet takes.
"""

from __future__ import annotations

import locale
import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from prefxl.errors import OptionError, PrefxlError, RulesError, SheetError
from prefxl.rules.conventions import RUSSIAN, Convention, find_convention, find_rounding
from prefxl.rules.numbers import LIMIT, as_fraction
from prefxl.rules.payments import find_stake
from prefxl.rules.rounding import work
from prefxl.rules.settlement import TABLE_SIZES, Sheet
from prefxl.rules.single import Settlement, find_corrected

#: Rows of an answer.
Table: TypeAlias = list[list[Any]]

#: Names of the places in the arguments, for the sentence about a wrong cell.
_PLACES = {"pulyas": "пули", "goras": "горы", "whists": "висты"}

#: The columns of :func:`steps`: the name in the frames, and the Russian heading.
_STEPS = {
    "pulya": "пуля",
    "gora": "гора",
    "adjusted_gora": "гора после уравнивания",
    "amnestied_gora": "амнистированная гора",
    "debt": "долг с горы",
    "final_gora": "конечная гора",
    "saldo": "сальдо вистов",
    "correction": "поправка",
    "result": "итог",
}


_FLOATS = {float}


class Asked(NamedTuple):
    """The arguments after the sheet, as the cells have them; ``None`` or blank where left out."""

    convention: Any = None
    rounding: Any = None
    target: Any = None
    corrected: Any = None
    lang: Any = None


def results(pulyas: Any, goras: Any, whists: Any, asked: Asked) -> Table:
    """Return what each wins or loses [whists], in the direction of ``pulyas``.

    Raises
    ------
    PrefxlError
        With the sentence that :func:`why` says.
    """
    rows = _rows(pulyas)
    sheet = read_sheet(rows, goras, whists, asked.corrected)
    steps = work(sheet, _convention(asked), _rounding(asked))
    denominator = steps.result.denominator
    won = [number / denominator for number in steps.result.numerators]
    return [won] if _lies_across(rows, goras) else [[number] for number in won]


def why(pulyas: Any, goras: Any, whists: Any, asked: Asked) -> str:
    """Return one sentence: what is wrong and where, or by which rules the sheet was settled."""
    lang = "ru"
    try:
        lang = language(asked)
        settled = _settle(pulyas, goras, whists, asked)
    except PrefxlError as error:
        return error.say(lang)
    return _sentence(settled, lang)


def steps(pulyas: Any, goras: Any, whists: Any, asked: Asked) -> Table:
    """Return the whole table of steps: headings, then a row a player."""
    settled, lang = _settle(pulyas, goras, whists, asked), language(asked)
    headings = list(_STEPS.values() if lang == "ru" else _STEPS)
    columns = [[float(number) for number in settled.steps[name]] for name in _STEPS]
    table: Table = [["игрок" if lang == "ru" else "player", *headings]]
    for seat, player in enumerate(settled.players):
        table.append([player, *(column[seat] for column in columns)])
    return table


def pairs(pulyas: Any, goras: Any, whists: Any, asked: Asked) -> Table:
    """Return what each wins from each [whists], N rows of N."""
    settled = _settle(pulyas, goras, whists, asked)
    return [[float(number) for number in row] for row in settled.pair_results]


def pay(pulyas: Any, goras: Any, whists: Any, asked: Asked, money: tuple[Any, Any, Any]) -> Table:
    """Return who pays whom: headings, then payer, payee and amount a row.

    Parameters
    ----------
    money
        The cells ``stake``, ``kind`` and ``names``.
    """
    stake, kind, names = money
    settled = _settle(pulyas, goras, whists, asked, names=_names(names), stake=_one(stake))
    lang = language(asked)
    table: Table = [["платит", "кому", "сколько"] if lang == "ru" else ["payer", "payee", "amount"]]
    for payment in settled.payments(_word(kind) or "pairwise"):
        table.append([payment.payer, payment.payee, float(payment.amount)])
    return table


def language(asked: Asked) -> str:
    """Return ``"ru"`` or ``"en"``: as asked, else the rules' alphabet, else the system's language.

    Raises
    ------
    OptionError
        If the language asked for is neither.
    """
    lang = (_word(asked.lang) or "").casefold()
    if lang in ("ru", "en"):
        return lang
    if lang:
        raise OptionError(f"the language is ru or en, not {lang!r}", f"язык — ru или en, а не «{lang}»")
    words = [word for word in (_one(asked.convention), _one(asked.rounding)) if isinstance(word, str)]
    if any("а" <= char <= "я" for word in words for char in word.casefold()):
        return "ru"
    return "ru" if (locale.getlocale()[0] or "").casefold().startswith("ru") else "en"


def read_sheet(pulyas: Any, goras: Any, whists: Any, corrected: Any = None) -> Sheet:
    """Return the sheet that the cells hold, in whole units.

    Raises
    ------
    SheetError
        With the place of the cell at fault.
    """
    square = _square(_rows(whists))
    players = len(square)
    lines = [_line(_rows(pulyas), "pulyas", players), _line(_rows(goras), "goras", players), *square]
    table, unit = _whole(lines, players) or _exact(lines)
    for seat, cells in enumerate(table[2:]):
        if cells[seat]:
            raise _at("whists", seat, seat, "whists written on oneself", "висты на самого себя")
    return Sheet(table[0], table[1], tuple(table[2:]), unit, _corrected(corrected, players))


def _whole(lines: Sequence[Sequence[Any]], players: int) -> tuple[list[tuple[int, ...]], int] | None:
    """Return the numbers of cells that are whole floats or blank, as nearly all sheets are; else ``None``.

    All at once: a call for each cell would take longer than all the rest.
    """
    flat = [0.0 if value is None else value for cells in lines for value in cells]
    if set(map(type, flat)) != _FLOATS or len(flat) != players * (players + 2):
        return None
    try:
        numbers = list(map(int, flat))
    except (ValueError, OverflowError):
        # no number at all, or one without end
        return None
    if numbers != flat or max(numbers) > LIMIT or min(numbers) < -LIMIT:
        return None
    return [tuple(numbers[start : start + players]) for start in range(0, len(numbers), players)], 1


def _exact(lines: Sequence[Sequence[Any]]) -> tuple[list[tuple[int, ...]], int]:
    """Return the numbers of any cells in whole units, and how many of these make one.

    Raises
    ------
    SheetError
        With the place of the cell at fault.
    """
    pulyas, goras, *whists = lines
    table = [
        _numbers(pulyas, "pulyas"),
        _numbers(goras, "goras"),
        *(_numbers(cells, "whists", row) for row, cells in enumerate(whists)),
    ]
    unit = math.lcm(*{number.denominator for cells in table for number in cells})
    return [tuple(int(number * unit) for number in cells) for cells in table], unit


def _settle(pulyas: Any, goras: Any, whists: Any, asked: Asked, *, names: Any = None, stake: Any = None) -> Settlement:
    sheet, rules = read_sheet(pulyas, goras, whists, asked.corrected), _convention(asked)
    players = tuple(names) if names else tuple(str(seat + 1) for seat in range(sheet.players))
    if len(players) != sheet.players:
        raise SheetError(
            f"{len(players)} names for {sheet.players} players", f"имён {len(players)}, а игроков {sheet.players}"
        )
    return Settlement(players, sheet, work(sheet, rules, _rounding(asked)), find_stake(stake))


def _convention(asked: Asked) -> Convention:
    target = _one(asked.target)
    convention = _find(_one(asked.convention))
    return convention if target is None else convention.altered(target=target)


# the same few words come with every recalculation
@lru_cache(maxsize=64)
def _find(name: Any) -> Convention:
    return find_convention(name)


def _rounding(asked: Asked) -> str | None:
    name = _one(asked.rounding)
    if name is not None and not isinstance(name, str):
        raise RulesError(f"there is no rounding {name!r}", f"нет округления «{name}»")
    return None if name is None else find_rounding(name)


def _corrected(value: Any, players: int) -> int:
    seat = _one(value)
    if seat is None:
        return -1
    if type(seat) in (int, float) and seat == seat // 1:
        # Office.js sends a whole number as an int, the others as a float
        seat = str(int(seat))
    if not isinstance(seat, str):
        raise SheetError(f"the corrected player is no number {seat!r}", f"номера игрока «{seat}» нет")
    return find_corrected(seat, tuple(str(number + 1) for number in range(players)))


def _names(cells: Any) -> list[str]:
    values = [value for row in _rows(cells) for value in row]
    if all(_is_blank(value) for value in values):
        return []
    return [str(seat + 1) if _is_blank(value) else str(value) for seat, value in enumerate(values)]


def _sentence(settled: Settlement, lang: str) -> str:
    convention, rounding = settled.convention.name, settled.rounding
    if lang == "ru":
        said = f"Рассчитано: {RUSSIAN[convention]}, {RUSSIAN[rounding]}; сумма итогов {-settled.residual}."
    else:
        said = f"Settled by {convention}, {rounding}; the results sum to {-settled.residual}."
    if settled.corrections:
        points = ", ".join(f"{player}: {point:+d}" for player, point in settled.corrections.items())
        said += f" Исправлена гора: {points}." if lang == "ru" else f" Gora corrected: {points}."
    return said + _other_rule(settled, lang)


def _other_rule(settled: Settlement, lang: str) -> str:
    """Return what ``leningrad`` would give where ``rozaliev`` differs from it: no sum check can tell."""
    if settled.convention.name != "rozaliev":
        return ""
    rival = work(settled.sheet, find_convention("leningrad"), settled.rounding).result.exact()
    if rival == settled.result_exact:
        return ""
    numbers = "; ".join(_mixed(number) for number in rival)
    return f" Ленинградка дала бы: {numbers}." if lang == "ru" else f" Leningrad would give: {numbers}."


def _mixed(number: Fraction) -> str:
    whole, rest = divmod(abs(number), 1)
    sign = "-" if number < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"


def _rows(cells: Any) -> Sequence[Sequence[Any]]:
    """Return rows of values, whether a program hands over rows, one row, or one value."""
    if not isinstance(cells, (list, tuple)):
        return ((cells,),)
    return cells if cells and isinstance(cells[0], (list, tuple)) else (cells,)


def _one(cells: Any) -> Any:
    """Return the value of one cell, ``None`` for a blank."""
    if cells is None or isinstance(cells, str):
        return cells or None
    rows = _rows(cells)
    if len(rows) != 1 or len(rows[0]) != 1:
        raise OptionError(
            "the rules are one cell each, not a range of cells", "правила указывают одной ячейкой, а не диапазоном"
        )
    return None if _is_blank(rows[0][0]) else rows[0][0]


def _word(cells: Any) -> str | None:
    value = _one(cells)
    return None if value is None else str(value).strip()


def _is_blank(value: Any) -> bool:
    return value is None or value == "" or value != value


def _lies_across(pulyas: Sequence[Sequence[Any]], goras: Any) -> bool:
    """Return whether the answer is a row: as ``pulyas`` lie, as ``goras`` where that is one cell."""
    for rows in (pulyas, _rows(goras)):
        if len(rows) != 1 or len(rows[0]) != 1:
            return len(rows) == 1
    return False


def _square(rows: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    width = len(rows[0])
    if len(rows) != width or width not in TABLE_SIZES:
        raise SheetError(
            f"the whists are a square of 2 to 5 rows and columns, not {len(rows)} by {width}",
            f"висты — квадрат от 2 до 5 строк и столбцов, а не {len(rows)} на {width}",
        )
    return rows


def _line(rows: Sequence[Sequence[Any]], place: str, players: int) -> Sequence[Any]:
    """Return a cell a player from a row, a column, or one cell."""
    height, width = len(rows), len(rows[0])
    if height == 1 and width == players:
        return rows[0]
    if width == 1 and height == players:
        return [cells[0] for cells in rows]
    if height == width == 1:
        number = _number(rows[0][0], place, 0, 0)
        # an equal pulya for all is how many games end; one gora for all is a range cut short
        if number == 0 or place == "pulyas":
            return [rows[0][0]] * players
    raise SheetError(
        f"{place}: {height} by {width} cells for {players} players; a row or a column of {players} is needed",
        f"{_PLACES[place]}: ячеек {height} на {width}, а игроков {players}; нужна строка или столбец из {players}",
    )


def _numbers(cells: Sequence[Any], place: str, row: int = 0) -> list[Any]:
    """Return the exact numbers of a line of cells."""
    return [_number(value, place, row, column) for column, value in enumerate(cells)]


def _number(value: Any, place: str, row: int, column: int) -> Any:
    """Return an exact number: ``int`` or ``Fraction``; 0 for a blank."""
    kind = type(value)
    if (kind is float and value.is_integer()) or kind is int:
        number: Any = int(value)
    elif value is None or _is_blank(value):
        return 0
    elif kind in (float, Decimal):
        try:
            exact = as_fraction(value)
        except SheetError as error:
            raise _at(place, row, column, error.en, error.ru) from None
        number = exact if exact.denominator > 1 else exact.numerator
    else:
        raise _not_a_number(value, place, row, column)
    if not -LIMIT <= number <= LIMIT:
        raise _at(place, row, column, f"{value:g} is too large", f"{value:g} — слишком много")
    return number


def _not_a_number(value: Any, place: str, row: int, column: int) -> SheetError:
    if isinstance(value, str) and value.startswith("#"):
        return _at(place, row, column, f"the cell has the error {value}", f"в ячейке ошибка {value}")
    if isinstance(value, str):
        return _at(place, row, column, f"text “{value}” instead of a number", f"текст «{value}» вместо числа")
    return _at(place, row, column, f"{value} is not a number", f"{value} — не число")


def _at(place: str, row: int, column: int, en: str, ru: str) -> SheetError:
    if place == "whists":
        return SheetError(
            f"whists, row {row + 1}, column {column + 1}: {en}", f"висты, строка {row + 1}, столбец {column + 1}: {ru}"
        )
    seat = max(row, column) + 1
    return SheetError(f"{place}, player {seat}: {en}", f"{_PLACES[place]}, игрок {seat}: {ru}")
