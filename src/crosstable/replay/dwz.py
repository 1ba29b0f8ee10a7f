"""DWZ through a whole history at array speed, with a rating for every player; no birth dates: all are adults."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.periods import (
    NEWCOMERS,
    Opening,
    Periods,
    Predict,
    filled,
    loop,
    room_for_predictions,
    seats_for,
)
from crosstable.rulebook import Rules
from crosstable.systems.dwz import SYSTEM, Dwz


class DwzRatings(NamedTuple):
    rating: Floats
    events: Integers  # rated so far: the index
    predictions: Floats  # White's expected score of every game, if asked for


class DwzNumbers(NamedTuple):
    scale: float
    points: float
    age_points: float
    least: float
    most: float
    per_event: float
    full: float
    least_share: float
    brake_below: float
    brake_scale: float
    most_braked: float


def numbers_of(rules: Rules) -> DwzNumbers:
    """Return what the loop reads."""
    development, faster, slower = rules["development"], rules["acceleration"], rules["brake"]
    values = [rules["expected"]["scale"], rules["change"]["points"], development["adult"], development["least"]]
    values += [development["most"], development["per_event"], faster["full"], faster["least"]]
    values += [slower["below"], slower["scale"], slower["most"]]
    return DwzNumbers(*map(float, values))


def expectations(white: Integers, black: Integers, rating: Floats, system: Dwz = SYSTEM) -> Floats:
    """Return White's expected score of games to come."""
    predictions = np.zeros(len(white))
    loop("dwz").expect(white, black, rating, float(system.latest["expected"]["scale"]), predictions)
    return predictions


def replay(
    history: Periods, system: Dwz = SYSTEM, opening: Opening = NEWCOMERS, *, predict: Predict = False, fast: bool = True
) -> DwzRatings:
    """Return the ratings after the last tournament, all of it with the newest rules.

    A player who brings no rating begins with the rulebook's stand-in, and an index of 0.
    """
    rules, seats = system.latest, seats_for(history)
    rating = filled(opening.rating, history.players, float(rules["start"]["rating"]))
    events = np.zeros(history.players, dtype=np.int64)
    ratings = DwzRatings(rating, events, room_for_predictions(history, predict))
    loop("dwz", fast).run(history, ratings, numbers_of(rules), seats, seats.rows(1))
    return ratings
