"""Tables of the user's that stand around our columns: they go on fitting their heading cells.

We place nothing into a table. But the user may make one of a settled range, or draw a
filter around it; and the sheet of games of our own report is one. Excel mends a table
whose columns are not called as the cells of its heading row say, and drops what it cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.coordinates import Area, parse_area
from prefxl.workbook.package.edits import Edits
from prefxl.workbook.package.inspection import Kind, Obstacle
from prefxl.workbook.package.parts import Package

#: What the user may put around or upon columns of ours, which stay where they are.
_AROUND = (Kind.TABLE, Kind.FILTER, Kind.DRAWING, Kind.CONTROL)


def beside_ours(obstacles: Iterable[Obstacle], ours: Sequence[Area]) -> Iterator[Obstacle]:
    """Yield the obstacles, those around columns of ours without these columns."""
    for obstacle in obstacles:
        area, kind = obstacle
        met = [one for one in ours if one.meets(area)] if kind in _AROUND else []
        if not met:
            yield obstacle
            continue
        start = area.first_column
        for column in sorted({column for one in met for column in one.columns if column in area.columns}):
            if column > start:
                yield Obstacle(area._replace(first_column=start, last_column=column - 1), kind)
            start = column + 1
        if start <= area.last_column:
            yield Obstacle(area._replace(first_column=start), kind)


def follow(package: Package, part: str, ours: Sequence[Area], edits: Edits, blocked: Sequence[Area]) -> None:
    """Let the tables of a worksheet follow what becomes of our columns in them.

    A column that gets another heading is renamed; the last ones of a table go with our columns and
    come with them; a heading that the table cannot lose stays, and is the user's from now on.

    Parameters
    ----------
    package, part
        The workbook's package and the worksheet's part.
    ours
        Areas of our cells of the earlier run.
    edits
        What is to happen to the rows; headings that must not go or must differ are changed in it.
    blocked
        Areas a table may not grow into.
    """
    for name in package.related(part, "table"):
        table = _read(package.tree(name), ours, edits)
        if table is not None and table.fit(blocked):
            package.touch(name)


def users_columns(root: etree._Element, ours: Sequence[Area]) -> list[tuple[int, str]]:
    """Return (column, name) of a table's columns without those that hold cells of ours."""
    area = parse_area(root.get("ref") or "")
    if area is None:
        return []
    columns = [item.get("name") or "" for item in xml.children(xml.child(root, "tableColumns"), "tableColumn")]
    mine = {column for one in ours if one.meets(area) for column in one.columns}
    return [(column, name) for column, name in enumerate(columns, area.first_column) if column not in mine]


def _read(root: etree._Element, ours: Sequence[Area], edits: Edits) -> _Table | None:
    """Return a table that has headings of ours, else None."""
    area = parse_area(root.get("ref") or "")
    columns = xml.child(root, "tableColumns")
    if area is None or columns is None or root.get("headerRowCount", "1") == "0":
        return None
    head = area.first_row
    mine = {column for one in ours if one.has_row(head) for column in one.columns if column in area.columns}
    mine -= edits.foreign.get(head, set())
    return _Table(root, columns, area, mine, edits) if mine else None


@dataclass
class _Table:
    root: etree._Element
    columns: etree._Element
    area: Area
    mine: set[int]
    edits: Edits

    def fit(self, blocked: Sequence[Area]) -> bool:
        """Make the table fit the headings there will be; tell whether it has changed."""
        before = etree.tostring(self.root)
        # of a query or a map of XML the columns are given from elsewhere
        given = self.root.get("tableType", "worksheet") != "worksheet"
        if not given:
            self._shrink()
        self._keep()
        self._rename(given)
        if not given:
            self._grow(blocked)
        return etree.tostring(self.root) != before

    @property
    def _items(self) -> list[etree._Element]:
        return list(xml.children(self.columns, "tableColumn"))

    def _wanted(self, column: int) -> str | None:
        """Return the text that is to be a column's heading."""
        change = self.edits.cells.get(self.area.first_row, {}).get(column)
        return change.value if change is not None and isinstance(change.value, str) else None

    def _shrink(self) -> None:
        last = self.area.last_column
        while last in self.mine and self._wanted(last) is None:
            last -= 1
        if last >= self.area.first_column and last < self.area.last_column:
            for item in self._items[last - self.area.first_column + 1 :]:
                xml.drop(item)
            self._reach(last)

    def _keep(self) -> None:
        """Keep the headings of columns of ours that go, where those of the user's follow."""
        for column in self.mine & set(self.area.columns):
            if self._wanted(column) is None:
                self.edits.foreign.setdefault(self.area.first_row, set()).add(column)

    def _rename(self, given: bool) -> None:
        items = dict(zip(self.area.columns, self._items, strict=False))
        renamed = {column: text for column in sorted(self.mine) if column in items and (text := self._wanted(column))}
        taken = {(items[column].get("name") or "").casefold() for column in items.keys() - renamed.keys()}
        for column, text in renamed.items():
            name = _unescaped(items[column].get("name") or "") if given else _unlike(text, taken)
            taken.add(name.casefold())
            self._entitle(column, name)
            if not given:
                items[column].set("name", _escaped(name))

    def _grow(self, blocked: Sequence[Area]) -> None:
        first = last = self.area.last_column
        if first not in self.mine:
            return
        while self._wanted(last + 1) is not None:
            last += 1
        beyond = self.area._replace(first_column=first + 1, last_column=last)
        if last == first or any(beyond.meets(area) for area in blocked):
            return
        taken = {_unescaped(item.get("name") or "").casefold() for item in self._items}
        number = max(int(item.get("id") or 0) for item in self._items)
        for column in range(first + 1, last + 1):
            name = _unlike(self._wanted(column) or "", taken)
            taken.add(name.casefold())
            number += 1
            self._entitle(column, name)
            item = etree.SubElement(self.columns, self._items[0].tag)
            item.attrib.update({"id": str(number), "name": _escaped(name)})
        self._reach(last)

    def _entitle(self, column: int, name: str) -> None:
        here = self.edits.cells[self.area.first_row]
        if here[column].value != name:
            here[column] = here[column]._replace(value=name)

    def _reach(self, last: int) -> None:
        """Let the table and its filter end with a column."""
        self.columns.set("count", str(len(self._items)))
        for element in self.root.iter():
            area = parse_area(element.get("ref") or "") if element is self.root or _is_filter(element) else None
            if area is not None:
                element.set("ref", str(area._replace(last_column=last)))
        self.area = self.area._replace(last_column=last)
        for item in list(self.root.iter()):
            beyond = xml.local(item) == "filterColumn" and int(item.get("colId") or 0) >= len(self._items)
            sorted_ = xml.local(item) == "sortState"
            if beyond or (sorted_ and not _within(item, self.area)):
                xml.drop(item)


def _is_filter(element: etree._Element) -> bool:
    return xml.local(element) == "autoFilter"


def _within(state: etree._Element, area: Area) -> bool:
    parts = (parse_area(item.get("ref") or "") for item in state.iter() if isinstance(item.tag, str))
    return all(part is None or part.last_column <= area.last_column for part in parts)


def _unlike(text: str, taken: set[str]) -> str:
    name, number = text, 2
    while name.casefold() in taken:
        name, number = f"{text} {number}", number + 1
    return name


def _escaped(name: str) -> str:
    return name.replace("\r\n", "\n").replace("\n", "_x000a_")


def _unescaped(name: str) -> str:
    return name.replace("_x000a_", "\n")
