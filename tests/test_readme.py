"""The README says what is so: its session runs, its printed result is printed, its tables are the rules'."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from prefxl.cli.app import application
from prefxl.rules.conventions import CONVENTIONS, ROUNDINGS
from prefxl.sheets.headers import heading
from prefxl.workbook.starter import INSTRUCTIONS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def block(mark):
    return re.search(rf"<!-- {mark} -->\s*```\w+\n(.*?)```", README, re.S).group(1)


def lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def test_the_python_session_is_what_happens(monkeypatch):
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(
        str(ROOT / "README.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert tried > 5
    assert not failed


def test_the_first_command_prints_what_is_shown(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    command = lines(block("command 1"))[-1]
    assert command.startswith(".venv/bin/prefxl ")
    target = tmp_path / "season-settled.xlsx"
    arguments = [word.replace("season-settled.xlsx", str(target)) for word in command.split()[1:]]
    done = CliRunner().invoke(application, arguments)
    assert done.exit_code == 0
    assert lines(done.output.replace(str(target), "season-settled.xlsx")) == lines(block("printed"))


SETTINGS = ["convention", "rounding", "stake", "target", "corrected"]


def test_every_optional_column_that_is_told_is_read():
    told = re.search(r"Optional columns, a game at a time: (.*?)\.", README, re.S)[1]
    roles = [heading(name).role for name in re.findall(r"`([^`]+)`", told)]
    assert roles == SETTINGS * 2


def test_every_optional_column_the_starting_workbook_names_is_read():
    told = next(line for line in INSTRUCTIONS if line.startswith("Необязательные столбцы: "))
    roles = [heading(name).role for name in told.partition(": ")[2].strip(".").split(", ")]
    assert roles == SETTINGS


@pytest.mark.parametrize("name", CONVENTIONS)
def test_the_table_of_conventions_is_the_presets(name):
    one = CONVENTIONS[name]
    row = next(line for line in README.splitlines() if line.startswith(f"| `{name}`"))
    cells = [cell.strip(" `") for cell in row.strip("|").split("|")]
    assert cells[2:] == [str(one.target), str(one.below), str(one.above), one.rounding]


@pytest.mark.parametrize("name", ROUNDINGS)
def test_every_rounding_is_told(name):
    assert f"| `{name}` |" in README
