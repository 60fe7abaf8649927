"""Real-world workbooks, one a feature, that are not part of the project: they are beside it where they are at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from prefxl.workbook.package import Refusal, WorkbookRefusedError, annotate, inspect, strip
from tests.workbook.package.books import changes, make_donor, parts, values

FOLDER = Path(__file__).parents[4] / "shared" / "cases" / "workbooks"
BOOKS = sorted(path for path in FOLDER.glob("*.xls[xm]") if path.stem != "strict") if FOLDER.is_dir() else []
SHEET = "Партии"

pytestmark = pytest.mark.skipif(not BOOKS, reason="optional: the shared workbooks are not here")


@pytest.fixture(params=BOOKS, ids=lambda path: path.name)
def book(request):
    return request.param


def test_only_what_may_change_changes(book, tmp_path):
    target = tmp_path / book.name
    annotate(book, target, changes(book, SHEET), donor=make_donor(tmp_path))
    old, new = parts(book), parts(target)
    changed = {name for name in old if old[name] != new.get(name)}
    sheet = inspect(book).sheet(SHEET).part
    folder, name = sheet.rsplit("/", 1)
    allowed = {"[Content_Types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml", sheet}
    assert changed <= allowed | {f"{folder}/_rels/{name}.rels"}
    assert set(old) <= set(new)


def test_earlier_values_stay(book, tmp_path):
    target = tmp_path / book.name
    if book.stat().st_size > 600_000:
        pytest.skip("optional: openpyxl takes seconds for it")
    try:
        before = values(book)
    except (TypeError, ValueError, KeyError, AttributeError) as fault:
        pytest.skip(f"optional: openpyxl cannot read it: {fault}")
    annotate(book, target, changes(book, SHEET), donor=make_donor(tmp_path))
    after = values(target)
    for sheet, cells in before.items():
        assert {name: after[sheet].get(name) for name in cells} == cells


def test_a_second_run_gives_the_same_bytes_and_taking_away_the_same_values(book, tmp_path):
    first, second, bare = (tmp_path / f"{number}{book.suffix}" for number in (1, 2, 3))
    donor = make_donor(tmp_path)
    annotate(book, first, changes(book, SHEET), donor=donor)
    annotate(first, second, changes(first, SHEET), donor=donor)
    assert first.read_bytes() == second.read_bytes()
    strip(second, bare)
    assert set(parts(bare)) - {"xl/styles.xml"} == set(parts(book)) - {"xl/styles.xml"}


def test_the_strict_one_is_refused(tmp_path):
    with pytest.raises(WorkbookRefusedError, match="Strict Open XML") as caught:
        annotate(FOLDER / "strict.xlsx", tmp_path / "out.xlsx", [])
    assert caught.value.refusal is Refusal.STRICT
