"""Files of any number of games, settled piece by piece in memory that does not grow with them.

The same columns and values as ``Settled.write`` for CSV and Parquet: plain games go through
in bulk as Arrow columns, and every row that is not plain goes the ordinary way, with its findings.
"""

from prefxl.stream.engine import Streamed, can_stream, settle_stream
from prefxl.stream.pieces import NotStreamableError
from prefxl.stream.sums import SUM_COLUMNS, Sums

__all__ = ["SUM_COLUMNS", "NotStreamableError", "Streamed", "Sums", "can_stream", "settle_stream"]
