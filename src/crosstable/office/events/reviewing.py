"""The review queue: submitted events, each with everything that a reviewer should know."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.model import Finding, errors
from crosstable.office.events import duplicates, findings, submitted_files
from crosstable.office.events.event_rows import find, in_force
from crosstable.office.ledger import documents, models
from crosstable.office.people.rights import Actor


@dataclass(frozen=True, slots=True)
class Waiting:
    """An event in the review queue."""

    event: str
    name: str
    start: str
    end: str
    players: int
    games: int
    by: str
    at: str
    findings: tuple[Finding, ...]

    @property
    def acceptable(self) -> bool:
        return not errors(self.findings)


def review(actor: Actor, number: str = "") -> list[Waiting]:
    """The queue, or one event of it. Directors see what they submitted."""
    rows = submitted_files.visible_events(actor, models.Event.objects.filter(status=models.Event.SUBMITTED))
    lookout, public = duplicates.Lookout(), not actor.may("player.read_private")
    if not number:
        return [_waiting(row, lookout, public=public) for row in rows.order_by("end", "number")]
    row = find(number)
    submitted_files.refuse_others(actor, row)
    return [_waiting(row, lookout, public=public)]


def _waiting(row: models.Event, lookout: duplicates.Lookout, *, public: bool) -> Waiting:
    revision = in_force(row)
    event = documents.unpack(revision.document, row.number)
    return Waiting(
        event=row.number,
        name=row.name,
        start=str(row.start),
        end=str(row.end),
        players=sum(len(section.players) for section in event.sections),
        games=sum(len(section.games) for section in event.sections),
        by=revision.author,
        at=revision.at.isoformat(timespec="seconds"),
        findings=tuple(findings.for_review(row, event, findings.of_reading(revision), lookout, public=public)),
    )
