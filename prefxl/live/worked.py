"""The worked game that the starting workbooks show: one table of four."""

from __future__ import annotations

from prefxl.live.plan import Plan, cell

PLAYERS = ("Аня", "Борис", "Вера", "Гена")
PULYAS, GORAS = (20, 28, 16, 20), (12, 4, 21, 16)
WHISTS = ((None, 40, 62, 18), (30, None, 96, 54), (12, 8, None, 22), (44, 20, 78, None))

#: Rows and the column of the result, counted from 0.
HEADING, FIRST, RESULT = 3, 4, 7


def plan_game(plan: Plan) -> None:
    """Plan the table of the game, with the heading of its results."""
    heads = ("Игрок", "Пуля", "Гора", *(f"Висты на {seat + 1}" for seat in range(len(PLAYERS))), "Итог")
    for column, head in enumerate(heads):
        plan.put(HEADING, column, "head", head)
    for seat, name in enumerate(PLAYERS):
        row = FIRST + seat
        plan.put(row, 0, "input name", name)
        for column, value in enumerate((PULYAS[seat], GORAS[seat], *WHISTS[seat]), start=1):
            plan.put(row, column, "self" if value is None else "input", value)
    plan.heights |= {0: 30, HEADING: 24}


def ranges() -> tuple[str, str, str]:
    """Return the ranges of the pulyas, the goras and the whists."""
    last = FIRST + len(PLAYERS) - 1
    pulyas, goras = (f"{cell(FIRST, column)}:{cell(last, column)}" for column in (1, 2))
    return pulyas, goras, f"{cell(FIRST, 3)}:{cell(last, 2 + len(PLAYERS))}"
