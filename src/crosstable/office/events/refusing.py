"""Refusing an event that waits, or sending a section of it back: the officer says why, and the director reads it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from crosstable.errors import OfficeError
from crosstable.office.audit.log import record
from crosstable.office.events import choosing, summaries
from crosstable.office.events.event_rows import document, find, identify, in_force, repeat_revision
from crosstable.office.events.telling import tell_author
from crosstable.office.ledger import held, input_checks
from crosstable.office.ledger.models import Event
from crosstable.office.people.rights import Actor, require
from crosstable.office.storage.database import writing


def refuse(actor: Actor, number: str, reason: str, sections: Collection[int] | None = None) -> None:
    """This event will not be rated as it is. `accept` still can, when the office thinks otherwise.

    `sections`: these go back to their director, and the others go on. All that wait of an unrated event: the event itself.
    """
    require(actor, "event.refuse")
    input_checks.refuse(input_checks.reasons(reason, "a refusal"))
    with writing():
        row = find(number)
        waits = row.status == Event.SUBMITTED or (sections is not None and bool(row.held))
        if not waits:
            raise OfficeError(f"event {number} does not wait for review: it is {row.status}")
        back, others = ([], []) if sections is None else choosing.chosen(row, sections)
        if row.status == Event.SUBMITTED and not others:
            _refuse_event(actor, row, reason)
        else:
            _send_back(actor, row, back, reason)


def _refuse_event(actor: Actor, row: Event, reason: str) -> None:
    revision = repeat_revision(actor, row, "refused", reason)
    row.status = Event.REFUSED
    held.set_numbers(row, ())
    row.save()
    summaries.look_again(row, document(row.number))
    tell_author(actor, row, "refused", reason)
    record(actor.name, "event.refuse", f"event:{row.number}", reason, identify(revision))


def _send_back(actor: Actor, row: Event, sections: Sequence[int], reason: str) -> None:
    held.send_back(row, sections, reason)
    row.save()
    revision, event = in_force(row), document(row.number)
    summaries.keep(row, revision, event)
    names = [one.name or f"section {one.number}" for one in event.sections if one.number in sections]
    tell_author(actor, row, "sent back", reason, part=", ".join(names))
    details = identify(revision) | {"sent_back": list(sections)}
    record(actor.name, "event.refuse", f"event:{row.number}", reason, details)
