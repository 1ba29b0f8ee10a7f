"""Finding correction requests, and reading the file that each brought."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from crosstable.errors import EventRejected, OfficeError
from crosstable.formats.base import Reading
from crosstable.formats.given import first_name_first
from crosstable.model import Event as Document
from crosstable.model import errors
from crosstable.model.difference import Difference
from crosstable.office.audit.log import record
from crosstable.office.ledger import documents, for_the_record, free_text, input_checks, pending_sections, revisions
from crosstable.office.ledger.differences import differences
from crosstable.office.ledger.models import Event, Player
from crosstable.office.ledger.revisions import called
from crosstable.office.notices import messages
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.rating.rerating import Rerated
from crosstable.office.reports import accepting, findings, keep_missing_fields, submissions
from crosstable.office.reports.events import find, in_force
from crosstable.office.reports.file_reading import dated_event, read_file
from crosstable.office.requests.models import CorrectionRequest
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.office.storage.row import first_or


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as lists of requests show it."""

    number: int
    event: str
    event_name: str
    by: str
    at: datetime
    reason: str
    state: str
    results: int  # how many differ
    players: int
    facts: int
    sections: tuple[str, ...]
    answer: str
    decided_by: str
    decided_at: datetime | None
    revision: int | None


def about(row: CorrectionRequest) -> str:
    """The name of what is said about it (see notices)."""
    return f"correction:{row.id}"


def visible(actor: Actor) -> QuerySet[CorrectionRequest]:
    """The office sees all of them; others those that they made."""
    require(actor, "correction.ask")
    rows = CorrectionRequest.objects.select_related("event")
    if actor.may("event.review"):
        return rows
    return rows.filter(Q(author=actor.user))


def find_request(actor: Actor, number: int) -> CorrectionRequest:
    return first_or(visible(actor).filter(id=number), OfficeError(f"there is no correction request {number} for you"))


def correction_requests(actor: Actor, *, waiting: bool = False, event: str = "") -> list[Asked]:
    """All that this person may see, newest first; or those that wait, oldest first."""
    rows = visible(actor).defer("data")
    rows = rows.filter(event__number=event) if event else rows
    if waiting:
        return [shown(row) for row in rows.filter(state=CorrectionRequest.ASKED).order_by("id")]
    return [shown(row) for row in rows.order_by("-id")]


def shown(row: CorrectionRequest) -> Asked:
    counts = row.summary
    return Asked(
        row.id,
        row.event.number,
        row.event.name,
        row.author,
        row.at,
        row.reason,
        row.state,
        counts.get("result", 0),
        counts.get("player", 0),
        counts.get("fact", 0),
        tuple(counts.get("sections", ())),
        row.answer,
        row.decided_by,
        row.decided_at,
        row.revision,
    )


def read(event: Event, file: Reading) -> Document:
    """What a file would make of the event; EventRejected with everything that speaks against it."""
    old = revisions.document(id=event.id)
    reading, _ = keep_missing_fields.kept(file, old)
    found = findings.of_file(reading)
    new = dated_event(reading, found)
    if wrong := [
        one for one in errors(found) if pending_sections.section_of(one) not in pending_sections.numbers(event)
    ]:
        raise EventRejected(wrong)
    return for_the_record.with_choices(old, new, record_only=False)


def changed(actor: Actor, event: Event, new: Document) -> list[Difference]:
    """Return what the new content would change in the event, with the names of the register.

    A name that the register withholds is shown to the office only; a director sees what the reports say.
    """
    old = revisions.document(id=event.id)
    people = {one.id: one.name for side in (old, new) for section in side.sections for one in section.players if one.id}
    register = Player.objects.filter(number__in=list(people))
    register = register if actor.may("player.read_private") else register.filter(withheld=False)
    known = dict(register.values_list("number", "name"))
    names = {number: first_name_first(known.get(number) or name or number) for number, name in people.items()}
    return list(differences(old, new, names, private=True))


def summary_of(event: Document, found: Sequence[Difference]) -> dict[str, Any]:
    """Return what the queue shows: how much differs, and in which sections."""
    changed = {one.section for one in found}
    touched = [called(one) for one in event.sections if one.number in changed]
    return {**Counter(one.counts_as for one in found), "sections": touched}


# A director asks for a correction, and may take the request back.


def ask(actor: Actor, event: str, data: bytes, file_name: str, reason: str) -> CorrectionRequest:
    """Ask that the event say what this file says. It is read and compared; nothing is rated until an officer grants it."""
    require(actor, "correction.ask")
    input_checks.refuse(input_checks.reasons(reason, "a correction"))
    file = read_file(data, file_name)
    with writing():
        row = _event(actor, event)
        new = read(row, file)
        found = changed(actor, row, new)
        if not found:
            raise OfficeError(f"nothing to correct: event {event} already says this")
        author = actor.user
        _refuse_second(row, author)
        asked = CorrectionRequest(
            event=row,
            file_name=documents.storable(file_name)[:255],
            data=data,
            sha256=hashlib.sha256(data).hexdigest(),
            reason=reason.strip(),
            author=author,
            summary=summary_of(new, found),
        )
        asked.save()
        subject = f"{row.name}: a correction is asked for"
        messages.send(messages.officers(), subject, asked.reason, about=about(asked), by=actor.name)
        details = {"request": asked.id, "file": asked.sha256}
        record(actor.name, "correction.ask", f"event:{event}", asked.reason, details)
    return asked


