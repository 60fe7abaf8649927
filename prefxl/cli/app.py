"""The group of commands, loaded by name so that ``--version`` and ``--help`` answer at once."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import Any

import click

from prefxl import __version__
from prefxl.cli.language import LANG, t
from prefxl.errors import PrefxlError

#: Command to the module that holds it; the order of the help.
COMMANDS = {
    "settle": "prefxl.cli.settle",
    "check": "prefxl.cli.check",
    "explain": "prefxl.cli.explain",
    "compare": "prefxl.cli.compare",
    "standings": "prefxl.cli.standings",
    "template": "prefxl.cli.template",
    "excel": "prefxl.cli.excel",
    "conventions": "prefxl.cli.conventions",
}


class Commands(click.Group):
    """Loads a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command called so, ``None`` where there is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name]).command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what goes wrong on purpose is one sentence and exit code 2."""
        try:
            return super().invoke(ctx)
        except PrefxlError as error:
            click.echo(f"prefxl: {error.say(LANG)}", err=True)
        except BrokenPipeError:
            # whoever read our output has had enough; nothing is left to say it to
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except (MemoryError, RecursionError, OSError) as error:
            click.echo(f"prefxl: {t('the machine gave up', 'машина не справилась')}: {error}", err=True)
        except (click.exceptions.Exit, click.ClickException, click.Abort):
            raise
        except Exception as error:
            # a fault of ours: the user gets a sentence, who asks for it the traceback
            if os.environ.get("PREFXL_TRACEBACK"):
                raise
            what = f"{type(error).__name__}: {error}"
            said = t("a fault in prefxl itself; no file was changed", "ошибка в самом prefxl; файлы не изменены")
            click.echo(f"prefxl: {said}: {what}", err=True)
        ctx.exit(2)


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help=t(
        "Settles Preferans score sheets kept in Excel and CSV, exactly, under every convention.",
        "Рассчитывает пульки преферанса из Excel и CSV — точно и по любой конвенции.",
    ),
)
@click.version_option(__version__, "-V", "--version", prog_name="prefxl")
def application() -> None:
    """Run one of the commands."""


def main() -> None:
    """Run the command line; the texts are UTF-8 even where Windows would have another encoding."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and (stream.encoding or "").casefold().replace("-", "") != "utf8":
            stream.reconfigure(encoding="utf-8", errors="replace")
    # no matrix is multiplied here: numpy's threads for that would only make every start a tenth of a second longer
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # a command makes objects by the hundred thousand and ends: to look for cycles among them at each 700 takes time
    gc.set_threshold(100_000)
    application(prog_name="prefxl")
