"""A director asks for a correction, and may take the request back."""

from __future__ import annotations

import hashlib

from crosstable.errors import OfficeError
from crosstable.model.difference import Difference
from crosstable.office.audit.log import record
from crosstable.office.corrections import rows
from crosstable.office.corrections.models import CorrectionRequest
from crosstable.office.events import submitted_files
from crosstable.office.events.event_rows import find
from crosstable.office.events.file_reading import read_file
from crosstable.office.ledger import documents, input_checks
from crosstable.office.ledger.models import Event
from crosstable.office.notices import messages
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing


def ask(actor: Actor, event: str, data: bytes, file_name: str, reason: str) -> CorrectionRequest:
    """Ask that the event say what this file says. It is read and compared; nothing is rated until an officer grants it."""
    require(actor, "correction.ask")
    input_checks.refuse(input_checks.reasons(reason, "a correction"))
    file = read_file(data, file_name)
    with writing():
        row = _event(actor, event)
        new = rows.read(row, file)
        found = rows.changed(actor, row, new)
        if not found:
            raise OfficeError(f"nothing to correct: event {event} already says this")
        author = actor.user
        _refuse_second(row, author)
        asked = CorrectionRequest(
            event=row, file_name=documents.storable(file_name)[:255], data=data, sha256=hashlib.sha256(data).hexdigest(),
            reason=reason.strip(), author=author, summary=rows.summary_of(new, found),
        )  # fmt: skip
        asked.save()
        subject = f"{row.name}: a correction is asked for"
        messages.send(messages.officers(), subject, asked.reason, about=rows.about(asked), by=actor.name)
        details = {"request": asked.id, "file": asked.sha256}
        record(actor.name, "correction.ask", f"event:{event}", asked.reason, details)
    return asked


def differences(actor: Actor, event: str, data: bytes, file_name: str) -> list[Difference]:
    """What a file would change, before anybody is asked."""
    require(actor, "correction.ask")
    row = _event(actor, event)
    return rows.changed(actor, row, rows.read(row, read_file(data, file_name)))


def take_back(actor: Actor, number: int) -> None:
    """Whoever asked no longer does."""
    require(actor, "correction.ask")
    with writing():
        row = rows.find(actor, number)
        if row.author != actor.user:
            raise NotAllowedError(f"correction request {number} is {row.author}'s to take back")
        if row.state != CorrectionRequest.ASKED:
            raise OfficeError(f"correction request {number} is {row.state} already")
        row.state, row.decided_by, row.decided_at = CorrectionRequest.TAKEN_BACK, actor.name, clock.now()
        row.save()
        record(actor.name, "correction.take_back", f"event:{row.event.number}", "", {"request": number})


def _event(actor: Actor, number: str) -> Event:
    row = find(number)
    submitted_files.refuse_others(actor, row)
    if row.status == Event.WITHDRAWN:
        raise OfficeError(f"event {number} is withdrawn: write to the office")
    return row


def _refuse_second(row: Event, author: str) -> None:
    """One request at a time for an event by one person: two would be compared with the same content."""
    open_ones = CorrectionRequest.objects.filter(event=row, author=author, state=CorrectionRequest.ASKED)
    other = open_ones.values_list("id", flat=True).first()
    if other is not None:
        raise OfficeError(f"request {other} of yours about this event still waits: take it back first")
