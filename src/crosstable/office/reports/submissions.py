"""Submitted files, saved as they came: what was kept without becoming an event, and the way to get a file back.

Anyone who reviews events sees all of them; a director sees what that director, or a program of the director's, sent in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Substr

from crosstable.checks import in_order
from crosstable.errors import OfficeError
from crosstable.formats.base import Reading
from crosstable.model import Event, Finding, errors
from crosstable.office.audit.log import record
from crosstable.office.ledger import documents, for_the_record, input_checks, models
from crosstable.office.ledger.differences import other_byes
from crosstable.office.ledger.models import Submission
from crosstable.office.ledger.office_settings import office
from crosstable.office.people import four_eyes
from crosstable.office.people.rights import Actor, NotAllowedError, require, user_name
from crosstable.office.reports import findings, similar_events, summaries
from crosstable.office.reports.events import add_revision, describe, in_force
from crosstable.office.reports.file_reading import NOTHING, Added, read_file
from crosstable.office.storage.database import writing
from crosstable.office.storage.read_once import read_once

COLUMNS = ("number", "file", "format", "outcome", "event", "by", "at", "bytes", "findings")


def visible(actor: Actor) -> QuerySet[Submission]:
    """Return what this actor may look at."""
    if actor.may("event.review"):
        return Submission.objects.all()
    require(actor, "submission.read")
    program = f"{actor.user}/"
    # not `startswith`: SQLite's LIKE takes Dora for dora
    begins = Submission.objects.alias(begin=Substr("author", 1, len(program)))
    return begins.filter(Q(author=actor.user) | Q(begin=program))


def visible_events(actor: Actor, events: QuerySet[models.Event]) -> QuerySet[models.Event]:
    """Return the events among these whose submissions the actor may look at."""
    found = visible(actor)
    return events if actor.may("event.review") else events.filter(id__in=found.values("event_id"))


def sees(actor: Actor, event: models.Event) -> bool:
    """Return whether the event is this person's to see: to a director, what the director has submitted."""
    return visible_events(actor, models.Event.objects.filter(id=event.id)).exists()


def refuse_others(actor: Actor, event: models.Event) -> None:
    """Refuse a director who looks at events that another has submitted."""
    if not sees(actor, event):
        raise NotAllowedError(f"{actor.name} ({actor.role}) may look at the events that {actor.name} has submitted")


def refuse_own(actor: Actor, event: models.Event) -> None:
    """Refuse a decision on an event whose report the officer has sent in, where four eyes are needed.

    The foreign events of a FIDE list are FIDE's, not the officer's.
    """
    if event.fide_batch_id is not None:
        return
    sent = Submission.objects.filter(event=event)
    if event.status != models.Event.SUBMITTED:  # what an officer corrected after acceptance was decided then
        sent = sent.exclude(outcome=CORRECTION)
    for author in sent.values_list("author", flat=True).distinct():
        four_eyes.refuse_own(actor, author, f"event {event.number}")


def came_back(actor: Actor, event: models.Event) -> bool:
    """Whether the event is the actor's to fix and send in again: the office refused it, or its director took it back.

    Only a file that still waits can be taken back. What an officer withdrew stays withdrawn, until `accept` brings it
    back.
    """
    if event.status == models.Event.REFUSED:
        return visible_events(actor, models.Event.objects.filter(id=event.id)).exists()
    last = in_force(event)
    taken_back = event.status == models.Event.WITHDRAWN and last.kind == "withdrawn" and not actor.may("event.withdraw")
    return taken_back and user_name(last.author) == actor.user


def submissions(actor: Actor, event: str = "") -> list[dict[str, Any]]:
    """Return the files of an event; without one, those that are kept but became no event: unreadable or refused."""
    rows = visible(actor)
    rows = rows.filter(event__number=event) if event else rows.filter(outcome__in=("unreadable", "refused"))
    return [
        {
            "number": row.id,
            "file": row.file_name,
            "format": row.format,
            "outcome": row.outcome,
            "event": row.event.number if row.event else "",
            "by": row.author,
            "at": row.at.isoformat(timespec="seconds"),
            "bytes": len(row.data),
            "findings": [_words(one) for one in row.findings],
        }
        for row in rows.select_related("event").order_by("id")
    ]


def _words(finding: dict[str, str]) -> str:
    return f"{finding['level']}: {finding['where']}: {finding['message']} [{finding['code']}]"


def original(actor: Actor, number: int) -> bytes:
    """Return a submitted file as it came."""
    row = visible(actor).filter(id=number).first()
    if row is None:
        raise OfficeError(f"there is no submission {number} for you; `crosstable office submissions` shows them")
    return bytes(row.data)


def own_files(actor: Actor) -> QuerySet[Submission]:
    """Return what this person has sent, without corrections."""
    own = actor.user
    return visible(actor).filter(Q(author=own) | Q(author__startswith=f"{own}/")).exclude(outcome=CORRECTION)


# Submitting a file: stored as it came, read, checked, and put into the review queue.

QUEUED, SAME, REFUSED, UNREADABLE, CORRECTION = "queued", "same", "refused", "unreadable", "correction"


