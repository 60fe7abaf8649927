"""The sheet «Замечания»: what was found, where, and what was expected."""

from __future__ import annotations

from prefxl.findings import Finding, Severity
from prefxl.workbook.canvas import Column, parts
from prefxl.workbook.carried import Key
from prefxl.workbook.carry import without_file
from prefxl.workbook.look import SEVERITY_FILL
from prefxl.workbook.marks import is_on_ours
from prefxl.workbook.pages.task import Task
from prefxl.workbook.words import sheet_title

_ORDER = {severity: place for place, severity in enumerate(Severity)}
_FIRST_ROW = 3


def draw(task: Task) -> None:
    """Draw the sheet: gravest first, in the order of the file."""
    # that the results of an earlier run were not read is no news on the sheet that replaces them
    findings = [
        finding
        for finding in task.settled.findings
        if finding.reason != "own-results" and not is_on_ours(finding, task.own.get(finding.sheet, _nowhere))
    ]
    findings.sort(key=lambda finding: _ORDER[finding.severity])
    title = sheet_title("findings", task.lang)
    for number, part in parts(_columns(task, findings), heading_rows=_FIRST_ROW + 1):
        name = title if number == 1 else f"{title} {number}"
        page = task.canvas.page(name, landscape=True)
        task.names.setdefault("findings", []).append(name)
        row = page.head(title, _summary(task, findings))
        if not findings:
            page.sheet.write_string(row, 0, task.canvas.say("no_findings"), task.canvas.format("plain"))
            page.widths[0] = 60
            page.finish()
            continue
        area = page.table(part, row=row, name="PrefxlFindings", freeze=1)
        for severity, colour in SEVERITY_FILL.items():
            page.sheet.conditional_format(
                *area.range("severity"),
                {
                    "type": "cell",
                    "criteria": "==",
                    "value": f'"{task.canvas.say(severity)}"',
                    "format": task.canvas.dxf(bg_color=f"#{colour}"),
                },
            )
        page.finish({row: [column.heading for column in part]})


def _nowhere(first_row: int, last_row: int) -> int:
    return 0


def _summary(task: Task, findings: list[Finding]) -> str:
    counts = {severity: sum(one.severity is severity for one in findings) for severity in Severity}
    return " · ".join(f"{task.canvas.say(one.value)}: {count}" for one, count in counts.items() if count)


def finding_keys(finding: Finding, lang: str) -> list[Key]:
    """Return what may name the row of a finding again in the next run, the surest first."""
    keys: list[Key] = []
    # the earlier run may have told it in the other language
    for told in (lang, "en" if lang == "ru" else "ru"):
        sheet, cell, message, file = without_file(finding.file, finding.sheet, finding.cell, finding.message(told))
        keys += [
            ("findings", sheet, cell, message, file),
            ("findings", sheet, cell, message),
            # rows inserted above have moved the cell
            ("findings", sheet, "", message),
        ]
    return keys


def _columns(task: Task, findings: list[Finding]) -> list[Column]:
    say, lang = task.canvas.heading, task.lang
    replies: list[object] = []
    for finding in findings:
        key, *looser = finding_keys(finding, lang)
        replies.append(task.carried.take(key, "reply", *looser))
    columns = [
        Column("severity", say("severity"), [task.canvas.say(one.severity.value) for one in findings], "center_top"),
        Column("message", say("message"), [one.message(lang) for one in findings], "wrapped"),
        Column("game", say("game"), [str(one.details.get("game", "")) for one in findings], "center_top"),
        Column("found", say("found"), [_found(one) for one in findings], "wrapped", width=22),
        Column("expected", say("expected"), [one.expected(lang) for one in findings], "wrapped", width=24),
        Column("file", say("file"), [one.file for one in findings], "wrapped", width=24),
        Column("sheet", say("sheet"), [one.sheet for one in findings], "wrapped"),
        Column("cell", say("cell"), [one.cell for one in findings], "center_top"),
        Column("reply", say("reply"), replies, "wrapped", width=24),
    ]
    return [column for column in columns if column.key == "reply" or any(column.values)]


def _found(finding: Finding) -> str:
    """Return what was found; nothing where the sentence itself is made of it."""
    return "" if finding.reason == "unequal-pulyas" else finding.found
