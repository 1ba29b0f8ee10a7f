"""A history for the systems that rate a period at a time: games in order, and where each period begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from crosstable.errors import CrosstableError
from crosstable.replay import compiled
from crosstable.replay.arrays import Floats, Integers, Seating

#: Whether every game's prediction is asked for, or the array to write them into
Predict = bool | Floats


class WrongHistory(CrosstableError):
    """Arrays that do not make a history: lengths, players or results out of range."""


class Opening(NamedTuple):
    """What the players begin with. Not a number, or nothing at all: a newcomer's."""

    rating: ArrayLike | None = None
    deviation: ArrayLike | None = None


NEWCOMERS = Opening()


class Periods(NamedTuple):
    """Players are 0 … players - 1; `score` is White's (1, 1/2, 0); games `first[p]:first[p + 1]` make period p.

    `day` is each period's day (a proleptic ordinal, `date.toordinal`): ratings age to it and are dated with it.
    """

    players: int
    white: Integers
    black: Integers
    score: Floats
    first: Integers
    day: Integers

    @property
    def games(self) -> int:
        return len(self.score)

    @property
    def longest(self) -> int:
        """Games of the longest period."""
        return int(np.diff(self.first).max()) if len(self.first) > 1 else 0


def history(white: ArrayLike, black: ArrayLike, score: ArrayLike, period: ArrayLike, day: ArrayLike) -> Periods:
    """From one row per game: `period` is a number that never falls, `day` is one per game or one per period."""
    w, b, periods = (np.ascontiguousarray(part, dtype=np.int64) for part in (white, black, period))
    results, days = np.ascontiguousarray(score, dtype=np.float64), np.ascontiguousarray(day, dtype=np.int64)
    if not len(w) == len(b) == len(results) == len(periods):
        raise WrongHistory(f"{len(w)} whites, {len(b)} blacks, {len(results)} results, {len(periods)} periods")
    if len(w) and (min(w.min(), b.min()) < 0 or np.any(w == b)):
        raise WrongHistory("a player's number is negative, or a player meets themself")
    if not np.isin(results, (0.0, 0.5, 1.0)).all():
        raise WrongHistory("a result is not 1, 1/2 or 0")
    if np.any(np.diff(periods) < 0):
        raise WrongHistory("the periods are out of order")
    starts = np.flatnonzero(np.diff(periods, prepend=periods[0] - 1)) if len(periods) else np.empty(0, np.int64)
    first = np.append(starts, len(w)).astype(np.int64)
    days = days[starts] if len(days) == len(w) != len(starts) else days
    if len(days) != len(starts):
        raise WrongHistory(f"{len(days)} days for {len(starts)} periods")
    return Periods(int(max(w.max(), b.max()) + 1) if len(w) else 0, w, b, results, first, days)


#: What several loops import
SEATS = "crosstable.replay.loops.seats"
#: A loop → the systems whose formulas it uses, where that is not the one of its own name
FORMULAS: Mapping[str, Sequence[str]] = {
    "club": ("st_charles",),
    "dwz": ("dwz", "elo"),
    "glicko": ("glicko", "stephenson"),
    "glicko_boost": ("glicko", "glicko_boost"),
}


class PeriodSeats(NamedTuple):
    """Room for `loops.seats`: each player's seat in a period (from 1; 0 is none), each seat's player and games, and who
    plays White and Black in each game."""

    of_player: Seating
    player: Seating
    games: Seating
    white: Seating
    black: Seating

    def rows(self, count: int) -> Floats:
        """So many numbers for each seat, to work in."""
        return np.zeros((count, len(self.player)))


def seats_for(history: Periods) -> PeriodSeats:
    longest = history.longest
    most = min(history.players, 2 * longest)
    return PeriodSeats(
        *(np.zeros(length, dtype=np.int32) for length in (history.players, most, most, longest, longest))
    )


@cache
def loop(name: str, fast: bool = True) -> ModuleType:
    """Return a system's loop, compiled together with its formulas, or as plain Python."""
    formulas = [f"crosstable.systems.{package}.formulas" for package in FORMULAS.get(name, (name,))]
    module = f"crosstable.replay.loops.{name}"
    return compiled.load([*formulas, SEATS, module])[-1] if fast else import_module(module)


def filled(start: ArrayLike | None, players: int, default: float) -> Floats:
    """Return a player's value to begin with: given, or a newcomer's where it is not a number."""
    if start is None:
        return np.full(players, default, dtype=np.float64)
    found = np.array(start, dtype=np.float64)
    if len(found) < players:
        raise WrongHistory(f"{len(found)} values for {players} players")
    found[np.isnan(found)] = default
    return found


def room_for_predictions(history: Periods, predict: Predict) -> Floats:
    """One per game, or none where none are asked for."""
    if isinstance(predict, bool):
        return np.zeros(history.games if predict else 0)
    if predict.shape != (history.games,):
        raise WrongHistory(f"room for {predict.size} predictions of {history.games} games")
    return predict
