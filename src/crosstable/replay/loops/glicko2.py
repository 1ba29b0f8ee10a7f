"""Glicko-2 over a history of periods, on the Glicko-2 scale (mu, phi, sigma)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

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
    from crosstable.replay.periods import Floats, Integers

NEVER = -1  # the day of a player who has not played


@formula
def run(
    white: Integers,
    black: Integers,
    score: Floats,
    first: Integers,
    day: Integers,
    mu: Floats,
    phi: Floats,
    sigma: Floats,
    games: Integers,
    last: Integers,
    tau: float,
    tolerance: float,
    most_steps: int,
    days: float,
    fractional: bool,
    weights: Floats,
    precision: Floats,
    surprise: Floats,
    played: Integers,
    predictions: Floats,
) -> None:
    """`weights`, `precision`, `surprise` and `played` are room to work in, zeros of the players' number."""
    for period in range(len(first) - 1):
        start, end, today = first[period], first[period + 1], day[period]
        for game in range(start, end):
            for side in range(2):
                player = white[game] if side == 0 else black[game]
                if played[player] == 0:
                    weights[player] = weight(phi[player])
                    precision[player] = 0.0
                    surprise[player] = 0.0
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
                    if fractional:
                        periods = 0.0 if last[player] == NEVER else max(today - last[player], 0) / days
                    star = widened(phi[player], sigma[player], periods)
                    variance = variance_after(star, precision[player])
                    mu[player] += variance * surprise[player]
                    phi[player] = math.sqrt(variance)
                    games[player] += played[player]
                    last[player] = today
                    played[player] = 0


@formula
def expect(white: Integers, black: Integers, mu: Floats, phi: Floats, predictions: Floats) -> None:
    """White's expected score of games to come; nobody's rating changes."""
    for game in range(len(predictions)):
        w, b = white[game], black[game]
        predictions[game] = predicted(mu[w], phi[w], mu[b], phi[b])
