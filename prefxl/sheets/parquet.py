"""Parquet files as grids: the names of the columns are the heading."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from prefxl.errors import FileError, FileRefusedError
from prefxl.sheets.cells import Column
from prefxl.sheets.grid import Grid

#: More cells than this are refused.
MOST_CELLS = 120_000_000


def read_parquet(data: bytes, name: str) -> Grid:
    """Return the table of a Parquet file as a grid; its first row is the heading.

    Raises
    ------
    FileError, FileRefusedError
        If it is damaged, or larger than can be borne.
    """
    try:
        file = pq.ParquetFile(io.BytesIO(data))
        about = file.metadata
        if about.num_rows * max(about.num_columns, 1) > MOST_CELLS or _unpacked(about) > 1 << 30:
            raise FileRefusedError(f"{name} holds too many cells", f"в {name} слишком много ячеек")
        table = file.read()
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{name} is damaged: it is no Parquet file", f"{name} повреждён: это не Parquet") from None
    columns = tuple(
        Column.of([title, *(None if cell != cell else cell for cell in values.to_pylist())])
        for title, values in zip(table.column_names, table.columns, strict=True)
    )
    return Grid(name, "", columns, 1, np.arange(1, table.num_rows + 2, dtype=np.int64))


def _unpacked(about: pq.FileMetaData) -> int:
    return sum(about.row_group(group).total_byte_size for group in range(about.num_row_groups))
