"""What a stream adds up on its way: findings, counted all and kept some; names, ids and sums of the season."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from prefxl.findings import Finding
from prefxl.names import key
from prefxl.tables import cell_name

#: Findings of each reason that are kept; all are counted.
KEPT = 1000

#: Fields of scores in the order in which the first empty cell is looked for.
FIELDS = ("pulya", "gora", "whists")

#: Where an empty cell is: field, seat, and for whists the seat they are on.
Key: TypeAlias = tuple[int, ...]

#: Place to how many cells are empty there, and line and column of the first.
Empties: TypeAlias = dict[Key, tuple[int, int, int]]

#: Name to how often it stands, and number of the file, file, line and column of the first.
Names: TypeAlias = dict[str, tuple[int, tuple[int, str, int, int]]]

_REMARKS = ("unequal-pulyas", "truncation-residual")
_SETTLING = ("cannot-settle", "unknown-corrected")


def note_empty(empties: Empties, place: Key, count: int, line: int, column: int) -> None:
    """Add empty cells of one place."""
    known, first, at = empties.get(place, (0, line, column))
    empties[place] = (known + count, *min((first, at), (line, column)))


def note_name(names: Names, name: str, count: int, place: tuple[int, str, int, int]) -> None:
    """Add a name seen ``count`` more times, first at ``place``."""
    known, first = names.get(name, (0, place))
    names[name] = (known + count, min(first, place))


@dataclass
class Tally:
    """Findings of a stream: all counted, the first of each reason kept."""

    kept: int = KEPT
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    _held: Counter[str] = field(default_factory=Counter)

    def add(self, found: Iterable[Finding], counted: Mapping[str, int] | None = None) -> None:
        """Add findings; ``counted`` tells how many there are of the reasons not all of which are given."""
        told = Counter(finding.reason for finding in found)
        self.counts.update({**told, **(counted or {})})
        for finding in found:
            if self._held[finding.reason] < self.kept:
                self._held[finding.reason] += 1
                self.findings.append(finding)

    def lacks(self, reason: str) -> int:
        """Return how many more findings of a reason would be kept."""
        return max(self.kept - self._held[reason], 0)

    def in_order(self) -> tuple[Finding, ...]:
        """Return the kept findings as an unstreamed run tells them: of reading, of settling, remarks."""

        def rank(finding: Finding) -> int:
            return 2 if finding.reason in _REMARKS else 1 if finding.reason in _SETTLING else 0

        return tuple(sorted(self.findings, key=rank))


def empty_as_zero(empties: Empties, file: str) -> Iterator[Finding]:
    """Yield the note on empty cells of one file."""
    if empties:
        _, line, column = empties[min(empties)]
        count = sum(one[0] for one in empties.values())
        yield Finding("empty-as-zero", file, "", cell_name(line, column), "", {"count": count})


def unread_dates(found: list[Finding]) -> Iterator[Finding]:
    """Yield the note on dates kept as text of one file, from those of its pieces."""
    if found:
        yield replace(found[0], details={"count": sum(int(finding.details["count"]) for finding in found)})


def look_alike_names(names: Names) -> Iterator[Finding]:
    """Yield warnings on names that differ only by case, spaces, ё or look-alike letters, on the rarer spelling."""
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(key(name), []).append(name)
    for group in alike.values():
        if len(group) < 2:
            continue
        main = min(group, key=lambda name: (-names[name][0], names[name][1]))
        first = _where(*names[main][1])
        for name in sorted(group, key=lambda name: names[name][1]):
            if name != main:
                _, file, line, column = names[name][1]
                details = {"other": main, "first": first}
                yield Finding("look-alike-name", file, "", cell_name(line, column), name, details)


def _where(_: int, file: str, line: int, column: int) -> str:
    return f"{file}!{cell_name(line, column)}"
