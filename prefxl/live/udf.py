"""``=PULYA()`` and its sisters for Excel through xlwings: the COM server, xlwings Server and Lite.

Every function is positional, as a cell calls it; convention and rounding are names
in either language. A sheet that cannot be settled gives ``#VALUE!``, and
``PULYA_WHY`` with the same arguments says why. Nothing heavy is imported here: this
module is loaded while Excel waits.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import xlwings as xw

from prefxl.errors import PrefxlError
from prefxl.live import answers
from prefxl.live.answers import Asked, Table
from prefxl.live.help import FUNCTIONS

__all__ = ["PULYA", "PULYA_PAIRS", "PULYA_PAY", "PULYA_STEPS", "PULYA_WHY"]

#: Exactly this text becomes a real error: by Office.js itself, by our VBA wrapper in the desktop's Excel.
VALUE_ERROR = "#VALUE!"

Live = TypeVar("Live", bound=Callable[..., Any])


def _live(function: Live) -> Live:
    """Register ``function`` with xlwings: what each argument is, and the wizard's texts.

    An error cell would arrive as ``None``, as if it were blank, and a column as a
    flat list, unless both are asked for: ``err_to_str`` and ``ndim``.
    """
    # xlwings takes hints for converters, and knows none for Any
    function.__annotations__ = {}
    help_of = next(known for known in FUNCTIONS if known.name == function.__name__)
    function.__doc__ = help_of.en
    if [argument.name for argument in help_of.arguments] != list(inspect.signature(function).parameters):
        raise TypeError(f"the help of {function.__name__} has other arguments")
    for argument in help_of.arguments:
        shape = {"ndim": 2} if argument.table or argument.name == "names" else {}
        function = xw.arg(argument.name, err_to_str=True, doc=argument.en, **shape)(function)
    registered: Live = xw.func(category="Preferans", call_in_wizard=False)(function)
    return registered


@_live
def PULYA(
    pulyas: Any,
    goras: Any,
    whists: Any,
    convention: Any = None,
    rounding: Any = None,
    target: Any = None,
    corrected: Any = None,
) -> Table | str:
    """Return what each wins or loses [whists]."""
    try:
        return answers.results(pulyas, goras, whists, Asked(convention, rounding, target, corrected))
    except PrefxlError:
        return VALUE_ERROR


@_live
def PULYA_WHY(
    pulyas: Any,
    goras: Any,
    whists: Any,
    convention: Any = None,
    rounding: Any = None,
    target: Any = None,
    corrected: Any = None,
    lang: Any = None,
) -> str:
    """Return a sentence: what is wrong and where, or by which rules the sheet was settled."""
    return answers.why(pulyas, goras, whists, Asked(convention, rounding, target, corrected, lang))


@_live
def PULYA_STEPS(
    pulyas: Any,
    goras: Any,
    whists: Any,
    convention: Any = None,
    rounding: Any = None,
    target: Any = None,
    corrected: Any = None,
    lang: Any = None,
) -> Table | str:
    """Return every step as a table."""
    try:
        return answers.steps(pulyas, goras, whists, Asked(convention, rounding, target, corrected, lang))
    except PrefxlError:
        return VALUE_ERROR


@_live
def PULYA_PAIRS(
    pulyas: Any,
    goras: Any,
    whists: Any,
    convention: Any = None,
    rounding: Any = None,
    target: Any = None,
    corrected: Any = None,
) -> Table | str:
    """Return who wins how much from whom [whists]."""
    try:
        return answers.pairs(pulyas, goras, whists, Asked(convention, rounding, target, corrected))
    except PrefxlError:
        return VALUE_ERROR


@_live
def PULYA_PAY(
    pulyas: Any,
    goras: Any,
    whists: Any,
    convention: Any = None,
    rounding: Any = None,
    stake: Any = None,
    kind: Any = None,
    target: Any = None,
    corrected: Any = None,
    names: Any = None,
    lang: Any = None,
) -> Table | str:
    """Return who pays whom and how much."""
    try:
        asked = Asked(convention, rounding, target, corrected, lang)
        return answers.pay(pulyas, goras, whists, asked, (stake, kind, names))
    except PrefxlError:
        return VALUE_ERROR
