"""Glicko over a history of periods."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from crosstable.systems.formula import formula
from crosstable.systems.glicko.formulas import aged, expected, gain, information, predicted, variance_after, weight

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
    rating: Floats,
    deviation: Floats,
    games: Integers,
    last: Integers,
    c: float,
    days: float,
    least: float,
    most: float,
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
                    if last[player] != NEVER:
                        time = max(today - last[player], 0) / days
                        deviation[player] = max(aged(deviation[player], c, time, most), least)
                    weights[player] = weight(deviation[player])
                    precision[player] = 0.0
                    surprise[player] = 0.0
                played[player] += 1
        for game in range(start, end):
            w, b = white[game], black[game]
            chance_w = expected(rating[w], rating[b], weights[b])
            chance_b = expected(rating[b], rating[w], weights[w])
            if len(predictions) > 0:
                predictions[game] = predicted(rating[w], deviation[w], rating[b], deviation[b])
            precision[w] += information(weights[b], chance_w)
            precision[b] += information(weights[w], chance_b)
            surprise[w] += gain(1.0, weights[b], score[game], chance_w)
            surprise[b] += gain(1.0, weights[w], 1.0 - score[game], chance_b)
        for game in range(start, end):
            for side in range(2):
                player = white[game] if side == 0 else black[game]
                if played[player] > 0:
                    variance = variance_after(deviation[player], precision[player])
                    rating[player] += variance * surprise[player]
                    deviation[player] = max(math.sqrt(variance), least)
                    games[player] += played[player]
                    last[player] = today
                    played[player] = 0


@formula
def expect(
    white: Integers,
    black: Integers,
    day: Integers,
    rating: Floats,
    deviation: Floats,
    last: Integers,
    c: float,
    days: float,
    least: float,
    most: float,
    predictions: Floats,
) -> None:
    """White's expected score of games to come, on each game's day; nobody's rating changes."""
    for game in range(len(predictions)):
        w, b = white[game], black[game]
        spread_w, spread_b = deviation[w], deviation[b]
        if last[w] != NEVER:
            spread_w = max(aged(spread_w, c, max(day[game] - last[w], 0) / days, most), least)
        if last[b] != NEVER:
            spread_b = max(aged(spread_b, c, max(day[game] - last[b], 0) / days, most), least)
        predictions[game] = predicted(rating[w], spread_w, rating[b], spread_b)
