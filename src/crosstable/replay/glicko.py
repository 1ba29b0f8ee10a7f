"""Glicko and Glicko-2 through a whole history at array speed."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from crosstable.replay.arrays import Flags, Floats, Integers
from crosstable.replay.periods import (
    NEWCOMERS,
    Opening,
    Periods,
    Predict,
    filled,
    loop,
    room_for_predictions,
    seats_for,
)
from crosstable.rulebook import Rules, Value
from crosstable.systems.glicko import SYSTEM as GLICKO
from crosstable.systems.glicko import Glicko
from crosstable.systems.glicko2 import SYSTEM as GLICKO2
from crosstable.systems.glicko2 import Glicko2

NEVER = -1


class GlickoRatings(NamedTuple):
    rating: Floats
    deviation: Floats
    volatility: Floats | None  # Glicko-2 only
    games: Integers
    last: Integers  # day of the last period, -1 for none
    predictions: Floats  # White's expected score of every game, if asked for


class Numbers(NamedTuple):
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
    """Everybody before the first period: as given, or as a newcomer."""
    n = history.players
    return GlickoRatings(
        filled(opening.rating, n, float(start["rating"])),
        filled(opening.deviation, n, float(start["deviation"])),
        None,
        np.zeros(n, dtype=np.int64),
        np.full(n, NEVER, dtype=np.int64),
        room_for_predictions(history, predict),
    )


def ageing_of(rules: Rules) -> tuple[float, float, float, float]:
    """The first four of the numbers."""
    bounds, ageing = rules["deviation"], rules["ageing"]
    return float(ageing["c"]), float(ageing["days"]), float(bounds["least"]), float(bounds["most"])


def expectations(
    white: Integers, black: Integers, day: Integers, ratings: GlickoRatings, system: Glicko = GLICKO
) -> Floats:
    """Glicko: White's expected score of games to come, deviations aged to each game's day."""
    predictions = np.zeros(len(white))
    loop("glicko").expect(white, black, day, ratings, Numbers(*ageing_of(system.latest)), predictions)
    return predictions


def expectations2(white: Integers, black: Integers, ratings: GlickoRatings, system: Glicko2 = GLICKO2) -> Floats:
    """Glicko-2: White's expected score of games to come."""
    scale, predictions = system.latest["scale"], np.zeros(len(white))
    mu, phi = (ratings.rating - scale["centre"]) / scale["points"], ratings.deviation / scale["points"]
    loop("glicko2").expect(white, black, mu, phi, predictions)
    return predictions


def replay(
    history: Periods,
    system: Glicko = GLICKO,
    opening: Opening = NEWCOMERS,
    *,
    predict: Predict = False,
    fast: bool = True,
) -> GlickoRatings:
    """Glicko after the last period, all of it with the newest rules. Given values begin at the first period's day."""
    rules = system.latest
    ratings = begin(history, rules["start"], opening, predict)
    run_glicko(history, ratings, Numbers(*ageing_of(rules)), unknown_colours(history.games), fast)
    return ratings


@lru_cache(maxsize=2)
def unknown_colours(games: int) -> Flags:
    """Nobody knows who had White; nothing writes here, so every replay of so many games may share it."""
    return np.zeros(games, dtype=np.bool_)


def run_glicko(history: Periods, ratings: GlickoRatings, numbers: Numbers, colours: Flags, fast: bool) -> None:
    """From period to period; the ratings are changed in place."""
    seats = seats_for(history)
    loop("glicko", fast).run(history, ratings, numbers, colours, seats, seats.rows(6))


def replay2(
    history: Periods,
    system: Glicko2 = GLICKO2,
    opening: Opening = NEWCOMERS,
    *,
    predict: Predict = False,
    fast: bool = True,
) -> GlickoRatings:
    """Glicko-2 after the last period, all of it with the newest rules."""
    rules = system.latest
    scale, rule = rules["scale"], rules["volatility"]
    points, centre = scale["points"], scale["centre"]
    own = begin(history, rules["start"], opening, predict)
    scaled = own._replace(
        rating=(own.rating - centre) / points,
        deviation=own.deviation / points,
    )
    sigma = np.full(history.players, float(rules["start"]["volatility"]))
    tau = float(rule["tau"]) if system.tau is None else float(system.tau)
    numbers = Numbers2(
        tau, float(rule["tolerance"]), int(rule["most_steps"]), float(rules["period"]["days"]), system.fractional
    )
    seats = seats_for(history)
    loop("glicko2", fast).run(history, scaled, sigma, numbers, seats, seats.rows(5))
    back = {"rating": scaled.rating * points + centre, "deviation": scaled.deviation * points}
    return scaled._replace(**back, volatility=sigma)
