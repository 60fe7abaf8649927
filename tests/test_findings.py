"""Findings: every reason has its sentences in both languages, and a place as users write it."""

from __future__ import annotations

import json
import string

import pytest

from prefxl.findings import FINDING_COLUMNS, REASONS, Finding, Severity, games_left_out, tables_left_out, worst

#: A value for every detail that some sentence names.
DETAILS = {
    "player": "Аня", "other": "Аня ", "first": "club.xlsx!Май!C7", "count": 3, "sum": "1", "role": "pulya",
    "message_en": "said in English", "message_ru": "сказано по-русски", "game": "7",
}  # fmt: skip


def fields(template):
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("reason", REASONS)
def test_both_sentences_of_a_reason_need_the_same_details(reason):
    english, russian = REASONS[reason].message
    assert english
    assert russian
    assert {name.removesuffix("_en") for name in fields(english)} == {
        name.removesuffix("_ru") for name in fields(russian)
    }


@pytest.mark.parametrize("reason", REASONS)
def test_a_finding_of_every_reason_is_told_in_both_languages(reason):
    needed = set().union(*(fields(text) for text in (*REASONS[reason].message, *REASONS[reason].expected)))
    details = {name: DETAILS.get(name, "x") for name in needed - {"found", "where"}}
    finding = Finding(reason, "club.xlsx", "Май", "C7", "ой", details)
    assert finding.message("ru") != finding.message("en")
    assert "{" not in finding.message("ru") + finding.message("en") + finding.expected("ru") + finding.expected("en")
    assert bool(finding.expected("ru")) == bool(finding.expected("en"))


def test_a_place_is_written_file_sheet_cell():
    assert Finding("no-games", "club.xlsx", "Май", "C7").where == "club.xlsx!Май!C7"
    assert Finding("no-games", "season.csv", "", "C7").where == "season.csv!C7"
    assert Finding("no-games", "season.csv").where == "season.csv"


def test_a_record_has_the_fixed_columns_and_goes_into_json():
    record = Finding("not-a-number", "club.xlsx", "Май", "C7", "ой").record("ru")
    assert tuple(record) == FINDING_COLUMNS
    assert json.loads(json.dumps(record, ensure_ascii=False))["severity"] == "error"


def test_games_and_tables_left_out_are_counted_once_however_many_errors_they_have():
    of_game = [
        Finding("not-a-number", "club.xlsx", "Май", cell, "x", {"rows": rows, "game": 1})
        for cell, rows in (("C7", (7, 8)), ("D8", (7, 8)), ("C9", (9, 10)))
    ]
    of_table = [
        Finding("no-names", "club.xlsx", "Май", "A20", "x", {"rows": (21, 22)}),
        Finding("unread-columns", "club.xlsx", "Май", "B20", "x", {"rows": (21, 22)}),
        Finding("unreadable", "june.xlsx"),
        Finding("none-good", "club.xlsx"),
    ]
    notes = [Finding("transposed-whists", "club.xlsx", "Май", "C11")]
    assert games_left_out(of_game + of_table + notes) == 2
    assert tables_left_out(of_game + of_table + notes) == 2


def test_the_worst_severity_is_found():
    error, warning, note = Finding("no-games"), Finding("transposed-whists"), Finding("encoding", found="cp1251")
    assert worst([note, warning, error]) is Severity.ERROR
    assert worst([note, warning]) is Severity.WARNING
    assert worst([]) is None
