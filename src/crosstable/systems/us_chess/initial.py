"""Section 2 of the US Chess documents: the first rating of a player who has none in this pool. Pure numbers, compiled
too.

A player's other ratings are sequences over the sources: the pools by index, then FIDE and CFC. NaN: no rating.
Days are ordinals (datetime.date.toordinal); a missing birth date is 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from crosstable.systems.formula import formula
from crosstable.systems.us_chess.formulas import round_half_up
from crosstable.systems.us_chess.pools import COUNT

if TYPE_CHECKING:
    from crosstable.systems.us_chess.coefficients import Coefficients

#: Sources by index: first the pools, then these two
FIDE, CFC = COUNT, COUNT + 1
SOURCES = COUNT + 2
#: Where an initial rating came from, beside the sources
FOREIGN, AGE, UNKNOWN_AGE, BLENDED = SOURCES, SOURCES + 1, SOURCES + 2, SOURCES + 3

NO_DAY = 0
NO_STEP = -1  # the end of a priority list
BY_CONVERSION = -1  # a priority step whose games the conversion says


@formula
def piecewise(
    bounds: Sequence[float], inclusive: Sequence[int], add: Sequence[float], times: Sequence[float], rating: float
) -> float:
    """Return a conversion in straight pieces; each piece ends at its bound, which may or may not belong to it."""
    for i in range(len(bounds)):
        if rating < bounds[i] or (inclusive[i] == 1 and rating == bounds[i]):
            return add[i] + times[i] * rating
    return math.nan


@formula
def from_fide(rules: Coefficients, rating: float) -> float:
    """Return a FIDE rating on the US Chess scale (2025 §2.1; 2015, 2017 §2.6)."""
    return piecewise(rules.fide_bounds, rules.fide_inclusive, rules.fide_add, rules.fide_times, rating)


@formula
def from_fide_youth(rules: Coefficients, rating: float) -> float:
    """Return the same for opponents in a youth event (§6)."""
    return piecewise(rules.youth_bounds, rules.youth_inclusive, rules.youth_add, rules.youth_times, rating)


@formula
def from_cfc(rules: Coefficients, rating: float) -> float:
    """Return a Canadian rating on the US Chess scale (2025 §2.2; 2015, 2017 §2.6)."""
    return piecewise(rules.cfc_bounds, rules.cfc_inclusive, rules.cfc_add, rules.cfc_times, rating)


@formula
def converted_games(rules: Coefficients, source: int, rating: float) -> int:
    """How many games a converted FIDE or CFC rating is worth."""
    if source == FIDE:
        return rules.fide_games_high if rating > rules.fide_games_above else rules.fide_games_low
    return rules.cfc_games_high if rating > rules.cfc_games_above else rules.cfc_games_low


@formula
def converted(rules: Coefficients, source: int, rating: float) -> float:
    """X_k: a source's rating on the US Chess scale."""
    if source == FIDE:
        return from_fide(rules, rating)
    if source == CFC:
        return from_cfc(rules, rating)
    return rating


@formula
def age_on(rules: Coefficients, birth_day: int, day: int) -> float:
    """Age in years as the documents count it."""
    return (day - birth_day) / rules.days_per_year


@formula
def age_rating(rules: Coefficients, birth_day: int, adult: bool, day: int) -> float:
    """Return the age-based initial rating (2025 §2.3; 2015, 2017 §2.6; readings 8)."""
    if birth_day == NO_DAY:
        return rules.age_adult_rating if adult else rules.age_unknown_rating
    age = age_on(rules, birth_day, day)
    if age < rules.age_plausible_from:  # a miscoded birthday
        return rules.age_adult_rating if adult or rules.age_implausible_is_adult else rules.age_unknown_rating
    if age > rules.age_adult_from:
        return rules.age_adult_rating
    return rules.age_base + rules.age_per_year * age


@formula
def staleness(rules: Coefficients, rating: float, age_based: float, days: int) -> float:
    """S_k: how much of a source's weight is left after so many days (2025 §2 steps 3 and 4)."""
    strength = min(rules.blend_strength_cap, (rating - age_based) / rules.blend_strength_scale)
    return math.exp(rules.blend_decay * (strength - rules.blend_strength_cap) * days / rules.days_per_year)


