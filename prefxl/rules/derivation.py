"""The sentences of a derivation: what is told of each step, and of each player in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from prefxl.rules.conventions import CONVENTIONS
from prefxl.rules.numbers import ratio
from prefxl.rules.rounding import COMPENSATION, work
from prefxl.rules.settlement import Amounts
from prefxl.rules.wording import Exact, added, bracketed, divided, number, rule_name, sentence

if TYPE_CHECKING:
    from prefxl.rules.single import Settlement

#: Roundings that are explained by the debts; the others by the mean gora, as their sources do.
_BY_DEBTS = ("debts", "divisible-debts")


class Derivation:
    """The sentences of one settlement; what is said of one player stands without the name."""

    def __init__(self, done: Settlement, lang: str) -> None:
        self.done, self.lang = done, lang
        self.names = done.players
        self.seats = range(len(done.players))
        self.rules = done.convention
        self.value = ratio(self.rules.whists_per_gora, 1)
        self.pulya = Amounts(done.sheet.pulya, done.sheet.unit).plain()
        self.own_gora = Amounts(done.sheet.gora, done.sheet.unit).plain()
        self.adjusted_gora = done.work.adjusted_gora.plain()
        self.amnestied_gora = done.work.amnestied_gora.plain()
        self.final_gora = done.work.final_gora.plain()
        self.saldo = done.work.saldo.plain()
        self.correction_whists = done.work.correction.plain()
        self.results = done.work.result.plain()
        self.divisor = self.rules.divisor_for(len(self.seats))
        self.by_debts = done.rounding in _BY_DEBTS or self.rules.divisor != "players"
        self.target_pulya = self._target()
        self.unequal = any(pulya != self.target_pulya for pulya in self.pulya)
        self.corrected = done.work.gora_correction

    def say(self, key: str, **filled: Any) -> str:
        """Return a sentence in the language of this derivation."""
        return sentence(key, self.lang, **filled)

    def number(self, value: Exact, *, sign: bool = False) -> str:
        """Return a number as it is written in the language of this derivation."""
        return number(value, self.lang, sign=sign)

    def by_player(self, told: Callable[[int], str | None] | None) -> tuple[str, ...]:
        """Return what is told of each player, the name before it."""
        if told is None:
            return ()
        lines = [(self.names[seat], told(seat)) for seat in self.seats]
        return tuple(f"{name}: {line}" for name, line in lines if line)

    def heading(self) -> str:
        """Return the house rules in a line."""
        names = [rule_name(name, self.lang) for name in (self.rules.name, self.done.rounding)]
        text = self.say("title", convention=names[0], rounding=names[1], players=len(self.seats))
        if self.value != 10:
            text += " " + self.say("whist-value", value=self.number(self.value))
        if self.divisor == 1:
            text += " " + self.say("undivided")
        elif self.rules.divisor != "players":
            text += " " + self.say("divisor", divisor=self.divisor)
        return text

    def whists_of(self, writer: int, on: int) -> Exact:
        """Return what ``writer`` has written on the player ``on`` [whists]."""
        return ratio(self.done.sheet.whists[writer][on], self.done.sheet.unit)

    def sheet(self) -> tuple[tuple[str, ...], ...]:
        """Return what stood on the sheet as a table."""
        head = [self.say(key) for key in ("player", "pulya", "gora-column")]
        head += [self.say("whists-on", player=name) for name in self.names]
        rows = [tuple(head)]
        for seat, name in enumerate(self.names):
            whists = ["—" if other == seat else self.number(self.whists_of(seat, other)) for other in self.seats]
            rows.append((name, self.number(self.pulya[seat]), self.number(self.own_gora[seat]), *whists))
        return tuple(rows)

    def _target(self) -> Exact:
        pulyas, target = self.pulya, self.rules.target
        if isinstance(target, Fraction):
            return ratio(target, 1)
        return max(pulyas) if target == "largest" else ratio(sum(pulyas), len(pulyas))

    def target(self) -> Iterator[str]:
        """Yield what the pulyas are made equal to, and by which rule."""
        target = self.number(self.target_pulya)
        if not self.unequal:
            yield self.say("all-equal", target=target)
            return
        if self.rules.target == "mean":
            addends = added(self.pulya, self.lang).partition(" =")[0]
            yield self.say("mean", sum=f"({addends}) {divided(self.lang)} {len(self.seats)} = {target}")
        elif self.rules.target == "largest":
            yield self.say("largest", target=target, player=self._who(self.pulya, self.target_pulya))
        else:
            yield self.say("agreed", target=target)
        if any(pulya < self.target_pulya for pulya in self.pulya):
            yield self.say("below-rule", below=self.number(self.rules.below))
        if any(pulya > self.target_pulya for pulya in self.pulya):
            yield self.say("above-rule", above=self.number(self.rules.above))

    def _who(self, values: list[Exact], wanted: Exact) -> str:
        return ", ".join(name for name, value in zip(self.names, values, strict=True) if value == wanted)

    def equalised(self, seat: int) -> str:
        """Tell the gora after the pulyas are made equal."""
        missing = self.target_pulya - self.pulya[seat]
        gora, adjusted = self.own_gora[seat], self.adjusted_gora[seat]
        if not missing:
            return self.say("even", gora=self.number(gora))
        low, high = sorted((self.target_pulya, self.pulya[seat]))
        difference = self._less(high, low)
        points = self._times(self._rates[missing > 0], high - low)
        change = f"{self.number(gora)} {'+' if missing > 0 else '−'} {points} = {self.number(adjusted)}"
        return self.say("below" if missing > 0 else "above", difference=difference, change=change)

    @cached_property
    def _rates(self) -> tuple[Exact, Exact]:
        """What a point above and a point below the target takes off or adds."""
        return ratio(self.rules.above, 1), ratio(self.rules.below, 1)

    def _times(self, factor: Exact, value: Exact) -> str:
        return self.number(value) if factor == 1 else f"{self.number(factor)} × {bracketed(value, self.lang)}"

    @cached_property
    def _smallest(self) -> Exact:
        return min(self.adjusted_gora)

    def smallest(self) -> str:
        """Tell whose gora is the smallest: the amnesty's giver."""
        gora = self._smallest
        key = "smallest" if gora else "no-amnesty"
        return self.say(key, gora=self.number(gora), player=self._who(self.adjusted_gora, gora))

    def amnestied(self, seat: int) -> str | None:
        """Tell the gora after the amnesty; nothing where nothing is taken off."""
        if not self._smallest:
            return None
        return self.say("amnestied", change=self._less(self.adjusted_gora[seat], self._smallest))

    def correction(self) -> Iterator[str]:
        """Yield how the gora was made divisible, for the two roundings that do it."""
        if self.corrected is None:
            return
        before = [gora - point for gora, point in zip(self.amnestied_gora, self.corrected, strict=True)]
        yield from self._why_corrected(before)
        for seat in self.seats:
            point = self.corrected[seat]
            if point:
                change = added([before[seat], point], self.lang)
                yield self.say("cut" if point < 0 else "raised", player=self.names[seat], change=change)
        if any(self.corrected):
            whists = [f"{self.names[seat]} {self.compensation(seat)}" for seat in self.seats]
            yield self.say("compensation", whists="; ".join(whists))

    def _why_corrected(self, before: list[Exact]) -> Iterator[str]:
        if self.done.rounding == "divisible-debts":
            uneven = [seat for seat in self.seats if self._whists_for(before[seat]).denominator != 1]
            for seat in uneven:
                yield self.say("each-uneven", player=self.names[seat], whists=self._debt_of(before[seat]))
            if not uneven:
                yield self.say("each-divides")
            return
        total = sum(before)
        uneven_sum = self._whists_for(total).denominator != 1
        key = "sum-uneven" if uneven_sum else "sum-divides"
        yield self.say(key, sum=added(before, self.lang), whists=self._debt_of(total))
        if uneven_sum:
            named = self.done.sheet.corrected
            yield self.say("by-name", player=self.names[named]) if named >= 0 else self.say("by-size")

    def _whists_for(self, gora: Exact) -> Exact:
        return ratio(gora * self.value, self.divisor)

    def _debt_of(self, gora: Exact) -> str:
        product = f"{self.number(self.value)} × {bracketed(gora, self.lang)}"
        by = f" {divided(self.lang)} {self.divisor}" if self.divisor != 1 else ""
        return f"{product}{by} = {self.number(self._whists_for(gora))}"

    def compensation(self, seat: int) -> str | None:
        """Tell the whists a player wins or loses for corrected goras."""
        if self.corrected is None or not any(self.corrected):
            return None
        others = [-COMPENSATION * point for other, point in enumerate(self.corrected) if other != seat and point]
        own = self.corrected[seat] * COMPENSATION * (len(self.seats) - 1)
        parts = ([own] if own else []) + others
        return added(parts, self.lang) if len(parts) > 1 else self.number(parts[0], sign=True)

    def gora_rule(self) -> Iterator[str]:
        """Yield what holds for everybody when gora becomes whists."""
        if self.by_debts:
            yield self.say("debt-rule")
            return
        goras = self.amnestied_gora
        addends = added(goras, self.lang).partition(" =")[0]
        mean = self.number(self._mean_gora)
        yield self.say("mean-gora", mean=f"({addends}) {divided(self.lang)} {len(goras)} = {mean}")

    @cached_property
    def _mean_gora(self) -> Exact:
        return ratio(sum(self.amnestied_gora), len(self.amnestied_gora))

    @cached_property
    def _debts(self) -> list[Exact]:
        return self.done.work.debt.plain()

    def debt(self, seat: int) -> str:
        """Tell what every other player writes on this one."""
        gora, debt = self.amnestied_gora[seat], self._debts[seat]
        text = self._debt_of(gora)
        if debt != self._whists_for(gora):
            text = self.say("debt-rounded", debt=text, whole=self.number(debt))
        return self.say("debt", debt=text)

    def gora(self, seat: int) -> str:
        """Tell what the gora wins or loses."""
        if self.by_debts:
            found, text = self._gora_by_debts(seat)
        else:
            gora, mean = self.amnestied_gora[seat], self._mean_gora
            # the mean less the gora, without fractions where they are whole
            found = ratio(self.value * (sum(self.amnestied_gora) - len(self.seats) * gora), len(self.seats))
            product = f"{self.number(self.value)} × ({self.number(mean)} − {bracketed(gora, self.lang)})"
            text = self.say("gora-by-mean", difference=f"{product} = {self.number(found)}")
        whole = self.final_gora[seat]
        return text if whole == found else self.say("cut-off", difference=text, whole=self.number(whole))

    def _gora_by_debts(self, seat: int) -> tuple[Exact, str]:
        own, others = self._debts[seat], len(self.seats) - 1
        gains = [debt for other, debt in enumerate(self._debts) if other != seat]
        gained, lost = sum(gains), others * own
        product = f"{others} × {bracketed(own, self.lang)} = {self.number(lost)}"
        losses = self.number(lost) if others == 1 else product
        difference = self._less(gained, lost)
        return gained - lost, self.say(
            "gora-by-debts", gains=added(gains, self.lang), losses=losses, difference=difference
        )

    def _less(self, value: Exact, other: Exact) -> str:
        """Return a difference as it is written by hand: ``24 − 60 = −36``."""
        return f"{self.number(value)} − {bracketed(other, self.lang)} = {self.number(value - other)}"

    def whists(self, seat: int) -> str:
        """Tell the saldo with each of the others, and all together."""
        parts = []
        for other in self.seats:
            if other != seat:
                own, theirs = self.whists_of(seat, other), self.whists_of(other, seat)
                difference = self._less(own, theirs) if own or theirs else "0"
                parts.append(self.say("with", player=self.names[other], difference=difference))
        if len(parts) > 1:
            parts.append(self.say("together", sum=self.whists_together(seat)))
        return "; ".join(parts)

    def whists_together(self, seat: int) -> str:
        """Tell the saldo of a player."""
        done, unit = self.done.work, self.done.work.saldo.denominator
        return added([ratio(done.saldo_with(seat, other), unit) for other in self.seats if other != seat], self.lang)

    def result(self, seat: int) -> str:
        """Tell the result of a player."""
        parts = [self.final_gora[seat], self.saldo[seat]]
        if self.done.rounding == "balanced":
            text = added(parts, self.lang)
            return (
                self.say("balanced", sum=text, whole=self.number(self.results[seat]))
                if self.correction_whists[seat]
                else text
            )
        return added([*parts, self.correction_whists[seat]] if self.compensation(seat) else parts, self.lang)

    def remarks(self) -> Iterator[str]:
        """Yield the check, the rounding, the residual, and what the symmetric rule would give."""
        done = self.done
        if done.rounding == "balanced" and any(self.correction_whists):
            yield self.say("balanced-rule")
        yield self.say("check", sum=added(self.results, self.lang))
        if done.residual:
            exact = self._results(done.exact.result.plain())
            yield self.say("residual", residual=self.number(done.residual, sign=True), results=exact)
        other = work(done.sheet, CONVENTIONS["leningrad"], "exact").result.plain()
        if self.rules.name == "rozaliev" and not self.rules.symmetric and other != done.exact.result.plain():
            yield self.say("leningrad", results=self._results(other))

    def _results(self, results: list[Exact]) -> str:
        named = zip(self.names, results, strict=True)
        return "; ".join(f"{name} {self.number(value, sign=True)}" for name, value in named)

    def stake(self) -> Iterator[str]:
        """Yield what a whist costs."""
        if self.done.stake is None:
            return
        yield self.say("stake", stake=self.number(self.done.stake.per_whist))

    def money(self, seat: int) -> str | None:
        """Tell the money of a player."""
        units = self.done.money_units
        if self.done.stake is None or units is None:
            return None
        won, stake = self._payable[seat], self._stake
        # whole numbers are reckoned with many times as fast as fractions
        due = ratio(won.numerator * stake.numerator, won.denominator * stake.denominator)
        product = f"{bracketed(won, self.lang)} × {self._price} = {self.number(due)}"
        if due.numerator * self.done.stake.scale == units[seat] * due.denominator:
            return self.say("paid", product=product)
        return self.say("paid-rounded", product=product, money=self._coins(self.done.in_money(units[seat])))

    @cached_property
    def _price(self) -> str:
        return self.number(self._stake)

    @cached_property
    def _stake(self) -> Exact:
        return ratio(self.done.stake.per_whist, 1) if self.done.stake else 0

    @cached_property
    def _payable(self) -> list[Exact]:
        """What money is reckoned from: the exact results where the rounded ones do not sum to zero."""
        return self.done.exact.result.plain() if self.done.work.residual.numerators[0] else self.results

    def _coins(self, amount: Any) -> str:
        text = f"{abs(amount)}".replace(".", "," if self.lang == "ru" else ".")
        return f"−{text}" if amount < 0 else text

    def payments(self) -> Iterator[str]:
        """Yield who pays whom, in as few transfers as there can be."""
        paid = self.done.payments("fewest")
        if not paid:
            yield self.say("nobody-pays")
        for one in paid:
            amount = self._coins(one.amount) if self.done.stake else self.number(Fraction(one.amount))
            yield self.say("transfer", payer=one.payer, payee=one.payee, amount=amount)
