"""Reading score sheets: files to :class:`prefxl.games.Games`, every fault on its cell."""

from __future__ import annotations

from prefxl.sheets.reading import read, read_one, season

__all__ = ["read", "read_one", "season"]
