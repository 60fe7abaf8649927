"""``prefxl settle big.csv -o out.csv``: big files go through piece by piece, in memory that does not grow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from prefxl.cli.console import exit_code, print_findings
from prefxl.cli.language import LANG, t
from prefxl.errors import FileRefusedError
from prefxl.findings import Finding

#: Files together at least so big are worth streaming [bytes].
BIG = 8 << 20

#: Bytes of memory a byte of a text file, or of Parquet, takes when it is read and settled whole.
_TAKES = {".csv": 35, ".tsv": 35, ".txt": 35, ".parquet": 160}


def stream_lot(
    paths: Sequence[str], target: Path, read_by: dict[str, Any], settle_by: dict[str, Any], given: dict[str, Any]
) -> int | None:
    """Settle big files into a text file or Parquet; ``None`` where they have to be read whole.

    Parameters
    ----------
    paths, target
        The files of one season, and where the rows go.
    read_by, settle_by, given
        The options of reading, of settling and of the command.

    Returns
    -------
    int or None
        The exit code.
    """
    if not _big(paths):
        return None
    code = None
    if target.suffix.casefold() != ".xlsx" and not given["dry_run"]:
        code = _streamed(paths, target, {**read_by, **settle_by, "lang": given["lang"]}, given)
    if code is None:
        look_for_room(paths)
    return code


def _streamed(paths: Sequence[str], target: Path, options: dict[str, Any], given: dict[str, Any]) -> int | None:
    from prefxl.stream import NotStreamableError, can_stream, settle_stream

    if not can_stream(paths, target, **options):
        return None
    taken = {
        name: value for name, value in options.items() if value is not None and name not in ("sheet", "start_from")
    }
    try:
        done = settle_stream(
            paths,
            target,
            csv=given["dialect"],
            overwrite=given["overwrite"],
            strict=given["strict"],
            season=not given["quiet"],
            **taken,
        )
    except NotStreamableError:
        return None
    lang = given["lang"] or (done.lang if done.games else LANG)
    print_findings(done.findings, lang, quiet=given["quiet"])
    print_counts(done.counts, done.findings, lang)
    if given["strict"] and done.games and not done.written:
        click.echo(t("nothing written: --strict", "ничего не записано: --strict"), err=True)
        return 2
    if not given["quiet"] and done.games and done.sums is not None:
        from prefxl.cli.summary import print_standings

        click.echo(f"Игр: {done.games}" if lang == "ru" else f"Games: {done.games}")
        print_standings(done.sums.frame(), lang, currency=given["currency"])
        click.echo(f"{'Записано' if lang == 'ru' else 'Written'}: {target}")
    return exit_code(done.games, done.findings)


def _big(paths: Sequence[str]) -> bool:
    """Return whether the files are together so big that a stream is worth it."""
    return sum(Path(path).stat().st_size for path in paths if path != "-") >= BIG


def look_for_room(paths: Sequence[str]) -> None:
    """Refuse files that have to be read whole where the memory they take is not free.

    Raises
    ------
    FileRefusedError
        Before the system ends the process without a word.
    """
    free = free_memory()
    sizes = {
        path: Path(path).stat().st_size * _TAKES.get(Path(path).suffix.casefold(), 0) for path in paths if path != "-"
    }
    needed = sum(sizes.values())
    if free is None or needed <= free:
        return
    name, room, there = Path(max(sizes, key=lambda path: sizes[path])).name, _amount(needed), _amount(free)
    raise FileRefusedError(
        f"{name} has to be read whole for this; that takes about {room} of memory, and {there} is free. "
        "In memory that does not grow, one table of games with ids, whists by seat, goes from .csv or .parquet "
        "to .csv or .parquet: -o OUT.csv",
        f"{name} для этого надо прочесть целиком; на это нужно около {room} памяти, а свободно {there}. "
        "Без роста памяти одна таблица игр с номерами и вистами по местам переводится из .csv или .parquet "
        "в .csv или .parquet: -o ИТОГ.csv",
    )


def free_memory(
    about: Path = Path("/proc/meminfo"),
    limit: Path = Path("/sys/fs/cgroup/memory.max"),
    used: Path = Path("/sys/fs/cgroup/memory.current"),
) -> int | None:
    """Return the bytes that Linux would give this process before it ends one; ``None`` on other systems."""
    try:
        lines = about.read_text("ascii").splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        return None
    try:
        return min(free, max(int(limit.read_text("ascii")) - int(used.read_text("ascii")), 0))
    except (OSError, ValueError):
        # no limit of its own
        return free


def _amount(count: float) -> str:
    """Return bytes in the largest unit of which there is at least one."""
    for unit in ("KB", "MB", "GB"):
        count /= 1000
        if count < 1000 or unit == "GB":
            break
    return f"{count:.0f} {unit}" if count >= 10 or count == int(count) else f"{count:.1f} {unit}"


def print_counts(counts: Mapping[str, int], findings: Sequence[Finding], lang: str) -> None:
    """Tell how many findings of a kind there are where not all of them are kept."""
    kept: dict[str, int] = {}
    for finding in findings:
        kept[finding.reason] = kept.get(finding.reason, 0) + 1
    for reason, count in counts.items():
        if count > kept.get(reason, 0):
            text = "{}: {} in all, the first {} kept" if lang != "ru" else "{}: всего {}, сохранены первые {}"
            click.echo(text.format(reason, count, kept.get(reason, 0)), err=True)
