"""What differs between two versions of one event: a frozen record for each kind of change.

Their English is in `words`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from crosstable.model.event import Rating

RESULT, PLAYER, FACT = "result", "player", "fact"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One entry that is another in the newer version."""

    counts_as: ClassVar[str] = FACT  # how a summary counts it: as a result, a player or a fact
    section: int | None = None  # None: the whole event
    section_name: str = ""  # as the newer version has it


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChanged(Difference):
    """A fact about the event or a section: its name, days, time control."""

    field: str
    was: str | date | None
    now: str | date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionAdded(Difference):
    """A section that was not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRemoved(Difference):
    """A section that is not there any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerChanged(Difference):
    """A pairing number that is another player, or one that came or went."""

    counts_as: ClassVar[str] = PLAYER

    number: int
    name: str
    was: str  # an id; empty where there was no player
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeChanged(Difference):
    """A bye, given or taken away. It counts in the score."""

    counts_as: ClassVar[str] = RESULT

    round: int
    number: int
    name: str
    was: str  # the letter in the crosstable; empty where there was none
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultChanged(Difference):
    """A game with another result or other colours, or one that came or went."""

    counts_as: ClassVar[str] = RESULT

    round: int
    white: int  # pairing numbers, as the newer version has them
    black: int
    white_name: str
    black_name: str
    was: str | None  # the result; None where there was no game
    now: str | None
    colors_changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutPlayer(Difference):
    """Something that a report says about a player: for its director and the office alone."""

    counts_as: ClassVar[str] = PLAYER

    number: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedName(AboutPlayer):
    """The name in the report."""

    was: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedRatings(AboutPlayer):
    """The ratings in the report, by pool."""

    was: tuple[tuple[str, Rating], ...]
    now: tuple[tuple[str, Rating], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedAge(AboutPlayer):
    """The birth date in the report, or whether the player is an adult. Only that it changed is known here."""
