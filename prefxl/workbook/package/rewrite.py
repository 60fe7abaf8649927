"""Writing the rows of a worksheet anew; rows nothing happens in are copied as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import numpy.typing as npt

from prefxl.workbook.package.blocks import Block
from prefxl.workbook.package.bulk import Bulk, Cut
from prefxl.workbook.package.edits import Edits, Outcome
from prefxl.workbook.package.markup import numbered
from prefxl.workbook.package.rows import RowRewriter
from prefxl.workbook.package.styles import Styles
from prefxl.workbook.package.worksheet import Worksheet

# fewer rows than these are done one by one
_FEW = 4


class SheetRewriter:
    """Applies :class:`Edits` to a worksheet."""

    def __init__(self, sheet: Worksheet, edits: Edits, styles: Styles, *, date1904: bool = False) -> None:
        self._sheet = sheet
        self._edits = edits
        self._coming = edits.coming()
        self._single = RowRewriter(sheet, edits, styles, date1904=date1904)
        self._bulk = Bulk(edits, sheet, self.outcome, self._single.column_style, self._single.default_style)

    @property
    def outcome(self) -> Outcome:
        """What has happened so far."""
        return self._single.outcome

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes of the rows, changed and unchanged, many at a time.

        Raises
        ------
        WorkbookRefusedError
            If row numbers do not ascend.
        OddMarkupError
            If the sheet must be written anew first; begin again with another rewriter.
        """
        self._single.find_like()
        waiting = self._touched()
        for block in self._sheet.blocks():
            stop = int(np.searchsorted(waiting, block.numbers[-1], side="right")) if block.numbers else 0
            if stop:
                yield self._block(block, waiting[:stop].tolist())
                waiting = waiting[stop:]
            else:
                yield self._untouched(block)
        yield b"".join(self._single.inserted(number) for number in waiting.tolist())

    def _touched(self) -> npt.NDArray[np.int64]:
        """Return the numbers of all rows in which something happens."""
        if not self._edits.removed:
            return self._coming
        removed = np.fromiter(self._edits.removed, np.int64, len(self._edits.removed))
        return np.union1d(self._coming, removed)

    def _untouched(self, block: Block) -> bytes:
        end = self._sheet.row_end
        for kind, row in zip(block.kinds, block.rows, strict=True):
            if kind is None and b' ref="' in row:
                self._single.note_arrays(row)
        if None not in block.kinds:
            return end.join([*block.rows, b""])
        rows = zip(*block, strict=True)
        return b"".join([numbered(number, row) if kind is None else row + end for number, row, kind in rows])

    def _block(self, block: Block, wanted: list[int]) -> bytes:
        """Return the rows of a block, those changed that are wanted, and new ones between them."""
        cuts = self._bulk.cuts(block)
        wanted = self._busy(block, wanted, cuts)
        done = _Done(list(block.rows), [b"" if kind is None else self._sheet.row_end for kind in block.kinds])
        if None not in set(cuts) and wanted == block.numbers:
            self._many(block, range(len(wanted)), cuts, done)
            return done.joined()
        missing = sorted(set(wanted).difference(block.numbers), reverse=True)
        touched = set(wanted)
        run: list[int] = []
        for at, (number, row, kind) in enumerate(zip(*block, strict=True)):
            while missing and missing[-1] < number:
                run = self._many(block, run, cuts, done)
                done.inserted.setdefault(at, []).append(self._single.inserted(missing.pop()))
            # an array formula stands at its area's first cell, so it comes before the cells it fills
            if kind is None and b' ref="' in row:
                run = self._many(block, run, cuts, done)
                self._single.note_arrays(row)
            if number not in touched:
                if kind is None:
                    done.rows[at] = numbered(number, row)
            elif cuts[at] is not None:
                run.append(at)
            else:
                run = self._many(block, run, cuts, done)
                self._one(block, at, done)
        self._many(block, run, cuts, done)
        return done.joined()

    def _busy(self, block: Block, wanted: list[int], cuts: Sequence[Cut | None]) -> list[int]:
        """Return the wanted rows without those that have nothing of ours and get nothing: they stay as they are."""
        if all(cut is None or cut.removed for cut in set(cuts)):
            return wanted
        still = {number for number, cut in zip(block.numbers, cuts, strict=True) if cut is not None and not cut.removed}
        start, stop = np.searchsorted(self._coming, [block.numbers[0], block.numbers[-1] + 1])
        still.difference_update(self._coming[start:stop].tolist())
        return [number for number in wanted if number not in still] if still else wanted

    def _many(self, block: Block, run: Sequence[int], cuts: Sequence[Cut | None], done: _Done) -> list[int]:
        """Change rows in which nothing happens but that cells of ours come and go; return the start of a new run."""
        if len(run) < len(block.numbers):
            whole = block
            block = Block(*([part[at] for at in run] for part in whole))  # type: ignore[arg-type]
        else:
            whole = block
        if len(run) < _FEW or self._bulk.blocked(block.numbers, self._single.hindrances):
            for at in run:
                self._one(whole, at, done)
        else:
            fronts, backs = self._bulk.rewritten(block, [cut for at in run if (cut := cuts[at]) is not None])
            for at, front, back in zip(run, fronts, backs, strict=True):
                done.rows[at], done.ends[at] = front, back
        return []

    def _one(self, block: Block, at: int, done: _Done) -> None:
        raw = block.rows[at] if block.kinds[at] is None else block.rows[at] + self._sheet.row_end
        done.rows[at], done.ends[at] = self._single.changed(self._sheet.row(block.numbers[at], raw)), b""


@dataclass(slots=True)
class _Done:
    """The rows of a block as they are to be: each in two pieces, and new ones before it."""

    rows: list[bytes]
    ends: list[bytes]
    inserted: dict[int, list[bytes]] = field(default_factory=dict)

    def joined(self) -> bytes:
        for at, new in self.inserted.items():
            self.rows[at] = b"".join([*new, self.rows[at]])
        return b"".join(chain.from_iterable(zip(self.rows, self.ends, strict=True)))
