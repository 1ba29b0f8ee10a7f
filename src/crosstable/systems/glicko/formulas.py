"""Glicko, as pure functions of plain numbers. Symbols of the paper: q, g(RD), E, d^2."""

from __future__ import annotations

import math

from crosstable.systems.formula import formula

Q = math.log(10.0) / 400.0
SHRINK = 3.0 * Q * Q / (math.pi * math.pi)
LEAST = 1e-16  # players too far apart for a double to tell E from 0 or 1 still leave something to divide by


@formula
def weight(deviation: float) -> float:
    """g(RD): how much an opponent's uncertainty takes away from a result."""
    return 1.0 / math.sqrt(1.0 + SHRINK * deviation * deviation)


@formula
def expected(rating: float, opponent: float, opponent_weight: float) -> float:
    """E(s | r, r_j, RD_j), with g(RD_j) given."""
    return 1.0 / (1.0 + math.exp(-Q * opponent_weight * (rating - opponent)))


@formula
def predicted(rating: float, deviation: float, opponent: float, opponent_deviation: float) -> float:
    """Return the expected score of a game to come: both uncertainties count."""
    both = math.sqrt(deviation * deviation + opponent_deviation * opponent_deviation)
    return expected(rating, opponent, weight(both))


@formula
def aged(deviation: float, c: float, periods: float, most: float) -> float:
    """RD at the start of a period: sqrt(RD^2 + c^2 t), and no more than a newcomer's."""
    return min(math.sqrt(deviation * deviation + c * c * periods), most)


@formula
def aged_1995(deviation: float, c: float, time: float, most: float) -> float:
    """Return the server's form of 1995: sqrt(RD^2 + c log(1 + t))."""
    return min(math.sqrt(deviation * deviation + c * math.log(1.0 + time)), most)


@formula
def information(opponent_weight: float, expectation: float) -> float:
    """One game's part of 1/d^2: q^2 g^2 E(1 - E)."""
    return Q * Q * opponent_weight * opponent_weight * max(expectation * (1.0 - expectation), LEAST)


@formula
def variance_after(deviation: float, total_information: float) -> float:
    """RD'^2 = 1/(1/RD^2 + 1/d^2)."""
    return 1.0 / (1.0 / (deviation * deviation) + total_information)


@formula
def gain(variance: float, opponent_weight: float, score: float, expectation: float) -> float:
    """One game's part of the change: q RD'^2 g (s - E)."""
    return variance * Q * opponent_weight * (score - expectation)


@formula
def k_1995(deviation: float, opponent_weight: float, expectation: float, smallest: float) -> float:
    """K of the server's one-game form: q f/(1/RD^2 + q^2 f^2 E(1 - E)), from 1997 never below 16."""
    variance = variance_after(deviation, information(opponent_weight, expectation))
    return max(variance * Q * opponent_weight, smallest)
