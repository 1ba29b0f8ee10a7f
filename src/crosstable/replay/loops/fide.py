"""FIDE over a history of tournaments, rules by period. A rating below the floor (or 0) is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from crosstable.systems.fide.formulas import (
    counted_difference,
    expected_hundredths,
    first_rating,
    game_hundredths,
    k_for,
    k_for_period,
    rounded_change,
)
from crosstable.systems.formula import formula

if TYPE_CHECKING:
    from crosstable.replay.arrays import Floats, Integers
    from crosstable.replay.fide import KRule, Records


@formula
def run(
    white: Integers,
    black: Integers,
    score: Floats,
    first: Integers,
    rules: Records,
    k_rule: KRule,
    edges: Sequence[float],
    differences: Sequence[float],
    states: Records,
    tally: Records,
    predictions: Floats,
) -> None:
    """One record per player in `states` and `tally` (zeros, room to work in), one per period in `rules`.

    Ratings stand still until the period ends. `predictions`: White's expected score of every game, if there is room.
    """
    for period in range(len(first) - 1):
        if len(predictions) > 0:
            floor = rules[period]["floor"]
            for game in range(first[period], first[period + 1]):
                own, other = states[white[game]]["rating"], states[black[game]]["rating"]
                predictions[game] = predicted(own, other, floor, edges)
        for game in range(first[period], first[period + 1]):
            count(white[game], black[game], score[game], period, rules, edges, states, tally)
            count(black[game], white[game], 1.0 - score[game], period, rules, edges, states, tally)
        for game in range(first[period], first[period + 1]):
            settle(white[game], period, rules, k_rule, edges, differences, states, tally)
            settle(black[game], period, rules, k_rule, edges, differences, states, tally)


@formula
def predicted(own: float, other: float, floor: float, edges: Sequence[float]) -> float:
    """Table 8.1.2 as a prediction; a player without a rating stands at the floor."""
    return expected_hundredths(max(own, floor) - max(other, floor), edges) / 100.0


@formula
def expect(
    white: Integers, black: Integers, rating: Floats, floor: float, edges: Sequence[float], predictions: Floats
) -> None:
    """Return White's expected score of games to come; no rating changes."""
    for game in range(len(predictions)):
        predictions[game] = predicted(rating[white[game]], rating[black[game]], floor, edges)


@formula
def count(
    own: int,
    other: int,
    score: float,
    period: int,
    rules: Records,
    edges: Sequence[float],
    states: Records,
    tally: Records,
) -> None:
    """One side of a game: only games against rated players count, and in rapid not the most uneven ones."""
    floor = rules[period]["floor"]
    rating, opponent = states[own]["rating"], states[other]["rating"]
    if opponent < floor:
        return
    if rating >= floor:
        gap = rating - opponent
        if abs(gap) >= rules[period]["mismatch"] and max(rating, opponent) > rules[period]["mismatch_above"]:
            return
        largest = rules[period]["largest"]
        difference = counted_difference(rating, opponent, largest, rules[period]["exempt_from"])
        if rules[period]["upgrades"] == 1 and gap > largest:
            difference = gap
            tally[own]["uneven"] = max(tally[own]["uneven"], gap)
        tally[own]["total"] += game_hundredths(score, expected_hundredths(difference, edges))
    tally[own]["counted"] += 1
    tally[own]["halves"] += round(2.0 * score)
    tally[own]["opponents"] += opponent


@formula
def settle(
    own: int,
    period: int,
    rules: Records,
    k_rule: KRule,
    edges: Sequence[float],
    differences: Sequence[float],
    states: Records,
    tally: Records,
) -> None:
    """Set a player's new rating at the end of the period; a second call finds nothing left to do."""
    if tally[own]["counted"] == 0:
        return
    before = states[own]["rating"]
    if before >= rules[period]["floor"]:
        after = rated(own, period, rules, k_rule, edges, states, tally)
        states[own]["games"] += tally[own]["counted"]
    else:
        after = newcomer(own, period, rules, differences, states, tally)
    peak = max(before, after)
    if peak >= k_rule.junior_below:
        states[own]["ever_2300"] = 1
    if peak >= k_rule.senior_from:
        states[own]["ever_2400"] = 1
    states[own]["rating"] = after
    tally[own]["total"] = 0
    tally[own]["counted"] = 0
    tally[own]["halves"] = 0
    tally[own]["opponents"] = 0.0
    tally[own]["uneven"] = 0.0


@formula
def rated(
    own: int, period: int, rules: Records, k_rule: KRule, edges: Sequence[float], states: Records, tally: Records
) -> float:
    total = tally[own]["total"]
    if tally[own]["uneven"] > 0.0:  # 2022 to 2024: the one upgrade, for the greatest difference, counts 400
        total += expected_hundredths(tally[own]["uneven"], edges) - expected_hundredths(rules[period]["largest"], edges)
    k = k_for(
        states[own]["rating"],
        float(states[own]["games"]),
        states[own]["ever_2400"] > 0,
        states[own]["ever_2300"] > 0,
        float(rules[period]["year"] - states[own]["birth_year"]),
        k_rule.newcomer,
        k_rule.newcomer_games,
        k_rule.normal,
        k_rule.senior,
        k_rule.senior_from,
        k_rule.junior,
        k_rule.junior_age,
        k_rule.junior_below,
    )
    k = k_for_period(k, tally[own]["counted"], k_rule.most_points)
    return float(states[own]["rating"] + rounded_change(k, total))


@formula
def newcomer(
    own: int, period: int, rules: Records, differences: Sequence[float], states: Records, tally: Records
) -> float:
    """Return the first rating once the saved games suffice, else 0; a first event without a point is disregarded."""
    month = rules[period]["month"]
    if states[own]["pool_games"] > 0 and month - states[own]["pool_month"] > rules[period]["months"]:
        states[own]["pool_games"] = 0
    if states[own]["pool_games"] == 0:
        if tally[own]["halves"] == 0:
            return 0.0
        states[own]["pool_total"] = 0.0
        states[own]["pool_halves"] = 0
        states[own]["pool_month"] = month
    states[own]["pool_total"] += tally[own]["opponents"]
    states[own]["pool_halves"] += tally[own]["halves"]
    states[own]["pool_games"] += tally[own]["counted"]
    states[own]["games"] += tally[own]["counted"]
    exact = first_rating(
        states[own]["pool_total"],
        states[own]["pool_halves"],
        states[own]["pool_games"],
        rules[period]["imagined"],
        rules[period]["imagined_rating"],
        rules[period]["half_point"],
        differences,
    )
    found = min(math.floor(exact + 0.5), rules[period]["most"])
    if states[own]["pool_games"] < rules[period]["games"] or found < rules[period]["floor"]:
        return 0.0
    states[own]["pool_games"] = 0
    return float(found)
