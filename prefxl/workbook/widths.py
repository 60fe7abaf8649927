"""How wide a column and how tall a heading must be, so that no text is cut."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import islice

import numpy as np

from prefxl.workbook.fill import Values

#: The filter button of a table's heading takes this many characters.
_BUTTON = 2.6
_NARROWEST, _WIDEST = 6.5, 40.0
#: A word of a heading that is wider is broken: one long name must not push the rest off the page.
WIDEST_WORD = 20.0
#: A label of a chart has no more characters; a longer one keeps so many of its beginning and of its end.
LONGEST_LABEL, LABEL_HEAD, LABEL_TAIL = 18, 10, 6
#: Values looked at; the widest of the first thousand and the extremes of numbers decide.
_SAMPLE = 1000
_LINE = 15.0
_DAYS = {"date": 10.0, "moment": 16.0}
_NUMBERS = frozenset({"number", "signed", "result", "money", "amount"})


class _Letters(dict[str, float]):
    """Widths of characters in digits, worked out when first met."""

    def __missing__(self, char: str) -> float:
        width = self[char] = _letter(char)
        return width


def _letter(char: str) -> float:
    if char.isdigit():
        return 1.0
    if char in "ilIjtrf.,:;'!|()[] -":
        return 0.65
    if char in "mwMWШЩЮЖФжшщюфмы@%▲▼●✓":
        return 1.55
    return 1.25 if char.isupper() else 1.05


_width_of = _Letters().__getitem__


def text_width(text: str) -> float:
    """Return about how many digits' widths ``text`` takes in Calibri.

    >>> text_width("1234"), text_width("Шш") > text_width("ii")
    (4.0, True)
    """
    return sum(map(_width_of, text))


def column_width(values: Values, heading: str, role: str, decimals: int | None, currency: str = "") -> float:
    """Return the width of a column in characters, by its content and the longest word of its heading."""
    words = heading.split() or [""]
    # bold text is a tenth wider; the button stands beside the last line
    head = min(max(1.1 * text_width(word) for word in words), WIDEST_WORD) + _BUTTON
    body = _body(values, role, decimals, currency) + 1.6
    return float(min(max(head, body, _NARROWEST), _WIDEST))


def line_width(heading: str) -> float:
    """Return the width of a column, in characters, that shows a heading in one line, bold or not."""
    return min(1.1 * text_width(heading) + 1.6, _WIDEST)


def _body(values: Values, role: str, decimals: int | None, currency: str) -> float:
    if role in _DAYS:
        texts = [value for value in islice(values, _SAMPLE) if value is not None and not isinstance(value, date)]
        return max([_DAYS[role], *(text_width(str(value)) for value in texts)])
    if role == "share":
        return 5.0
    if role in _NUMBERS:
        return _digits(values, decimals or 0) + (text_width(currency) + 1 if role in ("money", "amount") else 0)
    shown = [value for value in islice(values, _SAMPLE) if value is not None]
    return max((text_width(line) for value in shown for line in str(value).split("\n")), default=0.0)


def _digits(values: Values, decimals: int) -> float:
    plain = isinstance(values, np.ndarray) and values.dtype.kind in "iuf"
    numbers = np.asarray(values if plain else [np.nan if value is None else float(value) for value in values], float)
    numbers = numbers[np.isfinite(numbers)]
    whole = len(str(int(np.abs(numbers).max(initial=0))))
    return whole + 0.5 * ((whole - 1) // 3) + (decimals + 0.5 if decimals else 0) + 1.2


def short_label(name: str) -> str:
    """Return a name for a chart: of a long one the beginning and the end, in which namesakes differ.

    >>> short_label("Аня"), short_label("Константин Константинопольский")
    ('Аня', 'Константин…льский')
    """
    # a chart holds no characters that XML does not
    plain = "".join(char if char.isprintable() else " " for char in name)
    if len(plain) <= LONGEST_LABEL:
        return plain
    return f"{plain[:LABEL_HEAD].strip()}…{plain[-LABEL_TAIL:].strip()}"


def lines(text: str, width: float) -> int:
    """Return how many lines ``text`` takes in a cell ``width`` characters wide."""
    count = 0
    for paragraph in text.split("\n"):
        used, count = 0.0, count + 1
        for word in paragraph.split(" "):
            size = text_width(word)
            if used and used + 0.65 + size > width:
                count, used = count + 1, size
            else:
                used += size + (0.65 if used else 0)
            count, used = (count + int(used // width), used % width) if used > width else (count, used)
    return count


def heading_height(texts: Sequence[str], widths: Sequence[float]) -> float:
    """Return the height of a heading row in points."""
    needed = max(
        (lines(text, max(width - _BUTTON + 1, 3) / 1.1) for text, width in zip(texts, widths, strict=True)), default=1
    )
    return _LINE * max(needed, 1) + 7


def text_height(text: str, width: float) -> float:
    """Return the height of a row that shows ``text`` in a cell ``width`` characters wide, in points."""
    return _LINE * lines(text, max(width - 1, 3)) + 3
