"""Many sheets at once: columns in, every step as columns out, in cache-sized blocks.

The arithmetic is that of ``prefxl.rules``, run on integer columns; this module
only brings columns into whole units, cuts them into blocks and collects the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from prefxl import alone
from prefxl.coded import Coded
from prefxl.columns import KINDS, Column, Columns, TooNarrowError, fits, largest_value, make_columns
from prefxl.errors import RulesError
from prefxl.rules.conventions import Convention, find_convention
from prefxl.rules.payments import Stake, find_stake, money
from prefxl.rules.rounding import work
from prefxl.rules.settlement import Amounts, Sheet, Steps
from prefxl.rules.single import Settlement, settle_sheet
from prefxl.threads import spread

#: Games settled at a time: the columns of a block stay in a core's second-level cache.
BLOCK = 65536

#: The steps a player has, in the order of the columns they are shown in.
STEPS = ("adjusted_gora", "amnestied_gora", "debt", "final_gora", "saldo", "correction", "result")


@dataclass(frozen=True, eq=False)
class Settlements:
    """A settled batch: every step of every game, as arrays of (games, players).

    The numbers are kept as whole numerators over a denominator common to the batch.

    Attributes
    ----------
    columns
        The sheets as they were given.
    convention, rounding, stake
        What they were settled by.
    kept
        Step to (numerators (players, games), denominator), in an integer type just wide enough.
    points
        (players, games) gora points put on or taken off by ``divisible``, else ``None``.
    """

    columns: Columns
    convention: Convention
    rounding: str
    stake: Stake | None
    kept: dict[str, tuple[Column, int]] = field(repr=False)
    points: Column | None = field(default=None, repr=False)
    money_units: Column | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return self.columns.games

    @property
    def amounts(self) -> Mapping[str, tuple[Column, int]]:
        """Step to (numerators (players, games), denominator), in an integer type there is room to reckon in."""
        return Amounted(self.kept)

    def floats(self, step: str) -> npt.NDArray[np.float64]:
        """Return a step as floats, (games, players)."""
        numerators, denominator = self.kept[step]
        numbers: npt.NDArray[np.float64] = np.true_divide(numerators, denominator).astype(np.float64, copy=False)
        return numbers.T

    @property
    def numerators(self) -> Column:
        """(games, players) numerators of the results over :attr:`denominator`."""
        return self.amounts["result"][0].T

    @property
    def denominator(self) -> int:
        """The denominator of all :attr:`numerators`."""
        return self.amounts["result"][1]

    @property
    def result(self) -> npt.NDArray[np.float64]:
        """(games, players) what each wins or loses, as floats [whists]."""
        return self.floats("result")

    @cached_property
    def result_exact(self) -> npt.NDArray[np.object_]:
        """(games, players) the results as :class:`~fractions.Fraction` [whists]."""
        return _fractions(self.numerators, self.denominator)

    @property
    def residual(self) -> npt.NDArray[np.float64]:
        """(games,) what the results lack to a zero sum [whists]."""
        lacking: npt.NDArray[np.float64] = -self.numerators.sum(axis=1) / self.denominator
        return lacking

    @property
    def money(self) -> npt.NDArray[np.float64] | None:
        """(games, players) money, exact to the minor unit; ``None`` without a stake."""
        if self.money_units is None or self.stake is None:
            return None
        return np.true_divide(self.money_units, self.stake.scale).T

    @property
    def steps(self) -> dict[str, npt.NDArray[np.float64]]:
        """Every step that was kept, by its column name, as floats of (games, players)."""
        return {step: self.floats(step) for step in self.kept}

    def __getattr__(self, name: str) -> Any:
        # adjusted_gora, debt ... read like the attributes of one sheet's Settlement
        if name in STEPS:
            return self.floats(name)
        raise AttributeError(name)

    def pair_numerators(self, i: int, j: int) -> Column:
        """Return (games,) what ``i`` wins from ``j``, over :attr:`pair_denominator`."""
        common = self.pair_denominator
        debts, own = self.amounts["debt"]
        columns = self.columns
        saldo = columns.units(columns.whists[i][j]).astype(np.int64) - columns.units(columns.whists[j][i])  # type: ignore[arg-type]
        won: Column = saldo * (common // columns.unit) + (debts[j] - debts[i]) * (common // own)
        if self.points is not None:
            won = won + 3 * common * (self.points[i] - self.points[j])
        return won

    @property
    def pair_denominator(self) -> int:
        """The denominator of :meth:`pair_numerators`."""
        return lcm(self.amounts["debt"][1], self.columns.unit)

    @property
    def pair_results(self) -> npt.NDArray[np.float64]:
        """(games, players, players) what each wins from each [whists]."""
        players = range(self.columns.players)
        pairs = np.zeros((len(self), len(players), len(players)))
        for i in players:
            for j in players:
                if i != j:
                    pairs[:, i, j] = self.pair_numerators(i, j) / self.pair_denominator
        return pairs


class Amounted(Mapping[str, tuple[Column, int]]):
    """The kept steps, widened to 64 bits when taken out: products of narrow numerators would overflow."""

    def __init__(self, kept: dict[str, tuple[Column, int]]) -> None:
        self.kept = kept

    def __getitem__(self, step: str) -> tuple[Column, int]:
        numerators, denominator = self.kept[step]
        wide = np.promote_types(numerators.dtype, np.int64)
        return numerators.astype(wide, copy=False), denominator

    def __iter__(self) -> Iterator[str]:
        return iter(self.kept)

    def __len__(self) -> int:
        return len(self.kept)


def _fractions(numerators: Column, denominator: int) -> npt.NDArray[np.object_]:
    flat = [Fraction(int(number), denominator) for number in numerators.ravel()]
    exact = np.empty(len(flat), dtype=object)
    exact[:] = flat
    return exact.reshape(numerators.shape)


def exact_text(numerators: Column, denominator: int) -> npt.NDArray[np.object_]:
    """Return fractions as text: ``38``, ``-205/2``."""
    return exact_coded(numerators, denominator).array()


def exact_coded(numerators: Column, denominator: int) -> Coded:
    """Return :func:`exact_text` with each text once; its codes have the shape of the numerators."""
    whole = np.asarray(numerators)
    values, where = np.unique(whole.ravel(), return_inverse=True)
    return Coded([_fraction_text(int(value), denominator) for value in values], where.reshape(whole.shape))


def _fraction_text(numerator: int, denominator: int) -> str:
    common = gcd(numerator, denominator)
    below = denominator // common
    return f"{numerator // common}/{below}" if below != 1 else str(numerator // common)


def settle_columns(
    columns: Columns,
    convention: Convention,
    *,
    rounding: str | None = None,
    stake: Stake | None = None,
    steps: bool = True,
    threads: int | None = None,
) -> Settlements:
    """Settle a batch of columns.

    Parameters
    ----------
    columns
        The sheets; never changed, and not copied as a whole.
    steps
        Keep every step; otherwise the results alone.
    threads
        Threads to spread the blocks over; by default as many as there are cores.

    Raises
    ------
    SheetError
        If a value is too large.
    RulesError
        If the rounding cannot be applied; ``rows`` names the games.
    """
    for kind in KINDS:
        collector = _Collector(columns, convention, rounding, stake, steps=steps, kind=kind)
        try:
            _run(collector.settle, columns.games, threads, collector.block)
        except TooNarrowError:
            continue
        break
    return collector.settlements()


def _run(settle_block: Callable[[slice], None], games: int, threads: int | None, size: int) -> None:
    spread(settle_block, (slice(start, min(start + size, games)) for start in range(0, games, size)), threads)


class _Collector:
    """Settles block after block into arrays made once."""

    def __init__(
        self,
        columns: Columns,
        convention: Convention,
        rounding: str | None,
        stake: Stake | None,
        *,
        steps: bool,
        kind: Any,
    ) -> None:
        self.columns, self.convention, self.stake, self.kind = columns, convention, stake, kind
        # a sheet of zeros tells the denominators and which steps there are
        zeros = (0,) * columns.players
        trial = work(Sheet(zeros, zeros, (zeros,) * columns.players, columns.unit), convention, rounding)
        self.rounding = trial.rounding
        shape = (columns.players, columns.games)
        self.amounts = {
            name: (np.empty(shape, kind), getattr(trial, name).denominator)
            for name in (STEPS if steps else ("result",))
        }
        divisible = trial.gora_correction is not None and steps
        self.points = np.zeros(shape, np.int8) if divisible else None
        self.money = np.zeros(shape, np.int64) if stake is not None else None
        enough = not steps and stake is None and self.rounding in alone.ROUNDINGS and kind is not np.object_
        self.alone = alone.Alone(columns, convention, self.rounding, self.amounts["result"][0]) if enough else None
        self.block = alone.BLOCK if enough else BLOCK

    def settle(self, block: slice) -> None:
        """Settle the games of ``block`` and put their steps where they belong."""
        if self.alone is not None:
            self.alone.settle(block)
            return
        sheet = self.columns.sheet(block, self.convention, self.kind)
        try:
            done = work(sheet, self.convention, self.rounding)
        except RulesError as error:
            raise RulesError(error.en, error.ru, tuple(row + block.start for row in error.rows)) from None
        for name, (into, _) in self.amounts.items():
            step: Amounts = getattr(done, name)
            for seat, numbers in enumerate(step.numerators):
                into[seat, block] = numbers
        if self.points is not None and done.gora_correction is not None:
            self.points[:, block] = done.gora_correction
        if self.money is not None and self.stake is not None:
            self.money[:, block] = self._money(sheet, done, self.stake)

    def _money(self, sheet: Sheet, done: Steps, stake: Stake) -> tuple[Any, ...]:
        exact = work(sheet, self.convention, "exact") if done.rounding == "truncate" else done
        price = stake.per_whist * stake.scale
        largest = max(
            largest_value(np.asarray(column)) for column in (*done.result.numerators, *exact.result.numerators)
        )
        weight = max(price.numerator, price.denominator * max(done.result.denominator, exact.result.denominator))
        bound = 4 * done.players * (largest + 1) * max(weight, 1)
        kind = next(kind for kind in KINDS if fits(bound, kind))
        return money(_as_type(done, kind), _as_type(exact, kind), stake)

    def settlements(self) -> Settlements:
        """Return what was collected."""
        return Settlements(
            columns=self.columns,
            convention=self.convention,
            rounding=self.rounding,
            stake=self.stake,
            kept=self.amounts,
            points=self.points,
            money_units=self.money,
        )


def _as_type(steps: Steps, kind: Any) -> Steps:
    result = steps.result
    return steps._replace(result=Amounts(tuple(n.astype(kind) for n in result.numerators), result.denominator))


def settle(
    pulya: Any,
    gora: Any,
    whists: Any,
    *,
    convention: str | Convention | None = "rozaliev",
    rounding: str | None = None,
    corrected: Any = None,
    stake: Any = None,
    minor_units: int = 2,
    players: Sequence[str] | None = None,
    steps: bool = True,
    **house_rules: Any,
) -> Settlement | Settlements:
    """Settle one sheet, or a million.

    Parameters
    ----------
    pulya, gora
        One sheet: a number a seat (ints, Fractions, Decimals, halves, text) [points].
        Many: an array or frame of (games, players), or a list of columns (arrays, Series), one a seat.
    whists
        One sheet: ``whists[i][j]`` is what ``i`` has written on ``j`` [whists].
        Many: an array of (games, players, players), or such a matrix of columns. The
        diagonal is ignored when it is zero (or ``None``) and refused otherwise.
    convention, rounding
        Names in either language, or a :class:`~prefxl.rules.conventions.Convention`;
        by default ``rozaliev`` and the convention's own rounding.
    corrected
        The player whose gora ``divisible`` corrects: a seat from 0 or, for one sheet, a name;
        for many also a column of seats, -1 for nobody.
    stake, minor_units
        Money per whist, and the decimal places money is counted in.
    players
        One sheet: the names.
    steps
        Many: ``False`` keeps the results alone.
    **house_rules
        ``target`` (``mean``, ``largest`` or the agreed pulya), ``below``, ``above``,
        ``whists_per_gora``, ``divisor`` (``players``, ``others``, ``one``).

    Returns
    -------
    Settlement or Settlements
        With every step; ``result_exact`` is a list of fractions, or an array of them.

    Raises
    ------
    SheetError, RulesError, OptionError
        With the sentence for the user in both languages.

    >>> settle([48, 48, 54], [0, 0, 0], [[0] * 3] * 3).result_exact
    [Fraction(-27, 1), Fraction(-27, 1), Fraction(54, 1)]
    """
    if not _is_many(pulya):
        return settle_sheet(
            list(pulya),
            list(gora),
            [list(row) for row in whists],
            convention=convention,
            rounding=rounding,
            corrected=corrected,
            stake=stake,
            minor_units=minor_units,
            players=players,
            **house_rules,
        )
    rules = find_convention(convention).altered(**house_rules)
    columns = make_columns(pulya, gora, whists, corrected)
    return settle_columns(columns, rules, rounding=rounding, stake=find_stake(stake, minor_units), steps=steps)


def _is_many(pulya: Any) -> bool:
    shape = getattr(pulya, "shape", None)
    if shape is not None:
        return len(shape) == 2
    first = next(iter(pulya), None)
    return hasattr(first, "__len__") and not isinstance(first, str)
