"""Which rows of a column that is marked as a whole hold results: what stands in the gaps between them is the user's."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from prefxl.workbook.package.coordinates import Area

Rows = npt.NDArray[np.int64]

# a longer text is left out of the mark: any number of ours in a gap is then taken for ours [characters]
_LONGEST = 60_000


def pack_gaps(areas: Iterable[Area], runs: Iterable[Sequence[int]]) -> str | int:
    """Return which cells of some areas hold results, as text; 1 if that would be too long.

    Parameters
    ----------
    areas
        How the column is marked.
    runs
        First and last row of each run of results.
    """
    marked = _rows(areas)
    ends = np.array(list(runs), np.int64).reshape(-1, 2)
    ours = np.searchsorted(ends[:, 0], marked, "right") > np.searchsorted(ends[:, 1], marked, "left")
    packed = base64.b64encode(zlib.compress(np.packbits(ours).tobytes(), 9)).decode("ascii")
    return f"{len(marked)} {packed}" if len(packed) <= _LONGEST else 1


def users_rows(gaps: object, areas: Iterable[Area], filled: Sequence[int]) -> list[int]:
    """Return those of the rows with a number of ours in which no result stood: the user has typed it.

    Rows may have been inserted or deleted since at one place. If results are missing, rows may have been
    moved by a program that moves no names: nothing is certain then, and nothing is returned.

    Parameters
    ----------
    gaps
        What :func:`pack_gaps` returned.
    areas
        How the column is marked now.
    filled
        The rows, ascending, in which a value that may be ours stands.
    """
    ours, marked = _unpacked(gaps), _rows(areas)
    if ours is None or not filled:
        return []
    there = np.isin(marked, filled)
    shift = len(there) - len(ours)
    head, tail = there[: len(ours)], there[max(shift, 0) :]
    # with rows inserted or deleted at a place, those above it are where they were and those below are shifted
    kept = len(ours) + min(shift, 0)
    above = np.concatenate([[0], np.cumsum(ours[:kept] & ~head[:kept])])
    below = np.concatenate([[0], np.cumsum((ours[-kept:] & ~tail[-kept:])[::-1])])[::-1] if kept else above
    places = np.flatnonzero(above + below == 0)
    if not len(places):
        return []
    # where several places are possible, that at which most of what is there is ours: a result is never left behind
    before, after = (np.concatenate([[0], np.cumsum(part)]) for part in (ours[:kept], ours[len(ours) - kept :]))
    at = int(max(places.tolist(), key=lambda place: before[place] - after[place]))
    results = np.zeros(len(there), bool)
    results[:at] = ours[:at]
    results[len(there) - (kept - at) :] = ours[len(ours) - (kept - at) :]
    rows: list[int] = marked[there & ~results].tolist()
    return rows


def _rows(areas: Iterable[Area]) -> Rows:
    parts = [np.arange(area.first_row, area.last_row + 1, dtype=np.int64) for area in sorted(areas)]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _unpacked(gaps: object) -> npt.NDArray[np.bool_] | None:
    if not isinstance(gaps, str):
        return None
    try:
        count, _, packed = gaps.partition(" ")
        bits = np.frombuffer(zlib.decompress(base64.b64decode(packed)), np.uint8)
        return np.unpackbits(bits, count=int(count)).astype(bool)
    except (ValueError, zlib.error):
        return None
