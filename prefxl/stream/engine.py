"""The stream itself: pieces through a few threads, written in their order, added up on the way."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from os import cpu_count
from pathlib import Path
from typing import Any

import pyarrow as pa

from prefxl.files import replacing
from prefxl.findings import REASONS, Finding, Severity
from prefxl.output import find_dialect
from prefxl.rules.conventions import Convention, find_convention, find_rounding
from prefxl.rules.payments import find_stake
from prefxl.settled import Terms
from prefxl.settling import is_met
from prefxl.sheets.reading import make_options
from prefxl.sheets.sources import names_apart
from prefxl.sinks import Form, RetypeError, Sink, types_of
from prefxl.stream.ids import IdPiece, Ids
from prefxl.stream.pieces import NotStreamableError, Piece, TextPiece, parquet_pieces, text_pieces
from prefxl.stream.plan import Plan, make_plan
from prefxl.stream.sums import Sums
from prefxl.stream.tally import KEPT, Empties, Names, Tally, empty_as_zero, look_alike_names, note_empty, unread_dates
from prefxl.stream.work import Done, Task, settle_piece
from prefxl.tabular import shared_type

#: What a stream reads, and what it writes.
READS = (".csv", ".tsv", ".txt", ".parquet")
WRITES = (".csv", ".tsv", ".parquet")

#: Options of reading that take the whole file.
_WHOLE_ONLY = ("sheet", "start_from")


@dataclass(frozen=True, eq=False)
class Streamed:
    """What came of a stream.

    Attributes
    ----------
    target
        The file written.
    games
        How many games were settled.
    findings
        The first of each reason, as an unstreamed run tells them.
    counts
        Reason to how many findings there are.
    lang
        The language of the headings.
    sums
        Sums of the season, where they were asked for.
    names
        The players, how often each stands and where first.
    ids
        The games' ids, packed.
    written
        Whether the file was written.
    """

    target: Path
    games: int
    findings: tuple[Finding, ...]
    counts: Mapping[str, int]
    lang: str
    sums: Sums | None = None
    names: Names = field(default_factory=dict)
    ids: list[IdPiece] = field(default_factory=list)
    written: bool = True

    def __len__(self) -> int:
        return self.games


def can_stream(sources: Sequence[str | Path], target: str | Path, /, **options: Any) -> bool:
    """Return whether files can be settled piece by piece into ``target``.

    Parameters
    ----------
    sources
        CSV (UTF-8, its heading in the first line) or Parquet, wide or long, with ids of games
        and, in the long layout, whists headed by seats.
    target
        A name that ends in ``.csv``, ``.tsv`` or ``.parquet``.
    **options
        Options of reading and of settling, as for :func:`settle_stream`.
    """
    if Path(target).suffix.casefold() not in WRITES:
        return False
    if any(options.get(name) is not None for name in _WHOLE_ONLY):
        return False
    if any(str(source) == "-" or Path(source).suffix.casefold() not in READS for source in sources):
        return False
    try:
        _plans([Path(source) for source in sources], options)
    except NotStreamableError:
        return False
    return True


def settle_stream(
    sources: str | Path | Sequence[str | Path],
    target: str | Path,
    /,
    *,
    convention: str | Convention | None = None,
    rounding: str | None = None,
    corrected: int | str | None = None,
    stake: Any = None,
    minor_units: int = 2,
    csv: str = "plain",
    overwrite: bool = False,
    strict: bool = False,
    keep: int = KEPT,
    season: bool = False,
    threads: int | None = None,
    layout: str | None = None,
    mapping: Mapping[str, str] | None = None,
    names: Any = None,
    lang: str | None = None,
    **house_rules: Any,
) -> Streamed:
    """Settle files of any size into one, in memory that does not grow with the number of games.

    Parameters
    ----------
    sources
        One file or several that make one season: CSV or Parquet; see :func:`can_stream`.
    target
        ``.csv``, ``.tsv`` or ``.parquet``: the columns of ``Settled.steps``. In Parquet the steps
        are floats throughout, whatever the first games are like.
    convention, rounding, corrected, stake, minor_units, house_rules
        As for ``Games.settle``.
    csv
        ``"plain"``, or ``"ru"`` for ``;``, a decimal comma and CRLF.
    overwrite
        Allow the file to exist.
    strict
        Write nothing where there is any warning or error.
    keep
        How many findings of each reason are kept; all are counted.
    season
        Also add up the sums of every player.
    threads
        Pieces worked on at a time; by default as many as there are cores.
    layout, mapping, names, lang
        As for :func:`prefxl.read`.

    Returns
    -------
    Streamed
        Counts, findings, sums. Nothing is written where no game could be settled.

    Raises
    ------
    NotStreamableError
        If it turns out on the way that a file has to be read whole; nothing is written then.
    FileError, RulesError, OptionError
        As for ``Games.settle`` and ``Settled.write``.
    """
    paths = [Path(sources)] if isinstance(sources, (str, Path)) else [Path(source) for source in sources]
    reading = {"layout": layout, "mapping": mapping, "names": names, "lang": lang}
    plans = _plans(paths, reading)
    rules = find_convention(convention).altered(**house_rules)
    rounded = find_rounding(rounding) if rounding is not None else rules.rounding
    options = {"convention": convention, "rounding": rounding, "corrected": corrected} | {
        "stake": stake,
        "minor_units": minor_units,
    }
    form = Form.of(Path(target), find_dialect(csv))
    tasks = [
        Task(
            plan,
            Terms(rules, rounded, find_stake(stake, minor_units)),
            options | house_rules,
            form.days,
            season,
            corrected,
        )
        for plan in plans
    ]
    try:
        with replacing(target, overwrite=overwrite) as temp:
            done = _Run(tasks, form, Path(target), threads or cpu_count() or 1, keep).run(temp)
            if not done.games or (strict and _is_doubtful(done)):
                raise _NothingWritten
    except _NothingWritten:
        # no file is better than an empty one
        done = replace(done, written=False)
    except pa.ArrowException:
        # damaged in the middle: the ordinary reader says it in a sentence
        raise NotStreamableError from None
    return done


class _NothingWritten(Exception):
    """No game could be settled, or one is doubtful and none may be: the file is given up."""


def _is_doubtful(done: Streamed) -> bool:
    return any(REASONS[reason].severity is not Severity.NOTE for reason in done.counts)


def _plans(paths: Sequence[Path], options: Mapping[str, Any]) -> list[Plan]:
    taken = {name: options.get(name) for name in ("layout", "mapping", "names", "lang")}
    reading = make_options(**taken)
    plans = [make_plan(path, reading, number) for number, path in enumerate(paths)]
    plans = [plan.called(name) if name else plan for plan, name in zip(plans, names_apart(paths), strict=True)]
    first = plans[0]
    for plan in plans[1:]:
        # several seasons in one file: all of them with the same columns of the users' own
        if list(plan.own.values()) != list(first.own.values()):
            raise NotStreamableError
    return plans


@dataclass
class _Run:
    """One stream: what to do, and what it has added up to."""

    tasks: Sequence[Task]
    form: Form
    target: Path
    threads: int
    keep: int
    types: dict[str, pa.DataType | None] = field(default_factory=dict)

    def run(self, temp: Path) -> Streamed:
        """Stream, again from the start where a column turns out otherwise than its first rows promised."""
        while True:
            try:
                return self._once(temp)
            except RetypeError as error:
                self.types[error.column] = shared_type(self.types.get(error.column), error.kind)

    def _once(self, temp: Path) -> Streamed:
        added = _Added(Tally(self.keep))
        pieces = _pieces(self.tasks)
        sink: Sink | None = None
        # heading and types are told by the first rows there are
        for task, raw in pieces:
            done = settle_piece(raw, task, added.tally.lacks)
            added.take(done, task)
            if done.table is not None:
                self.types = types_of(done.table, self.types)
                sink = self.form.sink(temp, self.types)
                with closing(sink):
                    sink.write(sink.prepare(done.table))
                    self._rest(pieces, sink, added)
                break
        return added.streamed(self.target, self.tasks)

    def _rest(self, pieces: Iterator[tuple[Task, Piece | TextPiece]], sink: Sink, added: _Added) -> None:
        """Work on the pieces in a few threads, and write them in their order."""
        waiting: deque[tuple[Task, Future[tuple[Done, Any]]]] = deque()

        def work(raw: Piece | TextPiece, task: Task) -> tuple[Done, Any]:
            done = settle_piece(raw, task, added.tally.lacks)
            prepared = None if done.table is None else sink.prepare(done.table)
            done.table = None
            return done, prepared

        with ThreadPoolExecutor(self.threads) as pool:
            try:
                for task, raw in pieces:
                    waiting.append((task, pool.submit(work, raw, task)))
                    if len(waiting) > self.threads:
                        self._write(*waiting.popleft(), sink, added)
                while waiting:
                    self._write(*waiting.popleft(), sink, added)
            finally:
                for _, future in waiting:
                    future.cancel()

    def _write(self, task: Task, future: Future[tuple[Done, Any]], sink: Sink, added: _Added) -> None:
        done, prepared = future.result()
        added.take(done, task)
        if prepared is not None:
            sink.write(prepared)


def _pieces(tasks: Sequence[Task]) -> Iterator[tuple[Task, Piece | TextPiece]]:
    for task in tasks:
        plan = task.plan
        place = plan.found.columns["game"] - 1
        if plan.separator:
            pieces: Any = text_pieces(plan.path, plan.separator, None if plan.wide else place)
        else:
            pieces = parquet_pieces(plan.path, None if plan.wide else plan.header[place])
        for piece in pieces:
            yield task, piece


@dataclass
class _Added:
    """What the pieces taken so far add up to."""

    tally: Tally
    games: int = 0
    ids: Ids = field(default_factory=Ids)
    faulty: list[IdPiece] = field(default_factory=list)
    names: Names = field(default_factory=dict)
    empties: dict[int, Empties] = field(default_factory=dict)
    unread: dict[int, list[Finding]] = field(default_factory=dict)
    sums: Sums = field(default_factory=Sums)

    def take(self, done: Done, task: Task) -> None:
        """Add a piece."""
        self.games += done.games
        self.tally.add(done.findings, done.counts)
        self.ids.pieces += done.ids
        self.faulty += done.faulty
        for name, (count, place) in done.names.items():
            known, first = self.names.get(name, (0, place))
            self.names[name] = (known + count, min(first, place))
        empties = self.empties.setdefault(task.plan.number, {})
        for key, (count, line, column) in done.empties.items():
            note_empty(empties, key, count, line, column)
        self.unread.setdefault(task.plan.number, []).extend(done.unread)
        if done.sums is not None:
            self.sums.add(done.sums)

    def streamed(self, target: Path, tasks: Sequence[Task]) -> Streamed:
        """Return what came of it all."""
        for task in tasks:
            plan = task.plan
            self.tally.add([*plan.remarks, *empty_as_zero(self.empties.get(plan.number, {}), plan.file)])
            self.tally.add(list(unread_dates(self.unread.get(plan.number, []))))
        twice = self.ids.twice(self.tally.kept, lambda number, lines: tasks[number].plan.id_texts(lines))
        if not all(task.plan.wide for task in tasks) and (twice.within or self.ids.meet(self.faulty)):
            # the rows of one game stand apart: they have to be brought together
            raise NotStreamableError
        self.tally.add(twice.findings, {"game-twice": twice.count})
        self.tally.add(list(look_alike_names(self.names)))
        if not self.games:
            some = any(REASONS[reason].severity is Severity.ERROR for reason in self.tally.counts)
            self.tally.add([Finding("none-good" if some else "no-games", task.plan.file) for task in tasks])
        first = tasks[0]
        seats = max(task.plan.seats for task in tasks)
        if first.corrected is not None and self.games and not is_met(first.corrected, self.names, seats):
            self.tally.add([Finding("nobody-corrected", first.plan.file, found=str(first.corrected))])
        return Streamed(
            target=target,
            games=self.games,
            findings=self.tally.in_order(),
            counts={reason: count for reason, count in self.tally.counts.items() if count},
            lang=first.plan.lang,
            sums=self.sums if first.season else None,
            names=self.names,
            ids=self.ids.pieces,
        )


__all__ = ["READS", "WRITES", "Form", "Streamed", "can_stream", "settle_stream"]
