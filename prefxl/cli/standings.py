"""``prefxl standings``: the season's table, head to head, months, ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from prefxl.cli.console import echo_json, exit_code, print_findings, print_table, signed
from prefxl.cli.language import t
from prefxl.cli.options import (
    answer_language,
    files,
    read_files,
    reading,
    reading_options,
    settling,
    settling_options,
)

if TYPE_CHECKING:
    import pandas as pd

    from prefxl.settled import Settled


@click.command("standings", help=t("Show the table of a season.", "Показать таблицу сезона."))
@files
@settling
@reading
@click.option("--by", default="sum", show_default=True, help=t("sum, average or share.", "sum, average или share."))
@click.option(
    "--min-games", type=int, default=0, help=t("Fewer games get no rank.", "При меньшем числе игр места нет.")
)
@click.option("--since", help=t("The first day.", "Первый день."))
@click.option("--until", help=t("The last day.", "Последний день."))
@click.option("--table", help=t("Only this table or round.", "Только этот стол или тур."))
@click.option("--player", multiple=True, help=t("Only these players.", "Только эти игроки."))
@click.option(
    "--elo/--no-elo", default=False, help=t("Add ratings (pairwise Elo).", "Добавить рейтинг (попарный Эло).")
)
@click.option("--json", "as_json", is_flag=True, help=t("As JSON.", "В виде JSON."))
@click.pass_context
def command(ctx: click.Context, /, files: Sequence[str], as_json: bool, elo: bool, **given: Any) -> None:
    """Print the standings and who won from whom."""
    read_by, settle_by = reading_options(given), settling_options(given)
    games = read_files(files, {**read_by, "lang": given["lang"]})
    settled = games.settle(**settle_by)
    lang = answer_language(given["lang"], games)
    print_findings(settled.findings, lang)
    if not len(settled):
        ctx.exit(2)
    chosen = {name: given[name] for name in ("since", "until", "table")}
    standings = settled.standings(
        by=given["by"], min_games=given["min_games"], player=list(given["player"]) or None, **chosen
    )
    ratings = settled.ratings(**chosen) if elo else None
    meetings = settled.head_to_head(**chosen)
    if as_json:
        echo_json(_data(standings, meetings, ratings))
    else:
        _print(settled, standings, meetings, ratings, lang)
    ctx.exit(exit_code(len(settled), settled.findings))


def _data(standings: pd.DataFrame, meetings: pd.DataFrame, ratings: pd.DataFrame | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "standings": _records(standings),
        "head_to_head": {str(name): row.to_dict() for name, row in meetings.iterrows()},
    }
    if ratings is not None:
        data["ratings"] = _records(ratings)
    return data


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    plain = frame.astype(object).where(frame.notna(), None)
    return [{str(name): value for name, value in row.items()} for row in plain.to_dict("records")]


def _print(
    settled: Settled, standings: pd.DataFrame, meetings: pd.DataFrame, ratings: pd.DataFrame | None, lang: str
) -> None:
    from prefxl.cli.summary import print_standings

    print_standings(standings, lang, full=True)
    if len(meetings) <= 12:
        title = "Кто у кого выиграл, висты" if lang == "ru" else "Who won from whom, whists"
        rows = [[name, *("" if name == other else signed(float(row[other])) for other in meetings.columns)]
                for name, row in meetings.iterrows()]  # fmt: skip
        print_table(["", *map(str, meetings.columns)], rows, title=title)
    if ratings is not None:
        title = "Рейтинг (Эло)" if lang == "ru" else "Ratings (Elo)"
        rows = [[row.player, f"{row.rating:.1f}", row.games] for row in ratings.itertuples()]
        print_table(["игрок", "рейтинг", "игр"] if lang == "ru" else ["player", "rating", "games"], rows, title=title)
