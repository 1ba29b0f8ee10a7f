"""What every system has to beat: one half, White's share of the points, and the ratings that were published."""

from __future__ import annotations

import math

import numpy as np

from crosstable.lab.predictors.base import Predictor, Settings, TunedParameter
from crosstable.lab.source import Source
from crosstable.replay.arrays import Floats

#: Two draws to begin with: before any game it is unknown that White scores more
PRIOR_GAMES = 2.0


def _half(source: Source, settings: Settings) -> Floats:  # noqa: ARG001 - every predictor is called alike
    return np.full(len(source.games), 0.5)


def _whites_share(source: Source, settings: Settings) -> Floats:  # noqa: ARG001 - as above
    """Return what White had scored before that day, in the games whose colours are known."""
    games = source.games
    days, period = np.unique(games.day, return_inverse=True)
    played = np.bincount(period, weights=games.white, minlength=len(days))
    points = np.bincount(period, weights=np.where(games.white, games.score, 0.0), minlength=len(days))
    before_played, before_points = np.cumsum(played) - played, np.cumsum(points) - points
    share = (before_points + PRIOR_GAMES / 2) / (before_played + PRIOR_GAMES)
    return np.where(games.white, share[period], 0.5)


def logistic(difference: Floats, scale: float = 400.0) -> Floats:
    """Return the standard expectancy of a rating difference."""
    return np.asarray(1.0 / (1.0 + np.exp(-math.log(10.0) / scale * difference)))


def _published(source: Source, settings: Settings) -> Floats:
    """Return the standard expectancy of the ratings before the event; 1/2 where one player has none."""
    games = source.games
    provisional = (~np.isnan(games.played)).any(axis=1)
    slope = np.where(provisional, settings["slope"] * settings["provisional"], settings["slope"])
    advantage = np.where(games.white, settings["white"], 0.0)
    difference = games.rating[:, 0] - games.rating[:, 1] + advantage
    return logistic(np.where(np.isnan(difference), 0.0, slope * difference))


CONSTANT = Predictor("constant", "Always one half", _half)
WHITE = Predictor("white", "White's share of the points so far", _whites_share)
PUBLISHED = Predictor(
    "published",
    "Published ratings",
    _published,
    (
        TunedParameter("slope", 1.0, 0.3, 1.5, "how much of a rating difference counts"),
        TunedParameter("provisional", 1.0, 0.3, 1.5, "the same again where a player is provisional"),
        TunedParameter("white", 0.0, 0.0, 80.0, "points for White, where the colours are known"),
    ),
    needs_ratings=True,
)
