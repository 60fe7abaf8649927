"""Partitions: the same rows as the whole, without any cluster."""

from __future__ import annotations

import sys

import pandas as pd
import pytest

import prefxl
import prefxl.stream
from prefxl.cluster import partition_findings, partition_schema, partition_sums, settle_partition
from tests.cluster.frames import long_frame, spoiled, wide_frame
from tests.cluster.frames import plain_steps as plain


@pytest.mark.parametrize("make", [wide_frame, long_frame])
def test_partitions_together_are_the_season(make, tmp_path):
    parts = [make(20, first=1), make(15, first=21)]
    whole = pd.concat(parts, ignore_index=True)
    whole.to_parquet(tmp_path / "a.parquet")
    settled = pd.concat([settle_partition(part, stake="0.5") for part in parts], ignore_index=True)
    pd.testing.assert_frame_equal(plain(settled), plain(prefxl.read(tmp_path / "a.parquet").settle(stake="0.5").steps))


def test_every_partition_has_the_same_types_even_an_empty_one():
    frame = wide_frame(8)
    schema = partition_schema(frame)
    types = settle_partition(frame).dtypes
    assert list(types.index) == schema.names
    pd.testing.assert_series_equal(settle_partition(frame.head(0)).dtypes, types)
    pd.testing.assert_series_equal(settle_partition(spoiled(frame.head(1))).dtypes, types)


def test_a_faulty_game_is_left_out_and_told_with_its_row():
    frame = spoiled(wide_frame(8), row=3)
    assert settle_partition(frame)["game"].nunique() == 7
    found = partition_findings(frame, file="часть-3", convention="sochi")
    assert found.loc[found["severity"] == "error", ["reason", "file", "cell"]].to_numpy().tolist() == [
        ["negative-pulya", "часть-3", "G5"]
    ]


def test_the_sums_of_partitions_add_up_in_any_order():
    parts = [wide_frame(9, first=1), spoiled(wide_frame(9, first=10), row=2), wide_frame(9, first=19)]
    sums = [partition_sums(part, convention="leningrad") for part in parts]
    forth = prefxl.stream.Sums.total(sums).frame()
    back = prefxl.stream.Sums.total(reversed(sums)).frame()
    pd.testing.assert_frame_equal(forth, back)
    assert forth["games"].sum() == 26 * 4


def test_games_without_ids_are_numbered_within_their_partition():
    frame = wide_frame(3)
    frame["game"] = pd.array([None, None, None])
    assert settle_partition(frame)["game"].unique().tolist() == ["1", "2", "3"]


@pytest.mark.parametrize(
    "columns",
    [
        (range(3, 9), [7] * 6, range(2, 8)),
        ([5, 2**62 + 9, -3], [0, 1, 2], [9, 4, 2]),
        ([1] * 40 + [2], [0] * 41, [3] * 41),
    ],
)  # fmt: skip
def test_ids_kept_beside_the_output_come_back(tmp_path, columns):
    from prefxl.cluster.files import Archive
    from prefxl.cluster.records import load, save
    from prefxl.stream.ids import IdPiece, expanded, packed

    piece = IdPiece("а.csv", 0, 1, *map(packed, columns))
    save(tmp_path / "a.json", "key", Archive(ids=[piece]))
    (back,) = load(tmp_path / "a.json", "key").ids
    assert [expanded(values).tolist() for values in (back.ids, back.days, back.lines)] == [list(one) for one in columns]


@pytest.mark.filterwarnings("ignore")
def test_spark_takes_the_same_function(monkeypatch):
    pyspark = pytest.importorskip("pyspark", reason="optional: pyspark is not installed")
    from pyspark.sql.pandas.types import from_arrow_schema

    # Spark's processes are the Python that runs this, not the first one on the path
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    frame = spoiled(wide_frame(30), row=7).assign(date="2026-01-01")
    spark = pyspark.sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        parts = spark.createDataFrame(frame).repartition(3, "game")
        schema = from_arrow_schema(partition_schema(frame))
        settled = parts.mapInPandas(lambda some: map(settle_partition, some), schema).toPandas()
    finally:
        spark.stop()
    expected = settle_partition(frame)
    by = ["game", "seat"]
    pd.testing.assert_frame_equal(
        settled.sort_values(by, ignore_index=True), expected.sort_values(by, ignore_index=True), check_dtype=False
    )
