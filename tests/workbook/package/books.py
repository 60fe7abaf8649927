"""Workbooks for the tests: one a feature, a donor, and packages as odd programs write them."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import openpyxl
import xlsxwriter

from prefxl.workbook.package import CellChange, Mark, SheetChange, StyleRole, inspect

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
BOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
RELATIONS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc000"
    "00030101001870e4770000000049454e44ae426082"
)


def _games(book: xlsxwriter.Workbook) -> xlsxwriter.worksheet.Worksheet:
    sheet = book.add_worksheet("Партии")
    head = book.add_format({"bold": True, "bg_color": "#DDEEFF", "border": 1})
    sheet.write_row(0, 0, ["Игра", "Игрок 1", "Пуля 1", "Гора 1"], head)
    for row in range(1, 5):
        sheet.write_row(row, 0, [row, f"Игрок {row}", row * 2, row * 1.5])
    return sheet


def plain(book):
    _games(book)


def formulas(book):
    sheet = _games(book)
    sheet.write_formula("F2", "=SUM(C2:D2)", None, 3.5)
    sheet.write_array_formula("F4:G5", "{=C2:D3*2}", None, 4)
    sheet.write_dynamic_array_formula("I2:I3", "=SORT(C2:C3)", None, 2)


def objects(book):
    sheet = _games(book)
    sheet.insert_image("F1", "dot.png", {"image_data": io.BytesIO(PNG), "x_scale": 80, "y_scale": 40})
    chart = book.add_chart({"type": "line"})
    chart.add_series({"values": ["Партии", 1, 2, 4, 2]})
    sheet.insert_chart("L2", chart)
    sheet.insert_textbox("F20", "Примечание")
    sheet.insert_button("F30", {"caption": "Ход"})
    sheet.set_background(io.BytesIO(PNG))


def table(book):
    sheet = _games(book)
    sheet.add_table(0, 0, 4, 3, {"name": "Standings", "columns": [{"header": name} for name in "абвг"]})
    sheet.merge_range("F1:G2", "вместе")
    sheet.autofilter("I1:J3")


def notes(book):
    sheet = _games(book)
    sheet.write_comment("B2", "Замечание пользователя", {"x_scale": 3, "color": "#CCFFCC", "author": "Пётр"})
    sheet.insert_checkbox("H2", True)
    sheet.insert_button("J2", {"caption": "Кнопка"})


def rules(book):
    sheet = _games(book)
    sheet.conditional_format("C2:C5", {"type": "data_bar", "data_bar_2010": True})
    sheet.conditional_format("D2:D5", {"type": "icon_set", "icon_style": "3_traffic_lights"})
    sheet.data_validation("B2:B5", {"validate": "list", "source": ["а", "б"]})
    sheet.add_sparkline("F2", {"range": "C2:D2"})
    sheet.freeze_panes(1, 1)
    sheet.set_column("F:F", 20, book.add_format({"num_format": "0.000"}))
    sheet.set_column("G:G", None, None, {"hidden": True})
    sheet.set_row(2, 30, book.add_format({"italic": True}))


def protected(book):
    sheet = _games(book)
    sheet.protect("пароль")
    sheet.unprotect_range("A1:B2")
    sheet.set_footer("&P")
    sheet.repeat_rows(0)
    sheet.print_area("A1:D5")
    book.define_name("Ставка", "=Партии!$C$2")


def several(book):
    _games(book)
    other = book.add_worksheet("Таблица")
    other.write("A1", "занято")
    other.add_table(2, 0, 4, 0, {"name": "Table1"})
    book.add_worksheet("Скрытый").hide()
    chart = book.add_chart({"type": "pie"})
    chart.add_series({"values": ["Партии", 1, 2, 4, 2]})
    book.add_chartsheet("Диаграмма").set_chart(chart)


def totals(book):
    sheet = _games(book)
    sheet.write_formula("A8", "=SUM(F2:G5)+COUNTA(I:I)", None, 0)
    sheet.write_formula("A9", '=IF(A8=0,"K1","")&L3', None, "K1")
    book.add_worksheet("Сводка").write_formula("A1", "=MAX('Партии'!N2:N5)", None, 0)


def rich(book):
    sheet = _games(book)
    bold = book.add_format({"bold": True})
    sheet.write_rich_string("B7", "обычный ", bold, "жирный", " текст")
    sheet.write_blank("F2", None, book.add_format({"bg_color": "#FFFF00"}))
    sheet.write("A8", "_x0041_ и  два пробела ")
    sheet.write_url("A9", "https://example.org/")
    sheet.write_boolean("A10", True)
    sheet.write_datetime("A11", date(2025, 3, 1), book.add_format({"num_format": "dd.mm.yyyy"}))


FEATURES: dict[str, Callable[[xlsxwriter.Workbook], None]] = {
    made.__name__: made for made in (plain, formulas, objects, table, notes, rules, protected, several, totals, rich)
}


def make(folder: Path, feature: str = "plain") -> Path:
    """Write a workbook that has a feature; its first sheet is «Партии»."""
    path = folder / f"{feature}.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        FEATURES[feature](book)
    return path


def make_donor(folder: Path, *names: str) -> Path:
    """Write a donor whose first sheet has a bit of everything."""
    path = folder / "donor.xlsx"
    first, *others = names or ("Таблица", "Правила")
    with xlsxwriter.Workbook(str(path)) as book:
        _standings(book, first)
        for name in others:
            sheet = book.add_worksheet(name)
            sheet.write_string("A1", "=не формула")
            sheet.write_formula("A2", f"='{first}'!B2", None, 10.5)
            sheet.write_url("A3", f"internal:'{first}'!A1", string="к таблице")
    return path


def _standings(book: xlsxwriter.Workbook, name: str) -> None:
    sheet = book.add_worksheet(name)
    money = book.add_format({"num_format": '#,##0.00 "₽"', "bold": True})
    red = book.add_format({"font_color": "#9C0006"})
    columns = [{"header": "Игрок"}, {"header": "Сумма", "format": money}]
    sheet.add_table(0, 0, 3, 1, {"name": "Table1", "columns": columns})
    for row, player in enumerate(["Анна & Ко", "Пётр", "Zoë"], 1):
        sheet.write_row(row, 0, [player, row * 10.5])
        sheet.write_number(row, 1, row * 10.5, money)
    sheet.write_formula("B6", "=SUM(Table1[Сумма])", money, 63)
    sheet.conditional_format(1, 1, 3, 1, {"type": "cell", "criteria": "<", "value": 15, "format": red})
    chart = book.add_chart({"type": "column"})
    chart.add_series({"categories": [name, 1, 0, 3, 0], "values": [name, 1, 1, 3, 1]})
    sheet.insert_chart("D2", chart)
    sheet.write_comment("B2", "заметка донора")
    sheet.repeat_rows(0)
    sheet.freeze_panes(1, 0)
    book.define_name("Суммы", f"='{name}'!$B$2:$B$4")


def changes(path: Path, sheet: str = "Партии") -> list[SheetChange]:
    """Return results beside the table, a check, tints and notes, as a planner would ask for them."""
    look = inspect(path).sheet(sheet)
    column = look.first_free_column(1, 5, 5, 3)
    assert column is not None
    cells = [
        CellChange(1, column, "Итог", style=StyleRole(like="A1")),
        CellChange(1, column + 1, "=не формула", style=StyleRole(like="A1")),
        CellChange(2, column, 27.5, style=StyleRole(number_format="0.0", bold=True), note="Вывод:\n20 + 7,5 = 27,5"),
        CellChange(3, column, Decimal("-205.5")),
        CellChange(4, column, formula="=C4*2", cached=12),
        CellChange(5, column, date(2025, 3, 1)),
        CellChange(40, column + 1, True),
    ]
    marks = [Mark(2, 1, "FFC7CE", "Проверьте"), Mark(3, 3, "FFC7CE"), Mark(60, 2, "FFEB9C", "Пусто")]
    return [SheetChange(look.name, cells, marks, {column: 14.0})]


def opened(path: Path, **options: bool) -> openpyxl.Workbook:
    """Read a workbook with openpyxl, which warns of what it would lose if it saved it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return openpyxl.load_workbook(path, **options)


