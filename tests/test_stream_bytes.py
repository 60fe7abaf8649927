"""Streams of any pieces: the same bytes as at once, in CSV and in Parquet, from CSV and from Parquet."""

from __future__ import annotations

import csv
import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import prefxl
from prefxl import sinks
from prefxl.stream import NotStreamableError, pieces, settle_stream

PLAYERS = ("Аня", "Борис", "Вера", "Глеб", "Даша", "=Ева", "-7", "Q, W")
IDS = st.one_of(st.integers(-5, 10**6), st.sampled_from(["007", "Янв-1", "-5.5", "=1", 'a"b', "x,y", "финал"]))
OWN = {
    "whole": st.integers(-9, 99),
    "halves": st.sampled_from(["1", "2.5", "-0.5", "7,5"]),
    "words": st.sampled_from(["клуб", "=1+1", "-5", "+7 900", 'зал "Ё"', "a,b", "a;b", "TRUE", "nan", "  "]),
    "empty": st.sampled_from(["", "", "", "раз"]),
    "blank": st.just(""),
}


@st.composite
def seasons(draw, layouts=("wide", "long")):
    """Return a heading and rows of text: some games plain, some with halves, empty cells and faults."""
    layout, seats = draw(st.sampled_from(layouts)), draw(st.integers(2, 5))
    games = draw(st.integers(1, 12))
    ids = draw(st.lists(IDS, min_size=games, max_size=games, unique_by=str))
    if draw(st.booleans()):
        ids = list(range(1, games + 1))
    dated, own = draw(st.booleans()), draw(st.lists(st.sampled_from(sorted(OWN)), unique=True))
    odd = draw(st.sampled_from([0, 0, 1, 4]))
    score = st.integers(0, 60).map(str)
    strange = st.sampled_from(["", "7.5", "0.5", "x", "-3", "1e3", " 5", "½", "Ø", "3.25", "1 000"])
    cell = st.one_of(*[score] * 8, *[strange] * odd)
    heading, rows = _heading(layout, seats, dated, own), []
    for game in ids:
        day = [draw(st.dates(dt.date(2020, 1, 1), dt.date(2026, 12, 31))).isoformat()] if dated else []
        names = draw(st.permutations(PLAYERS))
        count = seats if layout == "wide" else draw(st.integers(2, seats))
        mine = [str(draw(OWN[name])) for name in own]
        if layout == "wide":
            scores = [draw(cell) for _ in range(2 * seats + seats * (seats - 1))]
            rows.append([str(game), *day, *names[:seats], *scores, *mine])
            continue
        for seat in range(count):
            whists = ["" if on == seat or on >= count else draw(cell) for on in range(seats)]
            rows.append([str(game), *day, names[seat], draw(cell), draw(cell), *whists, *mine])
    return heading, rows


def _heading(layout, seats, dated, own):
    numbers = range(1, seats + 1)
    date = ["date"] if dated else []
    if layout == "long":
        return ["game", *date, "player", "pulya", "gora", *(f"whists_{i}" for i in numbers), *own]
    scores = [f"{field}_{i}" for field in ("player", "pulya", "gora") for i in numbers]
    return ["game", *date, *scores, *(f"whists_{i}_{j}" for i in numbers for j in numbers if i != j), *own]


