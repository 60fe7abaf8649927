"""``prefxl settle``: the main job, from score sheets to an annotated workbook."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from prefxl.cli.console import exit_code, print_findings
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
from prefxl.cli.streaming import stream_lot
from prefxl.errors import OptionError
from prefxl.findings import Severity, worst

if TYPE_CHECKING:
    from prefxl.settled import Settled

#: Workbooks that are annotated in place of being replaced by a report.
ANNOTATED = (".xlsx", ".xlsm")


@click.command(
    "settle",
    help=t(
        "Settle score sheets; write a workbook with every step.", "Рассчитать игры и записать книгу со всеми шагами."
    ),
)
@files
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help=t("OUT.xlsx, .csv, .tsv or .parquet.", "Результат: .xlsx, .csv, .tsv или .parquet."),
)
@settling
@reading
@click.option("--currency", default="", help=t("The sign of the money: ₽.", "Знак валюты: ₽."))
@click.option(
    "--payments",
    type=click.Choice(["pairwise", "fewest"]),
    default="fewest",
    show_default=True,
    help=t("Which payments to print.", "Какие платежи показать."),
)
@click.option(
    "--season/--no-season",
    default=True,
    help=t(
        "Several files are one season, or each is settled by itself.",
        "Несколько файлов — один сезон, или каждый сам по себе.",
    ),
)
@click.option(
    "--live", is_flag=True, help=t("Results as formulas over your own cells.", "Итоги формулами по вашим ячейкам.")
)
@click.option(
    "--csv",
    "dialect",
    default="plain",
    help=t("CSV as Russian Excel reads it: ru.", "CSV, как его читает русский Excel: ru."),
)
@click.option(
    "--overwrite", is_flag=True, help=t("Replace the output if it exists.", "Заменить результат, если он есть.")
)
@click.option(
    "--in-place",
    is_flag=True,
    help=t("Annotate the file itself, keeping a .bak.", "Записать в сам файл, сохранив .bak."),
)
@click.option(
    "--engine",
    type=click.Choice(["here", "dask"]),
    default="here",
    help=t(
        "dask: an archive on many processes or machines, -o is a folder.",
        "dask: архив на многих процессах или машинах, -o — папка.",
    ),
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help=t("The Dask scheduler (default: this machine).", "Планировщик Dask (по умолчанию эта машина)."),
)
@click.option("--dry-run", is_flag=True, help=t("Show what would be written.", "Показать, что было бы записано."))
@click.option("--strict", is_flag=True, help=t("Refuse the files on any warning.", "Отказаться при любом замечании."))
@click.option(
    "-q", "--quiet", is_flag=True, help=t("Print warnings and errors only.", "Печатать только предупреждения и ошибки.")
)
@click.pass_context
def command(ctx: click.Context, /, files: Sequence[str], season: bool, output: str | None, **given: Any) -> None:
    """Settle the files, as one season or each by itself."""
    read_by, settle_by = reading_options(given), settling_options(given)
    paths = expand(files)
    if given["engine"] == "dask":
        from prefxl.cli.archive import settle_archive

        ctx.exit(settle_archive(paths, output, read_by, settle_by, given))
    lots = [paths] if season else [[path] for path in paths]
    if len(lots) > 1 and output is not None:
        raise OptionError(
            "-o names one output, --no-season makes several", "-o — один результат, --no-season — несколько"
        )
    codes = [_settle_lot(lot, output, read_by, settle_by, given) for lot in lots]
    ctx.exit(max(codes) if 0 not in codes or max(codes) < 2 else 1)


def _settle_lot(
    paths: Sequence[str], output: str | None, read_by: dict[str, Any], settle_by: dict[str, Any], given: dict[str, Any]
) -> int:
    """Settle files that make one season; return the exit code."""
    target = _target(paths, output, in_place=given["in_place"], overwrite=given["overwrite"] or given["dry_run"])
    if given["live"] and not _annotates(paths, target):
        click.echo(
            t(
                "--live: formulas go into an .xlsx or .xlsm of yours alone; these results are numbers",
                "--live: формулы пишутся только в вашу книгу .xlsx или .xlsm; здесь итоги — числа",
            ),
            err=True,
        )
    with _progress(given["quiet"], t("settling", "расчёт")):
        streamed = stream_lot(paths, target, read_by, settle_by, given)
    if streamed is not None:
        return streamed
    with _progress(given["quiet"], t("reading", "чтение")):
        games = read_files(paths, {**read_by, "lang": given["lang"]})
    lang = answer_language(given["lang"], games)
    with _progress(given["quiet"], t("settling", "расчёт")):
        settled = games.settle(**settle_by)
        findings = settled.findings
    print_findings(findings, lang, quiet=given["quiet"])
    if not len(settled):
        nothing = (
            "no game could be settled: nothing written; “prefxl check FILE” lists what to mend",
            "ни одна игра не рассчитана: ничего не записано; что исправить, покажет prefxl check ФАЙЛ",
        )
        click.echo(nothing[lang == "ru"], err=True)
        return 2
    if given["strict"] and worst(findings) in (Severity.ERROR, Severity.WARNING):
        click.echo(t("nothing written: --strict", "ничего не записано: --strict"), err=True)
        return 2
    _write(settled, paths, target, lang, given)
    if not given["quiet"]:
        from prefxl.cli.summary import print_summary

        print_summary(settled, lang, kind=given["payments"], currency=given["currency"])
        if not given["dry_run"]:
            click.echo(f"{'Записано' if lang == 'ru' else 'Written'}: {target}")
    return exit_code(len(settled), findings)


def _target(paths: Sequence[str], output: str | None, *, in_place: bool, overwrite: bool) -> Path:
    """Return where the result goes, refused at once where it cannot go there."""
    from prefxl.output import ENDINGS

    first = Path(paths[0])
    if in_place:
        if len(paths) > 1 or output or first.suffix.casefold() not in ANNOTATED:
            raise OptionError(
                "--in-place wants one .xlsx or .xlsm and no -o", "--in-place: один .xlsx или .xlsm, без -o"
            )
        return first
    target = Path(output) if output else _beside(paths)
    if target.suffix.casefold() not in (*ENDINGS, ".xlsm"):
        raise OptionError(
            f"{target.name}: the output must end in one of {', '.join(ENDINGS)}",
            f"{target.name}: имя результата должно кончаться на одно из {', '.join(ENDINGS)}",
        )
    for path in paths:
        if path != "-" and target.exists() and Path(path).exists() and target.samefile(path):
            raise OptionError("the output is the input itself", "результат — это сам исходный файл")
    if target.exists() and not overwrite:
        from prefxl.errors import FileInTheWayError

        raise FileInTheWayError(
            f"{target} is there already; use --overwrite or choose another name with -o",
            f"файл {target} уже есть; добавьте --overwrite или укажите другое имя: -o",
        )
    return target


def _beside(paths: Sequence[str]) -> Path:
    first = Path(paths[0])
    if paths[0] == "-":
        return Path("season-settled.xlsx")
    if first.is_dir():
        return first / "season-settled.xlsx"
    if len(paths) > 1:
        return first.with_name("season-settled.xlsx")
    ending = ".xlsm" if first.suffix.casefold() == ".xlsm" else ".xlsx"
    return first.with_name(f"{first.stem}-settled{ending}")


def _annotates(paths: Sequence[str], target: Path) -> bool:
    """Tell whether the user's own workbook is annotated, or a report of its own written."""
    return len(paths) == 1 and all(one.suffix.casefold() in ANNOTATED for one in (Path(paths[0]), target))


