"""`informed`: the published ratings, corrected by four things that the record tells of a player
(docs/predictors.md).
"""

from __future__ import annotations

from functools import cache
from types import ModuleType

import numpy as np

from crosstable.lab.predictors.base import Predictor, Settings, TunedParameter
from crosstable.lab.predictors.informed_loop import Corrections
from crosstable.lab.predictors.live import MODULES as SHARED
from crosstable.lab.predictors.live import parameters, shared_numbers
from crosstable.lab.source import Source
from crosstable.replay import compiled
from crosstable.replay.arrays import Floats

MODULES = (*SHARED, "crosstable.lab.predictors.informed_loop")


@cache
def _modules() -> tuple[ModuleType, ModuleType]:
    """Return the compiled loop of `live`, whose numbers it shares, and its own."""
    _, live, own = compiled.load(MODULES)
    return live, own


def _predict(source: Source, settings: Settings) -> Floats:
    games, (live, loop) = source.games, _modules()
    own = {name: settings[name] for name in Corrections._fields if name != "tempered"}
    numbers = loop.Corrections(shared_numbers(live, settings), **own)
    nothing = [np.zeros(games.players) for _ in range(5)]
    memory = loop.Memory(np.full(games.players, -1, dtype=np.int64), np.full(games.players, np.nan), *nothing)
    found = np.zeros(len(games))
    loop.run(
        games.one, games.two, games.score, games.white, games.day, games.rating, games.played, memory, numbers, found
    )
    return found


INFORMED = Predictor(
    "informed",
    "Published ratings, informed by the record",
    _predict,
    (
        *parameters(knot=1900.0, below=0.73, slope=0.95, established=30.0, provisional=400.0, floor=50.0, white=19.0),
        TunedParameter("low_knot", 360.0, 100.0, 1000.0, "below this rating differences count for more again"),
        TunedParameter("lowest", 1.3, 0.5, 1.6, "what a point below that counts"),
        TunedParameter("young", 140.0, 0.0, 400.0, "points less for a provisional rating with no games behind it"),
        TunedParameter("surprise", 700.0, 0.0, 1000.0, "points for scoring a point a game more than expected"),
        TunedParameter("doubt", 32.0, 2.0, 150.0, "games without surprise that are added first"),
        TunedParameter("memory", 2000.0, 100.0, 3000.0, "days in which a surprise fades to 1/e"),
        TunedParameter("pull", 0.14, 0.0, 0.6, "share of the way to the average opponent, for low ratings"),
        TunedParameter("fade", 1400.0, 900.0, 2400.0, "from this rating on there is no pull"),
        TunedParameter("recent", 0.45, -0.5, 1.2, "share of an established rating's last change that is taken back"),
        TunedParameter("settled", 60.0, 10.0, 400.0, "days in which a change fades to 1/e"),
    ),
    needs_ratings=True,
)
