"""The README says what is so: its session runs, its printed result is printed, its tables are the rules'."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from prefxl.cli.app import application
from prefxl.rules.conventions import CONVENTIONS, ROUNDINGS

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


@pytest.mark.parametrize("name", CONVENTIONS)
def test_the_table_of_conventions_is_the_presets(name):
    one = CONVENTIONS[name]
    row = next(line for line in README.splitlines() if line.startswith(f"| `{name}`"))
    cells = [cell.strip(" `") for cell in row.strip("|").split("|")]
    assert cells[2:] == [str(one.target), str(one.below), str(one.above), one.rounding]


@pytest.mark.parametrize("name", ROUNDINGS)
def test_every_rounding_is_told(name):
    assert f"| `{name}` |" in README
