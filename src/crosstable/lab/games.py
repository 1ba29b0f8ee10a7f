"""Games as a lab reads them: in the order in which they were rated, and without a hint of who scored what.

A crosstable names the players in order of finish, so the player named first scored 0.84 on average in one record. `arranged`
therefore names White first where the colours are known, and elsewhere whomever a hash of the game chooses. A table with
every row turned round gives the very same games.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crosstable.errors import CrosstableError
from crosstable.replay.arrays import Flags, Floats, Integers
from crosstable.replay.periods import Periods

Array = NDArray[Any]

#: How games are gathered into rating periods
PERIODS = ("day", "event")


class NoHistory(CrosstableError):
    """A source without games, or without games in a window."""


@dataclass(frozen=True, slots=True)
class Games:
    """One row per game; players are numbers from 0, and `ids` says who they are."""

    ids: Array
    one: Integers
    two: Integers
    score: Floats  # of `one`: 1, 1/2 or 0
    white: Flags  # `one` has White; False: nobody knows the colours
    round: Integers
    event: Integers  # a section's number; whatever is resampled is resampled by it
    day: Integers  # ordinal of the event's end
    rating: Floats  # (games, 2): published before the event; NaN: none
    played: Floats  # (games, 2): games behind a provisional rating; NaN: established or unknown
    rated: Flags  # counts in a score: both players rated, where the source publishes ratings

    def __len__(self) -> int:
        return len(self.score)

    @property
    def players(self) -> int:
        return len(self.ids)

    @property
    def has_ratings(self) -> bool:
        return bool((~np.isnan(self.rating)).any())

    def periods(self, kind: str = "day") -> Periods:
        """Rating periods: the events that end on one day, or each event by itself."""
        mark = self.day if kind == "day" else self.event
        starts = np.flatnonzero(np.diff(mark, prepend=mark[:1] - 1))
        first = np.append(starts, len(self)).astype(np.int64)
        return Periods(self.players, self.one, self.two, self.score, first, self.day[starts])

    def taken(self, rows: Array) -> Games:
        """Some of the games, in their order; the players keep their numbers."""
        columns = {field.name: getattr(self, field.name)[rows] for field in fields(self) if field.name != "ids"}
        return Games(self.ids, **columns)

    def until(self, last: date) -> Games:
        """The games of events that ended up to a day: whoever gets these cannot see any later one."""
        return self.taken(np.flatnonzero(self.day <= last.toordinal()))

    def turned(self, first: int) -> Games:
        """The same games with other results from one game on. Whoever predicts honestly cannot tell before that game."""
        later = np.arange(len(self)) >= first
        return replace(self, score=np.where(later, 1.0 - self.score, self.score))

    def window(self, since: date | None, until: date | None) -> Flags:
        """The rated games of events that ended from one day to another."""
        first = date.min if since is None else since
        last = date.max if until is None else until
        chosen: Flags = self.rated & (self.day >= first.toordinal()) & (self.day <= last.toordinal())
        if not chosen.any():
            raise NoHistory(
                f"no games between rated players from {since or 'the beginning'} to {until or 'the end'}: "
                "choose another window"
            )
        return chosen

    def digest(self) -> str:
        """A hash of everything in it, to say which data a report was made from."""
        found = hashlib.sha256()
        for field in fields(self):
            array = np.ascontiguousarray(getattr(self, field.name))
            found.update(field.name.encode())
            found.update(str(array.tolist()).encode() if array.dtype.kind == "O" else array.tobytes())
        return found.hexdigest()


def arranged(
    *,
    sides: tuple[ArrayLike, ArrayLike],
    score: ArrayLike,
    colour: ArrayLike,
    round: ArrayLike,
    event: ArrayLike,
    day: ArrayLike,
    rating: Floats,
    played: Floats,
) -> Games:
    """Games from rows in order of events and rounds. `sides` are ids; `colour` is the first one's: 1 White, -1 Black, 0 unknown."""
    pair = np.stack([np.asarray(side) for side in sides], axis=1)
    if len(pair) == 0:
        raise NoHistory("the source holds no games")
    ids, number = np.unique(pair, return_inverse=True)
    number = number.reshape(pair.shape).astype(np.int64)
    colours, events, rounds = (np.asarray(part, dtype=np.int64) for part in (colour, event, round))
    heads = _coins(number.min(axis=1), number.max(axis=1), events, rounds)
    lower_first = number[:, 0] < number[:, 1]
    turn = np.where(colours == 0, lower_first != heads, colours < 0)
    place = np.where(turn, 1, 0)
    rows = np.arange(len(pair))
    results = np.asarray(score, dtype=np.float64)
    both: Flags = np.asarray(~np.isnan(rating).any(axis=1))
    return Games(
        ids=ids,
        one=number[rows, place],
        two=number[rows, 1 - place],
        score=np.where(turn, 1.0 - results, results),
        white=colours != 0,
        round=rounds,
        event=events,
        day=np.asarray(day, dtype=np.int64),
        rating=np.where(turn[:, None], rating[:, ::-1], rating),
        played=np.where(turn[:, None], played[:, ::-1], played),
        rated=both if both.any() else np.ones(len(pair), dtype=np.bool_),
    )


def _coins(low: Integers, high: Integers, event: Integers, round: Integers) -> Flags:
    """A fair coin for each game that depends on who met where, never on who is named first (splitmix64)."""
    with np.errstate(over="ignore"):
        x = low.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + high.astype(np.uint64)
        for part in (event, round):
            x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9) + part.astype(np.uint64)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray((x >> np.uint64(63)).astype(np.bool_))
