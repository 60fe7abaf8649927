"""What the commands print: tables in the terminal, sums with signs, exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

from prefxl.findings import FINDING_COLUMNS, Finding, Severity

#: More findings than this are summed up in the terminal; the file has them all.
SHOWN = 20


def exit_code(settled_games: int, findings: Iterable[Finding]) -> int:
    """Return 0 with at most notes, 1 with warnings or errors, 2 when nothing could be settled."""
    if not settled_games:
        return 2
    return int(any(finding.severity is not Severity.NOTE for finding in findings))


def echo_json(value: Any) -> None:
    """Print a value as JSON, letters as they are."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def signed(number: float | str, places: int = 2) -> str:
    """Return a result with its sign, a true minus, and no needless decimals.

    >>> signed(-12.5)
    '−12.5'
    """
    if isinstance(number, str):
        return number.replace("-", "−") if number.startswith("-") else f"+{number}" if number != "0" else "0"
    text = f"{number:+.{places}f}".rstrip("0").rstrip(".")
    return "0" if text in ("+0", "-0") else text.replace("-", "−")


def print_table(headings: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str = "", left: int = 1) -> None:
    """Print a table; the first ``left`` columns are text, the others numbers."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(title) or None, box=box.SIMPLE, title_justify="left", pad_edge=False)
    for index, heading in enumerate(headings):
        table.add_column(escape(heading), justify="left" if index < left else "right", overflow="fold")
    for row in rows:
        table.add_row(*(escape(str(value)) for value in row))
    width = None if sys.stdout.isatty() else 120
    Console(width=width, highlight=False).print(table)


def print_findings(findings: Sequence[Finding], lang: str, *, quiet: bool = False) -> None:
    """Print warnings and errors, then notes of each kind once; ``quiet`` leaves the notes out."""
    grave = [finding for finding in findings if finding.severity is not Severity.NOTE]
    for finding in grave[:SHOWN]:
        click.echo(_line(finding, lang), err=True)
    if len(grave) > SHOWN:
        more = len(grave) - SHOWN
        click.echo(f"… и ещё {more}" if lang == "ru" else f"… and {more} more", err=True)
    for sentence in () if quiet else _notes(findings, lang):
        click.echo(sentence, err=True)


def severity_name(finding: Finding, lang: str) -> str:
    """Return how much a finding matters, in words."""
    kinds = {Severity.ERROR: ("error", "ошибка"), Severity.WARNING: ("warning", "внимание")}
    return kinds.get(finding.severity, ("note", "заметка"))[lang == "ru"]


def _line(finding: Finding, lang: str) -> str:
    kind = severity_name(finding, lang)
    expected = finding.expected(lang)
    wanted = f" ({'нужно' if lang == 'ru' else 'expected'}: {expected})" if expected else ""
    return f"{finding.where}: {kind}: {finding.message(lang)}{wanted}"


def _notes(findings: Sequence[Finding], lang: str) -> list[str]:
    """Return one line a kind of note: the first of it, and how many there are."""
    kinds: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.severity is Severity.NOTE:
            kinds.setdefault(finding.reason, []).append(finding)
    lines = []
    for group in kinds.values():
        more = (
            ""
            if len(group) == 1
            else (f" (и ещё {len(group) - 1})" if lang == "ru" else f" (and {len(group) - 1} more)")
        )
        lines.append(_line(group[0], lang) + more)
    return lines


def finding_rows(findings: Iterable[Finding], lang: str) -> list[dict[str, str]]:
    """Return the findings as rows of :data:`~prefxl.findings.FINDING_COLUMNS`."""
    records = [finding.record(lang) for finding in findings]
    return [{name: record[name] for name in FINDING_COLUMNS} for record in records]
