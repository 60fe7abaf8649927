"""The starting files: present, rebuilt to the same bytes, and never written over a user's file."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from prefxl.errors import FileInTheWayError, OptionError
from prefxl.shipped import KINDS, shipped, write_template
from prefxl.workbook.starter import write_season_workbook


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("udf.xlsm", "prefxl.oxt")])
def test_every_kind_is_shipped(kind, tmp_path):
    written = write_template(kind, tmp_path / kind)
    assert written.read_bytes() == shipped(kind).read_bytes()


def test_the_season_workbook_is_rebuilt_to_the_same_bytes(tmp_path):
    write_season_workbook(shipped("season.csv"), tmp_path / "season.xlsx")
    assert (tmp_path / "season.xlsx").read_bytes() == shipped("season.xlsx").read_bytes()


def test_a_template_is_not_written_over_a_file(tmp_path):
    (tmp_path / "season.csv").write_text("mine")
    with pytest.raises(FileInTheWayError, match="is there already"):
        write_template("season.csv", tmp_path / "season.csv")
    assert (tmp_path / "season.csv").read_text() == "mine"


def test_an_unknown_kind_is_refused():
    with pytest.raises(OptionError, match=r"templates are: season\.csv"):
        write_template("bridge.xlsx", Path("bridge.xlsx"))


def test_the_add_in_for_libreoffice_is_built(tmp_path):
    written = write_template("prefxl.oxt", tmp_path / "prefxl.oxt")
    assert "META-INF/manifest.xml" in zipfile.ZipFile(written).namelist()
