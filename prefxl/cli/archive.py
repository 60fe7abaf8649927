"""``prefxl settle 'archive/*.parquet' -o out/ --engine dask``: archives on as many machines as there are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from prefxl.cli.console import exit_code, print_findings
from prefxl.cli.language import LANG
from prefxl.cli.streaming import print_counts
from prefxl.errors import OptionError

#: Options that make no sense for an archive of files, each written by itself.
_NOT_HERE = {"in_place": "--in-place", "live": "--live", "dry_run": "--dry-run", "strict": "--strict"}


def settle_archive(
    paths: Sequence[str], output: str | None, read_by: dict[str, Any], settle_by: dict[str, Any], given: dict[str, Any]
) -> int:
    """Settle every file on Dask into the folder ``output``; return the exit code.

    Raises
    ------
    OptionError
        If there is no folder to write to, or an option is for single files.
    """
    if output is None or Path(output).is_file():
        raise OptionError("--engine dask wants a folder: -o OUT/", "--engine dask: нужна папка, -o ПАПКА/")
    wrong = [option for name, option in _NOT_HERE.items() if given.get(name)]
    if wrong:
        raise OptionError(f"not with --engine dask: {wrong[0]}", f"не вместе с --engine dask: {wrong[0]}")
    from prefxl.cluster import settle_files

    names = ("sheet", "start_from")
    options = {name: value for name, value in {**read_by, **settle_by}.items() if value is not None}
    whole_only = [name for name in names if name in options]
    if whole_only:
        option = whole_only[0].replace("_", "-")
        raise OptionError(f"not with --engine dask: --{option}", f"не вместе с --engine dask: --{option}")
    if given["dialect"] != "plain":
        options["csv"] = given["dialect"]
    endings = {Path(path).suffix.casefold() for path in paths}
    ending = endings.pop() if endings in ({".csv"}, {".tsv"}) else ".parquet"
    done = settle_files(paths, output, scheduler=given["scheduler"], ending=ending, **options)
    lang = given["lang"] or LANG
    print_findings(done.findings, lang, quiet=given["quiet"])
    print_counts(done.counts, done.findings, lang)
    if not given["quiet"] and done.games:
        from prefxl.cli.summary import print_standings

        click.echo(
            f"Игр: {done.games}, файлов: {len(done.files)}, из них готовы заранее: {done.resumed}"
            if lang == "ru"
            else f"Games: {done.games}, files: {len(done.files)}, of them settled before: {done.resumed}"
        )
        print_standings(done.sums.frame(), lang, currency=given["currency"])
    return exit_code(done.games, done.findings)
