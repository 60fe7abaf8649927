"""The workbook and the add-in for Excel for Windows: our VBA run by an interpreter, the files read back."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
from python_calamine import CalamineWorkbook
from xlsxwriter.utility import xl_range, xl_rowcol_to_cell

from prefxl.errors import FileInTheWayError, OptionError
from prefxl.live import help as texts
from prefxl.live import vba
from prefxl.live.addin import write_addin
from prefxl.live.udf_workbook import our_modules, settings_of, write_udf_workbook
from tests.clients.excel_com import ask, column_of
from tests.live.cases import random_cases, shared_cases

pytest.importorskip("pyopenvba", reason="pyOpenVBA, which writes and interprets VBA, is not installed")

VALUE_ERROR = {"error": 2015}
RUSSIAN, AMERICAN = 1049, 1033
CASES = [*shared_cases(), *random_cases(seed=61, count=12)]
WRONG = [
    ([1, 2, 3], [4, "x", 6], [[None, 1, 2], [3, None, 4], [5, 6, None]]),
    ([1, 2, 3], [4, 5, 6], [[7, 1, 2], [3, None, 4], [5, 6, None]]),
    ([1, 2, 3], [4, 5, 6], [[None, 1, 2], [3, None, 4]]),
]


def write_calls(path):
    """Write the sheets of all cases with our own project inside; return the VBA expressions that settle them."""
    book = xlsxwriter.Workbook(path)
    sheet, expressions = book.add_worksheet("S"), []
    for number, (pulya, gora, whists) in enumerate([*((c.pulya, c.gora, c.whists) for c in CASES), *WRONG]):
        top = 6 * number
        places = [(top, 0, pulya), (top, 1, gora)]
        for row, column, values in places:
            sheet.write_column(row, column, values)
        for row, written in enumerate(whists):
            for column, value in enumerate(written):
                sheet.write(top + row, 2 + column, value or None)
        ranges = [xl_range(top, column, top + len(pulya) - 1, column) for column in (0, 1)]
        ranges.append(xl_range(top, 2, top + len(whists) - 1, 1 + len(whists[0])))
        expressions.append([f'Range("{name}")' for name in ranges])
    book.close()
    vba.put_project(path, our_modules())
    return expressions


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Every answer of the interpreted wrapper, from one process."""
    path = tmp_path_factory.mktemp("vba") / "calls.xlsm"
    ranges = write_calls(path)
    expressions = []
    for case, cells in zip(CASES, ranges, strict=False):
        more = [f'"{case.convention}"', f'"{case.rounding}"', str(case.target or ""), str(case.corrected or "")]
        expressions.append(f"PULYA({','.join([*cells, *more]).rstrip(',')})")
    for cells in ranges[len(CASES) :]:
        expressions += [f"PULYA({','.join(cells)})", f'PULYA_WHY({",".join(cells)},,,,,"ru")']
    first = ",".join(ranges[0])
    expressions += [f"PULYA_STEPS({first})", f"PULYA_PAIRS({first})", f'PULYA_PAY({first},"sochi",,0.5,"fewest")']
    return ask({"book": str(path), "expressions": expressions}, "tests.clients.vba_driver")


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda number: CASES[number].id)
def test_every_case_comes_out_of_the_wrapper(answers, number):
    assert column_of(answers[number]) == CASES[number].floats


def test_what_cannot_be_settled_is_a_real_excel_error_and_why_is_a_sentence(answers):
    wrong = answers[len(CASES) : len(CASES) + 2 * len(WRONG)]
    assert wrong[::2] == [VALUE_ERROR] * len(WRONG)
    assert wrong[1::2] == [
        "горы, игрок 2: текст «x» вместо числа",
        "висты, строка 1, столбец 1: висты на самого себя",
        "висты — квадрат от 2 до 5 строк и столбцов, а не 2 на 3",
    ]


def test_the_sisters_give_their_tables(answers):
    steps, pairs, paid = answers[-3:]
    assert [len(row) for row in steps] == [10] * 5
    assert [row[seat] for seat, row in enumerate(pairs)] == [0.0] * 4
    assert paid[0] == ["payer", "payee", "amount"]


@pytest.fixture(scope="module")
def workbook(tmp_path_factory):
    path = tmp_path_factory.mktemp("vba") / "udf.xlsm"
    return write_udf_workbook(path, interpreter=r"C:\Python\python.exe")


@pytest.fixture(scope="module")
def addin(tmp_path_factory):
    return write_addin(tmp_path_factory.mktemp("vba") / "prefxl.xlam", interpreter=r"C:\Python\python.exe")


@pytest.mark.parametrize(("language", "lang"), [(RUSSIAN, "ru"), (AMERICAN, "en")])
def test_opening_it_describes_the_functions_in_the_language_of_excel(workbook, language, lang):
    told, hidden = ask({"book": str(workbook), "language": language}, "tests.clients.vba_driver")
    assert told == [
        [
            function.name,
            getattr(function, lang),
            "Preferans",
            [getattr(argument, lang) for argument in function.arguments],
        ]
        for function in texts.FUNCTIONS
    ]
    # an add-in is shown for a moment, then hidden again
    assert hidden == [False, True]


