"""Writing a file so that it is either the old one or the new one, whole, whatever happens meanwhile.

The new content goes to a temporary file in the same folder, is flushed to the
disk and only then moved into place in one step. A crash, a full disk or
``kill -9`` leaves the user's file as it was.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from prefxl.errors import FileError, FileInTheWayError

TEMPORARY_PREFIX = ".~prefxl-"
"""How the names of our temporary files begin; readers of folders skip them."""

# ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION: Excel, a virus scanner,
# an indexer or a cloud client holds the file; the latter let go within a second or two
_HELD_ON_WINDOWS = frozenset({5, 32, 33})
_PATIENCE = (0.05, 0.1, 0.2, 0.4, 0.75, 1.0)
# our temporary files' names, exactly: nothing else is ever removed
_STRAY = re.compile(re.escape(TEMPORARY_PREFIX) + r"[0-9a-f]{12}(?:\.\w+)?")
_DEAD_AFTER = 3600.0  # seconds
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC})


@contextlib.contextmanager
def replacing(path: str | Path, *, overwrite: bool = False, backup: bool = False) -> Iterator[Path]:
    """Yield a temporary path to write to; on leaving the block it becomes ``path`` in one step.

    A symbolic link is followed, so that the link stays and the file behind it
    is replaced. The mode of a replaced file is kept. If the block raises, the
    temporary file goes away and ``path`` is untouched. Temporary files of runs
    that were killed more than an hour ago are removed from the folder.

    Parameters
    ----------
    path
        Where the finished file shall be. Its folder must exist.
    overwrite
        Allow ``path`` to exist already.
    backup
        Before replacing an existing file, keep a copy beside it as
        ``NAME.bak`` (``NAME.2.bak`` ... when that is taken; no backup is ever
        written over).

    Yields
    ------
    pathlib.Path
        An empty file in the same folder, with the same suffix as ``path``.

    Raises
    ------
    FileInTheWayError
        If ``path`` exists and ``overwrite`` is false.
    FileError
        If the folder is missing or not writable, the disk is full, or another
        program holds the file (Windows); in the last case the finished copy
        is kept under another name, which the message tells.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> target = Path(folder.name) / "club-settled.csv"
    >>> with replacing(target) as temp:
    ...     _ = temp.write_text("game;result", encoding="utf-8")
    >>> target.read_text(encoding="utf-8")
    'game;result'
    >>> folder.cleanup()
    """
    real = Path(os.path.realpath(path))
    _must_be_free(real, overwrite)
    _clean_after_dead_runs(real.parent)
    temp = _temporary_beside(real)
    try:
        yield temp
        _keep_mode(real, temp)
        _flush(temp)
        _must_be_free(real, overwrite)
        if backup and real.exists():
            _back_up(real)
        _move(temp, real)
        _flush_folder(real.parent)
    except OSError as fault:
        if fault.errno in _FULL:
            raise _disk_full(real) from fault
        raise
    finally:
        temp.unlink(missing_ok=True)


def backup_path(path: Path) -> Path:
    """Return the first free name for a backup of ``path``: ``NAME.bak``, then ``NAME.2.bak`` and so on."""
    candidate = path.with_name(f"{path.name}.bak")
    number = 2
    while candidate.exists():
        candidate = path.with_name(f"{path.name}.{number}.bak")
        number += 1
    return candidate


def _must_be_free(real: Path, overwrite: bool) -> None:
    if real.is_dir():
        raise FileError(f"{real} is a folder, not a file.", f"{real} — это папка, а не файл.")
    if real.exists() and not overwrite:
        raise FileInTheWayError(
            f"{real} is there already; use --overwrite or choose another name with -o.",
            f"Файл {real} уже есть; добавьте --overwrite или укажите другое имя: -o.",
        )


def _clean_after_dead_runs(folder: Path) -> None:
    """Remove what runs that were killed have left beside the target.

    A run that lives writes to its file; one not written to for so long has no run any more.
    """
    # the folder may be missing, or the file another user's: what matters is told when ours is made
    with contextlib.suppress(OSError):
        for stray in folder.glob(f"{glob.escape(TEMPORARY_PREFIX)}*"):
            if _STRAY.fullmatch(stray.name) and time.time() - stray.stat().st_mtime > _DEAD_AFTER:
                stray.unlink(missing_ok=True)


def _temporary_beside(real: Path) -> Path:
    temp = real.with_name(f"{TEMPORARY_PREFIX}{secrets.token_hex(6)}{real.suffix}")
    try:
        # not mkstemp: its mode 0600 would end up on a file that colleagues could read before
        os.close(os.open(temp, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except FileNotFoundError as fault:
        raise FileError(f"The folder {real.parent} does not exist.", f"Папки {real.parent} не существует.") from fault
    except PermissionError as fault:
        raise FileError(
            f"The folder {real.parent} may not be written to.", f"В папку {real.parent} нельзя писать."
        ) from fault
    except OSError as fault:
        if fault.errno in _FULL:
            raise _disk_full(real) from fault
        raise
    return temp


def _keep_mode(real: Path, temp: Path) -> None:
    if real.exists():
        os.chmod(temp, stat.S_IMODE(real.stat().st_mode))


def _flush(path: Path) -> None:
    # a read-only mode may have been copied from the file to be replaced
    flags = os.O_RDONLY if os.name == "posix" else os.O_RDWR
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _flush_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    # some network folders cannot be flushed; the file itself is safe by then
    with contextlib.suppress(OSError):
        _flush(folder)


def _back_up(real: Path) -> None:
    target = backup_path(real)
    temp = _temporary_beside(real)
    try:
        shutil.copy2(real, temp)
        _flush(temp)
        _move(temp, target)
    finally:
        temp.unlink(missing_ok=True)


def _move(temp: Path, real: Path) -> None:
    # never delete-then-rename and never copy over: both can leave half a file
    for pause in (*_PATIENCE, None):
        try:
            os.replace(temp, real)
        except PermissionError as fault:
            if getattr(fault, "winerror", None) not in _HELD_ON_WINDOWS:
                raise FileError(f"{real} may not be written to.", f"Файл {real} нельзя записать.") from fault
            if pause is None:
                raise _held(temp, real) from fault
            time.sleep(pause)
        else:
            return


def _held(temp: Path, real: Path) -> FileError:
    kept = real.with_name(f"{real.stem}-new{real.suffix}")
    number = 2
    while kept.exists():
        kept = real.with_name(f"{real.stem}-new-{number}{real.suffix}")
        number += 1
    os.replace(temp, kept)
    return FileError(
        f"{real.name} is open in Excel or another program. Close it and run again; "
        f"the finished copy is in {kept.name}.",
        f"Файл {real.name} открыт в Excel или другой программе. Закройте его и запустите снова; "
        f"готовая копия сохранена как {kept.name}.",
    )


def _disk_full(real: Path) -> FileError:
    return FileError(
        f"The disk is full: {real.name} was not written, the earlier file is as it was.",
        f"На диске нет места: {real.name} не записан, прежний файл не изменён.",
    )
