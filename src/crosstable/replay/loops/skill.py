"""TrueSkill and Weng–Lin over a history, game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crosstable.systems.formula import formula
from crosstable.systems.skill.formulas import after, drifted, predicted

if TYPE_CHECKING:
    from crosstable.replay.arrays import Floats, Integers
    from crosstable.replay.periods import Periods
    from crosstable.replay.skill import SkillRatings
    from crosstable.systems.skill.system import SkillNumbers


@formula
def run(history: Periods, ratings: SkillRatings, numbers: SkillNumbers) -> None:
    white, black, score = history.white, history.black, history.score
    rating, deviation, predictions = ratings.rating, ratings.deviation, ratings.predictions
    beta, tau, limit, by_logistic = numbers.beta, numbers.tau, numbers.limit, numbers.by_logistic
    for game in range(len(score)):
        w, b = white[game], black[game]
        own, other = rating[w], rating[b]
        if len(predictions) > 0:
            predictions[game] = predicted(own, deviation[w], other, deviation[b], beta, limit, by_logistic)
        wide_w, wide_b = drifted(deviation[w], tau), drifted(deviation[b], tau)
        gain_w, deviation[w] = after(own, wide_w, other, wide_b, score[game], beta, limit, by_logistic)
        gain_b, deviation[b] = after(other, wide_b, own, wide_w, 1.0 - score[game], beta, limit, by_logistic)
        rating[w] += gain_w
        rating[b] += gain_b
        ratings.games[w] += 1
        ratings.games[b] += 1


@formula
def expect(
    white: Integers, black: Integers, rating: Floats, deviation: Floats, numbers: SkillNumbers, predictions: Floats
) -> None:
    """Return White's expected score of games to come; no rating changes."""
    for game in range(len(predictions)):
        w, b = white[game], black[game]
        predictions[game] = predicted(
            rating[w], deviation[w], rating[b], deviation[b], numbers.beta, numbers.limit, numbers.by_logistic
        )
