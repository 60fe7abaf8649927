"""The engine that adds to a user's ``.xlsx`` or ``.xlsm`` and loses nothing of it.

It knows nothing of Preferans. The package is patched, never loaded and saved:
only the members that must change are parsed, every other member's compressed
bytes are copied as they are.

* :func:`inspect` tells where there is room;
* :func:`annotate` places cells, tints, notes and the sheets of a donor
  workbook, after taking away what an earlier run placed;
* :func:`strip` only takes away;
* :func:`claim` marks what is ours in a workbook of our own making.
"""

from prefxl.workbook.package.annotate import annotate, strip
from prefxl.workbook.package.claim import Claimed, claim
from prefxl.workbook.package.coordinates import Area, column_letters, parse_reference, reference
from prefxl.workbook.package.inspection import (
    Inspection,
    Kind,
    Obstacle,
    SheetInspection,
    Visibility,
)
from prefxl.workbook.package.model import (
    CellChange,
    ColumnChange,
    Mark,
    NotPlaced,
    Reason,
    Report,
    SheetChange,
    StyleRole,
)
from prefxl.workbook.package.our_sheets import OurSheet, Typed
from prefxl.workbook.package.refusals import Refusal, WorkbookRefusedError
from prefxl.workbook.package.scan import inspect
from prefxl.workbook.package.verify import VerificationError

__all__ = [
    "Area",
    "CellChange",
    "Claimed",
    "ColumnChange",
    "Inspection",
    "Kind",
    "Mark",
    "NotPlaced",
    "Obstacle",
    "OurSheet",
    "Reason",
    "Refusal",
    "Report",
    "SheetChange",
    "SheetInspection",
    "StyleRole",
    "Typed",
    "VerificationError",
    "Visibility",
    "WorkbookRefusedError",
    "annotate",
    "claim",
    "column_letters",
    "inspect",
    "parse_reference",
    "reference",
    "strip",
]
