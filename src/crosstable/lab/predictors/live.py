"""What the lab has found: two predictors that begin each event with the ratings published before it.

`tempered` believes a published rating less where it deserves less: below 1800 or so, while provisional, on a floor.
`live` does the same and then rates the event round by round with Glicko's formula as it goes (docs/predictors.md).
"""

from __future__ import annotations

from functools import cache
from types import ModuleType

import numpy as np

from crosstable.lab.predictors.base import Predictor, Settings, TunedParameter
from crosstable.lab.predictors.live_loop import LiveParameters
from crosstable.lab.source import Source
from crosstable.replay import compiled
from crosstable.replay.arrays import Floats
from crosstable.systems.us_chess.coefficients import provisional_games

MODULES = ("crosstable.systems.glicko.formulas", "crosstable.lab.predictors.live_loop")


@cache
def _loop() -> ModuleType:
    return compiled.load(MODULES)[-1]


def shared_numbers(loop: ModuleType, settings: Settings) -> LiveParameters:
    """Return the settings as the loop reads them."""
    known = {**settings, "provisional_games": float(provisional_games())}
    found: LiveParameters = loop.LiveParameters(**{name: known.get(name, 0.0) for name in LiveParameters._fields})
    return found


def _predict(source: Source, settings: Settings, live: bool) -> Floats:
    games, loop = source.games, _loop()
    numbers = shared_numbers(loop, settings)
    room = [np.zeros(games.players) for _ in range(4)]
    found = np.zeros(len(games))
    loop.run(
        games.one,
        games.two,
        games.score,
        games.white,
        games.event,
        games.round,
        games.rating,
        games.played,
        numbers,
        room[0],
        room[1],
        np.full(games.players, -1, dtype=np.int64),
        room[2],
        room[3],
        found,
        live,
    )
    return found


def parameters(**defaults: float) -> tuple[TunedParameter, ...]:
    """Those of a predictor that begins with tempered ratings."""
    ranges = {
        "knot": (1200.0, 2300.0, "below this rating differences count for less"),
        "below": (0.3, 1.2, "what a point below the knot counts"),
        "slope": (0.5, 1.3, "how much of a difference counts at all"),
        "established": (10.0, 250.0, "deviation of an established rating"),
        "provisional": (60.0, 400.0, "deviation of a rating with no games behind it"),
        "floor": (0.0, 150.0, "points less for an established rating on a hundred from 1400 on"),
        "white": (0.0, 80.0, "points for White, where the colours are known"),
        "newcomer": (0.0, 1200.0, "strength of a player without a rating"),
        "newcomer_deviation": (100.0, 350.0, "and its deviation"),
    }
    return tuple(TunedParameter(name, value, *ranges[name]) for name, value in defaults.items())


TEMPERED = Predictor(
    "tempered",
    "Published ratings, tempered",
    lambda source, settings: _predict(source, settings, live=False),
    parameters(knot=1860.0, below=0.78, slope=0.92, established=49.0, provisional=286.0, floor=84.0, white=19.0),
    needs_ratings=True,
)
LIVE = Predictor(
    "live",
    "Published ratings, rated round by round",
    lambda source, settings: _predict(source, settings, live=True),
    parameters(
        knot=1805.0,
        below=0.85,
        slope=0.96,
        established=99.0,
        provisional=225.0,
        floor=84.0,
        white=18.0,
        newcomer=235.0,
        newcomer_deviation=350.0,
    ),
    needs_ratings=True,
    learns="round",
)
