"""Rating runs as acts of the office: rated, written, followed by floors and titles, and entered in the log; or previewed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from crosstable.office import floor_requests, titles
from crosstable.office.audit.log import record
from crosstable.office.database import writing
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import run
from crosstable.office.rating.changes import Change, changes
from crosstable.office.rating.run import Outcome, Progress

#: More sections than this, and titles are computed anew for everybody at once
MANY_SECTIONS = 20_000


@dataclass(frozen=True, slots=True)
class Rerated:
    """What a run did, or would do."""

    sections: int  # rated anew with another result
    rows_added: int
    rows_removed: int
    players: int  # whose ratings change
    preview: bool
    changes: tuple[Change, ...] = ()  # of a preview: everybody, the largest first

    def as_json(self) -> dict[str, Any]:
        return {
            "preview": self.preview,
            "sections": self.sections,
            "rows_added": self.rows_added,
            "rows_removed": self.rows_removed,
            "players": self.players,
            "changes": [change.as_json() for change in self.changes],
        }


def rerate(actor: Actor, reason: str = "", *, preview: bool = False, progress: Progress | None = None) -> Rerated:
    """Everything from the first section on; without a change of results or rules nothing changes."""
    require(actor, "rating.preview" if preview else "rating.rerate")
    with writing():
        outcome = run.compute(run.BEGINNING, progress)
        return _follow(actor, outcome, "rating.rerate", "ratings", reason, {}, preview)


def follow(
    actor: Actor,
    position: int,
    action: str,
    subject: str,
    reason: str,
    details: Mapping[str, Any] | None = None,
    *,
    gone: Iterable[int] = (),
    preview: bool = False,
) -> Rerated:
    """Rate from a position on, in the caller's transaction. `gone`: sections that have lost their place.

    A preview writes nothing and undoes what the caller wrote.
    """
    return _follow(actor, run.compute(position, gone=gone), action, subject, reason, details or {}, preview)


def _follow(
    actor: Actor, outcome: Outcome, action: str, subject: str, reason: str, details: Mapping[str, Any], preview: bool
) -> Rerated:
    if preview:
        found = tuple(changes(outcome))
        transaction.set_rollback(True)
        return _summary(outcome, preview=True, found=found)
    run.write(outcome)
    floor_requests.follow(outcome)
    touched = _touched(outcome)
    titles.after_rating(None if len(touched) > MANY_SECTIONS else touched)
    done = _summary(outcome, preview=False)
    counts = {"sections": done.sections, "rows_added": done.rows_added, "rows_removed": done.rows_removed}
    record(actor.name, action, subject, reason, {**details, **counts})
    return done


def unrated(
    actor: Actor,
    action: str,
    subject: str,
    reason: str,
    details: Mapping[str, Any] | None = None,
    *,
    preview: bool = False,
) -> Rerated:
    """An act that touches no rating; the log tells of it as of any other."""
    if preview:
        transaction.set_rollback(True)
    else:
        record(actor.name, action, subject, reason, details)
    return Rerated(0, 0, 0, 0, preview)


def _touched(outcome: Outcome) -> list[int]:
    """Sections with other rows than before, and those that are gone."""
    return sorted({*outcome.added["section_id"].unique(), *outcome.removed["section_id"].unique()})


def _summary(outcome: Outcome, *, preview: bool, found: tuple[Change, ...] = ()) -> Rerated:
    players = {*outcome.added["player_id"].unique(), *outcome.removed["player_id"].unique()}
    return Rerated(len(_touched(outcome)), len(outcome.added), len(outcome.removed), len(players), preview, found)
