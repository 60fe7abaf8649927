"""Tables beside each other: the strips of a sheet in which a heading is looked for by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from prefxl.sheets.grid import Grid
from prefxl.sheets.heading_rows import Reading, Wanted, is_about_scores, layout_of, readings
from prefxl.sheets.values import score

#: First and last column.
Segment = tuple[int, int]


def strips(grid: Grid, row: int, free: Mapping[int, int], wanted: Wanted) -> Iterator[tuple[Grid, int]]:
    """Yield the parts of ``grid`` in which a heading may go through ``row``, each with its first free row.

    Columns with nothing in this row and its neighbours part the strips, as long as what is
    between them is a heading of its own; else the columns belong to one table with gaps in it.
    What an earlier run placed there is as good as nothing: the next run reads what the first has read.

    Parameters
    ----------
    grid, row
        The grid and the row.
    free
        Column to the first row no heading has taken, 0 where it is missing.
    wanted
        What the caller says about the file.
    """
    segments, ours = _segments(grid, row, wanted)
    whole = [segment for segment in segments if _is_whole(grid, row, segment, free, wanted)]
    apart = [segment for segment in segments if segment not in whole and _is_apart(grid, row, segment, free, wanted)]
    if not whole or len(whole) + len(apart) < 2:
        yield grid, _free(free, (grid.first_column, grid.first_column + len(grid.columns) - 1))
        return
    rest = [*ours, *(segment for segment in segments if segment not in whole and segment not in apart)]
    for first, last in whole:
        # what follows, up to the next table, are columns of this one
        nearest = min((other[0] for other in whole + apart if other[0] > last), default=None)
        ends = [segment[1] for segment in rest if segment[0] > last and (nearest is None or segment[0] < nearest)]
        strip = (first, max(ends, default=last))
        yield _strip(grid, strip), _free(free, strip)


def is_complete(reading: Reading, wanted: Wanted) -> bool:
    """Return whether headings are a table by themselves: of a wide one, pulya and gora or whists, and players."""
    layout = layout_of(reading, wanted)
    if layout != "wide":
        return layout is not None
    said = reading.headings.values()
    roles = {one.role for one in said}
    named = "player" in roles or any(isinstance(one.one, str) and one.one for one in said if one.role == "pulya")
    return named and "pulya" in roles and bool(roles & {"gora", "whists"})


def _segments(grid: Grid, row: int, wanted: Wanted) -> tuple[list[Segment], list[Segment]]:
    """Return the runs of columns with something in a row or those around it, a heading below a caption included.

    Those that an earlier run filled are runs of their own, and come second.
    """
    near = {other: grid.row(other) for other in range(row - 1, row + 4) if 0 <= other < len(grid)}
    theirs: set[int] = set()
    for other, cells in near.items():
        ours = grid.columns_of_ours(other)
        # a program that moves no names leaves the marks of an earlier run on columns of scores
        theirs.update(column for column, value in cells.items() if column not in ours or wanted.heading(value))
    return _runs(theirs), _runs({column for cells in near.values() for column in cells} - theirs)


def _runs(columns: set[int]) -> list[Segment]:
    runs: list[Segment] = []
    for column in sorted(columns):
        if runs and column == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], column)
        else:
            runs.append((column, column))
    return runs


def _strip(grid: Grid, segment: Segment) -> Grid:
    first, last = segment
    columns = grid.columns[first - grid.first_column : last - grid.first_column + 1]
    return replace(grid, columns=columns, first_column=first)


def _free(free: Mapping[int, int], segment: Segment) -> int:
    return max((free.get(column, 0) for column in range(segment[0], segment[1] + 1)), default=0)


def _is_whole(grid: Grid, row: int, segment: Segment, free: Mapping[int, int], wanted: Wanted) -> bool:
    """Return whether a heading that is complete by itself goes through these columns of a row."""
    taken = _free(free, segment)
    if taken > row:
        return False
    return any(is_complete(one, wanted) for one in readings(_strip(grid, segment), row, taken, wanted))


def _is_apart(grid: Grid, row: int, segment: Segment, free: Mapping[int, int], wanted: Wanted) -> bool:
    """Return whether these columns are rows of another table, or what its heading follows just below."""
    strip = _strip(grid, segment)
    if _free(free, segment) > row:
        return True
    if any(is_about_scores(wanted.heading(value)) for value in strip.row(row).values()):
        return False
    near = [value for other in (row - 1, row) if other >= 0 for value in strip.row(other).values()]
    if any(not isinstance(value, bool) and score(value)[0] is not None for value in near):
        return True
    # a caption, and «Висты» alone, may stand between
    below = (strip.row(other).values() for other in range(row + 1, row + 4) if other < len(grid))
    return any(sum(is_about_scores(wanted.heading(value)) for value in cells) > 1 for cells in below)
