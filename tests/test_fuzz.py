"""Whatever the bytes, nothing but an error of ours ever leaves the readers."""

from __future__ import annotations

import io
import os
import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import prefxl.sheets as sheets
from prefxl.errors import PrefxlError
from tests.sheets.samples import LONG, WIDE, csv_bytes, xlsx_bytes
from tests.sheets.xlsb import xlsb_bytes

FILES = Path(__file__).parent / "sheets" / "files"
TEXTS = [csv_bytes(LONG), csv_bytes(WIDE, ","), csv_bytes(LONG, "\t", "utf-16"), csv_bytes(WIDE, encoding="cp1251")]
BOOK = xlsx_bytes({"Игры": LONG, "Ещё": WIDE})
BINARY = xlsb_bytes([[float(cell) if isinstance(cell, int) else cell for cell in row] for row in LONG])

#: A few examples in every run of the suite; as many as one likes where time is set aside for it.
EXAMPLES = int(os.environ.get("PREFXL_FUZZ", "20"))
BOUNDED = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


def answered(data, options):
    """Return the games, ``None`` for an error of ours, which must speak both languages."""
    try:
        return sheets.read(data, **options)
    except PrefxlError as error:
        sentences = error.en, error.ru
    assert all(sentences)
    return None


def survives(data, **options):
    """Read bytes; an error of ours is an answer."""
    games = answered(data, options)
    if games is None:
        return
    for finding in games.findings:
        assert finding.message("ru")
        assert finding.record("en")["reason"] == finding.reason
    try:
        games.settle()
    except PrefxlError:
        return


@st.composite
def damaged(draw, sources):
    """Bytes with pieces cut out, doubled or replaced."""
    data = bytearray(draw(st.sampled_from(sources)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, max(len(data) - 1, 0)))
        end = min(start + draw(st.integers(0, 40)), len(data))
        data[start:end] = draw(st.one_of(st.binary(max_size=20), st.just(bytes(data[start:end]) * 2)))
    return bytes(data)


@BOUNDED
@given(st.binary(max_size=400))
@example(b"\xff\xfe")
@example(b"\xff\xfeA")
@example(b"PK\x05\x06" + bytes(18))
@example(b"\xff\xfe\0\0\0")
def test_any_bytes(data):
    survives(data)


@BOUNDED
@given(damaged(TEXTS))
def test_damaged_text(data):
    survives(data)


@BOUNDED
@given(
    st.lists(
        st.lists(
            st.sampled_from(
                [
                    "Игрок",
                    "Пуля 1",
                    "Гора",
                    "Висты на",
                    "Висты 1-2",
                    "1",
                    "",
                    "Аня",
                    "№",
                    "Итого",
                    '"',
                    "7,5",
                    "Пуля",
                    "Висты на Аню",
                    "на Борю",
                    "Дата",
                    "04.01.2026",
                    "Игра",
                    "Игрок 2",
                    "Пуля 2",
                    "Ставка",
                    "—",
                ]
            ),
            max_size=8,
        ),
        max_size=12,
    )
)
def test_any_table_of_likely_words(rows):
    survives(csv_bytes(rows))


@BOUNDED
@given(
    st.lists(
        st.lists(
            st.one_of(
                st.none(),
                st.integers(),
                st.floats(),
                st.text(max_size=8),
                st.booleans(),
                st.datetimes(),
                st.sampled_from(["Игрок", "Пуля", "Гора", "Висты на 1", "Висты на 2", "=1/0"]),
            ),
            max_size=6,
        ),
        min_size=1,
        max_size=8,
    )
)
def test_any_cells_of_a_workbook(rows):
    try:
        data = xlsx_bytes({"а": [["Игра", "Игрок", "Пуля", "Гора", "Висты на 1", "Висты на 2"], *rows]})
    except Exception:
        return
    survives(data)


@BOUNDED
@given(damaged([BOOK, BINARY, (FILES / "club.ods").read_bytes(), (FILES / "club.xls").read_bytes()]))
def test_a_damaged_workbook(data):
    survives(data)


@BOUNDED
@given(st.data())
def test_a_damaged_part_of_a_sound_package(data):
    source = zipfile.ZipFile(io.BytesIO(data.draw(st.sampled_from([BOOK, BINARY, (FILES / "club.ods").read_bytes()]))))
    names = [name for name in source.namelist() if name.endswith((".xml", ".bin", ".rels"))]
    spoiled = data.draw(st.sampled_from(names))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name in source.namelist():
            part = source.read(name)
            package.writestr(name, data.draw(damaged([part])) if name == spoiled else part)
    survives(buffer.getvalue())


@BOUNDED
@given(st.text(max_size=30), st.sampled_from(["wide", "long", "form", None]), st.one_of(st.none(), st.text(max_size=3)))
def test_any_options(name, layout, sheet):
    survives(BOOK, layout=layout, sheet=sheet, names={name: "Аня"}, mapping={name: "pulya"})


@pytest.mark.parametrize("text", ["\x00", "\ud800", "a" * 300_000, '"' * 999, ";" * 9999, "\r" * 999, "\u2028" * 99])
def test_strange_texts(text):
    survives(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("encoding", ["UUTF-8", "utf-7", "utf-32", "idna", "rot13", "hex", "zlib", ""])
@pytest.mark.parametrize("source", [BOOK, BINARY, (FILES / "club.ods").read_bytes()], ids=["xlsx", "xlsb", "ods"])
def test_a_part_in_an_encoding_that_no_parser_takes(source, encoding):
    parts = zipfile.ZipFile(io.BytesIO(source))
    for name in parts.namelist():
        if not name.endswith((".xml", ".rels")):
            continue
        told = re.sub(rb"^<\?xml[^>]*\?>", b"", parts.read(name))
        declared = f'<?xml version="1.0" encoding="{encoding}"?>'.encode() + told
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as package:
            for one in parts.namelist():
                package.writestr(one, declared if one == name else parts.read(one))
        survives(buffer.getvalue())
