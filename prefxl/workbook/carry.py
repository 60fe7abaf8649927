"""Reading back what the user wrote on our sheets of an earlier run: ticks, remarks, and anything beside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from prefxl.errors import FileError
from prefxl.tables import cell_name
from prefxl.workbook.carried import Carried, Key
from prefxl.workbook.package.our_sheets import OurSheet
from prefxl.workbook.words import HEADINGS, PHRASES, SHEETS

Cell = tuple[int, int]

#: Columns that are the user's to fill, by sheet; and those that name a row again.
USERS_COLUMNS = {"payments": ("paid", "remark"), "findings": ("reply",)}
NAMING_COLUMNS = {
    "payments": ("section", "payer", "payee", "amount"),
    "findings": ("file", "sheet", "cell", "message"),
}
#: Where a row has nothing in a naming column, what names it: a payment is in money or in whists.
INSTEAD = {"amount": "whists"}
#: Sections of a sheet that part rows alike in everything else.
_SECTIONS = ("fewest", "pairwise", "per_date", "per_game")


def read_carried(path: Path, sheets: Iterable[OurSheet] | None = None) -> Carried:
    """Return what the user wrote on our sheets of a workbook (by default, on those called like ours).

    What cannot be read as a workbook has nothing of ours.

    Parameters
    ----------
    path
        The workbook.
    sheets
        Our sheets, and what the user typed on them; of the cells of :data:`USERS_COLUMNS` only those that
        can be named are taken.
    """
    from python_calamine import CalamineError

    from prefxl.sheets.workbook import open_book

    entries: dict[Key, Mapping[str, Any]] = {}
    sentences: list[str] = []
    try:
        asked = None if sheets is None else list(sheets)
        book = open_book(path, None if asked is None else [one.name for one in asked if _is_carried(one)])
        found = [OurSheet(name, "") for name in book.sheet_names] if asked is None else asked
        for one in found:
            kind = _kind(one)
            if _is_carried(one):
                rows = book.get_sheet_by_name(one.name).to_python(skip_empty_area=False)
                entries |= {key: entry for key, entry, _ in read_rows(kind, rows)} if kind != "rules" else {}
                entries |= dict(_beside(kind, rows)) if sheets is None and kind != "rules" else {}
                sentences += lost_before(rows) if kind == "rules" else []
    except (CalamineError, FileError):
        return Carried()
    return Carried(entries, sentences)


def _kind(sheet: OurSheet) -> str:
    return sheet_kind(sheet.kind) or sheet.kind.partition(".")[0] or sheet_kind(sheet.name) or ""


def _is_carried(sheet: OurSheet) -> bool:
    """Tell whether what the user wrote on a sheet of this kind is taken along."""
    kind = _kind(sheet)
    return kind in USERS_COLUMNS or kind == "rules"


def users_cells(path: Path, sheet: OurSheet) -> set[tuple[int, int]]:
    """Return the cells (row, column) of one of our sheets that :func:`read_carried` takes."""
    from prefxl.sheets.workbook import open_book

    kind = sheet.kind.partition(".")[0]
    if kind not in (*USERS_COLUMNS, "rules"):
        return set()
    rows = open_book(path, [sheet.name]).get_sheet_by_name(sheet.name).to_python(skip_empty_area=False)
    return {cell for _, _, cells in read_rows(kind, rows) for cell in cells} if kind in USERS_COLUMNS else set()


def lost_before(rows: Sequence[Sequence[Any]]) -> list[str]:
    """Return the sentences an earlier run listed on the sheet of rules as having no place."""
    found: list[str] = []
    inside = False
    for row in rows:
        first, second = (str(row[at]).strip() if at < len(row) else "" for at in (0, 1))
        if first:
            inside = first in PHRASES["lost_ticks"]
        elif inside and second:
            found.append(second)
    return found


def sheet_kind(name: str) -> str | None:
    """Return which of our sheets is called so, in either language, numbered or not; ``None`` for none.

    >>> sheet_kind("Платежи (2)"), sheet_kind("Май")
    ('payments', None)
    """
    plain = name.rstrip(" ()0123456789").casefold()
    return next((kind for kind, titles in SHEETS.items() if plain in {title.casefold() for title in titles}), None)


def read_rows(kind: str, rows: Sequence[Sequence[Any]]) -> Iterator[tuple[Key, dict[str, Any], list[Cell]]]:
    """Yield the rows of one of our sheets on which the user wrote something, and the cells of that."""
    section, columns = "", dict[str, int]()
    for at, row in enumerate(rows, 1):
        section = _section(row) or section
        headings = _headings(kind, row)
        if headings:
            columns = headings
        elif columns:
            yield from _written(kind, section, columns, row, at)


def _beside(kind: str, rows: Sequence[Sequence[Any]]) -> Iterator[tuple[Key, dict[str, Any]]]:
    """Yield the cells to the right of our columns."""
    last: int | None = None
    for at, row in enumerate(rows, 1):
        headings = _headings(kind, row)
        last = max(headings.values()) if headings else last
        for column, value in enumerate(row if last is not None else (), 1):
            if last is not None and column > last + 1 and value != "":
                yield (kind, cell_name(at, column)), {"remark": value}


def _section(row: Sequence[Any]) -> str:
    first = str(row[0]) if row else ""
    return next((key for key in _SECTIONS if first in PHRASES[key]), "")


def _headings(kind: str, row: Sequence[Any]) -> dict[str, int]:
    """Return our columns of a heading row, nothing where the row is none."""
    wanted = (*NAMING_COLUMNS.get(kind, ()), *INSTEAD.values(), *USERS_COLUMNS.get(kind, ()))
    texts = {str(value): at for at, value in enumerate(row) if value != ""}
    found = {key: texts[text] for key in wanted for text in HEADINGS[key] if text in texts}
    return found if len(found) >= 3 else {}


def _written(
    kind: str, section: str, columns: Mapping[str, int], row: Sequence[Any], at: int
) -> Iterator[tuple[Key, dict[str, Any], list[Cell]]]:
    def text(key: str) -> str:
        column = columns.get(key)
        return cell_text(row[column]) if column is not None and column < len(row) else ""

    filled = [key for key in USERS_COLUMNS[kind] if text(key)]
    if filled:
        parts = [text(key) or text(INSTEAD.get(key, "")) for key in NAMING_COLUMNS[kind]]
        name: Key = (kind, section, *parts) if kind == "payments" else (kind, *without_file(*parts))
        yield name, {key: row[columns[key]] for key in filled}, [(at, columns[key] + 1) for key in filled]


def without_file(file: str, sheet: str, cell: str, message: str) -> Key:
    """Name a finding so that the name of the file, which changes from run to run, does not matter.

    >>> without_file("a.xlsx", "Май", "B2", "как в a.xlsx!Май!B1")
    ('Май', 'B2', 'как в !Май!B1', 'a.xlsx')
    """
    return sheet, cell, message.replace(file, "") if file else message, file


def cell_text(value: Any) -> str:
    """Return a cell's value as the text that names a row again; numbers to six digits behind the point."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{round(float(value), 6):g}" if abs(value) < 1e6 else f"{round(float(value), 2)!r}"
    return value.isoformat()[:10] if hasattr(value, "isoformat") else str(value)
