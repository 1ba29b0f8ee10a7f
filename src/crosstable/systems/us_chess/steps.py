"""The five steps of section 1, for all players of a section at once. Pure numbers over sequences, compiled too.

Player i's games are positions start[i] to start[i+1]; `opponent` holds the opponents' indexes and `half_points` the
results from i's side. The functions fill the sequences that they are given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from crosstable.systems.formula import formula
from crosstable.systems.us_chess.formulas import (
    MIXED,
    bonus_eligible,
    bonus_points,
    effective_games,
    expected_score,
    k_factor,
    special_rating,
    uses_special,
)

if TYPE_CHECKING:
    from collections.abc import MutableSequence

    from crosstable.systems.us_chess.coefficients import Coefficients


@formula
def score_of(half_points: Sequence[int], first: int, last: int) -> float:
    """S, the points made."""
    total = 0
    for i in range(first, last):
        total += half_points[i]
    return total / 2.0


@formula
def gather(strength: Sequence[float], opponent: Sequence[int], facing: MutableSequence[float], count: int) -> None:
    """Gather the opponents' ratings beside their games, so that each player's are in a row."""
    for i in range(count):
        facing[i] = strength[opponent[i]]


@formula
def standard_rating(
    rules: Coefficients,
    pool: int,
    dual: bool,
    bonus_allowed: bool,
    weight: int,
    prior: float,
    effective: float,
    score: float,
    facing: Sequence[float],
    opponent: Sequence[int],
    first: int,
    last: int,
) -> tuple[float, float, float, float]:
    """(R_s, E, K, bonus) of §4.2."""
    expected = expected_score(rules, prior, facing, first, last)
    k = k_factor(rules, pool, dual, prior, effective, last - first, weight)
    gain = k * (score - expected)
    bonus = bonus_points(rules, gain, last - first) if bonus_allowed else 0.0
    if bonus > 0.0 and not bonus_eligible(rules, opponent, first, last):
        bonus = 0.0
    return prior + gain + bonus, expected, k, bonus


@formula
def first_estimates(
    rules: Coefficients,
    count: int,
    start: Sequence[int],
    half_points: Sequence[int],
    prior: Sequence[float],
    games: Sequence[int],
    rated: Sequence[bool],
    facing: Sequence[float],
    estimate: MutableSequence[float],
) -> None:
    """Step 3: a first estimate for unrated players on no games, as if they had one; NaN for everybody else."""
    for i in range(count):
        estimate[i] = math.nan
        if not rated[i] and games[i] == 0:
            score = score_of(half_points, start[i], start[i + 1])
            rating = special_rating(rules, prior[i], 1.0, MIXED, score, facing, start[i], start[i + 1])
            estimate[i] = max(rating, rules.absolute_floor)


@formula
def one_pass(
    rules: Coefficients,
    pool: int,
    dual: bool,
    bonus_allowed: bool,
    weight: int,
    count: int,
    start: Sequence[int],
    opponent: Sequence[int],
    half_points: Sequence[int],
    prior: Sequence[float],
    games: Sequence[int],
    history: Sequence[int],
    effective: Sequence[float],
    facing: Sequence[float],
    result: MutableSequence[float],
    expected: MutableSequence[float],
    k: MutableSequence[float],
    bonus: MutableSequence[float],
) -> None:
    """Step 4, and again Step 5: everybody's rating from the opponents' ratings in `facing`, at least 100
    (readings 4).
    """
    for i in range(count):
        first, last = start[i], start[i + 1]
        score = score_of(half_points, first, last)
        if uses_special(rules, games[i], history[i]):
            expected[i] = k[i] = bonus[i] = math.nan
            rating = special_rating(rules, prior[i], effective[i], history[i], score, facing, first, last)
        else:
            rating, expected[i], k[i], bonus[i] = standard_rating(
                rules, pool, dual, bonus_allowed, weight, prior[i], effective[i], score, facing, opponent, first, last
            )
        result[i] = max(rating, rules.absolute_floor)


@formula
def five_steps(
    rules: Coefficients,
    pool: int,
    dual: bool,
    bonus_allowed: bool,
    weight: int,
    count: int,
    start: Sequence[int],
    opponent: Sequence[int],
    half_points: Sequence[int],
    prior: Sequence[float],
    games: Sequence[int],
    rated: Sequence[bool],
    history: Sequence[int],
    effective: MutableSequence[float],
    estimate: MutableSequence[float],
    strength: MutableSequence[float],
    facing: MutableSequence[float],
    intermediate: MutableSequence[float],
    result: MutableSequence[float],
    expected: MutableSequence[float],
    k: MutableSequence[float],
    bonus: MutableSequence[float],
) -> None:
    """Compute steps 2 to 5, from the prior ratings of Step 1. `strength` and `facing` are scratch."""
    for i in range(count):
        effective[i] = effective_games(rules, prior[i], games[i])
    gather(prior, opponent, facing, start[count])
    first_estimates(rules, count, start, half_points, prior, games, rated, facing, estimate)
    for i in range(count):
        strength[i] = prior[i] if math.isnan(estimate[i]) else estimate[i]
    gather(strength, opponent, facing, start[count])
    one_pass(
        rules,
        pool,
        dual,
        bonus_allowed,
        weight,
        count,
        start,
        opponent,
        half_points,
        prior,
        games,
        history,
        effective,
        facing,
        intermediate,
        expected,
        k,
        bonus,
    )
    gather(intermediate, opponent, facing, start[count])
    one_pass(
        rules,
        pool,
        dual,
        bonus_allowed,
        weight,
        count,
        start,
        opponent,
        half_points,
        prior,
        games,
        history,
        effective,
        facing,
        result,
        expected,
        k,
        bonus,
    )
