"""The words of the live forms, in Russian and English, and how their cells look."""

from __future__ import annotations

from typing import Any

#: Every word on a form: Russian, English.
WORDS: dict[str, tuple[str, str]] = {
    "sheet": ("Пулька", "Score sheet"),
    "title": ("Пулька на {players}", "Preferans score sheet for {players}"),
    "subtitle": (
        "Заполните жёлтые клетки: остальное считается само. Висты: строка — кто записал, столбец — на кого.",
        "Fill in the yellow cells, the rest works itself out. Whists: the row has written, the column is whom on.",
    ),
    "caption": ("Игра 1", "Game 1"),
    "player": ("Игрок", "Player"),
    "number": ("№", "No."),
    "pulya": ("Пуля", "Pulya"),
    "gora": ("Гора", "Gora"),
    "whists on": ("Висты на {seat}", "Whists on {seat}"),
    "convention": ("Конвенция", "Convention"),
    "rounding": ("Округление", "Rounding"),
    "target": ("Договорная пуля", "Agreed pulya"),
    "settled": ("Считается", "Settled by"),
    "agreed": ("договорная пуля", "agreed pulya"),
    "below": ("ниже цели +", "below the target +"),
    "above": ("выше цели −", "above it −"),
    "points": (" в гору за очко", " gora a point"),
    "word": (
        "В жёлтых клетках есть слово вместо числа: сотрите его.",
        "There is a word instead of a number in a yellow cell: clear it.",
    ),
    "odd": (
        "Есть дробь, но не половина: в пульке бывают целые и половины.",
        "There is a fraction other than a half: scores are whole or halves.",
    ),
    "negative": ("Пуля не бывает меньше нуля.", "A pulya is never below zero."),
    "twice": ("Один игрок записан дважды.", "One player is there twice."),
    "no rule": (
        "Такой конвенции или такого округления нет: выберите из списка.",
        "There is no such convention or rounding: choose from the list.",
    ),
    "residual": (
        "Отбрасывание оставило остаток: сумма итогов не 0.",
        "Truncation left a residual: the results do not sum to 0.",
    ),
    "check": ("Проверка: сумма", "Check: the sum"),
    "steps": ("Расчёт по шагам", "Step by step"),
    "sum": ("сумма", "sum"),
    "missing": ("1. Не хватает пули до цели", "1. Pulya missing to the target"),
    "adjusted": ("2. Гора после уравнивания пуль", "2. Gora after the pulyas are equal"),
    "amnestied": ("3. Гора после амнистии", "3. Gora after the amnesty"),
    "debt": ("4. Долг с горы каждому, вистов", "4. Debt to each for the gora, whists"),
    "final": ("5. Гора в вистах", "5. Gora in whists"),
    "saldo": ("6. Сальдо вистов", "6. Saldo of the whists"),
    "correction": ("7. Поправка округления", "7. Correction by rounding"),
    "result": ("ИТОГ, вистов", "RESULT, whists"),
    "pairs": ("Взаимный расчёт, вистов", "Pair by pair, whists"),
    "pairs help": ("строка выигрывает у столбца", "the row wins from the column"),
    "result name": ("Итог", "Result"),
    "exactly": (
        "Точный счёт: целые числители, чтобы двоичная дробь не решала, куда округлять",
        "Exact numbers: whole numerators, so that no binary fraction decides a rounding",
    ),
    "bad number": ("Нужно число: целое или с половиной.", "A number is needed, whole or with a half."),
    "bad pulya": ("Нужно число не меньше нуля.", "A number of at least 0 is needed."),
    "bad rule": ("Выберите из списка.", "Choose from the list."),
    "bad name": ("Такой игрок уже есть.", "There is such a player already."),
    "bad title": ("Так нельзя", "Not possible"),
    "blank rounding": ("Пусто — округление по конвенции.", "Blank: the convention's own rounding."),
    "blank target": (
        "Пусто — по конвенции. Число — пуля, до которой договорились играть.",
        "Blank: by the convention. A number: the pulya you agreed to play to.",
    ),
    "whists help": (
        "Сколько вистов игрок этой строки записал на игрока этого столбца.",
        "How many whists the player of this row has written on the player of this column.",
    ),
    "gora help": ("Очки в горе; можно половины.", "Gora points; halves are allowed."),
}

_GREEN, _PALE, _INK, _LINE = "#1F4E3D", "#E4EFE9", "#26332D", "#8FA89C"
_BASE: dict[str, Any] = {"font_name": "Calibri", "font_size": 11, "font_color": _INK, "valign": "vcenter"}
_BOX: dict[str, Any] = {**_BASE, "border": 1, "border_color": _LINE, "align": "center"}
# whole whists by default; a highlight turns a number that is not whole into an exact fraction
_SIGNED, _PLAIN = '+0;"−"0;0', '0;"−"0;0'
_INPUT: dict[str, Any] = {**_BOX, "bg_color": "#FFF9DB", "locked": False}
_HEAD: dict[str, Any] = {**_BOX, "bold": True, "bg_color": _PALE, "text_wrap": True, "font_size": 10}

