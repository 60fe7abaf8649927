"""How our cells, sheets and tints are known again: hidden defined names.

Defined names follow when the user inserts rows, moves columns or renames a
sheet, and every spreadsheet program keeps them. The names are

* ``_prefxl.sheet.N``: cell A1 of a sheet we appended;
* ``_prefxl.cells.G.N``: cells we placed in one column of a sheet, G being a number in the memo: a column
  the user inserts between two of ours is in none of them;
* ``_prefxl.look.G.N``: cells whose look we changed, G being a number in the memo;
* ``_prefxl.noted.N``: cells that got a note and nothing else;
* ``_prefxl.memo.N``: pieces of a JSON document with the looks as they were, and fingerprints of the values,
  notes and sheets we wrote: what the user has typed over them is not ours.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from prefxl.workbook.package.book import Book, Place, places, quoted
from prefxl.workbook.package.coordinates import Area

PREFIX = "_prefxl."
AUTHOR = "prefxl"
_NAME = re.compile(re.escape(PREFIX) + r"(sheet|cells|look|noted|memo)\.(\d+)(?:\.(\d+))?")
# text in a formula may have 255 characters; a name's formula 8,192, of which Excel likes few
_TEXT = 240
_FORMULA = 1500


# asked for each place on each of hundreds of sheets
_folded = lru_cache(maxsize=4096)(str.casefold)

#: The group of cells that an early version marked without telling the columns apart.
UNGROUPED = 0


@dataclass(slots=True)
class Marker:
    """What is ours in a workbook.

    Parameters
    ----------
    sheets
        Number to name of our sheets.
    columns
        For each group, that is each column of ours on a sheet: its cells.
    looks
        For each group: the areas whose look we changed.
    noted
        Cells that got a note and nothing else.
    memo
        For each group what the look was; what we wrote, as fingerprints.
    foreign
        By sheet (in lower case): cells within ours that hold something of the user's, and what.
    """

    sheets: dict[int, str] = field(default_factory=dict)
    columns: dict[int, list[Place]] = field(default_factory=dict)
    looks: dict[int, list[Place]] = field(default_factory=dict)
    noted: list[Place] = field(default_factory=list)
    memo: dict[str, Any] = field(default_factory=dict)
    foreign: dict[str, dict[tuple[int, int], str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.sheets or self.columns or self.looks or self.noted)

    @property
    def names(self) -> list[str]:
        """Workbook-wide names that came with our sheets."""
        return [str(name) for name in self.memo.get("names", ())]

    def owns_sheet(self, name: str) -> bool:
        """Tell whether a sheet is ours."""
        return name.casefold() in {one.casefold() for one in self.sheets.values()}

    def areas(self, sheet: str) -> list[Area]:
        """Return the areas of our cells on a sheet, columns side by side joined."""
        wanted = _folded(sheet)
        return side_by_side(
            place.area for found in self.columns.values() for place in found if _folded(place.sheet) == wanted
        )

    def has_gaps(self, sheet: str) -> bool:
        """Tell whether the areas of our cells on a sheet may have rows in them that never had any."""
        known: dict[str, Any] = self.memo.get("columns", {})
        return any(
            known.get(str(group), {}).get("g") and any(_folded(place.sheet) == _folded(sheet) for place in found)
            for group, found in self.columns.items()
        )

    def foreign_on(self, sheet: str) -> dict[tuple[int, int], str]:
        """Return the cells within ours on a sheet that hold something of the user's."""
        return self.foreign.get(sheet.casefold(), {})

    def noted_areas(self, sheet: str) -> list[Area]:
        """Return the areas of a sheet in which a note of ours may stand."""
        places = [*self.noted, *(place for found in (*self.looks.values(), *self.columns.values()) for place in found)]
        wanted = _folded(sheet)
        return [place.area for place in places if _folded(place.sheet) == wanted]


def side_by_side(areas: Iterable[Area]) -> list[Area]:
    """Join areas of the same rows whose columns follow each other."""
    joined: list[Area] = []
    for area in sorted(areas, key=lambda one: (one.first_row, one.last_row, one.first_column)):
        last = joined[-1] if joined else None
        if (
            last is not None
            and (last.first_row, last.last_row) == (area.first_row, area.last_row)
            and last.last_column == area.first_column - 1
        ):
            joined[-1] = last._replace(last_column=area.last_column)
        else:
            joined.append(area)
    return sorted(joined)


def read_marker(book: Book) -> Marker:
    """Read what an earlier run placed; names that the user's edits made meaningless are passed over."""
    marker = Marker()
    pieces: dict[int, str] = {}
    copies: dict[tuple[int, str], list[Place]] = {}
    for element in book.names():
        match = _NAME.fullmatch(element.get("name") or "")
        if match is None:
            continue
        number = int(match[2])
        if match[1] == "memo":
            pieces[number] = (element.text or "").strip().strip('"')
            continue
        found = list(places(element.text))
        if match[1] == "sheet" and element.get("localSheetId") is None:
            # a sheet-wide one came with a copy the user has made of a sheet of ours: it is the user's now
            marker.sheets[number] = found[0].sheet if found else ""
        elif match[1] == "cells" and match[3] and element.get("localSheetId") is not None:
            copies.setdefault((number, element.get("localSheetId") or ""), []).extend(found)
        elif match[1] == "cells":
            marker.columns.setdefault(number if match[3] else UNGROUPED, []).extend(found)
        elif match[1] == "look":
            marker.looks.setdefault(number, []).extend(found)
        elif match[1] == "noted":
            marker.noted += found
    marker.memo = _memo("".join(pieces[number] for number in sorted(pieces)))
    _take_copies(marker, copies)
    return marker


def _take_copies(marker: Marker, copies: Mapping[tuple[int, str], list[Place]]) -> None:
    """Take in columns on a copy the user has made of a sheet: it holds what the first one held."""
    memos: dict[str, Any] = marker.memo.get("columns", {})
    for (group, _), found in copies.items():
        number = max(marker.columns, default=0) + 1
        marker.columns[number] = found
        if str(group) in memos:
            memos[str(number)] = memos[str(group)]


def write_marker(book: Book, marker: Marker) -> None:
    """Replace the marker of a workbook."""
    book.drop_names(PREFIX)
    if not marker:
        return
    for number, sheet in sorted(marker.sheets.items()):
        _define(book, f"sheet.{number}", f"{quoted(sheet)}!$A$1")
    for kind, groups in (("cells", marker.columns), ("look", marker.looks)):
        for group, found in sorted(groups.items()):
            for number, text in enumerate(_packed(found), 1):
                _define(book, f"{kind}.{group}.{number}", text)
    for number, text in enumerate(_packed(marker.noted), 1):
        _define(book, f"noted.{number}", text)
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
    packed = base64.b64encode(zlib.compress(text.encode("utf-8"))).decode("ascii")
    for start in range(0, len(packed), _TEXT):
        yield packed[start : start + _TEXT]


def _memo(packed: str) -> dict[str, Any]:
    try:
        memo = json.loads(zlib.decompress(base64.b64decode(packed)).decode("utf-8")) if packed else {}
    except (ValueError, zlib.error):
        # somebody has edited the names: the cells are still known, the looks are not
        return {}
    return memo if isinstance(memo, dict) else {}
