"""Streams: the same rows and the same findings as read, settled and written at once."""

from __future__ import annotations

import csv
import random

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import prefxl
from prefxl.errors import FileInTheWayError, OptionError
from prefxl.stream import NotStreamableError, can_stream, pieces, settle_stream

PLAYERS = ("Аня", "Борис", "Вера", "Глеб", "Даша")


@pytest.fixture(autouse=True)
def _tiny_pieces(monkeypatch):
    monkeypatch.setattr(pieces, "PIECE_BYTES", 700)
    monkeypatch.setattr(pieces, "PIECE_ROWS", 11)


def wide_rows(games=40, *, seats=4, halves=False, seed=1):
    """Return a heading and rows of the wide layout with one column of the user's own."""
    chance = random.Random(seed)
    pairs = [(i, j) for i in range(1, seats + 1) for j in range(1, seats + 1) if i != j]
    heading = ["game", "date", *(f"player_{i + 1}" for i in range(seats))]
    heading += [f"{name}_{i + 1}" for name in ("pulya", "gora") for i in range(seats)]
    heading += [*(f"whists_{i}_{j}" for i, j in pairs), "Клуб"]
    rows = []
    for game in range(1, games + 1):
        scores = [chance.randrange(0, 60) for _ in range(2 * seats + len(pairs))]
        if halves and game % 3 == 0:
            scores[seats] = f"{scores[seats]}.5"
        rows.append([game, f"2026-01-{1 + game % 28:02}", *chance.sample(PLAYERS, seats), *scores, f"клуб {game % 3}"])
    return heading, rows


def long_rows(games=30, seed=2):
    """Return a heading and rows of the long layout, games of three and of four."""
    chance = random.Random(seed)
    heading = ["game", "date", "player", "pulya", "gora", "whists_1", "whists_2", "whists_3", "whists_4", "Клуб"]
    rows = []
    for game in range(1, games + 1):
        seats = chance.choice((3, 4))
        for seat, name in enumerate(chance.sample(PLAYERS, seats)):
            whists = ["" if on == seat or on >= seats else chance.randrange(0, 90) for on in range(4)]
            row = [f"Игра-{game}", f"{1 + game % 28:02}.01.2026", name]
            rows.append([*row, chance.randrange(9), chance.randrange(9), *whists, game])
    return heading, rows


def put(path, heading, rows, delimiter=","):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows([heading, *rows])
    return path