def values(path: Path) -> dict[str, dict[str, object]]:
    """Return every cell's value or formula, by sheet and name, as openpyxl reads them."""
    book = opened(path, rich_text=True)
    return {
        sheet.title: {
            cell.coordinate: getattr(cell.value, "text", cell.value)
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None
        }
        for sheet in book.worksheets
    }


def parts(path: Path) -> dict[str, bytes]:
    """Return the content of every member."""
    with zipfile.ZipFile(path) as package:
        return {name: package.read(name) for name in package.namelist()}


def repacked(path: Path, target: Path, **edits: bytes | None) -> Path:
    """Copy a package with members replaced, added or (None) dropped; ``__`` in a key stands for ``/``."""
    wanted = {name.replace("__", "/"): content for name, content in edits.items()}
    content = {**parts(path), **wanted}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in content.items():
            if data is not None:
                # one date for all: two copies made in different seconds must not differ by it
                info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
                package.writestr(info, data, zipfile.ZIP_DEFLATED)
    return target


def raw_package(
    path: Path,
    sheet: str,
    *,
    sheet_part: str = "xl/worksheets/sheet1.xml",
    prefix: str = "",
    styles: str | None = None,
    typed_relations: bool = True,
    encoding: str = "utf-8",
) -> Path:
    """Write the least a workbook can be, with a worksheet given as XML and parts named as told."""
    p = f"{prefix}:" if prefix else ""
    ns = f'xmlns{":" + prefix if prefix else ""}="{MAIN}"'
    relations = f'<Relationship Id="R1" Type="{OFFICE}/worksheet" Target="/{sheet_part}"/>'
    overrides = f'<Override PartName="/xl/workbook.xml" ContentType="{BOOK_TYPE}"/>'
    overrides += f'<Override PartName="/{sheet_part}" ContentType="{SHEET_TYPE}"/>'
    members = {
        "xl/workbook.xml": (
            f'<{p}workbook {ns} xmlns:r="{OFFICE}"><{p}sheets><{p}sheet name="Партии" sheetId="7" r:id="R1"/>'
            f"</{p}sheets></{p}workbook>"
        ),
        "_rels/.rels": _relations(f'<Relationship Id="a" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>'),
    }
    if styles is not None:
        relations += f'<Relationship Id="R2" Type="{OFFICE}/styles" Target="styles.xml"/>'
        type_ = BOOK_TYPE.replace("sheet.main", "styles")
        overrides += f'<Override PartName="/xl/styles.xml" ContentType="{type_}"/>'
        members["xl/styles.xml"] = styles
    members["xl/_rels/workbook.xml.rels"] = _relations(relations)
    if typed_relations:
        overrides = f'<Default Extension="rels" ContentType="{RELATIONS_TYPE}"/>' + overrides
    members["[Content_Types].xml"] = f'<Types xmlns="{PACKAGE}/content-types">{overrides}</Types>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(sheet_part, sheet.encode(encoding))
        for name, text in members.items():
            package.writestr(name, text.encode())
    return path


def _relations(inside: str) -> str:
    return f'<Relationships xmlns="{PACKAGE}/relationships">{inside}</Relationships>'
