"""Tints and notes on the user's cells with findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePath

from prefxl.findings import Finding, Severity
from prefxl.workbook.look import SEVERITY_FILL
from prefxl.workbook.package import Inspection, Mark
from prefxl.workbook.package.coordinates import LAST_ROW, Area, parse_area
from prefxl.workbook.package.runs import ColumnsIn, bits
from prefxl.workbook.words import heading, phrase

#: So many errors on a sheet without one settled game: it is no score sheet, and nothing is tinted there.
MANY_ERRORS = 10

# what is said of headings that may be of anything else: without one settled game such a table is taken for none
_DOUBTFUL = frozenset({"missing-column", "no-names", "unread-columns", "whists-on-whom", "without-whists"})

_ORDER = {severity: place for place, severity in enumerate(Severity)}


def plan_marks(
    findings: Sequence[Finding],
    inspection: Inspection,
    with_games: Collection[str],
    *,
    lang: str,
    most_notes: int,
) -> Mapping[str, list[Mark]]:
    """Return for every worksheet the marks on its cells with findings.

    Errors and warnings tint the cell and say what is wrong in a note; what is only
    worth noting gets the note alone.

    Parameters
    ----------
    findings
        All of the season; those of other files, or of no cell, are left out.
    inspection
        What is known of the workbook.
    with_games
        The worksheets that have a settled game.
    lang
        The language of the notes.
    most_notes
        How many cells at most get a note without a tint.
    """
    found: dict[tuple[str, int, int], list[Finding]] = {}
    for finding, sheet, area in _of_workbook(findings, inspection, with_games):
        found.setdefault((sheet, area.first_row, area.first_column), []).append(finding)
    marks: dict[str, list[Mark]] = {}
    noted = 0
    for (sheet, row, column), here in found.items():
        gravest = min((finding.severity for finding in here), key=lambda severity: _ORDER[severity])
        if gravest is Severity.NOTE:
            noted += 1
        if gravest is not Severity.NOTE or noted <= most_notes:
            fill = None if gravest is Severity.NOTE else SEVERITY_FILL[gravest.value]
            marks.setdefault(sheet, []).append(Mark(row, column, fill, finding_note(here, lang)))
    return marks


def _of_workbook(
    findings: Sequence[Finding], inspection: Inspection, with_games: Collection[str]
) -> Iterator[tuple[Finding, str, Area]]:
    """Yield the findings on the user's cells of this workbook, with worksheet and area."""
    sheets = {sheet.name.casefold(): sheet for sheet in inspection.sheets}
    errors = Counter(finding.sheet for finding in findings if finding.severity is Severity.ERROR)
    doubtful = {finding.sheet for finding in findings if finding.reason in _DOUBTFUL}
    for finding in findings:
        sheet = sheets.get(finding.sheet.casefold())
        if sheet is None or not finding.cell or not same_file(finding.file, inspection.path):
            continue
        # that a sheet may be none of games is no reason to write on it
        known = finding.sheet in with_games or (
            finding.severity is Severity.ERROR and finding.sheet not in doubtful and errors[finding.sheet] < MANY_ERRORS
        )
        area = parse_area(finding.cell)
        if known and area and not is_on_ours(finding, sheet.columns_of_ours):
            yield finding, sheet.name, area


def is_on_ours(finding: Finding, ours: ColumnsIn) -> bool:
    """Tell whether a finding is on results of an earlier run, or on what the user has written above or below them.

    Before there were results the reader did not look there.
    """
    area = parse_area(finding.cell) if finding.cell else None
    if area is None:
        return False
    beside = finding.reason == "remark" and ours(1, LAST_ROW) >> area.first_column & 1
    return bool(beside or ours(area.first_row, area.last_row) & bits(area.first_column, area.last_column))


def same_file(name: str, path: Path) -> bool:
    """Tell whether a table's file is the one at ``path``: the same path, or the same bare name."""
    return name == str(path) or PurePath(name).name == path.name


def finding_note(findings: Sequence[Finding], lang: str) -> str:
    """Return the text of the note on a cell with findings."""
    return "\n".join(line for finding in findings for line in _sentences(finding, lang))


def _sentences(finding: Finding, lang: str) -> Iterator[str]:
    yield f"{phrase(finding.severity.value, lang)}: {finding.message(lang)}"
    expected = finding.expected(lang)
    if expected:
        yield f"{heading('expected', lang)}: {expected}"
