"""Asking the live functions as Excel does, through xlwings' real COM code in another process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
MISSING = {"missing": True}


def ask(request: dict[str, Any], driver: str = "tests.clients.com_driver") -> Any:
    """Run the driver on one request and return its answer."""
    done = subprocess.run(
        [sys.executable, "-m", driver],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def call_all(calls: list[tuple[str, list[Any]]]) -> list[Any]:
    """Return the answers of ``(function, arguments)`` calls, as Excel's cells would get them."""
    return list(ask({"do": "calls", "calls": calls}))


def in_range(rows: list[list[Any]]) -> dict[str, Any]:
    return {"range": rows}


def case_arguments(case: Any, *, across: bool = False) -> list[Any]:
    """Return the arguments of PULYA for a shared case, the blanks blank."""
    lines = [[number or None for number in line] for line in (case.pulya, case.gora)]
    ranges = [in_range([line] if across else [[number] for number in line]) for line in lines]
    square = [[number or None for number in row] for row in case.whists]
    left_out = [MISSING if value is None else float(value) for value in (case.target, case.corrected)]
    return [*ranges, in_range(square), case.convention, case.rounding, *left_out]


def column_of(answer: Any) -> list[float]:
    """Return the numbers of an answer that is a column (rows of one) or a row."""
    return [row[0] if isinstance(row, list) else row for row in answer]
