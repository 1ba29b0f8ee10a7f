"""A rating run that follows a change from player to player, instead of rating everything from there on.

Some players come to the next sections with other ratings than before; players who meet them may leave with another one,
too. Everybody else's sections come out as they did, and are not looked at. Ratings are whole numbers, or move less and
less, so most changes end somewhere.

Sections in which someone may differ are rated, many at a time. Where a row then is another than was believed, the
sections that read it next are rated in the next turn, again if need be, until every row that was read is as it is.
Between sections that are left out a player comes as the ledger says (`before.Stretches`). The outcome is that of
`run.compute`, bit for bit.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from crosstable.model import Finding
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.ledger.players import merged_players
from crosstable.office.rating import rows, run, timeline
from crosstable.office.rating.incremental.last_rows import LastRows
from crosstable.office.rating.incremental.next_sections import NextSections, Turn
from crosstable.office.rating.incremental.sections_ahead import Ahead
from crosstable.office.rating.run import Outcome
from crosstable.office.rating.timeline import Placed
from crosstable.office.storage import watching
from crosstable.office.storage.read_once import read_once

#: At most so many sections are rated at a time
MOST = 200
#: A turn takes as long as a whole run takes for so many sections: finding what it leads to, however few it rates
TURN = 400


def compute(position: int, players: Collection[int], gone: Collection[int] = ()) -> Outcome:
    """Rate what an act touches from a position on, and compare. Nothing is written.

    `players`: everybody whose records or facts the act itself changes; the players of sections with other results are
    found here. `gone`: sections that lost their place.
    """
    with read_once():
        ahead = Ahead.read(position)
        chase = _Chase(position, ahead, {*players, *ahead.with_stale_rows(gone)})
        waiting = {*ahead.moved, *chase.always_in()}
        while waiting and worth_following(chase.effort, len(ahead)):
            batch = sorted(waiting)[:MOST]
            waiting.difference_update(batch)
            waiting |= chase.rate(batch)
            watching.tell(min(waiting, default=len(ahead)), len(ahead))
    return run.compute(position, watching.tell, gone=gone) if waiting else chase.outcome(gone)


def worth_following(effort: int, sections: int) -> bool:
    """Tell whether following a change is still quicker than to rate all sections from there on.

    In a small federation everybody meets everybody: nearly all sections are rated in turn after turn. Giving up when
    as much is done as a whole run takes costs at most twice what the better way costs.
    """
    return effort <= sections


class _Chase:
    """What the sections that were rated so far have given."""

    def __init__(self, position: int, ahead: Ahead, always: Collection[int]) -> None:
        same = merged_players()
        self.position, self.ahead, self.office = position, ahead, office()
        self.always = {*always, *(same.get(player, player) for player in always)}  # all their sections are rated
        self.last_rows = LastRows(position, ahead, all_systems(self.office))
        self.next_sections = NextSections(ahead, self.last_rows.reads)
        self.sections: dict[int, Placed] = {}
        self.rated: set[int] = set()  # places
        self.effort = 0  # as many sections as a whole run would have rated in the same time
        compiled = all(one.kernel in run.KERNELS for one in all_systems(self.office))
        self._each_turn = TURN if compiled else 0  # other systems are slow in a section: turns hardly count
        self.suspects: set[int] = set(self.always)  # whose rows may be others than the ledger's
        self.signatures: dict[int, str] = {}
        self.reasons: dict[int, str] = {}
        self.refused: dict[int, tuple[Finding, ...]] = {}

    def always_in(self) -> set[int]:
        """Where those play whose facts or places are others now."""
        return {place for player in self.always for place in self.ahead.places_of(player)}

    def rate(self, places: Sequence[int]) -> set[int]:
        """Rate these sections; which ones must be rated next, because a row is another than was believed."""
        self.effort += self._each_turn + len(places)
        batch = self._placed(places)
        before = self.last_rows.before(np.array(places), self.always)
        found = run.rated(batch, before, chosen=self.office)
        new = found.rows(None)
        other = {
            one.id
            for one in batch
            if found.signatures.get(one.id, one.signature) != self.signatures.get(one.id, one.signature)
        }
        added, removed = self._differences(new, other)
        self.last_rows.keep(new, batch)
        self.rated.update(places)
        for kept, now in (
            (self.signatures, found.signatures),
            (self.reasons, found.reasons),
            (self.refused, found.refused),
        ):
            _replace(kept, now, batch)
        return self._led_to(new, added, removed, {*places})

    def _placed(self, places: Sequence[int]) -> list[Placed]:
        ids = self.ahead.sections[places].tolist()
        new = [section for section in ids if section not in self.sections]
        self.sections |= {one.id: one for one in timeline.sections_of(new)}
        return [self.sections[section] for section in ids]

    def _differences(self, new: pl.DataFrame, sections: set[int]) -> tuple[pl.DataFrame, pl.DataFrame]:
        """(rows of these sections that are others than was believed, those that were believed instead)."""
        again = {section for section in sections if self.ahead.place_of[section] in self.rated}
        new = new.filter(pl.col("section_id").is_in(sections))
        self._suspect(new, sections - again)
        stored = rows.stored_in(sections - again, self.suspects).drop("id")
        known = pl.concat([stored, self.last_rows.rows_at([self.ahead.place_of[section] for section in again])])
        new = new.filter(pl.col("player_id").is_in(self.suspects) | pl.col("section_id").is_in(again))
        added, removed = run.differences(new, known)
        self.suspects.update(added["player_id"], removed["player_id"])
        return added, removed

    def _suspect(self, new: pl.DataFrame, sections: set[int]) -> None:
        """Return whose rows may change: all where games changed, otherwise players who brought or met something
        else.

        Few of a section's rows are, so of the others only what tells of opponents is read.
        """
        moved = {section for section in sections if self.ahead.place_of[section] in self.ahead.moved}
        self.suspects.update(new.filter(pl.col("section_id").is_in(moved))["player_id"])
        columns = list(rows.OF_OPPONENTS)
        theirs = new.filter(pl.col("section_id").is_in(sections - moved)).select(columns)
        stored = rows.stored_in(sections - moved, columns=rows.OF_OPPONENTS)
        for side in run.differences(theirs, stored, columns):
            self.suspects.update(side["player_id"])

    def _led_to(self, new: pl.DataFrame, added: pl.DataFrame, removed: pl.DataFrame, batch: set[int]) -> set[int]:
        """Return the sections that read what changed, up to the rows that follow from it in the same batch."""
        columns = ["player_id", "pool", "section_id"]
        lost = {*removed.join(added, on=columns, how="anti")["player_id"]} - self.always
        if lost:  # the ledger's last rows of theirs count no more
            self.always |= lost
            self.last_rows.forget(lost)
        other = pl.concat([added.select(columns), removed.select(columns)]).unique()
        who = {*other["player_id"]}
        self.next_sections.learn(who)
        theirs = new.filter(pl.col("player_id").is_in(who)).select(columns)
        written = {(player, pool, self.ahead.place_of[section]) for player, pool, section in theirs.iter_rows()}
        turn = Turn(batch, written, self.always)
        found = {place for player in lost for place in self.ahead.places_of(player)}
        for player, pool, section in other.iter_rows():
            found.update(self.next_sections.after((player, pool), self.ahead.place_of[section], turn))
        return found

    def outcome(self, gone: Collection[int]) -> Outcome:
        """Return what all of it comes to, compared with the ledger."""
        changed = {*self.signatures}
        stored = pl.concat([rows.stored_in(changed - {*gone}, self.suspects), rows.stored_in(gone)])
        new = self.last_rows.rows_at([self.ahead.place_of[section] for section in changed])
        added, removed = run.differences(new.filter(pl.col("player_id").is_in(self.suspects)), stored)
        return Outcome(
            position=self.position,
            sections=self.sections,
            added=added,
            removed=removed,
            signatures=self.signatures,
            reasons=self.reasons,
            refused=self.refused,
        )


def _replace(kept: dict[int, Any], now: Mapping[int, Any], batch: Sequence[Placed]) -> None:
    """Replace what was said of a batch's sections before."""
    for one in batch:
        kept.pop(one.id, None)
    kept.update(now)
