"""The kinds of steps of the other systems: Elo, Glicko and its kin, FIDE, the USCF of 1994 and 1996, St. Charles, the
AGA.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import ClassVar

from crosstable.model.derivation import Step
from crosstable.model.values import Number


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStep(Step):
    """One game and what it was worth."""

    kind: ClassVar[str] = "game"
    main: ClassVar[str] = "gain"

    round: int
    opponent: int  # pairing number
    score: float
    rating: Number | None = None  # the opponent's
    gain: Number | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EloGame(GameStep):
    """K times the score above the expectation."""

    kind: ClassVar[str] = "elo-game"

    k: Number
    expected: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class GlickoGame(GameStep):
    """A game whose weight depends on how well the opponent's strength is known."""

    kind: ClassVar[str] = "glicko-game"

    deviation: Number
    expected: Number
    weight: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class FideGame(GameStep):
    """A game by FIDE's table of expectations."""

    kind: ClassVar[str] = "fide-game"

    difference: Number
    counted: Number  # the difference within its limit
    expected: Number
    k: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class GoGame(GameStep):
    """A game of go: its pull at the new ratings."""

    kind: ClassVar[str] = "go-game"

    handicap: int
    komi: float
    chance: Number  # of the player, at the new ratings


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubGame(GameStep):
    """A game of the St. Charles club: points at risk, adjusted by the difference, within limits."""

    kind: ClassVar[str] = "club-game"

    own: float  # the player's rating before the game
    at_risk: float
    adjustment: float
    limited: float  # the sum of both within its limits
    post: float
    floor: float

    @property
    def sum(self) -> float:
        """The points before limits."""
        return self.at_risk + self.adjustment


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRating(Step):
    """The rating before, the change and the rating after."""

    kind: ClassVar[str] = "new-rating"
    main: ClassVar[str] = "result"

    before: Number
    change: Number
    result: Number
    games: int | None = None  # of a club's player, after the event
    statuses: tuple[str, ...] = ()  # "official", "still settling"
    across_gap: bool = False  # on a scale of go ranks without numbers between 1 kyu and 1 dan


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDeviation(Step):
    """How uncertain the new rating is."""

    kind: ClassVar[str] = "new-deviation"
    main: ClassVar[str] = "result"

    before: Number | None
    result: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Volatility(Step):
    """Glicko-2: how much the player's strength fluctuates."""

    kind: ClassVar[str] = "volatility"
    main: ClassVar[str] = "result"

    before: Number
    result: Number
    variance: Number  # v
    improvement: Number  # Δ


@dataclass(frozen=True, slots=True, kw_only=True)
class Exceptional(Step):
    """Glicko-Boost: whether the score was exceptional, and the deviation to start from."""

    kind: ClassVar[str] = "exceptional"
    main: ClassVar[str] = "deviation"

    surprise: Number  # in standard deviations
    deviation: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourPull(Step):
    """Stephenson: the pull towards the opponents' ratings."""

    kind: ClassVar[str] = "neighbour-pull"
    main: ClassVar[str] = "change"

    change: Number


# FIDE


class KReason(enum.StrEnum):
    """Why FIDE's K is what it is."""

    REACHED_2400 = "reached-2400"
    EXPERIENCED = "experienced"
    NEW = "new"
    JUNIOR = "junior"


@dataclass(frozen=True, slots=True, kw_only=True)
class KFactor(Step):
    """FIDE's K and its reason."""

    kind: ClassVar[str] = "k-factor"
    main: ClassVar[str] = "k"

    k: Number
    own_k: int  # before the limit for many games
    reason: KReason
    games: int
    most_points: int
    senior_from: int
    newcomer_games: int
    junior_until: int
    junior_below: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounding(Step):
    """A change rounded to whole points."""

    kind: ClassVar[str] = "rounding"
    main: ClassVar[str] = "difference"

    exact: Number
    change: int
    difference: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstRating(Step):
    """FIDE: a first rating from all saved games."""

    kind: ClassVar[str] = "first-rating"
    main: ClassVar[str] = "result"

    score: float
    games: int
    opponents_total: Number
    imagined: int  # draws with imagined opponents
    imagined_rating: int
    exact: Number
    result: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class NotPublished(Step):
    """FIDE: a first rating that is not published yet."""

    kind: ClassVar[str] = "not-published"

    games: int
    needed: int
    floor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlisted(Step):
    """FIDE: a rating below the floor leaves the list."""

    kind: ClassVar[str] = "unlisted"

    floor: float


