"""TrueSkill and Weng–Lin through a whole history at array speed, game by game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.periods import NEWCOMERS, Opening, Periods, Predict, filled, loop, room_for_predictions
from crosstable.systems.skill import SkillSystem


class SkillRatings(NamedTuple):
    rating: Floats
    deviation: Floats
    games: Integers
    predictions: Floats  # White's expected score of every game, if asked for


def expectations(white: Integers, black: Integers, rating: Floats, deviation: Floats, system: SkillSystem) -> Floats:
    """Return White's expected score of games to come."""
    predictions = np.zeros(len(white))
    loop("skill").expect(white, black, rating, deviation, system.numbers(system.latest), predictions)
    return predictions


def replay(
    history: Periods,
    system: SkillSystem,
    opening: Opening = NEWCOMERS,
    *,
    predict: Predict = False,
    fast: bool = True,
) -> SkillRatings:
    """Return the skills after the last game; only the order of the games counts, not the periods."""
    start = system.latest["start"]
    ratings = SkillRatings(
        filled(opening.rating, history.players, float(start["rating"])),
        filled(opening.deviation, history.players, float(start["deviation"])),
        np.zeros(history.players, dtype=np.int64),
        room_for_predictions(history, predict),
    )
    loop("skill", fast).run(history, ratings, system.numbers(system.latest))
    return ratings
