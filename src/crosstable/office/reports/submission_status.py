"""How a submitted file stands: what was found, what became of it, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from crosstable.errors import OfficeError
from crosstable.formats.dates import day
from crosstable.model import Finding, errors
from crosstable.office.ledger import documents
from crosstable.office.ledger.models import Event, Submission
from crosstable.office.notices import messages
from crosstable.office.people.rights import Actor
from crosstable.office.reports import review_queue, summaries
from crosstable.office.reports.events import in_force
from crosstable.office.reports.submissions import REFUSED, UNREADABLE, visible
from crosstable.office.reports.summaries import SectionLine

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
    sections: tuple[SectionLine, ...] = ()  # while something waits: every section, and whether it is rated


class NoSubmission(OfficeError):
    """There is none of this number, or none that this actor may see."""


def status(actor: Actor, number: int) -> Status:
    """Return the status. A director sees own submissions only.

    While the event waits, the findings are what its reviewer sees.
    """
    row = visible(actor).filter(id=number).select_related("event").first()
    if row is None:
        raise NoSubmission(f"there is no submission {number} for you")
    event = row.event
    found = tuple(documents.finding_from_json(one) for one in row.findings)
    sections: tuple[SectionLine, ...] = ()
    if event is not None and row.outcome != REFUSED and (event.status == Event.SUBMITTED or event.held):
        waiting = review_queue.review(actor, event.number)[0]
        found, sections = waiting.findings, waiting.sections
    return Status(
        number=row.id,
        file=row.file_name,
        format=row.format,
        outcome=row.outcome,
        event=event.number if event else "",
        event_status=event.status if event else "",
        at=row.at,
        findings=found,
        next_step=question(row, event, messages.unanswered([about(row)]))
        or _next(row.outcome, event, len(errors(found)), sections),
        sections=sections,
    )


def about(row: Submission) -> str:
    """Return the name of what is said about it (see notices)."""
    return f"submission:{row.id}"


def question(row: Submission, event: Event | None, asked: Mapping[str, datetime]) -> str:
    """Return what to do where the office asked something (`asked`: when) and waits for the answer.

    What is decided needs none.
    """
    at = asked.get(about(row))
    if at is None or event is None or not (event.status == Event.SUBMITTED or event.held):
        return ""
    return f"The office asked you something on {day(at.date())}: read the messages and answer."


def _next(outcome: str, event: Event | None, wrong: int, sections: Sequence[SectionLine]) -> str:
    if outcome == UNREADABLE:
        return "Fix what the findings name and submit the file again."
    if outcome == REFUSED:
        return "The office has another event with this id: ask for a correction, or submit under another id."
    if event is None:
        return ""
    if back := summaries.back_words(sections):
        rated = ", ".join(one.name for one in sections if one.rated)
        return f"Rated: {rated}. {back}" if rated else back
    if event.status == Event.ACCEPTED and sections:
        return _partly(sections)
    if event.status == Event.SUBMITTED and wrong:
        return "It cannot be rated with these errors: ask the office to correct it, with a file that has none."
    if event.status == Event.REFUSED and (reason := in_force(event).reason):
        return f"The office refused it: {reason}"
    return NEXT[event.status]


def _partly(sections: Sequence[SectionLine]) -> str:
    """Say that some sections are rated and the others wait for a file without errors, or for the office."""
    waiting = [one for one in sections if not one.rated]
    rated = ", ".join(one.name for one in sections if one.rated)
    names = ", ".join(one.name for one in waiting)
    if any(one.errors for one in waiting):
        return f"Rated: {rated}. Waiting: {names}. Ask for a correction with a file that has none of these errors."
    return f"Rated: {rated}. Waiting: {names}. There is nothing to do."
