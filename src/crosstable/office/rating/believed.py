"""How players come to the sections of a run that leaves others out: by the rows it has rated so far, else by the ledger's."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import polars as pl

from crosstable.office.ledger.merges import with_duplicates
from crosstable.office.ledger.packing import Array
from crosstable.office.rating import rows, run, timeline
from crosstable.office.rating.ahead import Ahead
from crosstable.office.rating.before import Before, Known, Stretches
from crosstable.office.rating.timeline import Decision, Placed
from crosstable.systems import RatingSystem
from crosstable.systems.us_chess.pools import KEYS

#: More than there are pools: a stretch's first place and a pool as one number
_POOLS = 64
_STATE = [*rows.STATE_COLUMNS, "day"]


class Believed:
    """Rows as they were rated last, and what has been read of the ledger beside them; nothing of it is read twice."""

    def __init__(self, position: int, ahead: Ahead, systems: Sequence[RatingSystem]) -> None:
        self._position, self._ahead = position, ahead
        self._pools = {pool: place for place, pool in enumerate(pool for system in systems for pool in system.pools)}
        self._us_chess = [place for pool, place in self._pools.items() if pool in KEYS]
        self.reads = [pools_read(text, systems) for text in ahead.pools]
        self._asked: set[int] = set()
        self._looked_up = rows.latest_before_each(())
        self._row_of: dict[int, int] = {}  # what was asked → its row there
        self._decided: set[int] = set()
        self._decisions: dict[int, list[Decision]] = {}  # by player and pool
        self._order = self._visits = np.zeros(0, np.int64)  # the rows below by key and place
        day = {"day": pl.String, "at": pl.Int64, "key": pl.Int64}
        self.rated = pl.DataFrame(schema={**rows.COLUMNS, **day})  # `at`: the place; `key`: player and pool

    def keep(self, new: pl.DataFrame, batch: Sequence[Placed]) -> None:
        """Rows as they are rated now, instead of those that these sections had."""
        ids = [one.id for one in batch]
        heads = pl.DataFrame(
            {"section_id": ids, "day": [one.end.isoformat() for one in batch], "at": [self._ahead.place_of[one] for one in ids]},
            schema={"section_id": pl.Int64, "day": pl.String, "at": pl.Int64},
        )  # fmt: skip
        key = pl.col("player_id") * _POOLS + pl.col("pool").replace_strict(self._pools, return_dtype=pl.Int64)
        fresh = new.join(heads, on="section_id", maintain_order="left").with_columns(key=key)
        others = self.rated.filter(~pl.col("section_id").is_in(ids))
        self.rated = pl.concat([others, fresh.select(others.columns)], rechunk=True)
        visits = self._visit(self.rated["key"].to_numpy(), self.rated["at"].to_numpy())
        self._order = np.argsort(visits)
        self._visits = visits[self._order]

    def forget(self, players: Collection[int]) -> None:
        """Read the ledger's rows of these players anew: the last ones no longer count."""
        self._asked = {one for one in self._asked if one // _POOLS // self._width not in players}
        self._row_of = {one: row for one, row in self._row_of.items() if one in self._asked}

    def before(self, places: Array, always: Collection[int]) -> Before:
        """How everybody comes to these sections. Of `always` the ledger's rows count up to the beginning of the run."""
        ahead = self._ahead
        chosen = np.zeros(len(ahead) + 1, np.bool_)
        chosen[places] = True
        entries = ahead.entries_in(places)
        here = ahead.place[entries]
        visits = self._visit(ahead.players[entries].astype(np.int64), here)
        begins = np.unique(visits[~chosen[ahead.previous[entries]]])
        stretch = np.searchsorted(begins, visits, side="right") - 1
        wanted = self._wanted(stretch, here, begins)
        wanted = np.union1d(wanted, self._read_rows(wanted, always))
        players = self._player(begins)
        stretches = Stretches(players, ahead.positions[begins % self._width])
        return Before(
            int(ahead.positions[places[0]]), Known(stretches, self._rows(begins, wanted), self._decided_on(wanted))
        )

    @property
    def _width(self) -> int:
        return len(self._ahead) + 1

    def _visit(self, players: Array, places: Array) -> Array:
        """A player at a place as one number; they stand by player, then by place."""
        return players * self._width + places

    def _player(self, visits: Array) -> Array:
        return visits // self._width

    def _wanted(self, stretch: Array, here: Array, begins: Array) -> Array:
        """The pools that each stretch's sections read."""
        text = self._ahead.text[here]
        found = [
            begins[np.unique(stretch[text == number])] * _POOLS + self._pools[pool]
            for number in np.unique(text).tolist()
            for pool in self.reads[number]
            if pool in self._pools
        ]
        return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)

    def _read_rows(self, wanted: Array, always: Collection[int]) -> Array:
        """The ledger's last rows; of newcomers to a pool of US Chess in all of its pools, which are the answer.

        (It takes a first rating from another pool.)
        """
        self._look_up(wanted, always)
        us_chess = wanted[np.isin(wanted % _POOLS, self._us_chess)].tolist()
        new = np.array(sorted({one // _POOLS for one in us_chess if one not in self._row_of}), np.int64)
        others = (new[:, None] * _POOLS + np.array(self._us_chess, np.int64)).ravel()
        self._look_up(others, always)
        return others

    def _look_up(self, wanted: Array, always: Collection[int]) -> None:
        """What has not been asked before."""
        new = np.array([one for one in wanted.tolist() if one not in self._asked], np.int64)
        visit, pool = new // _POOLS, new % _POOLS
        player = self._player(visit)
        position = self._ahead.positions[visit % self._width]
        position = np.where(np.isin(player, list(always)), self._position, position)
        names = list(self._pools)
        asked = zip(
            new.tolist(), player.tolist(), (names[one] for one in pool.tolist()), position.tolist(), strict=True
        )
        found = rows.latest_before_each(asked)
        self._asked.update(new.tolist())
        self._row_of |= {one: row for row, one in enumerate(found["asked"].to_list(), len(self._looked_up))}
        self._looked_up = pl.concat([self._looked_up, found], rechunk=True)

    def _rows(self, begins: Array, wanted: Array) -> pl.DataFrame:
        """The last row before each stretch in each pool that is wanted: of the ledger, or a later one that was rated."""
        stored: pl.DataFrame = self._looked_up[[self._row_of[one] for one in wanted.tolist() if one in self._row_of]]
        stretch = np.searchsorted(begins, stored["asked"].to_numpy() // _POOLS)
        stored = stored.select(_STATE).with_columns(stretch=stretch)
        if not len(self._visits):
            return stored
        visit, pool = wanted // _POOLS, wanted % _POOLS
        key = self._player(visit) * _POOLS + pool
        last = np.searchsorted(self._visits, self._visit(key, visit % self._width)) - 1
        known = (last >= 0) & (self._visits[last] // self._width == key)
        newer: pl.DataFrame = self.rated.select(_STATE)[self._order[last[known]]]
        newer = newer.with_columns(stretch=np.searchsorted(begins, visit[known]))
        both = pl.concat([stored, newer]).sort("position", maintain_order=True)
        return both.unique(["stretch", "pool"], keep="last", maintain_order=True)

    def _decided_on(self, wanted: Array) -> list[Decision]:
        """The decisions on what is wanted that no row before the run holds."""
        keys = np.unique(self._player(wanted // _POOLS) * _POOLS + wanted % _POOLS).tolist()
        new = {key // _POOLS for key in keys} - self._decided
        self._decided |= new
        if new:
            for one in timeline.decisions(players=with_duplicates(new), open_at=self._position):
                if one.pool in self._pools:
                    own = one.player * _POOLS + self._pools[one.pool]
                    self._decisions.setdefault(own, []).append(one)
        found = [one for key in keys for one in self._decisions.get(key, ())]
        return sorted(found, key=lambda one: one.position)


def pools_read(keys: str, systems: Sequence[RatingSystem]) -> frozenset[str]:
    """The array kernel reads the pools that a section is rated in; other systems all of theirs."""
    own = set(keys.split(","))
    others = (one.pools for one in systems if one.kernel not in run.KERNELS and own & set(one.pools))
    return frozenset(own.union(*others))
