"""Names: declined, alike, and joined by a table."""

import pytest

from prefxl.errors import FileError
from prefxl.names import key, same_name
from prefxl.sheets.nicknames import read_names


@pytest.mark.parametrize(
    ("declined", "name"),
    [
        ("Аню", "Аня"),
        ("Ани", "Аня"),
        ("Борю", "Боря"),
        ("Андрея", "Андрей"),
        ("Диму", "Дима"),
        ("Лёшу", "Лёша"),
        ("Лешу", "Лёша"),
        ("Бориса", "Борис"),
        ("Веру", "Вера"),
        ("Павла", "Павел"),
        ("Льва", "Лев"),
        ("Игоря", "Игорь"),
        ("Марию", "Мария"),
        ("Илью", "Илья"),
        ("Юрия", "Юрий"),
        ("Достоевского", "Достоевский"),
        ("Толстую", "Толстая"),
        ("Иванова И.", "Иванов И."),
        ("Анну Петрову", "Анна Петрова"),
        ("Anna", "Anna"),
        ("Любовь", "Любовь"),
        ("Петра", "Пётр"),
    ],
)
def test_a_declined_name_is_the_same_name(declined, name):
    assert same_name(declined, name)


@pytest.mark.parametrize(("declined", "name"), [("Аню", "Анна"), ("Борю", "Борис"), ("Диму", "Митя"), ("Сашу", "Паша")])
def test_another_name_is_not(declined, name):
    assert not same_name(declined, name)


@pytest.mark.parametrize("spelling", ["Иванoв", "ИВАНОВ", " иванов ", "Иванов\u200b", "Ивaнoв"])
def test_spellings_of_one_name_have_one_key(spelling):
    assert key(spelling) == key("Иванов")


@pytest.mark.parametrize(("one", "other"), [("Иванов", "Ивановa"), ("Max", "Мак"), ("Саша", "Паша")])
def test_other_names_have_other_keys(one, other):
    assert key(one) != key(other)


def test_latin_and_cyrillic_spellings_of_look_alike_letters_are_one():
    assert key("Cepa") == key("Сера")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1251"])
def test_a_table_of_names_is_read(tmp_path, encoding):
    path = tmp_path / "имена.csv"
    path.write_bytes("прозвище;имя\r\nАнька;Аня\r\n\r\nЛёха ;Алексей\r\n".encode(encoding))
    assert read_names(path)["анька"] == "Аня"
    assert read_names(path)["леха"] == "Алексей"


def test_a_table_of_names_with_one_column_is_refused(tmp_path):
    path = tmp_path / "имена.csv"
    path.write_text("Анька;Аня\nЛёха\n", encoding="utf-8")
    with pytest.raises(FileError, match="line 2 needs a nickname and a name"):
        read_names(path)


def test_no_table_is_no_names():
    assert read_names(None) == {}
