"""Glicko-2 over a history of periods, on the Glicko-2 scale (mu, phi, sigma)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

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
    from crosstable.replay.glicko import GlickoRatings, Numbers2
    from crosstable.replay.periods import Floats, Integers, Periods

NEVER = -1  # the day of a player who has not played


@formula
def run(
    history: Periods, ratings: GlickoRatings, sigma: Floats, numbers: Numbers2, room: Any, played: Integers
) -> None:
    """`room` (three rows) and `played`: zeros to work in."""
    white, black, score, first = history.white, history.black, history.score, history.first
    mu, phi, last = ratings.rating, ratings.deviation, ratings.last
    predictions = ratings.predictions
    weights, precision, surprise = room[0], room[1], room[2]
    tau, tolerance, most_steps = numbers.tau, numbers.tolerance, numbers.most_steps
    for period in range(len(first) - 1):
        start, end, today = first[period], first[period + 1], history.day[period]
        for game in range(start, end):
            for side in range(2):
                player = white[game] if side == 0 else black[game]
                if played[player] == 0:
                    weights[player] = weight(phi[player])
                    precision[player] = surprise[player] = 0.0
                played[player] += 1
        for game in range(start, end):
            w, b = white[game], black[game]
            chance_w = expected(mu[w], mu[b], weights[b])
            chance_b = expected(mu[b], mu[w], weights[w])
            if len(predictions) > 0:
                predictions[game] = predicted(mu[w], phi[w], mu[b], phi[b])
            precision[w] += information(weights[b], chance_w)
            precision[b] += information(weights[w], chance_b)
            surprise[w] += weights[b] * (score[game] - chance_w)
            surprise[b] += weights[w] * (1.0 - score[game] - chance_b)
        for game in range(start, end):
            for side in range(2):
                player = white[game] if side == 0 else black[game]
                if played[player] > 0:
                    v = 1.0 / precision[player]
                    delta = v * surprise[player]
                    sigma[player] = new_volatility(sigma[player], delta, phi[player], v, tau, tolerance, most_steps)
                    periods = 1.0
                    if numbers.fractional:
                        periods = 0.0 if last[player] == NEVER else max(today - last[player], 0) / numbers.days
                    star = widened(phi[player], sigma[player], periods)
                    variance = variance_after(star, precision[player])
                    mu[player] += variance * surprise[player]
                    phi[player] = math.sqrt(variance)
                    ratings.games[player] += played[player]
                    last[player] = today
                    played[player] = 0


@formula
def expect(white: Integers, black: Integers, mu: Floats, phi: Floats, predictions: Floats) -> None:
    """White's expected score of games to come; nobody's rating changes."""
    for game in range(len(predictions)):
        w, b = white[game], black[game]
        predictions[game] = predicted(mu[w], phi[w], mu[b], phi[b])