@formula
def game_factor(rules: Coefficients, pool: int, source: int, rating: float, games: int) -> float:
    """G_k: how many games a source is worth at most (2025 §2 step 1)."""
    if source >= FIDE:
        return converted_games(rules, source, rating)
    return min(rules.blend_factors[pool][source], games)


@formula
def usable(
    rules: Coefficients, pool: int, source: int, ratings: Sequence[float], games: Sequence[int], canadian: bool
) -> bool:
    """Whether a source counts at all: it exists, is another pool, has games; since 2025 CFC only for Canadian
    residents.
    """
    if source == pool or math.isnan(ratings[source]):
        return False
    if source == CFC:
        return canadian or not rules.cfc_residents_only
    return source == FIDE or games[source] > 0


@formula
def adjusted_weight(
    rules: Coefficients,
    pool: int,
    source: int,
    rating: float,
    games: int,
    day: int,
    birth_day: int,
    adult: bool,
    end_day: int,
) -> float:
    """W_k = G_k x S_k (2025 §2 step 5)."""
    expected = age_rating(rules, birth_day, adult, day)
    stale = staleness(rules, converted(rules, source, rating), expected, end_day - day)
    return game_factor(rules, pool, source, rating, games) * stale


@formula
def blended(
    rules: Coefficients,
    pool: int,
    ratings: Sequence[float],
    games: Sequence[int],
    days: Sequence[int],
    birth_day: int,
    adult: bool,
    canadian: bool,
    end_day: int,
) -> tuple[float, int]:
    """(R0, N): the weighted average of a player's other ratings (2025 §2); NaN if there are none."""
    total = 0.0
    weights = 0.0
    for source in range(SOURCES):
        if usable(rules, pool, source, ratings, games, canadian):
            weight = adjusted_weight(
                rules, pool, source, ratings[source], games[source], days[source], birth_day, adult, end_day
            )
            total += weight * converted(rules, source, ratings[source])
            weights += weight
    if weights == 0.0:
        return math.nan, 0
    return round_half_up(total / weights), math.ceil(min(rules.blend_games_cap, weights))


@formula
def by_priority(
    rules: Coefficients, pool: int, ratings: Sequence[float], games: Sequence[int], canadian: bool
) -> tuple[float, int, int]:
    """(R0, N, source): the first source of this pool's list that the player has (2015, 2017 §2.1 to 2.5)."""
    for i in range(len(rules.priority[pool])):
        step = rules.priority[pool][i]
        source = step[0]
        if source == NO_STEP:
            break
        if not usable(rules, pool, source, ratings, games, canadian):
            continue
        if source < FIDE and not step[1] <= games[source] <= step[2]:
            continue
        credit = step[3]
        if credit == BY_CONVERSION:
            credit = converted_games(rules, source, ratings[source])
        elif step[4] == 1:
            credit = min(credit, games[source])
        return converted(rules, source, ratings[source]), credit, source
    return math.nan, 0, NO_STEP


@formula
def initial_rating(
    rules: Coefficients,
    pool: int,
    ratings: Sequence[float],
    games: Sequence[int],
    days: Sequence[int],
    foreign: float,
    birth_day: int,
    adult: bool,
    canadian: bool,
    end_day: int,
) -> tuple[float, int, int]:
    """(R0, N, where it came from) for a player without a rating in this pool (Step 1)."""
    if rules.blended:
        rating, credited = blended(rules, pool, ratings, games, days, birth_day, adult, canadian, end_day)
        source = BLENDED
    else:
        rating, credited, source = by_priority(rules, pool, ratings, games, canadian)
    if not math.isnan(rating):
        return rating, credited, source
    # 2015, 2017 §2: no FIDE or CFC rating but a foreign one: the office may convert it, on no games
    if rules.foreign_counts and not math.isnan(foreign) and math.isnan(ratings[FIDE]) and math.isnan(ratings[CFC]):
        return foreign, 0, FOREIGN
    return age_rating(rules, birth_day, adult, end_day), 0, UNKNOWN_AGE if birth_day == NO_DAY else AGE
