"""Makes the golden texts anew: ``python -m tests.workbook.golden``; look at the difference before committing it."""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path

from prefxl.settled import Settled
from prefxl.workbook.new import write_report
from tests.workbook.reading import GOLDEN, dump
from tests.workbook.seasons import season

#: The version is not part of what is compared.
WHEN = datetime(2026, 2, 1, 12, 30)

#: Name of a golden text to its season and the options of the report.
CASES = {
    "report-ru": (lambda: season(6, players=5).settle("rozaliev", stake="0.5"), {"lang": "ru", "currency": "₽"}),
    "report-en": (lambda: season(4, players=4, seats=(4,), seed=3).settle("leningrad"), {"lang": "en"}),
    "report-truncate": (
        lambda: season(3, players=3, seats=(3,), seed=7, own=False).settle("prefcount-sochi", stake="0,25"),
        {"lang": "ru"},
    ),
}


def make(name: str, folder: Path) -> Path:
    make_season, options = CASES[name]
    settled: Settled = make_season()
    return write_report(settled, folder / f"{name}.xlsx", when=WHEN, **options)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in CASES:
            (GOLDEN / f"{name}.txt").write_text(dump(make(name, Path(folder))), encoding="utf-8")


if __name__ == "__main__":
    main()
