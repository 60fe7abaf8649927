"""``prefxl check``: findings only, as a table, as JSON, as CSV, or on a marked copy."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from prefxl.cli.console import echo_json, exit_code, finding_rows, print_table, severity_name
from prefxl.cli.language import t
from prefxl.cli.options import (
    answer_language,
    expand,
    files,
    read_files,
    reading,
    reading_options,
    settling,
    settling_options,
)
from prefxl.errors import OptionError
from prefxl.findings import FINDING_COLUMNS, Finding, Severity


@click.command("check", help=t("Show what is wrong with which cell.", "Показать, что не так и в какой ячейке."))
@files
@reading
@settling
@click.option("--json", "as_json", is_flag=True, help=t("As JSON.", "В виде JSON."))
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help=t("How to print.", "Как печатать."),
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help=t("A copy with the cells tinted and noted.", "Копия с закрашенными ячейками и примечаниями."),
)
@click.option(
    "--overwrite", is_flag=True, help=t("Replace the output if it exists.", "Заменить результат, если он есть.")
)
@click.option("-q", "--quiet", is_flag=True, help=t("Warnings and errors only.", "Только ошибки и предупреждения."))
@click.pass_context
def command(
    ctx: click.Context, /, files: Sequence[str], as_json: bool, form: str, output: str | None, **given: Any
) -> None:
    """Print the findings; the exit code tells the worst."""
    read_by, settle_by = reading_options(given), settling_options(given)
    games = read_files(files, {**read_by, "lang": given["lang"]})
    settled = games.settle(**settle_by)
    lang = answer_language(given["lang"], games)
    findings: Sequence[Finding] = settled.findings
    if given["quiet"]:
        findings = [finding for finding in findings if finding.severity is not Severity.NOTE]
    _print(findings, lang, "json" if as_json else form)
    if output is not None:
        _mark(settled.findings, expand(files), Path(output), lang, overwrite=given["overwrite"])
    ctx.exit(exit_code(len(settled), settled.findings))


def _mark(findings: Sequence[Finding], paths: Sequence[str], target: Path, lang: str, *, overwrite: bool) -> None:
    if len(paths) != 1 or paths[0] == "-":
        raise OptionError("-o marks a copy of one file", "-o: помеченная копия одного файла")
    from prefxl.workbook.marked import mark

    mark(findings, Path(paths[0]), target, lang=lang, overwrite=overwrite)
    click.echo(f"{'Записано' if lang == 'ru' else 'Written'}: {target}", err=True)


def _print(findings: Sequence[Finding], lang: str, form: str) -> None:
    rows = finding_rows(findings, lang)
    if form == "json":
        echo_json(rows)
    elif form == "csv":
        import csv

        from prefxl.output import inert

        writer = csv.DictWriter(sys.stdout, FINDING_COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: inert(value) for name, value in row.items()} for row in rows)
    elif rows:
        headings = ("место|важность|что не так|нужно" if lang == "ru" else "where|severity|what|expected").split("|")
        print_table(
            headings,
            [
                (finding.where, severity_name(finding, lang), row["message"], row["expected"])
                for finding, row in zip(findings, rows, strict=True)
            ],
            left=4,
        )
    else:
        click.echo("Замечаний нет." if lang == "ru" else "Nothing to remark.")
