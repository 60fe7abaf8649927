"""How our cells, sheets and tints are known again: hidden defined names.

Defined names follow when the user inserts rows, moves columns or renames a
sheet, and every spreadsheet program keeps them. The names are

* ``_prefxl.sheet.N``: cell A1 of a sheet we appended;
* ``_prefxl.cells.N``: areas of cells we placed;
* ``_prefxl.look.G.N``: cells whose look we changed, G being a number in the memo;
* ``_prefxl.memo.N``: pieces of a JSON document with the looks as they were.

Notes are known by their author.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from prefxl.workbook.package.book import Book, Place, places, quoted
from prefxl.workbook.package.coordinates import Area

PREFIX = "_prefxl."
AUTHOR = "prefxl"
_NAME = re.compile(re.escape(PREFIX) + r"(sheet|cells|look|memo)\.(\d+)(?:\.(\d+))?")
# text in a formula may have 255 characters; a name's formula 8,192, of which Excel likes few
_TEXT = 240
_FORMULA = 1500


@dataclass(slots=True)
class Marker:
    """What is ours in a workbook.

    Parameters
    ----------
    sheets
        Names of our sheets.
    cells
        Areas of our cells on the user's sheets.
    looks
        For each group: the areas whose look we changed.
    memo
        For each group: what the look was.
    """

    sheets: list[str] = field(default_factory=list)
    cells: list[Place] = field(default_factory=list)
    looks: dict[int, list[Place]] = field(default_factory=dict)
    memo: dict[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.sheets or self.cells or self.looks)

    @property
    def names(self) -> list[str]:
        """Workbook-wide names that came with our sheets."""
        return [str(name) for name in self.memo.get("names", ())]

    def areas(self, sheet: str) -> list[Area]:
        """Return the areas of our cells on a sheet."""
        return [place.area for place in self.cells if place.sheet.casefold() == sheet.casefold()]


def read_marker(book: Book) -> Marker:
    """Read what an earlier run placed; names that the user's edits made meaningless are passed over."""
    marker = Marker()
    pieces: dict[int, str] = {}
    for element in book.names():
        match = _NAME.fullmatch(element.get("name") or "")
        if match is None:
            continue
        found = list(places(element.text))
        if match[1] == "sheet":
            marker.sheets += [place.sheet for place in found[:1]]
        elif match[1] == "cells":
            marker.cells += found
        elif match[1] == "look":
            marker.looks.setdefault(int(match[2]), []).extend(found)
        else:
            pieces[int(match[2])] = (element.text or "").strip().strip('"')
    marker.memo = _memo("".join(pieces[number] for number in sorted(pieces)))
    return marker


def write_marker(book: Book, marker: Marker) -> None:
    """Replace the marker of a workbook."""
    book.drop_names(PREFIX)
    if not marker:
        return
    number = 0
    for number, sheet in enumerate(marker.sheets, 1):
        _define(book, f"sheet.{number}", f"{quoted(sheet)}!$A$1")
    for number, text in enumerate(_packed(marker.cells), 1):
        _define(book, f"cells.{number}", text)
    for group, found in sorted(marker.looks.items()):
        for number, text in enumerate(_packed(found), 1):
            _define(book, f"look.{group}.{number}", text)
    for number, piece in enumerate(_pieces(marker.memo), 1):
        _define(book, f"memo.{number}", f'"{piece}"')


def _define(book: Book, name: str, text: str) -> None:
    book.add_name(PREFIX + name, text, hidden="1")


def _packed(found: Iterable[Place]) -> Iterator[str]:
    words: list[str] = []
    for place in found:
        word = f"{quoted(place.sheet)}!{place.area.absolute()}"
        if words and sum(map(len, words)) + len(words) + len(word) > _FORMULA:
            yield ",".join(words)
            words = []
        words.append(word)
    if words:
        yield ",".join(words)


def _pieces(memo: dict[str, Any]) -> Iterator[str]:
    if not memo:
        return
    text = json.dumps(memo, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    packed = base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")
    for start in range(0, len(packed), _TEXT):
        yield packed[start : start + _TEXT]


def _memo(packed: str) -> dict[str, Any]:
    try:
        memo = json.loads(zlib.decompress(base64.b64decode(packed)).decode("utf-8")) if packed else {}
    except (ValueError, zlib.error):
        # somebody has edited the names: the cells are still known, the looks are not
        return {}
    return memo if isinstance(memo, dict) else {}
