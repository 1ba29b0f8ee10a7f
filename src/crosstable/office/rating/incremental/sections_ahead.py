"""Who plays in which section from a position on: sections by their places in the order, and each player's way through
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from crosstable.office.ledger.packing import ENTRY_WIDTH, INT, Array, entries_of
from crosstable.office.rating import rows, signature, timeline
from crosstable.office.storage import bulk


@dataclass(frozen=True, slots=True)
class Ahead:
    """Sections by place: 0 is the first from a position on. Duplicates stand for the record that is kept."""

    sections: Array  # ids
    positions: Array
    pools: tuple[str, ...]  # in which sections are rated, as the ledger has them: each combination once
    text: Array  # which of those is each section's
    start: Array  # where each one's entries begin
    players: Array  # of each entry
    place: Array  # of each entry
    previous: Array  # of each entry: the place of the player's section before it; -1: it is the first
    by_player: Array  # player * 2**32 + entry, ascending
    place_of: dict[int, int]  # by the section's id
    moved: frozenset[int]  # places of sections that are new, or have another content or place

    @classmethod
    def read(cls, position: int) -> Ahead:
        sql = (
            "SELECT id, position, entries, signature, keys FROM "  # noqa: S608  our own names and numbers
            f"ledger_section WHERE position >= {int(position)} ORDER BY position"
        )
        found = bulk.rows(sql)
        ids, positions = (np.array([row[column] for row in found], np.int64) for column in (0, 1))
        counts = [len(row[2]) // (INT.itemsize * ENTRY_WIDTH) for row in found]
        players = timeline.as_kept(entries_of(b"".join(bytes(row[2]) for row in found)))[:, 1]
        place = np.repeat(np.arange(len(found)), counts)
        by_player = np.sort(players.astype(np.int64) << 32 | np.arange(len(players)))
        entry, same = by_player & 0xFFFFFFFF, np.diff(by_player >> 32) == 0
        previous = np.full(len(players), -1, np.int64)
        previous[entry[1:][same]] = place[entry[:-1][same]]
        moved = frozenset(number for number, row in enumerate(found) if row[3].startswith(signature.MOVED))
        texts = {text: number for number, text in enumerate(dict.fromkeys(row[4] for row in found))}
        return cls(
            sections=ids,
            positions=positions,
            pools=tuple(texts),
            text=np.array([texts[row[4]] for row in found], np.int64),
            start=np.cumsum([0, *counts]),
            players=players,
            place=place,
            previous=previous,
            by_player=by_player,
            place_of={row[0]: number for number, row in enumerate(found)},
            moved=moved,
        )

    def __len__(self) -> int:
        return len(self.sections)

    def with_stale_rows(self, gone: Collection[int]) -> set[int]:
        """Players with a row in the ledger that counts no more: of a section that is gone or elsewhere, or without
        them.
        """
        there = {
            (int(self.sections[place]), int(self.positions[place]), int(player))
            for place in self.moved
            for player in self.players[self.start[place] : self.start[place + 1]]
        }
        wanted = bulk.numbers({*(section for section, _, _ in there), *gone})
        sql = (
            f"SELECT section_id, position, player_id FROM {rows.TABLE} WHERE "  # noqa: S608  our own names and numbers
            f"section_id IN ({wanted})"
        )
        return {player for section, position, player in bulk.rows(sql) if (section, position, player) not in there}

    def places_of(self, player: int) -> list[int]:
        """Where a player plays, in order."""
        first, last = np.searchsorted(self.by_player, (player << 32, (player + 1) << 32))
        found: list[int] = np.unique(self.place[self.by_player[first:last] & 0xFFFFFFFF]).tolist()
        return found

    def entries_in(self, places: Iterable[int]) -> Array:
        """Return the entries of some sections."""
        return np.concatenate([np.arange(self.start[place], self.start[place + 1]) for place in places])
