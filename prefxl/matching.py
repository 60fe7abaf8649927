"""Which player each heading means: names exact, declined or short, all headings of a table together.

«Висты на Александра» is Александр where the other headings are declined as well, and
Александра where they are not. So the headings of a table are looked at together: each
player has one, the names are all in one case, and what stays unclear is said to be so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, permutations
from typing import TypeAlias, TypeVar

from prefxl.declension import ACCUSATIVE, GENITIVE, NOMINATIVE, guessed_forms, mixed_forms, name_forms
from prefxl.names import key

Place = TypeVar("Place", bound=Hashable)

#: Heading to the players it may mean, each with what it costs to think so.
_Costs: TypeAlias = dict[str, dict[str, int]]

#: Heading to the players it means in the best ways of reading all of them; several are a doubt.
_Chosen: TypeAlias = dict[str, set[str]]

#: How many headings mean nobody, and what the others cost: the less the better.
_Rank: TypeAlias = tuple[int, int]

#: More headings than this that may mean each other's players are not tried out.
_MOST_TOGETHER = 6

#: Names of women that are also what a man's name becomes after «на».
_WOMEN_LIKE_MEN = frozenset({
    "августа", "александра", "анатолия", "богдана", "валентина", "валерия", "василия", "виталия", "владислава",
    "евгения", "ивана", "мирослава", "павла", "радмира", "романа", "руслана", "святослава", "серафима",
    "станислава", "юлия", "яна", "ярослава",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Meant:
    """The players a heading means.

    Attributes
    ----------
    names
        Their names; several where they differ only in spelling, or where only the game shows which.
    sure
        Whether it is their name, exact, declined, a part of it or its first letter.
    clear
        Whether no other reading of the headings is as good.
    """

    names: tuple[str, ...] = ()
    sure: bool = True
    clear: bool = True


def match_names(headings: Mapping[Place, str], players: Iterable[str], *, of_whom: bool = False) -> dict[Place, Meant]:
    """Return the players each heading means.

    Parameters
    ----------
    headings
        Place to the name as the heading has it.
    players
        The names of a table.
    of_whom
        Whether the headings say whose whists they are, not on whom.

    >>> found = match_names({1: "Валентина", 2: "Валентину"}, ["Валентина", "Валентин"])
    >>> found[1].names, found[2].names
    (('Валентин',), ('Валентина',))
    """
    spellings: dict[str, list[str]] = {}
    for name in players:
        spellings.setdefault(key(name), []).append(name)
    texts = {place: key(text) for place, text in headings.items()}
    found = _Matching(spellings, of_whom).all(list(dict.fromkeys(texts.values())))
    return {place: found[text] for place, text in texts.items()}


@dataclass(frozen=True)
class _Matching:
    """Players by key with their spellings, and how the headings are declined."""

    spellings: dict[str, list[str]]
    of_whom: bool

    def all(self, texts: list[str]) -> dict[str, Meant]:
        """Return what each heading means: the surest way of reading first, the others for what is left over."""
        found: dict[str, Meant] = {}
        free = list(self.spellings)
        for level in (self._whole, self._parts, self._initials, self._guesses):
            left = [text for text in texts if text not in found]
            if not left or not free:
                break
            found |= level(left, free)
            taken = {key(name) for meant in found.values() for name in meant.names}
            free = [player for player in free if player not in taken]
        return {text: found.get(text, Meant()) for text in texts}

    def _meant(self, players: Iterable[str], *, sure: bool = True, clear: bool = True) -> Meant:
        return Meant(tuple(chain.from_iterable(self.spellings[player] for player in players)), sure, clear)

    def _whole(self, texts: list[str], free: list[str]) -> dict[str, Meant]:
        """Match whole names, the case being the one that fits best for all headings."""
        proper, other = (GENITIVE, ACCUSATIVE) if self.of_whom else (ACCUSATIVE, GENITIVE)
        index = _index(free)
        readings = [(case, _costs(texts, index, case)) for case in (NOMINATIVE, proper, other)]
        solved = [(*_solve(costs), case) for case, costs in readings]
        least = min(rank for rank, _, _ in solved)
        best = [(chosen, case) for rank, chosen, case in solved if rank == least]
        # «Висты Ани» is rare: it needs more than to be as good
        best = [one for one in best if one[1] != other] or best
        declined = NOMINATIVE not in [case for _, case in best]
        ways = [chosen for chosen, _ in best]
        fitting = {text: sorted({player for chosen in ways for player in chosen.get(text, ())}) for text in texts}
        if least[1]:
            # some are declined and some are not, so that the others show nothing
            fitting |= _doubts([chosen for _, chosen, case in solved if case != other], readings[0][1])
        asked = Counter(chain.from_iterable(fitting.values()))
        found = {}
        for text, players in fitting.items():
            if players:
                # a woman's name as it is among declined ones: hers, or the man's she is written like
                sure = not (declined and players == [text] and _like_a_mans(text))
                clear = len(players) == asked[players[0]] == 1
                found[text] = self._meant(players, sure=sure, clear=clear)
        return found

    def _parts(self, texts: list[str], free: list[str]) -> dict[str, Meant]:
        """Match a first or a last name, some words by their first letter."""
        return self._by(_share_a_word, texts, free)

    def _initials(self, texts: list[str], free: list[str]) -> dict[str, Meant]:
        return self._by(_is_short_for, texts, free)

    def _guesses(self, texts: list[str], free: list[str]) -> dict[str, Meant]:
        found = self._by(lambda text, player: text in guessed_forms(player), texts, free)
        left = [text for text in texts if text not in found and len(text) > 2]
        found |= self._by(lambda text, player: player.startswith(text), left, free)
        return {text: Meant(meant.names, sure=False) for text, meant in found.items()}

    def _by(self, test: Callable[[str, str], bool], texts: list[str], free: list[str]) -> dict[str, Meant]:
        """Match by a test; where a heading fits several players, only the game may show which."""
        costs = {text: {player: 0 for player in free if test(text, player)} for text in texts}
        _, chosen = _solve(costs)
        return {text: self._meant(sorted(players)) for text, players in chosen.items() if players}


def _doubts(ways: list[_Chosen], costs: _Costs) -> dict[str, list[str]]:
    """Return headings that mean one player if all are declined, and another if none is."""
    found: dict[str, list[str]] = {}
    for texts in _together(costs):
        if all(chosen.get(text) for chosen in ways for text in texts):
            for text in texts:
                players = sorted(set().union(*(chosen[text] for chosen in ways)))
                if len(players) > 1:
                    found[text] = players
    return found


def _like_a_mans(text: str) -> bool:
    return any(word in _WOMEN_LIKE_MEN or word.endswith(("ова", "ева")) for word in text.split())


def _index(players: Iterable[str]) -> dict[str, list[str]]:
    """Return form to the players it may be of."""
    index: dict[str, list[str]] = {}
    for player in players:
        for form in mixed_forms(player) | {player}:
            index.setdefault(form, []).append(player)
    return index


def _costs(texts: Iterable[str], index: Mapping[str, list[str]], case: str) -> _Costs:
    """Return what each reading costs where the headings are in ``case``."""
    return {text: {player: _cost(text, player, case) for player in index.get(text, ())} for text in texts}


def _cost(text: str, player: str, case: str) -> int:
    forms = name_forms(player)
    if text in forms[case]:
        return 0
    if text == player:
        return 1
    return 2 if text in forms[ACCUSATIVE] or text in forms[GENITIVE] else 3


def _solve(costs: _Costs) -> tuple[_Rank, _Chosen]:
    """Return the best ways to give each heading a player of its own."""
    left, paid = 0, 0
    chosen: _Chosen = {}
    for texts in _together(costs):
        (fewer, less), found = _solve_together({text: costs[text] for text in texts})
        left, paid = left + fewer, paid + less
        chosen |= found
    return (left, paid), chosen


def _together(costs: _Costs) -> list[list[str]]:
    """Return the headings in groups that may mean the same players."""
    groups: list[tuple[set[str], list[str]]] = []
    for text, players in costs.items():
        mine: tuple[set[str], list[str]] = (set(players), [text])
        apart = []
        for group in groups:
            if group[0] & mine[0]:
                mine = (mine[0] | group[0], [*group[1], *mine[1]])
            else:
                apart.append(group)
        groups = [*apart, mine]
    return [texts for _, texts in groups]


def _solve_together(costs: _Costs) -> tuple[_Rank, _Chosen]:
    if len(costs) > _MOST_TOGETHER:
        # not tried out: whatever fits
        return (0, 0), {text: set(players) for text, players in costs.items()}
    best: tuple[_Rank, _Chosen] = ((len(costs) + 1, 0), {})
    ways: list[tuple[_Rank, dict[str, str]]] = [((0, 0), {})]
    for text, players in costs.items():
        ways = [way for one in ways for way in _with_one_more(one, text, players)]
    for rank, given in ways:
        if rank < best[0]:
            best = rank, {text: set() for text in costs}
        if rank == best[0]:
            for text, player in given.items():
                best[1][text].add(player)
    return best


def _with_one_more(
    way: tuple[_Rank, dict[str, str]], text: str, players: Mapping[str, int]
) -> list[tuple[_Rank, dict[str, str]]]:
    (left, paid), given = way
    more = [((left + 1, paid), given)]
    for player, cost in players.items():
        if player not in given.values():
            more.append(((left, paid + cost), {**given, text: player}))
    return more


def _share_a_word(text: str, player: str) -> bool:
    """Return whether all words of the shorter one stand in the other, one at least not as a first letter only."""
    mine, theirs = text.split(), player.split()
    if len(mine) == len(theirs) == 1 or max(len(mine), len(theirs)) > 4:
        return False
    if len(mine) <= len(theirs):
        ways = (
            [_alike(word, other) for word, other in zip(mine, some, strict=True)]
            for some in permutations(theirs, len(mine))
        )
    else:
        ways = (
            [_alike(word, other) for word, other in zip(some, theirs, strict=True)]
            for some in permutations(mine, len(theirs))
        )
    return any(min(way) > 0 and max(way) > 1 for way in ways)


def _alike(word: str, other: str) -> int:
    """Return 2 where ``word`` is a form of ``other``, 1 where one is the first letter of the other, else 0."""
    if word in mixed_forms(other):
        return 2
    return int(1 in (len(word), len(other)) and word[:1] == other[:1])


def _is_short_for(text: str, player: str) -> bool:
    """Return whether ``text`` is the first letter or two of a name, or its words' first letters."""
    short = text.replace(" ", "")
    if not short or len(short) > 4:
        return False
    initials = "".join(word[0] for word in player.split())
    return short == initials or (len(short) <= 2 and " " not in text and player.startswith(short))
