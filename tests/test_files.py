"""Atomic writing: the old file or the new one, never half of either."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from prefxl import files
from prefxl.errors import FileError, FileInTheWayError
from prefxl.files import backup_path, replacing

posix = pytest.mark.skipif(os.name != "posix", reason="modes and links of POSIX")


def names(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir())


def test_a_new_file_appears_whole_and_nothing_else_stays(tmp_path: Path) -> None:
    target = tmp_path / "клуб.xlsx"
    with replacing(target) as temp:
        assert temp.parent == tmp_path
        assert temp.suffix == ".xlsx"
        temp.write_bytes(b"new")
        assert not target.exists()
    assert target.read_bytes() == b"new"
    assert names(tmp_path) == ["клуб.xlsx"]


def test_an_existing_file_is_refused_without_overwrite(tmp_path: Path) -> None:
    target = tmp_path / "a.xlsx"
    target.write_bytes(b"old")
    with pytest.raises(FileInTheWayError, match="there already"), replacing(target):
        pass
    assert target.read_bytes() == b"old"


def test_a_file_that_appears_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    target = tmp_path / "a.xlsx"
    with pytest.raises(FileInTheWayError, match="there already"), replacing(target):
        target.write_bytes(b"somebody else's")
    assert target.read_bytes() == b"somebody else's"


def test_overwrite_replaces_the_file(tmp_path: Path) -> None:
    target = tmp_path / "a.xlsx"
    target.write_bytes(b"old")
    with replacing(target, overwrite=True) as temp:
        temp.write_bytes(b"new")
    assert target.read_bytes() == b"new"


def test_a_failure_inside_the_block_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "a.xlsx"
    target.write_bytes(b"old")
    with pytest.raises(FileNotFoundError, match="no such source"), replacing(target, overwrite=True) as temp:
        (temp.write_bytes(b"half"), (tmp_path / "no such source").read_bytes())
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["a.xlsx"]


def test_every_backup_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "a.xlsx"
    target.write_bytes(b"1")
    for content in (b"2", b"3"):
        with replacing(target, overwrite=True, backup=True) as temp:
            temp.write_bytes(content)
    assert names(tmp_path) == ["a.xlsx", "a.xlsx.2.bak", "a.xlsx.bak"]
    assert (tmp_path / "a.xlsx.bak").read_bytes() == b"1"
    assert (tmp_path / "a.xlsx.2.bak").read_bytes() == b"2"


def test_the_name_of_the_next_backup_can_be_asked_for(tmp_path: Path) -> None:
    assert backup_path(tmp_path / "a.xlsx").name == "a.xlsx.bak"


@posix
@pytest.mark.parametrize("mode", [0o640, 0o664, 0o440])
def test_the_mode_of_the_replaced_file_is_kept(tmp_path: Path, mode: int) -> None:
    target = tmp_path / "a.xlsx"
    target.write_bytes(b"old")
    target.chmod(mode)
    with replacing(target, overwrite=True) as temp:
        temp.write_bytes(b"new")
    assert stat.S_IMODE(target.stat().st_mode) == mode


@posix
def test_a_link_stays_a_link_and_the_file_behind_it_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    real = tmp_path / "far" / "real.xlsx"
    real.write_bytes(b"old")
    link = tmp_path / "link.xlsx"
    link.symlink_to(real)
    with replacing(link, overwrite=True) as temp:
        assert temp.parent == real.parent
        temp.write_bytes(b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_a_missing_folder_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="does not exist"), replacing(tmp_path / "no" / "a.xlsx"):
        pass


def test_a_folder_in_place_of_the_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a folder"), replacing(tmp_path, overwrite=True):
        pass


def held(*_: object) -> None:
    fault = PermissionError("held")
    fault.winerror = 32  # type: ignore[attr-defined, unused-ignore]
    raise fault


def test_a_file_held_by_excel_is_told_and_the_finished_copy_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.xlsx"
    target.write_bytes(b"old")
    replace = os.replace

    def only_the_target_is_held(source: Path, destination: Path) -> None:
        if destination == target:
            held()
        replace(source, destination)

    monkeypatch.setattr(os, "replace", only_the_target_is_held)
    monkeypatch.setattr(files.time, "sleep", lambda _: None)
    with (
        pytest.raises(FileError, match=r"open in Excel.*a-new\.xlsx"),
        replacing(target, overwrite=True) as temp,
    ):
        temp.write_bytes(b"new")
    assert target.read_bytes() == b"old"
    assert (tmp_path / "a-new.xlsx").read_bytes() == b"new"


def test_a_file_held_for_a_moment_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.xlsx"
    replace = os.replace
    waits: list[float] = []

    def held_twice(source: Path, destination: Path) -> None:
        if len(waits) < 2:
            held()
        replace(source, destination)

    monkeypatch.setattr(os, "replace", held_twice)
    monkeypatch.setattr(files.time, "sleep", waits.append)
    with replacing(target) as temp:
        temp.write_bytes(b"new")
    assert target.read_bytes() == b"new"
    assert len(waits) == 2


def test_another_refusal_of_the_system_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError("no")

    monkeypatch.setattr(os, "replace", forbidden)
    with pytest.raises(FileError, match="may not be written to"), replacing(tmp_path / "a.xlsx"):
        pass


def test_a_full_disk_is_told_in_a_sentence(tmp_path: Path) -> None:
    target = tmp_path / "a.xlsx"
    target.write_bytes(b"old")
    with pytest.raises(FileError, match="disk is full"), replacing(target, overwrite=True):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert target.read_bytes() == b"old"


def test_what_a_killed_run_left_an_hour_ago_is_removed_and_nothing_else(tmp_path: Path) -> None:
    stray, living = tmp_path / ".~prefxl-0123456789ab.xlsx", tmp_path / ".~prefxl-ba9876543210.xlsx"
    others = [tmp_path / ".~prefxl-mine.xlsx", tmp_path / "старый.xlsx"]
    for path in (stray, living, *others):
        path.write_bytes(b"")
    for path in (stray, *others):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    with replacing(tmp_path / "a.xlsx") as temp:
        temp.write_bytes(b"new")
    assert names(tmp_path) == sorted([living.name, "a.xlsx", *(path.name for path in others)])
