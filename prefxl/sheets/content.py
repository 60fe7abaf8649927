"""The bytes of a source: those at hand, or those of a file, which are not all read before they are needed."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from prefxl.errors import FileError, FileRefusedError

#: A larger text file is refused.
MOST_BYTES = 2 << 30


@dataclass(frozen=True, eq=False)
class Content:
    """The bytes of a source.

    Attributes
    ----------
    given
        All of them, if they are at hand.
    path
        Else the file they are in.
    """

    given: bytes = b""
    path: Path | None = None

    @cached_property
    def data(self) -> bytes:
        """All of the bytes.

        Raises
        ------
        FileError
            If the file is not there or cannot be opened, or is too large.
        """
        return self.given if self.path is None else read_bytes(self.path)

    @cached_property
    def size(self) -> int:
        """How many they are."""
        return len(self.given) if self.path is None else _size(self.path)

    def head(self, size: int) -> bytes:
        """Return the first of the bytes."""
        return self._some(0, size)

    def tail(self, size: int) -> bytes:
        """Return the last of the bytes."""
        return self._some(max(self.size - size, 0), size)

    def _some(self, start: int, size: int) -> bytes:
        if self.path is None:
            return self.given[start : start + size]
        try:
            with self.path.open("rb") as file:
                file.seek(start)
                return file.read(size)
        except OSError as error:
            raise unreadable(self.path, error) from None

    def open(self) -> BinaryIO:
        """Return the bytes as a stream.

        Raises
        ------
        FileError
            If the file cannot be opened.
        """
        try:
            return io.BytesIO(self.given) if self.path is None else self.path.open("rb", buffering=0)
        except OSError as error:
            raise unreadable(self.path or Path(), error) from None


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes.

    Raises
    ------
    FileError
        If it is not there or cannot be opened, or is too large.
    """
    _size(path)
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None


def _size(path: Path) -> int:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise unreadable(path, error) from None
    if size > MOST_BYTES:
        raise FileRefusedError(f"{path.name} is larger than 2 GB: split it", f"{path.name} больше 2 ГБ: разделите файл")
    return size


def unreadable(path: Path, error: OSError) -> FileError:
    """Return the sentence for a file the system does not give."""
    # “.” has no name of its own
    name = path.name if path.name.strip(".") else path.resolve().name or str(path)
    if isinstance(error, FileNotFoundError):
        return FileError(f"there is no file {name}", f"нет файла {name}")
    if isinstance(error, IsADirectoryError):
        return FileError(
            f"{name} is a folder, not a file: name its files, such as {name}/*.xlsx",
            f"{name} — папка, а не файл: назовите её файлы, например {name}/*.xlsx",
        )
    if isinstance(error, PermissionError):
        return FileError(
            f"{name} cannot be opened: it is open in another program, or you may not read it",
            f"{name} не открывается: он занят другой программой, или читать его нельзя",
        )
    return FileError(f"{name} cannot be read: {error.strerror}", f"{name} не читается: {error.strerror}")