TERMS = st.fixed_dictionaries(
    {
        "convention": st.sampled_from(["rozaliev", "leningrad", "prefcount-sochi"]),
        "rounding": st.sampled_from([None, "exact", "balanced", "divisible"]),
        "stake": st.sampled_from([None, "0.5", "0.33"]),
    }
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("bytes")


def assert_same_bytes(source, folder, ending, dialect, terms):
    once, stream = folder / f"once{ending}", folder / f"stream{ending}"
    for path in (once, stream):
        path.unlink(missing_ok=True)
    at_once = prefxl.read(source).settle(**terms)
    if len(at_once):
        at_once.write(once, csv=dialect)
    try:
        streamed = settle_stream(source, stream, csv=dialect, threads=2, **terms)
    except NotStreamableError:
        # read whole then, by the very same code
        return
    assert len(streamed) == len(at_once)
    assert stream.exists() == once.exists()
    if not once.exists():
        return
    if ending == ".parquet":
        assert pq.read_table(stream).equals(pq.read_table(once))
    assert stream.read_bytes() == once.read_bytes()


@pytest.fixture
def piece(monkeypatch):
    def size(data, rows, group):
        monkeypatch.setattr(pieces, "PIECE_BYTES", data)
        monkeypatch.setattr(pieces, "PIECE_ROWS", rows)
        monkeypatch.setattr(sinks, "GROUP_ROWS", group)

    return size


_SETTINGS = settings(
    max_examples=30,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@_SETTINGS
@given(
    season=seasons(), size=st.integers(1, 3000), group=st.integers(1, 60), terms=TERMS,
    form=st.sampled_from([(".csv", "plain"), (".csv", "ru"), (".tsv", "plain"), (".parquet", "plain")]),
    blank=st.integers(0, 60),
)  # fmt: skip
def test_a_season_of_text_comes_out_the_same_whatever_the_pieces(
    folder, piece, season, size, group, terms, form, blank
):
    heading, rows = season
    # a blank line, in the long layout within a game as a rule
    rows[blank:blank] = [[""] * (1 + blank % 2 * (len(heading) - 1))] if blank < len(rows) else []
    piece(size, 10, group)
    source = folder / "a.csv"
    with source.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([heading, *rows])
    assert_same_bytes(source, folder, *form, terms)


def _typed(name, values):
    """Return a column of text as Parquet has it: numbers where all of it are numbers."""
    if name in ("game", "date") or name.startswith("player"):
        if name == "date":
            return pa.array([dt.date.fromisoformat(value) for value in values])
        whole = name == "game" and all(value.lstrip("-").isdigit() and str(int(value)) == value for value in values)
        return pa.array([int(value) for value in values]) if whole else pa.array(values)
    try:
        return pa.array([int(value) if value else None for value in values])
    except ValueError:
        pass
    try:
        return pa.array([float(value) if value else None for value in values])
    except ValueError:
        return pa.array(values)


@_SETTINGS
@given(
    season=seasons(), size=st.integers(1, 30), group=st.integers(1, 60), terms=TERMS,
    form=st.sampled_from([(".csv", "plain"), (".csv", "ru"), (".parquet", "plain")]),
)  # fmt: skip
def test_a_season_of_parquet_comes_out_the_same_whatever_the_pieces(folder, piece, season, size, group, terms, form):
    heading, rows = season
    piece(1000, size, group)
    columns = {name: _typed(name, [row[place] for row in rows]) for place, name in enumerate(heading)}
    pq.write_table(pa.table(columns), folder / "a.parquet")
    assert_same_bytes(folder / "a.parquet", folder, *form, terms)


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize(
    "own",
    [
        [True, False, None, True],
        [dt.date(2026, 1, 5), None, dt.date(26, 1, 5), dt.date(2026, 1, 5)],
        [dt.datetime(2026, 1, 5, 10), None, dt.datetime(2026, 1, 5, 10, 30), None],
        [Decimal("1.50"), Decimal("2.25"), None, Decimal("3.00")],
        [1.0, 2.0, float("nan"), None],
        [1.0, 2.0, 3.0, 2.5],
        [b"x", b"y", None, b"z"],
        [2**60, 1, None, -5],
        [None, None, None, None],
        pa.array(["а", "б", "а", None]).dictionary_encode(),
        pa.array(["а", "б", "а", None], pa.large_string()),
        pa.array([1, 2, None, 4], pa.uint64()),
        pa.array([1, 2, None, 4], pa.int8()),
    ],
    ids=str,
)
def test_own_columns_of_any_type_come_out_the_same(folder, piece, own, ending):
    piece(1000, 1, 5)
    columns = {"game": [1, 2, 3, 4], "player_1": ["А"] * 4, "player_2": ["Б"] * 4}
    columns |= {name: [1, 2, 3, 4] for name in ("pulya_1", "pulya_2", "gora_1", "gora_2", "whists_1_2", "whists_2_1")}
    pq.write_table(pa.table(columns | {"own": own}), folder / "a.parquet")
    assert_same_bytes(folder / "a.parquet", folder, ending, "plain", {})
