"""The first rating of an unrated player (4.2).

The report names the "event performance rating" (EPR) of the 1994 report. No copy of that report has been found, so what
stands here is a STAND-IN, named as such in every explanation, and replaceable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from crosstable.model import Player, Rating
from crosstable.rulebook import Value
from crosstable.systems.us_chess.formulas import MIXED, special_rating

if TYPE_CHECKING:
    from crosstable.systems.us_chess.coefficients import Coefficients


@dataclass(frozen=True, slots=True)
class EventPerformance:
    """A way to a first rating: its name, what to tell the reader, and the function.

    The function takes the rule `first_rating`, the opponents' ratings, the score, and the rating that decides what the
    games leave open (the age rating).
    """

    name: str
    remark: str
    rate: Callable[[Value, Sequence[float], float, float], float]


def special_without_prior(rule: Value, opponents: Sequence[float], score: float, age_rating: float) -> float:
    """STAND-IN for the EPR of 1994: the special formula of US Chess with N' = 0, tie-broken by the age rating."""
    numbers = SimpleNamespace(  # what the special formula asks of the rulebook, with its 2025 starting point
        special_span=rule["span"],
        special_epsilon=rule["tolerance"],
        special_cap=rule["cap"],
        special_pooled_start=False,
    )
    ratings = list(opponents)
    return special_rating(cast("Coefficients", numbers), age_rating, 0.0, MIXED, score, ratings, 0, len(ratings))


STAND_IN = EventPerformance(
    "special formula with N' = 0",
    "a stand-in: the event performance rating of the 1994 report has not been found",
    special_without_prior,
)


def age_rating(rule: Value, player: Player, day: date) -> float:
    """Return the age-based rating: a stand-in too (300 + 50 x age up to 1300); the table of 1994 has not been found."""
    if player.birth_date is not None:
        age = (day - player.birth_date).days / rule["days_per_year"]
        if age >= rule["plausible_from"]:
            return float(min(rule["base"] + rule["per_year"] * age, rule["adult"]))
    return float(rule["adult"] if player.adult else rule["unknown"])


def one_sided(scores: Sequence[float]) -> bool:
    """Nothing but wins, or nothing but losses."""
    return bool(scores) and (all(score == 1 for score in scores) or all(score == 0 for score in scores))


def saved_games(state: Rating | None, span: float) -> tuple[tuple[float, float], ...]:
    """(opponent's rating, score) of the games so far, for a player still in the unrated procedure.

    Where a record brings no saved games, games that give exactly its rating stand for them: so many wins against
    R - 400, losses against R + 400, or draws against R.
    """
    if state is None or state.pending:
        return () if state is None else state.pending
    games = state.games or 0
    if state.wins and not state.draws and not state.losses:
        return ((state.rating - span, 1.0),) * games
    if state.losses and not state.draws and not state.wins:
        return ((state.rating + span, 0.0),) * games
    return ((state.rating, 0.5),) * games
