"""What ``prefxl settle`` says at the end: the table, and who pays whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from prefxl.cli.console import print_table, signed
from prefxl.rules.conventions import RUSSIAN

if TYPE_CHECKING:
    import pandas as pd

    from prefxl.settled import Settled

#: More transfers than this are left to the workbook.
PAYMENTS_SHOWN = 15


def print_summary(settled: Settled, lang: str, *, kind: str, currency: str = "") -> None:
    """Print the standings of the settled games and the payments for all of them."""
    russian = lang == "ru"
    ways = sorted({_way(terms, russian) for terms in settled.ways})
    games = f"Игр: {len(settled)}" if russian else f"Games: {len(settled)}"
    click.echo(f"{games} · {'; '.join(ways)}")
    standings = settled.standings()
    print_standings(standings, lang, currency=currency)
    payments = settled.payments(kind)
    if len(payments) > PAYMENTS_SHOWN:
        text = "Платежей: {}, они в книге." if russian else "Payments: {}, see the workbook."
        click.echo(text.format(len(payments)))
        return
    for line in payment_lines(payments, currency, lang):
        click.echo(line)


def _way(terms: Any, russian: bool) -> str:
    names = (terms.convention.name, terms.rounding)
    convention, rounding = (RUSSIAN[name] for name in names) if russian else names
    return (
        f"конвенция {convention}, округление «{rounding}»"
        if russian
        else f"convention {convention}, rounding {rounding}"
    )


def print_standings(standings: pd.DataFrame, lang: str, *, currency: str = "", full: bool = False) -> None:
    """Print the columns of the standings that matter most, or nearly all of them."""
    russian = lang == "ru"
    headings = ("место|игрок|игр|в плюсе|сумма|в среднем" if russian else "rank|player|games|won|sum|average").split(
        "|"
    )
    with_money = bool(standings["money"].notna().any())
    if with_money:
        headings.append(("деньги" if russian else "money") + (f", {currency}" if currency else ""))
    rows = [_standing(row, with_money) for row in standings.to_dict("records")]
    if full:
        headings += ("доля|лучший|худший|форма" if russian else "share|best|worst|form").split("|")
        rows = [[*row, *_more(all_of)] for row, all_of in zip(rows, standings.to_dict("records"), strict=True)]
    print_table(headings, rows, left=2)


def _more(row: dict[Any, Any]) -> list[str]:
    return [f"{row['won_share']:.0%}", signed(row["best"]), signed(row["worst"]), row["form"]]


def _standing(row: dict[Any, Any], with_money: bool) -> list[Any]:
    ranked = row["rank"] is not None and row["rank"] == row["rank"]
    rank = f"{int(row['rank'])}{'=' if row['shared'] else ''}" if ranked else "–"
    cells = [rank, row["player"], row["games"], row["won"], signed(row["sum_exact"]), signed(row["average"])]
    return [*cells, signed(row["money"], 6)] if with_money else cells


def payment_lines(payments: pd.DataFrame, currency: str = "", lang: str = "ru") -> list[str]:
    """Return one line a transfer: who, to whom, how much; whists are called so where others are in money."""
    lines = []
    staked = payments["money"].notna()
    places = _places(payments["money"][staked].tolist())
    unit = (" (висты)" if lang == "ru" else " (whists)") if staked.any() else ""
    for row, in_money in zip(payments.to_dict("records"), staked.tolist(), strict=True):
        amount = f"{row['money']:.{places}f} {currency}".strip() if in_money else f"{row['whists_exact']}{unit}"
        lines.append(f"  {row['payer']} → {row['payee']}: {amount}")
    return lines


def _places(amounts: Sequence[float]) -> int:
    """Return the decimals that show every amount of money, two at least: there may be six minor units."""
    return next((places for places in range(2, 6) if all(round(one, places) == one for one in amounts)), 6)
