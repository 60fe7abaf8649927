"""One sheet of plain numbers in, one :class:`Settlement` with every step out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from prefxl.errors import SheetError
from prefxl.rules.conventions import Convention, find_convention
from prefxl.rules.numbers import LIMIT, as_fraction
from prefxl.rules.payments import (
    Payment,
    Stake,
    fewest,
    find_payment_kind,
    find_stake,
    money,
    pairwise,
    pairwise_money,
)
from prefxl.rules.rounding import work
from prefxl.rules.settlement import Amounts, Sheet, Steps


@dataclass(frozen=True)
class Settlement:
    """One settled sheet: every number exact, seat by seat.

    Attributes
    ----------
    players
        The names, in the order of the seats.
    sheet, work
        The sheet in whole units; the steps as rounded.
    stake
        What a whist costs, or ``None``.
    paid
        What each wins in whole minor units of money, where that is known already.
    """

    players: tuple[str, ...]
    sheet: Sheet
    work: Steps
    stake: Stake | None = None
    paid: tuple[int, ...] | None = None

    @cached_property
    def exact(self) -> Steps:
        """The steps with nothing rounded."""
        return self.work if self.rounding == "exact" else work(self.sheet, self.convention, "exact")

    @cached_property
    def convention(self) -> Convention:
        """The house rules it was settled by."""
        return self.work.convention

    @cached_property
    def rounding(self) -> str:
        """The name of the rounding."""
        return self.work.rounding

    @cached_property
    def pulya(self) -> list[Fraction]:
        """The pulyas as given [pulya points]."""
        return Amounts(self.sheet.pulya, self.sheet.unit).exact()

    @cached_property
    def gora(self) -> list[Fraction]:
        """The gora as given [gora points]."""
        return Amounts(self.sheet.gora, self.sheet.unit).exact()

    @cached_property
    def whists(self) -> list[list[Fraction]]:
        """``whists[i][j]``: what ``i`` has written on ``j`` [whists]."""
        return [Amounts(row, self.sheet.unit).exact() for row in self.sheet.whists]

    @cached_property
    def adjusted_gora(self) -> list[Fraction]:
        """The gora after the pulyas are made equal [gora points]."""
        return self.work.adjusted_gora.exact()

    @cached_property
    def amnestied_gora(self) -> list[Fraction]:
        """The gora after the amnesty and the correction of ``divisible`` [gora points]."""
        return self.work.amnestied_gora.exact()

    @cached_property
    def debt(self) -> list[Fraction]:
        """What every other player writes on this one for the gora [whists]."""
        return self.work.debt.exact()

    @cached_property
    def final_gora(self) -> list[Fraction]:
        """What the gora wins or loses [whists]."""
        return self.work.final_gora.exact()

    @cached_property
    def pair_saldo(self) -> list[list[Fraction]]:
        """s_ij = w_ij - w_ji [whists]."""
        return self._matrix(self.work.saldo_with, self.work.saldo.denominator)

    @cached_property
    def saldo(self) -> list[Fraction]:
        """The saldo of the whists, all neighbours together [whists]."""
        return self.work.saldo.exact()

    @cached_property
    def correction(self) -> list[Fraction]:
        """``result - final_gora - saldo``: what the rounding adds [whists]."""
        return self.work.correction.exact()

    @cached_property
    def corrections(self) -> dict[str, int]:
        """Who had a gora point taken off (-1) or put on (+1) by the rounding ``divisible``."""
        points = self.work.gora_correction or ()
        return {self.players[seat]: int(point) for seat, point in enumerate(points) if point}

    @cached_property
    def pair_results(self) -> list[list[Fraction]]:
        """r_ij: what ``i`` wins from ``j`` [whists]; exact under ``truncate`` and ``balanced``."""
        return self._matrix(self.work.pair_result, self.work.pair_denominator)

    @cached_property
    def result_exact(self) -> list[Fraction]:
        """What each wins (positive) or loses [whists]."""
        return self.work.result.exact()

    @cached_property
    def result(self) -> list[float]:
        """The same as floats, for showing [whists]."""
        return [float(number) for number in self.result_exact]

    @cached_property
    def numerators(self) -> list[int]:
        """The results' numerators over :attr:`denominator`."""
        return list(self.work.result.numerators)

    @cached_property
    def denominator(self) -> int:
        """The common denominator of :attr:`numerators`."""
        return self.work.result.denominator

    @cached_property
    def residual(self) -> Fraction:
        """What the results lack to a zero sum; other than 0 only under ``truncate`` [whists]."""
        return self.work.residual.exact()[0]

    @cached_property
    def money(self) -> list[Decimal] | None:
        """What each wins in money, to the kopeck and with a zero sum; ``None`` without a stake."""
        return None if self.money_units is None else [self.in_money(units) for units in self.money_units]

    @cached_property
    def money_units(self) -> tuple[int, ...] | None:
        """What each wins in whole minor units of money; see :attr:`money`."""
        if self.paid is not None or self.stake is None:
            return self.paid
        return money(self.work, self.exact, self.stake)

    @property
    def steps(self) -> dict[str, list[Fraction]]:
        """Every step by its column name, a number a seat."""
        names = (
            "pulya",
            "gora",
            "adjusted_gora",
            "amnestied_gora",
            "debt",
            "final_gora",
            "saldo",
            "correction",
        )
        return {name: getattr(self, name) for name in names} | {"result": self.result_exact}

    def payments(self, kind: str = "pairwise") -> list[Payment[str]]:
        """Return who pays whom: in money where there is a stake, else in whists.

        Parameters
        ----------
        kind
            ``"pairwise"`` (as the players would write it down) or ``"fewest"``.
        """
        by_seat = self._pairwise() if find_payment_kind(kind) == "pairwise" else self._fewest()
        return [Payment(self.players[paid.payer], self.players[paid.payee], paid.amount) for paid in by_seat]

    def _pairwise(self) -> list[Payment[int]]:
        if self.stake is None:
            return pairwise(self.work)
        paid = pairwise_money(self.work, self.stake)
        return [Payment(one.payer, one.payee, self.in_money(one.amount)) for one in paid]

    def _fewest(self) -> list[Payment[int]]:
        payable = self.exact if self.residual else self.work
        balances: list[Any] = list(self.money or payable.result.exact())
        return fewest(list(enumerate(balances)))[0]

    def in_money(self, units: int) -> Decimal:
        """Return whole minor units as money."""
        places = self.stake.minor_units if self.stake else 2
        return Decimal(units).scaleb(-places)

    def _matrix(self, number: Any, denominator: int) -> list[list[Fraction]]:
        seats = range(len(self.players))
        return [[Fraction(0) if i == j else Fraction(number(i, j), denominator) for j in seats] for i in seats]

    def explain(self, lang: str = "ru") -> str:
        """Return the derivation in words, as a person would write it by hand."""
        from prefxl.rules.explanation import explain

        return explain(self, lang)

    def draw(self, **options: Any) -> str:
        """Return the drawn pulka as the text of an SVG file: see :func:`prefxl.drawing.draw_svg`."""
        from pkgutil import resolve_name

        # the drawing stands on the rules and may not be imported here: it is named, and found when asked for
        drawn: str = resolve_name("prefxl.drawing:draw_svg")(self, **options)
        return drawn


