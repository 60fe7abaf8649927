"""Archives of many files: each settled by a free worker, written whole or not at all, and only once."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from prefxl.cluster.frames import need_dask, tree
from prefxl.cluster.records import load, save
from prefxl.errors import FileError, OptionError, PrefxlError
from prefxl.files import TEMPORARY_PREFIX
from prefxl.findings import Finding
from prefxl.settling import is_met
from prefxl.sheets.reading import make_options
from prefxl.sheets.sources import names_apart
from prefxl.stream.engine import WRITES, settle_stream
from prefxl.stream.ids import IdPiece, Ids, day_number, id_numbers, packed
from prefxl.stream.pieces import NotStreamableError
from prefxl.stream.plan import make_plan
from prefxl.stream.sums import Sums, sums_of_aside
from prefxl.stream.tally import KEPT, Names, Tally, look_alike_names
from prefxl.tables import column_of

if TYPE_CHECKING:
    from prefxl.games import Games

#: Findings on the season as a whole: made of all files together.
_SEASON = ("look-alike-name", "game-twice", "nobody-corrected")

#: Times a file is tried again after its worker was lost.
RETRIES = 3


@dataclass
class Archive:
    """What came of an archive of files, or of some of them.

    Attributes
    ----------
    games
        How many games were settled.
    files
        Output files, in the order of the inputs.
    resumed
        How many of them were there already.
    findings, counts
        The first of each reason, with file and row; reason to how many there are.
    sums
        Sums of the season: ``.frame()`` is its table.
    names
        The players, how often each stands and where first.
    ids
        The games' ids, to find one that stands in several files: at most 8 bytes a game and as much again
        for days in no order.
    """

    games: int = 0
    files: list[str] = field(default_factory=list)
    resumed: int = 0
    findings: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    sums: Sums = field(default_factory=Sums)
    names: Names = field(default_factory=dict)
    ids: list[IdPiece] = field(default_factory=list)

    def __len__(self) -> int:
        return self.games


def add(parts: Sequence[Archive]) -> Archive:
    """Return neighbouring parts of an archive as one; none of them is changed."""
    whole, tally = Archive(), Tally(KEPT)
    for part in parts:
        whole.games += part.games
        whole.files += part.files
        whole.resumed += part.resumed
        tally.add(part.findings, part.counts)
        whole.sums.add(part.sums)
        for name, (count, place) in part.names.items():
            known, first = whole.names.get(name, (0, place))
            whole.names[name] = (known + count, min(first, place))
        whole.ids += part.ids
    whole.findings, whole.counts = tally.findings, tally.counts
    return whole


def settle_files(
    paths: Sequence[str | Path],
    out_dir: str | Path,
    *,
    scheduler: Any = None,
    workers: int | None = None,
    resume: bool = True,
    ending: str = ".parquet",
    **options: Any,
) -> Archive:
    """Settle every file of an archive on Dask.

    Parameters
    ----------
    paths
        CSV or Parquet (or any file ``prefxl.read`` knows), seen under these names by every worker.
    out_dir
        A folder that every worker can write to; a file of the same name for each input, and beside
        it ``NAME.done.json`` with what was found.
    scheduler
        The address of a Dask scheduler, or a ``distributed.Client``; by default a cluster of
        processes on this machine, for this call.
    workers
        How many processes that cluster has; by default as many as there are cores.
    resume
        Leave alone what was settled before from the same file by the same options.
    ending
        ``.parquet``, ``.csv`` or ``.tsv``.
    **options
        As for :func:`prefxl.stream.settle_stream`.

    Returns
    -------
    Archive
        Counts, findings with file and row, sums of the season.

    Raises
    ------
    OptionError
        If Dask is not installed, or an option means nothing.
    """
    need_dask()
    if ending not in WRITES:
        raise OptionError(f"the output ends in one of {', '.join(WRITES)}", f"результат: одно из {', '.join(WRITES)}")
    folder = Path(out_dir)
    folder.mkdir(parents=True, exist_ok=True)
    jobs = list(_jobs([Path(path) for path in paths], folder, ending))
    with _client(scheduler, workers) as client:
        futures = [
            client.submit(settle_file, *job, resume=resume, options=options, pure=False, retries=RETRIES)
            for job in jobs
        ]
        whole = tree(futures, lambda some: client.submit(add, some, pure=False, retries=RETRIES)).result()
    for left in folder.glob(f"{TEMPORARY_PREFIX}*"):
        # half a file of a worker that was lost
        left.unlink(missing_ok=True)
    archive = add([whole])
    alike = list(look_alike_names(archive.names))
    twice = Ids(archive.ids).twice(KEPT, lambda number, lines: _id_texts(jobs[number][0], lines, options))
    nobody = _nobody(archive, options.get("corrected"))
    archive.findings += [*twice.findings, *alike, *nobody]
    archive.counts += Counter(
        {"game-twice": twice.count, "look-alike-name": len(alike), "nobody-corrected": len(nobody)}
    )
    archive.ids = []
    return archive


def _nobody(archive: Archive, corrected: int | str | None) -> list[Finding]:
    """Return the warning on a name to correct that nobody has; how many seats there are is known no more."""
    if not archive.games or corrected is None or is_met(corrected, archive.names, sys.maxsize):
        return []
    return [Finding("nobody-corrected", min(place for _, place in archive.names.values())[1], found=str(corrected))]


def _jobs(paths: Sequence[Path], folder: Path, ending: str) -> Iterator[tuple[str, str, int, str]]:
    """Yield source, target and number of each file, and what to call it; targets of one name get numbers."""
    seen: Counter[str] = Counter()
    for number, (path, name) in enumerate(zip(paths, names_apart(paths), strict=True)):
        seen[path.stem] += 1
        stem = path.stem if seen[path.stem] == 1 else f"{path.stem}-{seen[path.stem]}"
        yield str(path.absolute()), str((folder / f"{stem}{ending}").absolute()), number, name or path.name


@contextmanager
def _client(scheduler: Any, workers: int | None) -> Iterator[Any]:
    distributed: Any = import_module("distributed")
    if scheduler is not None and not isinstance(scheduler, str):
        yield scheduler
    elif scheduler is not None:
        with distributed.Client(scheduler) as client:
            yield client
    else:
        # one thread a worker: a file is worked on by one core, and the processes share nothing
        with (
            distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client


def settle_file(
    source: str, target: str, number: int, name: str, *, resume: bool, options: Mapping[str, Any]
) -> Archive:
    """Settle one file, on whichever worker, unless it was settled before; an unreadable one is a finding."""
    done = Path(f"{target}.done.json")
    try:
        key = _key(Path(source), options)
        known = load(done, key) if resume and Path(target).exists() else None
        if known is not None:
            return _placed(known, number, name, resumed=1)
        archive = _settle(Path(source), Path(target), options)
    except PrefxlError as error:
        details = {"message_en": error.en, "message_ru": error.ru}
        finding = Finding("unreadable", name, "", "", "", details)
        return Archive(findings=[finding], counts=Counter(["unreadable"]))
    save(done, key, archive)
    return _placed(archive, number, name)


def _id_texts(source: str, lines: Sequence[int], options: Mapping[str, Any]) -> Mapping[int, Any]:
    """Return the ids that stand in some lines of a file."""
    reading = _reading(options)
    try:
        return make_plan(Path(source), make_options(**reading)).id_texts(lines)
    except NotStreamableError:
        from prefxl.games import read

        games = read(source, **reading)
        return dict(zip(games.rows[0].tolist(), games.game, strict=True))


def _reading(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("layout", "mapping", "names", "lang") if name in options}


def _placed(archive: Archive, number: int, name: str, resumed: int = 0) -> Archive:
    """Return the archive with all it tells of the file of this number, which is called so."""
    archive.findings = [replace(finding, file=name) for finding in archive.findings]
    archive.ids = [replace(piece, number=number, file=name) for piece in archive.ids]
    names = {player: (count, (number, name, *place[2:])) for player, (count, place) in archive.names.items()}
    archive.names, archive.resumed = names, resumed
    return archive


def _key(source: Path, options: Mapping[str, Any]) -> str:
    """Return what tells whether an earlier run did the same: the file's size and time, options, version."""
    from prefxl import __version__

    try:
        about = source.stat()
    except OSError:
        raise FileError(f"there is no file {source.name}", f"нет файла {source.name}") from None
    what = [
        about.st_size,
        about.st_mtime_ns,
        __version__,
        sorted((name, str(value)) for name, value in options.items()),
    ]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()


