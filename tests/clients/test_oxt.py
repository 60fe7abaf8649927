"""The add-in in a real LibreOffice: installed, called, typed into."""

from __future__ import annotations

import ast
import sys
import zipfile
from types import SimpleNamespace

import pytest
import xlsxwriter

from prefxl.live import help as texts
from prefxl.live.libreoffice import build_oxt, oxt_parts
from tests.clients.office import LibreOffice
from tests.live.cases import random_cases, shared_cases

SHEET = "Sheet1"
needs_office = pytest.mark.clients


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    folder = tmp_path_factory.mktemp("office")
    with LibreOffice(folder / "profile") as first:
        first.ask("install", str(build_oxt(folder / "prefxl.oxt")))
    # an extension is there from the next start on
    with LibreOffice(folder / "profile") as running:
        yield running


@pytest.fixture
def book(office):
    name = office.open("private:factory/scalc")
    yield name
    office.ask("close", name)


def column(letter, first, count):
    return [f"{letter}{first + number}" for number in range(count)]


def type_in(office, book, case):
    """Type a sheet in, zeros left blank; return the first three arguments."""
    players = case.players
    typed = dict(zip(column("A", 1, players), case.pulya, strict=True))
    typed |= dict(zip(column("B", 1, players), case.gora, strict=True))
    for other in range(players):
        written = [row[other] for row in case.whists]
        typed |= dict(zip(column("CDEFG"[other], 1, players), written, strict=True))
    office.write(book, SHEET, {name: number or None for name, number in typed.items()})
    return f"A1:A{players};B1:B{players};C1:{'CDEFG'[players - 1]}{players}"


@needs_office
@pytest.mark.parametrize("case", shared_cases(), ids=lambda case: case.id)
def test_every_shared_case_comes_out(office, book, case):
    arguments = type_in(office, book, case)
    rules = [f'"{case.convention}"', f'"{case.rounding}"', case.target or "", case.corrected or ""]
    cells = column("J", 1, case.players)
    office.ask(
        "write_array", book, SHEET, f"{cells[0]}:{cells[-1]}", f"=PULYA({arguments};{';'.join(map(str, rules))})"
    )
    assert office.read(book, SHEET, cells) == case.floats


@needs_office
def test_random_sheets_agree_with_the_rules(office, book):
    for case in random_cases(seed=41, count=40):
        arguments, cells = type_in(office, book, case), column("J", 1, case.players)
        formula = f'=PULYA({arguments};"{case.convention}";"{case.rounding}")'
        office.ask("write_array", book, SHEET, f"{cells[0]}:{cells[-1]}", formula)
        assert office.read(book, SHEET, cells) == case.floats
        # an array cannot be changed in part, so it goes before the next
        office.ask("clear", book, SHEET, "A1:P20")


@needs_office
def test_a_typed_whist_recalculates_at_once(office, book):
    arguments = type_in(office, book, shared_cases()[0])
    office.ask("write_array", book, SHEET, "J1:J4", f'=PULYA({arguments};"сочинка")')
    before = office.read(book, SHEET, column("J", 1, 4))
    office.write(book, SHEET, {"D1": 102})
    after = office.read(book, SHEET, column("J", 1, 4))
    assert [new - old for old, new in zip(before, after, strict=True)] == [100, -100, 0, 0]


@needs_office
def test_wrong_input_is_a_value_error_and_why_says_the_place(office, book):
    arguments = type_in(office, book, shared_cases()[0])
    office.write(book, SHEET, {"J1": f"=PULYA({arguments})", "J2": f'=PULYA_WHY({arguments};;;;;"ru")'})
    office.write(book, SHEET, {"B2": "много"})
    assert office.read(book, SHEET, ["J1", "J2"]) == ["#VALUE!", "горы, игрок 2: текст «много» вместо числа"]
    office.write(book, SHEET, {"B2": 10, "C1": 5})
    assert office.read(book, SHEET, ["J1", "J2"]) == ["#VALUE!", "висты, строка 1, столбец 1: висты на самого себя"]


@needs_office
def test_an_error_in_a_cell_is_an_error(office, book):
    arguments = type_in(office, book, shared_cases()[0])
    office.write(book, SHEET, {"J1": f"=PULYA({arguments})", "B2": "=1/0"})
    # Calc refuses such an argument before it asks us
    assert office.read(book, SHEET, ["J1"]) == ["Err:504"]


@needs_office
def test_a_row_gives_a_row_and_blank_rules_are_the_default(office, book):
    office.write(book, SHEET, {"A1": 10, "B1": 0, "D1": 4})
    office.ask("write_array", book, SHEET, "F1:G1", "=PULYA(A1:B1;;C1:D2;J9;J9)")
    row = office.read(book, SHEET, ["F1", "G1"])
    assert row[0] == -row[1] != 0


