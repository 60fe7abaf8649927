"""A look at an ``.ods`` package: extents with repeated rows and cells, error values, hidden rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from prefxl.errors import FileRefusedError
from prefxl.sheets.guard import MALFORMED, Facts, Package, damaged, protected
from prefxl.sheets.values import CellError


@dataclass
class _Look:
    """The state of going through ``content.xml``."""

    facts: dict[str, Facts] = field(default_factory=dict)
    sheet: Facts = field(default_factory=Facts)
    row: int = 0
    rows: int = 1
    column: int = 0
    columns: int = 0
    cells: int = 1
    text: list[str] | None = None

    def start(self, tag: str, about: dict[str, str]) -> None:
        """Take the beginning of an element."""
        if tag == "table:table":
            self.sheet = self.facts.setdefault(about.get("table:name", ""), Facts())
            self.row = self.columns = 0
        elif tag == "table:table-column":
            count = _count(about.get("table:number-columns-repeated"))
            if about.get("table:visibility") in ("collapse", "filter"):
                self.sheet.hide(self.columns + 1, self.columns + count)
            self.columns += count
        elif tag == "table:table-row":
            self.rows, self.column = _count(about.get("table:number-rows-repeated")), 0
            if about.get("table:visibility") in ("collapse", "filter") and self.rows < 100_000:
                self.sheet.hidden_rows.update(range(self.row + 1, self.row + 1 + self.rows))
        elif tag in ("table:table-cell", "table:covered-table-cell"):
            self._cell(about)
        elif tag == "text:p" and self.text is not None:
            self.text.append("")

    def _cell(self, about: dict[str, str]) -> None:
        self.cells = _count(about.get("table:number-columns-repeated"))
        if "office:value-type" in about or "table:formula" in about:
            self.sheet.extend(self.row + self.rows, self.column + self.cells)
            self.sheet.cells += min(self.cells * self.rows, 1000)
        if about.get("office:value-type") == "percentage":
            self._percents()
        self.text = [] if about.get("calcext:value-type") == "error" else None

    def _percents(self) -> None:
        # nobody's season has as many alike
        for row in range(self.row + 1, self.row + 1 + min(self.rows, 100)):
            for column in range(self.column + 1, self.column + 1 + min(self.cells, 100)):
                self.sheet.note_percent(row, column)

    def words(self, text: str) -> None:
        """Take the text of an error cell."""
        if self.text:
            self.text[-1] += text

    def end(self, tag: str) -> None:
        """Take the end of an element."""
        if tag in ("table:table-cell", "table:covered-table-cell"):
            if self.text is not None:
                self.sheet.add(self.row + 1, self.column + 1, CellError("".join(self.text) or "#N/A"))
                self.text = None
            self.column += self.cells
        elif tag == "table:table-row":
            self.row += self.rows


def look(package: Package) -> dict[str, Facts]:
    """Return what each worksheet holds by its name.

    Raises
    ------
    FileError, FileRefusedError
        If the package is damaged or encrypted, or a worksheet is more than can be borne.
    """
    state = _Look()
    parser = expat.ParserCreate()
    parser.StartElementHandler = state.start
    parser.EndElementHandler = state.end
    parser.CharacterDataHandler = state.words
    parser.EntityDeclHandler = _no_entities
    if "META-INF/manifest.xml" in package and b"encryption-data" in package.read("META-INF/manifest.xml"):
        raise protected(package.name)
    if "content.xml" not in package:
        raise damaged(package.name)
    try:
        for block in package.blocks("content.xml"):
            parser.Parse(block, False)
        parser.Parse(b"", True)
    except MALFORMED:
        raise damaged(package.name) from None
    for name, facts in state.facts.items():
        facts.check(package.name, name)
    return state.facts


def _count(text: str | None) -> int:
    return min(int(text), 1 << 24) if text and text.isdecimal() else 1


def _no_entities(*_about: object) -> None:
    raise FileRefusedError(
        "the workbook declares entities: no spreadsheet program writes that",
        "книга объявляет сущности: табличные программы так не пишут",
    )
