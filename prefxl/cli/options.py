"""Options that several commands share, and what they mean."""

from __future__ import annotations

import glob
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from prefxl.cli.language import LANG, t
from prefxl.errors import FileError, OptionError

if TYPE_CHECKING:
    from prefxl.games import Games

Command = TypeVar("Command", bound=Callable[..., Any])

#: Options of reading, in the order of the help: what is handed to ``prefxl.read``.
READING = ("layout", "sheet", "mapping", "start_from", "names")

#: Options of settling: what is handed to ``Games.settle``.
SETTLING = (
    "convention",
    "rounding",
    "target",
    "corrected",
    "stake",
    "minor_units",
    "below",
    "above",
    "whists_per_gora",
    "divisor",
)


def _stacked(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def files(command: Command) -> Command:
    """Add the argument FILE..."""
    return click.argument("files", nargs=-1, required=True, metavar="FILE...")(command)


def reading(command: Command) -> Command:
    """Add the options that tell how a file is to be read."""
    return _stacked(
        command,
        [
            click.option(
                "--layout",
                type=click.Choice(["wide", "long", "form"]),
                help=t("The layout, where it must be told.", "Вид таблицы, если его нужно указать."),
            ),
            click.option("--sheet", help=t("Read this worksheet only.", "Читать только этот лист.")),
            click.option(
                "--map",
                "mapping",
                multiple=True,
                metavar='"HEADING=ROLE"',
                help=t('What a heading means: --map "Очки=pulya".', 'Что значит заголовок: --map "Очки=pulya".'),
            ),
            click.option(
                "--start-from",
                type=int,
                help=t("Pulyas are kept downwards from this number.", "Пуля ведётся вниз от этого числа."),
            ),
            click.option(
                "--names",
                type=click.Path(dir_okay=False),
                help=t("A CSV of two columns: nickname, player.", "CSV из двух столбцов: прозвище, игрок."),
            ),
            language,
        ],
    )


def language(command: Command) -> Command:
    """Add ``--lang``."""
    return click.option(
        "--lang",
        type=click.Choice(["ru", "en"]),
        help=t("The language of the answer.", "Язык ответа."),
    )(command)


def answering(command: Command) -> Command:
    """Add ``--lang`` to a command that reads no file: the language of its sentences, which is known at the start."""
    return click.option(
        "--lang",
        type=click.Choice(["ru", "en"]),
        expose_value=False,
        help=t("The language of the answer.", "Язык ответа."),
    )(command)


def settling(command: Command) -> Command:
    """Add the options that say what is settled by."""
    return _stacked(
        command,
        [
            click.option(
                "-c",
                "--convention",
                help=t("The convention (default: rozaliev).", "Конвенция (по умолчанию rozaliev — Розалиев)."),
            ),
            click.option(
                "-r",
                "--rounding",
                help=t("The rounding (default: the convention's).", "Округление (по умолчанию — как в конвенции)."),
            ),
            click.option(
                "--target", help=t("mean, largest or the agreed pulya.", "mean, largest или условленная пуля.")
            ),
            click.option(
                "--corrected",
                help=t("Whose gora “divisible” corrects.", "Чью гору исправлять при «делимости»."),
            ),
            click.option("--stake", help=t("Money per whist: 0.5.", "Деньги за вист: 0,5.")),
            click.option(
                "--minor-units",
                type=int,
                default=2,
                show_default=True,
                help=t("Decimal places of the money.", "Знаков после запятой в деньгах."),
            ),
            click.option("--below", help=t("Gora for a pulya point below.", "Гора за очко недобора пули.")),
            click.option("--above", help=t("Gora off for a pulya point above.", "Списание горы за очко перебора.")),
            click.option("--whists-per-gora", help=t("Whists a gora point is worth.", "Вистов за очко горы.")),
            click.option(
                "--divisor",
                type=click.Choice(["players", "others", "one"]),
                help=t("What gora is divided by.", "На что делится гора."),
            ),
        ],
    )


def reading_options(given: dict[str, Any]) -> dict[str, Any]:
    """Take the options of reading out of ``given``, as ``prefxl.read`` wants them."""
    taken = {name: given.pop(name) for name in READING}
    taken["mapping"] = dict(_pair(text) for text in taken["mapping"]) or None
    return taken


def _pair(text: str) -> tuple[str, str]:
    heading, equals, role = text.rpartition("=")
    if not equals or not heading.strip() or not role.strip():
        raise OptionError(f'--map wants "HEADING=ROLE", not {text!r}', f"--map: нужно «ЗАГОЛОВОК=РОЛЬ», а не «{text}»")
    return heading.strip(), role.strip()


def settling_options(given: dict[str, Any]) -> dict[str, Any]:
    """Take the options of settling out of ``given``, as ``Games.settle`` wants them."""
    return {name: value for name in SETTLING if (value := given.pop(name)) is not None}


def expand(patterns: Sequence[str]) -> list[str]:
    """Return the files meant by names and patterns; a shell on Windows leaves ``*.csv`` to us.

    Raises
    ------
    FileError
        If a pattern matches nothing, or a file is not there.
    """
    found: list[str] = []
    for pattern in patterns:
        if pattern == "-" or Path(pattern).exists():
            found.append(pattern)
            continue
        # lock files of Excel and LibreOffice lie beside the sheets
        matches = [name for name in sorted(glob.glob(pattern)) if not Path(name).name.startswith(("~$", ".~"))]
        if not matches:
            raise FileError(f"{pattern}: there is no such file", f"{pattern}: такого файла нет")
        found += matches
    return found


def read_files(names: Sequence[str], options: dict[str, Any]) -> Games:
    """Read the files as one season; among several an unreadable one is a finding, not the end."""
    from prefxl.sheets.reading import make_options, read_season

    sources = [_source(path) for path in expand(names)]
    return read_season(sources, make_options(**options), unreadable=_unreadable if len(sources) > 1 else None)


def _source(path: str) -> str | Path:
    return path if path == "-" else Path(path)


def _unreadable(source: Any, error: FileError) -> Games:
    from prefxl.findings import Finding
    from prefxl.games import no_games

    return no_games(
        (Finding("unreadable", Path(source).name, details={"message_en": error.en, "message_ru": error.ru}),)
    )


def answer_language(lang: str | None, games: Games) -> str:
    """Return the language of the answer: the one asked for, else the headings' own."""
    return lang or (games.lang if len(games) else LANG)
