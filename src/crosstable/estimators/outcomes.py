"""Win, draw and loss from an expected score: Davidson's model of ties (R. R. Davidson, JASA 65, 1970, 317-328).

With strengths a and b, a win, a draw and a loss are as a to ν√(ab) to b. The expected score gives a/b, and ν says how
often equal players draw: with probability ν / (2 + ν).
"""

from __future__ import annotations

import numpy as np

from crosstable.replay.arrays import Floats

#: An expected score is kept this far from 0 and 1, where a/b would be infinite
NEAREST = 1e-9
#: With this ν, 999 of 1,000 games of equal players are drawn
MOST = 1998.0
HALVINGS = 60


def outcomes(expected: Floats, rate: float) -> Floats:
    """Return (games, 3): the chances of a win, a draw and a loss whose expected score this is."""
    score = np.clip(np.asarray(expected, dtype=np.float64), NEAREST, 1.0 - NEAREST)
    ahead = score - 0.5
    # with x = √(a/b): score = (x + ν/2) / (x + 1/x + ν), a quadratic equation in x
    x = (rate * ahead + np.sqrt((rate * ahead) ** 2 + 4.0 * score * (1.0 - score))) / (2.0 * (1.0 - score))
    whole = x + 1.0 / x + rate
    return np.stack([x / whole, np.full_like(x, rate) / whole, 1.0 / x / whole], axis=1)


def draw_rate(expected: Floats, score: Floats) -> float:
    """Return the ν with which as many draws were to be expected as there were.

    More draws with a larger ν: bisection.
    """
    draws = int((score == 0.5).sum())
    low, high = 0.0, MOST
    if draws == 0:
        return low
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        if outcomes(expected, middle)[:, 1].sum() < draws:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0
