"""A federation's history, replayed under the US Chess rules: every section, every system, from the first day on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from crosstable.replay.history import Array, History
from crosstable.replay.state import States
from crosstable.rulebook import AS_WRITTEN
from crosstable.systems.us_chess.coefficients import Coefficients

#: What a section did to one entry in one system. A row without a new rating (a FIDE event that does not count for this
#: player) has `post` NaN. `source` says where an initial rating came from (see systems.us_chess.initial), or RATED.
ROW = np.dtype(
    [
        ("prior", np.float64),
        ("post", np.float64),
        ("prior_games", np.int32),
        ("post_games", np.int32),
        ("source", np.int8),
        ("system", np.int8),
        ("flags", np.uint8),
    ],
    align=True,
)
RATED = -1
SPECIAL, LIMITED, FLOORED, FLOOR_REQUEST = 1, 2, 4, 8  # flags of a row


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Everybody's ratings just before a section."""

    section: int
    states: States


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay found. Section s has rows from `row_start[s - first]` on: entries in its first system, then its second."""

    first: int  # the first section replayed
    rows: Array  # ROW
    row_start: Array  # int64, one more than the sections replayed
    states: States  # after the last section
    checkpoints: tuple[Checkpoint, ...]
    row_states: Array | None  # STATE after each row, if asked for


def replay(
    history: History,
    states: States | None = None,
    *,
    profile: str = AS_WRITTEN,
    rules: Callable[[date], Coefficients] | None = None,
    first: int = 0,
    checkpoints: Sequence[int] = (),
    keep_states: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Replayed:
    """Every section from `first` on, starting from `states` (without them nobody is rated), which stay as they are.

    `rules` gives other numbers than the profile's, by deciding day. `checkpoints` are section numbers before which the
    states are kept; `keep_states` keeps each row's state after it. `progress` hears (games done, games in all).
    """
    raise NotImplementedError
