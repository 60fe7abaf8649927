"""Every game under every convention, side by side."""

from prefxl.compare.file import write_comparison
from prefxl.compare.table import compare, winners

__all__ = ["compare", "winners", "write_comparison"]
