"""Whatever predicts games, by name: baselines, our rating systems, and what the lab has found."""

from __future__ import annotations

from importlib import import_module

from crosstable.errors import CrosstableError, UnknownSystem
from crosstable.lab.predictors.base import Predictor, Settings, TunedParameter, checked_predictions
from crosstable.rulebook import rulebook

BASELINES = ("constant", "white", "published")
FOUND = ("tempered", "live", "informed")
#: Methods that fit a whole history: no systems, because they rate no single event
WHOLE = ("bradley_terry", "whole_history", "elo_mmr", "chessmetrics")
#: Systems that predict at array speed: the module of the predictor, which bears the system's name. The others rate
#: event by event.
REPLAYED = {
    "us_chess": "us_chess",
    **dict.fromkeys(("dwz", "fide"), "federations"),
    **dict.fromkeys(("elo", "glicko", "glicko2", "stephenson", "glicko_boost", "st_charles"), "systems"),
    **dict.fromkeys(("trueskill", "weng_lin"), "skill"),
    **dict.fromkeys(WHOLE, "whole_history"),
}


def names() -> tuple[str, ...]:
    from crosstable.systems import names as systems

    return (*BASELINES, *FOUND, *systems(), *WHOLE)


def fast_names(ratings: bool = True) -> tuple[str, ...]:
    """Return the predictors that take millions of games; without `ratings` those that need no published ones."""
    found = (*BASELINES, *FOUND, *(name for name in REPLAYED if name not in WHOLE))
    return tuple(name for name in found if ratings or not predictor(name).needs_ratings)


def predictor(name: str) -> Predictor:
    """Return the predictor of that name; each is imported only when asked for."""
    if name in BASELINES:
        from crosstable.lab.predictors import baselines

        found = {one.name: one for one in (baselines.CONSTANT, baselines.WHITE, baselines.PUBLISHED)}
        return found[name]
    if name in FOUND:
        module = "informed" if name == "informed" else "live"
        own: Predictor = getattr(import_module(f"crosstable.lab.predictors.{module}"), name.upper())
        return own
    if name in REPLAYED:
        replayed: Predictor = getattr(import_module(f"crosstable.lab.predictors.{REPLAYED[name]}"), name.upper())
        return replayed
    from crosstable.lab.predictors.by_event import event_predictor

    try:
        return event_predictor(name)
    except UnknownSystem:
        known = ", ".join(names())
        raise CrosstableError(f"no predictor is called '{name}': there are {known}") from None


def in_words(system: str, parameter: TunedParameter) -> str:
    """Say what a parameter is: in its own words, or as the rulebook has it."""
    rule, _, field = parameter.name.partition(".")
    if parameter.words or not field:
        return parameter.words
    found = rulebook(system).rules[rule]
    return f'{field} in the rule "{found.title}", which says: {found.words(found.written[-1])}'


__all__ = [
    "BASELINES",
    "Predictor",
    "Settings",
    "TunedParameter",
    "checked_predictions",
    "fast_names",
    "in_words",
    "names",
    "predictor",
]
