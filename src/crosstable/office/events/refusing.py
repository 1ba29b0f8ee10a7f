"""Refusing an event that waits: the officer says why, and the director reads it."""

from __future__ import annotations

from crosstable.errors import OfficeError
from crosstable.office.audit.log import record
from crosstable.office.events.event_rows import find, identify, repeat_revision
from crosstable.office.events.telling import tell_author
from crosstable.office.ledger import input_checks
from crosstable.office.ledger.models import Event
from crosstable.office.people.rights import Actor, require
from crosstable.office.storage.database import writing


def refuse(actor: Actor, number: str, reason: str) -> None:
    """This event will not be rated as it is. `accept` still can, when the office thinks otherwise."""
    require(actor, "event.refuse")
    input_checks.refuse(input_checks.reasons(reason, "a refusal"))
    with writing():
        row = find(number)
        if row.status != Event.SUBMITTED:
            raise OfficeError(f"event {number} does not wait for review: it is {row.status}")
        revision = repeat_revision(actor, row, "refused", reason)
        row.status = Event.REFUSED
        row.save()
        tell_author(actor, row, "refused", reason)
        record(actor.name, "event.refuse", f"event:{number}", reason, identify(revision))
