"""A real headless LibreOffice for tests, in a profile of its own."""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

SERVER = Path(__file__).with_name("office_server.py")

#: Makes LibreOffice recalculate what it loads, where a document is only converted.
_ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
{items}</oor:items>
"""
_RECALCULATE = (
    '<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse">'
    "<value>0</value></prop></item>\n"
)
_LOCALE = (
    '<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse">'
    "<value>{locale}</value></prop></item>\n"
)


@functools.cache
def uno_python() -> str | None:
    """Return the Python that has LibreOffice's ``uno``, or ``None``."""
    for candidate in (sys.executable, "/usr/bin/python3", shutil.which("python3")):
        if candidate and not subprocess.run([candidate, "-c", "import uno"], capture_output=True).returncode:
            return candidate
    return None


def need_libreoffice() -> str:
    """Return the Python that drives LibreOffice; skip the test where there is none."""
    python = uno_python()
    if python is None or shutil.which("soffice") is None:
        pytest.skip("LibreOffice with python3-uno is not installed")
    return python


class LibreOffice:
    """A running office; every method is a request to it. Use as a context.

    Parameters
    ----------
    profile
        A folder for its profile; one that has an extension installed keeps it.
    locale
        The language of its settings, such as ``"ru-RU"``.
    """

    def __init__(self, profile: Path, locale: str = "") -> None:
        python = need_libreoffice()
        self.folder, self.copies = profile, 0
        settings = profile / "user" / "registrymodifications.xcu"
        if not settings.exists():
            settings.parent.mkdir(parents=True)
            items = _RECALCULATE + (_LOCALE.format(locale=locale) if locale else "")
            settings.write_text(_ALWAYS_RECALCULATE.format(items=items), encoding="utf-8")
        self.process = subprocess.Popen(
            [python, str(SERVER), str(profile)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, name: str, *arguments: Any) -> Any:
        """Ask the office to do something; an error there is an error here."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([name, arguments]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise OSError("LibreOffice went away")
        reply = json.loads(line)
        if "error" in reply:
            raise OSError(reply["error"])
        return reply["answer"]

    def open(self, path: Path | str) -> str:
        """Open a copy of a workbook (or ``private:factory/scalc``) and recalculate it; return its name.

        A copy, because a document opened read-only lets nothing be cleared, and a lock
        file left beside the original would keep it from opening at all.
        """
        if not str(path).startswith("private:"):
            self.copies += 1
            copy = self.folder / f"copy-{self.copies}{Path(path).suffix}"
            shutil.copy(path, copy)
            path = copy
        self.ask("open", str(path))
        return str(path)

    def read(self, book: str, sheet: str, names: Sequence[str]) -> list[Any]:
        """Return the values of cells: a float, a text, ``None``, or the text of an error."""
        return list(self.ask("read", book, sheet, list(names)))

    def write(self, book: str, sheet: str, values: dict[str, Any]) -> None:
        """Type values and formulas into cells."""
        self.ask("write", book, sheet, values)

    def __enter__(self) -> LibreOffice:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


def to_pdf(office: LibreOffice, book: str, target: Path) -> Path:
    """Print a workbook to a PDF."""
    office.ask("save", book, str(target), "calc_pdf_Export")
    return target


def to_png(pdf: Path, folder: Path, resolution: int = 80) -> list[Path]:
    """Turn the pages of a PDF into pictures."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm (poppler-utils) is not installed")
    subprocess.run(["pdftoppm", "-r", str(resolution), "-png", str(pdf), str(folder / "page")], check=True)
    return sorted(folder.glob("page*.png"))
