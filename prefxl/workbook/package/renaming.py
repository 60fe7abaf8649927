"""Sheet and table names in formulas, when a name was taken and the grafted thing got another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.book import quoted

LONGEST_SHEET_NAME = 31

# text in double quotes is passed over; then a sheet's name before "!", or a table's before "["
_WORDS = re.compile(r"""("(?:[^"]|"")*")|'((?:[^']|'')+)'!|([\w.]+)!|([\w.]+)\[""")
_FORMULAS = ("f", "formula", "formula1", "formula2", "calculatedColumnFormula", "totalsRowFormula", "definedName")


@dataclass(slots=True)
class Renaming:
    """Old names to new ones; only those that changed."""

    sheets: dict[str, str] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.sheets or self.tables)

    def formula(self, text: str) -> str:
        """Return a formula (or a reference) with the new names."""
        if not self:
            return text

        def renamed(match: re.Match[str]) -> str:
            sheet = match[2].replace("''", "'") if match[2] is not None else match[3]
            if sheet in self.sheets:
                return f"{quoted(self.sheets[sheet])}!"
            if match[4] in self.tables:
                return f"{self.tables[match[4]]}["
            return match[0]

        return _WORDS.sub(renamed, text)

    def tree(self, root: etree._Element) -> None:
        """Rewrite the formulas and internal links of a part."""
        if not self:
            return
        for element in root.iter():
            name = xml.local(element)
            if name in _FORMULAS and element.text:
                element.text = self.formula(element.text)
            elif name == "hyperlink" and element.get("location"):
                element.set("location", self.formula(element.get("location") or ""))


def free_sheet_name(wanted: str, taken: Mapping[str, object] | set[str]) -> str:
    """Return the wanted name, numbered if it is taken (upper and lower case alike), of at most 31 characters."""
    name, number = wanted[:LONGEST_SHEET_NAME], 2
    while name.casefold() in taken:
        tail = f" ({number})"
        name = wanted[: LONGEST_SHEET_NAME - len(tail)].rstrip() + tail
        number += 1
    return name
