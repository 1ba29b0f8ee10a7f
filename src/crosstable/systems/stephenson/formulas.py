"""What Stephenson's system adds to Glicko's formulas. Symbols of its appendix: h, b, lambda, gamma."""

from __future__ import annotations

import math

from crosstable.systems.formula import formula


@formula
def widened(deviation: float, h: float, games: float) -> float:
    """sqrt(v + h m): every game of the period adds to the uncertainty before it."""
    return math.sqrt(deviation * deviation + h * h * games)


@formula
def pull(rating: float, opponents_mean: float, share: float) -> float:
    """lambda (mean of the opponents - r): the company that a player keeps says something too."""
    return share * (opponents_mean - rating)
