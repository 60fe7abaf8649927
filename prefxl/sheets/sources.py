"""What a file is, by its content and its name, and its worksheets as grids."""

from __future__ import annotations

import mmap
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias

from prefxl.errors import FileError, FileRefusedError
from prefxl.findings import Finding
from prefxl.sheets.content import Content, read_bytes, unreadable
from prefxl.sheets.fast import LEAST, read_fast
from prefxl.sheets.grid import Grid
from prefxl.sheets.guard import MOST_FILE, damaged, protected
from prefxl.sheets.layouts import Wanted
from prefxl.sheets.scan_xls import SIGNATURE, streams
from prefxl.sheets.text import check_lines, read_text
from prefxl.sheets.workbook import read_workbook

Source: TypeAlias = str | Path | bytes | BinaryIO

_NOTHING = b" \t\r\n\0\xef\xbb\xbf\xff\xfe"
_WORKBOOKS = {
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".xltx": "xlsx",
    ".xltm": "xlsx",
    ".xlsb": "xlsb",
    ".xls": "xls",
    ".ods": "ods",
}
_TEXTS = (".csv", ".tsv", ".txt", ".tab", ".prn")
_CALLED = {
    "xlsx": ("an Excel workbook (.xlsx)", "книга Excel (.xlsx)"),
    "xlsb": ("a binary Excel workbook (.xlsb)", "двоичная книга Excel (.xlsb)"),
    "xls": ("an old Excel workbook (.xls)", "старая книга Excel (.xls)"),
    "ods": ("an OpenDocument workbook (.ods)", "книга OpenDocument (.ods)"),
    "parquet": ("a Parquet file (.parquet)", "файл Parquet (.parquet)"),
    "text": ("plain text (.csv)", "простой текст (.csv)"),
    "markup": ("a web page or XML", "веб-страница или XML"),
}


@dataclass(frozen=True)
class File:
    """A file: its name for the findings, its bytes and what they are."""

    name: str
    content: Content
    kind: str


def names_apart(sources: Sequence[Source]) -> list[str | None]:
    """Return what to call files whose bare name another has too; ``None`` for all others.

    >>> names_apart(["2025/may.csv", "2026/may.csv", "2026/june.csv", "-"])
    ['2025/may.csv', '2026/may.csv', None, None]
    """
    paths = [Path(source) if isinstance(source, (str, Path)) and source != "-" else None for source in sources]
    different = {path for path in paths if path is not None}
    tails = [Counter(path.parts[-length:] for path in different) for length in (1, 2, 3)]
    return [None if path is None or tails[0][path.parts[-1:]] < 2 else _tail(path, tails) for path in paths]


def _tail(path: Path, tails: Sequence[Counter[tuple[str, ...]]]) -> str:
    """Return so much of a path's end as no other path has, or all of it."""
    longer = (path.parts[-length:] for length in range(2, len(tails) + 1))
    return next(("/".join(tail) for tail in longer if tails[len(tail) - 1][tail] == 1), str(path))


def open_source(source: Source) -> File:
    """Return the bytes of a source and what they are.

    Raises
    ------
    FileError, FileRefusedError
        If it cannot be read, is empty, or is not what its name says.
    """
    name, content = _content_of(source)
    if not content.head(4096).strip(_NOTHING) and not content.data.strip(_NOTHING):
        raise FileError(f"{name or 'the input'} is empty", f"{name or 'ввод'} пуст")
    kind = kind_of(content, name)
    suffix = Path(name).suffix.lower()
    expected = _WORKBOOKS.get(suffix) or ("parquet" if suffix == ".parquet" else "text" if suffix in _TEXTS else kind)
    if kind == "markup" or kind != expected:
        raise _misnamed(name, suffix, kind)
    return File(name, content, kind)


def _content_of(source: Source) -> tuple[str, Content]:
    if isinstance(source, bytes):
        return "", Content(source)
    if isinstance(source, (str, Path)):
        return _content_of_path(source)
    return Path(str(getattr(source, "name", ""))).name, Content(source.read())


