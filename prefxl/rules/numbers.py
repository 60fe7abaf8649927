"""Exact numbers for the rules, and the few operations ints and columns do not share."""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, TypeAlias

from prefxl.errors import SheetError

#: An ``int`` for one sheet, or an integer column (numpy) for a batch.
Number: TypeAlias = Any

#: Larger values are refused: beyond it a column of 64-bit integers could overflow silently.
LIMIT = 10**9


def as_fraction(value: Any) -> Fraction:
    """Return an exact fraction; a binary float must be a whole number of quarters.

    A float such as 0.1 is not the number its writer meant, and a rounding decision
    must never rest on it: give text, a ``Decimal`` or a ``Fraction`` instead.

    Raises
    ------
    SheetError
        If the value is not a number, not finite, or a float that is not exact.
    """
    if not isinstance(value, (int, float, str, Fraction, Decimal)) and hasattr(value, "item"):
        # numpy's scalars would leave their fixed-width integers inside the Fraction
        value = value.item()
    if isinstance(value, bool):
        raise _not_a_number(value)
    if isinstance(value, float):
        return _exact_float(value)
    try:
        if isinstance(value, str) and "/" not in value:
            return Fraction(Decimal(value.strip().replace(",", ".")))
        return Fraction(value)
    except (InvalidOperation, ValueError, TypeError, OverflowError, ZeroDivisionError):
        raise _not_a_number(value) from None


def _exact_float(value: float) -> Fraction:
    if not math.isfinite(value):
        raise _not_a_number(value)
    if not (value * 4).is_integer():
        raise SheetError(
            f"{value!r} is a binary float that is not exact: give a Fraction, a Decimal or text",
            f"{value!r} — двоичная дробь, не точное число: дайте Fraction, Decimal или текст",
        )
    return Fraction(value)


def _not_a_number(value: Any) -> SheetError:
    return SheetError(f"{value!r} is not a number", f"«{value}» — не число")


def ratio(number: int | Fraction, divisor: int | Fraction) -> int | Fraction:
    """Return ``number / divisor`` exactly, a whole one as ``int``."""
    if number.__class__ is int and divisor.__class__ is int:
        whole, rest = divmod(number, divisor)
        return Fraction(number, divisor) if rest else whole
    found = number if divisor == 1 else Fraction(number, divisor)
    return found.numerator if found.denominator == 1 else found


def least(numbers: tuple[Number, ...]) -> Number:
    """Return the smallest number, or for columns the smallest game by game."""
    smallest, *rest = numbers
    if isinstance(smallest, int):
        return min(numbers)
    # a numpy column brings its own minimum along, so the rules need not import numpy
    for column in rest:
        smallest = smallest.clip(None, column)
    return smallest


def greatest(numbers: tuple[Number, ...]) -> Number:
    """Return the largest number, or for columns the largest game by game."""
    largest, *rest = numbers
    if isinstance(largest, int):
        return max(numbers)
    for column in rest:
        largest = largest.clip(column, None)
    return largest


def positive_part(a: Number) -> Number:
    """Return ``a`` where it is above 0, else 0."""
    return (a if a > 0 else 0) if isinstance(a, int) else a.clip(0, None)


def total(numbers: tuple[Number, ...]) -> Number:
    """Return the sum, starting from the first, so that a column is not added to a useless 0."""
    first, *rest = numbers
    if isinstance(first, int):
        return sum(numbers)
    for number in rest:
        first = first + number
    return first


def times(number: Number, factor: int) -> Number:
    """Return ``number * factor``; a column is not copied to be multiplied by 1."""
    return number if factor == 1 else number * factor


def plus(a: Number, b: Number) -> Number:
    """Return ``a + b``; a column is not copied to add the int 0 that stands for "nothing anywhere"."""
    return a if isinstance(b, int) and b == 0 else a + b


def halves_up(numerator: Number, denominator: int) -> Number:
    """Return ``numerator / denominator`` to the nearest whole, halves up; for numbers of at least 0."""
    if denominator % 2 == 0:
        return (numerator + denominator // 2) // denominator
    return (2 * numerator + denominator) // (2 * denominator)


def toward_zero(numerator: Number, denominator: int) -> Number:
    """Return the whole part of ``numerator / denominator``, cut off toward zero."""
    sign = (numerator > 0) * 1 - (numerator < 0) * 1
    return sign * (abs(numerator) // denominator)
