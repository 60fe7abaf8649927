"""The part of a live form that counts: what the drop-downs mean, the steps, the check, the pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from prefxl.live.form_shape import (
    CONVENTION_ROWS,
    FIRST,
    GORA,
    PLAYER,
    PULYA,
    ROUNDING_ROWS,
    RULES_SHEET,
    WHISTS,
    Ledger,
    Shape,
    highlight_fractions,
    highlight_result,
    name_of,
)
from prefxl.live.form_words import word
from prefxl.live.formulas import Terms, adjusted, balanced, share_of, whole_debt
from prefxl.live.plan import Plan, cell, fixed
from prefxl.rules.conventions import RUSSIAN


@dataclass(frozen=True, slots=True)
class Chosen:
    """The cells that hold what the drop-downs mean."""

    convention: str
    rounding: str
    mode: str
    below: str
    above: str
    target: str


def plan_choice(plan: Plan, shape: Shape, ledger: Ledger, lang: str) -> Chosen:
    """Plan what the drop-downs mean: found under either language, so that a pasted name works too."""
    convention, rounding, agreed = (fixed(FIRST, shape.convention + offset) for offset in range(3))
    number = ledger.once("convention", f'IF({convention}="",1,{_find(convention, CONVENTION_ROWS)})', 1)
    own = ledger.once("own rounding", f"INDEX({_rules('G', CONVENTION_ROWS)},{number})", "debts")
    found = f"INDEX({_rules('B', ROUNDING_ROWS)},{_find(rounding, ROUNDING_ROWS)})"
    code = ledger.once("rounding", f'IF({rounding}="",{own},{found})', "debts")
    mode = ledger.once("mode", f"INDEX({_rules('C', CONVENTION_ROWS)},{number})", "mean")
    below = ledger.once("below", f"INDEX({_rules('E', CONVENTION_ROWS)},{number})", 2)
    above = ledger.once("above", f"INDEX({_rules('F', CONVENTION_ROWS)},{number})", 1)
    seats, pulyas = shape.players, shape.input_cells()
    largest = f"MAX({','.join(pulyas.pulya(seat) for seat in range(seats))})"
    by_rule = f'IF({mode}="mean",{pulyas.total(pulyas.pulya)},{seats}*{largest})'
    target = ledger.once("target", f'IF({agreed}="",{by_rule},{seats}*{agreed})')
    return Chosen(number, code, mode, below, above, target)


def _rules(column: str, rows: tuple[int, int]) -> str:
    return f"'{RULES_SHEET}'!${column}${rows[0]}:${column}${rows[1]}"


def _find(name: str, rows: tuple[int, int]) -> str:
    return f"IFERROR(MATCH({name},{_rules('A', rows)},0),MATCH({name},{_rules('B', rows)},0))"


def plan_steps(plan: Plan, shape: Shape, ledger: Ledger, chosen: Chosen, lang: str) -> dict[str, int]:
    """Plan the steps, a row each with the players across; return the rows by name."""
    top, players = shape.steps, shape.players
    plan.spread((top, PLAYER, top, GORA), "section", word("steps", lang))
    for seat in range(players):
        name, nobody = name_of(shape, seat, lang)
        plan.put(top, WHISTS + seat, "head", f"={name}", nobody)
    plan.put(top, shape.convention, "head", word("sum", lang))
    rows: dict[str, int] = {}
    for number, (key, formula) in enumerate(_step_formulas(shape, ledger, chosen, rows), start=1):
        row = rows[key] = top + number
        last = key == "result"
        style = "result" if last else "step whists" if key in ("final", "saldo", "correction") else "step"
        plan.spread((row, PLAYER, row, GORA), "result label" if last else "step label", word(key, lang))
        for seat in range(players):
            plan.put(row, WHISTS + seat, style, f"={formula(seat)}")
        if style != "step":
            across = f"{cell(row, WHISTS)}:{cell(row, WHISTS + players - 1)}"
            plan.put(row, shape.convention, style, f"=ROUND(SUM({across}),6)")
    highlight_result(plan, (rows["result"], WHISTS, rows["result"], WHISTS + players - 1))
    plain = (top + 1, WHISTS, rows["final"] - 1, WHISTS + players - 1)
    highlight_fractions(plan, plain, "fraction")
    highlight_fractions(plan, (rows["final"], WHISTS, rows["correction"], shape.convention), "signed fraction")
    return rows


def _step_formulas(
    shape: Shape, ledger: Ledger, chosen: Chosen, rows: dict[str, int]
) -> list[tuple[str, Callable[[int], str]]]:
    players, square = shape.players, shape.players**2
    terms = Terms(players, 1, chosen.below, f"({chosen.below}-{chosen.above})", chosen.target, 10, square)
    gora = ledger.each("adjusted", lambda seat: adjusted(ledger, terms, seat))
    least = ledger.once("least", ledger.smallest(gora))
    debt = ledger.each("debt", lambda seat: whole_debt(ledger, terms, gora, seat))
    everybody = ledger.once("everybody", f"10*{ledger.total(gora)}")
    share = ledger.each("share", lambda seat: share_of(ledger, terms, gora, seat))
    rounded = ledger.each("balanced", lambda seat: balanced(ledger, everybody, share, square, seat))
    gora_share = ledger.each("gora whists", lambda seat: f"{everybody}-{10 * players}*{gora(seat)}")

    def at(key: str, seat: int) -> str:
        return cell(rows[key], WHISTS + seat)

    by_debts, rounding = f'{chosen.rounding}="debts"', chosen.rounding
    exact = ledger.each("exact", lambda seat: f"({gora_share(seat)}+{square}*{ledger.saldo(seat)})/{square}")
    return [
        ("missing", lambda seat: f"({chosen.target}-{players}*{ledger.pulya(seat)})/{players}"),
        ("adjusted", lambda seat: f"({gora(seat)}+{chosen.below}*{chosen.target})/{players}"),
        ("amnestied", lambda seat: f"({gora(seat)}-{least})/{players}"),
        ("debt", lambda seat: f"IF({by_debts},{debt(seat)},10*({gora(seat)}-{least})/{square})"),
        (
            "final",
            lambda seat: (
                f"IF({by_debts},{ledger.total(debt)}-{players}*{debt(seat)},"
                f'IF({rounding}="truncate",{ledger.whole_part(gora_share(seat), square)},{gora_share(seat)}/{square}))'
            ),
        ),
        ("saldo", ledger.saldo),
        ("correction", lambda seat: f'IF({rounding}="balanced",{rounded(seat)}-{exact(seat)},0)'),
        (
            "result",
            lambda seat: (
                f'IF({rounding}="balanced",{rounded(seat)},'
                f'IF({rounding}="exact",{exact(seat)},{at("final", seat)}+{at("saldo", seat)}))'
            ),
        ),
    ]


def plan_status(plan: Plan, shape: Shape, chosen: Chosen, rows: dict[str, int], lang: str) -> None:
    """Plan the sentence about the rules, the check of the sum, and the warning beside it."""
    row, last = shape.status, shape.last
    plan.spread((row, PLAYER, row, last), "status", *_rules_said(shape, chosen, lang))
    results = f"{cell(rows['result'], WHISTS)}:{cell(rows['result'], WHISTS + shape.players - 1)}"
    plan.spread((row + 1, last - 2, row + 1, last - 1), "check label", word("check", lang))
    check = plan.put(row + 1, last, "check", f"=ROUND(SUM({results}),6)")
    where = (row + 1, last, row + 1, last)
    plan.highlight(where, "good", type="formula", criteria=f"=IF(ISERROR({check}),FALSE,{check}=0)")
    plan.highlight(where, "bad", type="formula", criteria=f"=IF(ISERROR({check}),TRUE,{check}<>0)")
    plan.spread((row + 1, PLAYER, row + 1, last - 3), "warning", f"={_warning(shape, check, lang)}", "")


def _warning(shape: Shape, check: str, lang: str) -> str:
    """Return the formula of the first thing that is wrong with what is typed in, such as by pasting."""
    bottom = FIRST + shape.players - 1
    numbers = f"{fixed(FIRST, PULYA)}:{fixed(bottom, shape.convention - 1)}"
    pulyas = f"{fixed(FIRST, PULYA)}:{fixed(bottom, PULYA)}"
    names = [fixed(FIRST + seat, PLAYER) for seat in range(shape.players)]
    same = ",".join(f'({one}<>"")*({one}={other})' for one, other in combinations(names, 2))
    faults = (
        (f"COUNTA({numbers})+ISTEXT({fixed(FIRST, shape.last)})>COUNT({numbers})", "word"),
        (f"SUMPRODUCT(--({numbers}*2<>INT({numbers}*2)))>0", "odd"),
        (f"MIN({pulyas})<0", "negative"),
        (f"OR({same})", "twice"),
        (f"ISERROR({check})", ""),
        (f"{check}<>0", "residual"),
    )
    said = '""'
    for condition, key in reversed(faults):
        said = f'IF({condition},"{word(key, lang) if key else ""}",{said})'
    return said


def _rules_said(shape: Shape, chosen: Chosen, lang: str) -> tuple[str, str]:
    """Return the formula of the sentence about the rules, and what a blank form says."""
    column = "A" if lang == "ru" else "B"
    code = f"MATCH({chosen.rounding},{_rules('B', ROUNDING_ROWS)},0)"
    rounding = f"INDEX({_rules(column, ROUNDING_ROWS)},{code})"
    convention = f"INDEX({_rules(column, CONVENTION_ROWS)},{chosen.convention})"
    mode = f"INDEX({_rules('D', CONVENTION_ROWS)},{chosen.convention})" if lang == "ru" else chosen.mode
    agreed = fixed(FIRST, shape.last)
    goal = f'IF({agreed}="",{mode},"{word("agreed", lang)} "&{agreed})'
    settled, below, above, points = (word(key, lang) for key in ("settled", "below", "above", "points"))
    said = (
        f'"{settled}: "&{convention}&" ("&{goal}&"; {below}"&{chosen.below}&", {above}"&{chosen.above}'
        f'&"{points}), "&{rounding}'
    )
    names = [RUSSIAN[name] if lang == "ru" else name for name in ("rozaliev", "mean", "debts")]
    shown = f"{settled}: {names[0]} ({names[1]}; {below}2, {above}1{points}), {names[2]}"
    return f'=IFERROR({said},"{word("no rule", lang)}")', shown


def plan_pairs(plan: Plan, shape: Shape, ledger: Ledger, rows: dict[str, int], lang: str) -> None:
    """Plan what the row wins from the column: saldo and the debts, as the steps show them."""
    top, players = shape.pairs, shape.players
    plan.spread((top, PLAYER, top, GORA), "section", word("pairs", lang))
    plan.put(top, shape.convention, "beside", word("pairs help", lang))
    highlight_fractions(plan, (top + 1, WHISTS, top + players, WHISTS + players - 1), "signed fraction")
    square = players**2
    for seat in range(players):
        name, nobody = name_of(shape, seat, lang)
        plan.put(top, WHISTS + seat, "head", f"={name}", nobody)
        plan.spread((top + 1 + seat, PLAYER, top + 1 + seat, GORA), "step label", f"={name}", nobody)
        for other in range(players):
            row, column = top + 1 + seat, WHISTS + other
            if other == seat:
                plan.put(row, column, "self")
                continue
            debts = f"ROUND({square}*({cell(rows['debt'], WHISTS + other)}-{cell(rows['debt'], WHISTS + seat)}),6)"
            saldo = f"{cell(FIRST + seat, WHISTS + other)}-{cell(FIRST + other, WHISTS + seat)}"
            plan.put(row, column, "step whists", f"=({debts}+{square}*({saldo}))/{square}")
