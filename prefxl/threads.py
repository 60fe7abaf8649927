"""Work spread over threads: numpy and pyarrow let go of the interpreter lock inside their loops."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def spread(work: Callable[[Item], Result], items: Iterable[Item], threads: int | None = None) -> list[Result]:
    """Return ``work`` of every item, in their order.

    Parameters
    ----------
    work, items
        What is to be done, and with what.
    threads
        How many threads; by default as many as there are cores. With one, the work is done here.
    """
    items = list(items)
    threads = min(threads or cpu_count() or 1, len(items))
    if threads <= 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, items))
