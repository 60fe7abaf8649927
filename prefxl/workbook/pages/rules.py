"""The sheet «Правила»: what was settled, how, from what, when and by which version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from fractions import Fraction
from pathlib import PurePath

from prefxl import __version__
from prefxl.findings import games_left_out, tables_left_out
from prefxl.rules.wording import number, rule_name
from prefxl.season.ledger import day_numbers
from prefxl.settled import Terms
from prefxl.workbook.pages.task import Task, price
from prefxl.workbook.widths import text_height
from prefxl.workbook.words import SOURCES_RU, rounding_sentence, sheet_title

Line = tuple[str, str]
_LABEL_WIDTH, _TEXT_WIDTH = 30, 74


def draw(task: Task) -> None:
    """Draw the sheet."""
    title = sheet_title("rules", task.lang)
    page = task.canvas.page(title)
    task.names["rules"] = [title]
    row = page.head(title, task.canvas.say("rules_title"))
    for heading, lines in _sections(task):
        row = page.section(row, heading)
        for label, text in lines:
            page.sheet.set_row(row, text_height(text, _TEXT_WIDTH))
            page.sheet.write_string(row, 0, label, task.canvas.format("label"))
            page.sheet.write_string(row, 1, text, task.canvas.format("plain_wrapped"))
            row += 1
        row += 1
    page.widths.update({0: _LABEL_WIDTH, 1: _TEXT_WIDTH})
    page.finish()


def _sections(task: Task) -> Iterator[tuple[str, list[Line]]]:
    yield task.canvas.say("about"), list(_about(task))
    kinds = task.settled.ways
    for terms, games in kinds.most_common():
        heading = task.canvas.say("house_rules")
        if len(kinds) > 1:
            heading += f" — {task.canvas.say('for_games', count=games)}"
        yield heading, list(_terms(task, terms))
    yield task.canvas.say("reading"), list(_hints(task))
    lost = list(task.lost())
    if lost:
        yield task.canvas.say("lost_ticks"), [("", text) for text in lost]


def _about(task: Task) -> Iterator[Line]:
    say, settled = task.canvas.say, task.settled
    when = task.canvas.when or datetime.now()
    yield say("written_by"), f"prefxl {__version__}"
    yield say("when"), when.strftime("%d.%m.%Y %H:%M" if task.lang == "ru" else "%Y-%m-%d %H:%M")
    files = dict.fromkeys(table.file for table in settled.games.tables if table.file)
    alike = Counter(PurePath(file).name for file in files)
    if files:
        shown = {file: PurePath(file).name for file in files}
        yield say("files"), "\n".join(file if alike[name] > 1 else name for file, name in shown.items())
    yield say("games_count"), str(len(settled))
    findings = settled.findings
    for label, count in (("skipped", games_left_out(findings)), ("unread", tables_left_out(findings))):
        if count:
            yield say(label), str(count)
    numbers, known = day_numbers(settled.games.date)
    if known.any():
        shape = "%d.%m.%Y" if task.lang == "ru" else "%Y-%m-%d"
        first, last = (date.fromordinal(int(day)) for day in (numbers[known].min(), numbers[known].max()))
        yield say("dates"), f"{first.strftime(shape)} – {last.strftime(shape)}"


def _terms(task: Task, terms: Terms) -> Iterator[Line]:
    say, rules, lang = task.canvas.say, terms.convention, task.lang
    yield task.canvas.heading("convention"), _named(rules.name, lang)
    if isinstance(rules.target, Fraction):
        yield say("target_is"), say("agreed", points=number(rules.target, lang))
    else:
        yield say("target_is"), say(rules.target)
    yield say("below"), say("adds", points=number(rules.below, lang))
    yield say("above"), say("takes", points=number(rules.above, lang))
    yield say("worth"), say("whists_each", count=number(rules.whists_per_gora, lang))
    yield say("divisor"), say(rules.divisor)
    rounding = f"{_named(terms.rounding, lang)}: {rounding_sentence(terms.rounding, lang)}"
    yield task.canvas.heading("rounding"), rounding
    stake = say("no_stake")
    if terms.stake is not None:
        currency = f" {task.canvas.currency}" if task.canvas.currency else ""
        stake = say("per_whist", stake=price(terms.stake, lang) + currency)
    yield task.canvas.heading("stake"), stake
    yield say("source"), SOURCES_RU.get(rules.name, rules.source) if lang == "ru" else rules.source


def _named(name: str, lang: str) -> str:
    """Return a rule's name in ``lang``, and behind it the one that commands and columns take."""
    shown = rule_name(name, lang)
    return shown if shown == name else f"{shown} ({name})"


def _hints(task: Task) -> Iterator[Line]:
    say, settled = task.canvas.say, task.settled
    steps = task.names.get("settlement", [sheet_title("settlement", task.lang)])[0]
    if len(settled) > task.noted_games:
        yield task.canvas.heading("result"), say("notes_limited", count=task.noted_games, sheet=steps)
    else:
        yield task.canvas.heading("result"), say("notes")
    yield task.canvas.heading("result_exact"), say("fraction", column=task.canvas.heading("result_exact"))
    yield task.canvas.heading("check"), say("sum_zero", check=task.canvas.heading("check"))
    for names in task.names.values():
        if len(names) > 1:
            yield names[0], say("continued", sheet=names[0], others=", ".join(names[1:]))
    for remark in task.canvas.remarks:
        yield "", remark
