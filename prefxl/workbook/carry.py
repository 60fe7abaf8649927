"""Reading back what the user wrote on our sheets of an earlier run: ticks, remarks, and anything beside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from prefxl.tables import cell_name
from prefxl.workbook.carried import Carried, Key
from prefxl.workbook.words import HEADINGS, PHRASES, SHEETS

#: Columns that are the user's to fill, by sheet; and those that name a row again.
USERS_COLUMNS = {"payments": ("paid", "remark"), "findings": ("reply",)}
NAMING_COLUMNS = {
    "payments": ("section", "payer", "payee", "amount"),
    "findings": ("file", "sheet", "cell", "message"),
}
#: Sections of a sheet that part rows alike in everything else.
_SECTIONS = ("fewest", "pairwise", "per_date", "per_game")


def read_carried(path: Path, names: Iterable[str] | None = None) -> Carried:
    """Return what the user wrote on our sheets ``names`` of a workbook (by default, on those called like ours).

    What cannot be read as a workbook has nothing of ours.
    """
    from python_calamine import CalamineError, CalamineWorkbook

    entries: dict[Key, Mapping[str, str]] = {}
    try:
        book = CalamineWorkbook.from_path(str(path))
        for name in book.sheet_names if names is None else names:
            kind = sheet_kind(name)
            if kind in USERS_COLUMNS:
                rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
                entries |= dict(read_rows(kind, name, rows))
    except CalamineError:
        return Carried()
    return Carried(entries)


def sheet_kind(name: str) -> str | None:
    """Return which of our sheets is called so, in either language, numbered or not; ``None`` for none.

    >>> sheet_kind("Платежи (2)"), sheet_kind("Май")
    ('payments', None)
    """
    plain = name.rstrip(" ()0123456789").casefold()
    return next((kind for kind, titles in SHEETS.items() if plain in {title.casefold() for title in titles}), None)


def read_rows(kind: str, sheet: str, rows: Sequence[Sequence[Any]]) -> Iterator[tuple[Key, dict[str, str]]]:
    """Yield the rows of one of our sheets on which the user wrote something.

    Cells to the right of our columns are yielded too, under the name of the cell.
    """
    section, columns = "", dict[str, int]()
    for at, row in enumerate(rows):
        section = _section(row) or section
        headings = _headings(kind, row)
        if headings:
            columns = headings
        elif columns:
            yield from _written(kind, section, columns, row)
        if columns:
            yield from _beside(sheet, at, max(columns.values()), row)


def _section(row: Sequence[Any]) -> str:
    first = str(row[0]) if row else ""
    return next((key for key in _SECTIONS if first in PHRASES[key]), "")


def _headings(kind: str, row: Sequence[Any]) -> dict[str, int]:
    """Return our columns of a heading row, nothing where the row is none."""
    wanted = (*NAMING_COLUMNS.get(kind, ()), *USERS_COLUMNS.get(kind, ()))
    texts = {str(value): at for at, value in enumerate(row) if value != ""}
    found = {key: texts[text] for key in wanted for text in HEADINGS[key] if text in texts}
    return found if len(found) >= 3 else {}


def _written(kind: str, section: str, columns: Mapping[str, int], row: Sequence[Any]) -> Iterator[tuple[Key, Any]]:
    def text(key: str) -> str:
        at = columns.get(key)
        return cell_text(row[at]) if at is not None and at < len(row) else ""

    entry = {key: text(key) for key in USERS_COLUMNS[kind] if text(key)}
    if entry:
        parts = [text(key) for key in NAMING_COLUMNS[kind]]
        yield (kind, section, *parts) if kind == "payments" else (kind, *parts), entry


def _beside(sheet: str, at: int, last: int, row: Sequence[Any]) -> Iterator[tuple[Key, dict[str, str]]]:
    for column, value in enumerate(row):
        if column > last and value != "":
            yield ("beside", sheet, cell_name(at + 1, column + 1)), {"remark": cell_text(value)}


def cell_text(value: Any) -> str:
    """Return a cell's value as the text that names a row again; numbers to six digits behind the point."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{round(float(value), 6):g}" if abs(value) < 1e6 else f"{round(float(value), 2)!r}"
    return value.isoformat()[:10] if hasattr(value, "isoformat") else str(value)
