"""The starting files that come with the package."""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path

from prefxl.errors import FileError, OptionError
from prefxl.files import replacing

#: What ``prefxl template`` can write. ``udf.xlsm`` and ``prefxl.oxt`` are built, the others shipped as they are.
KINDS = ("season.csv", "season.xlsx", "pulka-3.xlsx", "pulka-4.xlsx", "lambda.xlsx", "udf.xlsm", "prefxl.oxt")


def shipped(name: str) -> Path:
    """Return the path of a shipped file: inside an installed package, or beside it in a checkout.

    Raises
    ------
    FileError
        If the installation lacks it.
    """
    package = Path(str(files("prefxl")))
    for folder in (package / "templates", package.parent / "templates"):
        if (folder / name).is_file():
            return folder / name
    raise FileError(
        f"this installation lacks {name}: install prefxl again",
        f"в этой установке нет {name}: установите prefxl заново",
    )


def write_template(kind: str, path: Path, *, overwrite: bool = False) -> Path:
    """Write the starting file ``kind`` to ``path``.

    Raises
    ------
    OptionError
        If there is no such kind.
    FileError
        If the file is in the way or cannot be written.
    """
    if kind not in KINDS:
        raise OptionError(
            f"templates are: {', '.join(KINDS)}; not {kind!r}", f"шаблоны: {', '.join(KINDS)}; а не «{kind}»"
        )
    if kind == "udf.xlsm":
        # it holds the path of this machine's interpreter, so it is made where it is used
        from prefxl.live.udf_workbook import write_udf_workbook

        write_udf_workbook(path, overwrite=overwrite)
        return path
    if kind == "prefxl.oxt":
        from prefxl.live.libreoffice import build_oxt

        return build_oxt(path, overwrite=overwrite)
    source = shipped(kind)
    with replacing(path, overwrite=overwrite) as temp:
        shutil.copyfile(source, temp)
    return path
