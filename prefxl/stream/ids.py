"""The games' ids of a whole stream, to find one that stands twice.

Whole numbers that follow each other, as most archives have them, are kept as two numbers a
piece; others take about 20 bytes a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from prefxl.findings import Finding
from prefxl.sheets.values import identifier
from prefxl.tables import cell_name


@dataclass(frozen=True, eq=False)
class Runs:
    """A column of few different neighbours: each number, and how often it stands in a row."""

    values: npt.NDArray[np.int64]
    times: npt.NDArray[np.int64]


#: A column of whole numbers: as it is, as a range, or as runs.
Packed: TypeAlias = npt.NDArray[np.int64] | range | Runs


@dataclass(frozen=True, eq=False)
class IdPiece:
    """The games of one piece: file, ids (or hashes of texts), day numbers (0 for none), lines, and the texts."""

    file: str
    ids: Packed
    days: Packed
    lines: Packed
    texts: pa.Array | None = None


def id_piece(file: str, game: pa.Array, days: Any, lines: Any) -> IdPiece:
    """Return the ids of a piece; ``game`` is Arrow, whole numbers or text."""
    if not pa.types.is_integer(game.type):
        try:
            game = game.cast(pa.int64())
        except pa.ArrowInvalid:
            hashes = pd.util.hash_array(game.to_numpy(zero_copy_only=False)).view(np.int64)
            return IdPiece(file, hashes, packed(days), packed(lines), game)
    return IdPiece(file, packed(game.to_numpy().astype(np.int64)), packed(days), packed(lines))


def packed(values: npt.ArrayLike) -> Packed:
    """Return a column of whole numbers in less memory where they follow each other or stay the same.

    >>> packed([3, 4, 5]), packed([7] * 9).times
    (range(3, 6), array([9]))
    """
    numbers = np.asarray(values, np.int64)
    steps = np.diff(numbers)
    if len(numbers) and bool((steps == 1).all()):
        return range(int(numbers[0]), int(numbers[0]) + len(numbers))
    starts = np.concatenate([[0], np.flatnonzero(steps) + 1])
    if len(numbers) and 8 * len(starts) <= len(numbers):
        return Runs(numbers[starts], np.diff(starts, append=len(numbers)))
    return numbers


def expanded(values: Packed) -> npt.NDArray[np.int64]:
    """Return what :func:`packed` packed."""
    if isinstance(values, range):
        return np.arange(values.start, values.stop)
    return np.repeat(values.values, values.times) if isinstance(values, Runs) else values


def length(values: Packed) -> int:
    """Return how many numbers :func:`packed` packed."""
    return int(values.times.sum()) if isinstance(values, Runs) else len(values)


@dataclass
class Ids:
    """All pieces of a stream."""

    pieces: list[IdPiece] = field(default_factory=list)

    def apart(self) -> bool:
        """Return whether nothing but ranges that do not meet is there."""
        ranges = [piece.ids for piece in self.pieces if isinstance(piece.ids, range)]
        ranges.sort(key=lambda one: one.start)
        meet = any(one.stop > other.start for one, other in pairwise(ranges))
        return len(ranges) == len(self.pieces) and not meet

    def twice(self, column: int) -> Iterator[tuple[Finding, int]]:
        """Yield a warning on every game whose id and day stood before, with its number in the stream."""
        if self.apart():
            return
        ids = np.concatenate([expanded(piece.ids) for piece in self.pieces])
        ordered = np.sort(ids)
        double = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
        del ordered
        if len(double):
            yield from self._told(ids, np.flatnonzero(np.isin(ids, double)), column)

    def _told(self, ids: Any, suspects: Any, column: int) -> Iterator[tuple[Finding, int]]:
        days = np.concatenate([expanded(piece.days) for piece in self.pieces])[suspects]
        lines = np.concatenate([expanded(piece.lines) for piece in self.pieces])[suspects]
        ends = np.cumsum([length(piece.ids) for piece in self.pieces])
        seen: dict[str, list[tuple[int, str]]] = {}
        for at, day, line in zip(suspects.tolist(), days.tolist(), lines.tolist(), strict=True):
            place = int(np.searchsorted(ends, at, side="right"))
            piece = self.pieces[place]
            before = int(ends[place - 1]) if place else 0
            game = str(ids[at]) if piece.texts is None else piece.texts[at - before].as_py()
            earlier = seen.setdefault(game, [])
            first = next((where for other, where in earlier if not other or not day or other == day), None)
            if first is not None:
                details = {"first": first, "game": identifier(game)}
                yield Finding("game-twice", piece.file, "", cell_name(line, column), game, details), at
            earlier.append((day, f"{piece.file}!{cell_name(line, column)}"))
