"""An independent, slow settlement in fractions, written from the rules' text alone.

It shares no line with the package: loops over players, one ``Fraction`` at a time.
"""

from __future__ import annotations

import math
from fractions import Fraction

RULES = {
    "rozaliev": ("mean", 2, 1),
    "leningrad": ("largest", 2, 2),
    "sochi": ("largest", 1, 1),
    "rostov": ("largest", 1, 1),
    "classic": ("largest", 1, 1),
    "prefcount-sochi": ("largest", 1, 1),
    "prefcount-leningrad": ("largest", 2, 2),
}
DEFAULT_ROUNDING = {"rozaliev": "debts", "prefcount-sochi": "truncate", "prefcount-leningrad": "truncate"}


class NotWhole(Exception):
    """A divisible rounding met a gora that is not whole."""


def settle(pulya, gora, whists, rules, rounding, corrected=None, value=10, divisor=None):
    """Return a dict of every step in fractions; ``rules`` is (target, below, above)."""
    n = len(pulya)
    divisor = n if divisor is None else divisor
    amnestied = _amnestied(pulya, gora, *rules)
    saldo = [[Fraction(whists[i][j]) - whists[j][i] for j in range(n)] for i in range(n)]
    points = [0] * n
    if rounding.startswith("divisible"):
        if any(a.denominator != 1 for a in amnestied):
            raise NotWhole
        points = _points(amnestied, rounding, corrected, value)
        amnestied = [a + p for a, p in zip(amnestied, points, strict=True)]
    debts = [value * a / divisor for a in amnestied]
    if rounding == "debts":
        debts = [Fraction(math.floor(d + Fraction(1, 2))) for d in debts]
    final = [sum(debts) - n * d for d in debts]
    pairs = [[saldo[i][j] + debts[j] - debts[i] for j in range(n)] for i in range(n)]
    for i in range(n):
        for j in range(n):
            if i != j and points[j]:
                # the others write three on the one whose gora was cut; the raised one writes on them
                pairs[i][j] -= 3 * points[j]
                pairs[j][i] += 3 * points[j]
    if rounding == "truncate":
        final = [Fraction(math.trunc(f)) for f in final]
    result = [f + sum(row) for f, row in zip(final, saldo, strict=True)]
    if rounding.startswith("divisible"):
        result = [sum(row) for row in pairs]
    if rounding == "balanced":
        result = _balanced(result)
    return {
        "amnestied_gora": amnestied,
        "debt": debts,
        "final_gora": final,
        "saldo": [sum(row) for row in saldo],
        "pair_results": pairs,
        "result": result,
    }


def _amnestied(pulya, gora, target, below, above):
    n = len(pulya)
    goal = {"mean": Fraction(sum(pulya)) / n, "largest": Fraction(max(pulya))}.get(target)
    goal = Fraction(target) if goal is None else goal
    adjusted = []
    for p, g in zip(pulya, gora, strict=True):
        if p < goal:
            adjusted.append(g + below * (goal - p))
        else:
            adjusted.append(g - above * (p - goal))
    return [a - min(adjusted) for a in adjusted]


def _points(amnestied, rounding, corrected, value):
    n = len(amnestied)
    points = [0] * n
    if rounding == "divisible":
        total = sum(amnestied)
        if (value * total / Fraction(n)).denominator != 1:
            seat = corrected if corrected is not None else max(range(n), key=lambda i: (amnestied[i], -i))
            points[seat] = {1: -1, n - 1: 1}[total % n]
    else:
        for seat, own in enumerate(amnestied):
            if (value * own / Fraction(n)).denominator != 1:
                points[seat] = {1: -1, n - 1: 1}[own % n]
    return points


def _balanced(result):
    floors = [math.floor(r) for r in result]
    missing = -sum(floors)
    order = sorted(range(len(result)), key=lambda i: (-(result[i] - floors[i]), result[i], i))
    for seat in order[: int(missing)]:
        floors[seat] += 1
    return [Fraction(f) for f in floors]
