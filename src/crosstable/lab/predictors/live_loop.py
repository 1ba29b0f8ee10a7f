"""The loop of the two predictors that begin each event with the ratings published before it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from crosstable.systems.formula import formula
from crosstable.systems.glicko.formulas import expected, gain, information, variance_after, weight

if TYPE_CHECKING:
    from crosstable.replay.arrays import Flags, Floats, Integers

#: The lowest of the floors that end in 00 (US Chess, in the years that the predictors were made for)
LOWEST_FLOOR = 1400.0


class LiveParameters(NamedTuple):
    """The predictors' parameters."""

    knot: float  # below this rating …
    below: float  # … a point counts so much of one
    slope: float  # how much of a difference counts at all
    established: float  # the deviation of an established rating
    provisional: float  # of one with no games behind it; in between by games
    floor: float  # so much less for a rating that sits on a floor
    white: float
    newcomer: float  # the strength of a player without a rating
    newcomer_deviation: float
    provisional_games: float  # of the rulebook: with more a rating is established


@formula
def strength(rating: float, games: float, numbers: LiveParameters) -> float:
    """Return the published rating, with differences below the knot compressed,
    and less for one that sits on a floor.
    """
    if math.isnan(rating):
        return numbers.newcomer
    found = rating
    if math.isnan(games) and rating >= LOWEST_FLOOR and rating % 100.0 == 0.0:
        found -= numbers.floor
    if found < numbers.knot:
        found = numbers.knot - numbers.below * (numbers.knot - found)
    return found


@formula
def opening_deviation(rating: float, games: float, numbers: LiveParameters) -> float:
    """Return an established rating's, a newcomer's, and in between by games."""
    if math.isnan(rating):
        return numbers.newcomer_deviation
    if math.isnan(games):
        return numbers.established
    share = min(games, numbers.provisional_games) / numbers.provisional_games
    return numbers.provisional + (numbers.established - numbers.provisional) * share


@formula
def run(
    one: Integers,
    two: Integers,
    score: Floats,
    white: Flags,
    event: Integers,
    round: Integers,
    rating: Floats,
    played: Floats,
    numbers: LiveParameters,
    now: Floats,
    deviation: Floats,
    entered: Integers,
    precision: Floats,
    surprise: Floats,
    predictions: Floats,
    live: bool,
) -> None:
    """Run through the rounds of one event after another; `live`: each is rated before the next is predicted.

    `now` to `surprise` are room to work in, one per player; `entered` begins with -1.
    """
    first, games = 0, len(score)
    while first < games:
        last = first
        while last < games and event[last] == event[first] and round[last] == round[first]:
            last += 1
        for game in range(first, last):
            for side in range(2):
                player = one[game] if side == 0 else two[game]
                if entered[player] != event[game]:
                    entered[player] = event[game]
                    now[player] = strength(rating[game, side], played[game, side], numbers)
                    deviation[player] = opening_deviation(rating[game, side], played[game, side], numbers)
                precision[player] = 0.0
                surprise[player] = 0.0
        for game in range(first, last):
            a, b = one[game], two[game]
            edge = numbers.white * white[game]
            both = weight(math.sqrt(deviation[a] * deviation[a] + deviation[b] * deviation[b]))
            predictions[game] = expected(now[a] + edge, now[b], both * numbers.slope)
            weight_a, weight_b = weight(deviation[a]) * numbers.slope, weight(deviation[b]) * numbers.slope
            chance_a = expected(now[a] + edge, now[b], weight_b)
            chance_b = expected(now[b] - edge, now[a], weight_a)
            precision[a] += information(weight_b, chance_a)
            precision[b] += information(weight_a, chance_b)
            surprise[a] += gain(1.0, weight_b, score[game], chance_a)
            surprise[b] += gain(1.0, weight_a, 1.0 - score[game], chance_b)
        for game in range(first, last):
            for side in range(2):
                player = one[game] if side == 0 else two[game]
                if live and precision[player] > 0.0:
                    variance = variance_after(deviation[player], precision[player])
                    now[player] += variance * surprise[player]
                    deviation[player] = math.sqrt(variance)
                    precision[player] = 0.0
        first = last