@needs_office
def test_the_sisters_answer(office, book):
    case = shared_cases()[0]
    arguments = type_in(office, book, case)
    settled = case.settled()
    office.ask("write_array", book, SHEET, "J1:S5", f'=PULYA_STEPS({arguments};"сочинка")')
    assert office.read(book, SHEET, ["K1", *column("S", 2, 4)]) == ["пуля", *case.floats]
    office.ask("write_array", book, SHEET, "J7:M10", f'=PULYA_PAIRS({arguments};"sochi")')
    assert office.read(book, SHEET, ["K7", "J8"]) == [
        float(settled.pair_results[0][1]),
        float(settled.pair_results[1][0]),
    ]
    office.ask("write_array", book, SHEET, "J12:L12", f'=INDEX(PULYA_PAY({arguments};"sochi";;2;"fewest");2;0)')
    assert office.read(book, SHEET, ["J12", "K12", "L12"]) == ["2", "4", 175.0]


@needs_office
def test_a_workbook_of_excel_with_pulya_in_it_is_computed(office, tmp_path):
    case = shared_cases()[0]
    book = xlsxwriter.Workbook(tmp_path / "season.xlsx")
    sheet = book.add_worksheet(SHEET)
    sheet.write_column("A1", case.pulya)
    sheet.write_column("B1", case.gora)
    for seat, row in enumerate(case.whists):
        sheet.write_row(seat, 2, row)
    sheet.write_dynamic_array_formula("J1:J4", '=PULYA(A1:A4,B1:B4,C1:F4,"sochi")', None, -1)
    book.close()
    opened = office.open(tmp_path / "season.xlsx")
    assert office.read(opened, SHEET, column("J", 1, 4)) == case.floats


@needs_office
@pytest.mark.parametrize("function", texts.FUNCTIONS, ids=lambda function: function.name)
def test_calc_itself_has_taken_the_help_over(office, book, function):
    described, arguments = office.ask("function", function.name)
    assert described == function.en
    assert arguments == [[argument.name, argument.en, True] for argument in function.arguments]


@pytest.fixture
def addin(monkeypatch):
    """The add-in's class with stand-ins for the office's modules: what it tells in which language."""
    empty = type("Empty", (), {})
    names = ("XServiceInfo", "XServiceName", "XAddIn", "XCompatibilityNames", "XPulya")
    interfaces = {name: type(name, (), {}) for name in names}
    made = {"createUnoStruct": lambda kind, *fields: SimpleNamespace(Language=fields[0] if fields else "")}
    helper = {"Base": empty, "ImplementationHelper": lambda: SimpleNamespace(addImplementation=lambda *parts: None)}
    for name, content in {"uno": made, "unohelper": helper}.items():
        monkeypatch.setitem(sys.modules, name, SimpleNamespace(**content))
    for name in ("com", "com.sun", "com.sun.star", "com.sun.star.lang", "com.sun.star.sheet", "org", "org.prefxl"):
        monkeypatch.setitem(sys.modules, name, SimpleNamespace(**interfaces))
    module: dict[str, object] = {}
    exec(compile(oxt_parts()["pulya_addin.py"], "pulya_addin.py", "exec"), module)
    return module["Pulya"](None)


@pytest.mark.parametrize("function", texts.FUNCTIONS, ids=lambda function: function.name)
def test_the_function_wizard_gets_help_in_both_languages(addin, function):
    name = function.name
    assert addin.getFunctionDescription(name) == function.en
    addin.setLocale(SimpleNamespace(Language="ru"))
    assert addin.getFunctionDescription(name) == function.ru
    for place, argument in enumerate(function.arguments):
        assert addin.getDisplayArgumentName(name, place) == argument.ru_name
        assert addin.getArgumentDescription(name, place) == argument.ru
    assert addin.getArgumentDescription(name, len(function.arguments)) == ""
    assert addin.getDisplayFunctionName("SUM") == ""


def test_a_russian_office_is_answered_in_russian(addin):
    addin.setLocale(SimpleNamespace(Language="ru"))
    said = addin.PULYA_WHY((("x",), (0.0,)), None, (("", 1.0), (1.0, "")), None, None, None, None, None)
    assert said == "пули, игрок 1: текст «x» вместо числа"


def test_the_bundle_is_whole_and_plain_python():
    parts = oxt_parts()
    bundled = {name for name in parts if name.startswith("pythonpath/")}
    for name in (*bundled, "pulya_addin.py"):
        for node in ast.walk(ast.parse(parts[name])):
            module = getattr(node, "module", None) if isinstance(node, ast.ImportFrom) else None
            if module and module.startswith("prefxl"):
                path = "pythonpath/" + module.replace(".", "/")
                assert {f"{path}.py", f"{path}/__init__.py"} & bundled, f"{name} imports {module}"
            if isinstance(node, ast.Import):
                assert all(alias.name.split(".")[0] not in ("numpy", "pandas", "xlwings") for alias in node.names)


def test_the_interface_declares_every_function_and_argument():
    idl = oxt_parts()["XPulya.idl"]
    for function in texts.FUNCTIONS:
        declared = idl.split(f" {function.name}(")[1].split(")")[0]
        assert [part.split()[-1] for part in declared.split(",")] == [arg.name for arg in function.arguments]


def test_built_twice_it_is_the_same_twice(tmp_path):
    first, second = build_oxt(tmp_path / "a.oxt"), build_oxt(tmp_path / "b.oxt")
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as package:
        assert b"@VERSION@" not in package.read("description.xml")
