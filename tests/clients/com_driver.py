"""Answers calls of the live functions through xlwings' real COM code; run in a process of its own.

Reads a JSON list of ``[function, arguments]`` and prints a JSON list of answers. An
argument is ``{"range": rows}``, ``{"array": rows}``, ``{"missing": true}`` or a value.
"""

from __future__ import annotations

import json
import sys
import time
from datetime import datetime
from decimal import Decimal
from typing import Any

from tests.clients import fake_pywin32 as com

MODULE = "prefxl.live.udf"


def cell(value: Any) -> Any:
    """Return a cell's value: dates and currency have no JSON of their own."""
    if isinstance(value, dict):
        return datetime.fromisoformat(value["date"]) if "date" in value else Decimal(value["money"])
    return value


def argument(given: Any, book: com.Workbook) -> Any:
    if not isinstance(given, dict):
        return com.as_variant(given)
    if "missing" in given:
        return com.MISSING
    rows = [[cell(value) for value in row] for row in given.get("range") or given["array"]]
    return com.Pointer(com.Range(rows, book)) if "range" in given else com.as_variant(rows)


def answer(server: Any, function: str, arguments: list[Any]) -> Any:
    book = com.Workbook()
    return com.call(server, MODULE, function, [argument(given, book) for given in arguments], book)


def main() -> None:
    request = json.load(sys.stdin)
    udfs, server = com.install()
    if request["do"] == "calls":
        print(json.dumps([answer(server, *call) for call in request["calls"]]))
    elif request["do"] == "time":
        function, arguments = request["calls"][0]
        book = com.Workbook()
        made = [argument(given, book) for given in arguments]
        com.call(server, MODULE, function, made, book)
        start = time.perf_counter()
        for _ in range(request["times"]):
            com.call(server, MODULE, function, made, book)
        print(json.dumps(time.perf_counter() - start))
    else:
        book = com.Workbook()
        udfs.import_udfs(MODULE, book)
        module = udfs.get_udf_module(MODULE, None)
        options = {
            name: {item["name"]: item["options"] for item in getattr(module, name).__xlfunc__["args"]}
            for name in module.__all__
        }
        described = [
            [name, {key: text for key, text in texts.items() if isinstance(text, (str, list, tuple))}]
            for name, texts in book.Application.macro_options
        ]
        print(json.dumps([options, described, list(book.VBProject.VBComponents.texts.values())]))


if __name__ == "__main__":
    main()
