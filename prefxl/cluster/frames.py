"""Dask DataFrames: partitions settled where they are, sums reduced as a tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from prefxl.cluster.partitions import as_frame, partition_schema, partition_sums, settle_partition
from prefxl.errors import OptionError
from prefxl.stream.sums import Sums

#: How many parts are added at a time.
FAN_IN = 8


def settle_dask(frame: Any, **options: Any) -> Any:
    """Return the settled rows of a Dask DataFrame as another, not computed yet.

    Parameters
    ----------
    frame
        ``dask.dataframe.DataFrame`` in the wide layout, or in the long one with all rows of a
        game in one partition.
    **options
        As for :func:`prefxl.cluster.settle_partition`.
    """
    need_dask()
    schema = partition_schema(frame._meta, **{k: v for k, v in options.items() if k in ("layout", "mapping", "names")})
    return frame.map_partitions(settle_partition, meta=as_frame(schema.empty_table()), **options)


def season_sums(frame: Any, **options: Any) -> Sums:
    """Return the sums of every player over a Dask DataFrame, computed on its scheduler.

    Parameters
    ----------
    frame, **options
        As for :func:`settle_dask`.
    """
    need_dask()
    delayed: Any = import_module("dask").delayed
    parts = [delayed(partition_sums)(part, **options) for part in frame.to_delayed()]
    if not parts:
        return Sums()
    total: Sums = tree(parts, lambda some: delayed(Sums.total)(some)).compute()
    return total


def tree(parts: Sequence[Any], add: Callable[[list[Any]], Any]) -> Any:
    """Return one thing from many, added :data:`FAN_IN` neighbours at a time.

    >>> tree(list("abcdefghij"), "".join)
    'abcdefghij'
    """
    level = list(parts)
    while len(level) > 1:
        level = [add(level[start : start + FAN_IN]) for start in range(0, len(level), FAN_IN)]
    return level[0]


def need_dask() -> None:
    """Raise where Dask is not installed.

    Raises
    ------
    OptionError
        With what to install.
    """
    if find_spec("dask") is None or find_spec("distributed") is None:
        raise OptionError(
            "the engine 'dask' needs more packages: pip install prefxl[cluster]",
            "движку dask нужны ещё пакеты: pip install prefxl[cluster]",
        )
