"""What is told of one player in each step, in whole numerators: thousands of notes on cells are made of it."""

from __future__ import annotations

from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

from prefxl.rules.numerals import Numerals
from prefxl.rules.rounding import COMPENSATION
from prefxl.rules.settlement import Amounts, target_of
from prefxl.rules.wording import MINUS, SENTENCES, divided, number, rule_name

if TYPE_CHECKING:
    from prefxl.rules.single import Settlement

#: Roundings that are explained by the debts; the others by the mean gora, as their sources do.
_BY_DEBTS = ("debts", "divisible-debts")


class Manner:
    """What is told alike of every game with as many players and the same terms, and its numbers as written.

    Parameters
    ----------
    done
        One of the games.
    lang
        ``"ru"`` or ``"en"``.
    """

    def __init__(self, done: Settlement, lang: str) -> None:
        self.lang, self.rules, self.stake = lang, done.convention, done.stake
        self.players = len(done.players)
        self.value = self.rules.whists_per_gora
        self.divisor = self.rules.divisor_for(self.players)
        self.by_debts = done.rounding in _BY_DEBTS or self.rules.divisor != "players"
        self.balanced = done.rounding == "balanced"
        self.value_text = number(self.value, lang)
        self.by_divisor = f" {divided(lang)} {self.divisor}" if self.divisor != 1 else ""
        #: what a point above (0) and below (1) the target is multiplied by, as written
        self.rates = ["" if rate == 1 else f"{number(rate, lang)} × " for rate in (self.rules.above, self.rules.below)]
        self.price = number(self.stake.per_whist, lang) if self.stake else ""
        self.rules_named = f"{rule_name(self.rules.name, lang)}, {rule_name(done.rounding, lang)}"
        self._numerals: dict[int, Numerals] = {}
        self._sentences = {key: texts[lang == "ru"] for key, texts in SENTENCES.items()}

    def over(self, denominator: int) -> Numerals:
        """Return how numerators over ``denominator`` are written."""
        try:
            return self._numerals[denominator]
        except KeyError:
            found = self._numerals[denominator] = Numerals(denominator, self.lang)
            return found

    def say(self, key: str, **filled: Any) -> str:
        """Return a sentence."""
        return self._sentences[key].format(**filled)

    @cached_property
    def headings(self) -> list[str]:
        """What stands before each step of the short form."""
        return [self.say(f"short-{name}") for name in STEPS]


#: The steps of the short form, in order; :class:`Told` has a method for each.
STEPS = ("pulya", "amnesty", "debt", "gora", "whists", "correction", "result", "money")