@pytest.mark.parametrize("source", [vba.wrapper_module(), vba.help_module()])
def test_the_source_is_ascii_with_windows_line_ends_and_lines_vba_takes(source):
    assert source.isascii()
    assert source.count("\n") == source.count("\r\n")
    assert max(map(len, source.splitlines())) < 1023
    assert max(re.findall(r"(?: _\r\n)+", source), key=len, default="").count("\n") < 24


def test_no_argument_is_named_like_a_function_or_a_word_of_vba():
    reserved = {"line", "name", "date", "type", "stop", "get", "let", "set", "string", "next", "me", "is", "to", "step"}
    functions = {function.name.casefold() for function in texts.FUNCTIONS}
    arguments = {argument.name for function in texts.FUNCTIONS for argument in function.arguments}
    assert not arguments & (reserved | functions)
    assert not re.search(r"\bDim [^\n]*\b(line|name|type|date)\b", vba.wrapper_module() + vba.help_module())


@pytest.mark.parametrize("kind", ["workbook", "addin"])
def test_another_program_reads_the_same_modules_back(request, kind):
    olevba = pytest.importorskip("oletools.olevba", reason="oletools, which reads VBA, is not installed")
    path = request.getfixturevalue(kind)
    parser = olevba.VBA_Parser(str(path))
    found = {name: source for _, _, name, source in parser.extract_macros()}
    parser.close()
    for name, source in our_modules().items():
        assert found[f"{name}.bas"].split() == source.split()
    import xlwings

    assert f'XLWINGS_VERSION As String = "{xlwings.__version__}"' in found["xlwings.bas"]
    assert "BSD 3-clause" in found["xlwings.bas"]
    assert {"Dictionary.cls", "ThisWorkbook.cls"} <= set(found)
    project = "prefxl" if kind == "addin" else "xlwings"
    assert f'PROJECT_NAME As String = "{project}"' in found["xlwings.bas"]


@pytest.mark.parametrize(("kind", "content"), [("workbook", "sheet"), ("addin", "addin")])
def test_the_file_says_what_it_is(request, kind, content):
    with zipfile.ZipFile(request.getfixturevalue(kind)) as package:
        kinds = package.read("[Content_Types].xml").decode()
        assert package.testzip() is None
    assert f"application/vnd.ms-excel.{content}.macroEnabled.main+xml" in kinds
    assert "vbaProject" in kinds


def test_the_formulas_spill_and_carry_their_values(workbook):
    with zipfile.ZipFile(workbook) as package:
        sheet = package.read("xl/worksheets/sheet1.xml").decode()
        assert "xl/metadata.xml" in package.namelist()
    assert sheet.count('cm="1"') == 3
    cached = openpyxl.load_workbook(workbook, data_only=True)["PULYA"]
    assert [cached.cell(row, 8).value for row in range(5, 9)] == [43, 293, -353, 17]
    assert cached["A10"].value.startswith("Рассчитано: Розалиев, долги; сумма итогов 0.")


@pytest.mark.parametrize(("kind", "sheet"), [("workbook", "xlwings.conf"), ("addin", "prefxl.conf")])
def test_the_settings_are_texts_spelt_as_xlwings_looks_them_up(request, kind, sheet):
    book = CalamineWorkbook.from_path(str(request.getfixturevalue(kind)))
    rows = book.get_sheet_by_name(sheet).to_python()
    assert rows == [
        ["INTERPRETER_WIN", r"C:\Python\python.exe"],
        ["ADD_WORKBOOK_TO_PYTHONPATH", "false"],
        ["SHOW CONSOLE", "false"],
    ]
    hidden = [about.name for about in book.sheets_metadata if "Hidden" in str(about.visible)]
    assert hidden == [vba.TEXTS_SHEET]
    import xlwings

    source = (Path(xlwings.__file__).parent / "xlwings.bas").read_text()
    assert all(f'GetConfig("{key}"' in source for key, _ in rows)


def test_on_windows_the_interpreter_is_this_one(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert dict(settings_of(None))["INTERPRETER_WIN"] == sys.executable


def test_the_wrapper_calls_a_module_that_is_there():
    subprocess.run([sys.executable, "-c", f"import {vba.UDF_MODULE}"], check=True)


def test_an_existing_file_is_left_alone(workbook, addin):
    with pytest.raises(FileInTheWayError):
        write_udf_workbook(workbook)
    with pytest.raises(FileInTheWayError):
        write_addin(addin)


def test_without_the_writer_of_vba_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyopenvba", None)
    with pytest.raises(OptionError, match="needs the package pyOpenVBA: pip install"):
        write_udf_workbook(tmp_path / "udf.xlsm")
    assert list(tmp_path.iterdir()) == []


def test_cells_of_the_calls_are_where_the_test_thinks():
    assert xl_rowcol_to_cell(6, 2) == "C7"
