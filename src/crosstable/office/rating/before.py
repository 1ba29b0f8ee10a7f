"""What players bring into a run: their last rows before it, or before each stretch of sections that it rates
them in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from crosstable.office.ledger.packing import Array
from crosstable.office.rating import rows, timeline
from crosstable.office.rating.timeline import Decision


@dataclass(frozen=True, slots=True)
class Stretches:
    """A stretch: sections of a player in the run with none between them that the run leaves out.

    Before each stretch the player comes as the ledger says. They stand by player, then by position.
    """

    player: Array
    position: Array  # of the first section, or before it

    @classmethod
    def whole(cls, players: Array) -> Stretches:
        """Return one stretch for each player: the run leaves nothing out."""
        who = np.unique(players)
        return cls(who, np.zeros(len(who), np.int64))

    def of(self, players: Array, positions: Array) -> Array:
        """Return the stretch to which each player's section at a position belongs."""
        order = np.unique(self.position)
        begin = self.player.astype(np.int64) << 32 | np.searchsorted(order, self.position, side="right")
        asked = players.astype(np.int64) << 32 | np.searchsorted(order, positions, side="right")
        return np.searchsorted(begin, asked, side="right") - 1


@dataclass(frozen=True, slots=True)
class Known:
    """What a run that leaves sections out has found about its players beforehand."""

    stretches: Stretches
    rows: (
        pl.DataFrame
    )  # the last ones before each stretch, as `rows.latest_before` gives them, with its number (`stretch`)
    decisions: Sequence[Decision]  # all that no row before the run holds


@dataclass(frozen=True, slots=True)
class Before:
    """Everybody's last rows before a run: as the ledger has them, or as the run knows better."""

    position: int  # of the first section
    known: Known | None = None

    def stretches(self, players: Array) -> Stretches:
        return Stretches.whole(players) if self.known is None else self.known.stretches

    def rows(self, players: Iterable[int] | None) -> pl.DataFrame:
        """Of these players, or of everybody."""
        return rows.latest_before(self.position, players) if self.known is None else self.known.rows

    def decisions(self, until: int, players: Collection[int] | None) -> Sequence[Decision]:
        """Those of these players, or of everybody, that no row before the run holds."""
        if self.known is None:
            return timeline.decisions(until=until, players=players, open_at=self.position)
        return self.known.decisions
