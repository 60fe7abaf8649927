"""``prefxl excel``: the live function in Excel: set up, look what is wrong, make an add-in."""

from __future__ import annotations

from pathlib import Path

import click

from prefxl.cli.language import LANG, t
from prefxl.cli.options import answering


@click.group("excel", help=t("The live function =PULYA in Excel.", "Живая функция =PULYA в Excel."))
def command() -> None:
    """Group what concerns the live function."""


@command.command("doctor", help=t("Tell what is wrong in plain words.", "Сказать простыми словами, что не так."))
@answering
@click.pass_context
def doctor(ctx: click.Context, /) -> None:
    """Print what was checked; exit code 1 when something is wrong."""
    from prefxl.live.doctor import diagnose

    checks = diagnose()
    for ok, english, russian in checks:
        click.echo(f"{'✓' if ok else '✗'} {russian if LANG == 'ru' else english}")
    ctx.exit(0 if all(ok for ok, _, _ in checks) else 1)


@command.command("install", help=t("Set up the live function (Windows).", "Установить живую функцию (Windows)."))
@answering
@click.pass_context
def install(ctx: click.Context, /) -> None:
    """Set the live function up, as far as this system allows."""
    from prefxl.live.doctor import install as set_up

    done = set_up()
    for ok, english, russian in done:
        click.echo(f"{'✓' if ok else '✗'} {russian if LANG == 'ru' else english}")
    ctx.exit(0 if all(ok for ok, _, _ in done) else 1)


@command.command("addin", help=t("Write the add-in (.xlam).", "Записать надстройку (.xlam)."))
@click.argument("output", required=False, type=click.Path(), default="prefxl.xlam")
@click.option("--overwrite", is_flag=True, help=t("Replace the file if it exists.", "Заменить файл, если он есть."))
@answering
def addin(output: str, overwrite: bool) -> None:
    """Write an add-in that brings the functions into every workbook."""
    from prefxl.live.addin import write_addin

    write_addin(Path(output), overwrite=overwrite)
    click.echo(t(f"Written: {output}", f"Записано: {output}"))
