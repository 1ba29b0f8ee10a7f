"""The rating systems as predictors: each replays the games at array speed and predicts every game before rating it.

A parameter is named like the rulebook's value: "ageing.c" is field c of the rule ageing. Every system also has
`opening` (1: players open with the rating that was published before their first game), and `slope`, which says how much
of its own confidence to believe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crosstable import systems
from crosstable.lab.predictors.base import Predictor, Settings, TunedParameter
from crosstable.lab.source import Source
from crosstable.replay import club, elo, glicko
from crosstable.replay.arrays import Flags, Floats
from crosstable.replay.periods import NEWCOMERS, Opening, Periods, Predict
from crosstable.replay.scores import blocks
from crosstable.rulebook import Rulebook, rulebook
from crosstable.rulebook.reform import with_numbers
from crosstable.systems.elo import Elo
from crosstable.systems.glicko import Glicko
from crosstable.systems.glicko2 import Glicko2
from crosstable.systems.glicko_boost import GlickoBoost
from crosstable.systems.st_charles import StCharles
from crosstable.systems.stephenson import Stephenson

OPENING = TunedParameter(
    "opening", 0.0, 0.0, 1.0, "1: players open with the published rating of their first appearance"
)
SLOPE = TunedParameter("slope", 1.0, 0.3, 1.5, "how much of the predicted logit counts")
DEVIATIONS = (
    TunedParameter("opening.established", 80.0, 20.0, 200.0, "deviation of an established rating that opens a record"),
    TunedParameter("opening.provisional", 200.0, 60.0, 350.0, "deviation of a provisional one"),
)


@dataclass(frozen=True, slots=True)
class ReplayTask:
    """What a replay needs."""

    periods: Periods
    book: Rulebook
    opening: Opening
    colours: Flags
    settings: Settings
    predict: Predict = True


@dataclass(frozen=True, slots=True)
class ReplayedGames:
    """Every game's prediction, and every player's rating after the last one."""

    predictions: Floats
    rating: Floats


Run = Callable[[ReplayTask], ReplayedGames]
#: A value of the rulebook, as in `ageing.c` → the lowest and the highest that is tried
Ranges = Mapping[str, tuple[float, float]]


def opening_of(source: Source, settings: Settings) -> Opening:
    """Return the published rating before each player's first game in the source, if that is asked for."""
    if settings["opening"] < 0.5:
        return NEWCOMERS
    rating, standing = source.remembered("opening", lambda: _published(source))
    values = np.nan, settings.get("opening.established", np.nan), settings.get("opening.provisional", np.nan)
    return Opening(rating, np.array(values)[standing])


def _published(source: Source) -> tuple[Floats, NDArray[np.int8]]:
    """Return every player's first published rating, and whether it was none (0), established (1) or provisional (2)."""
    players = source.games.players
    rating, standing = np.full(players, np.nan), np.zeros(players, dtype=np.int8)
    found, published, played = source.first_appearance
    rating[found] = published
    standing[found] = np.where(np.isnan(published), 0, np.where(np.isnan(played), 1, 2))
    return rating, standing


def steeper(expected: Floats, slope: float) -> Floats:
    """Return the predictions with their logits multiplied, in place: below 1, favourites are trusted less."""
    if slope == 1.0:
        return expected
    for block in blocks(len(expected)):
        odds = np.clip(expected[block], 1e-12, 1.0 - 1e-12, out=expected[block])
        np.divide(1.0 - odds, odds, out=odds)
        odds **= slope
        odds += 1.0
        np.reciprocal(odds, out=odds)
    return expected


