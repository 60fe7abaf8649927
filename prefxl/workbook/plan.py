"""Which cell of the user's workbook gets which value, note and look: decided before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from prefxl.settled import Settled
from prefxl.tables import Table, cell_name
from prefxl.workbook.block import Best, Block, Numbers, Rows
from prefxl.workbook.guard import Content, Guard, stands_apart
from prefxl.workbook.live_cells import Raw
from prefxl.workbook.look import number_format, properties
from prefxl.workbook.marks import plan_marks, same_file
from prefxl.workbook.package import Area, CellChange, ColumnChange, Inspection, Mark, SheetChange, StyleRole
from prefxl.workbook.package.coordinates import column_letters
from prefxl.workbook.pages.task import NOTED_GAMES
from prefxl.workbook.planned import Kept, Placement, Plan, ReadBlock
from prefxl.workbook.results import Options, Results, names_by_place
from prefxl.workbook.room import Promised, heading_column, room_beside, table_rows
from prefxl.workbook.widths import column_width, line_width
from prefxl.workbook.words import phrase


def make_plan(
    settled: Settled,
    inspection: Inspection,
    *,
    lang: str = "ru",
    currency: str = "",
    raw: Raw | None = None,
    content: Content | None = None,
    noted_games: int = NOTED_GAMES,
) -> Plan:
    """Plan what goes beside every table of one workbook, and onto its cells with findings.

    Parameters
    ----------
    settled
        The season; tables of other files are left out.
    inspection
        What is known of the workbook.
    lang, currency
        The language of our headings and notes; a sign behind money.
    raw
        For ``--live``: a function of sheet, row and column that answers the number a cell holds (0 for an
        empty one), ``None`` for anything else.
    content
        A function of sheet, row and column that answers what a cell holds: with it, check cells beside
        rows that may be sorted without them tell when that has happened.
    noted_games
        How many games get notes with the derivation.
    """
    options = Options(lang, currency, raw, content, noted_games)
    planner = _Planner(settled, inspection, options)
    for index, table in enumerate(settled.games.tables):
        if same_file(table.file, inspection.path) and planner.knows(table.sheet):
            planner.place(index, table)
    with_games = {table.sheet for table in (*(one.table for one in planner.placements), *planner.homeless)}
    marks = plan_marks(settled.findings, inspection, with_games, lang=lang, most_notes=noted_games)
    return planner.plan(marks)


@dataclass(eq=False)
class _Cells:
    """The cells of a sheet's plan; those over which the user has typed are kept out of it."""

    planner: _Planner
    sheet: str

    def __post_init__(self) -> None:
        self.cells = self.planner.cells.setdefault(self.sheet, [])
        self.numbers = self.planner.numbers.setdefault(self.sheet, [])
        self.foreign = self.planner.inspection.sheet(self.sheet).foreign

    def append(self, cell: CellChange) -> None:
        present = self.foreign.get((cell.row, cell.column))
        if present is None:
            self.cells.append(cell)
            return
        value = cell.value if cell.formula is None else cell.cached
        wanted = f"{value:g}" if isinstance(value, float) else str(value)
        self.planner.kept.append(Kept(self.sheet, cell.row, cell.column, present, wanted))

    def append_column(self, change: ColumnChange) -> None:
        taken = [row for row, column in self.foreign if column == change.column]
        if taken:
            here = np.isin(change.rows, taken)
            for cell in change.some(here).cells():
                self.append(cell)
            change = change.some(~here)
        if len(change.rows):
            self.numbers.append(change)


