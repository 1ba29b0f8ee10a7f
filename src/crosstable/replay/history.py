"""A federation's whole history as arrays: sections in rating order, their entries, and every entry's games.

Players are dense numbers from 0 (`ids` says who they are); a section's entries and an entry's games are ranges (CSR):
entries `entry_start[s]` to `entry_start[s + 1]`, games `game_start[e]` to `game_start[e + 1]`. A game stands twice,
once from each side. Code that builds a history merges re-entries and leaves out forfeits and entries without games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from crosstable.errors import CrosstableError
from crosstable.model import KINDS
from crosstable.systems.us_chess.pools import KEYS

Array = npt.NDArray[Any]

NO_POOL = -1
ADULT, CANADIAN = 1, 2  # what may be true of an entry (a fact holds from a day on: readings 25)
#: An entry's match in the first pool: a lower floor was granted (2025 §7); in pool n, shifted by n bits
GRANTED = 4
FULL, HALF = 1, 2  # a section's weight


def layout(fields: Mapping[type[np.generic], str]) -> np.dtype[Any]:
    """Return the fields of an array's rows by their type, the widest first, so that alignment leaves no holes."""
    return np.dtype([(name, kind) for kind, names in fields.items() for name in names.split()], align=True)


#: A section. Days are ordinals (datetime.date.toordinal). `first` and `second` are pools by index in `us_chess.pools`;
#: `second` is NO_POOL where the section is rated in one pool. `kind` is an index into model.KINDS, `weight` FULL or
#: HALF. `dual`: its time control is dual-rated, though a match may count in one of the two pools only (readings 39).
SECTION = layout(
    {
        np.int32: "start_day end_day event_end_day",
        np.int8: "first second kind weight",
        np.bool_: "youth dual",
    }
)

#: What an initial rating reads of a player: birth day (0: unknown), inferred adult, Canadian resident, the office's own
#: conversion of a foreign rating (NaN: none).
PLAYER = layout({np.float64: "foreign_rating", np.int32: "birth_day", np.bool_: "adult canadian"})

#: A FIDE or CFC rating of a player since a day. `source` is initial.FIDE or initial.CFC. Sorted by player, then day.
FOREIGN = layout({np.float64: "rating", np.int32: "player day", np.int8: "source"})

#: An office's order: before section `section` is rated, `field` of the player's state in `system` becomes `value`
#: (NaN: none). Sorted by section; those of one section apply in the order in which they stand. Of a player without a
#: rating in the pool only a rating can be set: then there is a record for what follows.
ADJUSTMENT = layout({np.float64: "value", np.int32: "section player", np.int8: "pool field"})

#: What an adjustment can set, by index: names are those of model.Rating. `at_least` lifts a lower rating to a floor
#: that the office has set (readings 24), `ceiling` lowers a higher one (43). An earlier match takes two: `match_day`
#: begins it, `match_change` says what it did.
ADJUSTABLE = (
    "rating",
    "games",
    "date",
    "wins",
    "draws",
    "losses",
    "assigned_games",
    "three_game_events",
    "peak",
    "prize_floor",
    "life_master",
    "ceiling",
    "games_above_2200",
    "at_least",
    "lowered_floor",
    "lowered_from",
    "match_day",
    "match_change",
)


class HistoryError(CrosstableError):
    """A history whose arrays contradict each other; the message says where."""


@dataclass(frozen=True, slots=True)
class History:
    """Everything that a replay reads, except the rules."""

    sections: Array  # SECTION
    entry_start: Array  # int64, one more than sections
    entry_player: Array  # int32
    entry_counts: (
        Array  # bool: in a FIDE event, whether the player's games count by flag, FIDE rating or opting in (§6)
    )
    game_start: Array  # int64, one more than entries
    opponent: Array  # int32: the opponent's position among the section's entries
    half_points: Array  # int8: 2 win, 1 draw, 0 loss
    players: Array  # PLAYER
    ids: Sequence[Any]  # who the players are; numbers or text, one per player
    foreign: Array = field(default_factory=lambda: np.zeros(0, FOREIGN))
    adjustments: Array = field(default_factory=lambda: np.zeros(0, ADJUSTMENT))
    #: int16: ADULT and CANADIAN on the event's last day, GRANTED by pool; nothing: as `players` says
    entry_facts: Array | None = None

    def facts_of_entries(self) -> Array:
        """Return what is true of each entry, as numbers to be added."""
        if self.entry_facts is not None:
            return self.entry_facts
        own = self.players["adult"] * np.int16(ADULT) + self.players["canadian"] * np.int16(CANADIAN)
        found: Array = own.astype(np.int16)[self.entry_player]
        return found

    @property
    def games(self) -> int:
        """How many games there are; each stands twice."""
        return len(self.opponent) // 2

    @property
    def nbytes(self) -> int:
        arrays = (getattr(self, field.name) for field in fields(self) if field.name != "ids")
        return int(sum(array.nbytes for array in arrays if array is not None))

    def checked(self, *, sides: bool = True) -> History:
        """Itself, or HistoryError with the contradictions found. `sides`: whether every game stands from both sides."""
        for ask in (_ranges, _sections, _references, _side_tables, *((_sides,) if sides else ())):
            if complaints := ask(self):  # a later question only makes sense if the earlier ones found nothing
                raise HistoryError("; ".join(complaints))
        return self


