"""The way through the house has one direction: who may import whom, read from the syntax trees."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "prefxl"

#: Room to the rooms it may import; a room is a sub-package or a module of the package.
#: ``None``: whatever it needs, for nothing but the command line imports it.
MAY_IMPORT = {
    "errors": set(),
    "rules": {"errors"},
    "findings": set(),
    "tables": {"errors"},
    "files": {"errors"},
    "declension": set(),
    "texts": set(),
    "names": {"declension", "texts"},
    "matching": {"declension", "names"},
    "columns": {"errors", "rules"},
    "alone": {"rules", "columns"},
    "threads": set(),
    "coded": set(),
    "deflate": set(),
    "batch": {"alone", "errors", "rules", "coded", "columns", "threads"},
    "picked": {"batch", "rules"},
    "games": {"errors", "findings", "tables", "sheets", "settling"},
    "checks": {"errors", "sheets", "findings", "games", "tables", "names", "rules", "transposed"},
    "transposed": {"findings", "games", "tables", "names", "sheets"},
    "sheets": {
        "errors",
        "findings",
        "games",
        "tables",
        "checks",
        "names",
        "matching",
        "rules",
        "threads",
        "deflate",
        "texts",
    },
    "settled": {
        "errors",
        "findings",
        "games",
        "coded",
        "columns",
        "batch",
        "picked",
        "rules",
        "remarks",
        "output",
        "season",
        "compare",
    },
    "settling": {"errors", "findings", "games", "columns", "batch", "settled", "rules"},
    "remarks": {"findings", "batch", "rules", "settled"},
    "season": {"errors", "findings", "games", "columns", "batch", "settled", "rules"},
    "compare": {"errors", "files", "games", "columns", "batch", "settled", "rules", "findings", "output"},
    "drawing": {"errors", "files", "rules"},
    "live": {"errors", "rules", "files"},
    "workbook": {
        "errors",
        "coded",
        "deflate",
        "rules",
        "findings",
        "tables",
        "files",
        "games",
        "batch",
        "settled",
        "season",
        "compare",
        "drawing",
        "live",
        "sheets",
    },
    "tabular": set(),
    "sinks": {"errors", "batch", "delimited", "settled", "tabular"},
    "output": {"errors", "files", "rules", "settled", "sinks", "tabular", "workbook"},
    "shipped": {"errors", "files", "live", "workbook"},
    "delimited": {"tabular"},
    "stream": None,
    "cluster": None,
    "cli": None,
    "__main__": {"cli"},
    "__init__": None,
}

MODULES = sorted(PACKAGE.rglob("*.py"))


def room(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path):
    """Yield the dotted names a file imports; imports for type checking alone do not count."""
    tree = ast.parse(path.read_text("utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative imports hide the direction"
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def rooms_imported(path):
    inside = (name.split(".") for name in imports(path) if name.startswith("prefxl."))
    known = {room(module) for module in MODULES}
    return {parts[1] for parts in inside if parts[1] in known}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_the_rooms_below_it(path):
    assert room(path) in MAY_IMPORT, f"a new room: say in MAY_IMPORT what {room(path)} may import"
    allowed = MAY_IMPORT[room(path)]
    if allowed is not None:
        assert rooms_imported(path) <= allowed | {room(path)}


def test_nothing_but_the_command_itself_imports_the_command_line():
    importers = {room(path) for path in MODULES if "cli" in rooms_imported(path)}
    assert importers <= {"cli", "__main__"}


@pytest.mark.parametrize("path", [*(PACKAGE / "rules").glob("*.py"), PACKAGE / "errors.py"], ids=lambda p: p.name)
def test_the_rules_need_nothing_but_the_standard_library(path):
    for name in imports(path):
        top = name.split(".")[0]
        assert top == "prefxl" or top in sys.stdlib_module_names, name


def test_the_live_function_loads_neither_numpy_nor_pandas_nor_openpyxl():
    # xlwings itself loads numpy and pandas where they are installed; ours must add nothing to that
    code = (
        "import sys, xlwings; before = set(sys.modules); import prefxl.live.udf; "
        "print(sorted({m.split('.')[0] for m in set(sys.modules) - before} - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert done.stdout.strip() == "['prefxl']"


def test_every_module_of_reading_can_be_the_first_to_be_imported():
    names = [
        "checks",
        "findings",
        "games",
        "matching",
        "names",
        *(f"sheets.{p.stem}" for p in (PACKAGE / "sheets").glob("[a-z]*.py")),
    ]
    code = (
        "import importlib, sys\n"
        f"for name in {names}:\n"
        "    importlib.import_module('prefxl.' + name)\n"
        "    for module in [m for m in sys.modules if m.split('.')[0] == 'prefxl']: del sys.modules[module]\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=PACKAGE.parent)
    assert done.stderr == ""


def test_settling_one_sheet_loads_no_pandas():
    code = "import sys, prefxl.rules.single; print('pandas' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert done.stdout.strip() == "False False"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_and_functions_stay_small(path):
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 400, f"{path} has more than 400 lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            assert lines <= 60, f"{path}: {node.name} has {lines} lines"
