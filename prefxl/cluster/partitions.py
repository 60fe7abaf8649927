"""One partition: a pandas frame of games in, a pandas frame of settled rows out. No cluster needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from prefxl.findings import FINDING_COLUMNS
from prefxl.rules.conventions import Convention, find_convention, find_rounding
from prefxl.rules.payments import find_stake
from prefxl.settled import STEP_COLUMNS, Terms
from prefxl.sheets.reading import make_options
from prefxl.stream.ordinary import as_table, settle_aside
from prefxl.stream.pieces import NotStreamableError, numbered
from prefxl.stream.plan import Plan, plan_of
from prefxl.stream.settling import own_name
from prefxl.stream.sums import Sums, sums_of_aside
from prefxl.stream.tally import KEPT
from prefxl.stream.work import Done, Task, settle_piece

#: Types of our columns: the same for every partition, so ids and dates are text, numbers floats.
_TEXTS = ("game", "date", "player", "result_exact", "convention", "rounding")

#: Rows looked at to know the layout.
_SAMPLE = 50


@dataclass(frozen=True)
class _Given:
    """The options of a partition, sorted into those of reading and of settling."""

    reading: Mapping[str, Any]
    settling: Mapping[str, Any]

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> _Given:
        names = ("layout", "mapping", "names", "lang")
        return cls(
            {name: value for name, value in options.items() if name in names},
            {name: value for name, value in options.items() if name not in names},
        )

    def terms(self) -> Terms:
        """Return house rules, rounding and stake."""
        house = dict(self.settling)
        convention, rounding = house.pop("convention", None), house.pop("rounding", None)
        stake = find_stake(house.pop("stake", None), house.pop("minor_units", 2))
        rules = find_convention(convention).altered(**house)
        return Terms(rules, find_rounding(rounding) if rounding is not None else rules.rounding, stake)


def settle_partition(
    frame: pd.DataFrame, *, convention: str | Convention | None = None, rounding: str | None = None, **options: Any
) -> pd.DataFrame:
    """Settle the games of a frame: for Dask's ``map_partitions`` and Spark's ``mapInPandas``.

    Parameters
    ----------
    frame
        The wide layout (a row a game) or the long one (a row a player; all rows of a game in
        this frame), its columns called as in a file: ``game player_1 pulya_1 ...``.
    convention, rounding, **options
        As for ``Games.settle``, and ``layout``, ``mapping``, ``names``, ``lang`` as for ``prefxl.read``.

    Returns
    -------
    pandas.DataFrame
        The columns of ``Settled.steps`` in the types of :func:`partition_schema`. A game with
        an error is left out; :func:`partition_findings` tells why.
    """
    schema = partition_schema(frame, **_reading_of(options))
    done = _settle(frame, {"convention": convention, "rounding": rounding, **options})
    if done.table is None:
        return as_frame(schema.empty_table())
    columns = {name: done.table.column(name).cast(schema.field(name).type) for name in schema.names}
    return as_frame(pa.table(columns, schema=schema))


def as_frame(table: pa.Table) -> pd.DataFrame:
    """Return an Arrow table as a pandas frame."""
    frame: pd.DataFrame = table.to_pandas()
    return frame


def partition_findings(frame: pd.DataFrame, *, file: str = "", lang_out: str = "en", **options: Any) -> pd.DataFrame:
    """Return what is wrong with the games of a frame, a row a finding.

    Parameters
    ----------
    frame
        As for :func:`settle_partition`.
    file
        What the frame is called in the findings; its rows count from 2, below the heading.
    lang_out
        The language of the sentences.
    **options
        As for :func:`settle_partition`.

    Returns
    -------
    pandas.DataFrame
        Columns :data:`prefxl.findings.FINDING_COLUMNS`, all text.
    """
    records = [finding.record(lang_out) for finding in _settle(frame, options, file=file).findings]
    return pd.DataFrame(records, columns=list(FINDING_COLUMNS), dtype=object)


def partition_sums(frame: pd.DataFrame, **options: Any) -> Sums:
    """Return the sums of every player over the games of a frame; they add up over partitions.

    Parameters
    ----------
    frame, **options
        As for :func:`settle_partition`.
    """
    return _settle(frame, options, season=True).sums or Sums()


def partition_schema(frame: pd.DataFrame, **options: Any) -> pa.Schema:
    """Return the columns and types that :func:`settle_partition` gives for frames like this one.

    Parameters
    ----------
    frame
        A frame with the columns of the partitions; it may be empty.
    **options
        Options of reading, as for :func:`settle_partition`.
    """
    types = pa.Schema.from_pandas(frame, preserve_index=False)
    plan = _plan(frame.head(0), _Given.of(options).reading, "")
    fields = [(name, _ours(name)) for name in STEP_COLUMNS]
    fields += [(own_name(name), _theirs(types.field(int(place)).type)) for place, name in plan.own.items()]
    return pa.schema(fields)


def _ours(name: str) -> pa.DataType:
    return pa.string() if name in _TEXTS else pa.int64() if name == "seat" else pa.float64()


def _theirs(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_null(kind) or pa.types.is_large_string(kind) or pa.types.is_dictionary(kind):
        return pa.string()
    return kind


def _reading_of(options: Mapping[str, Any]) -> dict[str, Any]:
    return dict(_Given.of(options).reading)


def _plan(frame: pd.DataFrame, reading: Mapping[str, Any], file: str) -> Plan:
    rows = frame.head(_SAMPLE).astype(object).where(frame.head(_SAMPLE).notna(), None)
    records = [[str(name) for name in frame.columns], *rows.to_numpy().tolist()]
    return plan_of(Path(file or "partition"), records, make_options(**reading))


def _settle(frame: pd.DataFrame, options: Mapping[str, Any], *, file: str = "", season: bool = False) -> Done:
    """Settle a frame in bulk; whole, the ordinary way, where its ids are missing."""
    given = _Given.of(options)
    plan = _plan(frame, given.reading, file)
    task = Task(plan, given.terms(), given.settling, "%Y-%m-%d", season)
    table = pa.Table.from_pandas(frame, preserve_index=False)
    table = pa.table([_plain(column) for column in table.columns], names=table.column_names)
    if not table.num_rows:
        return _nothing()
    try:
        return settle_piece(numbered(table), task, lambda reason: KEPT)
    except NotStreamableError:
        return _whole(table, task)


def _plain(column: pa.ChunkedArray) -> pa.Array:
    kind = column.type
    if pa.types.is_large_string(kind):
        column = column.cast(pa.string())
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
    if pa.types.is_timestamp(kind):
        column = column.cast(pa.date32(), safe=False)
    chunk = column.combine_chunks()
    return chunk.chunk(0) if isinstance(chunk, pa.ChunkedArray) else chunk


def _nothing() -> Done:
    return Done(None, 0, (), Counter())


def _whole(table: pa.Table, task: Task) -> Done:
    records = [list(record) for record in zip(*(column.to_pylist() for column in table.columns), strict=True)]
    lines = np.arange(2, table.num_rows + 2).tolist()
    aside = settle_aside(task.plan, lines, records, dict(task.options), task.days)
    counts = Counter(finding.reason for finding in aside.findings)
    sums = sums_of_aside(aside.settled) if task.season else None
    return Done(as_table(aside.settled, task.plan, task.days), len(aside.settled), aside.findings, counts, sums=sums)
