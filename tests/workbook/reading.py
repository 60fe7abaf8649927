"""A workbook as text: a line a cell, for comparing with the golden ones."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl

GOLDEN = Path(__file__).parents[1] / "golden"


def open_book(path: Path) -> Any:
    return openpyxl.load_workbook(path)


def rows(path: Path, sheet: str) -> list[list[Any]]:
    return [list(row) for row in open_book(path)[sheet].iter_rows(values_only=True)]


def members(path: Path, pattern: str) -> dict[str, str]:
    """Return the text of the package's members whose names match."""
    with zipfile.ZipFile(path) as package:
        return {name: package.read(name).decode("utf-8") for name in package.namelist() if re.search(pattern, name)}


def dump(path: Path) -> str:
    return "\n".join(_lines(open_book(path))) + "\n"


def _lines(book: Any) -> Iterator[str]:
    for sheet in book:
        titles = f"{sheet.print_title_rows} {sheet.print_title_cols}"
        yield f"== {sheet.title} | freeze {sheet.freeze_panes} | titles {titles}"
        for name, table in ((one.name, one) for one in sheet.tables.values()):
            yield f"table {re.sub('[0-9]+$', '', name)} {table.ref} | {', '.join(table.column_names)}"
        for rule in sheet.conditional_formatting:
            yield f"rule {rule.sqref} {' ; '.join(str(one.formula[0]) for one in rule.rules)}"
        for chart in sheet._charts:
            yield f"chart {type(chart).__name__}"
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value is not None:
                    yield _cell(cell)
                    if cell.comment is not None:
                        yield f"    note: {cell.comment.text!r}"


def _cell(cell: Any) -> str:
    marks = "".join(
        mark
        for mark, there in (("b", cell.font.b), ("w", cell.alignment.wrap_text), ("f", cell.fill.fill_type))
        if there
    )
    return f"{cell.coordinate} {cell.value!r} | {cell.number_format} | {marks}"


def type_text(path: Path, sheet: str, cell: str, text: str) -> None:
    """Type a text into an empty styled cell as a user would; nothing else of the package changes."""
    with zipfile.ZipFile(path) as package:
        parts = {info: package.read(info) for info in package.infolist()}
    texts = {
        info.filename: member.decode("utf-8")
        for info, member in parts.items()
        if info.filename.endswith((".xml", ".rels"))
    }
    identity = re.search(rf'<sheet [^>]*name="{sheet}"[^>]*r:id="(\w+)"', texts["xl/workbook.xml"])[1]
    relation = re.search(rf'<Relationship [^>]*Id="{identity}"[^>]*>', texts["xl/_rels/workbook.xml.rels"])[0]
    name = "xl/" + re.search(r'Target="/?(?:xl/)?([^"]+)"', relation)[1]
    written, count = re.subn(
        rf'<c r="{cell}"( s="\d+")?/>', rf'<c r="{cell}"\1 t="inlineStr"><is><t>{text}</t></is></c>', texts[name]
    )
    assert count == 1, f"{sheet}!{cell} is not an empty cell"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for info, member in parts.items():
            package.writestr(info, written if info.filename == name else member)
