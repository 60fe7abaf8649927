"""What stands near a table is read in the second run as in the first, though results of ours stand between now."""

from __future__ import annotations

import openpyxl
import pytest

from tests.workbook.reading import dump
from tests.workbook.test_users_edits import run

HEADINGS = ["Игрок", "Пуля", "Гора", "Висты на 1", "Висты на 2", "Висты на 3"]
PLAYERS = [["Аня", 20, 12, None, 30, 8], ["Боря", 20, 30, 40, None, 6], ["Вера", 20, 6, 10, 22, None]]

BESIDE = {
    "a summary two columns off": {"I1": "Статья", "J1": "Сумма", "I2": "Чай", "J2": 250, "I3": "Всего", "J3": 9},
    "words above our columns": {"G1": "деньги", "H1": "собирает", "I1": "Аня"},
}


@pytest.mark.parametrize("cells", BESIDE.values(), ids=BESIDE)
def test_what_stands_beside_a_form_does_not_change_how_it_is_read_again(tmp_path, cells):
    path, book = tmp_path / "forms.xlsx", openpyxl.Workbook()
    for row in (["Дача 1"], HEADINGS, *PLAYERS):
        book.active.append(row)
    for place, value in cells.items():
        book.active[place] = value
    book.save(path)
    first = run(path, tmp_path / "1.xlsx", stake=None).path
    assert "'Дача 1'" in dump(first).split("Расчёт")[1]
    second = run(first, tmp_path / "2.xlsx", stake=None).path
    assert dump(second).replace("1.xlsx", "forms.xlsx") == dump(first)
