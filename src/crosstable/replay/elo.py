"""Elo through a whole history at array speed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import ArrayLike

from crosstable.replay.periods import Floats, Integers, Periods, counts, filled, loop, no_predictions, zeros
from crosstable.systems.elo import SYSTEM, Elo, schedule


@dataclass(frozen=True)
class EloRatings:
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


def replay(
    history: Periods,
    system: Elo = SYSTEM,
    on: date = date.max,
    rating: ArrayLike | None = None,
    games: ArrayLike | None = None,
    *,
    predict: bool = False,
    fast: bool = True,
) -> EloRatings:
    """The ratings after the last period, with the rules of one day. `rating`: to begin with (not a number: newcomer)."""
    rules = system.rules(on)
    ratings = filled(rating, history.players, float(rules["start"]["rating"]))
    played = counts(history.players) if games is None else np.array(games, dtype=np.int64)
    games_below, rating_below, k = (np.array(column) for column in schedule(rules))
    if system.k is not None:
        games_below, rating_below, k = np.array([np.inf]), np.array([np.inf]), np.array([float(system.k)])
    predictions = zeros(history.games) if predict else no_predictions()
    loop("elo", fast).run(
        history.white,
        history.black,
        history.score,
        history.first,
        ratings,
        played,
        games_below,
        rating_below,
        k,
        *_curve(system, on),
        zeros(history.longest),
        zeros(history.longest),
        predictions,
    )
    return EloRatings(ratings, played, predictions)
