"""The derivation of a settlement as a person would write it by hand, every number checkable.

Every ``=`` stands between two sides that are equal: a test computes each of them again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from prefxl.rules.conventions import ROUNDINGS
from prefxl.rules.derivation import Derivation
from prefxl.rules.telling import Manner, Told
from prefxl.rules.wording import sentence

if TYPE_CHECKING:
    from prefxl.rules.single import Settlement


@dataclass(frozen=True)
class Section:
    """One step of the derivation: its heading, its sentences, and a table where it has one."""

    title: str
    lines: tuple[str, ...]
    table: tuple[tuple[str, ...], ...] = ()


def explain(settlement: Settlement, lang: str = "ru") -> str:
    """Return the derivation as plain text.

    Parameters
    ----------
    settlement
        The settled sheet.
    lang
        ``"ru"`` or ``"en"``.
    """
    parts = [Derivation(settlement, lang).heading()]
    for section in sections(settlement, lang):
        parts.append("\n".join([section.title, *_aligned(section.table), *(f"  {line}" for line in section.lines)]))
    return "\n\n".join(parts)


def explain_markdown(settlement: Settlement, lang: str = "ru") -> str:
    """Return the derivation as Markdown."""
    parts = [_plain(Derivation(settlement, lang).heading())]
    for section in sections(settlement, lang):
        parts.append(f"### {section.title}")
        if section.table:
            head, *rows = section.table
            ruler = "|---|" + "---:|" * (len(head) - 1)
            parts.append("\n".join([_piped(head), ruler, *(_piped(row) for row in rows)]))
        if section.lines:
            parts.append("\n".join(f"- {_plain(line)}" for line in section.lines))
    return "\n\n".join(parts) + "\n"


def explain_result(settlement: Settlement, seat: int, lang: str = "ru") -> str:
    """Return how the result of the player at ``seat`` (from 0) came about, a step a line.

    Short enough for a note on a cell.
    """
    return Told(settlement, Manner(settlement, lang)).short(seat)


def explain_results(settlement: Settlement, lang: str = "ru") -> list[str]:
    """Return :func:`explain_result` for every player, seat by seat."""
    return Explainer(lang).results(settlement)


class Explainer:
    """Explains the results of many games: what those of the same terms share is worked out once.

    Parameters
    ----------
    lang
        ``"ru"`` or ``"en"``.
    """

    def __init__(self, lang: str = "ru") -> None:
        self._lang = lang
        self._manners: dict[tuple[int, ...], Manner] = {}

    def results(self, settlement: Settlement) -> list[str]:
        """Return :func:`explain_result` for every player, seat by seat."""
        told = Told(settlement, self.manner(settlement))
        return [told.short(seat) for seat in told.seats]

    def notes(self, settlement: Settlement) -> list[str]:
        """Return the same under the player's name and result, over the rules it was settled by."""
        manner = self.manner(settlement)
        told, result = Told(settlement, manner), settlement.work.result
        signed = manner.over(result.denominator).signed
        return [
            f"{name}: {signed(won)}\n{told.short(seat)}\n{manner.rules_named}"
            for seat, (name, won) in enumerate(zip(settlement.players, result.numerators, strict=True))
        ]

    def manner(self, settlement: Settlement) -> Manner:
        """Return how games of the terms of ``settlement`` are told."""
        # house rules are hashed dearly; a manner keeps its own alive, so their identities stay theirs
        terms = id(settlement.convention), id(settlement.stake), ROUNDINGS.index(settlement.rounding)
        key = (*terms, len(settlement.players))
        found = self._manners.get(key)
        if found is None:
            found = self._manners[key] = Manner(settlement, self._lang)
        return found


def explain_data(settlement: Settlement, lang: str = "ru") -> dict[str, Any]:
    """Return the settlement and its derivation as plain values: exact numbers as text, players seat by seat."""
    lines = explain_results(settlement, lang)
    players = [
        {
            "player": name,
            **{step: str(values[seat]) for step, values in settlement.steps.items()},
            "whists": [str(value) for value in settlement.whists[seat]],
            "pair_results": [str(value) for value in settlement.pair_results[seat]],
            "money": str(settlement.money[seat]) if settlement.money else None,
            "lines": lines[seat].split("\n"),
        }
        for seat, name in enumerate(settlement.players)
    ]
    return {
        "convention": settlement.convention.name,
        "rounding": settlement.rounding,
        "stake": str(settlement.stake.per_whist) if settlement.stake else None,
        "residual": str(settlement.residual),
        "corrections": [int(point) for point in settlement.work.gora_correction or ()],
        "players": players,
        "payments": {
            kind: [
                {"payer": paid.payer, "payee": paid.payee, "amount": str(paid.amount)}
                for paid in settlement.payments(kind)
            ]
            for kind in ("pairwise", "fewest")
        },
        "sections": [{"title": part.title, "lines": list(part.lines)} for part in sections(settlement, lang)],
    }


def sections(settlement: Settlement, lang: str = "ru") -> list[Section]:
    """Return the steps of the derivation, in order."""
    told = Derivation(settlement, lang)
    steps = {
        "equalise": (*told.target(), *told.by_player(told.equalised if told.unequal else None)),
        "amnesty": (told.smallest(), *told.by_player(told.amnestied)),
        "correct": tuple(told.correction()),
        "gora": (*told.gora_rule(), *told.by_player(told.debt if told.by_debts else None), *told.by_player(told.gora)),
        "whists": told.by_player(told.whists),
        "result": (*told.by_player(told.result), *told.remarks()),
        "money": (*told.stake(), *told.by_player(told.money)),
        "payments": tuple(told.payments()),
    }
    found = [Section(sentence("sheet", lang), (), told.sheet())]
    return found + [Section(sentence(key, lang), tuple(lines)) for key, lines in steps.items() if lines]


def _aligned(table: tuple[tuple[str, ...], ...]) -> list[str]:
    """Return a table as lines: the first column to the left, numbers to the right."""
    if not table:
        return []
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    return [
        "  "
        + "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]


def _piped(row: tuple[str, ...]) -> str:
    return "| " + " | ".join(_plain(cell) for cell in row) + " |"


def _plain(text: str) -> str:
    """Return text that Markdown shows as it stands."""
    for char in "\\`*_[]<>|#":
        text = text.replace(char, "\\" + char)
    return " ".join(text.split())
