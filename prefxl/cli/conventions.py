"""``prefxl conventions``: the table of conventions and roundings, with sources."""

from __future__ import annotations

import click

from prefxl.cli.console import echo_json, print_table
from prefxl.cli.language import LANG, t
from prefxl.cli.options import language
from prefxl.rules.conventions import CONVENTIONS, ROUNDINGS, RUSSIAN

#: What each rounding does, in both languages.
ROUNDING_TEXTS = {
    "exact": ("nothing is rounded: fractions stay", "ничего не округляется, дроби остаются"),
    "debts": ("each debt to a whole whist, halves up", "каждый долг до целого виста, половины вверх"),
    "truncate": (
        "each final gora loses its fraction; the sum may not be 0",
        "дробь конечной горы отбрасывается; сумма может быть не 0",
    ),
    "divisible": (
        "one gora is corrected by a point, others write 3 whists",
        "гора одного игрока меняется на очко, остальные пишут по 3 виста",
    ),
    "divisible-debts": ("every indivisible gora is corrected by a point", "на очко меняется каждая неделимая гора"),
    "balanced": (
        "results to whole whists, within 1 of exact, with a zero sum",
        "итоги до целых вистов, не дальше 1 от точных, сумма 0",
    ),
}


@click.command("conventions", help=t("Show the conventions and roundings.", "Показать конвенции и округления."))
@click.option("--json", "as_json", is_flag=True, help=t("As JSON.", "В виде JSON."))
@language
def command(as_json: bool, lang: str | None) -> None:
    """Print the table of conventions and roundings."""
    lang = lang or LANG
    if as_json:
        echo_json(
            {
                "conventions": [
                    {
                        "name": one.name,
                        "russian": RUSSIAN[one.name],
                        "target": str(one.target),
                        "below": int(one.below),
                        "above": int(one.above),
                        "rounding": one.rounding,
                        "source": one.source,
                    }
                    for one in CONVENTIONS.values()
                ],
                "roundings": {name: ROUNDING_TEXTS[name][lang == "ru"] for name in ROUNDINGS},
            }
        )
        return
    headings = t(
        "name|in Russian|made equal to|below|above|rounding|source",
        "имя|по-русски|пули к|ниже|выше|округление|источник",
    )
    print_table(
        headings.split("|"),
        [
            (one.name, RUSSIAN[one.name], _word(str(one.target), lang), one.below, one.above, one.rounding, one.source)
            for one in CONVENTIONS.values()
        ],
        left=3,
    )
    print_table(
        t("rounding|in Russian|what it does", "округление|по-русски|что делает").split("|"),
        [(name, RUSSIAN[name], ROUNDING_TEXTS[name][lang == "ru"]) for name in ROUNDINGS],
        left=3,
    )


def _word(name: str, lang: str) -> str:
    return RUSSIAN.get(name, name) if lang == "ru" else name
