"""The kinds of steps of a US Chess derivation."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from crosstable.model.derivation import Step
from crosstable.model.values import Number

# Where a player starts


@dataclass(frozen=True, slots=True, kw_only=True)
class AgeStart(Step):
    """A first rating by age, or by what is known instead of an age."""

    kind: ClassVar[str] = "age-start"
    main: ClassVar[str] = "rating"

    pool: str
    rating: Number
    games: int
    age: Number | None  # None: no birth date that counts
    on: date
    adult: bool
    implausible: bool = False  # an age that must be a mistake counts as no birth date (readings 38)


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenStart(Step):
    """The public form of a first rating by age: the start is hidden for children and adults alike (readings 46)."""

    kind: ClassVar[str] = "hidden-start"

    pool: str
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BlendSource:
    """One of the ratings that a first rating is made from."""

    pool: str
    rating: Number
    converted: Number  # on the scale of US Chess
    dated: date
    factor: Number  # what its games count before they age
    weight: Number  # and after


@dataclass(frozen=True, slots=True, kw_only=True)
class Blend(Step):
    """A first rating made from the player's other ratings."""

    kind: ClassVar[str] = "blend"
    main: ClassVar[str] = "rating"

    pool: str
    rating: Number
    games: int
    sources: tuple[BlendSource, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenOver(Step):
    """A first rating taken from one other rating: another pool's, FIDE's, CFC's, or one that the office converted."""

    kind: ClassVar[str] = "taken-over"
    main: ClassVar[str] = "rating"

    pool: str
    rating: Number
    games: int
    source: str  # a pool, "FIDE", "CFC", or "foreign" for a conversion by the office
    original: Number | None = None  # a FIDE or CFC rating before its conversion


# The five steps


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveGames(Step):
    """How many games the prior rating counts as."""

    kind: ClassVar[str] = "effective-games"
    main: ClassVar[str] = "result"

    rating: Number
    games: int
    cap: Number
    constant: Number
    slope: Number
    centre: Number
    limit: Number
    result: Number
    above_limit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstEstimate(Step):
    """An unrated player's strength for the opponents' first pass."""

    kind: ClassVar[str] = "first-estimate"
    main: ClassVar[str] = "result"

    result: Number


class FormulaReason(enum.StrEnum):
    """Why a formula applies."""

    FIDE_EVENT = "fide-event"
    ESTABLISHED_RECORD = "established-record"
    FEW_GAMES = "few-games"
    ALL_WINS = "all-wins"
    ALL_LOSSES = "all-losses"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaChoice(Step):
    """The standard or the special formula."""

    kind: ClassVar[str] = "formula"

    formula: str  # "standard" or "special"
    reason: FormulaReason
    games: int
    limit: int  # the most games for the special formula
    credited: int = 0  # of the games, those credited from other ratings


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFact:
    """One game of a pass: the opponent, the opponent's strength in this pass, what was scored and expected."""

    round: int
    opponent: int  # pairing number
    rating: Number
    score: float
    expected: Number | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Step):
    """Step 4 or 5: the rating from the games, by the standard or the special formula."""

    kind: ClassVar[str] = "pass"
    main: ClassVar[str] = "result"

    step: int
    formula: str
    prior: Number
    games: tuple[GameFact, ...]
    score: float
    result: Number
    # the standard formula
    expected: Number | None = None
    k: Number | None = None
    gain: Number | None = None
    bonus: Number | None = None
    floor: Number | None = None  # the absolute floor, where it stopped the fall
    # the special formula
    start: Number | None = None  # the prior that is weighed in
    effective: Number | None = None
    adjusted_score: Number | None = None  # S'
    expected_at_result: Number | None = None
    span: Number | None = None
    nearest: bool = False  # no opponent within the span: of many ratings the one nearest to the prior


class BonusReason(enum.StrEnum):
    """Why there is a bonus, or none."""

    EARNED = "earned"
    MATCH = "match"
    TOO_FEW_GAMES = "too-few-games"
    OPPONENT_MET_TOO_OFTEN = "opponent-met-too-often"
    LOSS = "loss"
    BELOW_THRESHOLD = "below-threshold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus(Step):
    """What an exceptional gain earns on top."""

    kind: ClassVar[str] = "bonus"
    main: ClassVar[str] = "bonus"

    reason: BonusReason
    bonus: Number
    games: int
    gain: Number | None = None
    multiplier: Number | None = None
    counted_games: Number | None = None
    threshold: Number | None = None


# After the five steps


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLimits(Step):
    """What a match may change."""

    kind: ClassVar[str] = "match-limits"
    main: ClassVar[str] = "result"

    before: Number
    unlimited: Number
    result: Number
    limit: float
    days: int
    limit_in_days: float
    years: int
    limit_in_years: float
    practice: str = ""  # how players on the special formula were treated, as the rulebook's profile says


class FloorReason(enum.StrEnum):
    """What gives a floor."""

    PERSONAL = "personal_floor"
    EARNED = "earned_floor"
    PRIZE = "prize_floor"
    LIFE_MASTER = "life_master"
    LOWERED = "matches"


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorCandidate:
    """A floor that the player has."""

    reason: FloorReason
    floor: Number
    peak: Number | None = None  # of an earned floor


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalFloor:
    """The sum behind the personal absolute floor, this event included."""

    base: float
    wins: int
    per_win: float
    draws: int
    per_draw: float
    events: int
    per_event: float
    cap: float
    whole_history: bool  # whether all earlier wins and draws are on record

    @property
    def total(self) -> float:
        """The sum before its cap."""
        parts = ((self.wins, self.per_win), (self.draws, self.per_draw), (self.events, self.per_event))
        return self.base + sum(count * worth for count, worth in parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor(Step):
    """The rating cannot fall below the highest of the player's floors."""

    kind: ClassVar[str] = "floor"
    main: ClassVar[str] = "floor"

    floor: Number
    before: Number  # the rating before the floor applies
    binding: FloorReason
    holds: bool  # whether it stopped the fall
    candidates: tuple[FloorCandidate, ...]
    personal: PersonalFloor | None = None  # where it is the binding one and differs between players
    requested: Number | None = None  # the lower floor that a match result asks for


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling(Step):
    """The rating cannot rise above the player's ceiling."""

    kind: ClassVar[str] = "ceiling"
    main: ClassVar[str] = "ceiling"

    ceiling: Number
