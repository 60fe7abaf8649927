"""Real workbooks with features that are easily lost, where a folder of them is at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook

from prefxl.games import read
from prefxl.workbook.annotate import annotate
from prefxl.workbook.package import WorkbookRefusedError
from tests.clients.validator import sdk_findings

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("PREFXL_WORKBOOKS") or ROOT.parent / "shared" / "cases" / "workbooks")
BOOKS = sorted(path for path in FOLDER.glob("*.xls[xm]")) if FOLDER.is_dir() else []
SHEET = "Партии"

pytestmark = pytest.mark.skipif(not BOOKS, reason="optional: the folder of real workbooks is not there")


def annotated(source, folder, **options):
    """Annotate a workbook; refusing an unfit one is right too."""
    try:
        settled = read(source).settle("leningrad", rounding="exact")
        return settled, annotate(settled, source, folder / source.name, lang="ru", **options)
    except WorkbookRefusedError:
        assert source.stem == "strict"
        pytest.skip("optional: refused with its sentence, as it must be")


@pytest.mark.parametrize("source", BOOKS, ids=lambda path: path.name)
def test_the_results_of_a_real_workbook_are_right_and_stand_beside_its_games(source, tmp_path):
    settled, done = annotated(source, tmp_path)
    answers = json.loads((FOLDER / "answers.json").read_text(encoding="utf-8"))
    steps = settled.steps
    for answer in answers:
        of_game = steps[steps["game"] == answer["game"]]
        assert of_game["player"].tolist() == answer["players"]
        assert of_game["result_exact"].tolist() == answer["leningrad"]
    heading, *lines = CalamineWorkbook.from_path(str(done.path)).get_sheet_by_name(SHEET).to_python()
    at = next(place for place, text in enumerate(heading) if str(text).startswith("Итог"))
    for line, answer in zip(lines, answers, strict=False):
        results = [value for value in line[at : at + 4] if value != ""]
        wanted = [eval_fraction(text) for text in answer["leningrad"]]
        assert results == pytest.approx(wanted)
    assert done.report.not_placed == []
    # sheets without games are not written on
    assert {change.sheet_name for change in done.plan.changes} == {SHEET}


def eval_fraction(text):
    above, _, below = text.partition("/")
    return int(above) / int(below or 1)


@pytest.mark.clients
@pytest.mark.parametrize("source", BOOKS, ids=lambda path: path.name)
def test_microsofts_validator_finds_nothing_new_in_a_real_workbook(source, tmp_path):
    _, done = annotated(source, tmp_path, live=True)
    before = {(part, message) for part, _, message in sdk_findings(source)}
    after = {(part, message) for part, _, message in sdk_findings(done.path)}
    assert after <= before
