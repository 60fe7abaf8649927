"""Reading the result back and comparing it with the source, before anything is moved into place.

This does not trust what the writing side believes it did: both files are
opened afresh.
"""

from __future__ import annotations

import xml.parsers.expat
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from prefxl.errors import FileError
from prefxl.workbook.package import xml as markup
from prefxl.workbook.package.archive import Archive
from prefxl.workbook.package.book import Book, Sheet, open_archive
from prefxl.workbook.package.coordinates import Area
from prefxl.workbook.package.marker import PREFIX, Marker, read_marker
from prefxl.workbook.package.note_markup import as_drawing
from prefxl.workbook.package.notes import cells_noted, drawn, entries, our_notes, without_notes
from prefxl.workbook.package.parts import TYPES_PART, Package, relations_part
from prefxl.workbook.package.recognise import read_ours
from prefxl.workbook.package.styles import equal, key
from prefxl.workbook.package.tables import users_columns
from prefxl.workbook.package.verify_cells import compare_cells

_STYLE_LISTS = ("numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs")
# the default for ".xml" says nothing, and Excel does not take a part for what it is by that
_NO_TYPE = ("", "application/xml")
_MOST_BYTES_PARSED = 32 << 20
_SHEET_KINDS = ("comments", "vmlDrawing")


class VerificationError(FileError):
    """The written workbook differs from the source where it must not; nothing was replaced.

    Parameters
    ----------
    what, russian
        Where and how it differs, in English and in Russian.
    """

    def __init__(self, what: str, russian: str) -> None:
        super().__init__(
            f"The annotated workbook would have differed from yours: {what}. Nothing was written; please report this.",
            f"Дополненная книга отличалась бы от вашей: {russian}. Ничего не записано; пожалуйста, сообщите об этом.",
        )
        self.what = what
        self.russian = russian

    def __reduce__(self) -> tuple[type[VerificationError], tuple[str, str]]:
        return type(self), (self.what, self.russian)


def verify(source: Path, result: Path) -> None:
    """Compare a result with its source.

    Checked are: every member that was not to change, byte for byte; the
    earlier sheets, names, styles, notes and cells; and the package's
    soundness: relations lead somewhere, every part has a content type and the
    changed ones are well-formed.

    Parameters
    ----------
    source, result
        The two workbooks.

    Raises
    ------
    VerificationError
        At the first difference.
    """
    with open_archive(source) as before, open_archive(result) as after:
        _Comparison(before, after).run()


