"""What the methods share that fit a whole history at once: when they are fitted again, so that no game predicts
itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.periods import Periods

#: Without dates the ratings are fitted again when the games have grown by this share
GROWTH = 0.02


def blocks(history: Periods, days: float) -> Iterator[tuple[int, int]]:
    """Yield the games (first, end) of each block of periods that are predicted from one fit to the games before
    `first`.

    A block spans less than `days` days. Where all games are of one day, it ends when the games have grown by GROWTH.
    """
    first, day = history.first, history.day
    dated = len(day) > 0 and day[0] != day[-1]
    start, last = 0, len(first) - 1
    for period in range(1, last + 1):
        enough = (
            day[min(period, last - 1)] - day[start] >= days if dated else first[period] >= first[start] * (1 + GROWTH)
        )
        if enough or period == last:
            yield int(first[start]), int(first[period])
            start = period


def games_of_players(history: Periods) -> Integers:
    """Return how many games each player has."""
    return np.bincount(np.concatenate([history.white, history.black]), minlength=history.players)


def logistic(difference: Floats) -> Floats:
    """Return 1/(1 + e^(-x))."""
    return np.asarray(1.0 / (1.0 + np.exp(-difference)))
