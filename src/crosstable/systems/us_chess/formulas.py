"""Sections 3 to 5 and 7 of the US Chess documents: the formulas for one player, as pure functions of plain numbers.

The same source is compiled for the replay (see systems.formula). `rules` is a Coefficients record: numbers from the
rulebook. Opponents' ratings are `opponents[first:last]`, so that one array can hold a whole section. "None" is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from crosstable.systems.formula import formula

if TYPE_CHECKING:
    from crosstable.systems.us_chess.coefficients import Coefficients

#: A player's history of results in this rating system, before the event
MIXED, ALL_WINS, ALL_LOSSES = 0, 1, 2

#: What arithmetic on ratings can lose in binary, with room to spare
DUST = 1e-9


@formula
def winning_expectancy(rules: Coefficients, rating: float, opponent: float) -> float:
    """We(R, Ri), the standard winning expectancy (§4.2)."""
    return 1.0 / (1.0 + math.exp((opponent - rating) * rules.expectancy_rate))


@formula
def provisional_expectancy(rules: Coefficients, rating: float, opponent: float) -> float:
    """PWe(R, Ri), the provisional winning expectancy (§4.1): a straight line, flat beyond 400 points."""
    difference = min(max(rating - opponent, -rules.special_span), rules.special_span)
    return 0.5 + difference / (2.0 * rules.special_span)


@formula
def effective_games(rules: Coefficients, rating: float, games: float) -> float:
    """N', the smaller of N and N* (§3)."""
    reliable = rules.effective_cap
    if rating <= rules.effective_limit:
        distance = rules.effective_centre - rating
        reliable = rules.effective_cap / math.sqrt(
            rules.effective_constant + rules.effective_slope * distance * distance
        )
    return min(float(games), reliable)


@formula
def history_of(wins: int, draws: int, losses: int) -> int:
    """Whether all previous games in this pool were won, or lost. No one's history is "all" on no games (readings 3)."""
    if wins > 0 and draws == 0 and losses == 0:
        return ALL_WINS
    if losses > 0 and draws == 0 and wins == 0:
        return ALL_LOSSES
    return MIXED


@formula
def uses_special(rules: Coefficients, games: float, history: int) -> bool:
    """Step 4: eight games or fewer, or nothing but wins or losses so far."""
    return games <= rules.special_games or history != MIXED


@formula
def special_surplus(
    rules: Coefficients,
    rating: float,
    start: float,
    effective: float,
    points: float,
    opponents: Sequence[float],
    first: int,
    last: int,
) -> float:
    """f(R) of §4.1: the score that a player rated R would be expected to make, minus the score made (S')."""
    total = effective * provisional_expectancy(rules, rating, start)
    for i in range(first, last):
        total += provisional_expectancy(rules, rating, opponents[i])
    return total - points


@formula
def knot_below(
    rules: Coefficients, rating: float, start: float, opponents: Sequence[float], first: int, last: int
) -> float:
    """z_a: the largest knot below R, or minus infinity (readings 2). Knots stand 400 either side of every rating."""
    best = -math.inf
    for i in range(first - 1, last):
        middle = start if i < first else opponents[i]
        lower, upper = middle - rules.special_span, middle + rules.special_span
        knot = upper if upper < rating else lower
        best = max(best, knot if knot < rating else -math.inf)
    return best


@formula
def knot_above(
    rules: Coefficients, rating: float, start: float, opponents: Sequence[float], first: int, last: int
) -> float:
    """z_b: the smallest knot above R, or infinity."""
    best = math.inf
    for i in range(first - 1, last):
        middle = start if i < first else opponents[i]
        lower, upper = middle - rules.special_span, middle + rules.special_span
        knot = lower if lower > rating else upper
        best = min(best, knot if knot > rating else math.inf)
    return best


@formula
def special_start(
    rules: Coefficients, prior: float, effective: float, history: int, score: float
) -> tuple[float, float]:
    """(R'0, S'): the adjusted prior rating and score (§4.1). All wins so far: the prior becomes one more win, and so
    on.
    """
    if history == ALL_WINS:
        return prior - rules.special_span, score + effective
    if history == ALL_LOSSES:
        return prior + rules.special_span, score
    return prior, score + effective / 2.0


