"""``python -m tests.benchmarks [--small] [NAME …]``: run the benchmarks and print one table of ratios."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from tests.benchmarks.harness import Row, bandwidth, machine, table


def main() -> None:
    """Run the modules asked for, every ``bench_*.py`` by default."""
    known = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(known)}")
    parser.add_argument("--small", action="store_true", help="small sizes, to see that everything still runs")
    asked = parser.parse_args()
    unknown = set(asked.names) - set(known)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    print(machine())
    print(f"one core copies {bandwidth(2**24 if asked.small else 2**28):.1f} GiB/s\n")
    rows: list[Row] = []
    for name in asked.names or known:
        print(f"… {name}", file=sys.stderr)
        module = importlib.import_module(f"tests.benchmarks.bench_{name}")
        if hasattr(module, "benches"):
            rows += module.benches(asked.small)
    print("\n".join(table(rows, judged=not asked.small)))
    if asked.small:
        print("\nsmall sizes: the ratios mean little, that everything ran means something")


if __name__ == "__main__":
    main()
