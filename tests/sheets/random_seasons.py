"""Seasons made at random, written down in every layout, with faults whose findings are known beforehand.

Nothing here knows how sheets are read: what must come out is worked out from what was put in.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from prefxl.tables import cell_name

NAMES = ("Андрей", "Борис", "Вера", "Гена", "Дима", "Лёша", "Марина", "Зоя", "Ирина", "Кирилл", "Пётр", "Яна")
ON = ("Андрея", "Бориса", "Веру", "Гену", "Диму", "Лёшу", "Марину", "Зою", "Ирину", "Кирилла", "Петра", "Яну")
ON_WHOM = dict(zip(NAMES, ON, strict=True))

#: A cell that holds no number, by the reason of its finding.
SPOILT = {
    "not-a-number": ("десять", "12а", "5%", "?", "1 06"),
    "error-value": ("#Н/Д", "#DIV/0!"),
    "date-in-score": ("03.апр", "04.01.2026"),
    "boolean": ("ИСТИНА", "false"),
    "odd-fraction": ("4.3", "¼"),
    "too-large": ("4000000000",),
}
REMARKS = ("Перерыв до утра", "Дежурил Гена", "Прим.: без света", "Январь 2026", "доиграли ночью у Веры")


@dataclass
class Game:
    """One game as it was played."""

    name: Any
    players: list[str]
    pulya: list[int]
    gora: list[float]
    whists: list[list[float]]
    good: bool = True


@dataclass
class Season:
    """A sheet of cells by row and column, where the values of its games stand, and what must be found."""

    draw: random.Random
    layout: str
    games: list[Game] = field(default_factory=list)
    cells: dict[tuple[int, int], Any] = field(default_factory=dict)
    places: dict[tuple[Any, ...], tuple[int, int]] = field(default_factory=dict)
    expected: set[tuple[str, str]] = field(default_factory=set)

    def put(self, row: int, column: int, value: Any, *place: Any) -> None:
        """Write a cell, and remember what stands there."""
        if value is not None:
            self.cells[row, column] = value
        if place:
            self.places[place] = row, column

    def spoil(self, place: tuple[Any, ...], value: Any, reason: str) -> None:
        """Write something wrong: the game is not settled, and the finding stands on that cell."""
        self.cells[self.places[place]] = value
        self.expected.add((reason, cell_name(*self.places[place])))

    def rows(self) -> list[list[Any]]:
        """Return the sheet as rows, ``None`` where nothing is written."""
        height, width = (max(cell[axis] for cell in self.cells) for axis in (0, 1))
        return [[self.cells.get((row, column)) for column in range(1, width + 1)] for row in range(1, height + 1)]


def make(seed: int) -> Season:
    """Return the season of a seed."""
    draw = random.Random(seed)
    season = Season(draw, draw.choice(["wide", "long", "form"]))
    for number in range(draw.randint(1, 5)):
        players = draw.sample(NAMES, draw.choice([2, 3, 4, 4, 5]))
        among = range(len(players))
        whists = [[0.0 if i == j else float(draw.randint(0, 1200)) for j in among] for i in among]
        gora = [draw.randint(-6, 90) / 2 for _ in among]
        season.games.append(Game(number + 1, players, [draw.randint(0, 30) for _ in among], gora, whists))
    {"wide": _wide, "long": _long, "form": _forms}[season.layout](season, 1 + draw.choice([0, 0, 2]))
    for number in draw.sample(range(len(season.games)), draw.randint(0, min(2, len(season.games)))):
        _spoil(season, number)
    return season


def _scores(season: Season, number: int, seat: int, field_name: str, other: int = 0) -> float:
    game = season.games[number]
    return game.whists[seat][other] if field_name == "whists" else getattr(game, field_name)[seat]


def _aside(season: Season, row: int, column: int) -> int:
    """Write, at times, a remark or a total into a row; return the next free one."""
    if season.draw.random() < 0.3:
        reason, texts = season.draw.choice([("remark", REMARKS), ("totals-row", ("Итого", "Всего за вечер"))])
        season.put(row, column, season.draw.choice(texts))
        season.expected.add((reason, cell_name(row, column)))
        row += 1
    return row


def _wide(season: Season, top: int) -> None:
    seats = range(max(len(game.players) for game in season.games))
    heads = [("game", "Игра"), *((("player", i), f"Игрок {i + 1}") for i in seats)]
    heads += [((name, i), f"{word} {i + 1}") for name, word in (("pulya", "Пуля"), ("gora", "Гора")) for i in seats]
    heads += [(("whists", i, j), f"Висты {i + 1}-{j + 1}") for i in seats for j in seats if i != j]
    season.draw.shuffle(heads)
    for column, (_, text) in enumerate(heads, 1):
        season.put(top, column, text)
    row = top + 1
    for number, game in enumerate(season.games):
        for column, (what, _) in enumerate(heads, 1):
            if what == "game":
                season.put(row, column, game.name)
            elif max(what[1:]) < len(game.players):
                value = (
                    game.players[what[1]]
                    if what[0] == "player"
                    else _scores(season, number, what[1], what[0], what[-1])
                )
                season.put(row, column, value, number, *what)
        row = _aside(season, row + 1, 1 + [what for what, _ in heads].index(("player", 0)))


def _player_row(season: Season, row: int, first: int, number: int, seat: int, whom: list[int | str]) -> None:
    """Write a player's row from column ``first``: name, pulya, gora, and whists on each of ``whom``."""
    game = season.games[number]
    season.put(row, first, game.players[seat], number, "player", seat)
    for place, name in enumerate(("pulya", "gora")):
        season.put(row, first + 1 + place, _scores(season, number, seat, name), number, name, seat)
    for place, one in enumerate(whom, first + 3):
        other = game.players.index(one) if one in game.players else one if isinstance(one, int) else -1
        if other == seat:
            season.put(row, place, season.draw.choice([None, "x", "—"]), number, "self", seat)
        elif 0 <= other < len(game.players):
            season.put(row, place, game.whists[seat][other], number, "whists", seat, other)
        else:
            season.put(row, place, None, number, "stray", seat)


