"""What the cells of a column of ours are known by."""

from __future__ import annotations

from typing import Any

from prefxl.workbook.package.contents import Content, Texts
from prefxl.workbook.package.markup import Cell
from prefxl.workbook.package.prints import digest, plain_number, skeleton, unpack


class Known:
    """What the cells of one column of ours are known by."""

    def __init__(self, memo: dict[str, Any]) -> None:
        self.heading = memo.get("h")
        self._texts = unpack(memo.get("t"))
        self._any_number = "v" not in memo
        self._numbers = frozenset(str(memo.get("v", "")).split())
        self._formulas = frozenset(memo.get("f", ()))
        self._seen: dict[tuple[bytes, bytes], bool] = {}
        # contents of cells, as attribute and inner bytes, that are ours; and those that are not, as a person names them
        self._ours: set[tuple[bytes, bytes]] = set()
        self._strange: dict[tuple[bytes, bytes], str] = {}

    @property
    def is_certain(self) -> bool:
        """Whether its numbers are remembered, so that no other is taken for one of them."""
        return not self._any_number

    def is_ours(self, texts: Texts, cell: Cell) -> bool:
        """Tell whether a cell holds what we wrote into this column, or nothing."""
        if not cell.inner:
            return True
        kind = cell.attributes.partition(b" t=")[2]
        answer = self._seen.get((kind, cell.inner))
        if answer is None:
            answer = self._seen[kind, cell.inner] = self.wrote(texts.content(cell))
        return answer

    def is_result(self, texts: Texts, cell: Cell) -> bool:
        """Tell whether a cell holds a number or formula that we wrote into this column."""
        content = texts.content(cell)
        number = content.formula is not None or (self.is_certain and isinstance(content.value, float))
        return number and self.is_ours(texts, cell)

    def strange(self, texts: Texts, contents: set[tuple[bytes, bytes]]) -> dict[tuple[bytes, bytes], str]:
        """Return which contents of cells, as type and inner bytes, we have not written, and what they are."""
        unseen = contents - self._ours
        for content in unseen - self._strange.keys():
            cell = Cell(0, *content, b"", b"")
            if self.is_ours(texts, cell):
                self._ours.add(content)
            else:
                self._strange[content] = texts.content(cell).shown
        return {content: self._strange[content] for content in unseen & self._strange.keys()}

    def wrote(self, content: Content) -> bool:
        """Tell whether we wrote such a value."""
        value = content.value
        if content.formula is not None:
            return bool(self._formulas) and (not content.formula or skeleton(content.formula) in self._formulas)
        if isinstance(value, str | bool):
            return digest(str(value)) in self._texts
        if isinstance(value, float):
            return self._any_number or plain_number(value) in self._numbers
        return value is None


class Legacy(Known):
    """A column an early version marked, without fingerprints: its heading is ours, and any number and formula."""

    def wrote(self, content: Content) -> bool:
        """Tell whether we may have written such a value."""
        return content.formula is not None or super().wrote(content)
