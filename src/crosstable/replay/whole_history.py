"""Whole-History Rating through a whole history at array speed: every player's strength on every day of play."""

from __future__ import annotations

import math
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

import numpy as np

from crosstable.replay import compiled
from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.periods import Periods, Predict, room_for_predictions
from crosstable.replay.whole_histories import games_of_players, logistic

#: The largest part of a gradient (points of a score) that is left
CLOSE = 1e-7
MOST_SWEEPS = 2_000
LN10 = math.log(10.0)


class WholeNumbers(NamedTuple):
    """`drift`: variance a day, of the logarithm of a strength; `prior`: virtual games; `refit`: days between two
    sweeps.
    """

    drift: float
    prior: float
    refit: float
    close: float
    most_sweeps: int


class PlayerDays(NamedTuple):
    """Every player's days of play, and the games of each from the player's side."""

    day_start: Integers  # a player's days are day_start[p]:day_start[p + 1]
    day: Floats
    game_start: Integers  # a day's games are game_start[d]:game_start[d + 1]
    opponent: Integers  # the place of the opponent's day
    score: Floats
    period_start: Integers  # the players of a day of the history are players[period_start[n]:period_start[n + 1]]
    players: Integers


class StrengthsByDay(NamedTuple):
    """The strengths of every day, and of the last one; `predictions` from earlier games, if asked for."""

    days: PlayerDays
    r: Floats
    last: Floats  # everybody's r on the last day; 0 for one without games
    variance: Floats  # of it, the others held
    games: Integers
    predictions: Floats


def numbers_of(w2: float, prior: float, refit: float, points: float) -> WholeNumbers:
    """From squared points a day."""
    return WholeNumbers(w2 * (LN10 / points) ** 2, prior, refit, CLOSE, MOST_SWEEPS)


def replay(
    history: Periods, numbers: WholeNumbers, *, predict: Predict = False, fast: bool = True, last: bool = True
) -> StrengthsByDay:
    """Fit every player's strengths. `last=False`: only the predictions are asked for, not the fit to all games."""
    predictions = room_for_predictions(history, predict)
    first, day = _by_day(history)
    days = _days(history, first, day)
    counts = np.diff(days.day_start).astype(np.int64)
    r, variance, known = np.zeros(len(days.day)), np.zeros(history.players), np.zeros(history.players, np.int64)
    room = np.zeros((5, int(counts.max(initial=1))))
    loop = _loop(fast)
    if len(predictions):
        loop.run(history.white, history.black, first, day, days, known, r, numbers, room, predictions)
    if last:
        known = counts
        loop.settle(days, known, r, numbers, room, variance)
    played = known > 0
    final = np.zeros(history.players)
    final[played] = r[days.day_start[:-1][played] + known[played] - 1]
    return StrengthsByDay(days, r, final, variance, games_of_players(history), predictions)


@cache
def _loop(fast: bool) -> ModuleType:
    name = "crosstable.replay.loops.whole_history"
    return compiled.load([name])[-1] if fast else import_module(name)


def _by_day(history: Periods) -> tuple[Integers, Integers]:
    """Where each day's games begin, and the days. Where all periods have one date, each counts as a day of its own."""
    if not len(history.day) or history.day[0] == history.day[-1]:
        return history.first, np.arange(len(history.day), dtype=np.int64)
    starts = np.flatnonzero(np.diff(history.day, prepend=history.day[0] - 1))
    return np.append(history.first[starts], history.games).astype(np.int64), history.day[starts]


def _days(history: Periods, first: Integers, day: Integers) -> PlayerDays:
    """Lay the games out by player and day."""
    count, total = history.games, len(day)
    place = np.tile(np.repeat(np.arange(total), np.diff(first)), 2)
    slots, slot = np.unique(np.concatenate([history.white, history.black]) * total + place, return_inverse=True)
    when = slots % max(total, 1)
    order, by_day = np.argsort(slot, kind="stable"), np.argsort(when, kind="stable")
    facing = np.concatenate([slot[count:], slot[:count]])
    score = np.concatenate([history.score, 1.0 - history.score])
    return PlayerDays(
        day_start=np.searchsorted(slots, np.arange(history.players + 1) * total).astype(np.int64),
        day=day[when].astype(np.float64),
        game_start=np.searchsorted(slot[order], np.arange(len(slots) + 1)).astype(np.int64),
        opponent=facing[order].astype(np.int64),
        score=score[order],
        period_start=np.searchsorted(when[by_day], np.arange(total + 1)).astype(np.int64),
        players=(slots // max(total, 1))[by_day].astype(np.int64),
    )


def expectations(white: Integers, black: Integers, r: Floats) -> Floats:
    """Return White's expected score of games to come."""
    return logistic(r[white] - r[black])
