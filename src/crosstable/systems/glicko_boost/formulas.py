"""What Glicko-Boost adds to Glicko's formulas. Symbols of the paper: eta, Z, k, B1, B2, alpha 0 to 4."""

from __future__ import annotations

import math
from collections.abc import Sequence

from crosstable.systems.formula import formula


@formula
def surprise_size(surprise: float, variance: float) -> float:
    """Z: how many standard deviations a result lies above what was expected."""
    return surprise / math.sqrt(variance)


@formula
def boosted(deviation: float, z: float, threshold: float, factor: float, points: float) -> float:
    """(1 + (Z - k) B1) RD + B2 after an exceptional result, else RD."""
    if z <= threshold:
        return deviation
    return (1.0 + (z - threshold) * factor) * deviation + points


@formula
def grown(deviation: float, rating: float, alpha: Sequence[float], periods: float, most: float) -> float:
    """RD after a time: RD^2 + exp(a0 + a1 RD + a2 RD R + a3 R + a4 R^2) a period, R in thousands."""
    thousands = rating / 1000.0
    power = (
        alpha[0]
        + alpha[1] * deviation
        + alpha[2] * deviation * thousands
        + alpha[3] * thousands
        + alpha[4] * thousands * thousands
    )
    return min(math.sqrt(deviation * deviation + periods * math.exp(power)), most)
