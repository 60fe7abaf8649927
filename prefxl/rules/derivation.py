"""The sentences of a derivation: what is told of each step, and of each player in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from prefxl.rules.conventions import CONVENTIONS
from prefxl.rules.numbers import ratio
from prefxl.rules.rounding import work
from prefxl.rules.settlement import Amounts
from prefxl.rules.telling import Manner, Told
from prefxl.rules.wording import Exact, divided, number, rule_name

if TYPE_CHECKING:
    from prefxl.rules.single import Settlement


class Derivation(Told):
    """The sentences of one settlement; what is said of one player stands without the name."""

    def __init__(self, done: Settlement, lang: str) -> None:
        super().__init__(done, Manner(done, lang))
        self.lang, self.say = lang, self.manner.say
        self.names = done.players
        self.rules = done.convention
        self.by_debts = self.manner.by_debts
        self.pulya = Amounts(done.sheet.pulya, done.sheet.unit).plain()
        self.own_gora = Amounts(done.sheet.gora, done.sheet.unit).plain()
        self.adjusted_gora = done.work.adjusted_gora.plain()
        self.amnestied_gora = done.work.amnestied_gora.plain()
        self.target_pulya = ratio(self._target, self._scale * done.sheet.unit)
        self.unequal = any(pulya != self.target_pulya for pulya in self.pulya)

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
        if self.manner.value != 10:
            text += " " + self.say("whist-value", value=self.manner.value_text)
        if self.manner.divisor == 1:
            text += " " + self.say("undivided")
        elif self.rules.divisor != "players":
            text += " " + self.say("divisor", divisor=self.manner.divisor)
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

    def target(self) -> Iterator[str]:
        """Yield what the pulyas are made equal to, and by which rule."""
        target = self.number(self.target_pulya)
        if not self.unequal:
            yield self.say("all-equal", target=target)
            return
        if self.rules.target == "mean":
            addends = self.manner.over(self.done.sheet.unit).added(self.done.sheet.pulya).partition(" =")[0]
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

    def smallest(self) -> str:
        """Tell whose gora is the smallest: the amnesty's giver."""
        gora = ratio(self._smallest, self.work.adjusted_gora.denominator)
        key = "smallest" if gora else "no-amnesty"
        return self.say(key, gora=self.number(gora), player=self._who(self.adjusted_gora, gora))

    def correction(self) -> Iterator[str]:
        """Yield how the gora was made divisible, for the two roundings that do it."""
        if self.corrected is None:
            return
        numerators, unit = self.work.amnestied_gora
        numerals = self.manner.over(unit)
        before = [gora - point * unit for gora, point in zip(numerators, self.corrected, strict=True)]
        yield from self._why_corrected(before, unit)
        for seat in self.seats:
            point = self.corrected[seat]
            if point:
                change = numerals.added([before[seat], point * unit])
                yield self.say("cut" if point < 0 else "raised", player=self.names[seat], change=change)
        if any(self.corrected):
            whists = [f"{self.names[seat]} {self.compensation(seat)}" for seat in self.seats]
            yield self.say("compensation", whists="; ".join(whists))

    def _why_corrected(self, before: list[int], unit: int) -> Iterator[str]:
        """Tell which debts are not whole; ``before`` are the goras, ``unit`` to a point."""
        if self.done.rounding == "divisible-debts":
            uneven = [seat for seat in self.seats if not self._divides(before[seat], unit)]
            for seat in uneven:
                yield self.say("each-uneven", player=self.names[seat], whists=self.debt_of(before[seat], unit))
            if not uneven:
                yield self.say("each-divides")
            return
        total = sum(before)
        divides = self._divides(total, unit)
        key = "sum-divides" if divides else "sum-uneven"
        yield self.say(key, sum=self.manner.over(unit).added(before), whists=self.debt_of(total, unit))
        if not divides:
            named = self.done.sheet.corrected
            yield self.say("by-name", player=self.names[named]) if named >= 0 else self.say("by-size")

    def _divides(self, gora: int, unit: int) -> bool:
        whists, below = self.whists_for(gora, unit)
        return whists % below == 0

    def gora_rule(self) -> Iterator[str]:
        """Yield what holds for everybody when gora becomes whists."""
        if self.by_debts:
            yield self.say("debt-rule")
            return
        goras = self.amnestied_gora
        numerators, unit = self.work.amnestied_gora
        addends = self.manner.over(unit).added(numerators).partition(" =")[0]
        mean = self.number(self._mean_gora)
        yield self.say("mean-gora", mean=f"({addends}) {divided(self.lang)} {len(goras)} = {mean}")

    @cached_property
    def _mean_gora(self) -> Exact:
        return ratio(sum(self.amnestied_gora), len(self.amnestied_gora))

    def whists(self, seat: int) -> str:
        """Tell the saldo with each of the others, and all together."""
        sheet, parts = self.done.sheet, []
        for other in self.seats:
            if other != seat:
                own, theirs = sheet.whists[seat][other], sheet.whists[other][seat]
                difference = self.manner.over(sheet.unit).less(own, theirs) if own or theirs else "0"
                parts.append(self.say("with", player=self.names[other], difference=difference))
        if len(parts) > 1:
            parts.append(self.say("together", sum=self.whists_together(seat)))
        return "; ".join(parts)

    def remarks(self) -> Iterator[str]:
        """Yield the check, the rounding, the residual, and what the symmetric rule would give."""
        done, result = self.done, self.work.result
        if done.rounding == "balanced" and any(self.work.correction.numerators):
            yield self.say("balanced-rule")
        yield self.say("check", sum=self.manner.over(result.denominator).added(result.numerators))
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

    def payments(self) -> Iterator[str]:
        """Yield who pays whom, in as few transfers as there can be."""
        paid = self.done.payments("fewest")
        if not paid:
            yield self.say("nobody-pays")
        for one in paid:
            amount = self.coins(one.amount) if self.done.stake else self.number(Fraction(one.amount))
            yield self.say("transfer", payer=one.payer, payee=one.payee, amount=amount)
