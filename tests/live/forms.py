"""Filling in the live forms and reading what they say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from prefxl.live.form_shape import FIRST, GORA, PULYA, WHISTS, Shape
from prefxl.live.form_sheet import plan_form
from prefxl.live.form_words import word
from prefxl.live.plan import Entry, cell
from prefxl.rules.conventions import CONVENTIONS
from prefxl.rules.single import settle_sheet
from tests.live.cases import Case, random_cases

LANGS = ("ru", "en")


def sheet_of(lang: str) -> str:
    return word("sheet", lang)


def inputs_of(case: Case) -> dict[str, Any]:
    """Return what is typed into which cell for ``case``, the rules included; ``None`` where left blank."""
    shape = Shape(case.players)
    typed: dict[str, Any] = {}
    for seat in range(case.players):
        row = FIRST + seat
        typed[cell(row, PULYA)] = case.pulya[seat] or None
        typed[cell(row, GORA)] = case.gora[seat] or None
        for other in range(case.players):
            if other != seat:
                typed[cell(row, WHISTS + other)] = case.whists[seat][other] or None
    typed[cell(FIRST, shape.convention)] = case.convention
    typed[cell(FIRST, shape.convention + 1)] = case.rounding
    typed[cell(FIRST, shape.last)] = case.target
    return typed


def result_cells(players: int) -> list[str]:
    shape = Shape(players)
    return [cell(shape.steps + 8, WHISTS + seat) for seat in range(players)]


def pair_cells(players: int) -> list[list[str]]:
    top = Shape(players).pairs + 1
    return [[cell(top + seat, WHISTS + other) for other in range(players)] for seat in range(players)]


def check_cell(players: int) -> str:
    shape = Shape(players)
    return cell(shape.status + 1, shape.last)


def warning_cell(players: int) -> str:
    return cell(Shape(players).status + 1, 1)


def status_cell(players: int) -> str:
    return cell(Shape(players).status, 1)


def formula_entries(players: int, lang: str) -> list[Entry]:
    return [entry for entry in plan_form(players, lang).entries if entry.is_formula]


def form_cases(cases: list[Case]) -> Iterator[Case]:
    """Yield the cases a form can take: three or four players."""
    yield from (case for case in cases if case.in_formulas and case.players in (3, 4))


def every_rule(seed: int) -> Iterator[Case]:
    """Yield random sheets under every convention, rounding and kind of target."""
    sheets = [case for case in random_cases(seed, 400) if case.players in (3, 4)]
    number = 0
    for convention in CONVENTIONS:
        for rounding in ("exact", "debts", "truncate", "balanced"):
            for target in (None, 12):
                sheet = sheets[number]
                number += 1
                settled = settle_sheet(
                    sheet.pulya, sheet.gora, sheet.whists, convention=convention, rounding=rounding, target=target
                )
                yield Case(
                    f"{convention}-{rounding}-{target}",
                    sheet.pulya,
                    sheet.gora,
                    sheet.whists,
                    convention,
                    rounding,
                    settled.result_exact,
                    target,
                )
