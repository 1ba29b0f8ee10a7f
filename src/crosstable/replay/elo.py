"""Elo through a whole history at array speed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.periods import NEWCOMERS, Opening, Periods, Predict, filled, loop, room_for_predictions
from crosstable.systems.elo import SYSTEM, Elo, schedule


class EloRatings(NamedTuple):
    rating: Floats
    games: Integers
    predictions: Floats  # White's expected score of every game, if asked for


def expectations(white: Integers, black: Integers, rating: Floats, system: Elo = SYSTEM) -> Floats:
    """White's expected score of games to come."""
    predictions = np.zeros(len(white))
    loop("elo").expect(white, black, rating, *_curve(system), predictions)
    return predictions


def _curve(system: Elo) -> tuple[float, bool]:
    rules = system.latest
    scale = float(rules["curve"]["scale"]) if system.scale is None else float(system.scale)
    return scale, (system.curve or rules["curve"]["form"]) == "normal"


def begin(history: Periods, start: float, opening: Opening, predict: Predict) -> EloRatings:
    """Return every player before the first game: as given, or as a newcomer."""
    rating = filled(opening.rating, history.players, start)
    return EloRatings(rating, np.zeros(history.players, dtype=np.int64), room_for_predictions(history, predict))


def replay(
    history: Periods,
    system: Elo = SYSTEM,
    opening: Opening = NEWCOMERS,
    *,
    after: EloRatings | None = None,
    predict: Predict = False,
    fast: bool = True,
) -> EloRatings:
    """Replay with the newest rules; return the ratings after the last period.

    `after`: go on from these, changed in place.
    """
    rules = system.latest
    if after is None:
        ratings = begin(history, float(rules["start"]["rating"]), opening, predict)
    else:
        ratings = after._replace(predictions=room_for_predictions(history, predict))
    games_below, rating_below, k = (np.array(column) for column in schedule(rules))
    if system.k is not None:
        games_below, rating_below, k = np.array([np.inf]), np.array([np.inf]), np.array([float(system.k)])
    room = np.zeros((2, history.longest))
    loop("elo", fast).run(history, ratings, games_below, rating_below, k, *_curve(system), room)
    return ratings
