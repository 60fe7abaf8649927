"""The Excel add-in ``prefxl.xlam``: the live functions in every workbook, for Excel for Windows."""

from __future__ import annotations

from pathlib import Path

import xlsxwriter

from prefxl.files import replacing
from prefxl.live.udf_workbook import our_modules, write_settings, xlwings_modules
from prefxl.live.vba import put_project

#: What xlwings calls this project: the sheet and the files of its settings carry this name.
PROJECT = "prefxl"
NAME = "prefxl.xlam"


def write_addin(path: str | Path = NAME, *, overwrite: bool = False, interpreter: str | None = None) -> Path:
    """Write the add-in for this machine's Python and return where it is.

    Parameters
    ----------
    path
        Where; the name should end in ``.xlam``.
    overwrite
        Allow the file to exist already.
    interpreter
        The Python that Excel starts; by default this one, on Windows.

    Raises
    ------
    OptionError
        If the package that writes VBA projects is not installed.
    FileInTheWayError, FileError
        If the file exists, or cannot be written.
    """
    target = Path(path)
    modules = xlwings_modules("xlwings_custom_addin.bas")
    modules["xlwings"] = modules["xlwings"].replace(
        'PROJECT_NAME As String = "myaddin"', f'PROJECT_NAME As String = "{PROJECT}"'
    )
    with replacing(target, overwrite=overwrite) as temporary:
        with xlsxwriter.Workbook(str(temporary)) as book:
            book.set_properties({"title": "prefxl: =PULYA()", "author": "prefxl"})
            write_settings(book, f"{PROJECT}.conf", interpreter)
        put_project(temporary, {**modules, **our_modules()}, addin=True)
    return target
