"""From packed crosstables to the arrays of a replay: re-entries merged, everybody's games in order of rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crosstable.office.ledger.packing import GAME_WIDTH, INT, Array
from crosstable.office.rating.timeline import Placed, entry_table

_ROUND_BITS, _FIELD_BITS, _RESULT_BITS = 12, 17, 2


@dataclass(frozen=True, slots=True)
class Crosstables:
    """Many sections at once: entries by section and pairing number, games by entry and round (see replay.history)."""

    entry_start: Array
    number: Array  # the entry's lowest pairing number
    player: Array  # the player's row in the ledger
    game_start: Array
    opponent: Array  # the opponent's place in the section
    half_points: Array

    def section_of(self) -> Array:
        """Each entry's section."""
        return np.repeat(np.arange(len(self.entry_start) - 1), np.diff(self.entry_start))


def crosstables(sections: Sequence[Placed]) -> Crosstables:
    """Everybody with a game, in the order in which the rules look at them (readings 21)."""
    section, entries = entry_table(sections)
    standing = _standing(section, entries)
    game_section, games = _game_table(sections)
    white = standing[_entry_of(section, entries, game_section, games[:, 1])]
    black = standing[_entry_of(section, entries, game_section, games[:, 2])]
    met = white != black
    white, black, games = white[met], black[met], games[met]

    owner, other = np.concatenate([white, black]), np.concatenate([black, white])
    played = np.bincount(owner, minlength=len(entries)) > 0
    place = np.cumsum(played) - 1
    entry_start = np.concatenate([[0], np.cumsum(np.bincount(section[played], minlength=len(sections)))]).astype(
        np.int64
    )
    in_section = place - entry_start[section] if len(entries) else place

    keys = place[owner].astype(np.int64) << (_ROUND_BITS + _FIELD_BITS + _RESULT_BITS)
    rounds = np.clip(np.tile(games[:, 0], 2), 0, 2**_ROUND_BITS - 1).astype(np.int64)
    keys |= rounds << (_FIELD_BITS + _RESULT_BITS)
    keys |= in_section[other].astype(np.int64) << _RESULT_BITS
    keys |= np.concatenate([games[:, 3], 2 - games[:, 3]])
    keys.sort()
    sides = keys >> (_ROUND_BITS + _FIELD_BITS + _RESULT_BITS)
    return Crosstables(
        entry_start=entry_start,
        number=entries[played, 0],
        player=entries[played, 1],
        game_start=np.concatenate([[0], np.cumsum(np.bincount(sides, minlength=int(played.sum())))]).astype(np.int64),
        opponent=(keys >> _RESULT_BITS & (2**_FIELD_BITS - 1)).astype(np.int32),
        half_points=(keys & (2**_RESULT_BITS - 1)).astype(np.int8),
    )


def _standing(section: Array, entries: Array) -> Array:
    """For each entry the first one of the same player in the section: entries stand by pairing number."""
    keys = section.astype(np.int64) << 32 | entries[:, 1]
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    found: Array = first[inverse]
    return found


def _game_table(sections: Sequence[Placed]) -> tuple[Array, Array]:
    counts = [len(section.games) // (INT.itemsize * GAME_WIDTH) for section in sections]
    games = np.frombuffer(b"".join(section.games for section in sections), INT).reshape(-1, GAME_WIDTH)
    return np.repeat(np.arange(len(sections)), counts), games


def _entry_of(section: Array, entries: Array, game_section: Array, numbers: Array) -> Array:
    """The entry with that pairing number in the game's section."""
    have = section.astype(np.int64) << 32 | entries[:, 0]
    return np.searchsorted(have, game_section.astype(np.int64) << 32 | numbers)