class Told:
    """The sentences of one settlement about single players, without the name; a step that says nothing is ``None``.

    Parameters
    ----------
    done
        The settlement.
    manner
        How games of its terms are told.
    """

    def __init__(self, done: Settlement, manner: Manner) -> None:
        self.done, self.manner, self.work = done, manner, done.work
        self.seats = range(manner.players)
        self.corrected = done.work.gora_correction
        self.is_corrected = self.corrected is not None and any(self.corrected)
        # not cached properties: each of these is needed anyway, and a lock a property adds up over thousands of notes
        self._target, self._scale = target_of(done.sheet, manner.rules)
        self._smallest = min(self.work.adjusted_gora.numerators)
        self._gora_together = sum(self.work.amnestied_gora.numerators)
        self._common, self._shares = self._shared()

    def _shared(self) -> tuple[int, list[tuple[int, int, int]]]:
        """Return what a result adds up from, over one denominator: final gora, saldo, correction, a triple a seat."""
        parts = self.work.final_gora, self.work.saldo, self.work.correction
        common = lcm(*[part.denominator for part in parts])
        return common, list(zip(*[part.over(common) for part in parts], strict=True))

    def short(self, seat: int) -> str:
        """Return how the result of the player at ``seat`` came about, a step a line."""
        told = (
            self.equalised(seat),
            self.amnestied(seat),
            self.debt(seat) if self.manner.by_debts else None,
            self.gora(seat),
            self.whists_together(seat),
            self.compensation(seat),
            self.result(seat),
            self.money(seat),
        )
        return "\n".join([f"{name}: {text}" for name, text in zip(self.manner.headings, told, strict=True) if text])

    # -- pulya and gora

    def equalised(self, seat: int) -> str:
        """Tell the gora after the pulyas are made equal."""
        sheet, manner = self.done.sheet, self.manner
        target, scale = self._target, self._scale
        own, gora = sheet.pulya[seat] * scale, manner.over(sheet.unit)[sheet.gora[seat]]
        if own == target:
            return manner.say("even", gora=gora)
        points = manner.over(sheet.unit * scale)
        low, high = (own, target) if own < target else (target, own)
        change = f"{manner.rates[own < target]}{points[high - low]}"
        adjusted = self.work.adjusted_gora
        told = manner.over(adjusted.denominator)[adjusted.numerators[seat]]
        return manner.say(
            "below" if own < target else "above",
            difference=points.less(high, low),
            change=f"{gora} {'+' if own < target else MINUS} {change} = {told}",
        )

    def amnestied(self, seat: int) -> str | None:
        """Tell the gora after the amnesty; nothing where nothing is taken off."""
        if not self._smallest:
            return None
        numerators, denominator = self.work.adjusted_gora
        return self.manner.say("amnestied", change=self.manner.over(denominator).less(numerators[seat], self._smallest))

    # -- gora to whists

    def whists_for(self, gora: int, denominator: int) -> tuple[int, int]:
        """Return what is written for gora points, a numerator and its denominator [whists]."""
        value = self.manner.value
        return gora * value.numerator, denominator * value.denominator * self.manner.divisor

    def debt_of(self, gora: int, denominator: int) -> str:
        """Tell what is written for gora points, whole or not."""
        manner = self.manner
        whists, below = self.whists_for(gora, denominator)
        product = f"{manner.value_text} × {manner.over(denominator).bracketed(gora)}"
        return f"{product}{manner.by_divisor} = {manner.over(below)[whists]}"

    def debt(self, seat: int) -> str:
        """Tell what every other player writes on this one."""
        manner, gora, debt = self.manner, self.work.amnestied_gora, self.work.debt
        text = self.debt_of(gora.numerators[seat], gora.denominator)
        whists, below = self.whists_for(gora.numerators[seat], gora.denominator)
        written = debt.numerators[seat]
        if written * below != whists * debt.denominator:
            text = manner.say("debt-rounded", debt=text, whole=manner.over(debt.denominator)[written])
        return manner.say("debt", debt=text)

    def gora(self, seat: int) -> str:
        """Tell what the gora wins or loses."""
        (found, below), text = self._gora_by_debts(seat) if self.manner.by_debts else self._gora_by_mean(seat)
        final, denominator = self.work.final_gora
        if final[seat] * below == found * denominator:
            return text
        return self.manner.say("cut-off", difference=text, whole=self.manner.over(denominator)[final[seat]])

    def _gora_by_mean(self, seat: int) -> tuple[tuple[int, int], str]:
        manner, (goras, denominator) = self.manner, self.work.amnestied_gora
        together, gora, value = self._gora_together, goras[seat], manner.value
        found = value.numerator * (together - manner.players * gora), denominator * value.denominator * manner.players
        mean = manner.over(denominator * manner.players)[together]
        product = f"{manner.value_text} × ({mean} {MINUS} {manner.over(denominator).bracketed(gora)})"
        return found, manner.say("gora-by-mean", difference=f"{product} = {manner.over(found[1])[found[0]]}")

    def _gora_by_debts(self, seat: int) -> tuple[tuple[int, int], str]:
        debts, denominator = self.work.debt
        numerals, others, own = self.manner.over(denominator), self.manner.players - 1, debts[seat]
        gains = [*debts[:seat], *debts[seat + 1 :]]
        gained, lost = sum(gains), others * own
        losses = numerals[lost] if others == 1 else f"{others} × {numerals.bracketed(own)} = {numerals[lost]}"
        told = self.manner.say(
            "gora-by-debts", gains=numerals.added(gains), losses=losses, difference=numerals.less(gained, lost)
        )
        return (gained - lost, denominator), told

    # -- whists, the result, money

    def whists_together(self, seat: int) -> str:
        """Tell the saldo of a player."""
        work = self.work
        saldi = [work.saldo_with(seat, other) for other in self.seats if other != seat]
        return self.manner.over(work.saldo.denominator).added(saldi)

    def compensation(self, seat: int) -> str | None:
        """Tell the whists a player wins or loses for corrected goras."""
        if self.corrected is None or not self.is_corrected:
            return None
        others = [-COMPENSATION * point for other, point in enumerate(self.corrected) if other != seat and point]
        own = self.corrected[seat] * COMPENSATION * (self.manner.players - 1)
        parts, numerals = ([own] if own else []) + others, self.manner.over(1)
        return numerals.added(parts) if len(parts) > 1 else numerals.signed(parts[0])

    def result(self, seat: int) -> str:
        """Tell the result of a player."""
        gora, saldo, more = self._shares[seat]
        numerals, manner, result = self.manner.over(self._common), self.manner, self.work.result
        if not manner.balanced:
            return numerals.added((gora, saldo, more) if self.is_corrected else (gora, saldo))
        text = numerals.added((gora, saldo))
        if not more:
            return text
        return manner.say("balanced", sum=text, whole=manner.over(result.denominator)[result.numerators[seat]])

    @cached_property
    def payable(self) -> Amounts:
        """What money is reckoned from: the exact results where the rounded ones do not sum to zero."""
        return self.done.exact.result if self.work.residual.numerators[0] else self.work.result

    def money(self, seat: int) -> str | None:
        """Tell the money of a player."""
        stake, units, manner = self.manner.stake, self.done.money_units, self.manner
        if stake is None or units is None:
            return None
        won, denominator = self.payable.numerators[seat], self.payable.denominator
        due, below = won * stake.per_whist.numerator, denominator * stake.per_whist.denominator
        product = f"{manner.over(denominator).bracketed(won)} × {manner.price} = {manner.over(below)[due]}"
        if due * stake.scale == units[seat] * below:
            return manner.say("paid", product=product)
        return manner.say("paid-rounded", product=product, money=self.coins(self.done.in_money(units[seat])))

    def coins(self, amount: Any) -> str:
        """Return money as it is written, every place of the smallest coin."""
        text = f"{abs(amount)}".replace(".", "," if self.manner.lang == "ru" else ".")
        return f"{MINUS}{text}" if amount < 0 else text
