"""Glicko over a history of periods, and Stephenson's system, of which Glicko is the case h = b = lambda = 0."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from crosstable.replay.loops.seats import stand_up, take_seats
from crosstable.systems.formula import formula
from crosstable.systems.glicko.formulas import aged, expected, gain, information, predicted, variance_after, weight
from crosstable.systems.stephenson.formulas import pull, widened

if TYPE_CHECKING:
    from crosstable.replay.arrays import Flags, Floats, Integers
    from crosstable.replay.glicko import GlickoParameters, GlickoRatings
    from crosstable.replay.periods import Periods, PeriodSeats

NEVER = -1  # the day of a player who has not played


@formula
def on_day(player: int, day: int, ratings: GlickoRatings, numbers: GlickoParameters) -> float:
    """Return a player's deviation aged to a day; a newcomer's does not age."""
    deviation: float = ratings.deviation[player]
    if ratings.last[player] == NEVER:
        return deviation
    time = max(day - ratings.last[player], 0) / numbers.days
    return max(aged(deviation, numbers.c, time, numbers.most), numbers.least)


@formula
def run(
    history: Periods, ratings: GlickoRatings, numbers: GlickoParameters, colour: Flags, seats: PeriodSeats, room: Any
) -> None:
    """`colour` says where `white` has White; elsewhere the colours are unknown. `room`: six numbers for each seat."""
    score, first, predictions = history.score, history.first, ratings.predictions
    rating, deviation, weights, precision, surprise, opponents = room[0], room[1], room[2], room[3], room[4], room[5]
    for period in range(len(first) - 1):
        start, today = first[period], history.day[period]
        taken = take_seats(history, period, seats)
        for seat in range(taken):
            player = seats.player[seat]
            rating[seat] = ratings.rating[player]
            deviation[seat] = on_day(player, today, ratings, numbers)
            weights[seat] = weight(deviation[seat])
            precision[seat] = surprise[seat] = opponents[seat] = 0.0
        for game in range(start, first[period + 1]):
            w, b = seats.white[game - start], seats.black[game - start]
            edge = numbers.white_rated * colour[game]
            chance_w = expected(rating[w] + edge, rating[b], weights[b])
            chance_b = expected(rating[b] - edge, rating[w], weights[w])
            if len(predictions) > 0:
                ahead = numbers.white_predicted * colour[game]
                predictions[game] = predicted(rating[w] + ahead, deviation[w], rating[b], deviation[b])
            precision[w] += information(weights[b], chance_w)
            precision[b] += information(weights[w], chance_b)
            surprise[w] += gain(1.0, weights[b], score[game] + numbers.bonus, chance_w)
            surprise[b] += gain(1.0, weights[w], 1.0 - score[game] + numbers.bonus, chance_b)
            opponents[w] += rating[b]
            opponents[b] += rating[w]
        for seat in range(taken):
            player, games = seats.player[seat], seats.games[seat]
            variance = variance_after(widened(deviation[seat], numbers.h, float(games)), precision[seat])
            pulled = pull(rating[seat], opponents[seat] / games, numbers.share)
            ratings.rating[player] = rating[seat] + (variance * surprise[seat] + pulled)
            ratings.deviation[player] = max(math.sqrt(variance), numbers.least)
            ratings.games[player] += games
            ratings.last[player] = today
        stand_up(seats, taken)


@formula
def expect(
    white: Integers,
    black: Integers,
    day: Integers,
    ratings: GlickoRatings,
    numbers: GlickoParameters,
    predictions: Floats,
) -> None:
    """Return White's expected score of games to come, on each game's day; no rating changes."""
    for game in range(len(predictions)):
        w, b = white[game], black[game]
        spread_w, spread_b = on_day(w, day[game], ratings, numbers), on_day(b, day[game], ratings, numbers)
        predictions[game] = predicted(
            ratings.rating[w] + numbers.white_predicted, spread_w, ratings.rating[b], spread_b
        )
