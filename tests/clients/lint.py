"""What Microsoft's validator does not see in a workbook, and Excel does not forgive.

``lint(path)`` returns a sentence a fault. Each rule is one that the Open XML SDK was
seen to pass over on a file broken on purpose.
"""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_PACKAGE = "{http://schemas.openxmlformats.org/package/2006/relationships}"

#: Functions newer than Excel 2010 that a file must name with a prefix.
_PREFIXED = (
    *("LET", "LAMBDA", "SEQUENCE", "BYROW", "BYCOL", "MAP", "REDUCE", "SCAN", "MAKEARRAY", "FILTER", "SORT", "SORTBY"),
    *("UNIQUE", "XLOOKUP", "XMATCH", "TOCOL", "TOROW", "HSTACK", "VSTACK", "CHOOSECOLS", "CHOOSEROWS", "TAKE", "DROP"),
    *("EXPAND", "WRAPROWS", "WRAPCOLS", "TEXTJOIN", "CONCAT", "IFS", "SWITCH", "MAXIFS", "MINIFS"),
)
_NEW = re.compile(rf"(?<![\w.])({'|'.join(_PREFIXED)})\(")
_NAME = re.compile(r"^[\w\\][\w.\\]*$")
_CELL_LIKE = re.compile(r"^([A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*|[RrCc])$")


def lint(path: Path) -> list[str]:
    """Return the faults of a workbook, an empty list for a clean one."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    faults = list(_package(package.namelist(), parts))
    book = etree.fromstring(parts["xl/workbook.xml"])
    faults += _names(book)
    for name in sorted(parts):
        if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name):
            faults += (f"{name}: {fault}" for fault in _sheet(etree.fromstring(parts[name])))
    faults += _tables(parts)
    return faults


def _package(names: list[str], parts: dict[str, bytes]) -> Iterator[str]:
    for name, times in Counter(names).items():
        if times > 1:
            yield f"{name}: twice in the package"
    types = etree.fromstring(parts["[Content_Types].xml"])
    told = {item.get("PartName", "").lstrip("/") for item in types}
    extensions = {item.get("Extension", "").lower() for item in types}
    for name in names:
        if name != "[Content_Types].xml" and name not in told and name.rpartition(".")[2].lower() not in extensions:
            yield f"{name}: no content type"
    for name in told - {""} - set(names):
        yield f"{name}: a content type of nothing"
    relations = etree.fromstring(parts["xl/_rels/workbook.xml.rels"])
    kinds = {relation.get("Type").rpartition("/")[2] for relation in relations}
    if "xl/styles.xml" in names and "styles" not in kinds:
        yield "the styles are not related to the workbook"
    for name in (name for name in names if name.endswith(".rels")):
        yield from _relations(name, parts)


def _relations(name: str, parts: dict[str, bytes]) -> Iterator[str]:
    folder = name.replace("_rels/", "").rpartition("/")[0]
    for relation in etree.fromstring(parts[name]):
        target = relation.get("Target")
        if relation.get("TargetMode") == "External":
            continue
        path = target.lstrip("/") if target.startswith("/") else _resolve(f"{folder}/{target}" if folder else target)
        if path not in parts:
            yield f"{name}: {relation.get('Id')} leads to {path}, which is not there"


def _resolve(path: str) -> str:
    steps: list[str] = []
    for step in path.split("/"):
        if step == "..":
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    return "/".join(steps)


def _names(book: Any) -> Iterator[str]:
    sheets = [sheet.get("name") for sheet in book.iter(f"{_MAIN}sheet")]
    for name in sheets:
        if len(name) > 31 or re.search(r"[\[\]:*?/\\]", name) or name.startswith("'") or name.endswith("'"):
            yield f"the sheet name {name!r} is not one"
    if len({name.casefold() for name in sheets}) != len(sheets):
        yield "two sheets of one name"
    scopes: Counter[tuple[str, str | None]] = Counter()
    for defined in book.iter(f"{_MAIN}definedName"):
        name, text = defined.get("name"), defined.text or ""
        scopes[name.casefold(), defined.get("localSheetId")] += 1
        own = name.removeprefix("_xlnm.")
        if not _NAME.match(own) or _CELL_LIKE.match(own) or len(name) > 255:
            yield f"the name {name!r} is not one"
        if len(text) > 8192:
            yield f"the name {name!r} is too long"
        if len(defined.get("comment") or "") > 255:
            yield f"the comment of {name!r} is too long"
        yield from (f"the name {name!r}: {fault}" for fault in _formula(text))
    yield from (f"the name {name!r} twice" for (name, _), times in scopes.items() if times > 1)


def _sheet(sheet: Any) -> Iterator[str]:
    cells = Counter(cell.get("r") for cell in sheet.iter(f"{_MAIN}c"))
    yield from (f"the cell {name} twice" for name, times in cells.items() if times > 1)
    for formula in sheet.iter(f"{_MAIN}f"):
        yield from (f"{formula.getparent().get('r')}: {fault}" for fault in _formula(formula.text or ""))
    for text in sheet.iter(f"{_MAIN}t"):
        if len(text.text or "") > 32767:
            yield "a text of more than 32767 characters"
    yield from _merges([item.get("ref") for item in sheet.iter(f"{_MAIN}mergeCell")])
    for rule in sheet.iter(f"{_MAIN}dataValidation"):
        source = rule.findtext(f"{_MAIN}formula1") or ""
        if rule.get("type") == "list" and source.startswith('"') and len(source) > 257:
            yield f"the list of {rule.get('sqref')} is longer than 255 characters"
        if rule.get("type") and rule.get("showErrorMessage") not in ("1", "true"):
            yield f"the rule of {rule.get('sqref')} stops nothing"
        for key, most in (("error", 255), ("prompt", 255), ("errorTitle", 32), ("promptTitle", 32)):
            if len(rule.get(key) or "") > most:
                yield f"the {key} of {rule.get('sqref')} is longer than {most} characters"


def _formula(text: str) -> Iterator[str]:
    bare = re.sub(r'"[^"]*"|\'[^\']*\'', "", text)
    if bare.count("(") != bare.count(")"):
        yield f"unbalanced brackets in {text[:40]!r}"
    for function in sorted(set(_NEW.findall(bare))):
        yield f"{function} without its prefix"
    if len(text) > 8192:
        yield "a formula of more than 8192 characters"
    if text.startswith("="):
        yield "a formula that begins with ="


def _merges(ranges: list[str]) -> Iterator[str]:
    taken: dict[tuple[int, int], str] = {}
    for merged in ranges:
        (left, top), (right, bottom) = (_place(name) for name in merged.split(":"))
        for place in ((row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)):
            if place in taken:
                yield f"{merged} overlaps {taken[place]}"
                break
            taken[place] = merged


def _place(name: str) -> tuple[int, int]:
    letters, digits = re.fullmatch(r"([A-Z]+)(\d+)", name).groups()  # type: ignore[union-attr]
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - 64
    return column, int(digits)


def _tables(parts: dict[str, bytes]) -> Iterator[str]:
    tables = [etree.fromstring(content) for name, content in parts.items() if re.match(r"xl/tables/table\d+", name)]
    for key in ("name", "displayName", "id"):
        for value, times in Counter((table.get(key) or "").casefold() for table in tables).items():
            if times > 1:
                yield f"two tables of the {key} {value!r}"
