"""The calculation chain: Excel calls a workbook damaged if it lists a formula that is not there."""

from __future__ import annotations

from prefxl.workbook.package import xml
from prefxl.workbook.package.book import Book


def forget(book: Book, formulas: set[tuple[str, str]], sheets: set[str]) -> None:
    """Take formulas, and all formulas of whole sheets, off the chain.

    Parameters
    ----------
    book
        The workbook.
    formulas
        (sheet id, cell) of each formula that is gone.
    sheets
        Ids of the sheets that are gone.
    """
    package = book.package
    for part in package.related(book.part, "calcChain"):
        if not formulas and not sheets:
            return
        root = package.tree(part)
        sheet, gone = "", []
        for item in xml.children(root, "c"):
            # an entry without a sheet id is on the sheet of the one before it
            sheet = item.get("i") or sheet
            if sheet in sheets or (sheet, item.get("r") or "") in formulas:
                gone.append(item)
            elif item.get("i") is None:
                item.set("i", sheet)
        for item in gone:
            xml.drop(item)
        if gone:
            package.touch(part)
        if next(xml.children(root), None) is None:
            package.unrelate(book.part, part)
            package.remove(part)
