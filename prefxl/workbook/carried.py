"""What the user wrote on our sheets of an earlier run, carried over to the new ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

#: What names a row again: its sheet's key, and the texts of the cells that identify it.
Key = tuple[str, ...]


@dataclass
class Carried:
    """Ticks and remarks by row.

    Attributes
    ----------
    entries
        Row to what the user wrote there, column by column (``paid``, ``remark``, ``reply``): text,
        a number or a truth value, as it was.
    sentences
        What an earlier run could place nowhere, as it told it.
    used
        The cells (row, column) that were found again.
    """

    entries: Mapping[Key, Mapping[str, Any]] = field(default_factory=dict)
    sentences: Sequence[str] = ()
    used: set[tuple[Key, str]] = field(default_factory=set)

    def take(self, key: Key, column: str, *looser: Key) -> Any:
        """Return what stood in a column of a row, ``None`` for nothing, and remember that it is there again.

        Parameters
        ----------
        key
            What names the row.
        looser
            Other names under which it may be known, each the beginning of the row's name or the name
            with parts left empty; the first that fits one row not taken yet counts.
        """
        for wanted in (key, *looser):
            for known in self._candidates(wanted):
                entry = self.entries[known]
                if column in entry and (known, column) not in self.used and fits(wanted, known):
                    self.used.add((known, column))
                    return entry[column]
        return None

    def _candidates(self, wanted: Key) -> Sequence[Key]:
        """Return the rows that share the rarest part of a name, in their order: thousands need not all be compared."""
        shared = [self._by_part.get((at, part), []) for at, part in enumerate(wanted) if part]
        return min(shared, key=len, default=[])

    @cached_property
    def _by_part(self) -> Mapping[tuple[int, str], list[Key]]:
        found: dict[tuple[int, str], list[Key]] = {}
        for key in self.entries:
            for place in enumerate(key):
                found.setdefault(place, []).append(key)
        return found

    def lost(self) -> Iterator[tuple[Key, Mapping[str, Any]]]:
        """Yield what was not found again."""
        for key, entry in self.entries.items():
            left = {column: value for column, value in entry.items() if (key, column) not in self.used}
            if left:
                yield key, left


def fits(wanted: Key, known: Key) -> bool:
    """Tell whether a name, of which empty parts say nothing, is the name of a row.

    >>> fits(("a", "", "c"), ("a", "b", "c", "d")), fits(("a", "x"), ("a", "b"))
    (True, False)
    """
    return len(wanted) <= len(known) and all(not mine or mine == its for mine, its in zip(wanted, known, strict=False))
