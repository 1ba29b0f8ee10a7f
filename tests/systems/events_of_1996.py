"""Events of September 1996, for the tests of the systems of that year."""

from __future__ import annotations

from datetime import date

from crosstable.model import Event, Game, Player, Rating, Section
from crosstable.rulebook import rulebook

DAY = date(1996, 9, 1)
RULES = rulebook("uscf_1996").on(DAY)


def player(number: int, rating: Rating | None = None, **more: object) -> Player:
    ratings = {} if rating is None else {"USCF": rating}
    return Player(number, f"P{number}", ratings=ratings, **more)


def event(players: list[Player], games: list[tuple[int, int, str]], **more: object) -> Event:
    played = tuple(Game(i + 1, white, black, result) for i, (white, black, result) in enumerate(games))
    section = Section(1, "Open", DAY, DAY, tuple(players), played, **more)
    return Event("Test", DAY, DAY, (section,))
