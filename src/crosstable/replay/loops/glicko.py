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
