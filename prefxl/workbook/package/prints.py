"""Fingerprints of what we wrote: by them it is told from what the user has typed over it or beside it."""

from __future__ import annotations

import base64
import re
import struct
import zlib
from collections.abc import Iterable
from functools import lru_cache

_REFERENCE = re.compile(r"(?:'(?:[^']|'')+'!|[\w.]+!)?\$?[A-Z]{1,3}\$?\d{1,7}")
_CALL = re.compile(r"([A-Z][A-Z0-9.]*)\(")
_PREFIX = re.compile(r"_xl\w+\.")
_ANY_DIGIT = str.maketrans("123456789", "0" * 9)


# a note is known by it when it is placed, and again when the result is read back
@lru_cache(maxsize=1 << 14)
def digest(text: str) -> int:
    """Return 32 bits that stand for a text, blanks and line ends left out: programs change those."""
    return zlib.crc32("".join(text.split()).encode("utf-8", "replace"))


def plain_number(value: float | int) -> str:
    """Return a number as text, alike whichever program has saved it.

    >>> plain_number(7.0), plain_number(-0.5), plain_number(-0.0)
    ('7', '-0.5', '0')
    """
    # no nought is below 0 in a cell
    return f"{float(value) + 0.0:.10g}"


def skeleton(formula: str) -> str:
    """Return what of a formula stays when it is moved, filled down or saved by another program: its functions.

    >>> skeleton("=ROUND(SUM(A1:A3)/3,0)")
    'ROUND SUM'
    """
    # formulas by the thousand differ in the rows they read only
    return _functions(formula.translate(_ANY_DIGIT))


@lru_cache(maxsize=512)
def _functions(formula: str) -> str:
    bare = _REFERENCE.sub("", _PREFIX.sub("", formula))
    return " ".join(_CALL.findall(bare)) or "="


def pack(digests: Iterable[int]) -> str:
    """Return a set of digests as text."""
    ordered = sorted(set(digests))
    return base64.b64encode(struct.pack(f"<{len(ordered)}I", *ordered)).decode("ascii")


def unpack(text: object) -> frozenset[int]:
    """Return the digests of a text of :func:`pack`; none for anything else."""
    try:
        packed = base64.b64decode(text) if isinstance(text, str) else b""
        return frozenset(struct.unpack(f"<{len(packed) // 4}I", packed))
    except (ValueError, struct.error):
        return frozenset()
