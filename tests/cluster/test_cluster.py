"""A real cluster of two processes: results, lost workers, resumed runs."""

from __future__ import annotations

import os
import signal
import threading
import time

import pandas as pd
import pytest

import prefxl
from prefxl.cluster import season_sums, settle_dask, settle_files, settle_partition
from tests.cluster.frames import plain_steps, spoiled, wide_frame

pytestmark = [
    pytest.mark.cluster,
    # distributed closes its sockets a moment after its processes have gone
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed", reason="needs the extra: pip install prefxl[cluster]")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def archive(folder, files=6, games=40):
    """Write an archive of Parquet files, one with a faulty game."""
    paths = []
    for number in range(files):
        frame = wide_frame(games, first=1 + number * games)
        paths.append(folder / f"месяц-{number + 1}.parquet")
        (spoiled(frame, row=6) if number == 2 else frame).to_parquet(paths[-1], index=False)
    return paths


def rows_of(done):
    return pd.concat([plain_steps(pd.read_parquet(path)) for path in done.files], ignore_index=True)


def test_an_archive_settles_to_the_rows_of_a_single_process(tmp_path, client):
    paths = archive(tmp_path)
    done = settle_files(paths, tmp_path / "out", scheduler=client, stake="0.5")
    single = prefxl.read(paths).settle(stake="0.5")
    pd.testing.assert_frame_equal(rows_of(done), plain_steps(single.steps))
    assert len(done) == len(single) == 239
    errors = [finding for finding in done.findings if finding.severity == "error"]
    assert [(finding.reason, finding.where) for finding in errors] == [("negative-pulya", "месяц-3.parquet!G8")]
    told = pd.Series([finding.reason for finding in single.findings]).value_counts().to_dict()
    assert dict(done.counts) == told


def test_the_sums_of_an_archive_are_those_of_the_season(tmp_path, client):
    paths = archive(tmp_path)
    sums = settle_files(paths, tmp_path / "out", scheduler=client).sums.frame()
    whole = prefxl.read(paths).settle().standings()
    pd.testing.assert_frame_equal(sums, whole[list(sums.columns)], check_dtype=False)


def test_an_id_that_stands_in_several_files_is_told_as_by_a_single_process(tmp_path, client):
    paths = []
    for number in range(4):
        frame = wide_frame(30, first=1).assign(date=None)
        frame["game"] = [f"Игра {game}" for game in range(number * 28, number * 28 + 30)]
        frame.loc[frame.index[4], "game"] = frame["game"].iloc[3]
        paths.append(tmp_path / f"часть-{number}.csv")
        frame.to_csv(paths[-1], index=False)
    # one that has to be read whole
    paths[1].write_bytes(paths[1].read_bytes().decode("utf-8").encode("cp1251"))

    def told(findings):
        return sorted((f.where, f.found, f.details["first"]) for f in findings if f.reason == "game-twice")

    whole = told(prefxl.read(paths).findings)
    assert len(whole) == 4 + 3 * 2
    for resumed in (0, 4):
        done = settle_files(paths, tmp_path / "out", scheduler=client, ending=".csv")
        assert done.resumed == resumed
        assert told(done.findings) == whole
        assert done.counts["game-twice"] == len(whole)


def test_a_file_that_cannot_be_read_is_a_finding_and_costs_the_others_nothing(tmp_path, client):
    paths = archive(tmp_path, files=2)
    (tmp_path / "сломан.parquet").write_bytes(b"PAR1, but not really")
    done = settle_files([*paths, tmp_path / "сломан.parquet", tmp_path / "нет.csv"], tmp_path / "out", scheduler=client)
    unreadable = [finding.file for finding in done.findings if finding.reason == "unreadable"]
    assert unreadable == ["сломан.parquet", "нет.csv"]
    assert len(done) == 80


def test_files_of_one_name_are_told_apart_and_so_is_a_name_to_correct_that_nobody_has(tmp_path, client):
    paths = [tmp_path / year / "май.parquet" for year in ("2025", "2026")]
    for number, path in enumerate(paths):
        path.parent.mkdir()
        spoiled(wide_frame(20, first=1 + 20 * number), row=6).to_parquet(path, index=False)
    for resumed in (0, 2):
        done = settle_files(paths, tmp_path / "out", scheduler=client, corrected="Никто", rounding="divisible")
        faults = {finding.file for finding in done.findings if finding.severity == "error"}
        assert (done.resumed, faults) == (resumed, {"2025/май.parquet", "2026/май.parquet"})
        assert [finding.found for finding in done.findings if finding.reason == "nobody-corrected"] == ["Никто"]


def test_a_rerun_settles_only_what_is_missing(tmp_path, client):
    paths = archive(tmp_path)
    first = settle_files(paths, tmp_path / "out", scheduler=client)
    times = {path: os.stat(path).st_mtime_ns for path in first.files}
    os.remove(first.files[3])
    again = settle_files(paths, tmp_path / "out", scheduler=client)
    assert again.resumed == 5
    assert [path for path in again.files if os.stat(path).st_mtime_ns != times[path]] == [first.files[3]]
    assert again.counts == first.counts
    pd.testing.assert_frame_equal(again.sums.frame(), first.sums.frame())
    other = settle_files(paths, tmp_path / "out", scheduler=client, convention="sochi")
    assert other.resumed == 0


def test_a_worker_killed_in_the_middle_costs_nothing(tmp_path, client):
    paths = archive(tmp_path, files=16, games=3000)
    out = tmp_path / "out"
    killed = []

    def kill():
        while len(list(out.glob("*.done.json"))) < 2:
            time.sleep(0.01)
        victim = next(iter(client.run(os.getpid).values()))
        killed.append(victim)
        os.kill(victim, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    out.mkdir()
    killer.start()
    done = settle_files(paths, out, scheduler=client)
    killer.join()
    assert killed
    assert len(done) == 16 * 3000 - 1
    assert len(list(out.glob("*.parquet"))) == 16
    single = pd.concat([plain_steps(settle_partition(pd.read_parquet(path))) for path in paths], ignore_index=True)
    pd.testing.assert_frame_equal(rows_of(done), single)


def test_a_dask_frame_is_settled_where_its_partitions_are(client):
    dd = pytest.importorskip("dask.dataframe", reason="needs the extra: pip install prefxl[cluster]")
    frame = wide_frame(60)
    parts = dd.from_pandas(frame, npartitions=4)
    settled = settle_dask(parts, convention="leningrad").compute()
    pd.testing.assert_frame_equal(plain_steps(settled), plain_steps(settle_partition(frame, convention="leningrad")))
    sums = season_sums(parts, convention="leningrad").frame()
    assert sums["games"].sum() == 240
    assert abs(sums["sum"].sum()) < 1e-9