def _content_of_path(source: str | Path) -> tuple[str, Content]:
    if source == "-":
        return "stdin", Content(sys.stdin.buffer.read())
    path = Path(source)
    if path.name.startswith("~$"):
        raise FileRefusedError(
            f"{path.name} is Excel's lock file, not a workbook: its workbook is open in Excel",
            f"{path.name} — служебный файл Excel, а не книга: сама книга открыта в Excel",
        )
    _check_size(path)
    on_disk = Content(path=path)
    # what is no plain file, such as a pipe, can be read only once
    large = path.suffix.lower() in _TEXTS and path.is_file() and on_disk.size >= LEAST
    return path.name, on_disk if large else Content(read_bytes(path))


def _check_size(path: Path) -> None:
    """Refuse what is too large, before it is read."""
    try:
        size = path.stat().st_size
        if path.suffix.lower() in _WORKBOOKS and size > MOST_FILE:
            raise FileRefusedError(
                f"{path.name} is larger than {MOST_FILE >> 20} MB", f"{path.name} больше {MOST_FILE >> 20} МБ"
            )
        if size > 1 << 20 and path.is_file() and path.suffix.lower() not in (*_WORKBOOKS, ".parquet"):
            with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                check_lines(mapped, path.name)
    except FileError:
        raise
    except OSError as error:
        raise unreadable(path, error) from None


def kind_of(content: Content, name: str) -> str:
    """Return what the bytes are: ``xlsx xlsb xls ods parquet markup`` or ``text``.

    Raises
    ------
    FileError
        For an archive or a compound file that is no workbook.
    """
    data = content.head(4096)
    if data.startswith(b"PK\x03\x04"):
        return _kind_of_zip(content.data, name)
    if data.startswith(SIGNATURE):
        if "EncryptedPackage" in streams(content.data, name):
            raise protected(name)
        return "xls"
    if data.startswith(b"PAR1"):
        return "parquet"
    if data[:4] in (
        b"\x09\x04\x06\x00",
        b"\x09\x02\x06\x00",
        b"\x09\x00\x04\x00",
        b"%PDF",
        b"\x89PNG",
        b"\x1f\x8b\x08\x00",
        b"Rar!",
        b"7z\xbc\xaf",
    ):
        raise FileError(
            f"{name} is no score sheet, or too old a format", f"{name} — не таблица или слишком старый формат"
        )
    head = data.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"").lstrip(b"\xff\xfe \t\r\n").lower()
    markup = head.startswith(
        (b"<!doctype", b"<html", b"<?xml", b"<table", b"<meta", b"<head", b"<style", b"<body", b"<!--")
    )
    return "markup" if markup else "text"


def _kind_of_zip(data: bytes, name: str) -> str:
    # the names of parts stand in the directory at the end as they are
    tail = data[-(1 << 20) :]
    if b"PK\x05\x06" not in tail:
        raise damaged(name)
    if b"xl/workbook.bin" in data:
        return "xlsb"
    if b"application/vnd.oasis.opendocument.spreadsheet" in data[:200] or (
        b"content.xml" in tail and b"xl/" not in tail
    ):
        return "ods"
    return "xlsx"


def _misnamed(name: str, suffix: str, kind: str) -> FileRefusedError:
    english, russian = _CALLED[kind]
    if kind == "markup":
        return FileRefusedError(
            f"{name or 'the input'} is {english}: open it in a spreadsheet program and save it as .xlsx",
            f"{name or 'ввод'} — {russian}: откройте в табличной программе и сохраните как .xlsx",
        )
    return FileRefusedError(
        f"{name} is called {suffix}, but is {english}: rename it",
        f"{name} назван {suffix}, но это {russian}: переименуйте",
    )


def grids(file: File, findings: list[Finding], wanted: Wanted, *, with_ours: bool = True) -> Iterator[Grid]:
    """Yield the worksheets of a file, those marked as ours only if so wanted; what is found goes to ``findings``.

    Raises
    ------
    FileError, FileRefusedError
        If the file is damaged or refused.
    """
    if file.kind == "text":
        quick = read_fast(file.content, file.name, wanted, findings)
        if quick is not None:
            yield quick
            return
        grid, found = read_text(file.content.data, file.name)
        findings += found
        yield grid
    elif file.kind == "parquet":
        from prefxl.sheets.parquet import read_parquet

        yield read_parquet(file.content.data, file.name)
    else:
        yield from read_workbook(file.content.data, file.name, file.kind, findings, with_ours=with_ours)


__all__ = ["Content", "File", "Source", "grids", "open_source"]
