"""Just enough of pywin32 to run xlwings' real COM code where there is no Windows.

``install()`` puts stand-ins for the Windows modules in place and then imports what
xlwings would import in Excel: ``_xlwindows``, ``udfs``, ``com_server``. Nothing of
xlwings is replaced. Only for a process of its own: the stand-ins stay.
"""

from __future__ import annotations

import ctypes
import datetime as dt
import decimal
import sys
import traceback
import types
from typing import Any

MISSING = -2147352572
ERRORS = {
    "#DIV/0!": -2146826281,
    "#N/A": -2146826246,
    "#NAME?": -2146826259,
    "#NULL!": -2146826288,
    "#NUM!": -2146826252,
    "#REF!": -2146826265,
    "#VALUE!": -2146826273,
}


class IID(str):
    """An interface's identifier."""


class ComError(Exception):
    def __init__(self, hresult=0, strerror="", excepinfo=None, argerror=None):
        super().__init__(hresult, strerror, excepinfo, argerror)
        self.hresult, self.strerror, self.excepinfo, self.argerror = hresult, strerror, excepinfo, argerror


class TimeType(dt.datetime):
    """pywintypes' own datetime."""


class Pointer:
    """A raw interface pointer, as it arrives among the arguments."""

    def __init__(self, target):
        self.target = target

    def GetTypeInfo(self):
        iid = getattr(self.target, "_iid_", IID("{00000000-0000-0000-0000-000000000000}"))
        attributes = types.SimpleNamespace(iid=iid)
        documentation = (type(self.target).__name__, None, 0, None)
        return types.SimpleNamespace(GetDocumentation=lambda _: documentation, GetTypeAttr=lambda: attributes)


class Collection(list):
    @property
    def Count(self):
        return len(self)

    def __call__(self, key):
        return next(item for item in self if key == item.Name) if isinstance(key, str) else self[key - 1]

    Item = __call__


class Components:
    """The modules of a workbook's VBA project."""

    def __init__(self):
        self.texts = {}

    def __call__(self, name):
        if name not in self.texts:
            raise ComError(-2147352567, "not found")
        return self.texts[name]

    def Remove(self, text):
        self.texts = {name: kept for name, kept in self.texts.items() if kept is not text}

    def Import(self, path):
        with open(path, newline="") as file:
            text = file.read()
        self.texts[text.split('Attribute VB_Name = "')[1].split('"')[0]] = text


class Application:
    Name, Version, Hwnd = "Microsoft Excel", "16.0", 1

    def __init__(self):
        self.macro_options = []

    def MacroOptions(self, name, **options):
        self.macro_options.append([name, options])


class Workbook:
    _iid_ = IID("{000208DA-0000-0000-C000-000000000046}")

    def __init__(self, name="book.xlsm"):
        self.Name, self.FullName = name, "C:\\" + name
        self.Application = Application()
        self.Sheets = self.Worksheets = Collection([types.SimpleNamespace(Name="Sheet1", Parent=self)])
        self.VBProject = types.SimpleNamespace(VBComponents=Components())
        self._oleobj_ = Pointer(self)


class Range:
    """Excel's Range over rows of values: one cell gives its value, more give a tuple of tuples."""

    _iid_ = IID("{00020846-0000-0000-C000-000000000046}")

    def __init__(self, rows, book, row=1, column=1):
        self.rows = [[as_variant(value) for value in cells] for cells in rows]
        self.Worksheet, self.Row, self.Column = book.Sheets[0], row, column
        self.Rows = types.SimpleNamespace(Count=len(self.rows))
        self.Columns = types.SimpleNamespace(Count=len(self.rows[0]))
        self.Count = self.Rows.Count * self.Columns.Count
        self.Application = book.Application
        self._oleobj_ = Pointer(self)

    @property
    def Value(self):
        return self.rows[0][0] if self.Count == 1 else tuple(tuple(cells) for cells in self.rows)

    def GetAddress(self, *arguments):
        return f"$R{self.Row}C{self.Column}"


def as_variant(value: Any) -> Any:
    """Return what pywin32 hands a COM server for a value in Excel."""
    if isinstance(value, str) and value in ERRORS:
        return ERRORS[value]
    if isinstance(value, dt.datetime):
        return TimeType(*value.timetuple()[:6], tzinfo=dt.UTC)
    if isinstance(value, list):
        return tuple(tuple(as_variant(item) for item in row) for row in value)
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


