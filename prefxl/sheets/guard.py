"""Before a workbook is opened: what it claims to hold, and refusal of what no reader could bear.

One cell in a far corner makes a reader ask for memory for every cell before it, and the
process dies without an exception; only a look beforehand protects.
"""

from __future__ import annotations

import codecs
import re
import struct
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import NamedTuple
from xml.etree import ElementTree
from xml.parsers.expat import ExpatError

from prefxl import deflate
from prefxl.errors import FileError, FileRefusedError
from prefxl.sheets.values import CellError, Uncached
from prefxl.tables import cell_name

#: A larger workbook file is refused [bytes].
MOST_FILE = 400 << 20
#: A larger part of a package is refused [bytes, unpacked].
MOST_PART = 1 << 30
MOST_TEXTS = 256 << 20
MOST_SMALL_PART = 16 << 20
#: A part that unpacks to more times its size is a bomb, if it is large at all.
MOST_RATIO = 150
_LARGE = 24 << 20
MOST_PARTS = 20_000
#: An area of cells that is always borne, and how many times its filled cells a larger one may be.
BEARABLE_AREA = 4_000_000
SPARSEST = 8
MOST_AREA = 120_000_000
#: More faulty cells than this are no score sheet.
MOST_SPECIAL = 200_000
#: No worksheet has more rows.
MOST_ROWS = 1 << 20

_BLOCK = 1 << 20
_PACKED = 1 << 16

#: How a part in UTF-16 begins: with a mark of its order, or with the first sign of a tag.
UTF16 = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_DECLARED = re.compile(r"""(<\?xml\s[^>]*?)\s+encoding\s*=\s*["'][^"']*["']""")
_NAMED = re.compile(rb"""<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.-]{1,40})["']""")
# an escape first: encodings that know any have none of files' texts
_ASCII = (rb"\u003c", bytes(range(128)))

#: Error codes of the binary formats.
ERROR_CODES = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}


class Near(NamedTuple):
    """What of a worksheet is read, where lone cells stand far from everything else.

    Attributes
    ----------
    last_row, last_column
        No cell beyond is read.
    cells
        How many cells with content lie beyond.
    beyond
        The names of the first of these.
    """

    last_row: int
    last_column: int
    cells: int
    beyond: tuple[str, ...]


#: What parsers raise at XML that is none: its encoding may be unknown, or one they do not take.
MALFORMED = (ElementTree.ParseError, ExpatError, LookupError, ValueError)


@dataclass
class Facts:
    """What a look at a worksheet tells; rows and columns count from 1.

    Attributes
    ----------
    last_row, last_column, cells
        The extent claimed and the number of cells.
    special
        Error values and formulas without a stored value by row and column.
    hidden_rows, hidden_columns
        Rows and columns that are not shown.
    percents
        Column to the rows of its cells that are shown in per cent.
    marks
        How cells say, in an ``.xlsx`` worksheet, that they are shown so.
    odd_extent
        Whether the extent it claims is written in a way that readers do not understand.
    ours
        Whether the sheet bears the mark of a sheet of ``prefxl``.
    our_areas
        Top, left, bottom, right of the cells an earlier run placed.
    settled
        Whether an earlier run placed cells on any worksheet of the workbook.
    refusal
        Why the worksheet is not read, where the others still may be.
    near
        What of it is read, where lone cells far from everything else are passed over.
    """

    last_row: int = 0
    last_column: int = 0
    cells: int = 0
    special: dict[tuple[int, int], CellError | Uncached] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    percents: dict[int, array[int]] = field(default_factory=dict)
    marks: tuple[bytes, ...] = ()
    odd_extent: bool = False
    ours: bool = False
    our_areas: list[tuple[int, int, int, int]] = field(default_factory=list)
    settled: bool = False
    refusal: FileError | None = None
    near: Near | None = None

    def extend(self, row: int, column: int) -> None:
        """Take a cell at ``row`` and ``column`` into the extent."""
        self.last_row = max(self.last_row, row)
        self.last_column = max(self.last_column, column)

    def add(self, row: int, column: int, value: CellError | Uncached) -> None:
        """Note a cell that holds an error or no value."""
        if len(self.special) < MOST_SPECIAL:
            self.special[row, column] = value

    def hide(self, first: int, last: int) -> None:
        """Note columns that are not shown."""
        self.hidden_columns.update(range(max(first, 1), min(last, 1 << 14) + 1))

    def note_percent(self, row: int, column: int) -> None:
        """Note a cell that is shown in per cent."""
        rows = self.percents.setdefault(column, array("L"))
        if len(rows) < MOST_ROWS:
            rows.append(row)

    @property
    def unbearable(self) -> bool:
        """Whether the extent is more than can be borne for that few cells."""
        area = self.last_row * (self.last_column or 26)
        return area > MOST_AREA or (area > BEARABLE_AREA and area > SPARSEST * self.cells)

    def check(self, name: str, sheet: str) -> None:
        """Refuse the worksheet where its extent is more than can be borne.

        Raises
        ------
        FileRefusedError
            With the far cell.
        """
        if self.unbearable:
            far = cell_name(min(self.last_row, 10**8), min(self.last_column, 10**8))
            raise FileRefusedError(
                f"{name}: the sheet “{sheet}” claims cells as far as {far} and holds {self.cells}: "
                "delete the empty rows and columns beyond the table",
                f"{name}: лист «{sheet}» тянется до ячейки {far}, а заполнено ячеек {self.cells}: "
                "удалите пустые строки и столбцы за таблицей",
            )


