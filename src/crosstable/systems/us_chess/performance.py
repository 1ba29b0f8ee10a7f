"""A performance rating for crosstables. It is not official: no document of US Chess has one."""

from __future__ import annotations

import math
from collections.abc import Sequence

from crosstable.systems.us_chess.coefficients import Coefficients
from crosstable.systems.us_chess.formulas import expected_score


def performance(rules: Coefficients, opponents: Sequence[float], score: float) -> float:
    """Return the rating at which the standard expectancy against these opponents is the score.

    No rating expects to win or to lose everything: then it is the opponents' mean, 400 points up or down.
    """
    games = len(opponents)
    if not games:
        return math.nan
    if score in (0, games):
        return math.fsum(opponents) / games + (rules.special_span if score else -rules.special_span)
    # against equal opponents the rating would stand so far above them; it lies between the weakest and the strongest,
    # so moved
    apart = math.log(score / (games - score)) / rules.expectancy_rate
    low, high = min(opponents) + apart, max(opponents) + apart
    while high - low > 1e-9:
        middle = (low + high) / 2
        if expected_score(rules, middle, opponents, 0, games) < score:
            low = middle
        else:
            high = middle
    return (low + high) / 2
