"""How a submitted file stands: what was found, what became of it, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from crosstable.errors import OfficeError
from crosstable.model import Finding, errors
from crosstable.office.events import reviewing
from crosstable.office.events.submitted_files import visible
from crosstable.office.events.submitting import REFUSED, UNREADABLE
from crosstable.office.ledger import documents
from crosstable.office.ledger.models import Event
from crosstable.office.people.rights import Actor

#: What to do next, by the event's status
NEXT = {
    Event.SUBMITTED: "It waits for review: there is nothing to do.",
    Event.ACCEPTED: "It is rated.",
    Event.WITHDRAWN: "It was withdrawn: the messages say why.",
    Event.REFUSED: "The office refused it: the messages say why.",
}


@dataclass(frozen=True, slots=True)
class Status:
    number: int
    file: str
    format: str
    outcome: str  # queued, same, refused, unreadable, correction
    event: str
    event_status: str  # submitted, accepted, withdrawn, refused; empty where no event came of it
    at: datetime
    findings: tuple[Finding, ...]
    next_step: str


class NoSubmission(OfficeError):
    """There is none of this number, or none that this actor may see."""


def status(actor: Actor, number: int) -> Status:
    """A director sees what the director sent in. While the event waits, the findings are what its reviewer sees."""
    row = visible(actor).filter(id=number).select_related("event").first()
    if row is None:
        raise NoSubmission(f"there is no submission {number} for you")
    event = row.event
    found = tuple(documents.finding_from_json(one) for one in row.findings)
    if event is not None and event.status == Event.SUBMITTED and row.outcome != REFUSED:
        found = reviewing.review(actor, event.number)[0].findings
    return Status(
        number=row.id, file=row.file_name, format=row.format, outcome=row.outcome, event=event.number if event else "",
        event_status=event.status if event else "", at=row.at, findings=found,
        next_step=_next(row.outcome, event.status if event else "", len(errors(found))),
    )  # fmt: skip


def _next(outcome: str, status: str, wrong: int) -> str:
    if outcome == UNREADABLE:
        return "Mend what the findings name and submit the file again."
    if outcome == REFUSED:
        return "The office has another event with this id: ask for a correction, or submit under another id."
    if status == Event.SUBMITTED and wrong:
        return "It cannot be rated with these errors: ask the office to correct it, with a file that has none."
    return NEXT[status]
