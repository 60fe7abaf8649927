"""The language of help and of errors before any file is read."""

from __future__ import annotations

import subprocess
import sys

import pytest

from prefxl.cli.language import interface_language


@pytest.mark.parametrize(
    ("arguments", "environment", "lang"),
    [
        ([], {"LANG": "ru_RU.UTF-8"}, "ru"),
        ([], {"LANG": "de_DE.UTF-8"}, "en"),
        (["settle", "--lang", "ru"], {"LANG": "C"}, "ru"),
        (["settle", "--lang=en"], {"LANG": "ru_RU.UTF-8"}, "en"),
        (["settle", "--lang"], {"LANG": "ru"}, "ru"),
        ([], {"PREFXL_LANG": "ru", "LANG": "C"}, "ru"),
        ([], {"LC_ALL": "Russian_Russia.1251"}, "ru"),
    ],
)
def test_the_language_is_the_one_asked_for_else_the_systems(arguments, environment, lang):
    assert interface_language(arguments, environment) == lang


@pytest.mark.parametrize(("lang", "word"), [("ru", "Рассчитать"), ("en", "Settle")])
def test_help_is_in_both_languages_and_the_bare_command_shows_it(lang, word):
    done = subprocess.run(
        [sys.executable, "-m", "prefxl"], capture_output=True, encoding="utf-8", env={"PREFXL_LANG": lang, "PATH": ""}
    )
    assert word in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
