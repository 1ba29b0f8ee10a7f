"""Elo over a history of periods: everybody is rated from the ratings before the period.

One pass over the games: what a player earned waits until the player's next period, or the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from crosstable.systems.elo.formulas import expected, k_factor
from crosstable.systems.formula import formula

if TYPE_CHECKING:
    from crosstable.replay.elo import Records
    from crosstable.replay.periods import Floats, Integers


@formula
def settle(
    states: Records,
    player: int,
    period: int,
    games_below: Sequence[float],
    rating_below: Sequence[float],
    k: Sequence[float],
) -> None:
    """The changes of the player's last period become the rating; a new period begins."""
    factor = k_factor(states[player]["rating"], states[player]["games"], games_below, rating_below, k)
    states[player]["rating"] += factor * states[player]["surplus"]
    states[player]["games"] += states[player]["played"]
    states[player]["surplus"] = 0.0
    states[player]["played"] = 0
    states[player]["period"] = period


@formula
def run(
    white: Integers,
    black: Integers,
    score: Floats,
    first: Integers,
    states: Records,
    games_below: Sequence[float],
    rating_below: Sequence[float],
    k: Sequence[float],
    scale: float,
    normal: bool,
    predictions: Floats,
) -> None:
    """`states`: one record per player; `predictions` is empty or one per game."""
    for period in range(len(first) - 1):
        for game in range(first[period], first[period + 1]):
            w, b = white[game], black[game]
            if states[w]["period"] != period:
                settle(states, w, period, games_below, rating_below, k)
            if states[b]["period"] != period:
                settle(states, b, period, games_below, rating_below, k)
            chance = expected(states[w]["rating"] - states[b]["rating"], scale, normal)
            if len(predictions) > 0:
                predictions[game] = chance
            states[w]["surplus"] += score[game] - chance
            states[b]["surplus"] += chance - score[game]
            states[w]["played"] += 1
            states[b]["played"] += 1
    for player in range(len(states)):
        settle(states, player, -1, games_below, rating_below, k)