class _Comparison:
    def __init__(self, before: Archive, after: Archive) -> None:
        self._files = (before, after)
        self._before, self._after = Book(Package(before)), Book(Package(after))
        self._old, self._new = read_ours(self._before), read_marker(self._after)
        self._sheets = _paired(self._before, self._old, self._after, self._new)
        self._noted = {
            sheet.part: our_notes(self._before.package, sheet.part, self._old, sheet.name) for sheet, _ in self._sheets
        }

    def run(self) -> None:
        self._members()
        self._names()
        self._styles()
        for before, after in self._sheets:
            self._notes(before, after)
            if before.part in self._differing:
                compare_cells(
                    (self._before, before, self._old),
                    (self._after, after, self._new),
                    _fail,
                )
        self._soundness()

    # -- members

    def _members(self) -> None:
        before, after = self._files
        self._differing = set()
        may_go = self._may_go()
        allowed = self._may_change() | may_go
        for name, info in before.members.items():
            other = after.members.get(name)
            if other is None:
                if name not in may_go:
                    _fail(f"{name} is gone", f"пропала часть {name}")
            elif not _same_bytes(before, after, name):
                self._differing.add(name)
                if name not in allowed:
                    _fail(f"{name} has changed", f"изменилась часть {name}")
            elif info.date_time != other.date_time:
                _fail(f"the date of {name} has changed", f"изменилась дата части {name}")
        kept = [name for name in before.members if name in after.members and name not in may_go]
        known = set(kept)
        if kept != [name for name in after.members if name in known]:
            _fail("the order of the members has changed", "изменился порядок частей")

    def _may_change(self) -> set[str]:
        package, part = self._before.package, self._before.part
        allowed = {TYPES_PART, part, relations_part(part), *package.related(part, "styles")}
        allowed.update(package.related(part, "calcChain"))
        for sheet, _ in self._sheets:
            allowed |= {sheet.part, relations_part(sheet.part)}
            for kind in _SHEET_KINDS:
                allowed.update(package.related(sheet.part, kind))
            ours = self._old.areas(sheet.name)
            tables = package.related(sheet.part, "table") if ours else []
            allowed.update(part for part in tables if self._holds_ours(part, ours))
        return {found for name in allowed if (found := package.find(name)) is not None}

    def _holds_ours(self, table: str, ours: Sequence[Area]) -> bool:
        """Tell whether a table has columns of ours; those of the user's must be as they were."""
        before = self._before.package.tree(table)
        mine = users_columns(before, ours)
        if len(mine) == len(list(markup.children(markup.child(before, "tableColumns"), "tableColumn"))):
            return False
        kept = dict(users_columns(self._after.package.tree(table), ()))
        for column, name in mine:
            if kept.get(column) != name:
                _fail(f"the column {name} of a table has changed", f"изменился столбец «{name}» таблицы")
        return True

    def _may_go(self) -> set[str]:
        """Return the members that hold nothing but what an earlier run of ours placed."""
        package = self._before.package
        ours = [sheet.part for sheet in self._before.sheets() if _is_ours(sheet, self._old)]
        gone = set(package.related(self._before.part, "calcChain"))
        for part in ours:
            gone |= _reached(package, part) - _reached(package, "", without=set(ours))
        for sheet, _ in self._sheets:
            comments = package.related(sheet.part, "comments")
            if comments and cells_noted(package.tree(comments[0])) <= self._noted[sheet.part]:
                gone |= {*comments, *package.related(sheet.part, "vmlDrawing"), relations_part(sheet.part)}
        return {found for name in gone if (found := package.find(name)) is not None}

    # -- content

    def _names(self) -> None:
        before, after = _names_of(self._before, self._old), _names_of(self._after, self._new)
        there = set(after)
        missing = [name for name in before if name not in there]
        if missing:
            _fail(f"the name {missing[0][0]} has changed", f"изменилось имя {missing[0][0]}")

    def _styles(self) -> None:
        part = next(iter(self._before.package.related(self._before.part, "styles")), None)
        if part is None or part not in self._differing:
            return
        before, after = self._before.package.tree(part), self._after.package.tree(part)
        for name in _STYLE_LISTS:
            old = list(markup.children(markup.child(before, name)))
            new = list(markup.children(markup.child(after, name)))
            if len(new) < len(old) or not all(map(equal, old, new)):
                _fail(f"{name} in {part} have changed", f"изменились {name} в {part}")

    def _notes(self, before: Sheet, after: Sheet) -> None:
        ours = our_notes(self._after.package, after.part, self._new, after.name)
        # a copy of a note of ours is the user's, whatever is marked around it now
        ours -= _cells_noted(self._before, before) - self._noted[before.part]
        sides = ((self._before, before, self._noted[before.part]), (self._after, after, ours))
        old, new = (_notes_of(*side) for side in sides)
        if old != new:
            _fail(f"the notes on {before.name} have changed", f"изменились примечания на листе {before.name}")
        old, new = (_boxes_of(*side) for side in sides)
        if old != new:
            _fail(
                f"the boxes or controls on {before.name} have changed",
                f"изменились рамки примечаний или элементы управления на листе {before.name}",
            )

    # -- soundness

    def _soundness(self) -> None:
        before, after = self._before.package, self._after.package
        broken = _dangling(before)
        for part, target in sorted(_dangling(after) - broken):
            _fail(f"{part} refers to {target}, which is not there", f"{part} ссылается на {target}, которой нет")
        new = self._differing | (set(after.archive.members) - set(before.archive.members))
        for name in after.names():
            if name != TYPES_PART and before.find(name) is None and after.content_type(name) in _NO_TYPE:
                _fail(f"{name} has no content type", f"у части {name} нет типа содержимого")
        for name in sorted(new):
            # of a large sheet of the user's every row was compared; ours are written by one template a row
            is_small = after.archive.members[name].file_size <= _MOST_BYTES_PARSED
            if name.endswith((".xml", ".rels")) and is_small and not after.is_parsed(name):
                _well_formed(name, after.read(name))


