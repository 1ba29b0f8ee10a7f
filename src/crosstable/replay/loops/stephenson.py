"""Stephenson's system over a history of periods."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from crosstable.systems.formula import formula
from crosstable.systems.glicko.formulas import aged, expected, gain, information, predicted, variance_after, weight
from crosstable.systems.stephenson.formulas import pull, widened

if TYPE_CHECKING:
    from crosstable.replay.periods import Floats, Integers

NEVER = -1  # the day of a player who has not played


@formula
def run(
    white: Integers,
    black: Integers,
    score: Floats,
    colour: Floats,
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
    h: float,
    bonus: float,
    share: float,
    white_rated: float,
    white_predicted: float,
    weights: Floats,
    precision: Floats,
    surprise: Floats,
    opponents: Floats,
    played: Integers,
    predictions: Floats,
) -> None:
    """`colour` is 1 where `white` has White and 0 where nobody knows. `weights` to `played` are room to work in."""
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
                    opponents[player] = 0.0
                played[player] += 1
        for game in range(start, end):
            w, b = white[game], black[game]
            edge = white_rated * colour[game]
            chance_w = expected(rating[w] + edge, rating[b], weights[b])
            chance_b = expected(rating[b] - edge, rating[w], weights[w])
            if len(predictions) > 0:
                ahead = white_predicted * colour[game]
                predictions[game] = predicted(rating[w] + ahead, deviation[w], rating[b], deviation[b])
            precision[w] += information(weights[b], chance_w)
            precision[b] += information(weights[w], chance_b)
            surprise[w] += gain(1.0, weights[b], score[game] + bonus, chance_w)
            surprise[b] += gain(1.0, weights[w], 1.0 - score[game] + bonus, chance_b)
            opponents[w] += rating[b]
            opponents[b] += rating[w]
        for game in range(start, end):
            for side in range(2):
                player = white[game] if side == 0 else black[game]
                if played[player] > 0:
                    wide = widened(deviation[player], h, float(played[player]))
                    variance = variance_after(wide, precision[player])
                    pulled = pull(rating[player], opponents[player] / played[player], share)
                    rating[player] += variance * surprise[player] + pulled
                    deviation[player] = max(math.sqrt(variance), least)
                    games[player] += played[player]
                    last[player] = today
                    played[player] = 0