def check_variant(value: Any, path: str = "answer") -> Any:
    """Refuse what pywin32 could not turn into a VARIANT; stricter than it is, never laxer."""
    if isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            check_variant(item, f"{path}[{index}]")
        if not value or len({len(row) if isinstance(row, (list, tuple)) else -1 for row in value}) > 1:
            raise TypeError(f"{path}: not a table")
        return value
    if type(value) not in (str, bool, int, float, dt.datetime, decimal.Decimal, type(None)):
        raise TypeError(f"{path}: {type(value).__name__} cannot become a VARIANT")
    if type(value) is int and not -(2**31) <= value < 2**31:
        raise OverflowError(f"{path}: {value} does not fit")
    if isinstance(value, str) and len(value) > 32767:
        raise ValueError(f"{path}: too long a text")
    return value


def _module(name: str, **attributes: Any) -> None:
    module = types.ModuleType(name)
    module.__dict__.update(attributes)
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)


class _Anything:
    def __getattr__(self, name):
        return _Anything()

    def __call__(self, *arguments, **options):
        return 0


class _Wrapped:
    def __init__(self, target):
        self.target = target


def _unwrap(wrapped):
    if not isinstance(wrapped, _Wrapped):
        raise ValueError("not a Python object behind COM")
    return wrapped.target


class _COMException(ComError):
    def __init__(self, description=None, scode=None, **more):
        super().__init__(scode or -2147467259, description)
        self.description = description


def _put_stand_ins() -> None:
    _module("pywintypes", IID=IID, com_error=ComError, error=ComError, TimeType=TimeType)
    _module(
        "pythoncom",
        IID_IDispatch="IDispatch",
        IID_IEnumVARIANT="IEnumVARIANT",
        TypeIIDs={"IDispatch": Pointer},
        CoInitialize=lambda: None,
        ole_error=ComError,
        com_error=ComError,
        Missing=object(),
        Empty=object(),
        VT_ERROR=10,
        VT_DATE=7,
        CoMarshalInterThreadInterfaceInStream=lambda iid, target: target,
        CoGetInterfaceAndReleaseStream=lambda stream, iid: stream,
        __file__="<stand-in>",
    )
    for name in ("win32api", "win32con", "win32event", "win32gui"):
        _module(name, __file__=None, __getattr__=lambda attribute: _Anything())
    _module("win32process", GetWindowThreadProcessId=lambda handle: (1, 4242))
    _module("win32timezone", TimeZoneInfo=types.SimpleNamespace(utc=lambda: dt.UTC))

    def dispatch(target, *arguments, **options):
        return target.target if isinstance(target, Pointer) else target

    classes = {name: type(name, (), {}) for name in ("CDispatch", "CoClassBaseClass", "DispatchBaseClass")}
    _module("win32com")
    _module("win32com.client", Dispatch=dispatch, DispatchEx=dispatch, **classes)
    _module("win32com.server")
    _module("win32com.server.util", wrap=lambda target, iid=None: _Wrapped(target), unwrap=_unwrap)
    _module("win32com.server.exception", COMException=_COMException)
    _module("win32com.server.dispatcher")
    _module("win32com.server.policy", DefaultPolicy=object)


def install() -> tuple[Any, Any]:
    """Return xlwings' ``udfs`` and ``com_server``, imported as in Excel."""
    _put_stand_ins()
    import xlwings

    ctypes.oledll = ctypes.windll = _Anything()
    real, ctypes.PyDLL = ctypes.PyDLL, lambda *arguments: _Anything()
    try:
        from xlwings import _xlwindows
    finally:
        ctypes.PyDLL = real
        del ctypes.oledll, ctypes.windll
    xlwings.engines.add(xlwings.Engine(impl=_xlwindows.engine))
    from xlwings import com_server, udfs

    xlwings.func, xlwings.arg, xlwings.ret = udfs.xlfunc, udfs.xlarg, udfs.xlret
    xlwings.script = xlwings.sub = udfs.xlsub
    return udfs, com_server


def call(com_server: Any, module: str, function: str, arguments: list[Any], book: Workbook | None = None) -> Any:
    """Do what a VBA wrapper does, ``XLPy.CallUDF(...)``; a failure is the text a cell would show."""
    book = book or Workbook()
    caller = Range([[None]], book, 5, 5)
    try:
        answer = com_server.XLPython().CallUDF(module, function, tuple(arguments), Pointer(book), Pointer(caller))
    except ComError as error:
        return error.strerror
    except Exception:
        return "Unexpected Python Error: " + traceback.format_exc()
    return check_variant(answer)
