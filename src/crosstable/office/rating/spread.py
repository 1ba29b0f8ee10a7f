"""A rating run that follows a change from player to player, instead of rating everything from there on.

Some players come to the next sections with other ratings than before; whoever meets them may leave with another one, too.
Everybody else's sections come out as they did, and are not looked at. Ratings are whole numbers, or move less and less, so
most changes end somewhere.

The sections that may differ are rated some at a time. What came out the same then leaves the chase; the others carry their
new rows on, which the ledger does not have yet. The outcome is that of `run.compute`, bit for bit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from crosstable.model import Finding
from crosstable.office.ledger.merges import merged_players, read_once
from crosstable.office.ledger.models import Office
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.ledger.packing import ENTRY_WIDTH, INT, Array, entries_of
from crosstable.office.rating import rows, run, signature, timeline
from crosstable.office.rating.rows import Before
from crosstable.office.rating.run import Outcome, RatedSections
from crosstable.office.rating.timeline import Placed
from crosstable.office.storage import bulk, watching
from crosstable.systems import RatingSystem
from crosstable.systems.us_chess.pools import KEYS

#: At most so many sections are rated at a time
MOST = 1000
#: Of those, so many that only players of the same batch lead to: perhaps they did not change, and it was in vain
PERHAPS = 10
#: So many sections are looked through at a time for the next one
LOOK = 400

_OWN = ["player_id", "pool"]
Key = tuple[int, str]  # a player's rating in a pool


def compute(position: int, players: Collection[int], gone: Collection[int] = ()) -> Outcome:
    """Rate what an act touches from a position on, and compare. Nothing is written.

    `players`: everybody whose records or facts the act itself changes; the players of sections with other results are
    found here. `gone`: sections that lost their place.
    """
    with read_once():
        ahead = _Ahead.read(position)
        chase = _Chase(position, {*players, *ahead.with_stale_rows(gone)})
        for batch in ahead.batches(chase):
            chase.rate(timeline.sections_of(batch))
    removed = [rows.stored_in(gone)] if gone else []
    return Outcome(
        position, chase.sections, pl.concat([rows.empty(), *chase.added]),
        pl.concat([rows.stored_in(()), *removed, *chase.removed]), chase.signatures, chase.reasons, chase.refused,
    )  # fmt: skip


@dataclass(slots=True)
class _Chase:
    """Who differs so far, and what the sections that were rated have given."""

    position: int
    always: set[int]  # whose facts are others now: all their sections are rated
    differs: set[Key] = field(default_factory=set)
    office: Office = field(init=False)
    systems: list[RatingSystem] = field(init=False)
    last: pl.DataFrame = field(init=False)  # the last rows of all of them, as `rows.latest_before` gives them
    sections: dict[int, Placed] = field(default_factory=dict)
    added: list[pl.DataFrame] = field(default_factory=list)
    removed: list[pl.DataFrame] = field(default_factory=list)
    signatures: dict[int, str] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    refused: dict[int, tuple[Finding, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        same = merged_players()
        self.always = {*self.always, *(same.get(player, player) for player in self.always)}
        self.office = office()
        self.systems = all_systems(self.office)
        self.last = rows.latest_before_each(dict.fromkeys(self._always_keys(), self.position))

    def _always_keys(self) -> list[Key]:
        pools = [pool for system in self.systems for pool in system.pools]
        return [(player, pool) for player in sorted(self.always) for pool in pools]

    @property
    def players(self) -> set[int]:
        """Everybody who comes, or may come, with other ratings than before."""
        return self.always | {player for player, _ in self.differs}

    def rate(self, batch: list[Placed]) -> None:
        """Rate these sections and see who differs after them."""
        known = self._rows_before(batch)
        found = run.rated(batch, Before(batch[0].position, known, frozenset(self.players)), chosen=self.office)
        new = found.rows(None)
        changed = set(found.signatures)
        again = new.filter(pl.col("section_id").is_in(changed))
        added, removed = run.differences(again, rows.stored_in(changed))
        self._keep(found, added, removed)
        self._see_who_differs(new, added, removed)
        self._carry_on(known, new, batch)

    def _rows_before(self, batch: list[Placed]) -> pl.DataFrame:
        """Everybody's last rows before the batch in the pools that it reads; of newcomers to a pool, in all of them.

        (US Chess takes a first rating from another pool.)
        """
        first = _first_positions(batch)
        keys = {
            (player, pool) for section in batch for pool in self._pools_read(section) for player in _players(section)
        }
        found = pl.concat([self.last, self._from_ledger(keys, first)])
        new = {player for player, pool in keys - set(found.select(_OWN).iter_rows()) if pool in KEYS}
        others = {(player, pool) for player in new for pool in KEYS} - keys
        return pl.concat([found, self._from_ledger(others, first)])

    def _pools_read(self, section: Placed) -> set[str]:
        """The array kernel reads the pools that a section is rated in; other systems all of theirs."""
        own = set(section.keys)
        return own.union(*(one.pools for one in self.systems if one.kernel not in run.KERNELS and own & set(one.pools)))

    def _from_ledger(self, keys: set[Key], first: Mapping[int, int]) -> pl.DataFrame:
        """Of those who come as before."""
        asked = (key for key in sorted(keys - self.differs) if key[0] not in self.always)
        return rows.latest_before_each({key: first[key[0]] for key in asked})

    def _keep(self, found: RatedSections, added: pl.DataFrame, removed: pl.DataFrame) -> None:
        self.sections |= found.sections
        self.signatures |= found.signatures
        self.reasons |= found.reasons
        self.refused |= found.refused
        self.added += [added] if len(added) else []
        self.removed += [removed] if len(removed) else []

    def _see_who_differs(self, new: pl.DataFrame, added: pl.DataFrame, removed: pl.DataFrame) -> None:
        """Whoever's last row here is another now; who differed before and has the same one is as in the ledger again."""
        columns = [*_OWN, "position"]
        other = pl.concat([added.select(columns), removed.select(columns)])
        who = {*other["player_id"], *(player for player, _ in self.differs)}
        last_of_all = _last_positions(pl.concat([new.select(columns).filter(pl.col("player_id").is_in(who)), other]))
        last_other = _last_positions(other)
        for key, position in last_of_all.items():
            (self.differs.add if last_other.get(key) == position else self.differs.discard)(key)

    def _carry_on(self, known: pl.DataFrame, new: pl.DataFrame, batch: list[Placed]) -> None:
        """The last rows of all who differ: those that they came with, and the new ones."""
        keys = {*self.differs, *self._always_keys()}
        wanted = pl.DataFrame(list(keys), schema={"player_id": pl.Int64, "pool": pl.String}, orient="row")
        ends = pl.DataFrame(
            {"section_id": [one.id for one in batch], "day": [one.end.isoformat() for one in batch]},
            schema={"section_id": pl.Int64, "day": pl.String},
        )
        given = new.join(wanted, on=_OWN, how="semi").join(ends, on="section_id").select(known.columns)
        held = known.join(wanted, on=_OWN, how="semi")
        self.last = pl.concat([held, given]).sort("position", maintain_order=True).unique(_OWN, keep="last")


