"""One live form: the paper sheet as players know it, every step by a plain formula.

The table to fill in is laid out as ``prefxl settle`` reads a form. The rules chosen
in its drop-downs are numbers in cells, and the formulas come from ``formulas``: the
same builder as everywhere, with each intermediate number in a cell of its own.
"""

from __future__ import annotations

from prefxl.live.form_drawing import plan_drawing
from prefxl.live.form_shape import (
    CAPTION,
    CONVENTION_ROWS,
    FIRST,
    GORA,
    HEADING,
    PLAYER,
    PULYA,
    ROUNDING_ROWS,
    RULES_SHEET,
    SEAT,
    SUBTITLE,
    TITLE,
    WHISTS,
    Ledger,
    Shape,
)
from prefxl.live.form_steps import plan_choice, plan_pairs, plan_status, plan_steps
from prefxl.live.form_words import word
from prefxl.live.plan import Plan, cell, fixed
from prefxl.rules.conventions import RUSSIAN


def plan_form(players: int, lang: str) -> Plan:
    """Plan the form for 3 or 4 players in ``lang``."""
    shape, plan = Shape(players), Plan(word("sheet", lang))
    _plan_table(plan, shape, lang)
    plan.put(TITLE, shape.helpers, "helper title", word("exactly", lang))
    ledger = Ledger(plan, shape)
    chosen = plan_choice(plan, shape, ledger, lang)
    rows = plan_steps(plan, shape, ledger, chosen, lang)
    plan_status(plan, shape, chosen, rows, lang)
    plan_pairs(plan, shape, ledger, rows, lang)
    plan_drawing(plan, shape, rows, lang)
    _lay_out(plan, shape)
    return plan


def _plan_table(plan: Plan, shape: Shape, lang: str) -> None:
    plan.put(TITLE, PLAYER, "title", word("title", lang, players=shape.players))
    plan.put(SUBTITLE, PLAYER, "subtitle", word("subtitle", lang))
    plan.spread((CAPTION, PLAYER, CAPTION, GORA), "caption", word("caption", lang))
    for column, key in ((PLAYER, "player"), (PULYA, "pulya"), (GORA, "gora")):
        plan.put(HEADING, column, "head", word(key, lang))
    for offset, key in enumerate(("convention", "rounding", "target")):
        plan.put(HEADING, shape.convention + offset, "head", word(key, lang))
    for seat in range(shape.players):
        row, column = FIRST + seat, WHISTS + seat
        plan.put(HEADING, column, "head", word("whists on", lang, seat=seat + 1))
        plan.put(row, SEAT, "seat", seat + 1)
        plan.put(row, PLAYER, "input name")
        for other in range(-2, shape.players):
            plan.put(row, WHISTS + other, "self" if other == seat else "input")
    default = RUSSIAN["rozaliev"] if lang == "ru" else "rozaliev"
    for offset, content in enumerate((default, None, None)):
        column = shape.convention + offset
        plan.spread((FIRST, column, FIRST + shape.players - 1, column), "input rule", content)
    _plan_validations(plan, shape, lang)


def _plan_validations(plan: Plan, shape: Shape, lang: str) -> None:
    """Plan what may be typed in: anything else is stopped with a sentence."""
    names = f"{fixed(FIRST, PLAYER)}:{fixed(FIRST + shape.players - 1, PLAYER)}"
    once = f"=COUNTIF({names},{cell(FIRST, PLAYER)})=1"
    _allow(plan, shape.rows(PLAYER, PLAYER), once, word("bad name", lang), lang)
    pulya = cell(FIRST, PULYA)
    _allow(plan, shape.rows(PULYA, PULYA), _half(pulya, f",{pulya}>=0"), word("bad pulya", lang), lang)
    number = word("bad number", lang)
    gora, whists = shape.rows(GORA, GORA), shape.rows(WHISTS, shape.convention - 1)
    _allow(plan, gora, _half(cell(FIRST, GORA)), number, lang, input_message=word("gora help", lang))
    _allow(plan, whists, _half(cell(FIRST, WHISTS)), number, lang, input_message=word("whists help", lang))
    agreed, where = cell(FIRST, shape.last), (FIRST, shape.last, FIRST, shape.last)
    help_text = word("blank target", lang)
    _allow(plan, where, _half(agreed, f",{agreed}>=0"), word("bad pulya", lang), lang, input_message=help_text)
    _plan_lists(plan, shape, lang)


def _plan_lists(plan: Plan, shape: Shape, lang: str) -> None:
    column = "A" if lang == "ru" else "B"
    helps: tuple[dict[str, str], ...] = ({}, {"input_message": word("blank rounding", lang)})
    for offset, (first, last) in enumerate((CONVENTION_ROWS, ROUNDING_ROWS)):
        plan.validate(
            (FIRST, shape.convention + offset, FIRST, shape.convention + offset),
            validate="list",
            source=f"='{RULES_SHEET}'!${column}${first}:${column}${last}",
            error_title=word("bad title", lang),
            error_message=word("bad rule", lang),
            **helps[offset],
        )


def _allow(plan: Plan, where: tuple[int, int, int, int], formula: str, refusal: str, lang: str, **helps: str) -> None:
    title = word("bad title", lang)
    plan.validate(where, validate="custom", value=formula, error_title=title, error_message=refusal, **helps)


def _half(name: str, more: str = "") -> str:
    return f"=AND(ISNUMBER({name}),{name}*2=INT({name}*2){more})"


def _lay_out(plan: Plan, shape: Shape) -> None:
    wide = {3: (13.5, 11.5), 4: (9.5, 11.5)}[shape.players]
    plan.widths = {SEAT: 3, PLAYER: 18, PULYA: 10, GORA: 12}
    plan.widths |= {WHISTS + seat: wide[0] for seat in range(shape.players)}
    plan.widths |= {shape.convention + offset: wide[1] for offset in range(3)}
    plan.widths[shape.last + 1] = 4
    plan.widths |= {shape.helpers + number: 13 for number in range(14)}
    plan.heights = {TITLE: 30, SUBTITLE: 16, CAPTION: 22, HEADING: 32, shape.status + 1: 24}
    plan.heights |= {FIRST + seat: 24 for seat in range(shape.players)}
    plan.heights |= dict.fromkeys(range(shape.drawing, shape.steps - 1), 26)
    plan.heights |= dict.fromkeys(range(shape.steps + 1, shape.end + 1), 18)
    plan.heights |= {shape.steps: 24, shape.pairs - 2: 24, shape.pairs: 24}
