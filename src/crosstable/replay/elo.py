"""Elo through a whole history at array speed."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from crosstable.replay.periods import (
    Floats,
    Integers,
    Periods,
    Predict,
    counts,
    filled,
    loop,
    room_for_predictions,
    zeros,
)
from crosstable.systems.elo import SYSTEM, Elo, schedule


class EloRatings(NamedTuple):
    rating: Floats
    games: Integers
    predictions: Floats  # White's expected score of every game, if asked for


def expectations(
    white: Integers, black: Integers, rating: Floats, system: Elo = SYSTEM, on: date = date.max, *, fast: bool = True
) -> Floats:
    """White's expected score of games to come."""
    predictions = zeros(len(white))
    loop("elo", fast).expect(white, black, rating, *_curve(system, on), predictions)
    return predictions


def _curve(system: Elo, on: date) -> tuple[float, bool]:
    rules = system.rules(on)
    scale = float(rules["curve"]["scale"]) if system.scale is None else float(system.scale)
    return scale, (system.curve or rules["curve"]["form"]) == "normal"


def begin(
    history: Periods, start: float, rating: ArrayLike | None, games: ArrayLike | None, predict: Predict
) -> EloRatings:
    """Everybody before the first game: as given, or as a newcomer."""
    played = counts(history.players) if games is None else np.array(games, dtype=np.int64)
    return EloRatings(filled(rating, history.players, start), played, room_for_predictions(history, predict))


def replay(
    history: Periods,
    system: Elo = SYSTEM,
    on: date = date.max,
    rating: ArrayLike | None = None,
    games: ArrayLike | None = None,
    *,
    predict: Predict = False,
    fast: bool = True,
) -> EloRatings:
    """The ratings after the last period, with the rules of one day. `rating`: to begin with (not a number: newcomer)."""
    rules = system.rules(on)
    ratings = begin(history, float(rules["start"]["rating"]), rating, games, predict)
    games_below, rating_below, k = (np.array(column) for column in schedule(rules))
    if system.k is not None:
        games_below, rating_below, k = np.array([np.inf]), np.array([np.inf]), np.array([float(system.k)])
    room = np.zeros((2, history.longest))
    loop("elo", fast).run(history, ratings, games_below, rating_below, k, *_curve(system, on), room)
    return ratings