@formula
def straight_root(
    rules: Coefficients,
    place: float,
    start: float,
    effective: float,
    points: float,
    opponents: Sequence[float],
    first: int,
    last: int,
) -> float:
    """Return the root of the straight piece of f that holds `place`, in sums that whole ratings keep exact: 226.5, not
    226.4999…
    """
    span = rules.special_span
    total = 2.0 * span * points
    weight = 0.0
    for i in range(first - 1, last):
        middle = start if i < first else opponents[i]
        games = effective if i < first else 1.0
        if place >= middle + span:
            total -= 2.0 * span * games
        elif place > middle - span:
            total += games * (middle - span)
            weight += games
    return total / weight


@formula
def special_root(
    rules: Coefficients,
    guess: float,
    start: float,
    effective: float,
    points: float,
    opponents: Sequence[float],
    first: int,
    last: int,
) -> float:
    """Walk from knot to knot until f(M) is zero (§4.1, steps 2 and 3)."""
    rating = guess
    epsilon = rules.special_epsilon
    surplus = special_surplus(rules, rating, start, effective, points, opponents, first, last)
    for _ in range(2 * (last - first) + 4):  # f never falls and has 2m + 2 knots: the walk ends before
        if abs(surplus) <= epsilon:
            break
        if surplus > 0.0:
            knot = knot_below(rules, rating, start, opponents, first, last)
        else:
            knot = knot_above(rules, rating, start, opponents, first, last)
        at_knot = special_surplus(rules, knot, start, effective, points, opponents, first, last)
        if abs(surplus - at_knot) >= epsilon:
            step = rating - surplus * (rating - knot) / (surplus - at_knot)
            if (surplus > 0.0 and step > knot) or (surplus < 0.0 and step < knot):
                middle = (rating + knot) / 2.0  # f is straight as far as the knot, so `step` is its root, but for dust
                return straight_root(rules, middle, start, effective, points, opponents, first, last)
        rating, surplus = knot, at_knot
    return rating


@formula
def special_rating(
    rules: Coefficients,
    prior: float,
    effective: float,
    history: int,
    score: float,
    opponents: Sequence[float],
    first: int,
    last: int,
) -> float:
    """Return the special rating (§4.1): the rating at which the score made is the score expected."""
    start, points = special_start(rules, prior, effective, history, score)
    guess = start
    if rules.special_pooled_start:  # 2015 and 2017 §4.1 step 1; 2025 begins at R'0 (readings 1)
        played = last - first
        pooled = effective * start + rules.special_span * (2.0 * score - played)
        for i in range(first, last):
            pooled += opponents[i]
        guess = pooled / (effective + played)
    rating = special_root(rules, guess, start, effective, points, opponents, first, last)
    reach = rules.special_span + rules.special_epsilon
    near = abs(rating - start) <= reach
    for i in range(first, last):
        near = near or abs(rating - opponents[i]) <= reach
    if not near:  # step 4b: f is flat here, and the prior decides
        low = knot_below(rules, rating, start, opponents, first, last)
        high = knot_above(rules, rating, start, opponents, first, last)
        rating = min(max(prior, low), high)
    return min(rating, rules.special_cap)


@formula
def k_factor(
    rules: Coefficients, pool: int, dual: bool, rating: float, effective: float, games: int, weight: int
) -> float:
    """K (§4.2). Above 2200 a dual-rated event counts less; half-K events of old weigh the prior `weight` times."""
    numerator = rules.k_numerator
    if dual and rating > rules.dual_k_above and rules.dual_k_pools[pool] == 1:
        if rating >= rules.dual_k_full:
            numerator = rules.dual_k_top
        else:
            numerator = rules.k_numerator * (rules.dual_k_base - rules.dual_k_slope * rating)
    return numerator / (weight * effective + games)


@formula
def bonus_eligible(rules: Coefficients, opponents: Sequence[int], first: int, last: int) -> bool:
    """Whether the number of games and the meetings with one opponent allow a bonus (§4.2)."""
    games = last - first
    if games < rules.bonus_games:
        return False
    limit = rules.bonus_meetings_of_three if games == rules.bonus_games else rules.bonus_meetings
    for i in range(first, last):
        meetings = 0
        for j in range(first, last):
            if opponents[j] == opponents[i]:
                meetings += 1
        if meetings > limit:
            return False
    return True


