"""The VBA that stands between Excel's cells and the live functions.

The same call as xlwings' own wrapper makes, but with real Excel errors, which Python
cannot return through COM, and with help for the function wizard in the language of
Excel: VBA source is not Unicode, so the texts lie in the cells of a hidden sheet.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
from pathlib import Path

from prefxl.errors import OptionError
from prefxl.live.help import FUNCTIONS, LiveFunction
from prefxl.live.plan import Plan

#: The module that Excel's calls go to.
UDF_MODULE = "prefxl.live.udf"
#: The hidden sheet of the wizard's texts.
TEXTS_SHEET = "prefxl.texts"

_MACRO_BOOK = b"application/vnd.ms-excel.sheet.macroEnabled.main+xml"
_ADDIN_BOOK = b"application/vnd.ms-excel.addin.macroEnabled.main+xml"
_PLAIN_BOOK = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"

_HEAD = """Attribute VB_Name = "prefxl_udf"
Option Explicit
' Written by prefxl. The same calls as xlwings would write, but with real Excel errors.

Private Function InWizard() As Boolean
    ' Not at every key typed into the function wizard
    InWizard = Not Application.CommandBars("Standard").Controls(1).Enabled
End Function

Private Function PrefxlAnswer(answer As Variant) As Variant
    PrefxlAnswer = answer
    If VarType(answer) = vbString Then
        If answer = "#VALUE!" Then PrefxlAnswer = CVErr(xlErrValue)
    End If
End Function
"""

_FUNCTION = """
Public Function {name}({parameters}) As Variant
    If InWizard() Then Exit Function
    If TypeOf Application.Caller Is Range Then On Error GoTo failed
    {name} = {answer}(XLPy.CallUDF("{module}", "{name}", Array({arguments}), ThisWorkbook, Application.Caller))
    Exit Function
failed:
    {name} = {failed}
End Function
"""

_HELP = """Attribute VB_Name = "prefxl_help"
Option Explicit
' Written by prefxl. Tells the function wizard what is in the sheet {sheet}.

Public Sub Auto_Open()
    Dim texts As Worksheet, place As Long, lang As String, hidden As Boolean
    On Error Resume Next
    Set texts = ThisWorkbook.Worksheets("{sheet}")
    lang = "en"
    ' 2: the language of the menus; 1049: Russian
    If Application.LanguageSettings.LanguageID(2) = 1049 Then lang = "ru"
    ' Excel describes no function of a hidden workbook
    hidden = ThisWorkbook.IsAddin
    If hidden Then ThisWorkbook.IsAddin = False
    place = 2
    Do While texts.Cells(place, 1).Value <> ""
        If texts.Cells(place, 2).Value = lang Then PrefxlDescribe texts, place
        place = place + 1
    Loop
    If hidden Then ThisWorkbook.IsAddin = True
    ThisWorkbook.Saved = True
End Sub

Private Sub PrefxlDescribe(texts As Worksheet, place As Long)
    Dim help() As String, number As Long
    ReDim help(0 To texts.Cells(place, 3).Value - 1)
    For number = LBound(help) To UBound(help)
        help(number) = texts.Cells(place, 5 + number).Value
    Next number
    Application.MacroOptions Macro:=texts.Cells(place, 1).Value, Description:=texts.Cells(place, 4).Value, _
        Category:="Preferans", ArgumentDescriptions:=help
End Sub
"""


def wrapper_module() -> str:
    """Return the module of the live functions, ASCII, with ``\\r\\n``."""
    return _crlf(_HEAD + "".join(_function(function) for function in FUNCTIONS))


def help_module() -> str:
    """Return the module that describes them to the function wizard, ASCII, with ``\\r\\n``."""
    return _crlf(_HELP.format(sheet=TEXTS_SHEET))


def plan_texts() -> Plan:
    """Plan the hidden sheet of texts: a row a function and a language."""
    plan = Plan(TEXTS_SHEET)
    for column, head in enumerate(("function", "lang", "arguments", "description", "each argument")):
        plan.put(0, column, "plain", head)
    row = 1
    for function in FUNCTIONS:
        for lang in ("ru", "en"):
            described = function.ru if lang == "ru" else function.en
            told = [argument.ru if lang == "ru" else argument.en for argument in function.arguments]
            for column, value in enumerate((function.name, lang, len(told), described, *told)):
                plan.put(row, column, "plain", value)
            row += 1
    return plan


def put_project(path: Path, modules: dict[str, str], *, addin: bool = False) -> None:
    """Give a macro-free workbook of XlsxWriter a VBA project, in place.

    Parameters
    ----------
    path
        The workbook.
    modules
        The sources by module name; ``Dictionary`` is a class.
    addin
        Make it an add-in.

    Raises
    ------
    OptionError
        If the package that writes VBA projects is not installed.
    """
    try:
        from pyopenvba import ExcelFile, VBAModuleKind
    except ImportError:
        raise OptionError(
            'a workbook with macros needs the package pyOpenVBA: pip install "prefxl[excel]"',
            'для книги с макросами нужен пакет pyOpenVBA: pip install "prefxl[excel]"',
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        # a project can be added to a workbook only; an add-in is one of another content type
        work = Path(folder) / "work.xlsm"
        shutil.copyfile(path, work)
        _change_content_type(work, _PLAIN_BOOK, _MACRO_BOOK)
        with ExcelFile(str(work)) as book:
            book.add_vba_project()
            project = book.vba_project()
            for name, source in modules.items():
                kind = VBAModuleKind.other if name == "Dictionary" else VBAModuleKind.standard
                project.add_module(name, source, kind=kind)
            book.save()
        if addin:
            _change_content_type(work, _MACRO_BOOK, _ADDIN_BOOK)
        shutil.copyfile(work, path)


def _function(function: LiveFunction) -> str:
    parameters = ", ".join(
        f"{argument.name} As Variant" if argument.table else f"Optional {argument.name} As Variant"
        for argument in function.arguments
    )
    why = function.name == "PULYA_WHY"
    return _FUNCTION.format(
        name=function.name,
        parameters=parameters,
        module=UDF_MODULE,
        arguments=", ".join(argument.name for argument in function.arguments),
        # the sentence is a text even where it says an error's name
        answer="" if why else "PrefxlAnswer",
        failed='"prefxl: " & Err.Description' if why else "CVErr(xlErrValue)",
    )


def _crlf(source: str) -> str:
    return re.sub(r"\r?\n", "\r\n", source)


def _change_content_type(path: Path, old: bytes, new: bytes) -> None:
    with zipfile.ZipFile(path) as package:
        parts = [(info, package.read(info)) for info in package.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for info, content in parts:
            if info.filename == "[Content_Types].xml":
                content = content.replace(old, new)
            package.writestr(info, content)
