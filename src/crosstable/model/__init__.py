"""The records that everything else speaks in. Frozen, without behaviour beyond small derived facts."""

from crosstable.model.answer import Answer, Rated
from crosstable.model.derivation import Step
from crosstable.model.event import (
    FORMAT,
    KINDS,
    MODES,
    PLAYED_RESULTS,
    UNPLAYED_RESULTS,
    WEIGHTS,
    Event,
    ForeignRating,
    Game,
    MatchChange,
    Player,
    Rating,
    Section,
)
from crosstable.model.finding import Finding, Fix, Input, Level, Place, errors

__all__ = [
    "FORMAT",
    "KINDS",
    "MODES",
    "PLAYED_RESULTS",
    "UNPLAYED_RESULTS",
    "WEIGHTS",
    "Answer",
    "Event",
    "Finding",
    "Fix",
    "ForeignRating",
    "Game",
    "Input",
    "Level",
    "MatchChange",
    "Place",
    "Player",
    "Rated",
    "Rating",
    "Section",
    "Step",
    "errors",
]
