"""Small events for tests: what a test says is what matters, the rest has plain defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from crosstable.model import Answer, Event, Game, Player, Rating, Section
from crosstable.systems.us_chess import rate

DAY = date(2025, 8, 2)


def player(number: int, rating: float | None = None, games: int = 40, *, system: str = "OTBR", **more: Any) -> Player:
    """A rated player (mixed history, 40 games) or, without a rating, an unrated adult."""
    fields = {name: more.pop(name) for name in list(more) if name in Rating.__dataclass_fields__}
    ratings = more.pop("ratings", None)
    if ratings is None:
        ratings = {} if rating is None else {system: Rating(rating, games, **fields)}
    return Player(
        number, more.pop("id", f"1000{number:04d}"), f"Player {number}", ratings=ratings, **{"adult": True, **more}
    )


def games(*rows: tuple[int, int, str]) -> tuple[Game, ...]:
    """Games of one round each, in the order given: (white, black, result)."""
    return tuple(Game(place, white, black, result) for place, (white, black, result) in enumerate(rows, 1))


def section(
    players: Sequence[Player], played: Sequence[Game], *, number: int = 1, on: date = DAY, **more: Any
) -> Section:
    return Section(
        number,
        "Open",
        more.pop("start", on),
        more.pop("end", on),
        tuple(players),
        tuple(played),
        **{"time_control": "G/90;+30", **more},
    )


def event(*sections: Section, on: date = DAY) -> Event:
    days = [day for part in sections for day in (part.start, part.end) if day is not None] or [on]
    return Event("Test", min(days), max(days), tuple(sections))


def rated(*sections: Section, profile: str = "as-written") -> dict[tuple[int, str, int], Answer]:
    """Answers by (section, system, pairing number)."""
    return {(a.section, a.pool, a.number): a for a in rate(event(*sections), profile).answers}


def by_number(
    answers: Mapping[tuple[int, str, int], Answer], system: str = "OTBR", section_number: int = 1
) -> dict[int, Answer]:
    return {number: a for (part, name, number), a in answers.items() if name == system and part == section_number}
