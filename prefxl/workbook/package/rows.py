"""Rewriting single rows of a worksheet, cell by cell where need be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from prefxl.workbook.package.cells import cell_bytes
from prefxl.workbook.package.coordinates import (
    Area,
    Cover,
    Covered,
    column_letters,
    column_number,
    parse_area,
    parse_reference,
)
from prefxl.workbook.package.edits import Edits, Outcome, Restore
from prefxl.workbook.package.looks import restored, untinted
from prefxl.workbook.package.markup import STYLE, Cell, Row, numbered, style_of
from prefxl.workbook.package.model import CellChange, ColumnChange, NotPlaced, Reason, StyleRole
from prefxl.workbook.package.styles import Styles
from prefxl.workbook.package.worksheet import Worksheet

_SPANS = re.compile(rb'\sspans="[^"]*"')
_NAME = re.compile(rb'\sr="([A-Z]+)\d+"')
_ARRAY = re.compile(rb'<(?:[\w.-]+:)?f(?=[^<>]*\st="(?:array|dataTable)")[^<>]*\sref="([A-Z0-9:]+)"')
_HAS_FORMAT = re.compile(rb'\scustomFormat="(?:1|true)"')
_FORMULA = re.compile(rb"<(?:[\w.-]+:)?f[\s/>]")
# a text that begins so would turn into a formula as soon as the user edits the cell
_FORMULA_START = ("=", "+", "-", "@")
_NO_ROLE = StyleRole()


class RowRewriter:
    """Applies :class:`Edits` to single rows of a worksheet, in their order."""

    def __init__(self, sheet: Worksheet, edits: Edits, styles: Styles, *, date1904: bool = False) -> None:
        self._sheet = sheet
        self._edits = edits
        self._styles = styles
        self._date1904 = date1904
        self._prefix = sheet.prefix.decode()
        self._opening = b"<" + sheet.prefix + b"c"
        self._closing = b"</" + sheet.prefix + b"c>"
        self._like: dict[str, int] = {}
        self._bares: dict[StyleRole, StyleRole] = {}
        self._roles: dict[tuple[int, StyleRole, bool, bool], int] = {}
        self._arrays: list[Area] = []
        self._row: Row | None = None
        self._beside: dict[str, int] = {}
        self._target = edits.target()
        self._blocked = Covered(area for area, _ in edits.blocked)
        self.outcome = Outcome()

    # -- before the rows

    def find_like(self) -> None:
        """Look at the cells whose look is asked for; to be done first."""
        styles = {change.style for row in self._edits.cells.values() for change in row.values()}
        styles |= {change.style for change in self._edits.columns}
        names = {style.like for style in styles if style is not None and style.like and not style.like.isalpha()}
        wanted: dict[int, dict[int, str]] = {}
        for name in names:
            number, column = parse_reference(name)
            wanted.setdefault(number, {})[column] = name
        last = max(wanted, default=0)
        for row in self._sheet.rows():
            if row.number > last:
                break
            for column, name in wanted.get(row.number, {}).items():
                self._like[name] = self._style_at(row, column)

    def _style_at(self, row: Row, column: int) -> int:
        name = self._opening + b' r="%s%d"' % (column_letters(column).encode(), row.number)
        # its name leads to it, unless cells have none
        start = max(row.inner.find(name), 0)
        for cell in self._sheet.cells(row.inner[start:]):
            if cell.column == column:
                style = style_of(cell.attributes)
                restore = self._edits.restores.get(row.number, {}).get(column)
                if restore is None or restore.rgb is None:
                    return style
                # without the tint of an earlier run
                return _or(untinted(self._styles, style, restore.look, restore.rgb), style)
        return self._default_style(row.attributes, column)

    def _default_style(self, attributes: bytes, column: int) -> int:
        """Return the format of a cell that is not there: its row's, else its column's."""
        if _HAS_FORMAT.search(attributes):
            return style_of(attributes)
        for first, last, style in self._edits.column_styles:
            if first <= column <= last:
                return style
        return 0

    @property
    def hindrances(self) -> list[Area]:
        """Areas nothing may be placed in."""
        return [*self._arrays, *(area for area, _ in self._edits.blocked)]

    def note_arrays(self, inner: bytes) -> None:
        """Take note of the areas that array formulas of a row fill."""
        for match in _ARRAY.finditer(inner):
            area = parse_area(match[1].decode("ascii"))
            if area is not None and self._target is not None and area.meets(self._target):
                self._arrays.append(area)

    # -- one row

    def inserted(self, number: int) -> bytes:
        """Return a row that was not there."""
        self._row, self._beside = None, {}
        inner = self._edited(Row(number, b"", b"", b""), [])
        if not inner:
            return b""
        tag = self._prefix.encode() + b"row"
        return b"<" + tag + b' r="%d">' % number + inner + b"</" + tag + b">"

    def changed(self, row: Row) -> bytes:
        """Return a row as it is to be; empty if it was there only for our cells."""
        self._row, self._beside = row, {}
        if self._is_idle(row):
            return numbered(row.number, row.raw)
        quick = self._appended(row)
        if quick is None:
            quick = self._edited(row, list(self._sheet.cells(row.inner)))
        attributes = _SPANS.sub(b"", row.attributes)
        if b' r="' not in attributes:
            attributes = b' r="%d"' % row.number + attributes
        if not quick and self._is_bare(attributes, row):
            return b""
        tag = self._prefix.encode() + b"row"
        return b"<" + tag + attributes.rstrip() + b">" + quick + b"</" + tag + b">"

    def _is_idle(self, row: Row) -> bool:
        """Tell whether a row has nothing of ours and gets nothing."""
        edits, number = self._edits, row.number
        if number in edits.restores or number in edits.marks or edits.cells_at(number):
            return False
        inside = [cell for cell in self._sheet.cells(row.inner) if self._is_inside(number, cell.column)]
        return not inside or self._are_users(number, inside)

    def _is_inside(self, row: int, column: int) -> bool:
        """Tell whether a cell lies in an area of ours and holds nothing of the user's."""
        ranges = self._edits.removed.get(row, ())
        inside = any(first <= column <= last for first, last in ranges)
        return inside and column not in self._edits.foreign.get(row, ())

    def _are_users(self, row: int, cells: Iterable[Cell]) -> bool:
        """Tell whether cells in areas of ours are blanks of the user's in a row that never had any of ours."""
        blanks = self._edits.restores.get(row, {}).values()
        was_ours = any(restore.rgb is None for restore in blanks)
        return self._edits.gapped and not was_ours and not any(cell.inner for cell in cells)

    def _is_bare(self, attributes: bytes, row: Row) -> bool:
        """Tell whether a row that is empty now was there only for our cells."""
        return row.number in self._edits.removed and not attributes.replace(b' r="%d"' % row.number, b"").strip()

    def _appended(self, row: Row) -> bytes | None:
        """Return the row's inner bytes if all there is to do is to append cells after its last one, else None."""
        edits, number = self._edits, row.number
        cells = edits.cells_at(number)
        if not cells or number in edits.restores or number in edits.marks:
            return None
        gone: list[Cell] = []
        if number in edits.removed:
            parted = self._parted(row)
            if parted is None:
                return None
            row, gone = row._replace(inner=parted[0]), parted[1]
        start, column = self._sheet.last_cell(row.inner)
        if start < 0 or column >= min(cells):
            return None
        if row.inner.count(self._opening) != row.inner.count(self._opening + b' r="'):
            # some cell has no name; all get theirs, in every run
            return None
        if not row.inner.endswith(self._closing) and row.inner.find(b"<", start + 1) >= 0:
            return None
        self._count_removed(number, gone)
        pieces = [row.inner]
        has_style = b"customFormat=" in row.attributes or bool(edits.column_styles)
        for column in sorted(cells):
            base = self._default_style(row.attributes, column) if has_style else 0
            piece = self._placed(cells[column], base, None)
            if piece is not None:
                pieces.append(piece)
        return b"".join(pieces)

    def _parted(self, row: Row) -> tuple[bytes, list[Cell]] | None:
        """Return the row's inner bytes before our cells of an earlier run, and these, if they are its last ones."""
        ranges = self._edits.removed[row.number]
        first, last = ranges[0]
        if row.number in self._edits.foreign:
            return None
        parted = self._sheet.split_at(row.number, first, row.inner) if len(ranges) == 1 else None
        if parted is None or any(not first <= cell.column <= last for cell in parted[1]):
            return None
        return (row.inner, []) if self._are_users(row.number, parted[1]) else parted

    def _count_removed(self, row: int, gone: Iterable[Cell]) -> None:
        for cell in gone:
            self.outcome.removed += 1
            if _FORMULA.search(cell.inner):
                self.outcome.removed_formulas.append(f"{column_letters(cell.column)}{row}")

    def _edited(self, row: Row, present: list[Cell]) -> bytes:
        edits = self._edits
        kept = {cell.column: cell for cell in present}
        # a cell without a name counts from the one before it, which may go
        pieces = {column: cell.gap + self._named(cell, row.number) for column, cell in kept.items()}
        self._remove(row, kept, pieces)
        for column, restore in edits.restores.get(row.number, {}).items():
            self._restore(row, column, restore, kept, pieces)
        for column, change in sorted(edits.cells_at(row.number).items()):
            present_cell = kept.get(column)
            base = self._default_style(row.attributes, column)
            piece = self._placed(
                change, base if present_cell is None else style_of(present_cell.attributes), present_cell
            )
            if piece is not None:
                pieces[column] = piece
        for column, mark in sorted(edits.marks.get(row.number, {}).items()):
            if mark.fill is not None:
                pieces[column] = self._tinted(row, column, mark.fill, kept.get(column))
        tail = row.inner[_end_of_cells(row.inner, present) :]
        return b"".join(pieces[column] for column in sorted(pieces)) + tail

    def _named(self, cell: Cell, row: int) -> bytes:
        if b' r="' in cell.attributes:
            return cell.raw
        name = b' r="%s%d"' % (column_letters(cell.column).encode(), row)
        return self._opening + name + cell.raw[len(self._opening) :]

    def _remove(self, row: Row, kept: dict[int, Cell], pieces: dict[int, bytes]) -> None:
        gone = [column for column in kept if self._is_inside(row.number, column)]
        if self._are_users(row.number, [kept[column] for column in gone]):
            return
        self._count_removed(row.number, [kept[column] for column in gone])
        for column in gone:
            del kept[column], pieces[column]

    def _restore(
        self, row: Row, column: int, restore: Restore, kept: dict[int, Cell], pieces: dict[int, bytes]
    ) -> None:
        cell = kept.get(column)
        if restore.rgb is None:
            if cell is None:
                name = f"{column_letters(column)}{row.number}".encode()
                self._keep(kept, pieces, self._blank(name, restored(self._styles, restore.look)))
            return
        if cell is None:
            return
        style = untinted(self._styles, style_of(cell.attributes), restore.look, restore.rgb)
        if restore.new and not cell.inner and style is not None:
            del kept[column], pieces[column]
        elif style is not None:
            self._keep(kept, pieces, self._with_style(cell, row.number, style))

    def _keep(self, kept: dict[int, Cell], pieces: dict[int, bytes], raw: bytes) -> None:
        cell = next(self._sheet.cells(raw))
        kept[cell.column] = cell
        pieces[cell.column] = raw

    def _blank(self, name: bytes, style: int) -> bytes:
        return self._opening + b' r="' + name + (b'" s="%d"/>' % style if style else b'"/>')

    # -- one cell

    def _placed(self, change: CellChange, base: int, present: Cell | None) -> bytes | None:
        """Return the bytes of a new cell, or None if it cannot be placed, which is reported."""
        number, column = change.row, change.column
        reason = None
        if present is not None or self._arrays or self._edits.blocked:
            reason = self._hindrance(number, column, present)
        if reason is None:
            own, dressed = self._style(change, base), self._edits.dressed
            style = own if dressed is None else dressed.style(number, column, own)
            raw = cell_bytes(change, style, self._prefix, self._date1904)
            if raw is not None:
                if present is not None:
                    self.outcome.looks.setdefault((base, None, False), Cover()).add(number, column)
                self.outcome.place(number, column, change, own)
                return raw
            reason = Reason.BAD_VALUE
        self.outcome.not_placed.append(NotPlaced(self._edits.name, number, column, "cell", reason))
        return None

    def _hindrance(self, row: int, column: int, present: Cell | None) -> Reason | None:
        if present is not None and present.inner.strip():
            return Reason.OCCUPIED
        if any(area.covers(row, column) for area in self._arrays):
            return Reason.IN_ARRAY
        if not self._blocked.covers(row, column):
            return None
        return next((reason for area, reason in self._edits.blocked if area.covers(row, column)), None)

    def _style(self, change: CellChange, base: int) -> int:
        role, value = change.style, change.value
        if isinstance(value, str):
            quoted, is_date = change.formula is None and value.startswith(_FORMULA_START), False
        else:
            quoted, is_date = False, isinstance(value, date)
        if role is None:
            if not quoted and not is_date:
                return base
            role = _NO_ROLE
        if role.like is not None:
            base, role = self._base(role.like, base), self._bare(role)
        wanted = (base, role, is_date, quoted)
        style = self._roles.get(wanted)
        if style is None:
            style = self._roles[wanted] = self._new_style(*wanted)
        return style

    def _base(self, like: str, base: int) -> int:
        """Return the format of the cell whose look is asked for, ``base`` where there is no such cell."""
        if not like.isalpha():
            return self._like.get(like, base)
        if self._row is None:
            return base
        if like not in self._beside:
            self._beside[like] = self._style_at(self._row, column_number(like))
        return self._beside[like]

    def column_style(self, change: ColumnChange, base: int | None = None) -> int:
        """Return the format of the numbers down a column.

        Parameters
        ----------
        change
            The column.
        base
            The format of the cells whose look is asked for, where that is a column.
        """
        role = change.style
        if base is not None and role is not None:
            role = self._bare(role)
        own = self._default_style(b"", change.column) if base is None else base
        return self._style(CellChange(0, change.column, style=role), own)

    def default_style(self, column: int) -> int:
        """Return the format of a cell that is not there, in a row without a format of its own."""
        return self._default_style(b"", column)

    def _bare(self, role: StyleRole) -> StyleRole:
        """Return a role without the cell it begins with."""
        bare = self._bares.get(role)
        if bare is None:
            bare = self._bares[role] = role._replace(like=None)
        return bare

    def _new_style(self, base: int, role: StyleRole, is_date: bool, quoted: bool) -> int:
        if role.format is not None:
            base = role.format
            role = role._replace(format=None)
        if role == _NO_ROLE and not quoted and not is_date:
            return base
        return self._styles.styled(base, role, is_date=is_date, quoted=quoted)

    def _tinted(self, row: Row, column: int, rgb: str, present: Cell | None) -> bytes:
        base = style_of(present.attributes) if present is not None else self._default_style(row.attributes, column)
        style = self._styles.tinted(base, rgb)
        self.outcome.tinted += 1
        self.outcome.looks.setdefault((base, rgb, present is None), Cover()).add(row.number, column)
        if present is None:
            return self._blank(f"{column_letters(column)}{row.number}".encode(), style)
        return self._with_style(present, row.number, style)

    def _with_style(self, cell: Cell, row: int, style: int) -> bytes:
        attributes = STYLE.sub(b"", cell.attributes)
        name = b' r="%s%d"' % (column_letters(cell.column).encode(), row)
        if b' r="' in attributes:
            attributes = _NAME.sub(b"", attributes)
        chosen = b' s="%d"' % style if style else b""
        closed = cell.raw.endswith(b"/>") and not cell.inner
        end = b"/>" if closed else b">" + cell.inner + self._closing
        return cell.gap + self._opening + name + chosen + attributes.rstrip() + end


def _or(style: int | None, otherwise: int) -> int:
    return otherwise if style is None else style


def _end_of_cells(inner: bytes, present: list[Cell]) -> int:
    """Return where the last cell ends; what follows (an extension list) stays at the row's end."""
    if not present:
        # a row without cells may still have an extension list
        return 0
    return inner.rfind(present[-1].raw) + len(present[-1].raw)
