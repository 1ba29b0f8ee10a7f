"""A club's games, one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crosstable.systems.formula import formula
from crosstable.systems.st_charles.formulas import adjustment, expected, points

if TYPE_CHECKING:
    from crosstable.replay.arrays import Floats, Integers
    from crosstable.replay.elo import EloRatings
    from crosstable.replay.periods import Periods


@formula
def run(
    history: Periods,
    ratings: EloRatings,
    at_risk: float,
    divisor: float,
    rounding: int,
    equal_within: float,
    largest_difference: float,
    least: float,
    most: float,
    floor: float,
) -> None:
    white, black, score, rating = history.white, history.black, history.score, ratings.rating
    for game in range(len(score)):
        w, b = white[game], black[game]
        if len(ratings.predictions) > 0:
            ratings.predictions[game] = expected(rating[w], rating[b], divisor, at_risk)
        adjusted = adjustment(rating[w], rating[b], divisor, rounding, equal_within, largest_difference)
        change = points(adjusted, score[game], at_risk, least, most)
        rating[w] = max(rating[w] + change, floor)
        rating[b] = max(rating[b] - change, floor)
        ratings.games[w] += 1
        ratings.games[b] += 1


@formula
def expect(
    white: Integers, black: Integers, rating: Floats, divisor: float, at_risk: float, predictions: Floats
) -> None:
    """Return White's expected score of games to come; no rating changes."""
    for game in range(len(predictions)):
        predictions[game] = expected(rating[white[game]], rating[black[game]], divisor, at_risk)
