"""Killed at any moment, the run leaves the old file or the new one, whole."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import zipfile

import pytest

from prefxl.files import TEMPORARY_PREFIX
from prefxl.workbook.package import annotate, inspect
from tests.workbook.package.books import changes, make, make_donor

KILLS = 10


@pytest.mark.skipif(os.name != "posix", reason="optional: SIGKILL is of POSIX")
def test_killed_at_any_moment_the_file_is_whole(tmp_path):
    source, donor, target = make(tmp_path, "objects"), make_donor(tmp_path), tmp_path / "club.xlsx"
    annotate(source, target, [])
    old = target.read_bytes()
    annotate(source, tmp_path / "new.xlsx", changes(source), donor=donor)
    new = (tmp_path / "new.xlsx").read_bytes()
    before = source.read_bytes()
    for number in range(KILLS):
        target.write_bytes(old)
        _write_and_kill(source, target, donor, after=0.02 + 0.013 * number)
        assert target.read_bytes() in (old, new)
        with zipfile.ZipFile(target) as package:
            assert package.testzip() is None
    assert source.read_bytes() == before
    leftovers = [item.name for item in tmp_path.iterdir() if item.name.startswith(TEMPORARY_PREFIX)]
    assert len(leftovers) <= KILLS
    assert inspect(target).sheets


def _write_and_kill(source, target, donor, after):
    # forked, so that no time goes into starting Python
    process = multiprocessing.get_context("fork").Process(target=_write_forever, args=(source, target, donor))
    process.start()
    time.sleep(after)
    os.kill(process.pid, signal.SIGKILL)
    process.join()


def _write_forever(source, target, donor):
    wanted = changes(source)
    while True:
        annotate(source, target, wanted, donor=donor, overwrite=True)
