"""What was found in a file, kept beside its output, so that a rerun need not look again."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import compress, decompress

import numpy as np

from prefxl.files import replacing
from prefxl.findings import Finding
from prefxl.stream.ids import IdPiece, Packed, Runs
from prefxl.stream.sums import Sums

if TYPE_CHECKING:
    from prefxl.cluster.files import Archive


def save(path: Path, key: str, archive: Archive) -> None:
    """Write what was found in one file, and the ``key`` of how it was settled."""
    content = {
        "key": key,
        "games": archive.games,
        "files": archive.files,
        "counts": archive.counts,
        "findings": [[f.reason, f.file, f.sheet, f.cell, f.found, dict(f.details)] for f in archive.findings],
        "names": archive.names,
        "sums": archive.sums.players,
        "ids": [
            [piece.file, piece.column, *map(_written, (piece.ids, piece.days, piece.lines))] for piece in archive.ids
        ],
    }
    with replacing(path, overwrite=True) as temp:
        temp.write_text(json.dumps(content, ensure_ascii=False, default=str), encoding="utf-8")


def load(path: Path, key: str) -> Archive | None:
    """Return what was found by an earlier run with the same ``key``; ``None`` where there is none."""
    from prefxl.cluster.files import Archive

    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(content, dict) or content.get("key") != key:
        return None
    return Archive(
        games=content["games"],
        files=content["files"],
        findings=[Finding(*found) for found in content["findings"]],
        counts=Counter(content["counts"]),
        sums=Sums({name: {of: _number(value) for of, value in own.items()} for name, own in content["sums"].items()}),
        names={name: (count, tuple(place)) for name, (count, place) in content["names"].items()},
        ids=[IdPiece(file, 0, column, *map(_packed, columns)) for file, column, *columns in content["ids"]],
    )


def _written(values: Packed) -> list[Any]:
    """Return a packed column as JSON has it; long ones as compressed bytes."""
    if isinstance(values, range):
        return [values.start, values.stop]
    if isinstance(values, Runs):
        return [_bytes(values.values), _bytes(values.times)]
    return [_bytes(values)]


def _bytes(numbers: Any) -> str:
    return b64encode(compress(numbers.astype("<i8").tobytes(), 1)).decode()


def _packed(written: list[Any]) -> Packed:
    if isinstance(written[0], int):
        return range(*written)
    columns = [np.frombuffer(decompress(b64decode(text)), "<i8").astype(np.int64) for text in written]
    return Runs(*columns) if len(columns) > 1 else columns[0]


def _number(value: Any) -> int | Fraction:
    return Fraction(value) if isinstance(value, str) else int(value)
