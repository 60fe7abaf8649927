"""How a cell looked before we changed it, told so that it can be found again after Excel has renumbered its styles."""

from __future__ import annotations

from typing import Any

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.styles import Styles, key, rebuild, solid

Look = dict[str, Any]

_PARTS = (("font", "fonts", "fontId"), ("fill", "fills", "fillId"), ("border", "borders", "borderId"))


def describe(styles: Styles, index: int) -> Look:
    """Return a look as plain data: its index, and everything the index stands for."""
    # a workbook without styles gets them with its first tint
    styles.complete()
    format_ = styles.xf(index)
    number = int(format_.get("numFmtId") or 0)
    look: Look = {"i": index, "n": number, "code": styles.format_code(number), "xf": _plain(format_)}
    for name, entries, attribute in _PARTS:
        position = int(format_.get(attribute) or 0)
        found = styles.entries(entries)
        look[name] = _plain(found[position]) if position < len(found) else None
    return look


def restored(styles: Styles, look: Look) -> int:
    """Return the index of a look: the old one while it still means the same, else an equal or a new one."""
    if _still_there(styles, look):
        return int(look["i"])
    format_ = etree.fromstring(look["xf"])
    for name, entries, attribute in _PARTS:
        if look[name] is not None:
            format_.set(attribute, str(styles.find_or_append(entries, etree.fromstring(look[name]))))
    code = look["code"]
    format_.set("numFmtId", str(look["n"] if code is None else styles.format_id(code)))
    format_.set("xfId", "0")
    return styles.format(format_, int(look["i"]))


def untinted(styles: Styles, current: int, look: Look, rgb: str) -> int | None:
    """Return the format of a tinted cell without our tint.

    Parameters
    ----------
    styles
        The workbook's styles.
    current
        The cell's format now; the user may have changed all of it but the tint.
    look
        How it looked before.
    rgb
        Our tint.

    Returns
    -------
    int or None
        None if the background is no longer ours: the user has chosen another.
    """
    format_ = styles.xf(current)
    fills = styles.entries("fills")
    fill = int(format_.get("fillId") or 0)
    if fill >= len(fills) or key(fills[fill]) != key(solid(rgb)):
        return None
    if _still_there(styles, look) and styles.tinted(int(look["i"]), rgb) == current:
        return int(look["i"])
    if look["fill"] is not None:
        format_.set("fillId", str(styles.find_or_append("fills", etree.fromstring(look["fill"]))))
    before = etree.fromstring(look["xf"]).get("applyFill")
    if before is None:
        format_.attrib.pop("applyFill", "")
    else:
        format_.set("applyFill", before)
    return styles.format(format_, current)


def _still_there(styles: Styles, look: Look) -> bool:
    index = int(look["i"])
    return index < max(len(styles.entries("cellXfs")), 1) and describe(styles, index) == look


def _plain(element: etree._Element) -> str:
    """Return an element as text in one spelling, without prefixes."""
    return etree.tostring(rebuild(etree.fromstring(f'<x xmlns="{xml.MAIN}"/>'), element), encoding="unicode")