#: How the cells look: the properties of XlsxWriter's formats.
STYLES: dict[str, dict[str, Any]] = {
    "plain": _BASE,
    "title": {**_BASE, "bold": True, "font_size": 20, "font_color": _GREEN},
    "subtitle": {**_BASE, "font_size": 10, "italic": True, "font_color": "#5B6B63"},
    "beside": {**_BASE, "font_size": 10, "italic": True, "font_color": "#5B6B63", "indent": 1},
    "seat": {**_BASE, "bold": True, "font_color": _GREEN, "align": "center"},
    "caption": {**_INPUT, "bold": True, "font_size": 13, "align": "left", "indent": 1},
    "head": _HEAD,
    "input": _INPUT,
    "input name": {**_INPUT, "align": "left", "bold": True, "indent": 1, "num_format": "@"},
    "input rule": {**_INPUT, "text_wrap": True, "bold": True},
    "self": {**_BOX, "bg_color": "#5F6F67"},
    "status": {**_BASE, "font_size": 10, "font_color": _GREEN, "bold": True},
    "warning": {**_BASE, "font_size": 10, "font_color": "#A61C1C", "bold": True},
    "check label": {**_BASE, "font_size": 10, "align": "right", "indent": 1},
    "check": {**_BOX, "bold": True, "font_size": 13, "num_format": 'General;"−"General;0', "border": 2},
    "good": {"bg_color": "#CDE8D5", "font_color": "#155724"},
    "bad": {"bg_color": "#F6CFCF", "font_color": "#8A1414"},
    "signed fraction": {"num_format": '+# ??/??;"−"# ??/??'},
    "fraction": {"num_format": '# ??/??;"−"# ??/??'},
    "winner": {"font_color": "#0B6B34"},
    "loser": {"font_color": "#A61C1C"},
    "field name": {
        **_BOX,
        "bold": True,
        "font_size": 12,
        "bg_color": _PALE,
        "border": 2,
        "border_color": _GREEN,
        "shrink": True,
    },
    "field whists": {**_BOX, "font_size": 10, "shrink": True, "text_wrap": True},
    "field": {**_BOX, "font_size": 11, "text_wrap": True},
    "field gora": {**_BOX, "font_size": 11, "bg_color": "#F1F4F2", "shrink": True},
    "suits": {**_BOX, "font_size": 15, "font_color": "#7B8B83", "bg_color": "#FFFFFF"},
    "field result": {
        **_BOX,
        "bold": True,
        "font_size": 14,
        "num_format": _SIGNED,
        "bg_color": "#FFFFFF",
        "border": 2,
        "border_color": _GREEN,
        "shrink": True,
    },
    "corner down": {**_BOX, "diag_type": 2, "diag_border": 1, "diag_color": _LINE, "border": 1},
    "corner up": {**_BOX, "diag_type": 1, "diag_border": 1, "diag_color": _LINE, "border": 1},
    "step label": {**_BOX, "align": "left", "indent": 1, "font_size": 10},
    "step": {**_BOX, "align": "right", "indent": 1, "font_size": 10, "num_format": _PLAIN},
    "step whists": {**_BOX, "align": "right", "indent": 1, "font_size": 10, "num_format": _SIGNED},
    "result label": {**_BOX, "align": "left", "indent": 1, "bold": True, "bg_color": _PALE, "top": 2, "bottom": 2},
    "result": {
        **_BOX,
        "align": "right",
        "indent": 1,
        "bold": True,
        "font_size": 12,
        "num_format": _SIGNED,
        "bg_color": _PALE,
        "top": 2,
        "bottom": 2,
    },
    "section": {**_BASE, "bold": True, "font_size": 11, "font_color": _GREEN, "bottom": 2, "bottom_color": _GREEN},
    "helper": {**_BASE, "font_size": 9, "font_color": "#7B8B83", "align": "right"},
    "helper head": {**_BASE, "font_size": 9, "font_color": "#7B8B83", "bold": True, "align": "right"},
    "helper title": {**_BASE, "font_size": 9, "font_color": "#7B8B83", "italic": True},
    "head left": {**_HEAD, "align": "left", "indent": 1},
    "number": {**_BASE, "align": "center"},
    "source": {**_BASE, "font_name": "Consolas", "font_size": 8},
    "text": {**_BASE, "font_size": 10, "text_wrap": True, "indent": 1},
}


def word(key: str, lang: str, **filled: Any) -> str:
    """Return a word of the form in ``lang`` (``"ru"`` or ``"en"``)."""
    return WORDS[key][0 if lang == "ru" else 1].format(**filled)