class Package:
    """A zip package in memory, unpacked part by part and never trusted.

    Parameters
    ----------
    data
        The file's bytes.
    name
        Its name, for the sentences.

    Raises
    ------
    FileError, FileRefusedError
        If it is no zip, is damaged, or is packed to burst.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        self.name = name
        #: Whether a part was met that calamine would not take as it is encoded.
        self.recoded = False
        try:
            with zipfile.ZipFile(BytesIO(data)) as package:
                parts = package.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, struct.error):
            raise damaged(name) from None
        # readers look parts up without regard to case, so two that differ only by it are a trap
        if len(parts) > MOST_PARTS or len({_plain(part.filename) for part in parts}) != len(parts):
            raise bursting(name)
        if any(part.flag_bits & 1 for part in parts):
            raise protected(name)
        self.parts = {_plain(part.filename): part for part in parts}
        self._check_sizes()

    def _check_sizes(self) -> None:
        for name, part in self.parts.items():
            if name.startswith(("xl/media/", "pictures/")):
                continue
            ratio = part.file_size / max(part.compress_size, 1)
            if part.file_size > _most(name) or (part.file_size > _LARGE and ratio > MOST_RATIO):
                raise bursting(self.name)

    def __contains__(self, part: str) -> bool:
        return _plain(part) in self.parts

    def size(self, part: str) -> int:
        """Return how large a part declares to be, unpacked [bytes]."""
        return self.parts[_plain(part)].file_size

    def read(self, part: str) -> bytes:
        """Return a small part, unpacked."""
        return b"".join(self.blocks(part))

    def blocks(self, part: str) -> Iterator[bytes]:
        """Yield a part in blocks, unpacked, no more of it than it declares; XML in another encoding as UTF-8.

        Raises
        ------
        FileError, FileRefusedError
            If it is damaged, larger than declared, or declares a document type.
        """
        about = self.parts[_plain(part)]
        size = 0
        decode = None
        for block in self._unpacked(about):
            if size == 0:
                decode = _decoder(part, block)
                self.recoded = self.recoded or decode is not None
            size += len(block)
            if size > about.file_size:
                raise bursting(self.name)
            text = block if decode is None else decode(block)
            if size == len(block) and b"<!DOCTYPE" in text[:8192]:
                raise FileRefusedError(
                    f"{self.name} declares a document type ({part}): no spreadsheet program writes that",
                    f"{self.name} объявляет тип документа ({part}): табличные программы так не пишут",
                )
            yield text

    def _unpacked(self, about: zipfile.ZipInfo) -> Iterator[bytes]:
        raw = self._raw(about)
        if about.compress_type == zipfile.ZIP_STORED:
            for start in range(0, len(raw), _BLOCK):
                yield bytes(raw[start : start + _BLOCK])
            return
        if about.compress_type != zipfile.ZIP_DEFLATED:
            raise damaged(self.name)
        packed = (bytes(raw[start : start + _PACKED]) for start in range(0, len(raw), _PACKED))
        try:
            yield from deflate.unpacked(packed, _BLOCK)
        except zlib.error:
            raise damaged(self.name) from None

    def _raw(self, about: zipfile.ZipInfo) -> memoryview:
        start = about.header_offset
        header = self.data[start : start + 30]
        if len(header) < 30 or header[:4] != b"PK\x03\x04":
            raise damaged(self.name)
        names, extra = struct.unpack("<HH", header[26:30])
        begin = start + 30 + names + extra
        raw = memoryview(self.data)[begin : begin + about.compress_size]
        if len(raw) < about.compress_size:
            raise damaged(self.name)
        return raw


def _decoder(part: str, start: bytes) -> Callable[[bytes], bytes] | None:
    """Return what brings XML in another encoding into UTF-8, block after block; None for what is in UTF-8."""
    encoding = UTF16.get(start[:2]) or _declared(start)
    if encoding is None or not part.lower().endswith((".xml", ".rels")):
        return None
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    return lambda block: undeclared(decoder.decode(block))


def undeclared(text: str) -> bytes:
    """Return XML as UTF-8, without the encoding it declares."""
    return _DECLARED.sub(r"\1", text, count=1).encode("utf-8", "replace")


def _declared(start: bytes) -> str | None:
    """Return the encoding a part declares, if it is one of those that extend ASCII: nothing hides in these."""
    named = _NAMED.match(start)
    name = named[1].decode().lower() if named else "utf-8"
    if name in ("utf-8", "us-ascii"):
        return None
    try:
        # some of Python's encodings are none of texts, such as hex and rot13, or know no replacement: idna
        extends = all(signs.decode(name) == signs.decode("ascii") for signs in _ASCII)
        if not extends or codecs.lookup(name).name == "utf-8":
            return None
        codecs.getincrementaldecoder(name)("replace").decode(b"\xff", True)
        return name
    except (LookupError, ValueError):
        return None


def _plain(part: str) -> str:
    """Return the name of a part as readers compare it."""
    return part.replace("\\", "/").lstrip("/").lower()


def _most(part: str) -> int:
    """Return how large a part may be, unpacked."""
    if part.endswith(("sharedstrings.xml", "sharedstrings.bin")):
        return MOST_TEXTS
    if "/worksheets/" in part or part == "content.xml":
        return MOST_PART
    # drawings, embedded files and the like are never opened
    read = part.startswith("xl/") and part.count("/") == 1 and part.endswith((".xml", ".bin"))
    return MOST_SMALL_PART * 4 if read else MOST_PART


def unreadable(name: str, sheet: str) -> FileError:
    """Return the sentence for a worksheet that the reader does not understand."""
    return FileError(
        f"{name}: the sheet “{sheet}” cannot be read: open the file in a spreadsheet program and save it",
        f"{name}: лист «{sheet}» не читается: откройте файл в табличной программе и сохраните",
    )


def damaged(name: str) -> FileError:
    """Return the sentence for a file that is cut short or damaged."""
    return FileError(
        f"{name} is damaged or cut short: it cannot be unpacked",
        f"{name} повреждён или обрезан: его нельзя распаковать",
    )


def bursting(name: str) -> FileRefusedError:
    """Return the sentence for a package that unpacks to more than anybody's season."""
    return FileRefusedError(
        f"{name} unpacks to far more than a season of games: it is refused",
        f"{name} распаковывается в объём, которого не бывает у записей игр: отказано",
    )


def protected(name: str) -> FileRefusedError:
    """Return the sentence for a file under a password."""
    return FileRefusedError(
        f"{name} is protected by a password: save a copy without it",
        f"{name} защищён паролем: сохраните копию без пароля",
    )
