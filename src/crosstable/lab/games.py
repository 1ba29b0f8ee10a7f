"""Games as a lab reads them: in the order in which they were rated, and without a hint of who scored what.

A crosstable names the players in order of finish, so the player named first scored 0.84 on average in one record.
`arranged` therefore names White first where the colours are known, and elsewhere the player whom a hash of the game
chooses. A table with every row turned round gives the very same games. The order of the rows would tell who finished
where, so inside a round it is that of the hash.
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


class NoHistory(CrosstableError):
    """A source without games, or without games in a window."""


@dataclass(frozen=True, slots=True)
class LabGames:
    """One row per game; players are numbers from 0, and `ids` says who they are."""

    ids: Array
    one: Integers
    two: Integers
    score: Floats  # of `one`: 1, 1/2 or 0
    white: Flags  # `one` has White; False: the colours are unknown
    round: Integers
    event: Integers  # a section's number; whatever is resampled is resampled by it
    day: Integers  # ordinal of the event's end
    start: Integers  # and of its beginning
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

    def taken(self, rows: Array) -> LabGames:
        """Return some of the games, in their order; the players keep their numbers."""
        columns = {field.name: getattr(self, field.name)[rows] for field in fields(self) if field.name != "ids"}
        return LabGames(self.ids, **columns)

    def until(self, last: date) -> LabGames:
        """Return the games of events that ended up to a day; nothing in them tells of a later one."""
        return self.taken(np.flatnonzero(self.day <= last.toordinal()))

    def replaced(self, first: int, seed: int = 1) -> LabGames:
        """Return the same games with another result for each from one game on: a win becomes a draw or a loss,
        and so on.
        """
        steps = np.random.default_rng(seed).integers(1, 3, len(self))  # of loss → draw → win → loss: one or two
        other = (np.rint(2 * self.score) + steps) % 3 / 2
        return replace(self, score=np.where(np.arange(len(self)) >= first, other, self.score))

    def shuffled(self, within: str, seed: int = 1) -> tuple[LabGames, Integers]:
        """Games in another order inside each event or round, and the rows that they were.

        Within "game" only rounds are shuffled in which every player has one game: the order of others is their order in
        time.
        """
        part = self.event if within == "event" else self.event * (int(self.round.max(initial=0)) + 1) + self.round
        lot = np.random.default_rng(seed).random(len(self))
        if within == "game":
            lot[~self._once(part)] = 0.0
        rows = np.lexsort((lot, part))  # by part, then by lot; a stable sort leaves equal lots as they were
        return self.taken(rows), rows

    def _once(self, part: Integers) -> Flags:
        """Return the games of rounds in which every player has one game."""
        keys = np.concatenate([part * np.int64(self.players) + side for side in (self.one, self.two)])
        _, place, count = np.unique(keys, return_inverse=True, return_counts=True)
        twice = (count[place] > 1).reshape(2, -1).any(axis=0)
        return ~np.isin(part, part[twice])

    def window(self, since: date | None, until: date | None) -> Flags:
        """Return the rated games of events that ended from one day to another."""
        first = date.min if since is None else since
        last = date.max if until is None else until
        chosen: Flags = self.rated & (self.day >= first.toordinal()) & (self.day <= last.toordinal())
        if not chosen.any():
            raise NoHistory(
                f"no games between rated players from {since or 'the beginning'} to {until or 'the end'}: "
                "choose another window"
            )
        return chosen

    def overlapping(self) -> Flags:
        """Return the games before which a player's rating already holds an event that ended after this one had begun.

        Events are rated in the order of their ends, so a league that runs for months is rated after the weekends within
        it.
        """
        sides, order = self._by_player()
        player, event = sides[order], np.repeat(self.event, 2)[order]
        first = np.flatnonzero(np.diff(player, prepend=-1) | np.diff(event, prepend=-1))  # of each player's events
        who, ends = player[first], np.repeat(self.day, 2)[order][first]
        earlier = np.full(len(first), np.iinfo(np.int64).min)
        again = who[1:] == who[:-1]
        earlier[1:][again] = ends[:-1][again]  # ends rise, so the event before is the latest of all before
        late = earlier > np.repeat(self.start, 2)[order][first]
        found = np.empty(len(sides), dtype=np.bool_)
        found[order] = np.repeat(late, np.diff(np.append(first, len(sides))))
        return np.asarray(found.reshape(-1, 2).any(axis=1))

    def _by_player(self) -> tuple[Integers, Integers]:
        """Both players of each game in turn, and their order by player and event."""
        sides = np.stack([self.one, self.two], axis=1).ravel()
        return sides, np.lexsort((np.repeat(self.event, 2), sides))

    def digest(self) -> str:
        """Return a hash of everything in it, to say which data a report was made from."""
        found = hashlib.sha256()
        for field in fields(self):
            array = np.ascontiguousarray(getattr(self, field.name))
            found.update(field.name.encode())
            found.update(str(array.tolist()).encode() if array.dtype.kind == "O" else array.tobytes())
        return found.hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRows:
    """Games as a source has them, in order of events and rounds.

    `sides` are ids; `colour` is the first one's: 1 White, -1 Black, 0 unknown; `start` None: events of one day.
    """

    sides: tuple[ArrayLike, ArrayLike]
    score: ArrayLike
    colour: ArrayLike
    round: ArrayLike
    event: ArrayLike
    day: ArrayLike
    rating: Floats
    played: Floats
    start: ArrayLike | None = None


def arranged(given: GameRows, *, in_order: bool = False) -> LabGames:
    """Name players and order rows so that neither tells a result.

    Inside a round the rows of a crosstable follow the final standings, so a hash of each game orders them; `in_order`
    keeps them. Rows without a round keep their order: it may be that in which they were played.
    """
    pair = np.stack([np.asarray(side) for side in given.sides], axis=1)
    if len(pair) == 0:
        raise NoHistory("the source holds no games")
    ids, number = np.unique(pair, return_inverse=True)
    number = number.reshape(pair.shape).astype(np.int64)
    colours, events, rounds = (np.asarray(part, dtype=np.int64) for part in (given.colour, given.event, given.round))
    heads = (_hashes(number[:, 0], number[:, 1], events, rounds) >> np.uint64(63)).astype(np.bool_)
    lower_first = number[:, 0] < number[:, 1]
    turn = np.where(colours == 0, lower_first != heads, colours < 0)
    place = np.where(turn, 1, 0)
    rows = np.arange(len(pair))
    results = np.asarray(given.score, dtype=np.float64)
    both: Flags = np.asarray(~np.isnan(given.rating).any(axis=1))
    found = LabGames(
        ids=ids,
        one=number[rows, place],
        two=number[rows, 1 - place],
        score=np.where(turn, 1.0 - results, results),
        white=colours != 0,
        round=rounds,
        event=events,
        day=np.asarray(given.day, dtype=np.int64),
        start=np.asarray(given.day if given.start is None else given.start, dtype=np.int64),
        rating=np.where(turn[:, None], given.rating[:, ::-1], given.rating),
        played=np.where(turn[:, None], given.played[:, ::-1], given.played),
        rated=both if both.any() else np.ones(len(pair), dtype=np.bool_),
    )
    return found if in_order else found.taken(hash_order(found))


def hash_order(games: LabGames) -> Integers:
    """Return the games by event and round, and inside a round by a hash; without rounds as they are."""
    hashes = _hashes(games.one, games.two, games.event, games.round)
    return np.lexsort((np.where(games.round > 0, hashes, np.uint64(0)), games.round, games.event))


def _hashes(one: Integers, two: Integers, event: Integers, round: Integers) -> NDArray[np.uint64]:
    """Return a number for each game that depends on who met where, never on who is named first (splitmix64)."""
    low, high = np.minimum(one, two), np.maximum(one, two)
    with np.errstate(over="ignore"):
        x = low.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + high.astype(np.uint64)
        for part in (event, round):
            x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9) + part.astype(np.uint64)
        return (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
