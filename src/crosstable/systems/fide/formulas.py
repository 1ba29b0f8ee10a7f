"""FIDE's arithmetic in whole hundredths, so that -2.50 is exactly that when it is rounded."""

from __future__ import annotations

from collections.abc import Sequence

from crosstable.systems.formula import formula


@formula
def expected_hundredths(difference: float, edges: Sequence[float]) -> int:
    """PD x 100 of table 8.1.2, for the player whose rating minus the opponent's is `difference`."""
    size = abs(difference)
    row = 0
    while row < len(edges) and size > edges[row]:
        row += 1
    return 50 + row if difference >= 0 else 50 - row


@formula
def counted_difference(own: float, opponent: float, largest: float, exempt_from: float) -> float:
    """D under the 400-point rule (8.3.1); a player rated `exempt_from` or more counts the true difference."""
    if own >= exempt_from:
        return own - opponent
    return min(max(own - opponent, -largest), largest)


@formula
def game_hundredths(score: float, expectation: int) -> int:
    """Delta R x 100 = (score - PD) x 100."""
    return round(100.0 * score) - expectation


@formula
def k_for(
    rating: float,
    games: float,
    ever_2400: bool,
    ever_2300: bool,
    years: float,
    newcomer: int,
    newcomer_games: float,
    normal: int,
    senior: int,
    senior_from: float,
    junior: int,
    junior_age: float,
    junior_below: float,
) -> int:
    """K (8.3.3), in the order that fits the published lists. `years`: the year played in minus the year of birth."""
    if ever_2400 or rating >= senior_from:
        return senior
    if years <= junior_age and not ever_2300 and rating < junior_below:
        return junior
    if games < newcomer_games:
        return newcomer
    return normal


@formula
def k_for_period(k: int, games: int, most_points: int) -> int:
    """8.3.3: if K x n exceeds 700, the largest whole K for which it does not."""
    if k * games > most_points:
        return most_points // games
    return k


@formula
def rounded_change(k: int, hundredths: int) -> int:
    """K x Sigma Delta R to the nearest whole number, half away from zero (8.3.4)."""
    change = k * hundredths
    if change >= 0:
        return (change + 50) // 100
    return -((-change + 50) // 100)


@formula
def performance_difference(percent: int, differences: Sequence[float]) -> float:
    """dp of table 8.1.1 for a whole percentage."""
    return differences[percent - 50] if percent >= 50 else -differences[50 - percent]


@formula
def percentage(half_points: int, games: int) -> int:
    """Return a score as a whole percentage, half up."""
    return (100 * half_points + games) // (2 * games)


@formula
def first_rating(
    total: float,
    half_points: int,
    games: int,
    imagined: int,
    imagined_rating: float,
    per_half_point: float,
    differences: Sequence[float],
) -> float:
    """Ru (8.2) before rounding. `total`: the sum of the rated opponents' ratings; `imagined` draws are added."""
    played = games + imagined
    average = (total + imagined * imagined_rating) / played
    scored = half_points + imagined
    if per_half_point > 0.0 and scored > played:
        return average + per_half_point * (scored - played)
    return average + performance_difference(percentage(scored, played), differences)
