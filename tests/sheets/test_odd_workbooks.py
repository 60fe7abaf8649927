"""Workbooks with sheets that no reader knows what to do with: the score sheet beside them is read all the same."""

import io
import re
import zipfile

import pytest

import prefxl.sheets as sheets
from prefxl.errors import FileError
from tests.sheets.samples import FIRST, LONG, scores, xlsx_bytes

WORKBOOK, RELATIONS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
RULES = [["Правила"], ["Сочинка"]]
MICROSOFT = "http://schemas.microsoft.com/office/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def repacked(data, renamed=None, **changes):
    """Return a package with parts changed (each by a function of its text) and renamed."""
    source, buffer = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name in source.namelist():
            text = source.read(name).decode()
            change = changes.get(name.rpartition("/")[2].partition(".")[0])
            text = change(text) if change and (name.startswith("xl/w") or name == RELATIONS) else text
            for old, new in (renamed or {}).items():
                text = text.replace(old, new)
            package.writestr((renamed or {}).get(f"/{name}", name).lstrip("/"), text)
    return buffer.getvalue()


def two_sheets(**changes):
    return repacked(xlsx_bytes({"Правила": RULES, "Игры": LONG}), **changes)


def of_first_sheet(old, new):
    """Return a function that changes the entry of the first worksheet in the workbook and its relation."""
    return lambda text: re.sub(old, new, text, count=1)


@pytest.mark.parametrize(
    "entry",
    [r' state="veryHidden" r:id=""', r' state="show" r:id="rId1"', r' r:id="rId99"'],
    ids=["no-part", "odd-state", "lost-part"],
)
def test_an_entry_of_no_use_in_the_list_of_sheets_hides_no_games(entry):
    # modules of Excel 5 are listed to this day without a part
    data = repacked(
        xlsx_bytes({"Модуль1": RULES, "Игры": LONG}),
        workbook=of_first_sheet(r' state="visible" r:id="rId1"', entry),
    )
    assert scores(sheets.read(data))[0] == FIRST


def test_a_sheet_of_macros_hides_no_games():
    data = repacked(
        xlsx_bytes({"Макрос1": RULES, "Игры": LONG}),
        renamed={
            "/xl/worksheets/sheet1.xml": "/xl/macrosheets/sheet1.xml",
            f'Type="{OFFICE}/worksheet" Target="/xl/macro': f'Type="{MICROSOFT}/xlMacrosheet" Target="/xl/macro',
        },
    )
    assert "xlMacrosheet" in zipfile.ZipFile(io.BytesIO(data)).read(RELATIONS).decode()
    games = sheets.read(data)
    assert scores(games)[0] == FIRST
    assert [one.reason for one in games.findings] == []


@pytest.mark.parametrize("part", ["/xl/Листы/первый.xml", "/sheet.xml", "/xl/sheets/1.xml"])
def test_a_worksheet_may_be_a_part_of_any_name(part):
    data = repacked(xlsx_bytes({"Игры": LONG}), renamed={"/xl/worksheets/sheet1.xml": part})
    assert scores(sheets.read(data))[0] == FIRST


def test_a_hidden_sheet_of_an_odd_workbook_is_told_as_hidden():
    data = repacked(
        xlsx_bytes({"Модуль1": RULES, "Игры": LONG}),
        workbook=lambda text: text.replace('state="visible" r:id="rId1"', 'r:id=""').replace("visible", "veryHidden"),
    )
    games = sheets.read(data)
    assert scores(games)[0] == FIRST
    assert [(one.reason, one.sheet) for one in games.findings] == [("hidden", "Игры")]


# never a thousand rows without a cell, and hardly a cell
EMPTY = "".join(f'<row r="{row}"><c r="ZZ{row}"><v>1</v></c></row>' for row in range(20, 900_000, 990))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("</sheetData>", '</sheetData><mergeCells count="1"><mergeCell ref="A:A"/></mergeCells>', "cannot be read"),
        ("</sheetData>", f"{EMPTY}</sheetData>", "as far as ZZ899930"),
    ],
    ids=["columns-merged", "large-and-empty"],
)
def test_a_worksheet_that_cannot_be_read_is_left_out_with_a_warning(old, new, sentence):
    damage = {"sheet1": lambda text: text.replace(old, new)}
    games = sheets.read(two_sheets(**damage))
    assert scores(games)[0] == FIRST
    (finding,) = games.findings
    assert (finding.reason, finding.severity, finding.sheet) == ("left-out", "warning", "Правила")
    assert sentence in finding.message("en")
    with pytest.raises(FileError, match=sentence):
        sheets.read(repacked(xlsx_bytes({"Игры": LONG}), **damage))


def nameless(text):
    """Return a worksheet's XML whose rows are filled with blank cells, so that none needs a name."""

    def row(match):
        cells = {re.search(r'r="([A-Z])', cell)[1]: cell for cell in re.findall(r"<c .*?(?:</c>|/>)", match[0])}
        hidden = ' hidden="1"' if "hidden" in match[0] else ""
        return f"<row{hidden}>" + "".join(cells.get(letter, f'<c r="{letter}1"/>') for letter in "ABCDEFGHI") + "</row>"

    text = re.sub(r"<row .*?</row>", row, text)
    return re.sub(r'<c r="[A-Z]+\d+"', "<c", text)


@pytest.mark.parametrize(
    ("cell", "reason"),
    [('<c r="E3" t="e"><v>#N/A</v></c>', "error-value"), ('<c r="E3"><f>2+2</f></c>', "no-cached-value")],
)
def test_an_error_in_a_cell_without_a_name_is_no_zero(cell, reason):
    # programs that write cells one after the other may leave the names out; Excel reads them
    def change(text):
        return nameless(re.sub(r'<c r="E3"[^>]*>.*?</c>', cell, text))

    games = sheets.read(repacked(xlsx_bytes({"Игры": LONG}), sheet1=change))
    assert [(one.reason, one.cell) for one in games.findings] == [(reason, "E3")]
    assert [game for game, *_ in scores(games)] == [2]


def test_a_hidden_row_without_a_number_is_told():
    change = lambda text: nameless(text.replace('<row r="3"', '<row hidden="1" r="3"'))  # noqa: E731
    games = sheets.read(repacked(xlsx_bytes({"Игры": LONG}), sheet1=change))
    assert scores(games)[0] == FIRST
    assert [(one.reason, one.found) for one in games.findings] == [("hidden", "3")]