def records(path, delimiter=","):
    """Return the rows of a text file, numbers as numbers: 38.0 is 38."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [[_plain(cell) for cell in row] for row in csv.reader(file, delimiter=delimiter)]


def _plain(cell):
    try:
        number = float(cell.replace(",", "."))
        return number if number == number else cell
    except ValueError:
        return cell


def told(findings):
    return sorted((f.reason, f.file, f.cell, f.found, _details(f)) for f in findings)


def _details(finding):
    # the note on empty cells is about all of them: which game the first is in is not part of its sentence
    names = ("count",) if finding.reason == "empty-as-zero" else sorted(finding.details)
    return [(name, str(finding.details[name])) for name in names]


def both(source, tmp_path, ending=".csv", dialect="plain", **options):
    """Return what a stream makes of ``source``, and what comes of it at once."""
    at_once = prefxl.read(source).settle(**options)
    at_once.write(tmp_path / f"once{ending}", csv=dialect)
    streamed = settle_stream(source, tmp_path / f"stream{ending}", csv=dialect, **options)
    assert len(streamed) == len(at_once)
    return streamed, at_once


def assert_same(source, tmp_path, **options):
    streamed, at_once = both(source, tmp_path, **options)
    assert records(tmp_path / "stream.csv") == records(tmp_path / "once.csv")
    assert told(streamed.findings) == told(at_once.findings)
    counts = pd.Series([finding.reason for finding in at_once.findings]).value_counts().to_dict()
    assert streamed.counts == counts
    assert streamed.lang == at_once.lang


@pytest.mark.parametrize("convention", ["rozaliev", "leningrad", "prefcount-sochi"])
@pytest.mark.parametrize("rounding", [None, "balanced", "exact"])
def test_clean_wide_games_come_out_the_same(tmp_path, convention, rounding):
    source = put(tmp_path / "клуб.csv", *wide_rows())
    assert_same(source, tmp_path, convention=convention, rounding=rounding, stake="0.5")


def test_halves_come_out_the_same(tmp_path):
    assert_same(put(tmp_path / "a.csv", *wide_rows(halves=True)), tmp_path)


def test_long_games_of_three_and_four_come_out_the_same(tmp_path):
    assert_same(put(tmp_path / "a.csv", *long_rows()), tmp_path)


def test_strange_cells_take_the_ordinary_way_with_their_findings(tmp_path):
    heading, rows = wide_rows()
    rows[3][7] = "семь"
    rows[9][6] = -4
    rows[12][11] = "Ø"
    rows[13][10] = "½"
    rows[14][8] = "7.3"
    rows[17][3] = rows[17][2]
    rows[20][12] = ""
    rows[21][15] = "2000000000"
    rows[25][2] = " Аня\u00a0 "
    rows[30][4] = "вера"
    rows[33][10] = "0x10"
    rows[34][:] = ["Итого", "", *[""] * 4, *[5] * 20, ""]
    assert_same(put(tmp_path / "a.csv", heading, rows), tmp_path)


DIRT = (
    "", "x", "½", "7,5", "-3", "1e3", " 5", "+4", "1 000", "ØØ35", "Итого", "=1+1", "nan", "NA", "null", "007", "—",
    "3.25", "12345678901234567890", "True", "1.0", "a,b", 'q"r', "аня", "Aня", "2026-01-05",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("make", [wide_rows, long_rows])
def test_random_dirt_comes_out_the_same(tmp_path, make, seed):
    chance = random.Random(seed)
    heading, rows = make(20, seed=seed)
    rows = [list(map(str, row)) for row in rows]
    for _ in range(6):
        chance.choice(rows)[chance.randrange(1, len(heading))] = chance.choice(DIRT)
    convention, rounding = chance.choice(["rozaliev", "sochi"]), chance.choice([None, "divisible", "truncate"])
    assert_same(put(tmp_path / "a.csv", heading, rows), tmp_path, convention=convention, rounding=rounding)


def test_players_without_numbers_remarks_and_odd_dates_are_told_as_at_once(tmp_path):
    heading, rows = wide_rows()
    for place, head in enumerate(heading):
        if head in ("pulya_2", "gora_2") or head.startswith("whists_2"):
            rows[7][place] = ""
    rows[11][1], rows[20][1], rows[21][1] = "31.02.2026", "вчера", "янв. 2026"
    rows.insert(30, ["", "", "Вера ушла раньше", *[""] * (len(heading) - 3)])
    assert_same(put(tmp_path / "wide.csv", heading, rows), tmp_path)


def test_players_without_numbers_and_odd_dates_of_a_long_file_are_told_as_at_once(tmp_path):
    heading, rows = long_rows()
    rows[5][3:9] = [""] * 6
    rows[20][1] = "сегодня"
    assert_same(put(tmp_path / "long.csv", heading, rows), tmp_path)


def test_dates_that_only_their_column_explains_need_the_whole_file(tmp_path):
    heading, rows = wide_rows(5)
    rows[1][1] = "1/2/2026"
    with pytest.raises(NotStreamableError):
        settle_stream(put(tmp_path / "wide.csv", heading, rows), tmp_path / "out.csv")


def test_games_of_three_among_games_of_four_keep_their_place(tmp_path):
    heading, rows = wide_rows()
    for row in rows[5:9]:
        row[5] = row[9] = row[13] = ""
        for place in (16, 19, 22, 23, 24, 25):
            row[place] = ""
    rows[11][3] = ""
    assert_same(put(tmp_path / "a.csv", heading, rows), tmp_path)


def test_games_that_say_their_own_terms_are_settled_by_them(tmp_path):
    heading, rows = wide_rows()
    rows = [[*row, "sochi" if row[0] % 5 == 0 else "", "что-то" if row[0] == 7 else ""] for row in rows]
    assert_same(put(tmp_path / "a.csv", [*heading, "Конвенция", "Округление"], rows), tmp_path)


def test_a_rounding_that_cannot_be_applied_is_a_finding_on_that_game(tmp_path):
    heading, rows = wide_rows()
    rows[7][10] = ""
    assert_same(put(tmp_path / "a.csv", heading, rows), tmp_path, convention="rozaliev", rounding="divisible")


def test_an_id_that_stands_twice_is_told(tmp_path):
    heading, rows = wide_rows()
    rows[30][:2] = rows[4][:2]
    rows[31][0] = rows[5][0]
    assert_same(put(tmp_path / "a.csv", heading, rows), tmp_path)


def test_lines_of_another_width_and_blank_lines_keep_the_count_of_lines(tmp_path):
    heading, rows = wide_rows()
    rows[8] = [*rows[8], "7", "8"]
    rows[12] = rows[12][:-2]
    rows.insert(20, [])
    rows[29][7] = "семь"
    assert_same(put(tmp_path / "a.csv", heading, rows), tmp_path)


@pytest.mark.parametrize("row", range(8))
@pytest.mark.parametrize("change", [lambda row: row[:-1], lambda row: [*row, "7", "8"], lambda row: row[:3]])
def test_a_broken_line_anywhere_in_a_long_file_is_told_as_at_once(tmp_path, row, change):
    heading, rows = long_rows(12)
    # nobody has whists: nothing shows that a player is missing
    rows = [[*line[:5], *["0" if cell != "" else "" for cell in line[5:9]], *line[9:]] for line in rows]
    rows[row] = change(rows[row])
    assert_same(put(tmp_path / "long.csv", heading, rows), tmp_path)


def test_two_broken_lines_of_one_game_are_told_as_at_once(tmp_path):
    heading, rows = long_rows(12)
    rows[0:2] = [[*row, "7"] for row in rows[0:2]]
    assert_same(put(tmp_path / "long.csv", heading, rows), tmp_path)


def test_faulty_games_of_the_long_layout_are_told_and_left_out(tmp_path):
    heading, rows = long_rows()
    rows[6][3] = "x"
    rows[20][2] = ""
    rows[40][2] = rows[41][2]
    rows[50][8] = "12"
    rows[60][4] = rows[70][3] = rows[80][7] = rows[80][6] = ""
    assert_same(put(tmp_path / "a.csv", heading, rows), tmp_path)


def test_texts_with_separators_quotes_and_formulas_stay_texts(tmp_path):
    heading, rows = wide_rows()
    rows[4][-1] = 'клуб "Ёлка", зал 2'
    rows[5][-1] = "=1+1"
    rows[6][2] = "@Аня"
    rows[7][-1] = "  "
    assert_same(put(tmp_path / "a.csv", heading, rows), tmp_path)


def test_own_columns_that_begin_empty_are_kept_and_wholly_empty_ones_are_not(tmp_path):
    heading, rows = wide_rows()
    rows = [[*row, "", "поздно" if row[0] == 37 else ""] for row in rows]
    assert_same(put(tmp_path / "a.csv", [*heading, "Пусто", "Заметка"], rows), tmp_path)


def test_the_russian_dialect_is_written_as_at_once(tmp_path):
    source = put(tmp_path / "a.csv", *wide_rows(halves=True), delimiter=";")
    both(source, tmp_path, dialect="ru", stake="0,5")
    assert records(tmp_path / "stream.csv", ";") == records(tmp_path / "once.csv", ";")
    assert (tmp_path / "stream.csv").read_bytes().count(b"\r\n") == 161


def test_parquet_goes_to_parquet(tmp_path):
    heading, rows = wide_rows()
    rows[3][7] = -1
    frame = pd.DataFrame(rows, columns=heading)
    frame["date"] = pd.to_datetime(frame["date"]).dt.date
    frame["gora_2"] = frame["gora_2"] + 0.5
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), tmp_path / "a.parquet")
    streamed, at_once = both(tmp_path / "a.parquet", tmp_path, ".parquet")
    assert told(streamed.findings) == told(at_once.findings)
    ours, theirs = (pd.read_parquet(tmp_path / f"{name}.parquet") for name in ("stream", "once"))
    pd.testing.assert_frame_equal(ours, theirs, check_dtype=False)


def test_ids_that_turn_into_texts_are_texts_throughout_in_parquet(tmp_path):
    heading, rows = wide_rows()
    rows[33][0] = "финал"
    source = put(tmp_path / "a.csv", heading, rows)
    settle_stream(source, tmp_path / "o.parquet")
    assert pd.read_parquet(tmp_path / "o.parquet")["game"].iloc[[0, -1]].tolist() == ["1", "40"]


def test_own_columns_of_numbers_are_numbers_in_parquet_until_a_word_stands_in_them(tmp_path):
    heading, rows = wide_rows()
    rows = [[*row, row[0] * 2, "мало" if row[0] == 39 else 1] for row in rows]
    source = put(tmp_path / "a.csv", [*heading, "Стол", "Тур"], rows)
    both(source, tmp_path, ".parquet")
    ours, theirs = (pd.read_parquet(tmp_path / f"{name}.parquet") for name in ("stream", "once"))
    assert ours["Стол"].dtype == theirs["Стол"].dtype
    assert ours["Тур"].tolist() == [str(value) for value in theirs["Тур"]]


def test_several_files_are_one_season(tmp_path):
    heading, rows = wide_rows()
    first, second = put(tmp_path / "a.csv", heading, rows[:20]), put(tmp_path / "b.csv", heading, rows[18:])
    assert_same([first, second], tmp_path)


def test_the_sums_of_the_season_are_those_of_its_standings(tmp_path):
    heading, rows = wide_rows(halves=True)
    rows[12][11] = "Ø"
    source = put(tmp_path / "a.csv", heading, rows)
    sums = settle_stream(source, tmp_path / "o.csv", season=True, stake="0.5").sums.frame()
    whole = prefxl.read(source).settle(stake="0.5").standings()
    whole = whole.sort_values(["sum", "player"], ascending=[False, True], ignore_index=True)
    pd.testing.assert_frame_equal(sums, whole[list(sums.columns)], check_dtype=False)


def test_kept_findings_are_bounded_and_all_are_counted(tmp_path):
    source = put(tmp_path / "a.csv", *wide_rows())
    streamed = settle_stream(source, tmp_path / "o.csv", keep=3)
    assert [finding.cell for finding in streamed.findings] == ["A2", "A3", "A4"]
    assert streamed.counts == {"unequal-pulyas": 40}


def test_where_an_agreed_pulya_leaves_two_conventions_alike_nothing_is_noted(tmp_path):
    source = put(tmp_path / "a.csv", *wide_rows())
    assert settle_stream(source, tmp_path / "o.csv", target="largest").counts == {}


def test_what_needs_the_whole_file_does_not_stream(tmp_path):
    heading, rows = wide_rows(4)
    source = put(tmp_path / "a.csv", heading, rows)
    assert can_stream([source], "o.csv")
    assert not can_stream([source], "o.xlsx")
    assert not can_stream([put(tmp_path / "b.csv", heading[1:], [row[1:] for row in rows])], "o.csv")
    (tmp_path / "c.csv").write_bytes(source.read_bytes().decode("utf-8").encode("cp1251"))
    assert not can_stream([tmp_path / "c.csv"], "o.csv")


@pytest.mark.parametrize("score", [7, "½", "семь"])
@pytest.mark.parametrize("blank", ["", "  ", "\u00a0"])
def test_a_game_without_an_id_far_below_is_left_to_the_whole_reader(tmp_path, blank, score):
    heading, rows = wide_rows()
    rows[35][0], rows[35][11] = blank, score
    source = put(tmp_path / "a.csv", heading, rows)
    with pytest.raises(NotStreamableError):
        settle_stream(source, tmp_path / "o.csv")
    assert not (tmp_path / "o.csv").exists()


def test_an_existing_file_is_in_the_way(tmp_path):
    source = put(tmp_path / "a.csv", *wide_rows(4))
    (tmp_path / "o.csv").write_text("mine")
    with pytest.raises(FileInTheWayError, match=r"o\.csv"):
        settle_stream(source, tmp_path / "o.csv")


def test_other_endings_are_refused(tmp_path):
    source = put(tmp_path / "a.csv", *wide_rows(4))
    with pytest.raises(OptionError, match=r"written to \.csv, \.tsv or \.parquet"):
        settle_stream(source, tmp_path / "o.xlsx")


def test_an_id_that_is_a_number_in_one_piece_and_among_texts_in_another_is_the_same_id(tmp_path):
    heading, rows = wide_rows()
    rows[30][:2], rows[31][0] = rows[4][:2], "финал"
    rows[32][0], rows[33][0] = "007", "7 "
    assert_same(put(tmp_path / "a.csv", heading, rows), tmp_path)


def test_ids_that_stand_twice_in_a_faulty_piece_are_told_from_above(tmp_path):
    heading, rows = wide_rows()
    rows[3][7], rows[4][7] = "½", "½"
    rows[5][:2], rows[20][:2], rows[38][:2] = rows[3][:2], rows[3][:2], rows[3][:2]
    for row in (6, 7, 25):
        rows[row][0] = "Янв-1"
    rows[6][1] = rows[25][1]
    assert_same(put(tmp_path / "a.csv", heading, rows), tmp_path)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_ids_repeated_in_files_and_across_them_are_told_as_at_once(tmp_path, seed, ending):
    chance = random.Random(seed)
    paths = []
    for number in range(3):
        heading, rows = wide_rows(25, seed=seed)
        for row in rows:
            row[0] = chance.choice([*range(20), "Янв-1", "007", "финал", 10**16])
            row[1] = chance.choice(["", "2026-01-05", "2026-01-06"])
        paths.append(put(tmp_path / f"{number}.csv", heading, [[str(cell) for cell in row] for row in rows]))
        if ending == ".parquet":
            frame = pd.DataFrame([[str(cell) for cell in row] for row in rows], columns=heading)
            paths[-1] = paths[-1].with_suffix(ending)
            pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), paths[-1])
    assert_same(paths, tmp_path)


def test_rows_of_one_long_game_in_two_files_are_two_games_told_to_be_one(tmp_path):
    heading, rows = long_rows(6)
    first, second = put(tmp_path / "a.csv", heading, rows), put(tmp_path / "b.csv", heading, rows[:4])
    assert_same([first, second], tmp_path)


def test_two_texts_of_one_digest_are_not_one_game(tmp_path, monkeypatch):
    from prefxl.stream import ids

    heading, rows = wide_rows()
    rows[5][0], rows[30][0] = "Янв-1", "Янв-2"
    rows[6][0], rows[31][0] = "Янв-3", "Янв-3"
    rows[6][1] = rows[31][1]
    monkeypatch.setattr(ids.pd.util, "hash_array", lambda values, categorize: ids.np.ones(len(values), ids.np.uint64))
    assert_same(put(tmp_path / "a.csv", heading, rows), tmp_path)


def test_findings_on_ids_that_stand_twice_are_bounded_and_all_are_counted(tmp_path, monkeypatch):
    from prefxl.stream import ids

    monkeypatch.setattr(ids, "_TOGETHER", 7)
    source = put(tmp_path / "a.csv", *wide_rows(30))
    streamed = settle_stream([source, source, source], tmp_path / "o.csv", keep=3)
    assert [finding.cell for finding in streamed.findings if finding.reason == "game-twice"] == ["A2", "A3", "A4"]
    assert streamed.counts["game-twice"] == 60


@pytest.mark.parametrize("corrected", ["Аня", " Борис ", 0, 3, "4", "никто", 7])
@pytest.mark.parametrize("make", [wide_rows, long_rows])
def test_the_player_whose_gora_is_corrected_comes_out_the_same(tmp_path, corrected, make):
    heading, rows = make()
    rows[3][3] = "х" if make is wide_rows else rows[3][3]
    source = put(tmp_path / "a.csv", heading, rows)
    assert_same(source, tmp_path, convention="sochi", rounding="divisible", corrected=corrected)


def test_a_strict_stream_writes_nothing_where_anything_is_worth_a_look(tmp_path):
    heading, rows = wide_rows()
    clean = put(tmp_path / "a.csv", heading, rows)
    assert settle_stream(clean, tmp_path / "o.csv", strict=True, convention="leningrad").written
    rows[38][7] = "семь"
    streamed = settle_stream(put(tmp_path / "b.csv", heading, rows), tmp_path / "p.csv", strict=True)
    assert not streamed.written
    assert (len(streamed), streamed.counts["not-a-number"]) == (39, 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "b.csv", "o.csv"]


@pytest.mark.parametrize("blank", ["", "  "])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_no_piece_ends_at_a_row_without_an_id_within_a_game(tmp_path, monkeypatch, blank, ending):
    heading, rows = long_rows(12)
    rows = [[str(cell) for cell in row] for row in rows]
    rows = [line for row in rows for line in (row, [blank] * len(row))][:-1]
    source = put(tmp_path / "a.csv", heading, rows)
    table = pa.table([list(column) for column in zip(*rows, strict=True)], names=heading)
    pq.write_table(table, tmp_path / "a.parquet")
    for size in range(100, 300, 10):
        monkeypatch.setattr(pieces, "PIECE_BYTES", size)
        monkeypatch.setattr(pieces, "PIECE_ROWS", size // 30)
        if ending == ".csv":
            texts = [piece.data.decode().splitlines() for piece in pieces.text_pieces(source, ",", 0)]
            found = [{line.partition(",")[0].strip() for line in lines} - {""} for lines in texts]
        else:
            whole = pieces.parquet_pieces(tmp_path / "a.parquet", "game")
            found = [set(piece.table.column(0).to_pylist()) - {blank} for piece in whole]
        assert len(found) > 1
        assert sorted(game for games in found for game in games) == sorted({row[0] for row in rows} - {blank})


def test_rows_of_a_faulty_game_that_stand_apart_need_the_whole_file(tmp_path):
    heading, rows = long_rows()
    rows[0][3] = "x"
    rows.append([*rows[0][:2], *rows[-1][2:]])
    assert rows[0][0] not in {row[0] for row in rows[4:-1]}
    with pytest.raises(NotStreamableError):
        settle_stream(put(tmp_path / "a.csv", heading, rows), tmp_path / "o.csv")


def test_a_long_file_with_quoted_fields_of_several_lines_is_read_whole_wherever_its_pieces_end(tmp_path, monkeypatch):
    heading, rows = long_rows(12)
    rows[-1][-1] = "первая\nвторая,строка"
    source = put(tmp_path / "a.csv", heading, rows)
    for size in range(150, 500, 70):
        monkeypatch.setattr(pieces, "PIECE_BYTES", size)
        with pytest.raises(NotStreamableError):
            settle_stream(source, tmp_path / "o.csv")
