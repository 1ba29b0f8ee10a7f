"""How players come to the sections of a run that leaves others out: by the rows it has rated so far, else by the
ledger's.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import attrgetter

import numpy as np
import polars as pl

from crosstable.office.ledger.packing import Array
from crosstable.office.ledger.players import with_duplicates
from crosstable.office.rating import rows, run, timeline
from crosstable.office.rating.before import Before, Known, Stretches
from crosstable.office.rating.incremental.sections_ahead import Ahead
from crosstable.office.rating.timeline import Decision, Placed
from crosstable.systems import RatingSystem
from crosstable.systems.us_chess.pools import KEYS

#: More than there are pools: a stretch's first place and a pool as one number
_POOLS = 64
_STATE = [*rows.STATE_COLUMNS, "day"]


class LastRows:
    """Rows as they were rated last, and what has been read of the ledger beside them; nothing of it is read twice.

    Tables only grow, and are picked from by place: a turn of a run costs what is new in it, not what is there already.
    """

    def __init__(self, position: int, ahead: Ahead, systems: Sequence[RatingSystem]) -> None:
        self._position, self._ahead = position, ahead
        self._pools = {pool: place for place, pool in enumerate(pool for system in systems for pool in system.pools)}
        self._us_chess = np.array([place for pool, place in self._pools.items() if pool in KEYS], np.int64)
        self.reads = [pools_read(text, systems) for text in ahead.pools]
        self._asked = self._found = np.zeros(0, np.int64)  # ascending; and the row of each below (-1: there is none)
        self._looked_up = rows.latest_before_each((), (), (), ())
        self._decided: set[int] = set()
        self._decisions: list[Decision] = []
        self._decision_keys = np.zeros(0, np.int64)
        self._visits = self._order = np.zeros(0, np.int64)  # rows that count, by key and place; where each stands below
        self._rated = pl.DataFrame(schema={**rows.COLUMNS, "day": pl.String})

    def keep(self, new: pl.DataFrame, batch: Sequence[Placed]) -> None:
        """Rows as they are rated now, instead of those that these sections had."""
        ids = np.array([one.id for one in batch])
        places = np.array([self._ahead.place_of[one.id] for one in batch])
        by_id = np.argsort(ids)
        section = by_id[np.searchsorted(ids, new["section_id"].to_numpy(), sorter=by_id)]
        pool = new["pool"].replace_strict(self._pools, return_dtype=pl.Int64).to_numpy()
        visits = self._visit(new["player_id"].to_numpy() * _POOLS + pool, places[section])
        order = np.argsort(visits)
        others = ~self._among(places)[self._visits % self._width]
        before = self._visits[others]
        where = np.searchsorted(before, visits[order])
        self._visits = np.insert(before, where, visits[order])
        self._order = np.insert(self._order[others], where, len(self._rated) + order)
        days = pl.Series("day", [one.end.isoformat() for one in batch], pl.String)[section]
        self._rated = pl.concat([self._rated, new.hstack([days])])

    def rows_at(self, places: Sequence[int]) -> pl.DataFrame:
        """Return the rows of these sections as they were rated last."""
        theirs = self._among(np.array(places, np.int64))[self._visits % self._width]
        found: pl.DataFrame = self._rated[np.sort(self._order[theirs])]
        return found.drop("day")

    def forget(self, players: Collection[int]) -> None:
        """Read the ledger's rows of these players anew: the last ones no longer count."""
        others = ~np.isin(self._player(self._asked // _POOLS), list(players))
        self._asked, self._found = self._asked[others], self._found[others]

    def before(self, places: Array, always: Collection[int]) -> Before:
        """How everybody comes to these sections. Of `always` the ledger's rows count up to the beginning of the run."""
        ahead = self._ahead
        entries = ahead.entries_in(places)
        here = ahead.place[entries]
        visits = self._visit(ahead.players[entries].astype(np.int64), here)
        first = ~self._among(places)[ahead.previous[entries]]
        begins, chosen = np.unique(visits[first], return_index=True)
        stretch = np.searchsorted(begins, visits, side="right") - 1
        wanted = self._wanted(stretch, here, begins)
        wanted = np.union1d(wanted, self._read_rows(wanted, begins, ahead.previous[entries[first][chosen]], always))
        stretches = Stretches(self._player(begins), ahead.positions[begins % self._width])
        return Before(
            int(ahead.positions[places[0]]), Known(stretches, self._rows(begins, wanted), self._decided_on(wanted))
        )

    @property
    def _width(self) -> int:
        return len(self._ahead) + 1

    def _visit(self, players: Array, places: Array) -> Array:
        """Return a player at a place as one number; they stand by player, then by place."""
        return players * self._width + places

    def _player(self, visits: Array) -> Array:
        return visits // self._width

    def _among(self, places: Array) -> Array:
        """For each place whether it is one of these; -1, no place, is none."""
        found = np.zeros(self._width, np.bool_)
        found[places] = True
        return found

    def _wanted(self, stretch: Array, here: Array, begins: Array) -> Array:
        """Return the pools that each stretch's sections read."""
        text = self._ahead.text[here]
        found = [
            begins[np.unique(stretch[text == number])] * _POOLS + self._pools[pool]
            for number in np.unique(text).tolist()
            for pool in self.reads[number]
            if pool in self._pools
        ]
        return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)

    def _read_rows(self, wanted: Array, begins: Array, previous: Array, always: Collection[int]) -> Array:
        """Return the ledger's last rows; of newcomers to a pool of US Chess in all of its pools, which are the answer.

        (It takes a first rating from another pool.) Who was rated in the section before needs none: nothing lies
        between.
        `previous`: the place of that section, for each of `begins`.
        """
        last, at = self._last_rated(wanted)
        need = (last < 0) | (at != previous[np.searchsorted(begins, wanted // _POOLS)])
        self._look_up(wanted[need], always)
        there = (last >= 0) | (self._stored(wanted) >= 0)
        new = np.unique(wanted[~there & np.isin(wanted % _POOLS, self._us_chess)] // _POOLS)
        others = (new[:, None] * _POOLS + self._us_chess).ravel()
        self._look_up(others, always)
        return others

    def _last_rated(self, wanted: Array) -> tuple[Array, Array]:
        """Return the last row that the run has rated before each stretch in each pool (-1: none), and its place."""
        if not len(self._visits):
            return np.full(len(wanted), -1), np.full(len(wanted), -1)
        visit = wanted // _POOLS
        key = self._player(visit) * _POOLS + wanted % _POOLS
        last = np.searchsorted(self._visits, self._visit(key, visit % self._width)) - 1
        known = (last >= 0) & (self._visits[last] // self._width == key)
        return np.where(known, self._order[last], -1), np.where(known, self._visits[last] % self._width, -1)

    def _stored(self, wanted: Array) -> Array:
        """Return the row of the ledger that was looked up for each; -1 where there is none."""
        place = _place_of(wanted, self._asked)
        return np.where(place >= 0, self._found[place], -1) if len(self._found) else place

    def _look_up(self, wanted: Array, always: Collection[int]) -> None:
        """Look up what has not been asked before."""
        new = wanted[_place_of(wanted, self._asked) < 0]
        if not len(new):
            return
        visit, pool = new // _POOLS, new % _POOLS
        player = self._player(visit)
        position = self._ahead.positions[visit % self._width]
        position = np.where(np.isin(player, list(always)), self._position, position)
        names = np.array(list(self._pools))
        rows_found = rows.latest_before_each(new.tolist(), player.tolist(), names[pool].tolist(), position.tolist())
        row = np.full(len(new), -1)
        row[np.searchsorted(new, rows_found["asked"].to_numpy())] = len(self._looked_up) + np.arange(len(rows_found))
        where = np.searchsorted(self._asked, new)
        self._asked, self._found = np.insert(self._asked, where, new), np.insert(self._found, where, row)
        self._looked_up = pl.concat([self._looked_up, rows_found])

    def _rows(self, begins: Array, wanted: Array) -> pl.DataFrame:
        """Return the last row before each stretch in each pool that is wanted: of the ledger,
        or a later one that was rated.
        """
        stored, (rated, at) = self._stored(wanted), self._last_rated(wanted)
        position = self._looked_up["position"].to_numpy()
        both = (stored >= 0) & (rated >= 0)
        stored[both] = np.where(position[stored[both]] > self._ahead.positions[at[both]], stored[both], -1)
        rated[stored >= 0] = -1
        stretch = np.searchsorted(begins, wanted // _POOLS)
        parts = []
        for table, row in ((self._looked_up, stored), (self._rated, rated)):
            there = row >= 0
            numbers = pl.Series("stretch", stretch[there], pl.Int64)
            parts.append(table.select(_STATE)[row[there]].hstack([numbers]))
        return pl.concat(parts)

    def _decided_on(self, wanted: Array) -> list[Decision]:
        """Return the decisions on what is wanted that no row before the run holds."""
        keys = np.unique(self._player(wanted // _POOLS) * _POOLS + wanted % _POOLS)
        new = set((keys // _POOLS).tolist()) - self._decided
        self._decided |= new
        if new:
            found = timeline.decisions(players=with_duplicates(new), open_at=self._position)
            found = [one for one in found if one.pool in self._pools]
            self._decisions += found
            own = [one.player * _POOLS + self._pools[one.pool] for one in found]
            self._decision_keys = np.append(self._decision_keys, np.array(own, np.int64))
        chosen = np.flatnonzero(_place_of(self._decision_keys, keys) >= 0).tolist()
        return sorted((self._decisions[place] for place in chosen), key=attrgetter("position"))


def _place_of(wanted: Array, known: Array) -> Array:
    """Where each number stands among known ones, which ascend; -1 where it does not."""
    if not len(known):
        return np.full(len(wanted), -1)
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[place] == wanted, place, -1)


def pools_read(keys: str, systems: Sequence[RatingSystem]) -> frozenset[str]:
    """Return the pools that a section reads: the array kernel those it is rated in; other systems all of theirs."""
    own = set(keys.split(","))
    others = (one.pools for one in systems if one.kernel not in run.KERNELS and own & set(one.pools))
    return frozenset(own.union(*others))