@dataclass(eq=False)
class _Planner:
    settled: Settled
    inspection: Inspection
    options: Options
    taken: dict[str, Promised] = field(default_factory=dict)
    cells: dict[str, list[CellChange]] = field(default_factory=dict)
    numbers: dict[str, list[ColumnChange]] = field(default_factory=dict)
    widths: dict[str, dict[int, float]] = field(default_factory=dict)
    placements: list[Placement] = field(default_factory=list)
    homeless: list[Table] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    read: list[ReadBlock] = field(default_factory=list)
    styles: dict[tuple[str, str, int, bool], StyleRole] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.results = Results(self.settled, self.options)

    def knows(self, sheet: str) -> bool:
        return any(one.name.casefold() == sheet.casefold() for one in self.inspection.sheets)

    def place(self, index: int, table: Table) -> None:
        """Plan the block beside one table."""
        positions = np.flatnonzero(self.settled.games.table == index)
        if not len(positions):
            return
        wide = table.layout == "wide"
        names = names_by_place(self.settled, positions) if wide else None
        seats = len(names) if names is not None else 1
        money = self.results.has_money(positions)
        width = seats * (2 if money else 1) + 1
        taken = self.taken.setdefault(table.sheet, Promised())
        lines = np.unique(self.settled.games.rows[:, positions])
        rows = [table.heading, *lines[lines > table.heading].tolist()]
        columns = room_beside(self.inspection.sheet(table.sheet), table, width, taken, rows)
        if columns is None:
            self.homeless.append(table)
            return
        headings, styles = self.results.headings(positions, names, money)
        block = Block(columns, headings, styles, self._guard(table, columns))
        self.results.fill(block, table, positions, money)
        self._write(block, table)
        top, bottom = table_rows(table)
        area = Area(top, columns[0], bottom, columns[-1])
        taken.add(area)
        readers = self.inspection.sheet(table.sheet).readers(area)
        if readers:
            self.read.append(ReadBlock(table.sheet, area, readers))
        self.placements.append(Placement(table, area, tuple(block.headings), len(positions), block.guard is not None))

    def _guard(self, table: Table, columns: Sequence[int]) -> Guard | None:
        """Return what writes the check formulas, where rows may leave the results beside them or mix."""
        if self.options.content is None:
            return None
        apart = stands_apart(self.inspection.sheet(table.sheet), table, columns)
        if not apart and not (self.options.raw and table.layout == "long"):
            return None
        return Guard(self.settled.games, table, self.options.content, self.options.lang)

    def _write(self, block: Block, table: Table) -> None:
        cells = _Cells(self, table.sheet)
        look = cell_name(table.heading, heading_column(table))
        title = StyleRole(like=look, align="center")
        for offset, text in enumerate(block.headings):
            told = block.guard is not None and offset == len(block.headings) - 1
            note = phrase("moved_note", self.options.lang) if told else None
            cells.append(CellChange(table.heading, block.columns[offset], text, style=title, note=note))
        best = block.best() if table.layout == "wide" else None
        model = column_letters(_number_column(table))
        for offset, rows, values in block.plain():
            won = self._won(block, best, offset, rows, values)
            for wins in (False, True):
                change = _column(block, offset, rows[won == wins], values[won == wins])
                cells.append_column(replace(change, style=self._style(model, *block.styles[offset], wins)))
        for row, offset, value, formula in block.singles:
            won = self._won(block, best, offset, np.array([row]), np.array([value]))
            style = self._style(model, *block.styles[offset], bool(won[0]))
            cell = CellChange(row, block.columns[offset], value, style=style, note=block.notes.get(offset, {}).get(row))
            cells.append(cell if formula is None else cell._replace(value=None, formula=formula, cached=value))
        self._widen(block, table)

    def _won(self, block: Block, best: Best | None, offset: int, rows: Rows, values: Numbers) -> npt.NDArray[np.bool_]:
        """Tell of numbers of a column whether they are the best results of their games."""
        if best is None or block.styles[offset][0] != "result":
            return np.zeros(len(rows), bool)
        return best.has(rows, values)

    def _style(self, look: str, kind: str, decimals: int, won: bool) -> StyleRole:
        key = (look, kind, decimals, won)
        if key not in self.styles:
            self.styles[key] = StyleRole(
                like=look,
                number_format=_format(kind, decimals, self.options.currency),
                bold=True if won else None,
                align="center" if kind == "check" else "right",
            )
        return self.styles[key]

    def _widen(self, block: Block, table: Table) -> None:
        """Give a column of ours its width, unless something of the user's stands above or below."""
        sheet = self.inspection.sheet(table.sheet)
        for offset, text in enumerate(block.headings):
            at = block.columns[offset]
            if sheet.is_bare(at):
                kind, decimals = block.styles[offset]
                if kind == "check" and block.guard:
                    text = phrase("moved", self.options.lang)
                wide = column_width(block.values(offset), text, kind, decimals, self.options.currency)
                # our headings look as the user's do, which as a rule do not wrap
                wide = max(wide, line_width(block.headings[offset]))
                widths = self.widths.setdefault(table.sheet, {})
                widths[at] = max(widths.get(at, 0.0), round(wide, 1))

    def plan(self, marks: Mapping[str, Sequence[Mark]]) -> Plan:
        """Return what was planned, the marks with it."""
        names = dict.fromkeys([*self.cells, *marks])
        return Plan(
            changes=tuple(
                SheetChange(
                    name,
                    self.cells.get(name, ()),
                    marks.get(name, ()),
                    self.widths.get(name, {}),
                    [(one.row, one.column) for one in self.kept if one.sheet == name],
                    self.numbers.get(name, ()),
                )
                for name in names
            ),
            placements=tuple(self.placements),
            homeless=tuple(self.homeless),
            formulas=self.results.formulas,
            fixed=tuple(self.results.fixed),
            kept=tuple(self.kept),
            read=tuple(self.read),
        )


def _number_column(table: Table) -> int:
    """Return a column of numbers, whose cells our results shall look like."""
    for role in ("pulya", "pulya_1", "gora", "gora_1"):
        if role in table.columns:
            return table.columns[role]
    return heading_column(table)


def _format(kind: str, decimals: int, currency: str) -> str:
    return str(properties("check")["num_format"]) if kind == "check" else number_format(kind, decimals, currency)


def _column(block: Block, offset: int, rows: Rows, values: Numbers) -> ColumnChange:
    notes = block.notes.get(offset, {})
    if notes:
        there = np.isin(list(notes), rows).tolist()
        notes = {row: text for (row, text), here in zip(notes.items(), there, strict=True) if here}
    return ColumnChange(block.columns[offset], rows, values, notes=notes)
