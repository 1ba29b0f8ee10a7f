"""Rating runs as acts of the office: rated, written, followed by floors and titles, and entered in the log; or previewed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from crosstable.model import Finding
from crosstable.office import titles
from crosstable.office.audit.log import record
from crosstable.office.ledger import models
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import floor_requests, run
from crosstable.office.rating.changes import Change, changes
from crosstable.office.rating.run import Outcome, Progress
from crosstable.office.storage.database import writing

#: More sections than this, and titles are computed anew for everybody at once
MANY_SECTIONS = 20_000
#: A floor that moves may move another player's, seldom twice; however that ends, the last run has the decisions as they are
MOST_RUNS = 5


@dataclass(frozen=True, slots=True)
class Refused:
    """An accepted section that a system does not rate any more, because of what came before it."""

    event: str
    section: int
    findings: tuple[Finding, ...]

    def as_json(self) -> dict[str, Any]:
        return {"event": self.event, "section": self.section, "findings": [str(one) for one in self.findings]}


@dataclass(frozen=True, slots=True)
class Rerated:
    """What a run did, or would do."""

    sections: int  # rated anew with another result
    rows_added: int
    rows_removed: int
    players: int  # whose ratings change
    preview: bool
    changes: tuple[Change, ...] = ()  # of a preview: everybody, the largest first
    refused: tuple[Refused, ...] = ()  # sections that are no longer rated: the run had to leave them out

    def as_json(self) -> dict[str, Any]:
        return {
            "preview": self.preview,
            "sections": self.sections,
            "rows_added": self.rows_added,
            "rows_removed": self.rows_removed,
            "players": self.players,
            "changes": [change.as_json() for change in self.changes],
            "refused": [one.as_json() for one in self.refused],
        }


def rerate(actor: Actor, reason: str = "", *, preview: bool = False, progress: Progress | None = None) -> Rerated:
    """Everything from the first section on; without a change of results or rules nothing changes."""
    require(actor, "rating.preview" if preview else "rating.rerate")
    with writing():
        outcome, floors = _settled(run.BEGINNING, None, progress)
        return _follow(actor, outcome, "rating.rerate", "ratings", reason, floors, preview)


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
    outcome, floors = _settled(position, tuple(gone))
    return _follow(actor, outcome, action, subject, reason, {**(details or {}), **floors}, preview)


def _settled(
    position: int, gone: Sequence[int] | None, progress: Progress | None = None
) -> tuple[Outcome, dict[str, Any]]:
    """A run whose ratings and decisions fit, and for the log what became of granted floors.

    A lower floor follows its match; then what was computed without that is computed again, before anything is written.
    """
    outcome = run.compute(position, progress, gone=gone)
    told: dict[str, str] = {}
    for _ in range(MOST_RUNS):
        moved = floor_requests.settle(outcome)
        if not moved:
            break
        told |= {str(one.request): one.what for one in moved}
        position = min(position, *(one.position for one in moved))
        outcome = run.compute(position, gone=gone)
    return outcome, {"floor_requests": told} if told else {}


def _follow(
    actor: Actor, outcome: Outcome, action: str, subject: str, reason: str, details: Mapping[str, Any], preview: bool
) -> Rerated:
    if preview:
        done = _summary(outcome, preview=True, found=tuple(changes(outcome)))
        transaction.set_rollback(True)  # nothing can be read after this
        return done
    run.write(outcome)
    floor_requests.follow(outcome)
    touched = _touched(outcome)
    titles.after_rating(None if len(touched) > MANY_SECTIONS else touched)
    done = _summary(outcome, preview=False)
    counts = {"sections": done.sections, "rows_added": done.rows_added, "rows_removed": done.rows_removed}
    record(actor.name, action, subject, reason, {**details, **counts, **_left_out(done)})
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


def _left_out(done: Rerated) -> dict[str, Any]:
    """For the log: which sections are no longer rated, and the codes that say why."""
    rows = [
        {"event": one.event, "section": one.section, "codes": sorted({finding.code for finding in one.findings})}
        for one in done.refused
    ]
    return {"refused": rows} if rows else {}


def _refused(outcome: Outcome) -> tuple[Refused, ...]:
    if not outcome.refused:
        return ()
    events = {outcome.sections[section].event for section in outcome.refused}
    numbers = dict(models.Event.objects.filter(id__in=list(events)).values_list("id", "number"))
    placed = [(outcome.sections[section], findings) for section, findings in outcome.refused.items()]
    return tuple(Refused(numbers[one.event], one.number, findings) for one, findings in placed)


def _touched(outcome: Outcome) -> list[int]:
    """Sections with other rows than before, and those that are gone."""
    return sorted({*outcome.added["section_id"].unique(), *outcome.removed["section_id"].unique()})


def _summary(outcome: Outcome, *, preview: bool, found: tuple[Change, ...] = ()) -> Rerated:
    players = {*outcome.added["player_id"].unique(), *outcome.removed["player_id"].unique()}
    rows = len(outcome.added), len(outcome.removed)
    return Rerated(len(_touched(outcome)), *rows, len(players), preview, found, _refused(outcome))
