"""Which cell of the user's workbook gets which value, note and look: decided before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl.settled import Settled
from prefxl.tables import Table, cell_name
from prefxl.workbook.canvas import needed_decimals
from prefxl.workbook.guard import Content, Guard, stands_apart
from prefxl.workbook.live_cells import LiveGame, Raw, live_game
from prefxl.workbook.look import number_format, properties
from prefxl.workbook.marks import plan_marks, same_file
from prefxl.workbook.notes import result_notes
from prefxl.workbook.package import Area, CellChange, Inspection, Mark, SheetChange, StyleRole
from prefxl.workbook.package.coordinates import LAST_ROW
from prefxl.workbook.pages.task import NOTED_GAMES, minor_units, money_by_seat, result_sums, seat_labels
from prefxl.workbook.planned import Kept, Placement, Plan, ReadBlock
from prefxl.workbook.room import heading_column, room_beside, table_rows
from prefxl.workbook.widths import column_width
from prefxl.workbook.words import heading, phrase

Positions = npt.NDArray[np.int64]

#: In a block of more cells the first row's look stands for all.
LOOKED_AT = 20_000


@dataclass(frozen=True)
class Options:
    """How the results are to look: the language, money's sign, formulas or numbers, how many games get notes."""

    lang: str = "ru"
    currency: str = ""
    raw: Raw | None = None
    content: Content | None = None
    noted_games: int = NOTED_GAMES


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
class _Block:
    """The cells of one table's results, column by column."""

    columns: Sequence[int]
    headings: list[str]
    styles: list[tuple[str, int]]
    guard: Guard | None = None
    #: (row, offset, value, formula, note)
    cells: list[tuple[int, int, Any, str | None, str | None]] = field(default_factory=list)

    def take(self, rows: Sequence[int], offsets: Sequence[int], values: npt.NDArray[np.float64]) -> None:
        """Add plain numbers; there is no cell for what is not a number."""
        self.cells += [
            (row, offset, int(value) if value.is_integer() else value, None, None)
            for row, offset, value in zip(rows, offsets, values.tolist(), strict=True)
            if value == value
        ]


@dataclass(eq=False)
class _Cells:
    """The cells of a sheet's plan; those over which the user has typed are kept out of it."""

    planner: _Planner
    sheet: str

    def __post_init__(self) -> None:
        self.cells = self.planner.cells.setdefault(self.sheet, [])
        self.foreign = self.planner.inspection.sheet(self.sheet).foreign

    def append(self, cell: CellChange) -> None:
        present = self.foreign.get((cell.row, cell.column))
        if present is None:
            self.cells.append(cell)
            return
        value = cell.value if cell.formula is None else cell.cached
        wanted = f"{value:g}" if isinstance(value, float) else str(value)
        self.planner.kept.append(Kept(self.sheet, cell.row, cell.column, present, wanted))


