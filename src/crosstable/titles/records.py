"""What a title system is told about an event, and what it says about a player: the same records for all systems."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

REGULAR, QUICK, BLITZ = "regular", "quick", "blitz"


@dataclass(frozen=True, slots=True)
class Met:
    """One game's opponent: the rating before the event, after it, and who it was (to count meetings)."""

    pre: float | None = None
    post: float | None = None
    id: str = ""


@dataclass(frozen=True, slots=True)
class EventRecord:
    """A player's result in one event. `opponents`: one entry for each game played."""

    date: dt.date
    rounds: int
    score: float
    opponents: tuple[Met, ...]
    system: str = REGULAR
    weight: str = "full"
    supernorm: bool = False
    rating: float | None = None  # the player's own, after the event
    established: bool = True  # that rating
    online: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Norm:
    """Norms that one event earned towards one title."""

    date: dt.date
    count: int
    supernorm: bool = False
    expires: dt.date | None = None  # the last day on which it counts
    event: str = ""


@dataclass(frozen=True, slots=True)
class Need:
    """What the next event must bring for the title."""

    norms: int
    supernorms: int = 0
    rating: float | None = None  # a rating still to be reached


@dataclass(frozen=True, slots=True)
class TitleStanding:
    """One title: the norms in force, those that have expired, and the title once it is earned."""

    level: int
    title: str
    held: tuple[Norm, ...] = ()
    expired: tuple[Norm, ...] = ()
    earned: dt.date | None = None
    need: Need | None = None  # nothing once the title is earned

    @property
    def norms(self) -> int:
        return sum(norm.count for norm in self.held)

    @property
    def supernorms(self) -> int:
        return sum(norm.count for norm in self.held if norm.supernorm)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's standing on a day, by level."""

    on: dt.date | None
    titles: Mapping[int, TitleStanding] = field(default_factory=dict)

    @property
    def highest(self) -> TitleStanding | None:
        """The highest title earned."""
        return max(
            (title for title in self.titles.values() if title.earned), key=lambda title: title.level, default=None
        )


class TitleRules(Protocol):
    """A title system. Two stand ready: `norms.Titles1996` and `since_2010.Titles2010`."""

    @property
    def levels(self) -> Mapping[int, str]:
        """Level → title, lowest first."""

    @property
    def norms_for_title(self) -> int: ...

    def supernorms_for(self, level: int) -> int: ...

    def rating_for(self, level: int) -> float | None:
        """Return an established rating that must have been reached once, if any."""

    def barred(self, record: EventRecord) -> str | None:
        """Why no norm can be earned in this event, or nothing."""

    def norms(self, record: EventRecord, level: int) -> int:
        """How many norms the result earns towards the title of that level."""

    def expires(self, day: dt.date) -> dt.date | None:
        """Return the last day on which a norm of that day counts, or nothing if it never expires."""
