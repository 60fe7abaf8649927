"""The doctor: every trouble it knows, told in both languages, tried on machines made up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from python_calamine import CalamineWorkbook

from prefxl.live import doctor
from prefxl.live.doctor import Machine, diagnose, install

HEALTHY = Machine(
    system="win32",
    python=r"C:\Python312\python.exe",
    encodable=True,
    versions={"xlwings": "0.37.8", "pywin32": "311", "pyOpenVBA": "6.5.0"},
    libraries=("xlwings32-0.37.8.dll", "xlwings64-0.37.8.dll"),
    excel=r"C:\Program Files\Microsoft Office\root\Office16\EXCEL.EXE",
    conda=False,
    loading=1.0,
    settings="",
)

TROUBLES = [
    ({"python": r"C:\Program Files\WindowsApps\Python\python.exe"}, "Microsoft Store: Excel cannot start it"),
    ({"python": "C:\\Users\\Аня\\python.exe", "encodable": False}, "folder with plain letters"),
    ({"versions": {"xlwings": "0.37.8", "pywin32": None, "pyOpenVBA": "6.5.0"}}, "pip install pywin32"),
    ({"versions": {"xlwings": None, "pywin32": "311", "pyOpenVBA": "6.5.0"}}, "pip install xlwings"),
    ({"libraries": ("xlwings64-0.36.0.dll",)}, "xlwings64-0.37.8.dll is not beside Python"),
    ({"loading": None}, "the live functions do not load"),
    ({"loading": 60.0}, "load in 60.0 s"),
    ({"excel": ""}, "no Excel is registered"),
    ({"excel": r"C:\Program Files\WindowsApps\Excel\EXCEL.EXE"}, "Excel comes from the Microsoft Store"),
    ({"settings": '"INTERPRETER_WIN",""\n"DEBUG UDFS","True"\n'}, "Debug UDFs is ticked"),
]


def test_a_healthy_machine_has_no_trouble():
    assert all(fine for fine, _, _ in diagnose(HEALTHY))


@pytest.mark.parametrize(("facts", "sentence"), TROUBLES, ids=[sentence for _, sentence in TROUBLES])
def test_a_trouble_is_the_only_one_told(facts, sentence):
    told = [en for fine, en, _ in diagnose(replace(HEALTHY, **facts)) if not fine]
    assert len(told) == 1
    assert sentence in told[0]


@pytest.mark.parametrize("facts", [facts for facts, _ in TROUBLES] + [{"system": "linux"}, {"system": "darwin"}])
def test_every_verdict_is_in_both_languages(facts):
    for _, en, ru in diagnose(replace(HEALTHY, **facts)):
        assert en
        assert ru
        assert any("а" <= letter <= "я" for letter in ru.casefold()) or ru == en


def test_conda_is_told_but_is_no_trouble():
    verdicts = diagnose(replace(HEALTHY, conda=True))
    assert all(fine for fine, _, _ in verdicts)
    assert any("CONDA PATH" in en for _, en, _ in verdicts)


@pytest.mark.parametrize(
    ("system", "ways"),
    [("linux", ["prefxl.oxt", "pulka-4.xlsx"]), ("darwin", ["lambda.xlsx", "prefxl.oxt", "pulka-4.xlsx"])],
)
def test_elsewhere_it_says_what_is_possible(system, ways):
    said = " ".join(en for _, en, _ in diagnose(replace(HEALTHY, system=system)))
    assert all(way in said for way in ways)


def test_a_wrong_answer_of_the_rules_would_be_told(monkeypatch):
    monkeypatch.setattr(doctor, "_RESULT", [[0.0], [0.0], [0.0]])
    assert [en for fine, en, _ in diagnose(HEALTHY) if not fine] == [
        "PULYA settles a known game wrongly: reinstall prefxl"
    ]


def test_this_machine_can_be_looked_at():
    machine = doctor.look_around()
    assert machine.loading is not None
    assert machine.versions["xlwings"]
    assert diagnose(machine)


def test_installing_puts_the_addin_where_excel_opens_it(tmp_path):
    pytest.importorskip("pyopenvba", reason="pyOpenVBA is not installed")
    (fine, en, ru), *_ = install(HEALTHY, tmp_path / "XLSTART")
    assert fine
    assert "next start" in en
    assert "следующем запуске" in ru
    book = CalamineWorkbook.from_path(str(tmp_path / "XLSTART" / "prefxl.xlam"))
    assert book.get_sheet_by_name("prefxl.conf").to_python()[0] == ["INTERPRETER_WIN", HEALTHY.python]


def test_installing_elsewhere_does_nothing_and_says_so(tmp_path):
    (fine, en, _), *_ = install(replace(HEALTHY, system="linux"), tmp_path)
    assert not fine
    assert "nothing was installed" in en
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    blocked = tmp_path / "XLSTART"
    blocked.write_text("a file where the folder should be")
    (fine, en, _), *_ = install(HEALTHY, blocked)
    assert not fine
    assert "XLSTART" in en
