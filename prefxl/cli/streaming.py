"""``prefxl settle big.csv -o out.csv``: big files go through piece by piece, in memory that does not grow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from prefxl.cli.console import exit_code, print_findings
from prefxl.cli.language import LANG
from prefxl.findings import Finding

#: Files together at least so big are worth streaming [bytes].
BIG = 8 << 20


def stream_lot(
    paths: Sequence[str], target: Path, read_by: dict[str, Any], settle_by: dict[str, Any], given: dict[str, Any]
) -> int | None:
    """Settle big files into a text file or Parquet; ``None`` where they have to be read whole.

    Parameters
    ----------
    paths, target
        The files of one season, and where the rows go.
    read_by, settle_by, given
        The options of reading, of settling and of the command.

    Returns
    -------
    int or None
        The exit code.
    """
    if target.suffix.casefold() == ".xlsx" or given["strict"] or given["dry_run"] or not _big(paths):
        return None
    from prefxl.stream import NotStreamableError, can_stream, settle_stream

    options = {**read_by, **settle_by, "lang": given["lang"]}
    if not can_stream(paths, target, **options):
        return None
    taken = {
        name: value for name, value in options.items() if value is not None and name not in ("sheet", "start_from")
    }
    try:
        done = settle_stream(
            paths, target, csv=given["dialect"], overwrite=given["overwrite"], season=not given["quiet"], **taken
        )
    except NotStreamableError:
        return None
    lang = given["lang"] or (done.lang if done.games else LANG)
    print_findings(done.findings, lang, quiet=given["quiet"])
    print_counts(done.counts, done.findings, lang)
    if not given["quiet"] and done.games and done.sums is not None:
        from prefxl.cli.summary import print_standings

        click.echo(f"Игр: {done.games}" if lang == "ru" else f"Games: {done.games}")
        print_standings(done.sums.frame(), lang, currency=given["currency"])
        click.echo(f"{'Записано' if lang == 'ru' else 'Written'}: {target}")
    return exit_code(done.games, done.findings)


def _big(paths: Sequence[str]) -> bool:
    """Return whether the files are together so big that a stream is worth it."""
    return sum(Path(path).stat().st_size for path in paths if path != "-") >= BIG


def print_counts(counts: Mapping[str, int], findings: Sequence[Finding], lang: str) -> None:
    """Tell how many findings of a kind there are where not all of them are kept."""
    kept: dict[str, int] = {}
    for finding in findings:
        kept[finding.reason] = kept.get(finding.reason, 0) + 1
    for reason, count in counts.items():
        if count > kept.get(reason, 0):
            text = "{}: {} in all, the first {} kept" if lang != "ru" else "{}: всего {}, сохранены первые {}"
            click.echo(text.format(reason, count, kept.get(reason, 0)), err=True)
