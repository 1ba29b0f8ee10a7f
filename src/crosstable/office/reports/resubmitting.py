"""A better file for an event that waits, was refused, or was taken back: by its sender."""

from __future__ import annotations

from dataclasses import replace

from crosstable.errors import OfficeError
from crosstable.formats.base import Reading
from crosstable.model import Event as Document
from crosstable.model import errors
from crosstable.office.audit.log import record
from crosstable.office.ledger import documents, for_the_record, pending_sections
from crosstable.office.ledger.models import Event
from crosstable.office.people.rights import Actor, require
from crosstable.office.reports import findings, submissions, summaries
from crosstable.office.reports.events import add_revision, describe, document, find, identify
from crosstable.office.reports.submissions import QUEUED, Submitted
from crosstable.office.storage.database import writing


def may_send_again(actor: Actor, row: Event) -> bool:
    """While it or a section of it waits, and when it came back to its director."""
    return row.status == Event.SUBMITTED or bool(row.held) or submissions.came_back(actor, row)


def send_again(actor: Actor, number: str, data: bytes, name: str, reading: Reading) -> Submitted:
    """Another content for an event of the actor's own that is not rated: a new revision, and it waits for review.

    Where some sections are rated, the others alone change.
    """
    require(actor, "event.submit")
    event = reading.draft
    if event is None or event.start is None or event.end is None:
        raise OfficeError("the players or the dates cannot be read from the file: fix that first")
    event = for_the_record.without_choices(event)
    found = findings.of_file(reading)
    with writing():
        row = find(number)
        submissions.refuse_others(actor, row)
        if not may_send_again(actor, row):
            raise OfficeError(f"event {number} is {row.status}: ask for a correction instead")
        event = with_rated(row, event)
        read = pending_sections.findings_without(reading.findings, summaries.rated_sections(row, event))
        file = submissions.stored_file(actor, data, name, reading, found)
        submissions.save_file(file, QUEUED, row)
        describe(row, event, documents.content_hash(event))
        row.status = row.status if row.held else Event.SUBMITTED
        row.sent_back = {}  # it has come again, and is looked at anew
        row.save()
        revision = add_revision(
            actor, row, event, kind="submitted", reason="sent again", submission=file, findings=read
        )
        summaries.keep(row, revision, event)
        words = submissions.in_queue(len(errors(found)))
        record(actor.name, "event.submit", f"event:{number}", words, {**identify(revision), "outcome": QUEUED})
    return Submitted(QUEUED, file.id, number, tuple(found), words)


def with_rated(row: Event, event: Document) -> Document:
    """Return the sections that are rated as they are, the others as they come now."""
    waiting = pending_sections.numbers(row)
    if not waiting:
        return event
    old, new = document(row.number), {one.number: one for one in event.sections}
    sections = tuple(new.get(one.number, one) if one.number in waiting else one for one in old.sections)
    return replace(old, sections=sections)
