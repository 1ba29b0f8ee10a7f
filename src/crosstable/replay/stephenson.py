"""Stephenson's system and Glicko-Boost through a whole history at array speed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from crosstable.replay.arrays import Flags, Floats, Integers
from crosstable.replay.glicko import GlickoRatings, Numbers, ageing_of, begin, run_glicko, unknown_colours
from crosstable.replay.periods import NEWCOMERS, Opening, Periods, Predict, WrongHistory, loop, seats_for
from crosstable.rulebook import Rules
from crosstable.systems.glicko_boost import SYSTEM as GLICKO_BOOST
from crosstable.systems.glicko_boost import GlickoBoost
from crosstable.systems.stephenson import SYSTEM as STEPHENSON
from crosstable.systems.stephenson import Stephenson


def replay(
    history: Periods,
    system: Stephenson = STEPHENSON,
    opening: Opening = NEWCOMERS,
    *,
    colours: ArrayLike | None = None,
    predict: Predict = False,
    fast: bool = True,
) -> GlickoRatings:
    """After the last period, all of it with the newest rules. `colours`: in which games `white` has White; without it, none."""
    rules = system.latest
    ratings = begin(history, rules["start"], opening, predict)
    run_glicko(history, ratings, _numbers(rules), _colours(history, colours), fast)
    return ratings


def _numbers(rules: Rules) -> Numbers:
    own = (rules["games"]["h"], rules["bonus"]["b"], rules["neighbourhood"]["share"])
    edges = (rules["white"]["rated"], rules["white"]["predicted"])
    return Numbers(*ageing_of(rules), *map(float, (*own, *edges)))


def expectations(
    white: Integers, black: Integers, day: Integers, ratings: GlickoRatings, system: Stephenson = STEPHENSON
) -> Floats:
    """White's expected score of games to come, with White's advantage, deviations aged to each game's day."""
    predictions = np.zeros(len(white))
    loop("glicko").expect(white, black, day, ratings, _numbers(system.latest), predictions)
    return predictions


def replay_boost(
    history: Periods,
    system: GlickoBoost = GLICKO_BOOST,
    opening: Opening = NEWCOMERS,
    *,
    colours: ArrayLike | None = None,
    predict: Predict = False,
    fast: bool = True,
) -> GlickoRatings:
    """Glicko-Boost after the last period, all of it with the newest rules."""
    rules, seats = system.latest, seats_for(history)
    boost = rules["boost"]
    ratings = begin(history, rules["start"], opening, predict)
    loop("glicko_boost", fast).run(
        history,
        ratings,
        _colours(history, colours),
        np.array(rules["ageing"]["alpha"], dtype=np.float64),
        float(rules["ageing"]["days"]),
        float(rules["deviation"]["most"]),
        float(rules["white"]["points"]),
        (float(boost["threshold"]), float(boost["factor"]), float(boost["points"])),
        seats,
        seats.rows(8),
    )
    return ratings


def _colours(history: Periods, colours: ArrayLike | None) -> Flags:
    if colours is None:
        return unknown_colours(history.games)
    known = np.asarray(colours, dtype=np.bool_)
    if len(known) != history.games:
        raise WrongHistory(f"{len(known)} colours for {history.games} games")
    return known
