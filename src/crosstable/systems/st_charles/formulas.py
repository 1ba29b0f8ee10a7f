"""A school club's points for one game, as pure functions: St. Charles, and its relatives by other numbers."""

from __future__ import annotations

import math

from crosstable.systems.formula import formula

#: How the rating difference over the divisor becomes points
NOT_ROUNDED, NEAREST, DOWN = 0, 1, 2


@formula
def adjustment(
    own: float, opponent: float, divisor: float, rounding: int, equal_within: float, largest_difference: float
) -> float:
    """(opponent - own)/25: what the difference adds to a player's points; for the opponent the sign changes."""
    difference = min(max(opponent - own, -largest_difference), largest_difference)
    if abs(difference) <= equal_within:
        return 0.0
    size = abs(difference) / divisor
    if rounding == NEAREST:
        size = math.floor(size + 0.5)
    elif rounding == DOWN:
        size = math.floor(size)
    return size if difference > 0 else -size


@formula
def points(adjusted: float, score: float, at_risk: float, least: float, most: float) -> float:
    """Return a player's points for a game before the floor: 21 for a win, -21 for a loss, none for a draw, and the
    adjustment.

    The winner gains and the loser loses at least `least`; neither by more than `most`.
    """
    change = at_risk * (2.0 * score - 1.0) + adjusted
    if score == 1.0:
        change = max(change, least)
    elif score == 0.0:
        change = min(change, -least)
    return min(max(change, -most), most)


@formula
def expected(own: float, opponent: float, divisor: float, at_risk: float) -> float:
    """Return the score at which neither player gains: a straight line, 1/2 + (own - opponent)/(2 x 21 x 25),
    between 0 and 1.
    """
    line = 0.5 + (own - opponent) / (2.0 * at_risk * divisor)
    return min(max(line, 0.0), 1.0)
