"""Taking over another workbook's styles: what is equal is shared, the rest is appended."""

from __future__ import annotations

from functools import cached_property

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.styles import Styles

_PARTS = (("fonts", "fontId"), ("fills", "fillId"), ("borders", "borderId"))
_FIRST_CUSTOM_FORMAT = 164


class StyleMap:
    """Where a donor's formats are in the user's workbook."""

    def __init__(self, donor: Styles, target: Styles) -> None:
        self._donor = donor
        self._target = target

    @cached_property
    def formats(self) -> dict[bytes, bytes]:
        """Cell formats: index in the donor to index in the target, as the bytes of attributes."""
        found = {b"%d" % index: b"%d" % self._format(item) for index, item in enumerate(self._donor.entries("cellXfs"))}
        # cells without a look of their own take the user's own default
        found[b"0"] = b"0"
        return found

    @cached_property
    def differential(self) -> dict[str, str]:
        """Formats of conditional rules and tables: index in the donor to index in the target."""
        entries = enumerate(self._donor.entries("dxfs"))
        return {str(index): str(self._target.find_or_append("dxfs", item)) for index, item in entries}

    def _format(self, item: etree._Element) -> int:
        format_ = etree.fromstring(etree.tostring(item))
        format_.tail = None
        for entries, attribute in _PARTS:
            element = self._donor.entries(entries)[int(format_.get(attribute) or 0)]
            format_.set(attribute, str(self._target.find_or_append(entries, element)))
        number = int(format_.get("numFmtId") or 0)
        code = self._donor.format_code(number)
        if number >= _FIRST_CUSTOM_FORMAT and code is not None:
            format_.set("numFmtId", str(self._target.format_id(code)))
        # named cell styles stay the user's own affair
        format_.set("xfId", "0")
        return self._target.format(format_, 0)

    def translate(self, root: etree._Element) -> None:
        """Rewrite the indices in a table, or in a worksheet around its rows."""
        for element in root.iter():
            if not isinstance(element.tag, str):
                continue
            for name, value in list(element.attrib.items()):
                attribute = str(name)
                if attribute == "dxfId" or attribute.endswith("DxfId"):
                    element.set(attribute, self.differential.get(str(value), str(value)))
        for column in xml.children(xml.child(root, "cols"), "col"):
            if column.get("style"):
                style = (column.get("style") or "0").encode()
                column.set("style", self.formats.get(style, b"0").decode())
