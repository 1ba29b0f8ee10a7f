"""Elo over a history of periods: a period's changes are all reckoned before any of them counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from crosstable.systems.elo.formulas import expected, k_factor
from crosstable.systems.formula import formula

if TYPE_CHECKING:
    from crosstable.replay.arrays import Floats, Integers
    from crosstable.replay.elo import EloRatings
    from crosstable.replay.periods import Periods


@formula
def run(
    history: Periods,
    ratings: EloRatings,
    games_below: Sequence[float],
    rating_below: Sequence[float],
    k: Sequence[float],
    scale: float,
    normal: bool,
    room: Any,
) -> None:
    """`room`: two rows as long as the longest period, to work in."""
    white, black, score, first = history.white, history.black, history.score, history.first
    rating, games, predictions = ratings.rating, ratings.games, ratings.predictions
    whites_gain, blacks_loss = room[0], room[1]
    one_k = len(k) == 1 and games_below[0] == math.inf and rating_below[0] == math.inf
    predict = len(predictions) > 0
    for period in range(len(first) - 1):
        start, end = first[period], first[period + 1]
        for game in range(start, end):
            w, b = white[game], black[game]
            chance = expected(rating[w] - rating[b], scale, normal)
            if predict:
                predictions[game] = chance
            surprise = score[game] - chance
            if one_k:  # the usual case, and three times quicker without the call
                whites_gain[game - start] = k[0] * surprise
                blacks_loss[game - start] = k[0] * surprise
            else:
                whites_gain[game - start] = surprise * k_factor(rating[w], games[w], games_below, rating_below, k)
                blacks_loss[game - start] = surprise * k_factor(rating[b], games[b], games_below, rating_below, k)
        for game in range(start, end):
            w, b = white[game], black[game]
            rating[w] += whites_gain[game - start]
            rating[b] -= blacks_loss[game - start]
            games[w] += 1
            games[b] += 1


@formula
def expect(white: Integers, black: Integers, rating: Floats, scale: float, normal: bool, predictions: Floats) -> None:
    """Return White's expected score of games to come; no rating changes."""
    for game in range(len(predictions)):
        predictions[game] = expected(rating[white[game]] - rating[black[game]], scale, normal)
