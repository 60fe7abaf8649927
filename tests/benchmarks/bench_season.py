"""The season's tables: against polars grouping the same frames by player, and by player and opponent."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np

from prefxl.compare import compare
from prefxl.games import UNIT, Games
from prefxl.season import head_to_head, months, payments, ratings, running_sums, standings
from tests.benchmarks.harness import Row, interleaved, traced_peak

GAMES, PLAYERS, SEATS = 1_000_000, 5_000, 4
COMPARED = 100_000


def benches(small: bool) -> list[Row]:
    """Return the rows of this benchmark."""
    games, players = (20_000, 200) if small else (GAMES, PLAYERS)
    compared = 5_000 if small else COMPARED
    return [*season_tables(games, players, rounds=3), *alone(compared, rounds=3)]


def season(games: int, players: int) -> Games:
    """Return a season of random tables of four, its names as they come from a file: a text of its own each."""
    random = np.random.default_rng(1)
    names = np.array([f"Игрок {number}" for number in range(players)], dtype=object)
    seats = np.stack([random.integers(0, players // SEATS, games) * SEATS + seat for seat in range(SEATS)])
    days = np.array([dt.date(2020, 1, 1) + dt.timedelta(day) for day in range(2000)], dtype=object)
    ids = np.empty(games, dtype=object)
    ids[:] = range(1, games + 1)
    whists = random.integers(0, 300, (SEATS, SEATS, games)) * UNIT
    whists[np.arange(SEATS), np.arange(SEATS)] = 0
    return Games(
        game=ids,
        date=days[np.sort(random.integers(0, len(days), games))],
        seats=np.full(games, SEATS),
        players=names[seats],
        pulya=random.integers(0, 40, (SEATS, games)) * UNIT,
        gora=random.integers(0, 60, (SEATS, games)) * UNIT,
        whists=whists,
    )


def season_tables(games: int, players: int, rounds: int) -> list[Row]:
    """Standings, head to head and the running sums, each and together."""
    settled = season(games, players).settle("leningrad")
    lines, pairs = _polars_frames(settled)

    def ours() -> Any:
        # the ledger is kept with the season: its making belongs to the work
        settled.__dict__.pop("ledger", None)
        return standings(settled), head_to_head(settled), running_sums(settled)

    def theirs() -> Any:
        return _polars_standings(lines), _polars_pairs(pairs), _polars_running(lines)

    _same(ours(), theirs())
    parts = (
        lambda: standings(settled),
        lambda: _polars_standings(lines),
        lambda: head_to_head(settled),
        lambda: _polars_pairs(pairs),
        lambda: running_sums(settled),
        lambda: _polars_running(lines),
    )
    # both ran once already, when their numbers were held to each other
    mine, polars = interleaved(ours, theirs, rounds=rounds, warm=False)
    taken = interleaved(*parts, rounds=1, warm=False)
    size = f"{games:,} games, {players:,} players: "
    rows = [
        Row(size + name, taken[2 * index], taken[2 * index + 1], "polars, the same groups", note="ledger made")
        for index, name in enumerate(("standings", "head to head", "running sums"))
    ]
    return [*rows, Row(size + "all three", mine, polars, "polars, the same groups", 3.0, traced_peak(ours))]


def alone(games: int, rounds: int) -> list[Row]:
    """What has nothing to stand against: seconds of a season."""
    settled = season(games, 500).settle()
    works = {
        "compare, seven conventions": lambda: compare(settled),
        "compare, every rounding": lambda: compare(settled, roundings=True),
        "months": lambda: months(settled),
        "ratings": lambda: ratings(settled),
        "payments of the season, fewest": lambda: payments(settled),
        "payments of every game, fewest": lambda: payments(settled, by="game"),
        "payments of the season, pairwise": lambda: payments(settled, "pairwise"),
    }
    taken = interleaved(*works.values(), rounds=rounds)
    return [Row(f"{games:,} games: {name}", seconds) for name, seconds in zip(works, taken, strict=True)]


def _polars_frames(settled: Any) -> tuple[Any, Any]:
    """Return the frames polars groups: a row a player a game, and a row an ordered pair a game."""
    import polars as pl

    games = settled.games
    ledger = settled.ledger
    names = pl.Series(list(ledger.names), dtype=pl.String)
    written, received = games.whists.sum(axis=1), games.whists.sum(axis=0)
    at = (ledger.seat, ledger.position)
    lines = pl.DataFrame(
        {
            "player": names.gather(ledger.code),
            "result": ledger.won / ledger.denominator,
            "pulya": games.pulya[at] / UNIT,
            "gora": games.gora[at] / UNIT,
            "written": written[at] / UNIT,
            "received": received[at] / UNIT,
        }
    )
    codes = ledger.codes_by_seat()
    done = settled.groups[0].done
    parts = [
        (codes[i], codes[j], done.pair_numerators(i, j) / done.pair_denominator)
        for i in range(SEATS)
        for j in range(SEATS)
        if i != j
    ]
    one, other, won = (np.concatenate(column) for column in zip(*parts, strict=True))
    return lines, pl.DataFrame({"player": names.gather(one), "opponent": names.gather(other), "result": won})


def _polars_standings(lines: Any) -> Any:
    import polars as pl

    result = pl.col("result")
    return (
        lines.group_by("player")
        .agg(
            games=pl.len(),
            won=(result > 0).sum(),
            lost=(result < 0).sum(),
            sum=result.sum(),
            average=result.mean(),
            median=result.median(),
            best=result.max(),
            worst=result.min(),
            streak=result.sign().rle().struct.field("len").last(),
            longest=result.sign().rle().struct.field("len").max(),
            pulya=pl.col("pulya").sum(),
            gora=pl.col("gora").sum(),
            written=pl.col("written").sum(),
            received=pl.col("received").sum(),
        )
        .sort("sum", descending=True)
    )


def _polars_pairs(pairs: Any) -> Any:
    import polars as pl

    return pairs.group_by("player", "opponent").agg(games=pl.len(), whists=pl.col("result").sum())


def _polars_running(lines: Any) -> Any:
    import polars as pl

    return lines.select("player", "result", sum=pl.col("result").cum_sum().over("player"))


def _same(ours: Any, theirs: Any) -> None:
    """Hold both to the same numbers before any time is taken."""
    table, square, running = ours
    their_table, their_pairs, their_running = theirs
    assert np.allclose(table["sum"], their_table["sum"].to_numpy())
    assert np.allclose(np.sort(table["median"]), np.sort(their_table["median"].to_numpy()))
    assert np.isclose(np.abs(square.to_numpy()).sum(), np.abs(their_pairs["whists"].to_numpy()).sum())
    assert np.allclose(running["sum"], their_running["sum"].to_numpy())
