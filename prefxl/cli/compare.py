"""``prefxl compare``: every game under every convention, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from prefxl.cli.console import echo_json, exit_code, print_findings, print_table
from prefxl.cli.language import t
from prefxl.cli.options import answer_language, files, read_files, reading, reading_options

#: More games than this are left to the file in the terminal.
SHOWN = 40


@click.command(
    "compare", help=t("Settle every game under every convention.", "Рассчитать каждую игру по всем конвенциям.")
)
@files
@reading
@click.option("--roundings", is_flag=True, help=t("Every rounding, too.", "И по всем округлениям."))
@click.option("--json", "as_json", is_flag=True, help=t("As JSON.", "В виде JSON."))
@click.option("-o", "--output", type=click.Path(), help=t("OUT.xlsx or .csv.", "Результат: .xlsx или .csv."))
@click.option(
    "--overwrite", is_flag=True, help=t("Replace the output if it exists.", "Заменить результат, если он есть.")
)
@click.pass_context
def command(
    ctx: click.Context, /, files: Sequence[str], roundings: bool, as_json: bool, output: str | None, **given: Any
) -> None:
    """Print the comparison, games where the winner changes first."""
    from prefxl.compare import compare, write_comparison

    games = read_files(files, {**reading_options(given), "lang": given["lang"]})
    lang = answer_language(given["lang"], games)
    print_findings(games.findings, lang)
    if not len(games):
        ctx.exit(2)
    frame = compare(games, roundings=roundings)
    if output is not None:
        write_comparison(frame, Path(output), lang=lang, overwrite=given["overwrite"])
        click.echo(f"{'Записано' if lang == 'ru' else 'Written'}: {output}", err=True)
    if as_json:
        plain = frame.astype(object).where(frame.notna(), None)
        echo_json(plain.to_dict("records"))
    elif output is None:
        plain = frame.astype(object).where(frame.notna(), "")
        print_table([str(name) for name in frame.columns], plain.head(SHOWN).itertuples(index=False), left=3)
        if len(frame) > SHOWN:
            more = len(frame) - SHOWN
            click.echo(
                f"… и ещё строк: {more}; все — в файле: -o" if lang == "ru" else f"… {more} more rows; all of them: -o"
            )
    ctx.exit(exit_code(len(games), games.findings))
