"""Text formats: exact columns, no formula injection, the dialect of Russian Excel."""

from __future__ import annotations

import csv
from datetime import date

import numpy as np
import pandas as pd
import pytest

from prefxl.errors import FileInTheWayError, OptionError
from prefxl.games import Games
from prefxl.output import write
from prefxl.settled import STEP_COLUMNS


def objects(values):
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


@pytest.fixture
def settled():
    names = ["=1+1", "@Аня", "-Пётр", "+7 Иван"]
    return Games(
        game=objects([1]),
        date=objects([date(2026, 5, 9)]),
        seats=np.array([4]),
        players=objects(names).reshape(4, 1),
        pulya=np.full((4, 1), 40),
        gora=np.array([[8], [20], [42], [33]]),
        whists=np.zeros((4, 4, 1), np.int64),
        own=pd.DataFrame({"=Заметка": ["=HYPERLINK()", "б", None, "г"]}),
    ).settle("sochi")


def rows(path, **dialect):
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream, **dialect))


def test_csv_has_the_columns_in_order_and_a_byte_order_mark(settled, tmp_path):
    path = write(settled, tmp_path / "out.csv")
    assert path.read_bytes().startswith(b"\xef\xbb\xbfgame,date,seat,player,")
    assert tuple(rows(path)[0])[: len(STEP_COLUMNS)] == STEP_COLUMNS
    assert [row["result_exact"] for row in rows(path)] == settled.steps["result_exact"].tolist()


def test_a_name_that_looks_like_a_formula_stays_text_in_csv(settled, tmp_path):
    read = rows(write(settled, tmp_path / "out.csv"))
    assert [row["player"] for row in read] == ["'=1+1", "'@Аня", "'-Пётр", "'+7 Иван"]
    assert read[0]["'=Заметка"] == "'=HYPERLINK()"
    assert any(row["result_exact"].startswith("-") for row in read)


def test_the_russian_dialect_is_what_russian_excel_reads(settled, tmp_path):
    path = write(settled, tmp_path / "out.csv", csv="ru")
    assert b"\r\n" in path.read_bytes()
    first = rows(path, delimiter=";")[0]
    assert first["date"] == "09.05.2026"
    assert "," in first["debt"] or "." not in first["debt"]
    assert rows(path, delimiter=";")[3]["gora"] == "16,5"


def test_parquet_holds_the_same_frame(settled, tmp_path):
    back = pd.read_parquet(write(settled, tmp_path / "out.parquet"))
    assert back["result_exact"].tolist() == settled.steps["result_exact"].tolist()
    assert list(back.columns) == list(settled.steps.columns)


def test_an_existing_file_is_left_alone(settled, tmp_path):
    (tmp_path / "out.csv").write_text("mine")
    with pytest.raises(FileInTheWayError, match="is there already"):
        write(settled, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "mine"
    write(settled, tmp_path / "out.csv", overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_an_ending_nobody_knows_is_refused(settled, tmp_path):
    with pytest.raises(OptionError, match=r"must end in one of \.xlsx"):
        write(settled, tmp_path / "out.doc")


def test_a_dialect_nobody_knows_is_refused(settled, tmp_path):
    with pytest.raises(OptionError, match="plain or ru"):
        write(settled, tmp_path / "out.csv", csv="fr")
    assert not (tmp_path / "out.csv").exists()
