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


@pytest.mark.parametrize(
    "option",
    [
        ["--target", "20"],
        ["--target", "largest"],
        ["--below", "3"],
        ["--above", "2"],
        ["--whists-per-gora", "5"],
        ["--divisor", "one"],
        ["--stake", "0.05", "--minor-units", "0"],
        ["--rounding", "divisible", "--corrected", "2"],
        ["--convention", "sochi"],
    ],
    ids="_".join,
)
def test_every_house_rule_streams_to_the_same_bytes(season, tmp_path, monkeypatch, option):
    at_once = settle(season, "-o", tmp_path / "once.csv", "--quiet", *option)
    monkeypatch.setattr(streaming, "BIG", 0)
    streamed = settle(season, "-o", tmp_path / "stream.csv", "--quiet", *option)
    assert not streamed.exception or isinstance(streamed.exception, SystemExit)
    assert streamed.exit_code == at_once.exit_code
    assert (tmp_path / "stream.csv").read_bytes() == (tmp_path / "once.csv").read_bytes()


@pytest.mark.parametrize("name", ["Nobody", "9", "1"])
def test_a_corrected_player_whom_nobody_knows_is_told_by_a_stream_as_well(season, tmp_path, monkeypatch, name):
    given = ["--corrected", name, "--lang", "en", "--quiet"]
    at_once = settle(season, "-o", tmp_path / "once.csv", *given)
    monkeypatch.setattr(streaming, "BIG", 0)
    streamed = settle(season, "-o", tmp_path / "stream.csv", *given)
    assert ("none of these games" in at_once.output) is (name != "1")
    assert streamed.output == at_once.output


def test_streamed_files_of_one_name_are_told_apart_by_their_folders(tmp_path, monkeypatch):
    paths = [tmp_path / year / "may.csv" for year in ("2025", "2026")]
    for number, path in enumerate(paths):
        path.parent.mkdir()
        frame = spoiled(wide_frame(30), row=4)
        frame["game"] = [f"{number}-{at}" for at in range(30)]
        frame.to_csv(path, index=False)
    at_once = settle(*paths, "-o", tmp_path / "once.csv", "--lang", "en", "--quiet")
    monkeypatch.setattr(streaming, "BIG", 0)
    streamed = settle(*paths, "-o", tmp_path / "stream.csv", "--lang", "en", "--quiet")
    assert "2026/may.csv!" in at_once.output
    assert streamed.output == at_once.output


def test_quiet_prints_findings_only(season, tmp_path, monkeypatch):
    monkeypatch.setattr(streaming, "BIG", 0)
    streamed = settle(season, "-o", tmp_path / "stream.parquet", "--lang", "en", "--quiet")
    assert streamed.exit_code == 1
    assert "Games" not in streamed.output
    assert "the pulya is negative: -3" in streamed.output


def test_a_strict_run_of_a_big_file_writes_nothing_and_says_so(season, tmp_path, monkeypatch):
    at_once = settle(season, "-o", tmp_path / "once.csv", "--strict", "--lang", "en")
    monkeypatch.setattr(streaming, "BIG", 0)
    streamed = settle(season, "-o", tmp_path / "stream.csv", "--strict", "--lang", "en")
    assert streamed.exit_code == at_once.exit_code == 2
    assert streamed.output == at_once.output
    assert [path.name for path in tmp_path.iterdir()] == ["season.csv"]


def test_a_file_that_has_to_be_read_whole_and_does_not_fit_is_refused_in_a_sentence(season, tmp_path, monkeypatch):
    monkeypatch.setattr(streaming, "BIG", 0)
    monkeypatch.setattr(streaming, "free_memory", lambda: 1000)
    refused = settle(season, "-o", tmp_path / "o.xlsx", "--lang", "en")
    assert "season.csv has to be read whole for this" in refused.exception.en
    assert "1 KB is free" in refused.exception.en
    assert not (tmp_path / "o.xlsx").exists()
    # what streams needs no room
    assert settle(season, "-o", tmp_path / "o.csv").exit_code == 1


def test_free_memory_is_what_the_system_and_its_limits_leave(tmp_path):
    about = tmp_path / "meminfo"
    about.write_text("MemTotal:  100 kB\nMemAvailable:  64 kB\n")
    limit, used = tmp_path / "memory.max", tmp_path / "memory.current"
    assert streaming.free_memory(about, limit, used) == 64 * 1024
    limit.write_text("max\n")
    used.write_text("4000\n")
    assert streaming.free_memory(about, limit, used) == 64 * 1024
    limit.write_text("20000\n")
    assert streaming.free_memory(about, limit, used) == 16000
    assert streaming.free_memory(tmp_path / "none", tmp_path / "none", used) is None


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
