"""``prefxl explain``: one game worked by hand, and the pulka drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from prefxl.cli.console import echo_json
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
    from prefxl.rules.single import Settlement
    from prefxl.settled import Settled


@click.command(
    "explain", help=t("Work one game by hand, step by step.", "Расписать расчёт одной игры по шагам, как от руки.")
)
@files
@click.option("-g", "--game", help=t("The game's name or number.", "Название или номер игры."))
@settling
@reading
@click.option("--md", "as_markdown", is_flag=True, help=t("As Markdown.", "В виде Markdown."))
@click.option("--json", "as_json", is_flag=True, help=t("As JSON.", "В виде JSON."))
@click.option("--svg", type=click.Path(), help=t("Draw the pulka as SVG.", "Нарисовать пульку в SVG."))
@click.option("--png", type=click.Path(), help=t("Draw the pulka as PNG.", "Нарисовать пульку в PNG."))
@click.option("-o", "--output", type=click.Path(), help=t("A workbook with the pulka.", "Книга с пулькой."))
@click.option("--overwrite", is_flag=True, help=t("Replace files that exist.", "Заменить файлы, если они есть."))
@click.pass_context
def command(
    ctx: click.Context, /, files: Sequence[str], game: str | None, as_markdown: bool, as_json: bool, **given: Any
) -> None:
    """Print the derivation of one game and draw it where asked."""
    read_by, settle_by = reading_options(given), settling_options(given)
    games = read_files(files, {**read_by, "lang": given["lang"]})
    settled = games.settle(**settle_by)
    lang = answer_language(given["lang"], games)
    position = _position(settled, game)
    _print(settled.settlement(position), lang, as_json=as_json, as_markdown=as_markdown)
    _draw(settled, position, lang, given)
    ctx.exit(0)


def _position(settled: Settled, game: str | None) -> int:
    """Return the position of the game asked for; with one game there is nothing to ask."""
    from prefxl.errors import SettlementMissingError

    if game is not None:
        return settled.games.find(game)
    if len(settled) == 1:
        return 0
    names = ", ".join(str(name) for name in settled.games.game[:10])
    raise SettlementMissingError(
        f"say which game with --game; there are {len(settled)}: {names} …",
        f"укажите игру: --game; их {len(settled)}: {names} …",
    )


def _print(settlement: Settlement, lang: str, *, as_json: bool, as_markdown: bool) -> None:
    from prefxl.rules.explanation import explain, explain_data, explain_markdown

    if as_json:
        echo_json(explain_data(settlement, lang))
    else:
        click.echo(explain_markdown(settlement, lang) if as_markdown else explain(settlement, lang))


def _draw(settled: Settled, position: int, lang: str, given: dict[str, Any]) -> None:
    """Write the drawings asked for; each file's kind is its option's, whatever its name."""
    asked = {kind: Path(given[kind]) for kind in ("svg", "png", "output") if given[kind] is not None}
    if not asked:
        return
    from prefxl.drawing import draw_png, draw_svg, draw_workbook
    from prefxl.files import replacing

    drawn = {"svg": draw_svg, "png": draw_png, "output": draw_workbook}
    what = {"lang": lang, "game": settled.games.game[position], "date": settled.games.date[position]}
    for kind, path in asked.items():
        picture = drawn[kind](settled.settlement(position), **what)  # type: ignore[operator]
        content = picture.encode("utf-8") if isinstance(picture, str) else picture
        with replacing(path, overwrite=given["overwrite"]) as temp:
            temp.write_bytes(content)
        click.echo(f"{'Записано' if lang == 'ru' else 'Written'}: {path}", err=True)
