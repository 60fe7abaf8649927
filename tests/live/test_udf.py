"""The module that Excel loads: its numbers, its signatures, and what it does not import."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from prefxl.live import help as texts
from prefxl.live import udf
from tests.live.cases import shared_cases

FUNCTIONS = [getattr(udf, name) for name in udf.__all__]
HEAVY = ("numpy", "pandas", "openpyxl", "xlsxwriter", "lxml")


@pytest.mark.parametrize("case", shared_cases(), ids=lambda case: case.id)
def test_every_shared_case_comes_out(case):
    column = [[float(number)] for number in case.pulya]
    gora = [[float(number)] for number in case.gora]
    answer = udf.PULYA(
        column, gora, case.whists, case.convention, case.rounding, case.target, case.corrected and float(case.corrected)
    )
    assert [row[0] for row in answer] == case.floats


@pytest.mark.parametrize("function", [udf.PULYA, udf.PULYA_STEPS, udf.PULYA_PAIRS, udf.PULYA_PAY])
def test_a_sheet_that_cannot_be_settled_is_exactly_the_value_error(function):
    # Office.js and our VBA wrapper turn this text, and no longer one, into a real error
    assert function([["x"], [0.0]], None, [[None, 1.0], [1.0, None]]) == "#VALUE!"


def test_why_says_the_reason_for_the_same_arguments():
    said = udf.PULYA_WHY([["x"], [0.0]], None, [[None, 1.0], [1.0, None]], lang="en")
    assert said == "pulyas, player 1: text “x” instead of a number"


@pytest.mark.parametrize("function", FUNCTIONS, ids=udf.__all__)
def test_no_argument_is_named_like_its_function_in_any_case(function):
    # VBA does not compile such a wrapper, and xlwings does not warn
    names = [name.casefold() for name in inspect.signature(function).parameters]
    assert function.__name__.casefold() not in names
    assert not {"caller", "pulya"} & set(names)


@pytest.mark.parametrize("function", FUNCTIONS, ids=udf.__all__)
def test_only_positional_arguments_with_none_for_left_out(function):
    for parameter in inspect.signature(function).parameters.values():
        assert parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        assert parameter.default in (parameter.empty, None)


@pytest.mark.parametrize("function", FUNCTIONS, ids=udf.__all__)
def test_xlwings_sees_no_type_hints(function):
    assert function.__annotations__ == {}


@pytest.mark.parametrize("function", texts.FUNCTIONS, ids=lambda function: function.name)
def test_help_fits_into_excel_and_is_ascii_where_vba_needs_it(function):
    said = [function.en, *(argument.en for argument in function.arguments)]
    assert all(text.isascii() for text in said)
    assert all(0 < len(text) <= texts.LONGEST for text in said)
    assert all(0 < len(text) <= texts.LONGEST for text in (function.ru, *(arg.ru for arg in function.arguments)))


@pytest.mark.parametrize("function", texts.FUNCTIONS, ids=lambda function: function.name)
def test_help_covers_the_signature(function):
    assert [arg.name for arg in function.arguments] == list(inspect.signature(getattr(udf, function.name)).parameters)


def test_the_module_itself_imports_only_rules_and_xlwings():
    tree = ast.parse(Path(udf.__file__).read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    ours = {name for name in modules if name and name.startswith("prefxl")}
    assert ours == {"prefxl.errors", "prefxl.live", "prefxl.live.answers", "prefxl.live.help"}
    assert modules - ours <= {"__future__", "collections.abc", "typing", "inspect", "xlwings"}


def test_loading_it_loads_nothing_heavy_that_xlwings_does_not():
    code = (
        "import sys, types; sys.modules['xlwings'] = bare = types.ModuleType('xlwings');"
        "bare.func = lambda **k: (lambda f: f); bare.arg = lambda *a, **k: (lambda f: f);"
        "import prefxl.live.udf;"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
