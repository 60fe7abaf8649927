"""A season's CSV to its report workbook, against XlsxWriter (constant memory) filling the same cells."""

from __future__ import annotations

import pickle
from pathlib import Path

from tests.benchmarks.data import write_csv
from tests.benchmarks.harness import Row, processes, scratch


def benches(small: bool) -> list[Row]:
    """Return the rows of this benchmark."""
    return [reporting(2_000, rounds=3), *([] if small else [reporting(100_000, rounds=1)])]


def reporting(games: int, rounds: int) -> Row:
    """Read, settle and write every report sheet; the baseline is given the cells and only writes them."""
    with scratch() as folder:
        write_csv(folder / "season.csv", games)
        make_cells(folder)
        name = "tests.benchmarks.bench_report"
        paths = {"folder": str(folder)}
        first, bare = processes((f"{name}:ours", paths), (f"{name}:bare", paths), rounds=rounds)
    # notes are no cells: the baseline writes none
    note = "notes on the first 2,000 games included"
    against = "XlsxWriter, constant memory"
    name = f"{games:,} games, CSV to workbook, CPU"
    return Row(name, first.cpu, bare.cpu, against, 1.3 if games > 2_000 else None, first.peak, bare.peak, note)


def ours(folder: str) -> None:
    """Write the report."""
    from prefxl.games import read
    from prefxl.workbook.new import write_report

    write_report(read(Path(folder) / "season.csv").settle(), Path(folder) / "report.xlsx", overwrite=True)


def make_cells(folder: Path) -> None:
    """Keep the cells of the report, sheet by sheet, for the baseline."""
    from python_calamine import CalamineWorkbook

    ours(str(folder))
    book = CalamineWorkbook.from_path(str(folder / "report.xlsx"))
    cells = {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}
    (folder / "cells.pickle").write_bytes(pickle.dumps(cells))


def bare(folder: str) -> None:
    """Write the same cells."""
    import xlsxwriter

    cells = pickle.loads((Path(folder) / "cells.pickle").read_bytes())
    book = xlsxwriter.Workbook(str(Path(folder) / "bare.xlsx"), {"constant_memory": True})
    day = book.add_format({"num_format": "dd.mm.yyyy"})
    for name, rows in cells.items():
        sheet = book.add_worksheet(name)
        for row, values in enumerate(rows):
            for column, value in enumerate(values):
                if isinstance(value, (int, float)):
                    sheet.write_number(row, column, value)
                elif isinstance(value, str) and value:
                    sheet.write_string(row, column, value)
                elif value:
                    sheet.write_datetime(row, column, value, day)
    book.close()
