"""PULYA without Python: named LAMBDAs made by the formula builder, for Excel 365, 2024 and the web.

A LAMBDA takes exactly three arguments, because engines disagree about optional ones;
so every convention and rounding has a name of its own, and ``PULYA`` is the default.
"""

from __future__ import annotations

from prefxl.live.formulas import FORMULA_ROUNDINGS, result
from prefxl.live.seats import Arrays
from prefxl.rules.conventions import CONVENTIONS, DEFAULT, Convention

#: The conventions that have names; the others differ from these in nothing a formula sees.
LAMBDA_CONVENTIONS = ("rozaliev", "leningrad", "sochi")

#: The longest text of a name that Excel takes [characters].
LONGEST_NAME = 8192

_PULYAS, _GORAS, _WHISTS = "_xlpm.pulyas", "_xlpm.goras", "_xlpm.whists"
_N, _P, _G, _W, _ONE, _SALDO = "_xlpm.n", "_xlpm.p", "_xlpm.g", "_xlpm.w", "_xlpm.one", "_xlpm.saldo"
_WRONG = "#VALUE!"


def lambda_names() -> dict[str, str]:
    """Return every name with the text of its LAMBDA, as a workbook stores it (without ``=``)."""
    default = CONVENTIONS[DEFAULT]
    names = {"PULYA": lambda_text(default, default.rounding)}
    for convention in LAMBDA_CONVENTIONS:
        for rounding in FORMULA_ROUNDINGS:
            names[f"PULYA_{convention}_{rounding}".upper()] = lambda_text(CONVENTIONS[convention], rounding)
    return names


def lambda_text(convention: Convention, rounding: str) -> str:
    """Return the LAMBDA of ``convention`` and ``rounding``, as a workbook stores it.

    New functions carry ``_xlfn.`` and every parameter and LET name ``_xlpm.``: without
    them Excel shows ``#NAME?`` for ever.
    """
    seats = Arrays(_P, _G, _SALDO, _N)
    text = result(seats, convention, rounding, 0)
    bindings = [*_sheet_bindings(), *seats.named, ("_xlpm.won", text)]
    body = ",".join(f"{name},{value}" for name, value in bindings)
    across = f"IF(ROWS({_PULYAS})*COLUMNS({_PULYAS})=1,{_is_row(_GORAS)},{_is_row(_PULYAS)})"
    answer = f"IF({across},TRANSPOSE(_xlpm.won),_xlpm.won)"
    return f"_xlfn.LAMBDA({_PULYAS},{_GORAS},{_WHISTS},_xlfn.LET({body},IF(_xlpm.fine,{answer},{_WRONG})))"


def readable(text: str) -> str:
    """Return a stored LAMBDA as a person pastes it into the Name Manager.

    >>> readable("_xlfn.LAMBDA(_xlpm.n,_xlpm.n+1)")
    '=LAMBDA(n,n+1)'
    """
    return "=" + text.replace("_xlfn.", "").replace("_xlpm.", "")


def _sheet_bindings() -> list[tuple[str, str]]:
    """Return the names of the sheet's numbers, blanks as 0, words as errors, and whether all is fine."""
    column_p, column_g = "_xlpm.pulyas_down", "_xlpm.goras_down"
    return [
        (_N, f"ROWS({_WHISTS})"),
        (column_p, f"IF({_is_row(_PULYAS)},TRANSPOSE({_PULYAS}),{_PULYAS})"),
        (column_g, f"IF({_is_row(_GORAS)},TRANSPOSE({_GORAS}),{_GORAS})"),
        (_ONE, f"_xlfn.SEQUENCE({_N},1,1,0)"),
        (_P, f"{_numbers(column_p)}*{_ONE}"),
        (_G, f"{_numbers(column_g)}*{_ONE}"),
        (_W, _numbers(_WHISTS)),
        (_SALDO, f"MMULT({_W},{_ONE})-MMULT(TRANSPOSE({_W}),{_ONE})"),
        ("_xlpm.fine", _fine(column_p, column_g)),
    ]


def _is_row(name: str) -> str:
    return f"AND(ROWS({name})=1,COLUMNS({name})>1)"


def _numbers(name: str) -> str:
    # any number is below any text, any text below TRUE; ISNUMBER does not look into an array everywhere
    return f'IF({name}="",0,IF({name}<"",{name},{_WRONG}))'


def _fine(pulyas: str, goras: str) -> str:
    """Return the condition that the shapes fit, the diagonal is empty and every number is exact."""
    order = f"_xlfn.SEQUENCE({_N},1,1,1)"
    conditions = [
        f"{_N}>=2",
        f"{_N}<=5",
        f"COLUMNS({_WHISTS})={_N}",
        f"OR(ROWS({pulyas})={_N},ROWS({pulyas})=1)",
        f"COLUMNS({pulyas})=1",
        # one gora for all is a range cut short
        f"OR(ROWS({goras})={_N},AND(ROWS({goras})=1,SUM(ABS({_G}))=0))",
        f"COLUMNS({goras})=1",
        f"SUM(ABS({_W})*({order}=TRANSPOSE({order})))=0",
    ]
    for numbers in (_P, _G, _W):
        conditions.append(f"SUM(--(4*{numbers}<>INT(4*{numbers})))=0")
        conditions.append(f"MAX(ABS({numbers}))<=10^9")
    return f"IFERROR(AND({','.join(conditions)}),FALSE)"