def _players(section: Placed) -> list[int]:
    players: list[int] = timeline.as_kept(entries_of(section.entries))[:, 1].tolist()
    return players


def _first_positions(batch: list[Placed]) -> dict[int, int]:
    """Where each player comes in. What they played before that is not in the batch, and stands in the ledger."""
    return {player: section.position for section in reversed(batch) for player in _players(section)}


def _last_positions(table: pl.DataFrame) -> dict[Key, int]:
    found = table.group_by(_OWN).agg(pl.col("position").max())
    return {(player, pool): position for player, pool, position in found.iter_rows()}


@dataclass(frozen=True, slots=True)
class _Ahead:
    """Who plays in which section from a position on."""

    sections: Array  # ids, in order
    positions: Array
    start: Array  # where each one's players begin
    players: Array  # duplicates stand for the record that is kept
    moved: frozenset[int]  # places of sections that are new, or have another content or place

    @classmethod
    def read(cls, position: int) -> _Ahead:
        sql = f"SELECT id, position, entries, signature FROM ledger_section WHERE position >= {int(position)} ORDER BY position"  # noqa: S608  our own names and numbers
        found = bulk.rows(sql)
        ids, positions = (np.array([row[column] for row in found], np.int64) for column in (0, 1))
        start = np.cumsum([0, *(len(row[2]) // (INT.itemsize * ENTRY_WIDTH) for row in found)])
        entries = entries_of(b"".join(bytes(row[2]) for row in found))
        moved = frozenset(place for place, row in enumerate(found) if row[3].startswith(signature.MOVED))
        return cls(ids, positions, start, timeline.as_kept(entries)[:, 1], moved)

    def with_stale_rows(self, gone: Collection[int]) -> set[int]:
        """Players with a row in the ledger that counts no more: of a section that is gone or elsewhere, or without them."""
        there = {
            (int(self.sections[place]), int(self.positions[place]), int(player))
            for place in self.moved
            for player in self.players[self.start[place] : self.start[place + 1]]
        }
        wanted = bulk.numbers({*(section for section, _, _ in there), *gone})
        sql = f"SELECT section_id, position, player_id FROM {rows.TABLE} WHERE section_id IN ({wanted})"  # noqa: S608  our own names and numbers
        return {player for section, position, player in bulk.rows(sql) if (section, position, player) not in there}

    def batches(self, chase: _Chase) -> Iterator[list[int]]:
        """The ids of sections to rate, some at a time; who differs is asked anew before each batch."""
        place = 0
        while place < len(self.sections):
            batch, place = self._batch(place, chase.players)
            if batch:
                yield self.sections[batch].tolist()
            watching.tell(place, len(self.sections))

    def _batch(self, place: int, differ: set[int]) -> tuple[list[int], int]:
        """(places of the sections that those who differ play in, or who meets them there; where to go on)."""
        size = 1 + int(max(self.players.max(initial=0), max(differ, default=0)))
        surely = np.zeros(size, np.bool_)
        surely[list(differ)] = True
        perhaps = surely.copy()
        batch: list[int] = []
        in_vain = 0
        here = self._next(place, perhaps)
        while here < len(self.sections):
            who = self.players[self.start[here] : self.start[here + 1]]
            in_vain += not (here in self.moved or bool(surely[who].any()))
            if in_vain > PERHAPS or len(batch) == MOST:
                return batch, here
            batch.append(here)
            perhaps[who] = True
            here = self._next(here + 1, perhaps)
        return batch, len(self.sections)

    def _next(self, place: int, wanted: Array) -> int:
        """The next section from a place on that is new or moved, or in which somebody plays who is wanted."""
        moved = min((one for one in self.moved if one >= place), default=len(self.sections))
        for first in range(place, moved, LOOK):
            entry = self.start[first]
            found = np.flatnonzero(wanted[self.players[entry : self.start[min(first + LOOK, moved)]]])
            if len(found):
                return int(np.searchsorted(self.start, entry + found[0], side="right")) - 1
        return moved
