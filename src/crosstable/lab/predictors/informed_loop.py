"""The loop of `informed`: published ratings corrected by what the record tells of each player before the day."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from crosstable.lab.predictors.live_loop import LiveParameters, opening_deviation, strength
from crosstable.systems.formula import formula
from crosstable.systems.glicko.formulas import expected, weight

if TYPE_CHECKING:
    from crosstable.replay.arrays import Flags, Floats, Integers

#: A newer opponent counts at least this share of the average of all opponents
LEAST_SHARE = 0.03
#: Below `fade` the pull towards opponents grows to its whole over so many points
FADE_WIDTH = 800.0


class Corrections(NamedTuple):
    """The parameters; `tempered` are those that the two share."""

    tempered: LiveParameters
    low_knot: float  # below this rating …
    lowest: float  # … a point counts so much of one, where `below` would have it count less
    young: float  # points less for a provisional rating with no games behind it
    surprise: float  # points for a point a game more than expected …
    doubt: float  # … once so many games without surprise are added
    memory: float  # days after which a surprise counts 1/e of what it did
    pull: float  # share of the way to the opponents' average, for low ratings
    fade: float  # from this rating on there is no pull
    recent: float  # share of an established rating's last change that is taken back
    settled: float  # days after which a change counts 1/e of what it did


class Memory(NamedTuple):
    """What the record has told of each player so far."""

    day: Integers  # the last one with a game, -1: none
    rating: Floats  # the last published one; NaN: none
    moved: Floats  # its changes, fading
    surprise: Floats  # score minus expectation, summed and fading
    games: Floats  # the games behind that, fading alike
    opponents: Floats  # the average of their ratings
    met: Floats  # how many


@formula
def faded(value: float, days: float, over: float) -> float:
    """Return what is left of a value after so many days."""
    return value * math.exp(-days / over)


@formula
def change(rating: float, player: int, memory: Memory) -> float:
    """Return the change of a published rating since the player's last event; 0 where one of the two is unknown."""
    found: float = rating - memory.rating[player]
    return 0.0 if math.isnan(found) else found


@formula
def informed_strength(
    rating: float, games: float, player: int, day: int, memory: Memory, numbers: Corrections
) -> float:
    """Return the tempered rating with four corrections: few games, recent change, surprises, opponents."""
    found: float = strength(rating, games, numbers.tempered)
    if math.isnan(rating):
        return found
    if rating < numbers.low_knot:
        found -= (numbers.lowest - numbers.tempered.below) * (numbers.low_knot - rating)
    if not math.isnan(games):
        share = min(games, numbers.tempered.provisional_games) / numbers.tempered.provisional_games
        found -= numbers.young * (1.0 - math.sqrt(share))
    if memory.day[player] >= 0:
        days = float(day - memory.day[player])
        if math.isnan(games):
            moved = faded(memory.moved[player] + change(rating, player, memory), days, numbers.settled)
            found -= numbers.recent * moved
        left = faded(1.0, days, numbers.memory)
        found += numbers.surprise * memory.surprise[player] * left / (memory.games[player] * left + numbers.doubt)
    if memory.met[player] > 0.0:
        share = min(max((numbers.fade - rating) / FADE_WIDTH, 0.0), 1.0)
        found += numbers.pull * share * (memory.opponents[player] - rating)
    return found


@formula
def begin_day(rating: float, player: int, day: int, memory: Memory, numbers: Corrections) -> None:
    """Let a player's memory fade to a day, and note the rating of that day.

    The second call of a day changes nothing.
    """
    if memory.day[player] >= 0 and memory.day[player] != day:
        days = float(day - memory.day[player])
        memory.moved[player] = faded(memory.moved[player] + change(rating, player, memory), days, numbers.settled)
        memory.surprise[player] = faded(memory.surprise[player], days, numbers.memory)
        memory.games[player] = faded(memory.games[player], days, numbers.memory)
    if memory.day[player] != day and not math.isnan(rating):
        memory.rating[player] = rating
    memory.day[player] = day


@formula
def learn(player: int, opponent: float, surprise: float, memory: Memory) -> None:
    """Learn from a game against a rated opponent."""
    memory.surprise[player] += surprise
    memory.games[player] += 1.0
    share = max(1.0 / (memory.met[player] + 1.0), LEAST_SHARE)
    memory.opponents[player] += share * (opponent - memory.opponents[player])
    memory.met[player] += 1.0


@formula
def run(
    one: Integers,
    two: Integers,
    score: Floats,
    white: Flags,
    day: Integers,
    rating: Floats,
    played: Floats,
    memory: Memory,
    numbers: Corrections,
    predictions: Floats,
) -> None:
    """One day after another: all of its games are predicted before any of them is remembered."""
    first, games = 0, len(score)
    while first < games:
        last, today = first, day[first]
        while last < games and day[last] == today:
            a, b = one[last], two[last]
            strength_a = informed_strength(rating[last, 0], played[last, 0], a, today, memory, numbers)
            strength_b = informed_strength(rating[last, 1], played[last, 1], b, today, memory, numbers)
            deviation_a = opening_deviation(rating[last, 0], played[last, 0], numbers.tempered)
            deviation_b = opening_deviation(rating[last, 1], played[last, 1], numbers.tempered)
            both = weight(math.sqrt(deviation_a * deviation_a + deviation_b * deviation_b)) * numbers.tempered.slope
            predictions[last] = expected(strength_a + numbers.tempered.white * white[last], strength_b, both)
            last += 1
        for game in range(first, last):
            for side in range(2):
                begin_day(rating[game, side], one[game] if side == 0 else two[game], today, memory, numbers)
        for game in range(first, last):
            if not math.isnan(rating[game, 0]) and not math.isnan(rating[game, 1]):
                surprise = score[game] - predictions[game]
                learn(one[game], rating[game, 1], surprise, memory)
                learn(two[game], rating[game, 0], -surprise, memory)
        first = last
