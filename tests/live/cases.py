"""The shared cases as every level of the live function is asked about them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from prefxl.rules.single import Settlement, settle_sheet

SHARED = json.loads((Path(__file__).parents[1] / "cases" / "settlements.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Case:
    """One sheet with the rules it is settled by and the results it must give."""

    id: str
    pulya: list[Any]
    gora: list[Any]
    whists: list[list[Any]]
    convention: str
    rounding: str
    results: list[Fraction]
    target: Any = None
    corrected: int | None = None

    @property
    def players(self) -> int:
        return len(self.pulya)

    @property
    def in_formulas(self) -> bool:
        """Whether plain formulas can say this rounding."""
        return self.rounding in ("exact", "debts", "truncate", "balanced")

    @property
    def floats(self) -> list[float]:
        return [float(result) for result in self.results]

    def settled(self) -> Settlement:
        return settle_sheet(
            self.pulya,
            self.gora,
            self.whists,
            convention=self.convention,
            rounding=self.rounding,
            target=self.target,
            corrected=None if self.corrected is None else str(self.corrected),
        )


def shared_cases() -> list[Case]:
    """Return the published and worked settlements of ``tests/cases``."""
    return [
        Case(
            id=raw["id"],
            pulya=raw["pulya"],
            gora=raw["gora"],
            whists=raw["whists"],
            convention=raw["convention"],
            rounding=raw["rounding"],
            results=[Fraction(result) for result in raw["result"]],
            target=raw.get("target"),
            corrected=raw["players"].index(raw["corrected"]) + 1 if "corrected" in raw else None,
        )
        for raw in SHARED
    ]


def random_sheet(random_numbers: random.Random, players: int, *, halves: bool = False) -> tuple[Any, Any, Any]:
    """Return pulyas, goras and whists as a table might really have them, ties included."""
    most = random_numbers.choice((2, 10, 40))
    pulya = [random_numbers.randint(0, most) for _ in range(players)]
    gora: list[Any] = [random_numbers.randint(-2 if halves else 0, most) for _ in range(players)]
    if halves:
        gora = [number + random_numbers.choice((0, 0.5)) for number in gora]
    whists = [[0 if i == j else random_numbers.randint(0, 9 * most) for j in range(players)] for i in range(players)]
    return pulya, gora, whists


def random_cases(seed: int, count: int) -> Iterator[Case]:
    """Yield ``count`` random sheets under every convention and rounding that formulas can say."""
    random_numbers = random.Random(seed)
    conventions = ("rozaliev", "leningrad", "sochi")
    roundings = ("exact", "debts", "truncate", "balanced")
    for number in range(count):
        convention, rounding = conventions[number % 3], roundings[number // 3 % 4]
        pulya, gora, whists = random_sheet(random_numbers, 2 + number % 4, halves=number % 2 == 1)
        settled = settle_sheet(pulya, gora, whists, convention=convention, rounding=rounding)
        yield Case(f"random-{number}", pulya, gora, whists, convention, rounding, settled.result_exact)
