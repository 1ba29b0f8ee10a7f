"""Elo through a whole history at array speed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crosstable.replay.periods import Floats, Integers, Periods, filled, loop, no_predictions, zeros
from crosstable.systems.elo import SYSTEM, Elo, schedule

Records = NDArray[np.void]

#: A player beside what the running period brought: together in memory, because they are read together
STATE = np.dtype([("rating", "f8"), ("surplus", "f8"), ("games", "i8"), ("played", "i4"), ("period", "i4")])


@dataclass(frozen=True)
class EloRatings:
    rating: Floats
    games: Integers
    predictions: Floats  # White's expected score of every game, if asked for


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
    states = np.zeros(history.players, dtype=STATE)
    states["rating"] = filled(rating, history.players, float(rules["start"]["rating"]))
    states["period"] = -1
    if games is not None:
        states["games"] = games
    games_below, rating_below, k = (np.array(column) for column in schedule(rules))
    if system.k is not None:
        games_below, rating_below, k = np.array([np.inf]), np.array([np.inf]), np.array([system.k])
    scale = float(rules["curve"]["scale"]) if system.scale is None else system.scale
    normal = (system.curve or rules["curve"]["form"]) == "normal"
    predictions = zeros(history.games) if predict else no_predictions()
    loop("elo", fast).run(
        history.white,
        history.black,
        history.score,
        history.first,
        states,
        games_below,
        rating_below,
        k,
        scale,
        normal,
        predictions,
    )
    return EloRatings(states["rating"].copy(), states["games"].copy(), predictions)
