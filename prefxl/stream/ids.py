"""The games' ids of a whole stream, or of an archive of files, to find one that stands twice.

Whole numbers that follow each other, as most archives have them, are kept as two numbers a
piece. Others take 8 bytes a game: whole numbers as they are, texts as digests of 62 bits. What
is told of digests that meet is made sure of in the files themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from prefxl.findings import Finding
from prefxl.sheets.values import identifier
from prefxl.tables import cell_name
from prefxl.tabular import WHOLE

Integers = npt.NDArray[np.int64]

#: From here on a number stands for a text; no id that is a whole number is so large.
DIGESTS = 1 << 62

#: Ids looked through at a time.
_TOGETHER = 1 << 21


@dataclass(frozen=True, eq=False)
class Runs:
    """A column of few different neighbours: each number, and how often it stands in a row."""

    values: Integers
    times: Integers


#: A column of whole numbers: as it is, as a range, or as runs.
Packed: TypeAlias = Integers | range | Runs


@dataclass(frozen=True, eq=False)
class IdPiece:
    """The games of one piece of a file.

    Attributes
    ----------
    file, number
        The file's name, and which of several files it is, from 0.
    column
        The column of the ids, from 1; 0 where there is none.
    ids, days, lines
        (G,) whole numbers or digests of texts; numbers of days, 0 for none; the line each game stands in.
    """

    file: str
    number: int
    column: int
    ids: Packed
    days: Packed
    lines: Packed

    def __len__(self) -> int:
        return length(self.ids)


#: Number of a file and lines in it to the ids that stand there.
Texts: TypeAlias = Callable[[int, Sequence[int]], Mapping[int, Any]]


def id_numbers(game: pa.Array) -> Integers:
    """Return (G,) ids as whole numbers; a text that is none as its digest."""
    if pa.types.is_integer(game.type):
        filled = pc.fill_null(game, 0) if game.null_count else game
        found: Integers = filled.to_numpy(zero_copy_only=False).astype(np.int64)
        return found
    text = game.cast(pa.string())
    # a row without an id is none of ours, but may stand in the same piece
    text = pc.fill_null(text, "")
    whole = pc.match_substring_regex(text, WHOLE)
    numbers = np.array(pc.if_else(whole, text, "0").cast(pa.int64()), np.int64)
    flags = whole.to_numpy(zero_copy_only=False)
    if not flags.all():
        others = text.filter(pc.invert(whole)).to_numpy(zero_copy_only=False)
        digests = pd.util.hash_array(others, categorize=False) % np.uint64(DIGESTS) + np.uint64(DIGESTS)
        numbers[~flags] = digests.astype(np.int64)
    return numbers


def day_number(value: Any) -> int:
    """Return a number for a day, 0 for none; a text is not a day, but tells games apart as well."""
    if value is None:
        return 0
    if isinstance(value, date):
        return value.toordinal()
    # the same in every process, which Python's own hash is not
    return int.from_bytes(blake2b(str(value).encode(), digest_size=7).digest()) + (1 << 32)


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
    # a view would keep the piece it was taken from
    return numbers if numbers.base is None else numbers.copy()


def expanded(values: Packed) -> Integers:
    """Return what :func:`packed` packed."""
    if isinstance(values, range):
        return np.arange(values.start, values.stop)
    return np.repeat(values.values, values.times) if isinstance(values, Runs) else values


def length(values: Packed) -> int:
    """Return how many numbers :func:`packed` packed."""
    return int(values.times.sum()) if isinstance(values, Runs) else len(values)


def taken(values: Packed, places: Integers) -> Integers:
    """Return the numbers at ``places`` of what :func:`packed` packed.

    >>> taken(packed([7] * 9 + [8] * 9), np.array([0, 8, 9])).tolist()
    [7, 7, 8]
    """
    if isinstance(values, range):
        return places + values.start
    if isinstance(values, Runs):
        return values.values[np.searchsorted(np.cumsum(values.times), places, side="right")]
    return values[places]


@dataclass
class Twice:
    """Games whose id stood before: how many, and the findings on the first of them."""

    count: int = 0
    findings: list[Finding] = field(default_factory=list)
    #: whether some id stands twice in one file
    within: bool = False


@dataclass
class Ids:
    """All pieces of a stream, in the order of the files."""

    pieces: list[IdPiece] = field(default_factory=list)

    def apart(self) -> bool:
        """Return whether nothing but ranges that do not meet is there."""
        ranges = [piece.ids for piece in self.pieces if isinstance(piece.ids, range)]
        ranges.sort(key=lambda one: one.start)
        meet = any(one.stop > other.start for one, other in pairwise(ranges))
        return len(ranges) == len(self.pieces) and not meet

    def twice(self, keep: int, texts: Texts) -> Twice:
        """Return the warnings on games whose id stood before, unless their days tell them apart.

        Parameters
        ----------
        keep
            How many are wanted, the first of all; the others are counted.
        texts
            Reads ids from the files, where only digests are known.
        """
        if self.apart():
            return Twice()
        kept: list[tuple[int, ...]] = []
        count, within = 0, False
        for pairs in self._pairs():
            count += len(pairs)
            within = within or bool((self._numbers(pairs[:, 0]) == self._numbers(pairs[:, 1])).any())
            kept = sorted([*kept, *map(tuple, pairs[np.argsort(pairs[:, 0])][:keep].tolist())])[:keep]
        told = list(self._told(kept, texts)) if kept else []
        return Twice(count - len(kept) + len(told), told, within)

    def meet(self, others: Sequence[IdPiece]) -> bool:
        """Return whether an id of others stands twice in one file, as :meth:`twice` tells it."""
        return bool(others) and Ids([*self.pieces, *others]).twice(0, lambda number, lines: {}).within

    @cached_property
    def _ends(self) -> Integers:
        return np.cumsum([len(piece) for piece in self.pieces])

    def _numbers(self, games: Integers) -> Integers:
        """Return the number of the file each game stands in."""
        numbers = np.array([piece.number for piece in self.pieces], np.int64)
        return numbers[np.searchsorted(self._ends, games, side="right")]

    def _pairs(self) -> Iterator[Integers]:
        """Yield (n, 2) a game and the one before it that has its id; all games a part of the ids at a time."""
        parts = max(1, -(-int(self._ends[-1]) // _TOGETHER))
        for part in range(parts):
            ids, games = self._part(part, parts)
            order = np.argsort(ids, kind="stable")
            ids, games = ids[order], games[order]
            same = np.concatenate([[False], ids[1:] == ids[:-1]])
            many = same | np.append(same[1:], False)
            if many.any():
                found = _meetings(np.cumsum(~same[many]), games[many], self._days(games[many]))
                if found:
                    yield np.array(found, np.int64)

    def _part(self, part: int, parts: int) -> tuple[Integers, Integers]:
        """Return the ids that belong to a part, with their games, numbered through all pieces."""
        ids, games = [], []
        for piece, end in zip(self.pieces, self._ends.tolist(), strict=True):
            numbers = expanded(piece.ids)
            # ids that follow each other go to different parts
            at = np.flatnonzero(numbers % parts == part) if parts > 1 else np.arange(len(numbers))
            ids.append(numbers[at])
            games.append(at + (end - len(numbers)))
        return np.concatenate(ids), np.concatenate(games)

    def _days(self, games: Integers) -> Integers:
        return self._look_up(games, lambda piece: piece.days)

    def _look_up(self, games: Integers, column: Callable[[IdPiece], Packed]) -> Integers:
        """Return what stands in a column of the pieces for each of these games."""
        found = np.empty(len(games), np.int64)
        where = np.searchsorted(self._ends, games, side="right")
        for place in np.unique(where).tolist():
            of_piece = where == place
            piece = self.pieces[place]
            found[of_piece] = taken(column(piece), games[of_piece] - (self._ends[place] - len(piece)))
        return found

    def _told(self, pairs: Sequence[tuple[int, ...]], texts: Texts) -> Iterator[Finding]:
        """Yield the warnings, but for texts that only have the same digest."""
        games = np.array(pairs, np.int64).ravel()
        ids = self._look_up(games, lambda piece: piece.ids).tolist()
        lines = self._look_up(games, lambda piece: piece.lines).tolist()
        files = [self.pieces[place] for place in np.searchsorted(self._ends, games, side="right").tolist()]
        wanted: dict[int, list[int]] = {}
        for number, line, piece in zip(ids, lines, files, strict=True):
            if number >= DIGESTS:
                wanted.setdefault(piece.number, []).append(line)
        read = {number: texts(number, sorted(set(some))) for number, some in wanted.items()}

        def name(at: int) -> str:
            return str(read[files[at].number].get(lines[at], "")) if ids[at] >= DIGESTS else str(ids[at])

        def cell(at: int) -> str:
            return cell_name(lines[at], files[at].column)

        for at in range(0, len(ids), 2):
            game, first = name(at), name(at + 1)
            if game == first:
                details = {"first": f"{files[at + 1].file}!{cell(at + 1)}", "game": identifier(game)}
                yield Finding("game-twice", files[at].file, "", cell(at), game, details)


def _meetings(groups: Integers, games: Integers, days: Integers) -> list[tuple[int, int]]:
    """Return each game with the one before it of its group that its day does not tell apart from it.

    Parameters
    ----------
    groups, games, days
        (n,) group by group, in each in the order of the games; 0 for no day.
    """
    found: list[tuple[int, int]] = []
    earlier: dict[int, int] = {}
    last = -1
    for group, game, day in zip(groups.tolist(), games.tolist(), days.tolist(), strict=True):
        if group != last:
            earlier, last = {}, group
        other = earlier.get(day, earlier.get(0)) if day else next(iter(earlier.values()), None)
        if other is not None:
            found.append((game, other))
        earlier.setdefault(day, game)
    return found
