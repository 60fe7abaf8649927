"""Marking what is ours in a workbook we have made ourselves, so that the next run replaces it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from prefxl.workbook.package.book import Book, Place, Sheet, open_archive
from prefxl.workbook.package.contents import Texts
from prefxl.workbook.package.coordinates import Area
from prefxl.workbook.package.edits import MOST_NUMBERS
from prefxl.workbook.package.marker import Marker, write_marker
from prefxl.workbook.package.our_sheets import MOST_BYTES, large_prints, sheet_prints
from prefxl.workbook.package.parts import Package
from prefxl.workbook.package.prints import digest, pack, plain_number
from prefxl.workbook.package.worksheet import Worksheet


class Claimed(NamedTuple):
    """A column of results on a sheet of games: its cells, heading included, and what stands in them."""

    sheet: str
    area: Area
    heading: str
    values: npt.NDArray[np.float64]


def claim(
    source: Path, target: Path, kinds: Mapping[str, str], columns: Sequence[Claimed] = (), notes: Iterable[str] = ()
) -> None:
    """Write a copy of a workbook with the marker that :func:`~prefxl.workbook.package.annotate.annotate` leaves.

    Parameters
    ----------
    source, target
        The workbook, and where its marked copy goes.
    kinds
        The names of the sheets that are ours as a whole, to their kinds.
    columns
        The columns that are ours on its other sheets.
    notes
        The texts of the notes on their cells.
    """
    with open_archive(source) as archive, zipfile.ZipFile(source) as members:
        package = Package(archive)
        try:
            book = Book(package)
            marker, texts = Marker(), Texts(book)
            memos = {}
            for sheet in book.sheets():
                if sheet.name in kinds:
                    marker.sheets[len(marker.sheets) + 1] = sheet.name
                    known = _prints(members, sheet, texts, source.name)
                    memos[str(len(marker.sheets))] = {"k": kinds[sheet.name], **known}
            for number, column in enumerate(columns, 1):
                marker.columns[number] = [Place(column.sheet, column.area)]
            marker.memo = {
                "v": 1,
                "sheets": memos,
                "columns": {str(number): _memo(column) for number, column in enumerate(columns, 1)},
                "notes": pack(map(digest, notes)),
            }
            write_marker(book, marker)
            package.write(target)
        finally:
            package.close()


def _prints(members: zipfile.ZipFile, sheet: Sheet, texts: Texts, file: str) -> dict[str, str]:
    if members.getinfo(sheet.part).file_size <= MOST_BYTES:
        return sheet_prints(Worksheet(members.read(sheet.part), file, sheet.part), texts)
    with members.open(sheet.part) as stream:
        return large_prints(stream.read(MOST_BYTES), file, sheet.part, texts)


def _memo(column: Claimed) -> dict[str, Any]:
    memo: dict[str, Any] = {"t": pack([digest(column.heading)]), "h": digest(column.heading)}
    numbers = np.unique(column.values[~np.isnan(column.values)])
    if len(numbers) <= MOST_NUMBERS:
        # a zero with a sign is written without it
        memo["v"] = " ".join(sorted({plain_number(number + 0.0) for number in numbers.tolist()}))
    return memo
