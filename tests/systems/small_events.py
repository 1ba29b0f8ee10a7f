"""Small events for the tests of the rating systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from crosstable.model import Event, Game, Player, Rating, Section

DAY = date(2025, 11, 5)


def event(players: Sequence[Player], games: Sequence[Game], day: date = DAY, **section: Any) -> Event:
    one = Section(1, "Open", day, day, tuple(players), tuple(games), **section)
    return Event("Test", day, day, (one,))


def entrants(key: str, states: Sequence[Rating | None], **common: Any) -> list[Player]:
    """Players 1, 2, … with these records."""
    return [
        Player(number, f"id{number}", name=f"P{number}", ratings={} if state is None else {key: state}, **common)
        for number, state in enumerate(states, start=1)
    ]


def against_all(results: Sequence[str]) -> list[Game]:
    """Player 1 as White against 2, 3, …, one per round."""
    return [Game(round, 1, round + 1, result) for round, result in enumerate(results, start=1)]


def glickmans_example(**more: Any) -> list[Rating]:
    """The players of the example in both of Glickman's papers; the first beats the second and loses to the others."""
    players = ((1500, 200), (1400, 30), (1550, 100), (1700, 300))
    return [Rating(rating, deviation=deviation, **more) for rating, deviation in players]


GLICKMANS_GAMES = against_all(["1-0", "0-1", "0-1"])


def posts(answers: Sequence[Any]) -> Mapping[int, float]:
    return {answer.number: answer.post for answer in answers}
