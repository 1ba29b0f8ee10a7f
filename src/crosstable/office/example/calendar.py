"""The calendar of the example: three years of events, moved by whole weeks so that they end on the weekend before a
day.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from crosstable.model import Event
from crosstable.office.example.events import events
from crosstable.office.example.people import Member, members
from crosstable.simulation.kinds import KINDS

SEED = 1996
#: The calendar as it is drawn; an office made on another day has the same one, moved
START = date(2023, 1, 1)
DAYS = 3 * 365
DRAWN = date(2025, 12, 31)
PLAYERS, EVENTS = 2000, 300


@dataclass(frozen=True, slots=True)
class Reported:
    """An event of the calendar under its number."""

    number: str
    event: Event

    @property
    def end(self) -> datetime:
        return datetime.combine(self.event.end or DRAWN, time(), UTC)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Everything that is drawn by lot, for an office that is made on a day: it ends on the weekend before."""

    members: list[Member]
    events: list[Reported]  # those that are over, by their end
    start: date

    @classmethod
    def drawn(cls, today: date, seed: int = SEED, count: int = PLAYERS, tournaments: int = EVENTS) -> Calendar:
        rng = random.Random(seed)  # noqa: S311  a made-up office is no secret
        saturday, _ = KINDS[0].weekend(START + timedelta(days=tournaments * DAYS // (tournaments + 1)))
        start = START + (last_weekend(today) - (saturday + timedelta(days=1)))
        everybody = members(rng, count, start)
        drawn = events(rng, everybody, tournaments, start, DAYS)
        over = [event for event in drawn if event.end and event.end <= last_weekend(today)]
        return cls(everybody, [Reported(f"{one.end:%Y%m%d}{place:04}", one) for place, one in enumerate(over)], start)


def last_weekend(today: date) -> date:
    """Return the last Sunday before a day."""
    return today - timedelta(days=today.weekday() + 1)
