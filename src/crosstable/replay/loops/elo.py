"""Elo over a history of periods: everybody is rated from the ratings before the period."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from crosstable.systems.elo.formulas import expected, k_factor
from crosstable.systems.formula import formula

if TYPE_CHECKING:
    from crosstable.replay.periods import Floats, Integers


@formula
def run(
    white: Integers,
    black: Integers,
    score: Floats,
    first: Integers,
    rating: Floats,
    games: Integers,
    games_below: Sequence[float],
    rating_below: Sequence[float],
    k: Sequence[float],
    scale: float,
    normal: bool,
    surplus: Floats,
    played: Integers,
    predictions: Floats,
) -> None:
    """`surplus` and `played` are zeros of the players' number; `predictions` is empty or one per game."""
    for period in range(len(first) - 1):
        for game in range(first[period], first[period + 1]):
            w, b = white[game], black[game]
            chance = expected(rating[w] - rating[b], scale, normal)
            if len(predictions) > 0:
                predictions[game] = chance
            surplus[w] += score[game] - chance
            surplus[b] += chance - score[game]
            played[w] += 1
            played[b] += 1
        for game in range(first[period], first[period + 1]):
            for side in range(2):
                player = white[game] if side == 0 else black[game]
                if played[player] > 0:
                    factor = k_factor(rating[player], games[player], games_below, rating_below, k)
                    rating[player] += factor * surplus[player]
                    games[player] += played[player]
                    surplus[player] = 0.0
                    played[player] = 0
