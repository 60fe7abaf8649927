"""Real programs take what is written: the Open XML SDK finds nothing new, LibreOffice opens it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from prefxl.workbook.package import annotate, inspect
from tests.clients.validator import find_validator, sdk_findings
from tests.workbook.package.books import FEATURES, changes, make, make_donor
from tests.workbook.package.test_shared_workbooks import BOOKS

pytestmark = pytest.mark.clients
CASES = [*FEATURES, *BOOKS]


@pytest.fixture(params=CASES, ids=lambda case: case if isinstance(case, str) else case.name)
def pair(request, tmp_path):
    source = make(tmp_path, request.param) if isinstance(request.param, str) else request.param
    target = tmp_path / f"annotated{source.suffix}"
    annotate(source, target, changes(source), donor=make_donor(tmp_path))
    return source, target


def test_the_sdk_finds_nothing_that_it_did_not_find_before(pair):
    find_validator()
    before, after = (sdk_findings(path) for path in pair)
    assert {(part, message) for part, _, message in after} <= {(part, message) for part, _, message in before}


def test_libreoffice_opens_it_and_sees_our_cells(pair, tmp_path):
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice is not installed")
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    filter_ = "csv:Text - txt - csv (StarCalc):59,34,76,1,,0,false,true,false,false,false,-1"
    command = [office, profile, "--headless", "--convert-to", filter_, "--outdir", str(tmp_path / "csv"), str(pair[1])]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    sheets = {path.stem.split("-", 1)[1]: path.read_text("utf-8") for path in Path(tmp_path / "csv").glob("*.csv")}
    ours = [text for name, text in sheets.items() if name.startswith("Партии")]
    assert any("27.5" in text and "Итог" in text for text in ours)
    assert any("Анна & Ко" in text for text in sheets.values())


def test_ours_is_known_again_after_libreoffice_has_saved_the_workbook(tmp_path):
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice is not installed")
    source, target = make(tmp_path, "rich"), tmp_path / "annotated.xlsx"
    annotate(source, target, changes(source), donor=make_donor(tmp_path))
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = [office, profile, "--headless", "--convert-to", "xlsx", "--outdir", str(tmp_path / "saved"), str(target)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    saved = tmp_path / "saved" / "annotated.xlsx"
    assert [sheet.name for sheet in inspect(saved).our_sheets] == ["Таблица", "Правила"]
    assert [sheet.typed for sheet in inspect(saved).our_sheets] == [(), ()]
    report = annotate(saved, tmp_path / "again.xlsx", changes(saved), donor=make_donor(tmp_path))
    assert (report.removed_cells, report.removed_notes, report.cells, report.notes) == (7, 3, 7, 3)
    assert report.not_placed == []
    assert list(report.sheets.values()) == ["Таблица", "Правила"]
