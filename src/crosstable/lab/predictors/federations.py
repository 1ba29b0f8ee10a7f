"""FIDE and the DWZ as predictors at array speed. FIDE: rules by each day, before 2022 those of 2022."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from crosstable.lab.predictors.base import Predictor, Settings, TunedParameter
from crosstable.lab.predictors.systems import OPENING, SLOPE, opening_of, steeper
from crosstable.lab.source import Source
from crosstable.replay import dwz, fide
from crosstable.replay.arrays import Floats
from crosstable.replay.periods import room_for_predictions
from crosstable.rulebook import rulebook
from crosstable.rulebook.reform import with_numbers
from crosstable.systems.dwz import Dwz

START = float(rulebook("fide").rules["newcomer"].written[-1]["opponents_rating"])


def _fide(source: Source, settings: Settings) -> Floats:
    """Predict by FIDE's rules.

    A player without a published rating begins with `start`; with 0 as unrated, until five games against rated
    players.
    """
    history = source.periods
    opening = opening_of(source, settings).rating
    rating = np.full(history.players, np.nan) if opening is None else np.asarray(opening, dtype=np.float64)
    predictions = room_for_predictions(history, source.room())
    fide.replay(history, rating=np.where(np.isnan(rating), settings["start"], rating), predictions=predictions)
    return steeper(predictions, settings["slope"])


FIDE = Predictor(
    "fide",
    "FIDE",
    _fide,
    (
        replace(OPENING, default=1.0),
        TunedParameter("start", START, 0.0, 3000.0, "rating of a player without a published one; 0: unrated at first"),
        SLOPE,
    ),
    rules_from=rulebook("fide").first,
)


def _dwz(source: Source, settings: Settings) -> Floats:
    system = Dwz(with_numbers("dwz", (("start.rating", settings["start.rating"]),)))
    found = dwz.replay(source.periods, system, opening_of(source, settings), predict=source.room())
    return steeper(found.predictions, settings["slope"])


DWZ = Predictor(
    "dwz",
    "DWZ",
    _dwz,
    (
        replace(OPENING, default=1.0),
        TunedParameter("start.rating", float(rulebook("dwz").rules["start"].written[-1]["rating"]), 500.0, 2500.0),
        SLOPE,
    ),
)
