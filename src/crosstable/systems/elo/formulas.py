"""Elo, as pure functions of plain numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from crosstable.systems.formula import formula

LN10 = math.log(10.0)
SQRT2 = math.sqrt(2.0)


@formula
def expected(difference: float, scale: float, normal: bool) -> float:
    """We of a rating difference: Phi(D/scale) or 1/(1 + 10^(-D/scale))."""
    if normal:
        return 0.5 * math.erfc(-difference / (scale * SQRT2))
    return 1.0 / (1.0 + math.exp(-difference * LN10 / scale))


@formula
def k_factor(
    rating: float, games: float, games_below: Sequence[float], rating_below: Sequence[float], k: Sequence[float]
) -> float:
    """Return the K of the first line whose limits lie above the player's games and rating; 0 if none fits."""
    for line in range(len(k)):
        if games < games_below[line] and rating < rating_below[line]:
            return k[line]
    return 0.0
