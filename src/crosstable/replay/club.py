"""A club's ratings through a whole history at array speed, game by game."""

from __future__ import annotations

import math
from datetime import date

import numpy as np
from numpy.typing import ArrayLike

from crosstable.errors import RulebookError
from crosstable.replay.elo import EloRatings, begin
from crosstable.replay.periods import Floats, Integers, Periods, Predict, loop, zeros
from crosstable.systems.st_charles import SYSTEM, StCharles
from crosstable.systems.st_charles.system import numbers


def expectations(
    white: Integers,
    black: Integers,
    rating: Floats,
    system: StCharles = SYSTEM,
    on: date = date.max,
    *,
    fast: bool = True,
) -> Floats:
    """White's expected score of games to come."""
    rule, predictions = system.rules(on)["formula"], zeros(len(white))
    loop("club", fast).expect(white, black, rating, float(rule["divisor"]), float(rule["at_risk"]), predictions)
    return predictions


def replay(
    history: Periods,
    system: StCharles = SYSTEM,
    on: date = date.max,
    rating: ArrayLike | None = None,
    games: ArrayLike | None = None,
    *,
    predict: Predict = False,
    fast: bool = True,
) -> EloRatings:
    """The ratings after the last game; the periods do not count here, only the order of the games."""
    rules = system.rules(on)
    start = float(rules["start"]["rating"]) if "start" in rules else math.nan
    ratings = begin(history, start, rating, games, predict)
    if np.isnan(ratings.rating).any():
        raise RulebookError(f"{system.title} has no starting rating: say what the players begin with")
    loop("club", fast).run(history, ratings, *numbers(rules))
    return ratings