@dataclass(eq=False)
class _Planner:
    settled: Settled
    inspection: Inspection
    options: Options
    taken: dict[str, list[Area]] = field(default_factory=dict)
    cells: dict[str, list[CellChange]] = field(default_factory=dict)
    widths: dict[str, dict[int, float]] = field(default_factory=dict)
    placements: list[Placement] = field(default_factory=list)
    homeless: list[Table] = field(default_factory=list)
    formulas: int = 0
    fixed: list[str] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    read: list[ReadBlock] = field(default_factory=list)
    styles: dict[tuple[str, str, int, bool], StyleRole] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.results = self.settled.by_seat("result")
        self.money = money_by_seat(self.settled)
        self.sums = result_sums(self.settled)

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
        money = self.money is not None and not bool(np.isnan(self.money[:, positions]).all())
        width = seats * (2 if money else 1) + 1
        columns = room_beside(self.inspection.sheet(table.sheet), table, width, self.taken.get(table.sheet, []))
        if columns is None:
            self.homeless.append(table)
            return
        block = _Block(columns, *self._headings(positions, names, money), self._guard(table, columns))
        told = len(positions) if self.options.raw or block.guard else int((positions < self.options.noted_games).sum())
        for position in positions[:told]:
            self._game(block, table, int(position), money)
        self._plain_games(block, table, positions[told:], money)
        self._write(block, table)
        top, bottom = table_rows(table)
        area = Area(top, columns[0], bottom, columns[-1])
        self.taken.setdefault(table.sheet, []).append(area)
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

    def _headings(
        self, positions: Positions, names: npt.NDArray[np.object_] | None, money: bool
    ) -> tuple[list[str], list[tuple[str, int]]]:
        lang = self.options.lang
        kinds = ["result", "money"] if money else ["result"]
        decimals = {"result": needed_decimals(self.results[:, positions].ravel()), "money": minor_units(self.settled)}
        labels = [""] if names is None else seat_labels(names)
        headings = [f"{heading(kind, lang)} {label}".strip() for kind in kinds for label in labels]
        styles = [(kind, decimals[kind]) for kind in kinds for _ in labels]
        return [*headings, heading("check", lang)], [*styles, ("check", 0)]

    def _game(self, block: _Block, table: Table, position: int, money: bool) -> None:
        games = self.settled.games
        count, wide = int(games.seats[position]), table.layout == "wide"
        rows = [int(games.rows[seat, position]) for seat in range(count)]
        step = (len(block.headings) - 1) // (2 if money else 1) if wide else 1
        notes = self._notes(position, count)
        places = _places(self.settled, position)
        spots = [(rows[seat], places[seat] if wide else 0) for seat in range(count)]
        live = self._live(table, position, [cell_name(row, block.columns[offset]) for row, offset in spots])
        for seat, (row, offset) in enumerate(spots):
            formula = live.results[seat] if live else None
            block.cells.append((row, offset, _number(self.results[seat, position]), formula, notes[seat]))
            if money and self.money is not None and not np.isnan(self.money[seat, position]):
                formula = live.money[seat] if live and live.money else None
                block.cells.append((row, offset + step, _number(self.money[seat, position]), formula, None))
        check = live.check if live else None
        if block.guard:
            check = block.guard.check(position, _number(self.sums[position]), check)
        block.cells.append((max(rows), len(block.headings) - 1, _number(self.sums[position]), check, None))
        self.formulas += count if live else 0

    def _plain_games(self, block: _Block, table: Table, positions: Positions, money: bool) -> None:
        """Plan the cells of many games without notes and formulas."""
        games, wide = self.settled.games, table.layout == "wide"
        step = (len(block.headings) - 1) // (2 if money else 1) if wide else 1
        for seat in range(int(games.seats[positions].max(initial=0))):
            there = positions[games.seats[positions] > seat]
            rows = games.rows[seat, there].tolist()
            offsets = [_places(self.settled, int(position))[seat] if wide else 0 for position in there]
            block.take(rows, offsets, self.results[seat, there])
            if money and self.money is not None:
                block.take(rows, [offset + step for offset in offsets], self.money[seat, there])
        last = [len(block.headings) - 1] * len(positions)
        block.take(games.rows[:, positions].max(axis=0, initial=0).tolist(), last, self.sums[positions])

    def _notes(self, position: int, count: int) -> Sequence[str | None]:
        if position >= self.options.noted_games:
            return [None] * count
        return result_notes(self.settled.settlement(position), self.options.lang)

    def _live(self, table: Table, position: int, results: Sequence[str]) -> LiveGame | None:
        if self.options.raw is None:
            return None
        live = live_game(self.settled, table, position, results, self.options.raw)
        if live is None:
            self.fixed.append(str(self.settled.games.game[position]))
        return live

    def _write(self, block: _Block, table: Table) -> None:
        cells = _Cells(self, table.sheet)
        look = cell_name(table.heading, heading_column(table))
        title = StyleRole(like=look, align="center")
        for offset, text in enumerate(block.headings):
            told = block.guard is not None and offset == len(block.headings) - 1
            note = phrase("moved_note", self.options.lang) if told else None
            cells.append(CellChange(table.heading, block.columns[offset], text, style=title, note=note))
        best = _winners(block) if table.layout == "wide" else {}
        model = _number_column(table)
        # in a long table all rows look alike, or as good as
        alike = block.cells[0][0] if len(block.cells) > LOOKED_AT else 0
        styles: dict[tuple[int, int, bool], StyleRole] = {}
        for row, offset, value, formula, note in block.cells:
            won = bool(best) and block.styles[offset][0] == "result" and value == best.get(row)
            key = (alike or row, offset, won)
            style = styles.get(key)
            if style is None:
                style = styles[key] = self._style(cell_name(key[0], model), *block.styles[offset], won)
            column = block.columns[offset]
            if formula is None:
                cells.append(CellChange(row, column, value, None, None, style, note))
            else:
                cells.append(CellChange(row, column, None, formula, value, style, note))
        self._widen(block, table)

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

    def _widen(self, block: _Block, table: Table) -> None:
        """Give a column of ours its width, unless something of the user's stands above or below."""
        sheet = self.inspection.sheet(table.sheet)
        for offset, text in enumerate(block.headings):
            at = block.columns[offset]
            if sheet.is_free(Area(1, at, LAST_ROW, at)):
                kind, decimals = block.styles[offset]
                if kind == "check" and block.guard:
                    text = phrase("moved", self.options.lang)
                values = [cell[2] for cell in block.cells if cell[1] == offset]
                wide = column_width(values, text, kind, decimals, self.options.currency)
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
                )
                for name in names
            ),
            placements=tuple(self.placements),
            homeless=tuple(self.homeless),
            formulas=self.formulas,
            fixed=tuple(self.fixed),
            kept=tuple(self.kept),
            read=tuple(self.read),
        )


def _places(settled: Settled, position: int) -> list[int]:
    """Return the seat of the table's columns each player of a game sat in, from 0."""
    games = settled.games
    count = int(games.seats[position])
    if not games.places.size:
        return list(range(count))
    return [int(place) for place in games.places[:count, position]]


def names_by_place(settled: Settled, positions: Positions) -> npt.NDArray[np.object_]:
    """Return (places, games) who sat in which seat of a wide table's columns, ``None`` where nobody did."""
    sat = [_places(settled, int(position)) for position in positions]
    names = np.full((max(max(places) for places in sat) + 1, len(positions)), None, dtype=object)
    for at, (position, places) in enumerate(zip(positions, sat, strict=True)):
        names[places, at] = settled.games.names(int(position))
    return names


def _number_column(table: Table) -> int:
    """Return a column of numbers, whose cells our results shall look like."""
    for role in ("pulya", "pulya_1", "gora", "gora_1"):
        if role in table.columns:
            return table.columns[role]
    return heading_column(table)


def _format(kind: str, decimals: int, currency: str) -> str:
    return str(properties("check")["num_format"]) if kind == "check" else number_format(kind, decimals, currency)


def _winners(block: _Block) -> dict[int, float]:
    """Return the best result of each row of a wide table."""
    best: dict[int, float] = {}
    for row, offset, value, _, _ in block.cells:
        if block.styles[offset][0] == "result" and value is not None:
            best[row] = max(value, best.get(row, value))
    return best


def _number(value: float) -> int | float:
    number = float(value)
    return int(number) if number.is_integer() else number