def _fail(english: str, russian: str) -> None:
    raise VerificationError(english, russian)


def _is_ours(sheet: Sheet, marker: Marker) -> bool:
    return marker.owns_sheet(sheet.name)


def _paired(before: Book, old: Marker, after: Book, new: Marker) -> list[tuple[Sheet, Sheet]]:
    """Pair the user's sheets, which must be the same in the same order."""
    mine = [sheet for sheet in before.sheets() if not _is_ours(sheet, old)]
    theirs = [sheet for sheet in after.sheets() if not _is_ours(sheet, new)]
    pairs = []
    for first, second in zip_longest(mine, theirs):
        if first is None or second is None or _identity(first) != _identity(second):
            _fail(
                f"the sheet {(first or second).name} is not where it was",
                f"лист {(first or second).name} не на своём месте",
            )
        pairs.append((first, second))
    return pairs


def _identity(sheet: Sheet) -> tuple[str | None, ...]:
    return sheet.name, sheet.part, sheet.state, sheet.element.get("sheetId")


def _same_bytes(before: Archive, after: Archive, name: str) -> bool:
    first, second = before.members[name], after.members[name]
    if (first.CRC, first.file_size, first.compress_size) != (second.CRC, second.file_size, second.compress_size):
        return False
    (old_name, old), (new_name, new) = before.raw(first), after.raw(second)
    return old_name == new_name and all(left == right for left, right in zip_longest(old, new))


def _reached(package: Package, start: str, without: set[str] | None = None) -> set[str]:
    found, waiting = {start} if start else set(), [start]
    while waiting:
        part = waiting.pop()
        found.add(relations_part(part))
        for relation in package.relations(part):
            name = None if relation.external else package.find(relation.target)
            if name is not None and name not in found and name not in (without or ()):
                found.add(name)
                waiting.append(name)
    return found


def _names_of(book: Book, marker: Marker) -> list[tuple[str, str, str]]:
    """Return (name, text, sheet it belongs to) of the user's names."""
    sheets = book.sheets()
    found = []
    for item in book.names():
        local = item.get("localSheetId")
        sheet = sheets[int(local)] if local is not None and int(local) < len(sheets) else None
        name = item.get("name") or ""
        # Excel and LibreOffice give a copy of a sheet names of its own, the marker's among them
        ours = _is_ours(sheet, marker) if sheet is not None else name in marker.names
        if not ours and not name.startswith(PREFIX):
            found.append((name, item.text or "", sheet.name if sheet else ""))
    return found


def _notes_of(book: Book, sheet: Sheet, ours: set[tuple[int, int]]) -> object:
    """Return the notes of a sheet that are not ours, text and all."""
    found: list[object] = []
    for name in book.package.related(sheet.part, "comments"):
        for entry, comment in entries(book.package.tree(name), ours):
            found.append((entry, [key(item) for item in markup.children(comment)]))
    return found


def _cells_noted(book: Book, sheet: Sheet) -> set[tuple[int, int]]:
    return {
        cell for name in book.package.related(sheet.part, "comments") for cell in cells_noted(book.package.tree(name))
    }


def _boxes_of(book: Book, sheet: Sheet, ours: set[tuple[int, int]]) -> object:
    """Return a sheet's VML drawings without the boxes of our notes and without what frames them."""
    drawings = book.package.related(sheet.part, "vmlDrawing")
    return b"".join(drawn(without_notes(as_drawing(book.package.read(name)), ours)) for name in drawings)


def _dangling(package: Package) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for part in ["", *package.names()]:
        if not part.endswith(".rels"):
            for relation in package.relations(part):
                if not relation.external and package.find(relation.target) is None:
                    found.add((part, relation.target))
    return found


def _well_formed(name: str, data: bytes) -> None:
    parser = xml.parsers.expat.ParserCreate(namespace_separator=" ")
    try:
        for piece in _pieces(data):
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    except xml.parsers.expat.ExpatError as fault:
        raise VerificationError(f"{name} is not well-formed", f"часть {name} записана с ошибкой") from fault


def _pieces(data: bytes) -> Iterator[bytes]:
    view = memoryview(data)
    for start in range(0, len(data), 1 << 20):
        yield bytes(view[start : start + (1 << 20)])
