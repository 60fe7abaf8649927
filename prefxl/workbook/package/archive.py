"""The zip file under a workbook: members are copied as they lie, compressed bytes and all."""

from __future__ import annotations

import struct
import tempfile
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

from prefxl import deflate
from prefxl.workbook.package.refusals import Refusal, WorkbookRefusedError

MOST_BYTES_A_PART = 1 << 30
_SUSPICIOUS_BYTES = 50_000_000
_SUSPICIOUS_RATIO = 400
_MOST_MEMBERS = 65_000
_MOST_BYTES_ALL = 3 << 30

_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_DEFLATED = 8
_KEPT_IN_MEMORY = 8 << 20
_COPY_BYTES = 1 << 20
_PACKED_BYTES = 1 << 16
_PIECE_BYTES = 1 << 19
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
#: The date of what we add: the first day zip can tell, so that equal content gives equal bytes.
FIRST_DAY = (1980, 1, 1, 0, 0, 0)
_HAS_DESCRIPTOR = 0x08
_UTF8 = 0x800


class Archive:
    """A zip file opened for reading.

    Member names are compared as Office does: backslashes are slashes, a
    leading slash and the case of letters do not matter.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error) as fault:
            raise WorkbookRefusedError(path.name, Refusal.BROKEN) from fault
        self.members: dict[str, zipfile.ZipInfo] = {}
        self._names: dict[str, str] = {}
        for info in self._zip.infolist():
            self._take(info)
        if len(self.members) > _MOST_MEMBERS or path.stat().st_size > _MOST_BYTES_ALL:
            self._zip.close()
            raise WorkbookRefusedError(path.name, Refusal.TOO_LARGE)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
    def comment(self) -> bytes:
        """The comment of the whole zip file."""
        return self._zip.comment

    def find(self, name: str) -> str | None:
        """Return the member's name as it is spelled in the archive, or None."""
        return self._names.get(name.lower())

    def read(self, name: str) -> bytes:
        """Return a member's content.

        Raises
        ------
        WorkbookRefusedError
            If the member is missing or its bytes are damaged.
        """
        return b"".join(self.pieces(name))

    def pieces(self, name: str) -> Generator[bytes, None, None]:
        """Yield a member's content piece by piece; see :meth:`read`."""
        info = self._member(name)
        try:
            yield from self._deflated(info) if info.compress_type == _DEFLATED else self._otherwise(info)
        except _DAMAGED as fault:
            raise WorkbookRefusedError(self.path.name, Refusal.BROKEN, name) from fault

    def _deflated(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        crc = size = 0
        name, packed = self.raw(info, _PACKED_BYTES)
        if name.decode("utf-8" if info.flag_bits & _UTF8 else "cp437", "replace") != info.orig_filename:
            raise zipfile.BadZipFile(info.filename)
        for piece in deflate.unpacked(packed, _PIECE_BYTES):
            crc, size = deflate.crc32(piece, crc), size + len(piece)
            if size > info.file_size:
                break
            yield piece
        if (crc, size) != (info.CRC, info.file_size):
            raise zipfile.BadZipFile(info.filename)

    def _otherwise(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        with self._zip.open(info) as member:
            while piece := member.read(_PIECE_BYTES):
                yield piece

    def _member(self, name: str) -> zipfile.ZipInfo:
        spelled = self.find(name)
        if spelled is None:
            raise WorkbookRefusedError(self.path.name, Refusal.BROKEN, name)
        return self.members[spelled]

    def raw(self, info: zipfile.ZipInfo, most: int = _COPY_BYTES) -> tuple[bytes, Iterator[bytes]]:
        """Return the bytes of a member's name, and its compressed content in pieces of at most ``most`` bytes."""
        source = self._file()
        source.seek(info.header_offset)
        header = source.read(_LOCAL.size)
        if len(header) < _LOCAL.size or header[:4] != b"PK\x03\x04":
            raise WorkbookRefusedError(self.path.name, Refusal.BROKEN, info.filename)
        name_size, extra_size = struct.unpack("<HH", header[26:30])
        name = source.read(name_size)
        return name, self._pieces(info.header_offset + _LOCAL.size + name_size + extra_size, info.compress_size, most)

    def _pieces(self, start: int, size: int, most: int) -> Iterator[bytes]:
        source = self._file()
        while size:
            # other members may have been read in between
            source.seek(start)
            piece = source.read(min(size, most))
            if not piece:
                raise WorkbookRefusedError(self.path.name, Refusal.BROKEN)
            start += len(piece)
            size -= len(piece)
            yield piece

    def _file(self) -> IO[bytes]:
        file = self._zip.fp
        if file is None:
            raise ValueError("the archive is closed")
        return file

    def _take(self, info: zipfile.ZipInfo) -> None:
        name = info.filename.replace("\\", "/").lstrip("/")
        too_dense = info.file_size > _SUSPICIOUS_BYTES and info.file_size > _SUSPICIOUS_RATIO * info.compress_size
        if info.file_size > MOST_BYTES_A_PART or too_dense:
            self._zip.close()
            raise WorkbookRefusedError(self.path.name, Refusal.TOO_LARGE, name)
        if name.lower() in self._names or info.flag_bits & 0x1:
            self._zip.close()
            raise WorkbookRefusedError(self.path.name, Refusal.BROKEN, name)
        self.members[name] = info
        self._names[name.lower()] = name


class Blob:
    """New content of a member, compressed while it is being written; large ones go to a temporary file."""

    def __init__(self, content: bytes = b"") -> None:
        self.crc = 0
        self.size = 0
        self.compressed_size = 0
        self._packer = deflate.Packer()
        self._spool: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=_KEPT_IN_MEMORY)  # noqa: SIM115
        if content:
            self.write(content)

    def write(self, content: bytes) -> None:
        """Append content."""
        self.crc = deflate.crc32(content, self.crc)
        self.size += len(content)
        self._keep(self._packer.compress(content))

    def finish(self) -> Blob:
        """Say that nothing follows."""
        self._keep(self._packer.flush())
        return self

    def pieces(self) -> Iterator[bytes]:
        """Yield the compressed bytes."""
        self._spool.seek(0)
        while piece := self._spool.read(_COPY_BYTES):
            yield piece

    def content(self) -> bytes:
        """Return what was written, uncompressed."""
        self._spool.seek(0)
        return deflate.unpack(self._spool.read())

    def close(self) -> None:
        """Let go of the memory or the temporary file."""
        self._spool.close()

    def _keep(self, piece: bytes) -> None:
        self.compressed_size += len(piece)
        self._spool.write(piece)


class Member(NamedTuple):
    """A member to be written: one of the source as it lies, or new content (in the source's place, or at the end)."""

    name: str
    info: zipfile.ZipInfo | None = None
    blob: Blob | None = None


@dataclass(slots=True)
class _Entry:
    name: bytes
    info: zipfile.ZipInfo
    offset: int


def write_archive(source: Archive, target: Path, members: Iterable[Member]) -> None:
    """Write a zip file of members of ``source`` and new ones, in the given order."""
    entries: list[_Entry] = []
    with open(target, "wb") as out:
        for member in members:
            name, info, pieces = _prepared(source, member)
            entries.append(_Entry(name, info, out.tell()))
            out.write(_local_header(name, info))
            for piece in pieces:
                out.write(piece)
        start = out.tell()
        for entry in entries:
            out.write(_central_header(entry))
        size, comment = out.tell() - start, source.comment
        count = len(entries)
        out.write(_END.pack(b"PK\x05\x06", 0, 0, count, count, size, start, len(comment)) + comment)


def _prepared(source: Archive, member: Member) -> tuple[bytes, zipfile.ZipInfo, Iterator[bytes]]:
    if member.blob is None:
        assert member.info is not None
        name, pieces = source.raw(member.info)
        return name, member.info, pieces
    info = zipfile.ZipInfo(member.name, FIRST_DAY)
    info.create_system = 0
    name = member.name.encode("utf-8")
    info.flag_bits = 0 if name.isascii() else _UTF8
    if member.info is not None:
        name, _ = source.raw(member.info)
        for attribute in ("date_time", "create_system", "create_version", "internal_attr", "external_attr", "comment"):
            setattr(info, attribute, getattr(member.info, attribute))
        info.flag_bits = member.info.flag_bits & _UTF8
    info.compress_type = _DEFLATED
    info.CRC, info.file_size = member.blob.crc, member.blob.size
    info.compress_size = member.blob.compressed_size
    return name, info, member.blob.pieces()


def _stamp(info: zipfile.ZipInfo) -> tuple[int, int]:
    year, month, day, hour, minute, second = info.date_time
    return hour << 11 | minute << 5 | second // 2, (year - 1980) << 9 | month << 5 | day


def _local_header(name: bytes, info: zipfile.ZipInfo) -> bytes:
    # sizes are known here, so the descriptor after the data is not needed, nor the extra field (zip64 sizes, times)
    flags = info.flag_bits & ~_HAS_DESCRIPTOR
    sizes = (info.CRC, info.compress_size, info.file_size)
    return _LOCAL.pack(b"PK\x03\x04", 20, flags, info.compress_type, *_stamp(info), *sizes, len(name), 0) + name


def _central_header(entry: _Entry) -> bytes:
    info = entry.info
    flags = info.flag_bits & ~_HAS_DESCRIPTOR
    made_by = info.create_system << 8 | (info.create_version & 0xFF)
    sizes = (info.CRC, info.compress_size, info.file_size)
    lengths = (len(entry.name), 0, len(info.comment))
    attributes = (0, info.internal_attr, info.external_attr & 0xFFFFFFFF, entry.offset)
    head = (b"PK\x01\x02", made_by, 20, flags, info.compress_type, *_stamp(info))
    return _CENTRAL.pack(*head, *sizes, *lengths, *attributes) + entry.name + info.comment
