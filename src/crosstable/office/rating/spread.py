"""A rating run that follows a change from player to player, instead of rating everything from there on.

Some players come to the next sections with other ratings than before; whoever meets them may leave with another one, too.
Everybody else's sections come out as they did, and are not looked at. Ratings are whole numbers, or move less and less, so
most changes end somewhere.

The sections that may differ are rated some at a time. What came out the same then leaves the chase; the others carry their
new rows on, which the ledger does not have yet. The outcome is that of `run.compute`, bit for bit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from crosstable.model import Finding
from crosstable.office.ledger.merges import merged_players
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.ledger.packing import ENTRY_WIDTH, INT, Array
from crosstable.office.rating import rows, run, signature, timeline
from crosstable.office.rating.rows import Before
from crosstable.office.rating.run import Outcome, RatedSections
from crosstable.office.rating.timeline import Placed
from crosstable.office.storage import bulk, watching

#: At most so many sections are rated at a time
MOST = 1000
#: Of those, so many that only players of the same batch lead to: perhaps they did not change, and it was in vain
PERHAPS = 10

_OWN = ["player_id", "pool"]
Key = tuple[int, str]  # a player's rating in a pool


def compute(position: int, players: Collection[int], gone: Collection[int] = ()) -> Outcome:
    """Rate what an act touches from a position on, and compare. Nothing is written.

    `players`: everybody whose records or facts the act itself changes; the players of sections with other results are
    found here. `gone`: sections that lost their place.
    """
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
    pools: set[str] = field(init=False)  # that the office keeps
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
        self.pools = {pool for system in all_systems(office()) for pool in system.pools}
        self.last = rows.latest_before_each(dict.fromkeys(sorted(self.always), self.position), self.pools)

    @property
    def players(self) -> set[int]:
        """Everybody who comes, or may come, with other ratings than before."""
        return self.always | {player for player, _ in self.differs}

    def rate(self, batch: list[Placed]) -> None:
        """Rate these sections and see who differs after them."""
        position = batch[0].position
        moved = self.players
        known = pl.concat([self.last, rows.latest_before_each(_first_positions(batch, moved), self.pools)])
        found = run.rated(batch, Before(position, known, frozenset(moved)))
        new = found.rows(None)
        changed = set(found.signatures)
        again = new.filter(pl.col("section_id").is_in(changed))
        added, removed = run.differences(again, rows.stored_in(changed))
        self._keep(found, added, removed)
        self._see_who_differs(new, added, removed)
        self._carry_on(known, new, batch)

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
        last_of_all = _last_positions(pl.concat([new.select(columns), other]))
        last_other = _last_positions(other)
        for key, position in last_of_all.items():
            (self.differs.add if last_other.get(key) == position else self.differs.discard)(key)

    def _carry_on(self, known: pl.DataFrame, new: pl.DataFrame, batch: list[Placed]) -> None:
        """The last rows of all who differ: those that they came with, and the new ones."""
        wanted = pl.col("player_id").is_in(self.players)
        ends = pl.DataFrame(
            {"section_id": [one.id for one in batch], "day": [one.end.isoformat() for one in batch]},
            schema={"section_id": pl.Int64, "day": pl.String},
        )
        given = new.filter(wanted).join(ends, on="section_id").select(known.columns)
        both = pl.concat([known.filter(wanted), given]).sort("position", maintain_order=True)
        self.last = both.unique(_OWN, keep="last")


def _first_positions(batch: list[Placed], without: set[int]) -> dict[int, int]:
    """Where each player comes in. What they played before that is not in the batch, and stands in the ledger."""
    section, entries = timeline.entry_table(batch)
    players, first = np.unique(entries[:, 1], return_index=True)
    places = zip(players.tolist(), section[first].tolist(), strict=True)
    return {player: batch[place].position for player, place in places if player not in without}


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
        entries = np.frombuffer(b"".join(bytes(row[2]) for row in found), INT).reshape(-1, ENTRY_WIDTH)
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
        for here in range(place, len(self.sections)):
            who = self.players[self.start[here] : self.start[here + 1]]
            certain = here in self.moved or bool(surely[who].any())
            if not certain and not perhaps[who].any():
                continue
            in_vain += not certain
            if in_vain > PERHAPS or len(batch) == MOST:
                return batch, here
            batch.append(here)
            perhaps[who] = True
        return batch, len(self.sections)
