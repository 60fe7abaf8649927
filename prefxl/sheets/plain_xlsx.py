"""A workbook as calamine takes it, which minds macro sheets, sheets without a part and parts of odd names."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from html import escape

from prefxl.sheets.far_cells import near_part
from prefxl.sheets.guard import Facts, Near, Package
from prefxl.sheets.scan_xlsx import from_1904, relations, worksheets

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"

# readers do not need it, and may not understand it
_DIMENSION = re.compile(rb"<((?:\w+:)?)dimension\s[^>]*?(?:/>|>\s*</\1dimension>)")
_HEAD = 1 << 12


# xml.sax.saxutils knows how, but loads an HTTP client for it at every start
_BLANKS = str.maketrans({blank: f"&#{ord(blank)};" for blank in "\t\n\r"})


def _attribute(text: str) -> str:
    return escape(text).translate(_BLANKS)


def plain_copy(package: Package, facts: Mapping[str, Facts]) -> bytes:
    """Return an ``.xlsx`` with the worksheets, texts and styles of another, and nothing else."""
    # part of the copy to its kind and the part it is made of
    parts = {
        f"{kind}.xml": (kind, part)
        for kind, part in relations(package).values()
        if kind in ("sharedStrings", "styles") and part in package
    }
    nears: dict[str, Near] = {}
    listed = []
    for number, (element, part) in enumerate(worksheets(package), 1):
        target = f"worksheets/sheet{number}.xml"
        parts[target] = "worksheet", part
        state = "hidden" if element.get("state") in ("hidden", "veryHidden") else "visible"
        name = element.get("name", "")
        if name in facts and (near := facts[name].near) is not None:
            nears[target] = near
        listed.append(f'<sheet name="{_attribute(name)}" sheetId="{number}" state="{state}" r:id="{target}"/>')
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as copy:
        copy.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><workbookPr date1904="{int(from_1904(package))}"/>'
            f"<sheets>{''.join(listed)}</sheets></workbook>",
        )
        copy.writestr("_rels/.rels", _relations([("officeDocument", "xl/workbook.xml")]))
        copy.writestr("xl/_rels/workbook.xml.rels", _relations([(kind, to) for to, (kind, _) in parts.items()]))
        for target, (_, part) in parts.items():
            with copy.open(f"xl/{target}", "w", force_zip64=True) as member:
                for block in near_part(package, part, nears[target]) if target in nears else package.blocks(part):
                    member.write(_DIMENSION.sub(b"", block, count=1) if b"dimension" in block[:_HEAD] else block)
    return buffer.getvalue()


def _relations(wanted: Iterable[tuple[str, str]]) -> str:
    """Return a relations part with (kind, target), each called as its target."""
    told = (f'<Relationship Id="{to}" Type="{_OFFICE}/{kind}" Target="{to}"/>' for kind, to in wanted)
    return f'<Relationships xmlns="{_PACKAGE}">{"".join(told)}</Relationships>'
