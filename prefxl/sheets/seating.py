"""Which seat each heading of a wide table belongs to, by number or by the player's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from prefxl.matching import match_names
from prefxl.names import key
from prefxl.sheets.headers import GAME_ROLES, Heading, words_of

_FIELDS = ("player", "pulya", "gora")
_SHORT_PLAYER = re.compile(r"[иn]\s*(?P<seat>[1-9])")


def seat_names(headings: Mapping[int, Heading]) -> tuple[str, ...]:
    """Return the players a wide heading names, in the order of their columns; none where seats have numbers."""
    said = [one for _, one in sorted(headings.items())]
    if any(isinstance(one.one, int) and one.role in _FIELDS for one in said):
        return ()
    names: dict[str, str] = {}
    for field in ("pulya", "gora"):
        texts = {key(str(one.one)): str(one.one) for one in said if one.role == field and one.one}
        # «Гора Ани» belongs to «Пуля Аня», but no two columns of one field belong to one player
        known = match_names(texts, names.values(), of_whom=True)
        names |= {text: name for text, name in texts.items() if not known[text].names}
    return tuple(names.values())


def with_short_players(headings: Mapping[int, Heading], labels: Mapping[int, str]) -> dict[int, Heading]:
    """Return a wide heading with ``И1`` read as player 1, where nothing else names a player and ``П1`` stands beside.

    Alone it may be anything, such as a result.
    """
    found = dict(headings)
    scored = {said.one for said in headings.values() if said.role in ("pulya", "gora") and isinstance(said.one, int)}
    if not scored or any(said.role == "player" for said in headings.values()):
        return found
    short = {column: match for column, text in labels.items() if (match := _SHORT_PLAYER.fullmatch(words_of(text)))}
    seats = {column: int(match["seat"]) for column, match in short.items() if column not in headings}
    if set(seats.values()) == scored and len(seats) == len(scored):
        found |= {column: Heading("player", one=seat) for column, seat in seats.items()}
    return found


def wide_roles(headings: Mapping[int, Heading]) -> dict[int, str]:
    """Return column to role for a wide heading; a heading that fits no seat, or several, has none."""
    names = seat_names(headings)
    # each field apart, for «Пуля Аня» and «Гора Ани» are one player's
    whose = {
        role: _seats((one.one for one in headings.values() if one.role == role), names, of_whom=True)
        for role in (*_FIELDS, "whists")
    }
    others = _seats((one.other for one in headings.values() if one.role == "whists"), names, of_whom=False)
    roles: dict[int, str] = {}
    for column, said in headings.items():
        one, other = whose.get(said.role, {}).get(said.one, 0), others.get(said.other, 0)
        if said.role in GAME_ROLES and said.plain:
            roles[column] = said.role
        elif said.role in _FIELDS and one:
            roles[column] = f"{said.role}_{one}"
        elif said.role == "whists" and one and other:
            roles[column] = f"whists_{one}_{other}"
    return roles


def _seats(parties: Iterable[int | str], names: tuple[str, ...], *, of_whom: bool) -> dict[int | str, int]:
    """Return party to seat, counted from 1."""
    known = list(dict.fromkeys(parties))
    seats: dict[int | str, int] = {party: party for party in known if isinstance(party, int)}
    texts = {party: party for party in known if isinstance(party, str) and party}
    for party, meant in match_names(texts, names, of_whom=of_whom).items():
        if meant.clear and len(meant.names) == 1:
            seats[party] = names.index(meant.names[0]) + 1
    return seats
