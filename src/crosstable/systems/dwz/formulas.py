"""DWZ, as pure functions of plain numbers. Symbols of the regulations: Z (rating), E, E0, J, fB, SBr, W, We, n, i."""

from __future__ import annotations

import math

from crosstable.systems.formula import formula


@formula
def acceleration(rating: float, young: bool, ahead: float, full: float, least: float) -> float:
    """fB: a young player who scored at least the expectation moves faster; Z/2000, from 0.5 to 1."""
    if not young or ahead < 0.0:
        return 1.0
    return min(max(rating / full, least), 1.0)


@formula
def brake(rating: float, ahead: float, limit: float, scale: float) -> float:
    """SBr: a weak player who scored at most the expectation falls more slowly; e^((1300 - Z)/150) - 1."""
    if rating >= limit or ahead > 0.0:
        return 0.0
    return math.exp(min((limit - rating) / scale, 50.0)) - 1.0


@formula
def development(
    rating: float,
    age_points: float,
    index: float,
    faster: float,
    slower: float,
    least: float,
    most: float,
    per_event: float,
    most_braked: float,
) -> float:
    """E = fB E0 + SBr with E0 = (Z/1000)^4 + J, from 5 to min(30, 5 i), or to 150 with a brake."""
    base = (rating / 1000.0) ** 4 + age_points
    limit = most_braked if slower > 0.0 else min(most, per_event * index)
    return max(min(faster * base + slower, limit), least)


@formula
def factor(points: float, development_coefficient: float, games: int) -> float:
    """Return what a point above the expectation is worth: 800/(E + n)."""
    return points / (development_coefficient + games)


@formula
def lifted(rating: float, limit: float, base: float, share: float) -> float:
    """Return a first rating up to 800 becomes 700 + R/8."""
    if rating > limit:
        return rating
    return base + rating * share
