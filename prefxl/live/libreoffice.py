"""The add-in for LibreOffice Calc: ``prefxl.oxt`` with the same rules inside, built on any machine."""

from __future__ import annotations

import zipfile
from importlib import resources
from pathlib import Path

from prefxl import __version__
from prefxl.files import replacing

#: The file that is built when no other name is given.
NAME = "prefxl.oxt"

#: What the add-in needs of the package: plain Python alone, for the office brings its own Python.
BUNDLED = ("errors.py", "rules", "live/answers.py", "live/help.py")

_MADE = (2026, 1, 1, 0, 0, 0)


def build_oxt(path: str | Path | None = None, *, overwrite: bool = False) -> Path:
    """Build the add-in and return where it is; ``unopkg add -f prefxl.oxt`` installs it.

    Parameters
    ----------
    path
        Where; by default ``prefxl.oxt`` in the current folder.
    overwrite
        Allow the file to exist already.

    Raises
    ------
    FileInTheWayError, FileError
        If the file exists, or cannot be written.
    """
    target = Path(NAME if path is None else path)
    with replacing(target, overwrite=overwrite) as temporary, zipfile.ZipFile(temporary, "w") as package:
        for name, text in sorted(oxt_parts().items()):
            # a fixed date: built twice it is the same twice
            package.writestr(zipfile.ZipInfo(name, _MADE), text, zipfile.ZIP_DEFLATED)
    return target


def oxt_parts() -> dict[str, str]:
    """Return the texts of the add-in by their names inside it."""
    package = resources.files("prefxl")
    sources = package / "live" / "oxt"
    parts = {
        "META-INF/manifest.xml": (sources / "META-INF" / "manifest.xml").read_text("utf-8"),
        "XPulya.idl": (sources / "XPulya.idl").read_text("utf-8"),
        "pulya.components": (sources / "pulya.components").read_text("utf-8"),
        # no plain .py here: it is imported by nothing but the office
        "pulya_addin.py": (sources / "pulya_addin.py.in").read_text("utf-8"),
        "description.xml": (sources / "description.xml").read_text("utf-8").replace("@VERSION@", __version__),
        # the package's own __init__ knows modules that are not bundled
        "pythonpath/prefxl/__init__.py": "",
        "pythonpath/prefxl/live/__init__.py": "",
    }
    for name in BUNDLED:
        source = package.joinpath(*name.split("/"))
        files = [source] if source.is_file() else [child for child in source.iterdir() if child.name.endswith(".py")]
        folder = f"{name}/" if source.is_dir() else name[: name.rfind("/") + 1]
        parts |= {f"pythonpath/prefxl/{folder}{file.name}": file.read_text("utf-8") for file in files}
    return parts