def _predictor(
    name: str,
    title: str,
    ranges: Ranges,
    deviations: bool,
    *,
    own: tuple[TunedParameter, ...] = (),
    learns: str = "event",
) -> Predictor:
    """Return a system by its name, with the rulebook's values that may be tuned."""
    parameters = (*own, *(_parameter(name, value, *span) for value, span in ranges.items()))

    def predict(source: Source, settings: Settings) -> Floats:
        defaults = {parameter.name: parameter.default for parameter in parameters}
        changed = {name: settings[name] for name in ranges if settings[name] != defaults[name]}
        book = with_numbers(name, tuple(sorted(changed.items())))
        games = source.games
        task = ReplayTask(source.periods, book, opening_of(source, settings), games.white, settings, source.room())
        return steeper(RUNS[name](task).predictions, settings["slope"])

    shared = (OPENING, *(DEVIATIONS if deviations else ()), SLOPE)
    return Predictor(name, title, predict, (*parameters, *shared), learns=learns)


def _run(replay: Callable[..., Any], system: object, task: ReplayTask, **more: Any) -> ReplayedGames:
    found = replay(task.periods, system, task.opening, predict=task.predict, **more)
    return ReplayedGames(found.predictions, found.rating)


RUNS: Mapping[str, Run] = {
    "elo": lambda task: _run(elo.replay, Elo(task.book, k=task.settings.get("k")), task),
    "glicko": lambda task: _run(glicko.replay, Glicko(task.book), task),
    "glicko2": lambda task: _run(glicko.replay, Glicko2(task.book), task),
    "stephenson": lambda task: _run(glicko.replay, Stephenson(task.book), task, colours=task.colours),
    "glicko_boost": lambda task: _run(glicko.replay, GlickoBoost(task.book), task, colours=task.colours),
    "st_charles": lambda task: _run(club.replay, StCharles(task.book), task),
}


def keeps_every_rating(name: str) -> bool:
    """Whether the system's own compiled replay keeps each rating of each event, not only the last ones."""
    return name in systems.names() and systems.system(name).kernel is not None


def replayable() -> list[str]:
    """Return the systems whose ratings a lab can look at."""
    return [name for name in systems.names() if name in RUNS or keeps_every_rating(name)]


def replayed(name: str, source: Source, book: Rulebook) -> ReplayedGames:
    """Return one of these systems under a custom rulebook, with all players from scratch."""
    return RUNS[name](ReplayTask(source.periods, book, NEWCOMERS, source.games.white, {}))


def _parameter(system: str, name: str, low: float, high: float) -> TunedParameter:
    """Return a value of the rulebook, with its default from there."""
    rule, field = name.split(".")
    return TunedParameter(name, float(rulebook(system).rules[rule].written[-1][field]), low, high)


K = TunedParameter("k", 32.0, 2.0, 120.0, "points at stake in a game")
AGEING: Ranges = {"ageing.c": (1.0, 120.0)}
DEVIATION: Ranges = {"start.deviation": (100.0, 350.0)}
ELO = _predictor("elo", "Elo", {"curve.scale": (200.0, 1000.0)}, False, own=(K,))
GLICKO = _predictor("glicko", "Glicko", {**AGEING, **DEVIATION, "deviation.least": (10.0, 150.0)}, True)
GLICKO2 = _predictor(
    "glicko2", "Glicko-2", {"volatility.tau": (0.1, 1.5), "start.volatility": (0.01, 0.4), **DEVIATION}, True
)
STEPHENSON = _predictor(
    "stephenson",
    "Stephenson",
    {
        **AGEING,
        "games.h": (0.0, 60.0),
        "bonus.b": (-0.05, 0.15),
        "neighbourhood.share": (0.0, 0.3),
        "start.rating": (500.0, 2200.0),
        **DEVIATION,
        "white.predicted": (0.0, 80.0),
    },
    True,
)
GLICKO_BOOST = _predictor(
    "glicko_boost",
    "Glicko-Boost",
    {
        "boost.threshold": (0.5, 4.0),
        "boost.factor": (0.0, 1.0),
        "boost.points": (0.0, 80.0),
        "white.points": (0.0, 80.0),
    },
    True,
)
ST_CHARLES = _predictor("st_charles", "St. Charles club", {}, False, learns="game")
