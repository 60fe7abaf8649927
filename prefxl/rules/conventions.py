"""House rules as values: the named conventions, their aliases and their sources.

Source of every preset: the Pulya calculator ("Leningrad" after Yuri Rozaliev's
book), the PrefCount help, and the book passage on the end of the game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import Any

from prefxl.errors import RulesError
from prefxl.rules.numbers import as_fraction

#: How a column of results is brought to whole whists, the last step. See ``rounding``.
ROUNDINGS = ("exact", "debts", "truncate", "divisible", "divisible-debts", "balanced")

#: What gora, in whists, is divided by: the number of players, the others, or nothing.
DIVISORS = ("players", "others", "one")

#: Names of the two targets that are computed; the third kind is a number (the agreed pulya).
TARGETS = ("mean", "largest")


@dataclass(frozen=True)
class Convention:
    """One table's house rules, frozen.

    Attributes
    ----------
    name
        The preset's name.
    target
        What the pulyas are made equal to: ``"mean"``, ``"largest"`` or an agreed
        number [pulya points].
    below, above
        Gora points added for each pulya point below the target, and taken off for
        each above it [gora points a pulya point].
    rounding
        The rounding this convention uses unless another is asked for.
    whists_per_gora
        Whists one gora point is worth [whists].
    divisor
        ``"players"`` (N), ``"others"`` (N - 1) or ``"one"``.
    source
        Where the rule comes from.
    """

    name: str
    target: str | Fraction
    below: Fraction
    above: Fraction
    rounding: str
    source: str
    whists_per_gora: Fraction = Fraction(10)
    divisor: str = "players"

    def altered(self, **fields: Any) -> Convention:
        """Return this convention with house rules of your own; ``None`` leaves a field as it is.

        >>> CONVENTIONS["sochi"].altered(target=20).target
        Fraction(20, 1)
        """
        given = {key: value for key, value in fields.items() if value is not None}
        for key in ("below", "above", "whists_per_gora"):
            if key in given:
                given[key] = _not_negative(key, as_fraction(given[key]))
        if "target" in given:
            given["target"] = find_target(given["target"])
        if "divisor" in given:
            given["divisor"] = _among(DIVISORS, given["divisor"], "divisor", "делитель")
        if "rounding" in given:
            given["rounding"] = find_rounding(given["rounding"])
        return replace(self, **given)

    @property
    def symmetric(self) -> bool:
        """Whether a point below the target costs what a point above it earns."""
        return self.below == self.above

    @cached_property
    def whole_rates(self) -> tuple[int, int, int]:
        """``below`` and ``above`` as whole numerators, and the denominator they have in common."""
        common = lcm(self.below.denominator, self.above.denominator)
        return int(self.below * common), int(self.above * common), common

    def divisor_for(self, players: int) -> int:
        """Return the number gora is divided by at a table of ``players``."""
        return {"players": players, "others": players - 1, "one": 1}[self.divisor]


_CALCULATOR = "the Pulya calculator: “Leningrad” after Yuri Rozaliev's book “Preferans. Bridge”"
_PREFCOUNT = "PrefCount help"


def _preset(name: str, target: str, points: tuple[int, int], rounding: str, source: str) -> Convention:
    below, above = points
    return Convention(name, target, Fraction(below), Fraction(above), rounding, source)


#: The presets by name. A convention is a value: alter it with :meth:`Convention.altered`.
CONVENTIONS: dict[str, Convention] = {
    preset.name: preset
    for preset in (
        _preset("rozaliev", "mean", (2, 1), "debts", _CALCULATOR),
        _preset("leningrad", "largest", (2, 2), "exact", _PREFCOUNT + ": one pulya point is two gora points"),
        _preset("sochi", "largest", (1, 1), "exact", "the book passage on the end of the game; " + _PREFCOUNT),
        _preset("rostov", "largest", (1, 1), "exact", "the same units as sochi; entries arise otherwise"),
        _preset("classic", "largest", (1, 1), "exact", "the same units as sochi; entries arise otherwise"),
        _preset("prefcount-sochi", "largest", (1, 1), "truncate", _PREFCOUNT + ": its default"),
        _preset("prefcount-leningrad", "largest", (2, 2), "truncate", _PREFCOUNT + ": its default"),
    )
}

#: The convention and the rounding taken where nobody says anything.
DEFAULT = "rozaliev"

#: Other names people write, in both languages, folded by :func:`fold`.
CONVENTION_ALIASES = {
    "розалиев": "rozaliev",
    "пулякалькулятор": "rozaliev",
    "piter": "leningrad",
    "peter": "leningrad",
    "ленинград": "leningrad",
    "ленинградка": "leningrad",
    "питер": "leningrad",
    "сочинка": "sochi",
    "сочи": "sochi",
    "sochinka": "sochi",
    "leningradka": "leningrad",
    "ростов": "rostov",
    "ростовка": "rostov",
    "классика": "classic",
    "классический": "classic",
    "префкаунтсочи": "prefcount-sochi",
    "префкаунтсочинка": "prefcount-sochi",
    "префкаунтленинград": "prefcount-leningrad",
    "префкаунтленинградка": "prefcount-leningrad",
    "префкаунтпитер": "prefcount-leningrad",
}
ROUNDING_ALIASES = {
    "точно": "exact",
    "точный": "exact",
    "безокругления": "exact",
    "долги": "debts",
    "подолгам": "debts",
    "долга": "debts",
    "отбрасывание": "truncate",
    "отбросить": "truncate",
    "усечение": "truncate",
    "делимость": "divisible",
    "делимостьнаn": "divisible",
    "делимостьдолгов": "divisible-debts",
    "делимостькаждого": "divisible-debts",
    "поровну": "balanced",
    "сбалансированно": "balanced",
    "баланс": "balanced",
}
_TARGET_ALIASES = {
    "среднее": "mean",
    "средняя": "mean",
    "average": "mean",
    "max": "largest",
    "наибольшая": "largest",
    "наибольшее": "largest",
    "максимум": "largest",
}

#: How conventions, roundings and targets are called on Russian pages.
RUSSIAN = {
    "rozaliev": "Розалиев",
    "leningrad": "ленинградка",
    "sochi": "сочинка",
    "rostov": "ростов",
    "classic": "классика",
    "prefcount-sochi": "ПрефКаунт, сочинка",
    "prefcount-leningrad": "ПрефКаунт, ленинградка",
    "exact": "точно",
    "debts": "долги",
    "truncate": "отбрасывание",
    "divisible": "делимость",
    "divisible-debts": "делимость долгов",
    "balanced": "баланс",
    "mean": "среднее",
    "largest": "наибольшая",
}


@lru_cache(256)
def fold(name: str) -> str:
    """Fold a name for comparison: case, ё, spaces, hyphens and underscores do not matter."""
    return "".join(char for char in name.casefold().replace("ё", "е") if char.isalnum())


def find_convention(name: str | Convention | None) -> Convention:
    """Return the convention called ``name`` in either language; ``None`` or blank is the default.

    Raises
    ------
    RulesError
        If no convention is called so.

    >>> find_convention("Ленинградка").name
    'leningrad'
    """
    if isinstance(name, Convention):
        return name
    key = _lookup(name, CONVENTIONS, CONVENTION_ALIASES, default=DEFAULT)
    if key is None:
        raise _unknown("convention", "конвенции", name, CONVENTIONS)
    return CONVENTIONS[key]


def find_rounding(name: str) -> str:
    """Return the rounding called ``name`` in either language.

    Raises
    ------
    RulesError
        If no rounding is called so.

    >>> find_rounding("долги")
    'debts'
    """
    key = _lookup(name, ROUNDINGS, ROUNDING_ALIASES, default=None)
    if key is None:
        raise _unknown("rounding", "округления", name, ROUNDINGS)
    return key


def find_target(value: Any) -> str | Fraction:
    """Return a target: ``"mean"``, ``"largest"`` or the agreed pulya [pulya points].

    Raises
    ------
    RulesError
        If it is neither a known word nor a number of at least 0.
    """
    if isinstance(value, str):
        key = _lookup(value, TARGETS, _TARGET_ALIASES, default=None)
        if key is not None:
            return key
    return _not_negative("target", as_fraction(value))


def _lookup(name: Any, known: Any, aliases: dict[str, str], default: str | None) -> str | None:
    if name is None or (isinstance(name, str) and not name.strip()):
        return default
    if not isinstance(name, str):
        return None
    folded = fold(name)
    by_fold = {fold(key): key for key in known}
    return by_fold.get(folded) or aliases.get(folded)


def _unknown(kind: str, ru_kind: str, name: Any, known: Any) -> RulesError:
    names = ", ".join(known)
    return RulesError(
        f"there is no {kind} {name!r}; the names are: {names}",
        f"нет {ru_kind} «{name}»; есть: {names}",
    )


def _among(known: tuple[str, ...], value: Any, kind: str, ru_kind: str) -> str:
    if value not in known:
        raise RulesError(
            f"{kind} must be one of {', '.join(known)}, not {value!r}",
            f"{ru_kind}: одно из {', '.join(known)}, а не «{value}»",
        )
    return str(value)


def _not_negative(field: str, value: Fraction) -> Fraction:
    if value < 0:
        raise RulesError(f"{field} must not be negative: {value}", f"{field}: не меньше нуля, а не {value}")
    return value
