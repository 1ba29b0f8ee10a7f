"""What a section leaves behind (sections 5 and 7, readings 5, 6, 22): floors, peaks and counts. Pure numbers, compiled
too.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from crosstable.systems.formula import formula
from crosstable.systems.us_chess.formulas import floor_lowered, stored

if TYPE_CHECKING:
    from crosstable.systems.us_chess.coefficients import Coefficients

THREE_GAME_EVENT = 3  # §5: the events that N_R counts have three games or more


@formula
def established_peak(rules: Coefficients, rated: bool, rating: float, games: int, peak: float) -> float:
    """Return the highest established rating before this event, the pre-event rating itself included (readings 6); NaN:
    none.
    """
    if not rated or games <= rules.established_games:
        return math.nan
    return rating if math.isnan(peak) else max(rating, peak)


@formula
def peak_after(rules: Coefficients, before: float, post: float, games: int) -> float:
    """Return the highest established rating with the new one counted in; NaN for a player who never was established."""
    if games <= rules.established_games:
        return before
    return post if math.isnan(before) else max(before, post)


@formula
def is_life_master(rules: Coefficients, life_master: bool, games_above: int) -> bool:
    """300 games above 2200 (§5), or named so in the record."""
    return life_master or games_above >= rules.life_master_games


@formula
def games_above_2200(rules: Coefficients, rated: bool, rating: float, games: int, played: int) -> int:
    """How many of an event's games count towards life master: all, with an established rating above 2200 before it."""
    return played if rated and games > rules.established_games and rating > rules.life_master_above else 0


@formula
def settled_rating(rules: Coefficients, prior: float, result: float, floor: float, ceiling: float) -> float:
    """Return the rating as kept: at least the floor, at most the ceiling (readings 22),
    a whole number before 2014-09.
    """
    post = max(result, floor)
    if not math.isnan(ceiling):
        post = min(post, ceiling)
    return stored(rules, prior, post)


@formula
def games_after(games: int, played: int, weight: int) -> int:
    """N after the event; it grows by m, in half-K events of old by half of it, rounded up."""
    return games + (played + weight - 1) // weight


@formula
def lowered_floor_after(rules: Coefficients, lowered: float, lowered_from: float, newly_set: float) -> float:
    """Return the lowered floor once a prize or life-master floor is set after it (readings 23). NaN: none.

    One above the floor that was lowered holds by itself. A lower one takes the lowered floor's place: what was lowered
    before stays lowered.
    """
    if lowered < newly_set <= floor_lowered(rules, lowered, lowered_from):
        return newly_set
    return lowered


@formula
def lowered_from_after(rules: Coefficients, lowered: float, lowered_from: float, lower: float) -> float:
    """Return the highest floor that was lowered, once there is a lowering to `lower` (readings 23).

    NaN: only the one 100 above.
    """
    if math.isnan(lowered) or math.isnan(lower):
        return math.nan
    return max(floor_lowered(rules, lowered, lowered_from), lower + rules.match_floor_request)


@formula
def lifted_rating(rating: float, floor: float, ceiling: float) -> float:
    """Return the rating lifted to a floor that a decision sets on that day (readings 24);
    a ceiling holds all the same (22).
    """
    return max(rating, floor if math.isnan(ceiling) else min(floor, ceiling))


@formula
def capped_rating(rating: float, ceiling: float) -> float:
    """Return the rating lowered to a ceiling that a decision sets on that day (readings 43). NaN: no ceiling."""
    return rating if math.isnan(ceiling) else min(rating, ceiling)


@formula
def granted_request(
    rules: Coefficients, floor: float, personal: float, lowered: float, lowered_from: float
) -> tuple[float, float]:
    """(lowered floor, highest floor that was lowered) once a request to lower the floor that there is was granted (§7,
    readings 44).

    Where nothing above the personal floor binds, the request does nothing.
    """
    lower = floor_request(rules, floor, personal)
    if math.isnan(lower):
        return lowered, lowered_from
    return lower, floor if math.isnan(lowered) else max(floor, floor_lowered(rules, lowered, lowered_from))


@formula
def floor_request(rules: Coefficients, floor: float, personal: float) -> float:
    """Return the lower floor that a match result below the floor asks for (§7);
    NaN where it cannot be lowered (readings 23).
    """
    return max(floor - rules.match_floor_request, personal) if floor > personal else math.nan
