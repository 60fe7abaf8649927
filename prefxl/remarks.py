"""Remarks on settled games: where conventions part, and where a rounding leaves a residual."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from prefxl.batch import Settlements, exact_text, settle_columns
from prefxl.findings import Finding
from prefxl.rules.conventions import CONVENTIONS

if TYPE_CHECKING:
    from prefxl.settled import Group, Settled


def remarks(settled: Settled) -> list[Finding]:
    """Return the findings on single games that only their settlement shows, in the order of the games."""
    placed: list[tuple[int, Finding]] = []
    for group in settled.groups:
        placed += _unequal_pulyas(settled, group)
        placed += _residuals(settled, group)
    return [finding for _, finding in sorted(placed, key=lambda one: one[0])]


def _unequal_pulyas(settled: Settled, group: Group) -> Iterator[tuple[int, Finding]]:
    """Tell what ``leningrad`` gives for the games that ``rozaliev`` settles otherwise.

    Source: R(rozaliev) - R(leningrad) = V (D / N - x_i), which is 0 for all only when nobody is above the mean.
    """
    unequal = np.flatnonzero(parted(group.done))
    if not len(unequal):
        return
    other = settle_columns(group.done.columns, CONVENTIONS["leningrad"], rounding="exact", steps=False)
    texts = exact_text(other.numerators, other.denominator)
    for row in unequal:
        position = int(group.positions[row])
        names = settled.games.names(position)
        found = ", ".join(f"{name} {text}" for name, text in zip(names, texts[row], strict=True))
        yield position, _on_game(settled, position, "unequal-pulyas", found)


def parted(done: Settlements) -> npt.NDArray[np.bool_]:
    """Return which games ``rozaliev`` settles otherwise than ``leningrad``: all false for other conventions."""
    rules = done.convention
    pulyas = np.stack([np.asarray(column) for column in done.columns.pulya])
    if rules.name != "rozaliev" or rules.symmetric:
        return np.zeros(pulyas.shape[1], bool)
    if rules.below == CONVENTIONS["leningrad"].below and rules.target != "mean":
        # a point below costs the same under both, and nobody is above the largest pulya or, maybe, the agreed one
        if not isinstance(rules.target, Fraction):
            return np.zeros(pulyas.shape[1], bool)
        pulyas = np.maximum(pulyas * rules.target.denominator - rules.target.numerator * done.columns.unit, 0)
    unlike: npt.NDArray[np.bool_] = (pulyas != pulyas[0]).any(axis=0)
    return unlike


def _residuals(settled: Settled, group: Group) -> Iterator[tuple[int, Finding]]:
    if group.done.rounding != "truncate":
        return
    numerators, denominator = group.done.amounts["result"]
    sums = numerators.sum(axis=0)
    texts = exact_text(sums, denominator)
    for row in np.flatnonzero(sums):
        position = int(group.positions[row])
        name = str(settled.games.game[position])
        yield position, _on_game(settled, position, "truncation-residual", name, sum=texts[row])


def _on_game(settled: Settled, position: int, reason: str, found: str, **details: Any) -> Finding:
    file, sheet, cell = settled.games.cell(position, "game")
    if not cell:
        # a form has no column of game ids: its first player stands for the game
        file, sheet, cell = settled.games.cell(position, "player")
    return Finding(reason, file, sheet, cell, found, {"game": str(settled.games.game[position]), **details})
