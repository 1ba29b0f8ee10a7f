"""Glicko's family through a whole history at array speed: Glicko, Stephenson's system, Glicko-Boost, Glicko-2."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from crosstable.replay.arrays import Flags, Floats, Integers
from crosstable.replay.periods import (
    NEWCOMERS,
    Opening,
    Periods,
    Predict,
    WrongHistory,
    filled,
    loop,
    room_for_predictions,
    seats_for,
)
from crosstable.rulebook import Rules, Value
from crosstable.systems.glicko import SYSTEM as GLICKO
from crosstable.systems.glicko import Glicko
from crosstable.systems.glicko2 import Glicko2
from crosstable.systems.glicko_boost import GlickoBoost

NEVER = -1


class GlickoRatings(NamedTuple):
    rating: Floats
    deviation: Floats
    volatility: Floats | None  # Glicko-2 only
    games: Integers
    last: Integers  # day of the last period, -1 for none
    predictions: Floats  # White's expected score of every game, if asked for


class GlickoParameters(NamedTuple):
    """Glicko's, and those of Stephenson's system, of which Glicko is the case without them."""

    c: float
    days: float
    least: float
    most: float
    h: float = 0.0
    bonus: float = 0.0
    share: float = 0.0
    white_rated: float = 0.0
    white_predicted: float = 0.0


class Numbers2(NamedTuple):
    """Glicko-2's."""

    tau: float
    tolerance: float
    most_steps: int
    days: float
    fractional: bool


def begin(history: Periods, start: Value, opening: Opening, predict: Predict) -> GlickoRatings:
    """Return every player before the first period: as given, or as a newcomer."""
    n = history.players
    return GlickoRatings(
        filled(opening.rating, n, float(start["rating"])),
        filled(opening.deviation, n, float(start["deviation"])),
        None,
        np.zeros(n, dtype=np.int64),
        np.full(n, NEVER, dtype=np.int64),
        room_for_predictions(history, predict),
    )


def numbers_of(rules: Rules) -> GlickoParameters:
    bounds, ageing = rules["deviation"], rules["ageing"]
    numbers = [ageing["c"], ageing["days"], bounds["least"], bounds["most"]]
    if "neighbourhood" in rules:
        numbers += [rules["games"]["h"], rules["bonus"]["b"], rules["neighbourhood"]["share"]]
        numbers += [rules["white"]["rated"], rules["white"]["predicted"]]
    return GlickoParameters(*map(float, numbers))


def expectations(
    white: Integers,
    black: Integers,
    day: Integers,
    ratings: GlickoRatings,
    system: Glicko | Glicko2 = GLICKO,
    *,
    colours: bool = True,
) -> Floats:
    """White's expected score of games to come, with White's advantage where the system knows it and `colours` are
    known.

    The deviations are aged to each game's day, but for Glicko-2's.
    """
    rules, predictions = system.latest, np.zeros(len(white))
    if isinstance(system, Glicko2):
        scale = rules["scale"]
        mu, phi = (ratings.rating - scale["centre"]) / scale["points"], ratings.deviation / scale["points"]
        loop("glicko2").expect(white, black, mu, phi, predictions)
    elif isinstance(system, GlickoBoost):
        growth, points = _growth(rules), float(rules["white"]["points"]) if colours else 0.0
        loop("glicko_boost").expect(white, black, day, ratings, *growth, points, predictions)
    else:
        numbers = numbers_of(rules)
        numbers = numbers if colours else numbers._replace(white_predicted=0.0)
        loop("glicko").expect(white, black, day, ratings, numbers, predictions)
    return predictions


def replay(
    history: Periods,
    system: Glicko | Glicko2 = GLICKO,
    opening: Opening = NEWCOMERS,
    *,
    after: GlickoRatings | None = None,
    colours: ArrayLike | None = None,
    predict: Predict = False,
    fast: bool = True,
) -> GlickoRatings:
    """Replay with the newest rules; return the ratings after the last period.

    Given values begin at the first period's day.

    `colours`: in which games `white` has White, for the systems that count it; without it, in none. `after`: go on from
    these ratings, which may be changed in place.
    """
    rules = system.latest
    if after is None:
        ratings = begin(history, rules["start"], opening, predict)
    else:
        ratings = after._replace(predictions=room_for_predictions(history, predict))
    if isinstance(system, Glicko2):
        return _run_glicko2(history, ratings, system, fast)
    run = _run_boost if isinstance(system, GlickoBoost) else _run_glicko
    run(history, ratings, rules, _colours(history, colours), fast)
    return ratings


def _colours(history: Periods, colours: ArrayLike | None) -> Flags:
    if colours is None:
        return _unknown_colours(history.games)
    known = np.asarray(colours, dtype=np.bool_)
    if len(known) != history.games:
        raise WrongHistory(f"{len(known)} colours for {history.games} games")
    return known


@lru_cache(maxsize=2)
def _unknown_colours(games: int) -> Flags:
    """Return flags that say that the colours are unknown; nothing writes here, so every replay of so many games
    may share it.
    """
    return np.zeros(games, dtype=np.bool_)


def _run_glicko(history: Periods, ratings: GlickoRatings, rules: Rules, colours: Flags, fast: bool) -> None:
    """From period to period; the ratings are changed in place."""
    seats = seats_for(history)
    loop("glicko", fast).run(history, ratings, numbers_of(rules), colours, seats, seats.rows(6))


def _run_boost(history: Periods, ratings: GlickoRatings, rules: Rules, colours: Flags, fast: bool) -> None:
    """Run Glicko-Boost over the periods."""
    boost, seats = rules["boost"], seats_for(history)
    loop("glicko_boost", fast).run(
        history,
        ratings,
        colours,
        *_growth(rules),
        float(rules["white"]["points"]),
        (float(boost["threshold"]), float(boost["factor"]), float(boost["points"])),
        seats,
        seats.rows(8),
    )


def _growth(rules: Rules) -> tuple[Floats, float, float]:
    """Glicko-Boost's alpha, the days of a period and the largest deviation."""
    ageing = rules["ageing"]
    return np.array(ageing["alpha"], dtype=np.float64), float(ageing["days"]), float(rules["deviation"]["most"])


def _run_glicko2(history: Periods, own: GlickoRatings, system: Glicko2, fast: bool) -> GlickoRatings:
    """On Glicko-2's own scale, and back."""
    rules = system.latest
    scale, rule = rules["scale"], rules["volatility"]
    points, centre = scale["points"], scale["centre"]
    scaled = own._replace(
        rating=(own.rating - centre) / points,
        deviation=own.deviation / points,
    )
    sigma = np.full(history.players, float(rules["start"]["volatility"])) if own.volatility is None else own.volatility
    tau = float(rule["tau"]) if system.tau is None else float(system.tau)
    numbers = Numbers2(
        tau, float(rule["tolerance"]), int(rule["most_steps"]), float(rules["period"]["days"]), system.fractional
    )
    seats = seats_for(history)
    loop("glicko2", fast).run(history, scaled, sigma, numbers, seats, seats.rows(5))
    back = {"rating": scaled.rating * points + centre, "deviation": scaled.deviation * points}
    return scaled._replace(**back, volatility=sigma)
