"""Which sections a changed rating leads to: those that read it next."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from crosstable.office.rating import rows
from crosstable.office.rating.incremental.sections_ahead import Ahead
from crosstable.office.storage import bulk
from crosstable.systems.us_chess.pools import KEYS

#: So many of a player's next sections are rated at once: most who differ go on to differ
NEXT = 8

Key = tuple[int, str]  # a player's rating in a pool


@dataclass(frozen=True, slots=True)
class Turn:
    """Sections that were rated together."""

    places: Collection[int]
    written: Collection[tuple[int, str, int]]  # player, pool and place of the rows that they gave
    always: Collection[int]  # players of whom the ledger's rows say nothing


class NextSections:
    """What is known of the ways of those who differ."""

    def __init__(self, ahead: Ahead, reads: Sequence[frozenset[str]]) -> None:
        self._ahead = ahead
        self._positions: list[int] = ahead.positions.tolist()
        self._read = [reads[number] for number in ahead.text.tolist()]  # by place
        self._ways: dict[int, list[int]] = {}
        self._rows: dict[Key, list[int]] = {}  # where the ledger has rows, in order

    def learn(self, players: Collection[int]) -> None:
        """Learn the ways of more players."""
        new = sorted(set(players) - self._ways.keys())
        if new:
            self._ways |= {player: self._ahead.places_of(player) for player in new}
            sql = (
                f"SELECT player_id, pool, position FROM {rows.TABLE} WHERE "  # noqa: S608  our own names and numbers
                f"player_id IN ({bulk.numbers(new)}) ORDER BY position"
            )
            for player, pool, position in bulk.rows(sql):
                self._rows.setdefault((player, pool), []).append(position)

    def after(self, key: Key, place: int, turn: Turn) -> Iterator[int]:
        """Yield the sections to rate, again or for the first time, because this rating is another after a place of a
        turn.

        They are those that read it, up to the one that gives a new rating. What follows without a gap in the same turn
        has read it already.
        """
        way = self._ways[key[0]]
        needed = together = True
        count = 0
        for here in way[bisect_right(way, place) :]:
            together = together and here in turn.places
            if not together and self._is_read(key, here, turn):
                count += 1
                yield here
            if needed and self._is_written(key, here, turn):
                if together:  # whatever follows from there is that row's matter
                    return
                needed = False
            if not needed and count >= NEXT:
                return

    def _is_written(self, key: Key, here: int, turn: Turn) -> bool:
        if here in turn.places:
            return (*key, here) in turn.written
        found = () if key[0] in turn.always else self._rows.get(key, ())
        position = self._positions[here]
        place = bisect_right(found, position)
        return bool(place and found[place - 1] == position)

    def _is_read(self, key: Key, here: int, turn: Turn) -> bool:
        """Tell whether a section reads a rating: the pools that it is rated in; for a newcomer to one of them,
        any of US Chess's.
        """
        player, pool = key
        read = self._read[here]
        if pool in read or pool not in KEYS:
            return pool in read
        if player in turn.always:
            return any(one in KEYS for one in read)
        position = self._positions[here]
        firsts = (self._rows.get((player, one), (position,))[0] for one in read if one in KEYS)
        return any(first >= position for first in firsts)
