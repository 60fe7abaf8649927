"""``prefxl compare``: every game under every convention, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from prefxl.cli.console import echo_json, exit_code, print_findings, print_table, signed
from prefxl.cli.language import t
from prefxl.cli.options import answer_language, files, read_files, reading, reading_options
from prefxl.rules.conventions import CONVENTIONS, ROUNDINGS

if TYPE_CHECKING:
    import pandas as pd

#: So many columns of results fit a terminal.
MOST_WAYS = 7

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
        _print(frame, lang)
    ctx.exit(exit_code(len(games), games.findings))


def _print(frame: pd.DataFrame, lang: str) -> None:
    """Print a row a player; columns that say the same in every row share one."""
    russian = lang == "ru"
    ways = _ways(frame)
    if len(ways) > MOST_WAYS:
        # a terminal is too narrow: the columns most people mean, the rest is for the file
        click.echo(
            t(f"{len(ways)} ways differ; all of them: -o", f"разных расчётов {len(ways)}; все — в файле: -o"), err=True
        )
        ways = ways[:MOST_WAYS]
    headings = ["игра", "игрок"] if russian else ["game", "player"]
    rows = []
    for row in frame.head(SHOWN).to_dict("records"):
        told = ("другой победитель" if russian else "another winner") if row["winner_changes"] else ""
        rows.append([row["game"], row["player"], *(_won(row[way[0]]) for way in ways), told])
    print_table([*headings, *("\n".join(_short(name) for name in way[:3]) for way in ways), ""], rows, left=2)
    if len(frame) > SHOWN:
        more = len(frame) - SHOWN
        click.echo(f"… и ещё строк: {more}; все — в файле: -o" if russian else f"… {more} more rows; all of them: -o")


def _won(result: Any) -> str:
    """Return a result with its sign; a dash where the rounding cannot be applied."""
    return signed(float(result)) if result is not None and result == result else "–"


def _ways(frame: pd.DataFrame) -> list[list[str]]:
    """Return the columns of results, those that are equal throughout together."""
    ways: list[list[str]] = []
    known = (*CONVENTIONS, *(f"{name}/{rounding}" for name in CONVENTIONS for rounding in ROUNDINGS))
    for name in (column for column in frame.columns if column in known):
        same = next((way for way in ways if frame[way[0]].equals(frame[name])), None)
        if same is None:
            ways.append([name])
        else:
            same.append(name)
    return ways


def _short(name: str) -> str:
    return name.replace("prefcount-", "pc-").replace("/", "\n")
