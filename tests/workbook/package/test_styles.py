"""Cell formats of ours among the user's."""

from __future__ import annotations

import openpyxl
import xlsxwriter

from prefxl.workbook.package import CellChange, Mark, SheetChange, StyleRole, annotate, styles

CHANGE = SheetChange(
    "Партии",
    [CellChange(1, 5, "Итог", style=StyleRole(bold=True)), CellChange(2, 5, 7, style=StyleRole(number_format="0.00"))],
    [Mark(2, 1, "FFC7CE", "Проверьте")],
)


def test_a_workbook_that_can_take_no_more_formats_gets_results_without_a_look_of_their_own(tmp_path, monkeypatch):
    source, target, again = (tmp_path / f"{name}.xlsx" for name in ("club", "settled", "again"))
    donor = tmp_path / "report.xlsx"
    for path, title in ((source, "Партии"), (donor, "Таблица")):
        with xlsxwriter.Workbook(str(path)) as book:
            sheet = book.add_worksheet(title)
            sheet.write_row(0, 0, ["Игра", "Игрок"], book.add_format({"italic": True}))
            sheet.write_row(1, 0, [1, "Аня"], book.add_format({"bold": title == "Таблица"}))
    monkeypatch.setattr(styles, "MOST_FORMATS", 3)
    annotate(source, target, [CHANGE], donor=donor)
    annotate(target, again, [CHANGE], donor=donor)
    before, after = openpyxl.load_workbook(source), openpyxl.load_workbook(target)
    assert len(after._cell_styles) == len(before._cell_styles) == 3
    assert [after["Партии"][cell].value for cell in ("A1", "E1", "E2")] == ["Игра", "Итог", 7]
    assert after["Партии"]["A2"].comment.text.strip() == "Проверьте"
    assert after["Таблица"]["B2"].value == "Аня"
    assert again.read_bytes() == target.read_bytes()