# DWZ


@dataclass(frozen=True, slots=True, kw_only=True)
class DevelopmentCoefficient(Step):
    """DWZ: how far a rating moves, by rating, age and the number of rated events."""

    kind: ClassVar[str] = "development-coefficient"
    main: ClassVar[str] = "result"

    base: Number  # J
    acceleration: Number  # fB
    brake: Number  # SBr
    result: Number  # E


# The USCF of 1994 and 1996


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignStart(Step):
    """A FIDE or CFC rating converted for a player without a USCF rating."""

    kind: ClassVar[str] = "foreign-start"
    main: ClassVar[str] = "rating"

    source: str  # "FIDE" or "CFC"
    rating: Number
    games: int | None  # None: it only stands in for the opponents


@dataclass(frozen=True, slots=True, kw_only=True)
class StandInStart(Step):
    """An age-based rating that only opponents meet."""

    kind: ClassVar[str] = "stand-in-start"
    main: ClassVar[str] = "rating"

    rating: Number
    convertible: bool  # whether the system converts foreign ratings


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPerformanceRating(Step):
    """1996 §4.2: an unrated player's rating from all games so far."""

    kind: ClassVar[str] = "event-performance"
    main: ClassVar[str] = "result"

    method: str
    remark: str
    games: int
    saved: int
    score: float
    result: Number
    one_sided: bool  # only wins or only losses: nominal, and the games are saved
    too_few: bool  # fewer than four games: saved and rated with the next event


@dataclass(frozen=True, slots=True, kw_only=True)
class K1996(Step):
    """1996 §4: the K factor."""

    kind: ClassVar[str] = "k-1996"
    main: ClassVar[str] = "k"

    rating: Number
    games: int | None  # None: established
    played: int
    adjusted_games: Number | None
    weight: float
    k: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class StandardUpdate(Step):
    """R + K (S − E)."""

    kind: ClassVar[str] = "standard-update"
    main: ClassVar[str] = "result"

    before: Number
    k: Number
    score: float
    expected: Number
    result: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisionalAverage(Step):
    """The average of all opponents, 400 up for a win and down for a loss."""

    kind: ClassVar[str] = "provisional-average"
    main: ClassVar[str] = "result"

    before: int  # games
    played: int
    span: float
    result: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class PeakFloor(Step):
    """1996: the floor below the highest rating."""

    kind: ClassVar[str] = "peak-floor"
    main: ClassVar[str] = "result"

    peak: Number | None
    floor: Number
    before: Number
    result: Number
    holds: bool


# The AGA


class PriorSource(enum.StrEnum):
    """Where a go player's strength before the event comes from."""

    RECORD = "record"
    START = "start"
    RANK = "rank"
    CERTIFIED = "certified"
    PROMOTED = "promoted"
    RESEEDED = "reseeded"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoEstimate:
    """One estimate of a go player's strength before the event."""

    source: PriorSource
    rating: Number
    sigma: Number
    rank: str = ""  # as entered
    by: str = ""  # who certified it
    record: Number | None = None  # the rating on record
    record_sigma: Number | None = None
    days: int | None = None  # since the record
    promotion: Number | None = None  # ranks above the record


@dataclass(frozen=True, slots=True, kw_only=True)
class GoStart(Step):
    """What is known of a go player before the event."""

    kind: ClassVar[str] = "go-start"
    main: ClassVar[str] = "rating"

    rating: Number
    sigma: Number
    estimates: tuple[GoEstimate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSigma(Step):
    """The uncertainty after the event."""

    kind: ClassVar[str] = "new-sigma"
    main: ClassVar[str] = "result"

    before: Number
    result: Number
    method: str  # empty: it depends on the times rated only