def settle_sheet(
    pulya: Sequence[Any],
    gora: Sequence[Any],
    whists: Sequence[Sequence[Any]],
    *,
    convention: str | Convention | None = None,
    rounding: str | None = None,
    corrected: int | str | None = None,
    stake: Any = None,
    minor_units: int = 2,
    players: Sequence[str] | None = None,
    **house_rules: Any,
) -> Settlement:
    """Settle one sheet of ints, Fractions, Decimals, halves or numbers as text.

    Parameters
    ----------
    pulya, gora
        A number a seat [pulya points], [gora points].
    whists
        ``whists[i][j]``: what ``i`` has written on ``j`` [whists]; the diagonal is empty or 0.
    convention, rounding
        Names in either language, or a :class:`Convention`.
    corrected
        The seat (0 to N - 1) or the name of the player whose gora ``divisible`` corrects.
    stake, minor_units
        Money per whist, and the decimal places money is counted in.
    players
        The names; by default ``"1"``, ``"2"`` ...
    house_rules
        ``target``, ``below``, ``above``, ``whists_per_gora``, ``divisor``.

    Raises
    ------
    SheetError, RulesError, OptionError
        With the sentence for the user.
    """
    rules = find_convention(convention).altered(**house_rules)
    names = tuple(str(name) for name in players) if players is not None else _seats(len(pulya))
    sheet = make_sheet(pulya, gora, whists, corrected=find_corrected(corrected, names))
    if len(names) != sheet.players:
        raise _wrong_shape(len(names), sheet.players)
    return Settlement(
        players=names, sheet=sheet, work=work(sheet, rules, rounding), stake=find_stake(stake, minor_units)
    )


def _seats(players: int) -> tuple[str, ...]:
    return tuple(str(seat + 1) for seat in range(players))


def find_corrected(corrected: int | str | None, names: Sequence[str]) -> int:
    """Return the seat of the player to correct, -1 for nobody named.

    Raises
    ------
    SheetError
        If nobody is called so, or there is no such seat.
    """
    if corrected is None or corrected == "":
        return -1
    if isinstance(corrected, str):
        if corrected.strip() in names:
            return list(names).index(corrected.strip())
        corrected = int(corrected) - 1 if corrected.strip().isdecimal() else -1
    if not 0 <= corrected < len(names):
        raise SheetError(
            f"the corrected player is none of {', '.join(names)}",
            f"исправляемый игрок — не из этих: {', '.join(names)}",
        )
    return int(corrected)


def make_sheet(
    pulya: Sequence[Any], gora: Sequence[Any], whists: Sequence[Sequence[Any]], corrected: int = -1
) -> Sheet:
    """Return the numbers of a sheet in whole units.

    Raises
    ------
    SheetError
        If the shapes do not fit, a number is none, the diagonal is not empty, or a value is too large.
    """
    players = len(pulya)
    if len(gora) != players or len(whists) != players or any(len(row) != players for row in whists):
        raise _wrong_shape(players, len(gora), len(whists), *(len(row) for row in whists))
    exact = [[_number(value) for value in row] for row in (pulya, gora, *whists)]
    for seat, row in enumerate(exact[2:]):
        if row[seat]:
            raise SheetError(
                f"player {seat + 1} has whists written on themselves: {row[seat]}",
                f"у игрока {seat + 1} висты на самого себя: {row[seat]}",
            )
    unit = lcm(*(number.denominator for row in exact for number in row))
    rows = [tuple(int(number * unit) for number in row) for row in exact]
    return Sheet(pulya=rows[0], gora=rows[1], whists=tuple(rows[2:]), unit=unit, corrected=corrected)


def _number(value: Any) -> Fraction:
    number = Fraction(0) if value is None else as_fraction(value)
    if abs(number) > LIMIT:
        raise SheetError(f"{value} is too large: at most {LIMIT}", f"{value} — слишком много: не больше {LIMIT}")
    return number


def _wrong_shape(players: int, *found: int) -> SheetError:
    shapes = ", ".join(str(number) for number in found)
    return SheetError(
        f"{players} pulyas need as many gora and {players} rows of {players} whists; found {shapes}",
        f"к {players} пулям нужно столько же гор и {players} строк по {players} вистов; найдено {shapes}",
    )
