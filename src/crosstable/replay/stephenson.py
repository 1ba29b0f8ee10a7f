"""Stephenson's system and Glicko-Boost through a whole history at array speed."""

from __future__ import annotations

from datetime import date

import numpy as np
from numpy.typing import ArrayLike

from crosstable.replay.glicko import NEVER, GlickoRatings
from crosstable.replay.periods import Floats, Periods, WrongHistory, counts, filled, loop, no_predictions, zeros
from crosstable.systems.glicko_boost import SYSTEM as GLICKO_BOOST
from crosstable.systems.glicko_boost import GlickoBoost
from crosstable.systems.stephenson import SYSTEM as STEPHENSON
from crosstable.systems.stephenson import Stephenson


def replay(
    history: Periods,
    system: Stephenson = STEPHENSON,
    on: date = date.max,
    rating: ArrayLike | None = None,
    deviation: ArrayLike | None = None,
    *,
    colours: ArrayLike | None = None,
    predict: bool = False,
    fast: bool = True,
) -> GlickoRatings:
    """After the last period, with the rules of one day. `colours`: in which games `white` has White; without it, none."""
    rules, n = system.rules(on), history.players
    start, bounds, ageing, white = rules["start"], rules["deviation"], rules["ageing"], rules["white"]
    ratings, deviations = filled(rating, n, float(start["rating"])), filled(deviation, n, float(start["deviation"]))
    games, last = counts(n), np.full(n, NEVER, dtype=np.int64)
    predictions = zeros(history.games) if predict else no_predictions()
    loop("stephenson", fast).run(
        history.white,
        history.black,
        history.score,
        _colours(history, colours),
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
        float(rules["games"]["h"]),
        float(rules["bonus"]["b"]),
        float(rules["neighbourhood"]["share"]),
        float(white["rated"]),
        float(white["predicted"]),
        zeros(n),
        zeros(n),
        zeros(n),
        zeros(n),
        counts(n),
        predictions,
    )
    return GlickoRatings(ratings, deviations, None, games, last, predictions)


def replay_boost(
    history: Periods,
    system: GlickoBoost = GLICKO_BOOST,
    on: date = date.max,
    rating: ArrayLike | None = None,
    deviation: ArrayLike | None = None,
    *,
    colours: ArrayLike | None = None,
    predict: bool = False,
    fast: bool = True,
) -> GlickoRatings:
    """Glicko-Boost after the last period, with the rules of one day."""
    rules, n = system.rules(on), history.players
    start, boost = rules["start"], rules["boost"]
    ratings, deviations = filled(rating, n, float(start["rating"])), filled(deviation, n, float(start["deviation"]))
    games, last = counts(n), np.full(n, NEVER, dtype=np.int64)
    predictions = zeros(history.games) if predict else no_predictions()
    loop("glicko_boost", fast).run(
        history.white,
        history.black,
        history.score,
        _colours(history, colours),
        history.first,
        history.day,
        ratings,
        deviations,
        games,
        last,
        np.array(rules["ageing"]["alpha"], dtype=np.float64),
        float(rules["ageing"]["days"]),
        float(rules["deviation"]["most"]),
        float(rules["white"]["points"]),
        (float(boost["threshold"]), float(boost["factor"]), float(boost["points"])),
        np.zeros((7, n)),
        counts(n),
        predictions,
    )
    return GlickoRatings(ratings, deviations, None, games, last, predictions)


def _colours(history: Periods, colours: ArrayLike | None) -> Floats:
    if colours is None:
        return zeros(history.games)
    known = np.asarray(colours, dtype=np.float64)
    if len(known) != history.games:
        raise WrongHistory(f"{len(known)} colours for {history.games} games")
    return known
