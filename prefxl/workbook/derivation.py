"""How one player's result came about, in a few lines: the text of the note on a result cell."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from prefxl.rules.single import Settlement
from prefxl.workbook.words import rule_name

#: The words of a derivation, (English, Russian).
_WORDS = {
    "pulya": ("Pulya", "Пуля"),
    "gora": ("gora", "гора"),
    "to": ("to", "до"),
    "amnesty": ("Amnesty", "Амнистия"),
    "divisible": ("made to divide", "поправка делимости"),
    "debt": ("Debt", "Долг с горы"),
    "gives": ("Gora gives", "Гора даёт"),
    "whists": ("Whists", "Висты"),
    "result": ("Result", "Итог"),
    "correction": ("correction", "поправка"),
    "money": ("Money", "Деньги"),
}


def number(value: Fraction, lang: str = "ru", *, sign: bool = False) -> str:
    """Return a number as people write it: ``7,5``, ``+38``, ``−13 1/3``.

    >>> number(Fraction(-40, 3)), number(Fraction(15, 2)), number(Fraction(38), sign=True)
    ('−13 1/3', '7,5', '+38')
    """
    above, below = value.numerator, value.denominator
    lead = "−" if above < 0 else "+" if sign and above > 0 else ""
    whole, rest = divmod(abs(above), below)
    if below == 1:
        return f"{lead}{whole}"
    if 10 % below == 0:
        return f"{lead}{whole}{',' if lang == 'ru' else '.'}{rest * 10 // below}"
    return f"{lead}{whole} {rest}/{below}" if whole else f"{lead}{rest}/{below}"


def derivations(settlement: Settlement, lang: str = "ru") -> list[str]:
    """Return the derivation of every player's result, seat by seat, a step a line.

    Parameters
    ----------
    settlement
        The game.
    lang
        ``"ru"`` or ``"en"``.
    """
    work = _Work(settlement, lang)
    return ["\n".join(work.lines(seat)) for seat in range(len(settlement.players))]


class _Work:
    """One game's steps, taken out once for all its players."""

    def __init__(self, done: Settlement, lang: str) -> None:
        self.done, self.lang = done, lang
        self.players, self.rules = done.players, done.convention
        self.pulya, self.gora, self.adjusted = done.pulya, done.gora, done.adjusted_gora
        self.amnestied, self.debt, self.final = done.amnestied_gora, done.debt, done.final_gora
        self.whists, self.saldo, self.correction = done.whists, done.saldo, done.correction
        self.result, self.money = done.result_exact, done.money
        self.least, self.owed = min(self.adjusted), sum(self.debt, Fraction(0))
        computed = {"mean": sum(self.pulya, Fraction(0)) / len(self.pulya), "largest": max(self.pulya)}
        self.target = Fraction(computed.get(str(self.rules.target), self.rules.target))

    def lines(self, seat: int) -> Iterator[str]:
        yield f"{self.players[seat]}: {self.signed(self.result[seat])}"
        yield self.pulya_line(seat)
        yield self.amnesty_line(seat)
        yield from self.gora_lines(seat)
        yield f"{self.word('whists')}: {self.signed(self.saldo[seat])}"
        yield from self.whists_lines(seat)
        yield self.result_line(seat)
        if self.money is not None:
            text = f"{self.money[seat]:+}".replace("-", "−")
            yield f"{self.word('money')}: {text.replace('.', ',') if self.lang == 'ru' else text}"
        yield f"{rule_name(self.rules.name, self.lang)}, {rule_name(self.done.rounding, self.lang)}"

    def word(self, key: str) -> str:
        return _WORDS[key][self.lang == "ru"]

    def plain(self, value: Fraction) -> str:
        return number(value, self.lang)

    def signed(self, value: Fraction) -> str:
        return number(value, self.lang, sign=True)

    def grouped(self, value: Fraction) -> str:
        """Return a number that may be multiplied: fractions and negative ones in brackets."""
        text = number(value, self.lang)
        return f"({text})" if "/" in text or text[0] == "−" else text

    def joined(self, value: Fraction) -> str:
        return f"{'−' if value < 0 else '+'} {self.plain(abs(value))}"

    def less(self, value: Fraction) -> str:
        """Return ``value`` taken off: ``− 7``, or ``+ 7`` for −7."""
        return f"{'+' if value < 0 else '−'} {self.plain(abs(value))}"

    def pulya_line(self, seat: int) -> str:
        pulya, gora = self.plain(self.pulya[seat]), self.plain(self.gora[seat])
        apart = self.target - self.pulya[seat]
        if not apart:
            return f"{self.word('pulya')} {pulya}: {self.word('gora')} {gora}"
        points, sign = (self.rules.below, "+") if apart > 0 else (self.rules.above, "−")
        return (
            f"{self.word('pulya')} {pulya} {self.word('to')} {self.plain(self.target)}: {self.word('gora')} {gora} "
            f"{sign} {self.plain(points)}·{self.grouped(abs(apart))} = {self.plain(self.adjusted[seat])}"
        )

    def amnesty_line(self, seat: int) -> str:
        before = self.adjusted[seat] - self.least
        line = (
            f"{self.word('amnesty')}: {self.plain(self.adjusted[seat])} {self.less(self.least)} = {self.plain(before)}"
        )
        if self.amnestied[seat] != before:
            fix = self.signed(self.amnestied[seat] - before)
            line += f"; {self.word('divisible')} {fix} = {self.plain(self.amnestied[seat])}"
        return line

    def gora_lines(self, seat: int) -> Iterator[str]:
        worth, divisor = self.rules.whists_per_gora, self.rules.divisor_for(len(self.players))
        debt, gives, opponents = self.debt[seat], self.final[seat], len(self.players) - 1
        equals = "=" if worth * self.amnestied[seat] / divisor == debt else "≈"
        yield (
            f"{self.word('debt')}: {self.plain(worth)}·{self.grouped(self.amnestied[seat])}/{divisor} "
            f"{equals} {self.plain(debt)}"
        )
        others = self.owed - debt
        equals = "=" if others - opponents * debt == gives else "≈"
        less = f"{opponents}·{self.grouped(debt)}"
        yield f"{self.word('gives')}: {self.plain(others)} − {less} {equals} {self.signed(gives)}"

    def whists_lines(self, seat: int) -> Iterator[str]:
        for other, name in enumerate(self.players):
            if other != seat:
                wrote, received = self.whists[seat][other], self.whists[other][seat]
                yield f"  {name}: {self.plain(wrote)} {self.less(received)} = {self.signed(wrote - received)}"

    def result_line(self, seat: int) -> str:
        correction = self.correction[seat]
        extra = f" {self.joined(correction)} ({self.word('correction')})" if correction else ""
        return (
            f"{self.word('result')}: {self.signed(self.final[seat])} {self.joined(self.saldo[seat])}{extra} = "
            f"{self.signed(self.result[seat])}"
        )
