"""Submitting a file: stored byte by byte, read, checked, and put into the review queue."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from crosstable.checks import in_order
from crosstable.formats.base import Reading
from crosstable.model import Event, Finding, errors
from crosstable.office.audit.log import record
from crosstable.office.events import duplicates, findings, submitted_files, summaries
from crosstable.office.events.event_rows import add_revision, describe, in_force
from crosstable.office.events.file_reading import NOTHING, Added, read_file
from crosstable.office.ledger import documents, for_the_record, input_checks, models
from crosstable.office.ledger.differences import other_byes
from crosstable.office.ledger.office_settings import office
from crosstable.office.people.rights import Actor, require
from crosstable.office.storage.database import writing

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
    """A file comes in. `number`: the event's id, over the one in the file."""
    require(actor, "event.submit")
    office()
    _refuse_new_id(number)
    reading = read_file(data, name, added)
    if reading.draft is not None:
        _refuse_new_id(number or _own_number(reading.draft))
        reading = replace(reading, draft=for_the_record.without_choices(reading.draft))
    found = findings.of_file(reading)
    with writing():
        file = stored_file(actor, data, name, reading, found)
        outcome, event, message, alike = _receive(actor, file, reading, found, number)
        record(
            actor.name, "event.submit", f"event:{event or '-'}", message,
            {"file": file.sha256, "content": file.content_hash, "outcome": outcome, **added.in_log(reading)},
        )  # fmt: skip
    return Submitted(outcome, file.id, event, tuple(in_order([*found, *alike])), message)


def stored_file(actor: Actor, data: bytes, name: str, reading: Reading, found: Sequence[Finding]) -> models.Submission:
    """The file's row, not yet saved: what becomes of it is still open."""
    return models.Submission(
        file_name=documents.storable(name)[:255], data=data, sha256=hashlib.sha256(data).hexdigest(), format=reading.format,
        findings=[documents.finding_to_json(finding) for finding in found], author=actor.name,
        content_hash="" if reading.draft is None else documents.content_hash(reading.draft),
    )  # fmt: skip


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
        return UNREADABLE, "", f"{words}: the file is kept, the findings say what to do", []
    known = duplicates.known(event)
    better = known is not None and known.content_hash != file.content_hash and submitted_files.came_back(actor, known)
    if known is not None and not better:
        save_file(file, SAME, known)
        return SAME, known.number, _already_here(known, number, event), []
    wanted = (
        number or _own_number(event) or _free_number(f"{event.end:%Y%m%d}-{documents.hash_without_ages(event)[:8]}")
    )
    other = models.Event.objects.filter(number=wanted).first()
    if other is not None and not submitted_files.came_back(actor, other):
        save_file(file, REFUSED, other)
        return (
            REFUSED,
            wanted,
            f"the office has an event {wanted} with other content: to change it, ask for a correction (`office correct`)",
            [],
        )
    row = other or models.Event(number=wanted)
    row.status = models.Event.SUBMITTED
    describe(row, event, file.content_hash)
    row.save()
    save_file(file, QUEUED, row)
    revision = add_revision(actor, row, event, "submitted", submission=file, findings=reading.findings)
    alike = [one for one in summaries.keep(row, revision, event) if one.code == duplicates.ALIKE]
    return QUEUED, wanted, in_queue(len(errors(tuple(found)))), alike


def in_queue(wrong: int) -> str:
    if not wrong:
        return "waits for review"
    return f"waits for review with {wrong} error{'' if wrong == 1 else 's'} to correct"


def _already_here(known: models.Event, wanted: str, event: Event) -> str:
    """What to say of a file whose event is here, under whatever id."""
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
    """An id that we make up ourselves is nobody else's: the event that had this content first may say something else now."""
    taken = set(models.Event.objects.filter(number__startswith=made).values_list("number", flat=True))
    return next(
        number for number in (made, *(f"{made}-{count}" for count in range(2, len(taken) + 3))) if number not in taken
    )


def _refuse_new_id(number: str) -> None:
    """Raise for an id that no new event can have. An event of the office keeps its id, whatever it looks like."""
    if number and not models.Event.objects.filter(number=number).exists():
        input_checks.refuse(input_checks.event_id(number))


def _own_number(event: Event) -> str:
    """The id that the file itself gives."""
    own = event.notes.get("event_id")
    return str(own).strip()[:60] if own and str(own).strip("0 ") else ""