def _heads(season: Season, row: int, first: int, whom: list[int | str]) -> None:
    declined = season.draw.random() < 0.5
    texts = [one + 1 if isinstance(one, int) else ON_WHOM[one] if declined else one for one in whom]
    for column, text in enumerate(["Игрок", "Пуля", "Гора", *(f"Висты на {text}" for text in texts)], first):
        season.put(row, column, text)


def _whom(season: Season, games: list[Game]) -> list[int | str]:
    if season.draw.random() < 0.5:
        return list(range(max(len(game.players) for game in games)))
    return list(dict.fromkeys(name for game in games for name in game.players))


def _long(season: Season, top: int) -> None:
    whom = _whom(season, season.games)
    season.put(top, 1, "Игра")
    _heads(season, top, 2, whom)
    row = top + 1
    for number, game in enumerate(season.games):
        for seat in range(len(game.players)):
            season.put(row, 1, game.name)
            _player_row(season, row, 2, number, seat, whom)
            row += 1
        row = _aside(season, row, 2)


def _forms(season: Season, top: int) -> None:
    row = top
    for number, game in enumerate(season.games):
        game.name = f"Дача {number + 1}"
        whom = _whom(season, [game])
        season.put(row, 1, game.name)
        _heads(season, row + 1, 1, whom)
        for seat in range(len(game.players)):
            _player_row(season, row + 2 + seat, 1, number, seat, whom)
        row += len(game.players) + 3


def _spoil(season: Season, number: int) -> None:
    game, draw = season.games[number], season.draw
    seats = len(game.players)
    scores = [place for place in season.places if place[0] == number and place[1] in ("pulya", "gora", "whists")]
    kinds = [*SPOILT, "negative-pulya", "player-twice", "no-player"]
    kinds += [
        kind
        for kind, place in (("whists-on-self", "self"), ("whists-on-nobody", "stray"))
        if season.layout != "wide" and (number, place, 0) in season.places
    ]
    kind = draw.choice(kinds)
    if kind in SPOILT:
        season.spoil(draw.choice(scores), draw.choice(SPOILT[kind]), kind)
    elif kind == "negative-pulya":
        season.spoil((number, "pulya", draw.randrange(seats)), -draw.randint(1, 9), kind)
    elif kind == "player-twice":
        season.spoil((number, "player", seats - 1), game.players[0], kind)
    elif kind == "no-player":
        seat = draw.randrange(seats)
        season.cells[season.places[number, "pulya", seat]] = 7
        season.spoil((number, "player", seat), None, "numbers-without-player" if season.layout == "wide" else kind)
    else:
        season.spoil((number, {"whists-on-self": "self"}.get(kind, "stray"), 0), draw.randint(1, 50), kind)
    game.good = False
