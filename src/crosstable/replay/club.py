"""A club's ratings through a whole history at array speed, game by game."""

from __future__ import annotations

import math

import numpy as np

from crosstable.errors import RulebookError
from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.elo import EloRatings, begin
from crosstable.replay.periods import NEWCOMERS, Opening, Periods, Predict, loop, room_for_predictions
from crosstable.systems.st_charles import SYSTEM, StCharles
from crosstable.systems.st_charles.system import numbers


def expectations(white: Integers, black: Integers, rating: Floats, system: StCharles = SYSTEM) -> Floats:
    """White's expected score of games to come."""
    rule, predictions = system.latest["formula"], np.zeros(len(white))
    loop("club").expect(white, black, rating, float(rule["divisor"]), float(rule["at_risk"]), predictions)
    return predictions


def replay(
    history: Periods,
    system: StCharles = SYSTEM,
    opening: Opening = NEWCOMERS,
    *,
    after: EloRatings | None = None,
    predict: Predict = False,
    fast: bool = True,
) -> EloRatings:
    """Replay the games; the periods do not count here, only the order of the games.

    Return the ratings after the last game.

    `after`: go on from these, changed in place.
    """
    rules = system.latest
    start = float(rules["start"]["rating"]) if "start" in rules else math.nan
    if after is None:
        ratings = begin(history, start, opening, predict)
    else:
        ratings = after._replace(predictions=room_for_predictions(history, predict))
    if np.isnan(ratings.rating).any():
        raise RulebookError(f"{system.title} has no starting rating: say what the players begin with")
    loop("club", fast).run(history, ratings, *numbers(rules))
    return ratings
