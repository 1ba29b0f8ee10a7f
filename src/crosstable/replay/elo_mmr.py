"""Elo-MMR through a whole history at array speed, game by game."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

import numpy as np

from crosstable.replay import compiled
from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.periods import Periods, Predict, room_for_predictions
from crosstable.replay.whole_histories import games_of_players


class MmrNumbers(NamedTuple):
    beta: float
    drift: float  # gamma^2
    transfer: float  # rho


class MmrState(NamedTuple):
    """A player's Gaussian (`centre`, `weight`) and remembered performances, begin[p]:begin[p] + kept[p]."""

    rating: Floats
    deviation: Floats
    games: Integers
    centre: Floats
    weight: Floats
    begin: Integers
    kept: Integers
    performances: Floats
    weights: Floats


def numbers_of(beta: float, limit: float, transfer: float) -> MmrNumbers:
    """Return the numbers, with the drift for which a deviation stays at `limit`: limit^4/(beta^2 - limit^2)."""
    return MmrNumbers(beta, limit**4 / (beta**2 - limit**2), transfer)


@cache
def _loop(fast: bool) -> ModuleType:
    name = "crosstable.replay.loops.elo_mmr"
    return compiled.load([name])[-1] if fast else import_module(name)


def expectations(white: Integers, black: Integers, rating: Floats, deviation: Floats, beta: float) -> Floats:
    """Return White's expected score of games to come."""
    predictions = np.zeros(len(white))
    _loop(True).expect(white, black, rating, deviation, beta, predictions)
    return predictions


def replay(
    history: Periods,
    numbers: MmrNumbers,
    start: tuple[float, float],
    remembered: int,
    *,
    predict: Predict = False,
    fast: bool = True,
) -> tuple[MmrState, Floats]:
    """Return the state after the last game, and the predictions if asked for. `start`: a newcomer's rating and
    deviation.
    """
    players, predictions = history.players, room_for_predictions(history, predict)
    room = np.minimum(games_of_players(history), remembered)
    begin = np.append(0, np.cumsum(room)).astype(np.int64)
    rating, deviation = start
    state = MmrState(
        rating=np.full(players, rating),
        deviation=np.full(players, deviation),
        games=np.zeros(players, np.int64),
        centre=np.full(players, rating),
        weight=np.full(players, deviation**-2),
        begin=begin,
        kept=np.zeros(players, np.int64),
        performances=np.zeros(int(begin[-1])),
        weights=np.zeros(int(begin[-1])),
    )
    _loop(fast).run(history, state, numbers, predictions)
    return state, predictions
