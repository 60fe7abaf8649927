"""``prefxl template``: a starting file to fill in."""

from __future__ import annotations

from pathlib import Path

import click

from prefxl.cli.language import t
from prefxl.cli.options import answering
from prefxl.shipped import KINDS, write_template


@click.command(
    "template",
    help=t("Write a starting file: {}.", "Записать начальный файл: {}.").format(", ".join(KINDS)),
)
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.argument("output", required=False, type=click.Path())
@click.option("--overwrite", is_flag=True, help=t("Replace the file if it exists.", "Заменить файл, если он есть."))
@answering
def command(kind: str, output: str | None, overwrite: bool) -> None:
    """Write the template of a kind."""
    written = write_template(kind, Path(output or kind), overwrite=overwrite)
    click.echo(t(f"Written: {written}", f"Записано: {written}"))