@formula
def expected_score(rules: Coefficients, rating: float, opponents: Sequence[float], first: int, last: int) -> float:
    """E, the total winning expectancy (§4.2)."""
    total = 0.0
    for i in range(first, last):
        total += winning_expectancy(rules, rating, opponents[i])
    return total


@formula
def bonus_points(rules: Coefficients, gain: float, games: int) -> float:
    """max(0, K(S-E) - B sqrt(m')), m' = max(m, 4) (§4.2)."""
    return max(0.0, gain - rules.bonus_multiplier * math.sqrt(max(float(games), rules.bonus_counted_games)))


@formula
def personal_floor(rules: Coefficients, pool: int, wins: int, draws: int, events: int) -> float:
    """AF, a person's absolute floor (§5)."""
    if rules.personal_floor_pools[pool] == 0:
        return rules.absolute_floor
    earned = rules.personal_floor_win * wins + rules.personal_floor_draw * draws + rules.personal_floor_event * events
    return min(rules.absolute_floor + earned, rules.personal_floor_cap)


@formula
def round_half_up(value: float) -> float:
    """Half up, also where arithmetic in binary left a half a hair short of it (1.1 × 1505 − 240 is 1415.5)."""
    return math.floor(value + 0.5 + DUST)


@formula
def earned_floor(rules: Coefficients, peak: float) -> float:
    """Return the floor of the highest established rating (§5), or 0.

    `peak` is NaN for a player who never was established.
    """
    if math.isnan(peak):
        return 0.0
    level = (
        math.floor((round_half_up(peak) - rules.earned_floor_drop) / rules.earned_floor_step) * rules.earned_floor_step
    )
    if level < rules.earned_floor_lowest:
        return 0.0
    return min(level, rules.earned_floor_highest)


@formula
def floor_lowered(rules: Coefficients, lowered: float, lowered_from: float) -> float:
    """Return the floor that was lowered to this one.

    Without a record, one request lowered it; NaN: none was lowered.
    """
    return lowered + rules.match_floor_request if math.isnan(lowered_from) else lowered_from


@formula
def rating_floor(
    rules: Coefficients,
    pool: int,
    personal: float,
    earned: float,
    life_master: bool,
    prize: float,
    lowered: float,
    lowered_from: float,
) -> float:
    """Return the floor that binds: the highest of a player's own (§5).

    After a granted request to lower it (§7): the lowered floor, or one higher than the floor that was lowered (readings
    23). A lowering lowers the floor that there is, and never raises one (readings 44).
    """
    master = rules.life_master_floor if life_master and rules.life_master_pools[pool] == 1 else 0.0
    money = 0.0 if math.isnan(prize) else prize
    highest = max(personal, earned, master, money)
    if math.isnan(lowered) or lowered >= highest:
        return highest
    floor, above = max(personal, lowered), floor_lowered(rules, lowered, lowered_from)
    for own in (earned, master, money):
        if own > above:
            floor = max(floor, own)
    return floor


@formula
def match_result(rules: Coefficients, special: bool, scored: bool, prior: float, result: float) -> float:
    """Return what a match led to before its limits: Step 5.

    As practised players on the special formula gained 50 or nothing (readings 35).
    """
    if special and rules.match_special_all:
        return prior + rules.match_limit if scored else prior
    return result


@formula
def match_change(rules: Coefficients, change: float, half_year: float, three_years: float) -> float:
    """Return a match's change within the limits of §7: 50, 100 net in 180 days, 200 net in three years."""
    change = min(max(change, -rules.match_limit), rules.match_limit)
    change = min(
        max(change, min(0.0, -rules.match_limit_180_days - half_year)), max(0.0, rules.match_limit_180_days - half_year)
    )
    low = min(0.0, -rules.match_limit_3_years - three_years)
    return min(max(change, low), max(0.0, rules.match_limit_3_years - three_years))


@formula
def stored(rules: Coefficients, prior: float, post: float) -> float:
    """Return what is kept: the number itself since 2014-09-01; before,
    a whole number rounded away from the prior rating.
    """
    if not rules.stored_as_integers:
        return post
    if post > prior + rules.storage_tolerance:
        return math.ceil(post - rules.storage_tolerance)
    if post < prior - rules.storage_tolerance:
        return math.floor(post + rules.storage_tolerance)
    return round_half_up(post)
