"""The records that everything else speaks in: an event, its players and games, a rating, a finding, a step of a derivation.

Frozen, without behaviour beyond small derived facts. Field names are those of the event document.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

FORMAT = "crosstable-event/1"

#: What each result is worth to White and to Black, in half points. Unplayed games are worth nothing to a rating.
PLAYED_RESULTS: Mapping[str, tuple[int, int]] = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1)}
UNPLAYED_RESULTS = ("+/-", "-/+", "-/-")
MODES = ("otb", "online")
KINDS = ("swiss", "round-robin", "match", "other", "fide")
WEIGHTS = ("full", "half", "quarter")


class Level(enum.StrEnum):
    ERROR = "error"  # must be fixed
    WARNING = "warning"  # fix it, or say that it is meant
    NOTICE = "notice"  # good to know


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, odd or missing: where, what was found, and what to do."""

    level: Level
    code: str  # stable, kebab-case: "self-pairing"
    where: str  # "section 1, player 3" or "line 12"
    message: str  # what was found, quoting it
    advice: str = ""  # what to do

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f" {self.advice}" if self.advice else ""
        return f"{self.level}: {place}{self.message}{advice} [{self.code}]"


def errors(findings: list[Finding] | tuple[Finding, ...]) -> list[Finding]:
    return [finding for finding in findings if finding.level is Level.ERROR]


@dataclass(frozen=True, slots=True)
class MatchChange:
    """What a match did to a rating, for the limits of section 7."""

    date: date
    change: float


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's state in one pool: what goes into an event, and what comes out of it.

    US Chess uses the first group; the others stand for the systems that need them. Absent means unknown.
    """

    rating: float
    games: int | None = None
    date: date | None = None
    wins: int | None = None
    draws: int | None = None
    losses: int | None = None
    #: Of `games`, those credited when the rating was initialised from another system (2025 §2): nobody won or lost them.
    assigned_games: int = 0
    three_game_events: int = 0
    peak: float | None = None
    prize_floor: float | None = None
    life_master: bool = False
    ceiling: float | None = None
    games_above_2200: int = 0
    match_changes: tuple[MatchChange, ...] = ()
    lowered_floor: float | None = None
    #: 1996 §4.2: games saved while a newcomer has only wins or only losses: (opponent's rating, score).
    pending: tuple[tuple[float, float], ...] = ()

    sigma: float | None = None  # AGA
    deviation: float | None = None  # Glicko, Glicko-2
    volatility: float | None = None  # Glicko-2
    ever_2300: bool = False  # FIDE
    ever_2400: bool = False  # FIDE


@dataclass(frozen=True, slots=True)
class ForeignRating:
    """A FIDE or CFC rating, as of a date."""

    rating: float
    date: date | None = None


@dataclass(frozen=True, slots=True)
class Player:
    number: int  # pairing number
    id: str
    name: str = ""
    birth_date: date | None = None  # private: never on an office's public side
    adult: bool = False
    canadian_resident: bool = False
    member: bool = True
    usa_flag: bool = False
    fide_opt_in: bool = False
    foreign_rating: float | None = None
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    fide: ForeignRating | None = None
    cfc: ForeignRating | None = None
    rank: str | None = None  # go rank as entered, "3d"
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Game:
    round: int
    white: int
    black: int
    result: str
    handicap: int = 0  # go stones
    komi: float = 0.0  # go: points given to White
    notes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def played(self) -> bool:
        return self.result in PLAYED_RESULTS


@dataclass(frozen=True, slots=True)
class Section:
    number: int
    name: str
    start: date | None  # a file may not say; whoever needs it reports a finding
    end: date | None
    players: tuple[Player, ...]
    games: tuple[Game, ...]
    mode: str = "otb"
    kind: str = "swiss"
    weight: str = "full"
    supernorm: bool = False
    youth: bool = False  # a FIDE youth event (2025 §6)
    colors: bool = True
    time_control: str | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    start: date | None
    end: date | None
    sections: tuple[Section, ...]
    city: str = ""
    state: str = ""
    country: str = ""
    affiliate: str = ""
    chief_td: str = ""
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a derivation, for a person: what, the formula with its numbers in place, and the rule behind it."""

    title: str
    text: str
    value: float | None = None
    rule: str = ""  # the rule's name in the rulebook
    source: str = ""  # "2025 §4.2, in force since 2025-01-01"


@dataclass(frozen=True, slots=True)
class Answer:
    """A player's new rating in one section and one pool, with all that led to it."""

    section: int
    pool: str  # the key in `ratings`: "OTBR", "GLICKO"
    number: int
    id: str
    prior: float | None
    post: float  # NaN in a public form that hides it
    published: int | float | None  # None in a public form that hides it
    state: Rating
    values: Mapping[str, Any]  # every field the system answers with, in print order
    trace: tuple[Step, ...] = ()
    by_age: bool = False  # the new rating still is what an age made it: no result has moved it


@dataclass(frozen=True, slots=True)
class Rated:
    """A rated event: an answer per player, section and pool, and what was noticed on the way."""

    event: str
    system: str
    answers: tuple[Answer, ...]
    findings: tuple[Finding, ...] = ()
