"""Big files and archives from the command line."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from prefxl.cli import streaming
from prefxl.cli.settle import command
from tests.cluster.frames import spoiled, wide_frame

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def season(tmp_path):
    path = tmp_path / "season.csv"
    spoiled(wide_frame(30), row=4).to_csv(path, index=False)
    return path


def settle(*arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_a_big_file_streams_to_the_same_rows_and_the_same_words(season, tmp_path, monkeypatch):
    at_once = settle(season, "-o", tmp_path / "once.csv", "--lang", "en")
    monkeypatch.setattr(streaming, "BIG", 0)
    streamed = settle(season, "-o", tmp_path / "stream.csv", "--lang", "en")
    assert streamed.exit_code == at_once.exit_code == 1
    assert "Games: 29" in streamed.output
    assert [line for line in streamed.output.splitlines() if "A6" in line or "error" in line] == [
        line for line in at_once.output.splitlines() if "A6" in line or "error" in line
    ]
    assert len((tmp_path / "stream.csv").read_text("utf-8").splitlines()) == 29 * 4 + 1


def test_quiet_prints_findings_only(season, tmp_path, monkeypatch):
    monkeypatch.setattr(streaming, "BIG", 0)
    streamed = settle(season, "-o", tmp_path / "stream.parquet", "--lang", "en", "--quiet")
    assert streamed.exit_code == 1
    assert "Games" not in streamed.output
    assert "the pulya is negative: -3" in streamed.output


def test_an_archive_wants_a_folder(season):
    from prefxl.errors import OptionError

    refused = settle(season, "--engine", "dask")
    assert isinstance(refused.exception, OptionError)
    assert "wants a folder" in refused.exception.en


def test_an_archive_refuses_what_is_for_single_files(season, tmp_path):
    refused = settle(season, "--engine", "dask", "-o", tmp_path / "out", "--strict")
    assert "not with --engine dask: --strict" in refused.exception.en


@pytest.mark.cluster
def test_an_archive_is_settled_into_a_folder(season, tmp_path):
    pytest.importorskip("distributed", reason="needs the extra: pip install prefxl[cluster]")
    done = settle(season, "-o", tmp_path / "out", "--engine", "dask", "--lang", "ru")
    assert done.exit_code == 1
    assert "Игр: 29, файлов: 1, из них готовы заранее: 0" in done.output
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["season.csv", "season.csv.done.json"]
