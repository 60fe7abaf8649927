"""What the user wrote on our sheets of an earlier run, carried over to the new ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

#: What names a row again: its sheet's key, and the texts of the cells that identify it.
Key = tuple[str, ...]


@dataclass
class Carried:
    """Ticks and remarks by row.

    Attributes
    ----------
    entries
        Row to what the user wrote there, column by column (``paid``, ``remark``, ``reply``).
    used
        The rows that were found again.
    """

    entries: Mapping[Key, Mapping[str, str]] = field(default_factory=dict)
    used: set[Key] = field(default_factory=set)

    def take(self, key: Key, column: str) -> str | None:
        """Return what stood in a column of a row, ``None`` for nothing, and remember that the row is there again."""
        entry = self.entries.get(key)
        if entry is None:
            return None
        self.used.add(key)
        return entry.get(column)

    def lost(self) -> Iterator[tuple[Key, Mapping[str, str]]]:
        """Yield the rows that were not found again."""
        for key, entry in self.entries.items():
            if key not in self.used:
                yield key, entry
