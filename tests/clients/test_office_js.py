"""The same module behind Office.js, as xlwings Server and Lite call it; opt-in by a licence key.

The Python side of those two is ``xlwings.pro``, which is free for non-commercial use
and needs a key even to be imported: set ``XLWINGS_LICENSE_KEY`` to run these.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from prefxl.live import help as texts
from tests.live.cases import shared_cases

pytestmark = [
    pytest.mark.clients,
    pytest.mark.skipif("XLWINGS_LICENSE_KEY" not in os.environ, reason="optional: XLWINGS_LICENSE_KEY is not set"),
]

DRIVER = """
import asyncio, json, sys, xlwings
import xlwings.server
import prefxl.live.udf as module

async def call(name, arguments):
    try:
        return await xlwings.server.custom_functions_call(dict(
            func_name=name, args=arguments, version=xlwings.__version__, client="Office.js", runtime="1.4",
            caller_address="[Book1.xlsx]Sheet1!A1", culture_info_name="ru-RU", date_format="dd.MM.yyyy"), module)
    except Exception as error:
        return repr(error)

async def main():
    calls = json.load(sys.stdin)
    answers = [await call(*one) for one in calls]
    print(json.dumps([xlwings.server.custom_functions_meta(module), answers]))

asyncio.run(main())
"""


def blanks(rows):
    """Return rows with what Office.js sends for a blank."""
    return [["" if value is None else value for value in row] for row in rows]


@pytest.fixture(scope="module")
def answered():
    calls = [
        [
            "PULYA",
            [
                [[number] for number in case.pulya],
                [[number] for number in case.gora],
                blanks(case.whists),
                [[case.convention]],
                [[case.rounding]],
                None if case.target is None else [[case.target]],
                None if case.corrected is None else [[case.corrected]],
            ],
        ]
        for case in shared_cases()
    ]
    calls.append(["PULYA", [[[1], ["x"]], None, [["", 1], [1, ""]], None, None, None, None]])
    done = subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "XLWINGS_ON_SERVER": "true"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_every_function_is_offered_with_its_arguments(answered):
    offered = {
        function["id"]: [part["name"] for part in function["parameters"]] for function in answered[0]["functions"]
    }
    assert offered == {function.name: [arg.name for arg in function.arguments] for function in texts.FUNCTIONS}


@pytest.mark.parametrize("number", range(len(shared_cases())), ids=lambda number: shared_cases()[number].id)
def test_every_shared_case_comes_out(answered, number):
    answer = answered[1][number]
    rows = answer["result"] if isinstance(answer, dict) else answer
    assert [row[0] for row in rows] == pytest.approx(shared_cases()[number].floats)


def test_what_cannot_be_settled_is_an_error_of_excel(answered):
    assert "Error" in json.dumps(answered[1][-1])
