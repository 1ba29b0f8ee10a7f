"""A section's crosstable as two little arrays: what the replay reads for millions of games at once.

entries: (pairing number, player's row in the ledger) for every entry; games: (round, White's number, Black's number,
White's half points) for every game that was played. All int32, little-endian.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from crosstable.model import PLAYED_RESULTS, Section
from crosstable.office.ledger.for_the_record import as_rated

Array = npt.NDArray[Any]

INT = np.dtype("<i4")
ENTRY_WIDTH, GAME_WIDTH = 2, 4


def pack_entries(section: Section, rows: Mapping[str, int]) -> bytes:
    """`rows`: a player's id → row in the ledger."""
    table = sorted((player.number, rows[player.id]) for player in section.players)
    return np.array(table, INT).tobytes()


def pack_games(section: Section) -> bytes:
    table = sorted(
        (game.round, game.white, game.black, PLAYED_RESULTS[game.result][0])
        for game in as_rated(section).games
        if game.played
    )
    return np.array(table, INT).tobytes()


def entries_of(data: bytes) -> Array:
    return np.frombuffer(data, INT).reshape(-1, ENTRY_WIDTH)


def games_of(data: bytes) -> Array:
    return np.frombuffer(data, INT).reshape(-1, GAME_WIDTH)
