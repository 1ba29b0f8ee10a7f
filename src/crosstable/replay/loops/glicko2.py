"""Glicko-2 over a history of periods, on the Glicko-2 scale (mu, phi, sigma)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from crosstable.replay.loops.seats import stand_up, take_seats
from crosstable.systems.formula import formula
from crosstable.systems.glicko2.formulas import (
    expected,
    information,
    new_volatility,
    predicted,
    variance_after,
    weight,
    widened,
)

if TYPE_CHECKING:
    from crosstable.replay.arrays import Floats, Integers
    from crosstable.replay.glicko import GlickoRatings, Numbers2
    from crosstable.replay.periods import Periods, PeriodSeats

NEVER = -1  # the day of a player who has not played


@formula
def run(
    history: Periods, ratings: GlickoRatings, sigma: Floats, numbers: Numbers2, seats: PeriodSeats, room: Any
) -> None:
    """`room`: five numbers for each seat."""
    score, first, last, predictions = history.score, history.first, ratings.last, ratings.predictions
    mu, phi, weights, precision, surprise = room[0], room[1], room[2], room[3], room[4]
    tau, tolerance, most_steps = numbers.tau, numbers.tolerance, numbers.most_steps
    for period in range(len(first) - 1):
        start, today = first[period], history.day[period]
        taken = take_seats(history, period, seats)
        for seat in range(taken):
            player = seats.player[seat]
            mu[seat], phi[seat] = ratings.rating[player], ratings.deviation[player]
            weights[seat] = weight(phi[seat])
            precision[seat] = surprise[seat] = 0.0
        for game in range(start, first[period + 1]):
            w, b = seats.white[game - start], seats.black[game - start]
            chance_w = expected(mu[w], mu[b], weights[b])
            chance_b = expected(mu[b], mu[w], weights[w])
            if len(predictions) > 0:
                predictions[game] = predicted(mu[w], phi[w], mu[b], phi[b])
            precision[w] += information(weights[b], chance_w)
            precision[b] += information(weights[w], chance_b)
            surprise[w] += weights[b] * (score[game] - chance_w)
            surprise[b] += weights[w] * (1.0 - score[game] - chance_b)
        for seat in range(taken):
            player = seats.player[seat]
            v = 1.0 / precision[seat]
            delta = v * surprise[seat]
            sigma[player] = new_volatility(sigma[player], delta, phi[seat], v, tau, tolerance, most_steps)
            periods = 1.0
            if numbers.fractional:
                periods = 0.0 if last[player] == NEVER else max(today - last[player], 0) / numbers.days
            variance = variance_after(widened(phi[seat], sigma[player], periods), precision[seat])
            ratings.rating[player] = mu[seat] + variance * surprise[seat]
            ratings.deviation[player] = math.sqrt(variance)
            ratings.games[player] += seats.games[seat]
            last[player] = today
        stand_up(seats, taken)


@formula
def expect(white: Integers, black: Integers, mu: Floats, phi: Floats, predictions: Floats) -> None:
    """Return White's expected score of games to come; no rating changes."""
    for game in range(len(predictions)):
        w, b = white[game], black[game]
        predictions[game] = predicted(mu[w], phi[w], mu[b], phi[b])