@dataclass(frozen=True, slots=True)
class Submitted:
    """What became of a file: it is stored in any case."""

    outcome: str  # queued, same, refused, unreadable
    submission: int
    event: str  # its id in the office, where it has one
    findings: tuple[Finding, ...]
    message: str

    @property
    def ok(self) -> bool:
        return self.outcome in (QUEUED, SAME)


def submit(actor: Actor, data: bytes, name: str, number: str = "", added: Added = NOTHING) -> Submitted:
    """Submit a file. `number`: the event's id, instead of the one in the file."""
    require(actor, "event.submit")
    office()
    _refuse_new_id(number)
    reading = read_file(data, name, added)
    if reading.draft is not None:
        _refuse_new_id(number or _own_number(reading.draft))
        reading = replace(reading, draft=for_the_record.without_choices(reading.draft))
    with read_once():
        found = findings.of_file(reading)
    with writing(), read_once():
        file = stored_file(actor, data, name, reading, found)
        outcome, event, message, alike = _receive(actor, file, reading, found, number)
        record(
            actor.name,
            "event.submit",
            f"event:{event or '-'}",
            message,
            {"file": file.sha256, "content": file.content_hash, "outcome": outcome, **added.in_log(reading)},
        )
    return Submitted(outcome, file.id, event, tuple(in_order([*found, *alike])), message)


def stored_file(actor: Actor, data: bytes, name: str, reading: Reading, found: Sequence[Finding]) -> models.Submission:
    """Return the file's row, not yet saved: what becomes of it is still open."""
    return models.Submission(
        file_name=documents.storable(name)[:255],
        data=data,
        sha256=hashlib.sha256(data).hexdigest(),
        format=reading.format,
        findings=[documents.finding_to_json(finding) for finding in found],
        author=actor.name,
        content_hash="" if reading.draft is None else documents.content_hash(reading.draft),
    )


def save_file(file: models.Submission, outcome: str, event: models.Event | None) -> None:
    file.outcome, file.event = outcome, event
    file.save()


def _receive(
    actor: Actor, file: models.Submission, reading: Reading, found: Sequence[Finding], number: str
) -> tuple[str, str, str, list[Finding]]:
    """(outcome, event id, message, events much like it) of a submission, which is stored in any case."""
    event = reading.draft
    if event is None or event.start is None or event.end is None:
        save_file(file, UNREADABLE, None)
        words = "no event could be read from it" if event is None else "it does not say when it was played"
        return UNREADABLE, "", f"{words}: the file was saved; the findings say what to do", []
    known = similar_events.known(event)
    better = known is not None and known.content_hash != file.content_hash and came_back(actor, known)
    if known is not None and not better:
        save_file(file, SAME, known)
        return SAME, known.number, _already_here(known, number, event), []
    wanted = (
        number or _own_number(event) or _free_number(f"{event.end:%Y%m%d}-{documents.hash_without_ages(event)[:8]}")
    )
    other = models.Event.objects.filter(number=wanted).first()
    if other is not None and not came_back(actor, other):
        save_file(file, REFUSED, other)
        return (
            REFUSED,
            wanted,
            (
                f"the office has an event {wanted} with other content: to change it, ask for a correction (`office"
                " correct`)"
            ),
            [],
        )
    row = other or models.Event(number=wanted)
    row.status = models.Event.SUBMITTED
    describe(row, event, file.content_hash)
    row.save()
    save_file(file, QUEUED, row)
    revision = add_revision(actor, row, event, "submitted", submission=file, findings=reading.findings)
    alike = [one for one in summaries.keep(row, revision, event) if one.code == similar_events.ALIKE]
    return QUEUED, wanted, in_queue(len(errors(tuple(found)))), alike


def in_queue(wrong: int) -> str:
    if not wrong:
        return "waits for review"
    return f"waits for review with {wrong} error{'' if wrong == 1 else 's'} to correct"


def _already_here(known: models.Event, wanted: str, event: Event) -> str:
    """Return what to say of a file whose event is here, under whatever id."""
    words = f"the office has this event already ({known.status})"
    if other_byes(documents.unpack(in_force(known).document, known.number), event):
        words += f"; the same games with other byes: `office correct {known.number}` with this file puts them right"
    elif known.status == models.Event.WITHDRAWN:
        words += f"; the office can bring it back (`office accept {known.number}`)"
    elif errors(findings.of_reading(in_force(known))):
        words += f"; its file had errors: send the office one that has none (`office correct {known.number}`)"
    if wanted not in ("", known.number):
        words += f"; it is known as {known.number}, the id {wanted} is not used"
    return words


def _free_number(made: str) -> str:
    """Return a free id: the event that had this content first may say something else
    now.
    """
    taken = set(models.Event.objects.filter(number__startswith=made).values_list("number", flat=True))
    return next(
        number for number in (made, *(f"{made}-{count}" for count in range(2, len(taken) + 3))) if number not in taken
    )


def _refuse_new_id(number: str) -> None:
    """Raise for an id that no new event can have. An event of the office keeps its id, whatever it looks like."""
    if number and not models.Event.objects.filter(number=number).exists():
        input_checks.refuse(input_checks.event_id(number))


def _own_number(event: Event) -> str:
    """Return the id that the file itself gives."""
    own = event.notes.get("event_id")
    return str(own).strip()[:60] if own and str(own).strip("0 ") else ""
