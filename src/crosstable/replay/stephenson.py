"""Stephenson's system and Glicko-Boost through a whole history at array speed."""

from __future__ import annotations

from datetime import date

import numpy as np
from numpy.typing import ArrayLike

from crosstable.replay.glicko import GlickoRatings, Numbers, ageing_of, begin, run_glicko
from crosstable.replay.periods import Floats, Periods, WrongHistory, counts, loop, zeros
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
    rules = system.rules(on)
    ratings = begin(history, rules["start"], rating, deviation, predict)
    own = (rules["games"]["h"], rules["bonus"]["b"], rules["neighbourhood"]["share"])
    edges = (rules["white"]["rated"], rules["white"]["predicted"])
    numbers = Numbers(*ageing_of(rules), *map(float, (*own, *edges)))
    run_glicko(history, ratings, numbers, _colours(history, colours), fast)
    return ratings


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
    boost = rules["boost"]
    ratings = begin(history, rules["start"], rating, deviation, predict)
    loop("glicko_boost", fast).run(
        history,
        ratings,
        _colours(history, colours),
        np.array(rules["ageing"]["alpha"], dtype=np.float64),
        float(rules["ageing"]["days"]),
        float(rules["deviation"]["most"]),
        float(rules["white"]["points"]),
        (float(boost["threshold"]), float(boost["factor"]), float(boost["points"])),
        np.zeros((7, n)),
        counts(n),
    )
    return ratings


def _colours(history: Periods, colours: ArrayLike | None) -> Floats:
    if colours is None:
        return zeros(history.games)
    known = np.asarray(colours, dtype=np.float64)
    if len(known) != history.games:
        raise WrongHistory(f"{len(known)} colours for {history.games} games")
    return known
