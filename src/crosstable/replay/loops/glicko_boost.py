"""Glicko-Boost over a history of periods."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from crosstable.replay.loops.seats import stand_up, take_seats
from crosstable.systems.formula import formula
from crosstable.systems.glicko.formulas import LEAST, expected, gain, information, predicted, variance_after, weight
from crosstable.systems.glicko_boost.formulas import boosted, grown, surprise_size

if TYPE_CHECKING:
    from crosstable.replay.arrays import Flags, Floats
    from crosstable.replay.glicko import GlickoRatings
    from crosstable.replay.periods import Periods, PeriodSeats

NEVER = -1  # the day of a player who has not played


@formula
def run(
    history: Periods,
    ratings: GlickoRatings,
    colour: Flags,
    alpha: Sequence[float],
    days: float,
    most: float,
    advantage: float,
    boost: tuple[float, float, float],
    seats: PeriodSeats,
    room: Any,
) -> None:
    """`boost` is (k, B1, B2). `room` has eight numbers for each seat: the rating before the period and the deviation to
    start from, both after the first and after the second update, and two sums."""
    rating, deviation, rating_2, deviation_2 = room[0], room[1], room[4], room[5]
    first, last, predictions = history.first, ratings.last, ratings.predictions
    for period in range(len(first) - 1):
        start, end, today = first[period], first[period + 1], history.day[period]
        score, white_known = history.score[start:end], colour[start:end]
        taken = take_seats(history, period, seats)
        for seat in range(taken):
            player = seats.player[seat]
            rating[seat] = ratings.rating[player]
            deviation[seat] = on_day(player, today, ratings, alpha, days, most)
        if len(predictions) > 0:
            for game in range(end - start):
                w, b = seats.white[game], seats.black[game]
                ahead = advantage * white_known[game]
                predictions[start + game] = predicted(rating[w] + ahead, deviation[w], rating[b], deviation[b])
        both_updates(score, white_known, advantage, seats, taken, room)
        if find_boosts(score, white_known, advantage, boost, seats, taken, room):
            both_updates(score, white_known, advantage, seats, taken, room)
        for seat in range(taken):
            player = seats.player[seat]
            ratings.rating[player], ratings.deviation[player] = rating_2[seat], deviation_2[seat]
            ratings.games[player] += seats.games[seat]
            last[player] = today
        stand_up(seats, taken)


@formula
def expect(
    white: Any,
    black: Any,
    day: Any,
    ratings: GlickoRatings,
    alpha: Sequence[float],
    days: float,
    most: float,
    advantage: float,
    predictions: Floats,
) -> None:
    """Return White's expected score of games to come, on each game's day; no rating changes."""
    for game in range(len(predictions)):
        w, b = white[game], black[game]
        spread_w = on_day(w, day[game], ratings, alpha, days, most)
        spread_b = on_day(b, day[game], ratings, alpha, days, most)
        predictions[game] = predicted(ratings.rating[w] + advantage, spread_w, ratings.rating[b], spread_b)


@formula
def on_day(player: int, day: int, ratings: GlickoRatings, alpha: Sequence[float], days: float, most: float) -> float:
    """Return a player's deviation grown to a day; a newcomer's does not grow."""
    deviation: float = ratings.deviation[player]
    if ratings.last[player] == NEVER:
        return deviation
    return grown(deviation, ratings.rating[player], alpha, max(day - ratings.last[player], 0) / days, most)


@formula
def both_updates(score: Floats, colour: Flags, advantage: float, seats: PeriodSeats, taken: int, room: Any) -> None:
    """First against the opponents before the period, then against them as the first update leaves them."""
    update(score, colour, advantage, seats, taken, room, 0, 2)
    update(score, colour, advantage, seats, taken, room, 2, 4)


@formula
def update(
    score: Floats, colour: Flags, advantage: float, seats: PeriodSeats, taken: int, room: Any, against: int, into: int
) -> None:
    """`against` and `into`: the room's rows with the opponents' ratings and deviations, and for the new ones."""
    rating, deviation, precision, surprise = room[0], room[1], room[6], room[7]
    opponents, opponents_deviation = room[against], room[against + 1]
    room[6:8, :taken] = 0.0
    for game in range(len(score)):
        w, b = seats.white[game], seats.black[game]
        edge = advantage * colour[game]
        weight_w, weight_b = weight(opponents_deviation[w]), weight(opponents_deviation[b])
        precision[w] += information(weight_b, expected(rating[w], opponents[b], weight_b))
        precision[b] += information(weight_w, expected(rating[b], opponents[w], weight_w))
        surprise[w] += gain(1.0, weight_b, score[game], expected(rating[w] + edge, opponents[b], weight_b))
        surprise[b] += gain(1.0, weight_w, 1.0 - score[game], expected(rating[b] - edge, opponents[w], weight_w))
    for seat in range(taken):
        variance = variance_after(deviation[seat], precision[seat])
        room[into][seat] = rating[seat] + variance * surprise[seat]
        room[into + 1][seat] = math.sqrt(variance)


@formula
def find_boosts(
    score: Floats,
    colour: Flags,
    advantage: float,
    boost: tuple[float, float, float],
    seats: PeriodSeats,
    taken: int,
    room: Any,
) -> bool:
    """Widen the deviation of players who did exceptionally well."""
    rating, deviation, opponents, opponents_deviation = room[0], room[1], room[4], room[5]
    above, variance = room[6], room[7]
    room[6:8, :taken] = 0.0
    for game in range(len(score)):
        w, b = seats.white[game], seats.black[game]
        edge = advantage * colour[game]
        weight_w, weight_b = weight(opponents_deviation[w]), weight(opponents_deviation[b])
        chance_w = expected(rating[w] + edge, opponents[b], weight_b)
        chance_b = expected(rating[b] - edge, opponents[w], weight_w)
        above[w] += weight_b * (score[game] - chance_w)
        above[b] += weight_w * (1.0 - score[game] - chance_b)
        variance[w] += weight_b * weight_b * max(chance_w * (1.0 - chance_w), LEAST)
        variance[b] += weight_w * weight_w * max(chance_b * (1.0 - chance_b), LEAST)
    found = False
    for seat in range(taken):
        z = surprise_size(above[seat], variance[seat])
        wide = boosted(deviation[seat], z, boost[0], boost[1], boost[2])
        found = found or wide > deviation[seat]
        deviation[seat] = wide
    return found
