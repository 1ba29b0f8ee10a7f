"""An officer looks at a correction request: what would change, for whom; then grants or refuses it."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.errors import OfficeError
from crosstable.model import Event as Document
from crosstable.model.difference import Difference
from crosstable.office.audit.log import record
from crosstable.office.corrections import rows
from crosstable.office.corrections.models import CorrectionRequest
from crosstable.office.corrections.rows import Asked
from crosstable.office.events import pipeline
from crosstable.office.events.event_rows import in_force
from crosstable.office.events.file_reading import read_file
from crosstable.office.ledger import free_text, input_checks
from crosstable.office.notices import messages
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating.rerating import Rerated
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing


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
    row = rows.find(actor, number)
    new = rows.read(row.event, read_file(bytes(row.data), row.file_name))
    return AskedFor(rows.shown(row), new, tuple(rows.changed(actor, row.event, new)))


def preview(actor: Actor, number: int) -> Preview:
    """Everything that granting it would do. Nothing is written."""
    found = asked_for(actor, number)
    row = rows.find(actor, number)
    done = pipeline.carry_out(actor, row.event.number, bytes(row.data), row.file_name, row.reason, preview=True)
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
        done = pipeline.carry_out(actor, row.event.number, bytes(row.data), row.file_name, row.reason)
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
    row = rows.find(actor, number)
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
    messages.send(row.author, subject, f"{words} {row.answer}".strip(), about=rows.about(row), by=actor.name)
    details = {"request": row.id, "file": row.sha256, "state": state}
    record(actor.name, "correction.decide", f"event:{row.event.number}", row.answer, details)
