"""How one player's result came about, in a few lines: the text of the note on a result cell."""

from __future__ import annotations

from fractions import Fraction

from prefxl.rules.single import Settlement
from prefxl.workbook.words import rule_name


def number(value: Fraction, lang: str = "ru", *, sign: bool = False) -> str:
    """Return a number as people write it: ``7,5``, ``+38``, ``−13⅓`` as ``−13 1/3``.

    >>> number(Fraction(-40, 3)), number(Fraction(15, 2)), number(Fraction(38), sign=True)
    ('−13 1/3', '7,5', '+38')
    """
    lead = "−" if value < 0 else "+" if sign and value > 0 else ""
    size = abs(value)
    whole, rest = divmod(size, 1)
    if not rest:
        return f"{lead}{whole}"
    if 10 % rest.denominator == 0:
        return lead + f"{float(size):g}".replace(".", "," if lang == "ru" else ".")
    return f"{lead}{whole} {rest}" if whole else f"{lead}{rest}"


def derivation(settlement: Settlement, seat: int, lang: str = "ru") -> str:
    """Return the derivation of one player's result, a step a line.

    Parameters
    ----------
    settlement
        The game.
    seat
        The player's seat, from 0.
    lang
        ``"ru"`` or ``"en"``.
    """
    lines = [
        _title(settlement, seat, lang),
        _pulya_line(settlement, seat, lang),
        _amnesty_line(settlement, seat, lang),
        _gora_line(settlement, seat, lang),
        _whists_line(settlement, seat, lang),
        _result_line(settlement, seat, lang),
        f"{rule_name(settlement.convention.name, lang)}, {rule_name(settlement.rounding, lang)}",
    ]
    return "\n".join(line for line in lines if line)


def _title(done: Settlement, seat: int, lang: str) -> str:
    return f"{done.players[seat]}: {number(done.result_exact[seat], lang, sign=True)}"


def _pulya_line(done: Settlement, seat: int, lang: str) -> str:
    pulya, gora, adjusted = done.pulya[seat], done.gora[seat], done.adjusted_gora[seat]
    words = ("Пуля", "гора") if lang == "ru" else ("Pulya", "gora")
    rules = done.convention
    target = {"mean": sum(done.pulya, Fraction(0)) / len(done.pulya), "largest": max(done.pulya)}.get(
        str(rules.target), rules.target
    )
    apart = Fraction(target) - pulya
    if not apart:
        return f"{words[0]} {number(pulya, lang)}: {words[1]} {number(gora, lang)}"
    points, sign = (rules.below, "+") if apart > 0 else (rules.above, "−")
    toward = "до" if lang == "ru" else "to"
    return (
        f"{words[0]} {number(pulya, lang)} {toward} {number(Fraction(target), lang)}: {words[1]} "
        f"{number(gora, lang)} {sign} {number(points, lang)}·{_grouped(abs(apart), lang)} = {number(adjusted, lang)}"
    )


def _grouped(value: Fraction, lang: str) -> str:
    text = number(value, lang)
    return f"({text})" if " " in text or "/" in text else text


def _amnesty_line(done: Settlement, seat: int, lang: str) -> str:
    least = min(done.adjusted_gora)
    before = done.adjusted_gora[seat] - least
    after = done.amnestied_gora[seat]
    word = "Амнистия" if lang == "ru" else "Amnesty"
    line = f"{word}: {number(done.adjusted_gora[seat], lang)} − {_grouped(least, lang)} = {number(before, lang)}"
    if least < 0:
        line = f"{word}: {number(done.adjusted_gora[seat], lang)} + {_grouped(-least, lang)} = {number(before, lang)}"
    if after != before:
        added = "поправка делимости" if lang == "ru" else "made to divide"
        line += f"; {added} {number(after - before, lang, sign=True)} = {number(after, lang)}"
    return line


def _gora_line(done: Settlement, seat: int, lang: str) -> str:
    worth, divisor = done.convention.whists_per_gora, done.convention.divisor_for(len(done.players))
    debts = done.debt
    own = f"{number(worth, lang)}·{_grouped(done.amnestied_gora[seat], lang)}/{divisor}"
    exact = worth * done.amnestied_gora[seat] / divisor
    equals = "=" if exact == debts[seat] else "≈"
    others = sum((debt for at, debt in enumerate(debts) if at != seat), Fraction(0))
    opponents = len(debts) - 1
    words = ("Долг с горы", "гора даёт") if lang == "ru" else ("Debt", "gora gives")
    gives = done.final_gora[seat]
    plain = others - opponents * debts[seat]
    sign = "=" if plain == gives else "≈"
    return (
        f"{words[0]}: {own} {equals} {number(debts[seat], lang)}\n"
        f"{words[1][0].upper()}{words[1][1:]}: {number(others, lang)} − {opponents}·{_grouped(debts[seat], lang)} "
        f"{sign} {number(gives, lang, sign=True)}"
    )


def _whists_line(done: Settlement, seat: int, lang: str) -> str:
    lines = []
    for other, name in enumerate(done.players):
        if other != seat:
            wrote, received = done.whists[seat][other], done.whists[other][seat]
            lines.append(
                f"  {name}: {number(wrote, lang)} − {_grouped(received, lang)} = "
                f"{number(wrote - received, lang, sign=True)}"
            )
    word = "Висты" if lang == "ru" else "Whists"
    return "\n".join([f"{word}: {number(done.saldo[seat], lang, sign=True)}", *lines])


def _result_line(done: Settlement, seat: int, lang: str) -> str:
    word, fix = ("Итог", "поправка") if lang == "ru" else ("Result", "correction")
    correction = done.correction[seat]
    extra = f" {_signed(correction, lang)} ({fix})" if correction else ""
    line = (
        f"{word}: {number(done.final_gora[seat], lang, sign=True)} {_signed(done.saldo[seat], lang)}{extra} = "
        f"{number(done.result_exact[seat], lang, sign=True)}"
    )
    money = done.money
    if money is None:
        return line
    paid = f"{money[seat]:+}".replace("-", "−")
    label = "Деньги" if lang == "ru" else "Money"
    return f"{line}\n{label}: {paid.replace('.', ',') if lang == 'ru' else paid}"


def _signed(value: Fraction, lang: str) -> str:
    return f"{'−' if value < 0 else '+'} {_grouped(abs(value), lang)}"
