"""A check is a function from an event to places and words; its code, level and advice stand beside it in the
registry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from crosstable.federations import Federation
from crosstable.findings import Code
from crosstable.formats.rating_lists.base import ListedPlayer
from crosstable.model import Event, Finding, Level, Place, Player, Section
from crosstable.model.finding import Fact
from crosstable.systems import structure


@dataclass
class Case:
    """What a check may look at: the event, and what the person knows besides."""

    event: Event
    received: date | None = None  # the day on which the report arrived
    members: Mapping[str, ListedPlayer] = field(default_factory=dict)  # a rating list, by id
    by_time_control: bool = True  # the time control decides what a section is rated in, as in US Chess's system
    found: Sequence[Finding] | None = None  # what the rating system has found: the structure's errors are among it
    federation: Federation | None = None  # whose rules of reporting apply; None: as the event itself shows

    @cached_property
    def structure(self) -> Sequence[Finding]:
        return structure.problems(self.event) if self.found is None else self.found

    @cached_property
    def players(self) -> list[tuple[Section, Player, Place]]:
        """Every player of every section, with the place that findings name."""
        return [
            (section, player, Place(section=section.number, players=(player.number,)))
            for section in self.event.sections
            for player in section.players
        ]

    @cached_property
    def us_chess(self) -> bool:
        """Whether ids and places are those of US Chess: a TRF from elsewhere has FIDE numbers and no state."""
        if self.federation is not None and not self.federation.us_chess:
            return False
        event = self.event
        players = [player for section in event.sections for player in section.players]
        ours = any(key.startswith(("OTB", "OL")) for player in players for key in player.ratings)
        return bool(event.affiliate or event.state or ours or event.country.upper() in ("USA", "US"))


#: Where (a place, or the name of a part), what, and what of it a program can use
Noted = tuple[Place | str, str] | tuple[Place | str, str, Mapping[str, Fact]]
Check = Callable[[Case], Iterator[Noted]]

CHECKS: dict[str, tuple[Code, Check]] = {}


def check(name: str, level: Level, says: str, advice: str) -> Callable[[Check], Check]:
    """Register a check under its code."""

    def register(function: Check) -> Check:
        CHECKS[name] = (Code(name, level, says, advice), function)
        return function

    return register


def error(name: str, says: str, advice: str) -> Callable[[Check], Check]:
    return check(name, Level.ERROR, says, advice)


def warning(name: str, says: str, advice: str) -> Callable[[Check], Check]:
    return check(name, Level.WARNING, says, advice)


def notice(name: str, says: str, advice: str) -> Callable[[Check], Check]:
    return check(name, Level.NOTICE, says, advice)


def structural(name: str, says: str, advice: str) -> None:
    """Register what every rating system refuses anyway, under the same code."""

    def found(case: Case) -> Iterator[Noted]:
        return ((finding.place, finding.message) for finding in case.structure if finding.code == name)

    error(name, says, advice)(found)
