"""One calm look for all report sheets: fonts, colours, number formats by the role of a cell."""

from __future__ import annotations

from typing import Any

FONT = "Calibri"
INK = "222B33"
MUTED = "6B7680"
SLATE = "2F4A5A"
RULE = "C9D1D6"
WINNER = "E3EFE6"
RED = "A3271F"
AMBER = "FFF2CC"
ROSE = "F8D7D3"
SKY = "E6EEF5"
GREY = "EEF0F1"

#: Tint of a cell with a finding, by severity; they differ in lightness too.
SEVERITY_FILL = {"error": ROSE, "warning": AMBER, "note": SKY}

_DECIMALS = ("#,##0", "#,##0.0", "#,##0.00")

_BASE: dict[str, Any] = {"font_name": FONT, "font_size": 11, "font_color": f"#{INK}", "valign": "vcenter"}
_CELL = _BASE | {"bottom": 4, "bottom_color": f"#{RULE}"}

#: The look of every role; numbers add their own format.
_ROLES: dict[str, dict[str, Any]] = {
    "title": _BASE | {"font_size": 16, "bold": True, "font_color": f"#{SLATE}"},
    "subtitle": _BASE | {"font_color": f"#{MUTED}"},
    "section": _BASE | {"font_size": 12, "bold": True, "font_color": f"#{SLATE}"},
    "heading": _BASE
    | {
        "bold": True,
        "font_color": "#FFFFFF",
        "bg_color": f"#{SLATE}",
        "text_wrap": True,
        "align": "center",
        "border": 1,
        "border_color": "#FFFFFF",
    },
    "text": _CELL | {"align": "left", "indent": 1},
    "wrapped": _CELL | {"text_wrap": True, "valign": "top", "align": "left", "indent": 1},
    "center_top": _CELL | {"align": "center", "valign": "top"},
    "plain": _BASE,
    "plain_wrapped": _BASE | {"text_wrap": True, "valign": "top"},
    "label": _BASE | {"font_color": f"#{MUTED}", "valign": "top"},
    "center": _CELL | {"align": "center"},
    "id": _CELL | {"align": "left", "indent": 1, "num_format": "0"},
    "date": _CELL | {"align": "center", "num_format": "dd.mm.yyyy"},
    "moment": _CELL | {"align": "center", "num_format": "dd.mm.yyyy hh:mm"},
    "exact": _CELL | {"align": "right", "font_color": f"#{MUTED}"},
    "number": _CELL,
    "signed": _CELL,
    "result": _CELL | {"bold": True},
    "money": _CELL,
    "share": _CELL | {"num_format": "0%"},
    "check": _CELL | {"align": "center", "num_format": '"Σ = +"0.##;[Red]"Σ = -"0.##;"✓"'},
    "diagonal": _CELL | {"align": "center", "bg_color": f"#{GREY}", "font_color": f"#{MUTED}"},
}


def number_format(role: str, decimals: int, currency: str = "") -> str:
    """Return the number format of a role: results carry their sign, money its currency.

    >>> number_format("result", 0)
    '+#,##0;-#,##0;0'
    >>> number_format("money", 2, "₽")
    '+#,##0.00 "₽";-#,##0.00 "₽";0.00 "₽"'
    """
    plain = _DECIMALS[min(decimals, 2)]
    if role in ("money", "amount") and decimals > 2:
        plain = "#,##0." + "0" * decimals
    zero = plain.replace("#,##", "")
    unit = ' "' + currency.replace('"', "") + '"' if currency and role in ("money", "amount") else ""
    if role in ("result", "signed", "money"):
        return f"+{plain}{unit};-{plain}{unit};{zero}{unit}"
    return f"{plain}{unit}"


def properties(role: str, decimals: int | None = None, currency: str = "") -> dict[str, Any]:
    """Return the properties of a format: ``role``'s look, and its number format where it has decimals."""
    base = _ROLES["number" if role == "amount" else role]
    if decimals is None:
        return dict(base)
    return base | {"num_format": number_format(role, decimals, currency)}
