"""Every workbook this part ships or writes, before Microsoft's validator and our own lint."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from prefxl.live.templates import WRITERS, write_template
from tests.clients.lint import lint
from tests.clients.validator import sdk_findings

TEMPLATES = Path(__file__).parents[2] / "templates"
SHIPPED = sorted(path.name for path in TEMPLATES.glob("*.xlsx"))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The workbooks that are made on the user's machine."""
    pytest.importorskip("pyopenvba", reason="pyOpenVBA, which writes VBA, is not installed")
    from prefxl.live.addin import write_addin
    from prefxl.live.udf_workbook import write_udf_workbook

    folder = tmp_path_factory.mktemp("written")
    return {path.name: path for path in (write_udf_workbook(folder / "udf.xlsm"), write_addin(folder / "prefxl.xlam"))}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_workbooks_pass_our_lint(name):
    assert lint(TEMPLATES / name) == []


@pytest.mark.parametrize("name", ["udf.xlsm", "prefxl.xlam"])
def test_written_workbooks_pass_our_lint(written, name):
    assert lint(written[name]) == []


@pytest.mark.clients
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_workbooks_pass_microsofts_validator(name):
    assert sdk_findings(TEMPLATES / name) == set()


@pytest.mark.clients
@pytest.mark.parametrize("name", ["udf.xlsm", "prefxl.xlam"])
def test_written_workbooks_pass_microsofts_validator(written, name):
    assert sdk_findings(written[name]) == set()


def test_every_template_of_this_part_is_shipped():
    assert set(WRITERS) <= set(SHIPPED)


BREAKS = {
    "twice": ("xl/worksheets/sheet1.xml", '<c r="B5"', '<c r="C5"', "the cell C5 twice"),
    "brackets": ("xl/worksheets/sheet1.xml", "<f>ROUND(", "<f>ROUND((", "unbalanced brackets"),
    "prefix": ("xl/worksheets/sheet1.xml", "<f>ROUND(", "<f>LET(", "LET without its prefix"),
    "merge": ("xl/worksheets/sheet1.xml", '<mergeCell ref="H6:H8"/>', '<mergeCell ref="H6:I8"/>', "overlaps"),
    "silent rule": ("xl/worksheets/sheet1.xml", 'showErrorMessage="1"', "", "stops nothing"),
    "sheet name": ("xl/workbook.xml", 'name="Score sheet"', f'name="{"x" * 32}"', "the sheet name"),
    "name": ("xl/workbook.xml", 'name="_xlnm.Print_Area"', 'name="A1"', "the name 'A1' is not one"),
    "styles": (
        "xl/_rels/workbook.xml.rels",
        "relationships/styles",
        "relationships/other",
        "the styles are not related",
    ),
    "part": ("xl/_rels/workbook.xml.rels", "styles.xml", "nothing.xml", "which is not there"),
}


@pytest.mark.parametrize("fault", BREAKS)
def test_the_lint_sees_what_is_broken_on_purpose(tmp_path, fault):
    part, old, new, sentence = BREAKS[fault]
    made, broken = write_template("pulka-3.xlsx", tmp_path / "made.xlsx"), tmp_path / "broken.xlsx"
    with zipfile.ZipFile(made) as source, zipfile.ZipFile(broken, "w") as target:
        for name in source.namelist():
            content = source.read(name).decode() if name.endswith((".xml", ".rels")) else source.read(name)
            if name == part:
                assert old in content
                content = content.replace(old, new, 1)
            target.writestr(name, content)
    assert any(sentence in told for told in lint(broken))
