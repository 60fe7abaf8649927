"""``prefxl`` settles Preferans score sheets kept in Excel and CSV, exactly.

The public names are loaded when first used (PEP 562): ``import prefxl.live.udf``
inside a spreadsheet must not wait for pandas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prefxl.batch import Settlements, settle
    from prefxl.errors import FileError, OptionError, PrefxlError, RulesError, SheetError
    from prefxl.findings import Finding, Severity
    from prefxl.games import Games, read
    from prefxl.rules.conventions import CONVENTIONS, ROUNDINGS, Convention
    from prefxl.rules.single import Settlement
    from prefxl.settled import Settled

__version__ = "0.1.0"

_HOMES = {
    "CONVENTIONS": "prefxl.rules.conventions",
    "ROUNDINGS": "prefxl.rules.conventions",
    "Convention": "prefxl.rules.conventions",
    "FileError": "prefxl.errors",
    "Finding": "prefxl.findings",
    "Games": "prefxl.games",
    "OptionError": "prefxl.errors",
    "PrefxlError": "prefxl.errors",
    "RulesError": "prefxl.errors",
    "Settled": "prefxl.settled",
    "Settlement": "prefxl.rules.single",
    "Settlements": "prefxl.batch",
    "Severity": "prefxl.findings",
    "SheetError": "prefxl.errors",
    "read": "prefxl.games",
    "settle": "prefxl.batch",
}

__all__ = [
    "CONVENTIONS",
    "ROUNDINGS",
    "Convention",
    "FileError",
    "Finding",
    "Games",
    "OptionError",
    "PrefxlError",
    "RulesError",
    "Settled",
    "Settlement",
    "Settlements",
    "Severity",
    "SheetError",
    "__version__",
    "read",
    "settle",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
