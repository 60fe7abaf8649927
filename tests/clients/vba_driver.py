"""Runs our VBA wrapper: interpreted VBA, then xlwings' real COM code, then the live functions.

Reads ``{"book": path, "expressions": [...]}`` and prints a JSON list of answers; a real
Excel error is ``{"error": number}``. In a process of its own, as the COM stand-ins stay.
"""

from __future__ import annotations

import json
import sys
import traceback
from typing import Any

from pyopenvba import ExcelFile
from pyopenvba.apps.excel import ExcelApplication
from pyopenvba.apps.excel._model import Range as VbaRange
from pyopenvba.apps.excel._model import Workbook as VbaWorkbook
from pyopenvba.interpreter import (
    EMPTY,
    MISSING,
    NULL,
    VBAArray,
    VBAErrorValue,
    VBAObject,
    VBARuntimeError,
    method,
)
from pyopenvba.interpreter._objects import MemberSpec

from tests.clients import fake_pywin32 as com

_, SERVER = com.install()
#: Excel's error numbers of VBA against those of COM.
ERROR_BASE = 2146828288


def rows_of(array: VBAArray) -> list[list[Any]]:
    (top, bottom), (left, right) = array.bounds
    return [[array.get([row, column]) for column in range(left, right + 1)] for row in range(top, bottom + 1)]


def to_com(value: Any, book: com.Workbook) -> Any:
    """Return what reaches the COM server for a value of VBA."""
    if isinstance(value, VbaRange):
        inside = value.vba_get("Value")
        rows = rows_of(inside) if isinstance(inside, VBAArray) else [[inside]]
        made = [[to_com(item, book) for item in row] for row in rows]
        return com.Pointer(com.Range(made, book, value.first.top, value.first.left))
    if isinstance(value, VbaWorkbook):
        return com.Pointer(book)
    if isinstance(value, VBAArray):
        if len(value.bounds) == 1:
            low, high = value.bounds[0]
            return tuple(to_com(value.get([index]), book) for index in range(low, high + 1))
        return tuple(tuple(to_com(item, book) for item in row) for row in rows_of(value))
    if value is MISSING:
        return com.MISSING
    if value is EMPTY or value is NULL or value is None:
        return None
    if isinstance(value, VBAErrorValue):
        return value.number - ERROR_BASE
    return value if isinstance(value, (bool, str)) else float(value)


def to_vba(answer: Any) -> Any:
    if not isinstance(answer, (list, tuple)):
        return "" if answer is None else answer
    if answer and isinstance(answer[0], (list, tuple)):
        table = VBAArray([(0, len(answer) - 1), (0, len(answer[0]) - 1)])
        for row, items in enumerate(answer):
            for column, item in enumerate(items):
                table.set([row, column], to_vba(item))
        return table
    line = VBAArray([(0, len(answer) - 1)])
    for index, item in enumerate(answer):
        line.set([index], to_vba(item))
    return line


class XLPy(VBAObject):
    """What xlwings' library gives VBA: the COM server."""

    vba_type_name = "XLPython"

    def __init__(self, book):
        self.book = book

    @method
    def CallUDF(self, script, name, arguments, this_workbook=MISSING, caller=MISSING):
        try:
            given = to_com(arguments, self.book)
            answer = SERVER.XLPython().CallUDF(script, name, given, com.Pointer(self.book), to_com(caller, self.book))
        except Exception:
            raise VBARuntimeError(-2147467259, "Unexpected Python Error: " + traceback.format_exc()) from None
        return to_vba(com.check_variant(answer))


class Menu(VBAObject):
    """Excel's menu bar: greyed while the function wizard is open."""

    vba_type_name = "CommandBarButton"

    @method
    def Controls(self, index):
        return self

    @method
    def Enabled(self):
        return True


class Language(VBAObject):
    """The language of Excel's menus."""

    vba_type_name = "LanguageSettings"

    def __init__(self, number):
        self.number = number

    @method
    def LanguageID(self, kind):
        return self.number


def describe(app: ExcelApplication, language: int) -> list[Any]:
    """Run Auto_Open and return what it told Excel's function wizard."""
    told: list[Any] = []
    names = ("Macro", "Description", "Category", "ArgumentDescriptions")

    def macro_options(self, *given):
        told.append([to_json(value) for value in given])
        return EMPTY

    kind = type(app.application)
    kind.vba_add_member(MemberSpec(name="MacroOptions", kind="method", getter=macro_options, parameters=names))
    kind.vba_add_member(MemberSpec(name="LanguageSettings", kind="property", getter=lambda self: Language(language)))
    shown: list[Any] = []
    hidden = MemberSpec(
        name="IsAddin", kind="property", getter=lambda self: True, setter=lambda self, value: shown.append(value)
    )
    VbaWorkbook.vba_add_member(hidden)
    app.run("Auto_Open")
    return [told, shown]


def open_book(path: str) -> ExcelApplication:
    app = ExcelApplication.open(path, with_vba=False)
    with ExcelFile(path) as file:
        for name in ("prefxl_udf", "prefxl_help"):
            app.add_module(file.get_module(name), name=name)
    caller = app.application.vba_get("Range", ["Z1"])
    kind = type(app.application)
    kind.vba_add_member(MemberSpec(name="Caller", kind="property", getter=lambda self: caller))
    kind.vba_add_member(
        MemberSpec(name="CommandBars", kind="method", getter=lambda self, name: Menu(), parameters=("name",))
    )
    server, host = XLPy(com.Workbook()), app.interpreter.host
    found = host.global_object
    host.global_object = lambda name: server if name == "xlpy" else found(name)
    return app


def to_json(value: Any) -> Any:
    if isinstance(value, VBAArray):
        if len(value.bounds) == 1:
            low, high = value.bounds[0]
            return [to_json(value.get([index])) for index in range(low, high + 1)]
        return [[to_json(item) for item in row] for row in rows_of(value)]
    if isinstance(value, VBAErrorValue):
        return {"error": value.number}
    return value


def main() -> None:
    request = json.load(sys.stdin)
    app = open_book(request["book"])
    if "language" in request:
        print(json.dumps(describe(app, request["language"])))
    else:
        print(json.dumps([to_json(app.evaluate(expression)) for expression in request["expressions"]]))


if __name__ == "__main__":
    main()