def new_players(count: int) -> Array:
    """Players of whom nothing is known."""
    players = np.zeros(count, PLAYER)
    players["foreign_rating"] = np.nan
    return players


def _ranges(history: History) -> list[str]:
    found = []
    for name, starts, owners, owned in (
        ("entry_start", history.entry_start, len(history.sections), len(history.entry_player)),
        ("game_start", history.game_start, len(history.entry_player), len(history.opponent)),
    ):
        if len(starts) != owners + 1 or starts[0] != 0 or starts[-1] != owned:
            found.append(f"{name} does not cover its {owned} rows: a table is cut short or too long")
        elif (np.diff(starts) < 0).any():
            found.append(
                f"{name} runs backwards at row {int(np.argmax(np.diff(starts) < 0))}: the rows are out of order"
            )
    for name, array, length in (
        ("half_points", history.half_points, len(history.opponent)),
        ("entry_counts", history.entry_counts, len(history.entry_player)),
        ("ids", history.ids, len(history.players)),
    ):
        if len(array) != length:
            found.append(f"{name} has {len(array)} rows instead of {length}")
    return found


def _sections(history: History) -> list[str]:
    sections = history.sections
    wrong = [
        ("ends before it starts", sections["end_day"] < sections["start_day"]),
        ("is rated in no pool", (sections["first"] < 0) | (sections["first"] >= len(KEYS))),
        ("has an unknown second pool", (sections["second"] < NO_POOL) | (sections["second"] >= len(KEYS))),
        ("is rated in one pool twice", sections["first"] == sections["second"]),
        ("has an unknown kind", (sections["kind"] < 0) | (sections["kind"] >= len(KINDS))),
        ("has an unknown weight", (sections["weight"] != FULL) & (sections["weight"] != HALF)),
    ]
    return [f"section {int(np.argmax(bad))} {what}" for what, bad in wrong if bad.any()]


def _references(history: History) -> list[str]:
    found = []
    if len(history.entry_player) and not 0 <= history.entry_player.min() <= history.entry_player.max() < len(
        history.players
    ):
        found.append("an entry names a player who is not there")
    section = np.repeat(np.arange(len(history.sections)), np.diff(history.entry_start))
    field = np.repeat(np.diff(history.entry_start)[section], np.diff(history.game_start))
    strangers = (history.opponent < 0) | (history.opponent >= field)
    if strangers.any():
        found.append(f"game {int(np.argmax(strangers))}: the opponent is not in the section")
    if ((history.half_points < 0) | (history.half_points > 2)).any():
        found.append("a result is not 0, 1 or 2 half points")
    keys = section * np.int64(len(history.players)) + history.entry_player
    if len(np.unique(keys)) != len(keys):
        found.append("a player appears twice in one section: merge re-entries")
    return found


def _sides(history: History) -> list[str]:
    """Each game stands once from either side: the other side has what is left of two half points."""
    entry = np.repeat(np.arange(len(history.entry_player)), np.diff(history.game_start))
    base = np.repeat(np.repeat(history.entry_start[:-1], np.diff(history.entry_start)), np.diff(history.game_start))
    other = base + history.opponent
    if (entry == other).any():
        return [f"game {int(np.argmax(entry == other))}: a player meets themself"]
    width = np.int64(max(len(history.entry_player), 1))
    mine = np.sort((entry * width + other) * 3 + history.half_points)
    theirs = np.sort((other * width + entry) * 3 + (2 - history.half_points))
    return [] if np.array_equal(mine, theirs) else ["a game does not stand with opposite results from both sides"]


def _side_tables(history: History) -> list[str]:
    found = []
    for name, table in (("foreign", history.foreign), ("adjustments", history.adjustments)):
        if len(table) and not 0 <= table["player"].min() <= table["player"].max() < len(history.players):
            found.append(f"{name} names a player who is not there")
    order = history.foreign["player"].astype(np.int64) << 32 | history.foreign["day"]
    if (np.diff(order) < 0).any():
        found.append("foreign ratings are not sorted by player and day")
    if (np.diff(history.adjustments["section"]) < 0).any():
        found.append("adjustments are not sorted by section")
    fields_, pools = history.adjustments["field"], history.adjustments["pool"]
    if ((fields_ < 0) | (fields_ >= len(ADJUSTABLE)) | (pools < 0) | (pools >= len(KEYS))).any():
        found.append("an adjustment names an unknown field or pool")
    return found
