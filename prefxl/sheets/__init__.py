"""Reading score sheets: files to :class:`prefxl.games.Games`, every fault on its cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prefxl.sheets.reading import read, read_one, season

__all__ = ["read", "read_one", "season"]


def __getattr__(name: str) -> Any:
    # only on demand: names and numbers are read elsewhere too, without all of reading
    if name in __all__:
        from prefxl.sheets import reading

        return getattr(reading, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
