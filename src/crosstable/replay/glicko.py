"""Glicko and Glicko-2 through a whole history at array speed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import ArrayLike

from crosstable.replay.periods import Floats, Integers, Periods, counts, filled, loop, no_predictions, zeros
from crosstable.systems.glicko import SYSTEM as GLICKO
from crosstable.systems.glicko import Glicko
from crosstable.systems.glicko2 import SYSTEM as GLICKO2
from crosstable.systems.glicko2 import Glicko2

NEVER = -1


@dataclass(frozen=True)
class GlickoRatings:
    rating: Floats
    deviation: Floats
    volatility: Floats | None  # Glicko-2 only
    games: Integers
    last: Integers  # day of the last period, -1 for none
    predictions: Floats  # White's expected score of every game, if asked for


def expectations(
    white: Integers,
    black: Integers,
    day: Integers,
    ratings: GlickoRatings,
    system: Glicko = GLICKO,
    on: date = date.max,
    *,
    fast: bool = True,
) -> Floats:
    """Glicko: White's expected score of games to come, deviations aged to each game's day."""
    rules, predictions = system.rules(on), zeros(len(white))
    bounds, ageing = rules["deviation"], rules["ageing"]
    loop("glicko", fast).expect(
        white,
        black,
        day,
        ratings.rating,
        ratings.deviation,
        ratings.last,
        float(ageing["c"]),
        float(ageing["days"]),
        float(bounds["least"]),
        float(bounds["most"]),
        predictions,
    )
    return predictions


def expectations2(
    white: Integers,
    black: Integers,
    ratings: GlickoRatings,
    system: Glicko2 = GLICKO2,
    on: date = date.max,
    *,
    fast: bool = True,
) -> Floats:
    """Glicko-2: White's expected score of games to come."""
    scale, predictions = system.rules(on)["scale"], zeros(len(white))
    mu, phi = (ratings.rating - scale["centre"]) / scale["points"], ratings.deviation / scale["points"]
    loop("glicko2", fast).expect(white, black, mu, phi, predictions)
    return predictions


def replay(
    history: Periods,
    system: Glicko = GLICKO,
    on: date = date.max,
    rating: ArrayLike | None = None,
    deviation: ArrayLike | None = None,
    *,
    predict: bool = False,
    fast: bool = True,
) -> GlickoRatings:
    """Glicko after the last period, with the rules of one day. Given values begin at the first period's day."""
    rules, n = system.rules(on), history.players
    start, bounds, ageing = rules["start"], rules["deviation"], rules["ageing"]
    ratings = filled(rating, n, float(start["rating"]))
    deviations = filled(deviation, n, float(start["deviation"]))
    games, last = counts(n), np.full(n, NEVER, dtype=np.int64)
    predictions = zeros(history.games) if predict else no_predictions()
    loop("glicko", fast).run(
        history.white,
        history.black,
        history.score,
        history.first,
        history.day,
        ratings,
        deviations,
        games,
        last,
        float(ageing["c"]),
        float(ageing["days"]),
        float(bounds["least"]),
        float(bounds["most"]),
        zeros(n),
        zeros(n),
        zeros(n),
        counts(n),
        predictions,
    )
    return GlickoRatings(ratings, deviations, None, games, last, predictions)


def replay2(
    history: Periods,
    system: Glicko2 = GLICKO2,
    on: date = date.max,
    rating: ArrayLike | None = None,
    deviation: ArrayLike | None = None,
    volatility: ArrayLike | None = None,
    *,
    predict: bool = False,
    fast: bool = True,
) -> GlickoRatings:
    """Glicko-2 after the last period, with the rules of one day."""
    rules, n = system.rules(on), history.players
    start, scale, rule = rules["start"], rules["scale"], rules["volatility"]
    mu = (filled(rating, n, float(start["rating"])) - scale["centre"]) / scale["points"]
    phi = filled(deviation, n, float(start["deviation"])) / scale["points"]
    sigma = filled(volatility, n, float(start["volatility"]))
    games, last = counts(n), np.full(n, NEVER, dtype=np.int64)
    predictions = zeros(history.games) if predict else no_predictions()
    loop("glicko2", fast).run(
        history.white,
        history.black,
        history.score,
        history.first,
        history.day,
        mu,
        phi,
        sigma,
        games,
        last,
        float(rule["tau"]) if system.tau is None else float(system.tau),
        float(rule["tolerance"]),
        int(rule["most_steps"]),
        float(rules["period"]["days"]),
        system.fractional,
        zeros(n),
        zeros(n),
        zeros(n),
        counts(n),
        predictions,
    )
    return GlickoRatings(mu * scale["points"] + scale["centre"], phi * scale["points"], sigma, games, last, predictions)
