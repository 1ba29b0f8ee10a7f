"""Glicko-Boost over a history of periods."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from crosstable.systems.formula import formula
from crosstable.systems.glicko.formulas import LEAST, expected, gain, information, predicted, variance_after, weight
from crosstable.systems.glicko_boost.formulas import boosted, grown, surprise_size

if TYPE_CHECKING:
    from crosstable.replay.glicko import GlickoRatings
    from crosstable.replay.periods import Flags, Floats, Integers, Periods

NEVER = -1  # the day of a player who has not played


@formula
def run(
    history: Periods, ratings: GlickoRatings, colour: Flags, alpha: Sequence[float], days: float, most: float,
    advantage: float, boost: tuple[float, float, float], room: Any, played: Integers,
) -> None:  # fmt: skip
    """`boost` is (k, B1, B2). `room` has seven rows of zeros, as long as the players: to work in:
    the deviations to start from, ratings and deviations after both updates, and two sums."""
    reset, rating_2, deviation_2 = room[0], room[3], room[4]
    white, black, score, first = history.white, history.black, history.score, history.first
    rating, deviation, last, predictions = ratings.rating, ratings.deviation, ratings.last, ratings.predictions
    for period in range(len(first) - 1):
        start, end, today = first[period], first[period + 1], history.day[period]
        for game in range(start, end):
            for side in range(2):
                player = white[game] if side == 0 else black[game]
                if played[player] == 0:
                    if last[player] != NEVER:
                        time = max(today - last[player], 0) / days
                        deviation[player] = grown(deviation[player], rating[player], alpha, time, most)
                    reset[player] = deviation[player]
                played[player] += 1
        if len(predictions) > 0:
            for game in range(start, end):
                w, b = white[game], black[game]
                ahead = advantage * colour[game]
                predictions[game] = predicted(rating[w] + ahead, deviation[w], rating[b], deviation[b])
        both_updates(white, black, score, colour, start, end, rating, reset, advantage, room, played)
        if find_boosts(white, black, score, colour, start, end, rating, reset, advantage, boost, room, played):
            both_updates(white, black, score, colour, start, end, rating, reset, advantage, room, played)
        for game in range(start, end):
            for side in range(2):
                player = white[game] if side == 0 else black[game]
                if played[player] > 0:
                    rating[player], deviation[player] = rating_2[player], deviation_2[player]
                    ratings.games[player] += played[player]
                    last[player] = today
                    played[player] = 0


@formula
def both_updates(
    white: Integers, black: Integers, score: Floats, colour: Flags, start: int, end: int, rating: Floats,
    reset: Floats, advantage: float, room: Any, played: Integers,
) -> None:  # fmt: skip
    """First against the opponents before the period, then against them as the first update leaves them."""
    update(
        white, black, score, colour, start, end, rating, reset, rating, reset, room[1], room[2], advantage, room, played
    )
    update(
        white,
        black,
        score,
        colour,
        start,
        end,
        rating,
        reset,
        room[1],
        room[2],
        room[3],
        room[4],
        advantage,
        room,
        played,
    )


@formula
def update(
    white: Integers, black: Integers, score: Floats, colour: Flags, start: int, end: int, rating: Floats,
    deviation: Floats, opponents: Floats, opponents_deviation: Floats, new_rating: Floats, new_deviation: Floats,
    advantage: float, room: Any, played: Integers,
) -> None:  # fmt: skip
    precision, surprise = room[5], room[6]
    for game in range(start, end):
        precision[white[game]] = surprise[white[game]] = 0.0
        precision[black[game]] = surprise[black[game]] = 0.0
    for game in range(start, end):
        w, b = white[game], black[game]
        edge = advantage * colour[game]
        weight_w, weight_b = weight(opponents_deviation[w]), weight(opponents_deviation[b])
        precision[w] += information(weight_b, expected(rating[w], opponents[b], weight_b))
        precision[b] += information(weight_w, expected(rating[b], opponents[w], weight_w))
        surprise[w] += gain(1.0, weight_b, score[game], expected(rating[w] + edge, opponents[b], weight_b))
        surprise[b] += gain(1.0, weight_w, 1.0 - score[game], expected(rating[b] - edge, opponents[w], weight_w))
    for game in range(start, end):
        for side in range(2):
            player = white[game] if side == 0 else black[game]
            if played[player] > 0:
                variance = variance_after(deviation[player], precision[player])
                new_rating[player] = rating[player] + variance * surprise[player]
                new_deviation[player] = math.sqrt(variance)


@formula
def find_boosts(
    white: Integers, black: Integers, score: Floats, colour: Flags, start: int, end: int, rating: Floats,
    reset: Floats, advantage: float, boost: tuple[float, float, float], room: Any, played: Integers,
) -> bool:  # fmt: skip
    """Whoever did exceptionally well starts over with a wider deviation."""
    opponents, opponents_deviation, above, variance = room[3], room[4], room[5], room[6]
    for game in range(start, end):
        above[white[game]] = variance[white[game]] = 0.0
        above[black[game]] = variance[black[game]] = 0.0
    for game in range(start, end):
        w, b = white[game], black[game]
        edge = advantage * colour[game]
        weight_w, weight_b = weight(opponents_deviation[w]), weight(opponents_deviation[b])
        chance_w = expected(rating[w] + edge, opponents[b], weight_b)
        chance_b = expected(rating[b] - edge, opponents[w], weight_w)
        above[w] += weight_b * (score[game] - chance_w)
        above[b] += weight_w * (1.0 - score[game] - chance_b)
        variance[w] += weight_b * weight_b * max(chance_w * (1.0 - chance_w), LEAST)
        variance[b] += weight_w * weight_w * max(chance_b * (1.0 - chance_b), LEAST)
    found = False
    for game in range(start, end):
        for side in range(2):
            player = white[game] if side == 0 else black[game]
            if played[player] > 0 and variance[player] > 0.0:
                z = surprise_size(above[player], variance[player])
                wide = boosted(reset[player], z, boost[0], boost[1], boost[2])
                found = found or wide > reset[player]
                reset[player] = wide
                variance[player] = 0.0
    return found
