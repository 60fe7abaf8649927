"""The words on a drawn pulka, (English, Russian)."""

from __future__ import annotations

from fractions import Fraction

from prefxl.rules.single import Settlement
from prefxl.rules.wording import number, rule_name

WORDS = {
    "pulka": ("Pulka", "Пулька"),
    "game": ("game {game}", "игра {game}"),
    "pulya": ("pulya", "пуля"),
    "gora": ("gora", "гора"),
    "whists": ("whists", "висты"),
    "player": ("Player", "Игрок"),
    "mean": ("mean", "средняя"),
    "rounding": ("rounding: {rounding}", "округление: {rounding}"),
    "oval": ("balance with a neighbour", "сальдо с соседом"),
    "box": ("sum of balances; final gora", "сумма сальдо; конечная гора"),
    "rhombus": ("result", "итог"),
    "check": ("sum of the results: {sum}", "сумма итогов: {sum}"),
    "result": ("result", "итог"),
    "final-gora": ("final gora", "конечная гора"),
    "balance": ("balance", "сальдо"),
    "saldo": ("sum", "сумма"),
    "whists-on": ("on {player}: {whists}", "на: {player} — {whists}"),
    "written": ("written", "записано"),
    "before": ("before", "было"),
    "equalised": ("equalised", "уравнена"),
    "amnestied": ("amnestied", "амнистия"),
    "money": ("money", "деньги"),
    "field": (
        "{player}: pulya {pulya}, gora {goras}, final gora {final}, balances {balances}, sum {saldo}, result {result}.",
        "{player}: пуля {pulya}, гора {goras}, конечная гора {final}, сальдо {balances}, сумма {saldo}, итог {result}.",
    ),
}


def word(key: str, lang: str, **filled: object) -> str:
    """Return a text of :data:`WORDS` in ``lang``, filled."""
    return WORDS[key][lang == "ru"].format(**filled)


class Numbers:
    """The numbers of a pulka as they stand on paper, seat by seat.

    Under the roundings that correct a gora, the whists written for it belong to the balances:
    so the balances add up to their sum, and the sum and the final gora to the result.
    """

    def __init__(self, settlement: Settlement, lang: str) -> None:
        self.done, self.lang = settlement, lang
        self.names = settlement.players
        self.seats = range(len(self.names))
        self.points = settlement.work.gora_correction
        pairs = settlement.pair_saldo
        paid = settlement.work.compensation
        self.balances = [[pairs[i][j] + paid * self._points(i, j) for j in self.seats] for i in self.seats]
        self.saldo = [sum(row, Fraction(0)) for row in self.balances]

    def _points(self, i: int, j: int) -> int:
        return 0 if self.points is None else int(self.points[i]) - int(self.points[j])

    def text(self, value: Fraction, *, sign: bool = False) -> str:
        """Return a number as it is written."""
        return number(value, self.lang, sign=sign)

    def goras(self, seat: int) -> list[str]:
        """Return the values the gora went through as they are written."""
        return [self.text(value) for value in self.gora_values(seat)]

    def gora_values(self, seat: int) -> list[Fraction]:
        """Return the values the gora went through, the last one standing; one that did not change stands once."""
        done = self.done
        amnestied = done.amnestied_gora[seat]
        before = amnestied if self.points is None else amnestied - int(self.points[seat])
        values = [done.gora[seat], done.adjusted_gora[seat], before, amnestied]
        return [value for index, value in enumerate(values) if index == 0 or value != values[index - 1]]

    def written(self, seat: int, other: int) -> str:
        """Return the whists written on a neighbour, those for a corrected gora after a plus."""
        text, more = self.text(self.done.whists[seat][other]), self._for_correction(seat, other)
        return f"{text} + {more}" if more else text

    def written_value(self, seat: int, other: int) -> Fraction:
        """Return the whists written on a neighbour, those for a corrected gora with them [whists]."""
        return self.done.whists[seat][other] + self._for_correction(seat, other)

    def _for_correction(self, seat: int, other: int) -> int:
        if self.points is None:
            return 0
        return self.done.work.compensation * (max(int(self.points[seat]), 0) + max(-int(self.points[other]), 0))

    def target(self) -> str:
        """Return what the pulyas were made equal to."""
        target, pulyas = self.done.convention.target, self.done.pulya
        if isinstance(target, Fraction):
            return self.text(target)
        return self.text(max(pulyas) if target == "largest" else sum(pulyas, Fraction(0)) / len(pulyas))

    def rules(self) -> str:
        """Return the convention and the rounding."""
        names = [rule_name(name, self.lang) for name in (self.done.convention.name, self.done.rounding)]
        return f"{names[0]}, {word('rounding', self.lang, rounding=names[1])}"

    def sum(self) -> str:
        """Return the sum of the results."""
        return word("check", self.lang, sum=self.text(sum(self.done.result_exact, Fraction(0))))

    def description(self) -> str:
        """Return everything that is drawn as sentences, for those who do not see it."""
        told = []
        for seat in self.seats:
            balances = [
                f"{self.names[other]} {self.text(self.balances[seat][other], sign=True)}"
                for other in self.seats
                if other != seat
            ]
            told.append(
                word(
                    "field",
                    self.lang,
                    player=self.names[seat],
                    pulya=self.text(self.done.pulya[seat]),
                    goras=" → ".join(self.goras(seat)),
                    final=self.text(self.done.final_gora[seat], sign=True),
                    balances=", ".join(balances),
                    saldo=self.text(self.saldo[seat], sign=True),
                    result=self.text(self.done.result_exact[seat], sign=True),
                )
            )
        return " ".join([self.rules() + ".", *told, self.sum() + "."])
