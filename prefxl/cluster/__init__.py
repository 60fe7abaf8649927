"""The same settlement where one machine is not enough: on Dask, and as a plain function for Spark.

Nothing here imports Dask or Spark before it is asked to; ``pip install prefxl[cluster]`` brings Dask.

A Dask DataFrame, a row a game (or all rows of a game in one partition)::

    settled = prefxl.cluster.settle_dask(frame, convention="sochi")
    table = prefxl.cluster.season_sums(frame, convention="sochi").frame()

Spark::

    schema = from_arrow_schema(prefxl.cluster.partition_schema(frame.limit(1).toPandas()))
    settled = frame.mapInPandas(lambda parts: map(prefxl.cluster.settle_partition, parts), schema)

Files, each settled by whichever worker is free, and settled again only where something is missing::

    done = prefxl.cluster.settle_files(paths, "out", scheduler="tcp://scheduler:8786", ending=".csv")
"""

from prefxl.cluster.files import Archive, settle_files
from prefxl.cluster.frames import season_sums, settle_dask
from prefxl.cluster.partitions import partition_findings, partition_schema, partition_sums, settle_partition

__all__ = [
    "Archive",
    "partition_findings",
    "partition_schema",
    "partition_sums",
    "season_sums",
    "settle_dask",
    "settle_files",
    "settle_partition",
]