def _settle(source: Path, target: Path, options: Mapping[str, Any]) -> Archive:
    """Settle one file: streamed, or whole where it has to be."""
    try:
        done = settle_stream(source, target, overwrite=True, season=True, threads=1, **options)
    except NotStreamableError:
        return _whole(source, target, options)
    kept = [finding for finding in done.findings if finding.reason not in _SEASON]
    counts = Counter({reason: count for reason, count in done.counts.items() if reason not in _SEASON})
    files = [str(target)] if done.games else []
    return Archive(done.games, files, 0, kept, counts, done.sums or Sums(), done.names, done.ids)


def _whole(source: Path, target: Path, options: Mapping[str, Any]) -> Archive:
    from prefxl.games import read

    reading = _reading(options)
    writing = {"csv": options["csv"]} if "csv" in options else {}
    rest = {
        name: value for name, value in options.items() if name not in (*reading, "csv", "keep", "season", "threads")
    }
    settled = read(source, **reading).settle(**rest)
    if len(settled):
        settled.write(target, overwrite=True, **writing)
    names: Names = {}
    for seat, players in enumerate(settled.games.players):
        for position, name in enumerate(players):
            if name is not None:
                count, place = names.get(name, (0, (0, source.name, int(settled.games.rows[seat, position]), 1)))
                names[name] = (count + 1, place)
    tally = Tally(KEPT)
    tally.add([finding for finding in settled.findings if finding.reason not in _SEASON])
    files = [str(target)] if len(settled) else []
    ids = _ids_of(settled.games, source.name)
    return Archive(len(settled), files, 0, tally.findings, tally.counts, sums_of_aside(settled), names=names, ids=ids)


def _ids_of(games: Games, file: str) -> list[IdPiece]:
    if not len(games):
        return []
    ids = id_numbers(pa.array([str(game) for game in games.game], pa.string()))
    days = [day_number(value) for value in games.date]
    column = column_of(games.cell(0, "game")[2])
    return [IdPiece(file, 0, column, packed(ids), packed(days), packed(games.rows[0]))]
