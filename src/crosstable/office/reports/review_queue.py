"""The review queue: events of which something waits, each with everything that a reviewer should know."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.formats.crosstable import people
from crosstable.model import Finding, errors
from crosstable.office.ledger import documents, models, pending_sections
from crosstable.office.people.rights import Actor
from crosstable.office.reports import similar_events, submissions, summaries
from crosstable.office.reports.events import find, in_force
from crosstable.office.reports.summaries import SectionLine


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
    sections: tuple[SectionLine, ...] = ()

    @property
    def acceptable(self) -> bool:
        return not errors(self.findings)

    @property
    def ready(self) -> tuple[int, ...]:
        """The sections that can be accepted, whatever is wrong with the others."""
        if any(pending_sections.section_of(finding) is None for finding in errors(self.findings)):
            return ()
        return summaries.ready(self.sections)


def review(actor: Actor, number: str = "") -> list[Waiting]:
    """Return the queue, or one event of it. Directors see what they submitted."""
    rows = submissions.visible_events(actor, models.Event.objects.filter(pending_sections.WAITS))
    lookout, public = similar_events.Lookout(), not actor.may("player.read_private")
    if not number:
        return [_waiting(row, lookout, public=public) for row in rows.order_by("end", "number")]
    row = find(number)
    submissions.refuse_others(actor, row)
    return [_waiting(row, lookout, public=public)]


def _waiting(row: models.Event, lookout: similar_events.Lookout, *, public: bool) -> Waiting:
    revision = in_force(row)
    event = documents.unpack(revision.document, row.number)
    found = summaries.waiting_findings(row, revision, event, lookout, public=public)
    summary = summaries.of(event, found, summaries.rated_sections(row, event), pending_sections.sent_back(row))
    return Waiting(
        event=row.number,
        name=row.name,
        start=str(row.start),
        end=str(row.end),
        players=people(event.sections),
        games=sum(len(section.games) for section in event.sections),
        by=revision.author,
        at=revision.at.isoformat(timespec="seconds"),
        findings=tuple(found),
        sections=summary.sections,
    )