def _write(settled: Settled, paths: Sequence[str], target: Path, lang: str, given: dict[str, Any]) -> None:
    source = Path(paths[0])
    annotated = _annotates(paths, target)
    if given["dry_run"]:
        _dry_run(settled, source if annotated else None, target, lang, given)
        return
    with _progress(given["quiet"], t("writing", "запись")):
        if not annotated or not _annotate(settled, source, target, lang, given):
            workbook = target.suffix.casefold() == ".xlsx"
            options = {"currency": given["currency"]} if workbook else {"csv": given["dialect"]}
            settled.write(target, lang=lang, overwrite=given["overwrite"] or given["in_place"], **options)


def _annotate(settled: Settled, source: Path, target: Path, lang: str, given: dict[str, Any]) -> bool:
    """Annotate the user's workbook; False where its kind allows only a report of its own."""
    from prefxl.workbook.annotate import annotate
    from prefxl.workbook.package import WorkbookRefusedError

    try:
        done = annotate(
            settled,
            source,
            target,
            lang=lang,
            live=given["live"],
            overwrite=given["overwrite"],
            in_place=given["in_place"],
            currency=given["currency"],
        )
    except WorkbookRefusedError as error:
        if not error.refusal.new_workbook_helps or given["in_place"]:
            raise
        click.echo(error.say(lang), err=True)
        return False
    for sentence in done.lost:
        click.echo(sentence, err=True)
    return True


def _dry_run(settled: Settled, source: Path | None, target: Path, lang: str, given: dict[str, Any]) -> None:
    if source is None:
        click.echo(t(f"would write {target}", f"был бы записан {target}"))
        return
    from prefxl.workbook.annotate import describe

    click.echo(describe(settled, source, lang=lang, live=given["live"]))


class _progress:
    """A spinner on a terminal while something long is done; nothing elsewhere."""

    def __init__(self, quiet: bool, text: str) -> None:
        self.shown = not quiet and sys.stderr.isatty()
        self.text = text
        self.status: Any = None

    def __enter__(self) -> None:
        if self.shown:
            from rich.console import Console

            self.status = Console(stderr=True).status(f"{self.text} …")
            self.status.start()

    def __exit__(self, *problem: object) -> None:
        if self.status is not None:
            self.status.stop()