def asked_differences(actor: Actor, event: str, data: bytes, file_name: str) -> list[Difference]:
    """What a file would change, before anybody is asked."""
    require(actor, "correction.ask")
    row = _event(actor, event)
    return changed(actor, row, read(row, read_file(data, file_name)))


def take_back(actor: Actor, number: int) -> None:
    """Whoever asked no longer does."""
    require(actor, "correction.ask")
    with writing():
        row = find_request(actor, number)
        if row.author != actor.user:
            raise NotAllowedError(f"correction request {number} is {row.author}'s to take back")
        if row.state != CorrectionRequest.ASKED:
            raise OfficeError(f"correction request {number} is {row.state} already")
        row.state, row.decided_by, row.decided_at = CorrectionRequest.TAKEN_BACK, actor.name, clock.now()
        row.save()
        record(actor.name, "correction.take_back", f"event:{row.event.number}", "", {"request": number})


def _event(actor: Actor, number: str) -> Event:
    row = find(number)
    submissions.refuse_others(actor, row)
    if row.status == Event.WITHDRAWN:
        raise OfficeError(f"event {number} is withdrawn: write to the office")
    return row


def _refuse_second(row: Event, author: str) -> None:
    """One request at a time for an event by one person: two would be compared with the same content."""
    open_ones = CorrectionRequest.objects.filter(event=row, author=author, state=CorrectionRequest.ASKED)
    other = open_ones.values_list("id", flat=True).first()
    if other is not None:
        raise OfficeError(f"request {other} of yours about this event still waits: take it back first")


# An officer looks at a correction request: what would change, for whom; then grants or refuses it.


@dataclass(frozen=True, slots=True)
class AskedFor:
    """A request, and what it would change in the event."""

    request: Asked
    content: Document  # what the event would say
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Preview(AskedFor):
    """And what that would do to ratings."""

    ratings: Rerated  # the largest change first; the event's own file was not written


def asked_for(actor: Actor, number: int) -> AskedFor:
    """What the event would say. Nothing is rated."""
    require(actor, "rating.preview")
    row = find_request(actor, number)
    new = read(row.event, read_file(bytes(row.data), row.file_name))
    return AskedFor(shown(row), new, tuple(changed(actor, row.event, new)))


def preview(actor: Actor, number: int) -> Preview:
    """Everything that granting it would do. Nothing is written."""
    found = asked_for(actor, number)
    row = find_request(actor, number)
    done = accepting.carry_out(actor, row.event.number, bytes(row.data), row.file_name, row.reason, preview=True)
    return Preview(found.request, found.content, found.differences, done)


def grant(actor: Actor, number: int, message: str = "") -> Rerated:
    """Do what was asked: the event gets the request's content as a new revision, and the director reads of it.

    `requests.correcting.grant` also answers the player whose report asked for it.
    """
    require(actor, "event.correct")
    free_text.refuse(message, "the answer")
    with writing():
        row = _waiting(actor, number)
        # the reason becomes public with the revision: who asked stands in the request and in the log
        done = accepting.carry_out(actor, row.event.number, bytes(row.data), row.file_name, row.reason)
        row.revision = in_force(row.event).number
        _decide(actor, row, CorrectionRequest.GRANTED, message)
    return done


def refuse(actor: Actor, number: int, message: str) -> None:
    """The event stays as it is, and the message says why."""
    require(actor, "event.correct")
    input_checks.refuse(input_checks.reasons(message, "a refusal"))
    with writing():
        _decide(actor, _waiting(actor, number), CorrectionRequest.REFUSED, message)


def _waiting(actor: Actor, number: int) -> CorrectionRequest:
    row = find_request(actor, number)
    if row.state != CorrectionRequest.ASKED:
        raise OfficeError(f"correction request {number} is {row.state} already")
    return row


def _decide(actor: Actor, row: CorrectionRequest, state: str, message: str) -> None:
    """Write the answer down, tell whoever asked, and log it."""
    row.state, row.answer = state, message.strip()
    row.decided_by, row.decided_at = actor.name, clock.now()
    row.save()
    words = {"granted": "The event says what you asked for.", "refused": "The event stays as it is."}[state]
    subject = f"{row.event.name}: the correction is {state}"
    messages.send(row.author, subject, f"{words} {row.answer}".strip(), about=about(row), by=actor.name)
    details = {"request": row.id, "file": row.sha256, "state": state}
    record(actor.name, "correction.decide", f"event:{row.event.number}", row.answer, details)
