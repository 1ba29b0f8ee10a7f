"""An event's row and its revisions: finding them, adding a revision, and what the log says of one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from crosstable.errors import OfficeError
from crosstable.model import Event, Finding
from crosstable.office.ledger import documents, models, pending_sections
from crosstable.office.ledger import revisions as ledger_revisions
from crosstable.office.ledger.documents import span
from crosstable.office.people.rights import Actor
from crosstable.office.storage.row import first_or


def find(number: str) -> models.Event:
    return first_or(
        models.Event.objects.filter(number=number),
        OfficeError(f"there is no event {number!r}; `office review` shows the queue"),
    )


def document(number: str) -> Event:
    """Return the event as the revision in force has it."""
    return ledger_revisions.document(id=find(number).id)


def revisions(number: str) -> list[dict[str, Any]]:
    """Every state that an event has had, the first one first."""
    rows = models.Revision.objects.filter(event=find(number)).order_by("number")
    return [
        {"revision": row.number, "kind": row.kind, "by": row.author, "at": row.at.isoformat(), "reason": row.reason}
        for row in rows
    ]


def in_force(row: models.Event) -> models.Revision:
    return ledger_revisions.in_force(id=row.id)


def describe(row: models.Event, event: Event, content_hash: str) -> None:
    """Set the row's columns from the document."""
    row.start, row.end = span(event)
    row.name, row.city, row.state = event.name[:200], event.city[:100], event.state[:40]
    row.affiliate, row.chief_td, row.content_hash = event.affiliate[:40], event.chief_td[:40], content_hash


def add_revision(
    actor: Actor,
    row: models.Event,
    event: Event,
    kind: str,
    reason: str = "",
    submission: models.Submission | None = None,
    findings: Sequence[Finding] = (),
) -> models.Revision:
    """`event`: as it was described in the row (`describe`).

    `findings`: what reading the file found; they stay with it.
    """
    return models.Revision.objects.create(
        event=row,
        number=_next_number(row),
        kind=kind,
        document=documents.pack_event(event),
        author=actor.name,
        reason=reason,
        content_hash=row.content_hash,
        submission=submission,
        findings=[documents.finding_to_json(finding) for finding in findings],
    )


def repeat_revision(actor: Actor, row: models.Event, kind: str, reason: str) -> models.Revision:
    """Write the same content once more: the event is withdrawn or refused, comes back,
    or more of its sections count.
    """
    last = in_force(row)
    event = documents.unpack(last.document, row.number)  # a damaged document is found here, not later
    return models.Revision.objects.create(
        event=row,
        number=_next_number(row),
        kind=kind,
        document=documents.pack_event(event),
        author=actor.name,
        reason=reason,
        content_hash=last.content_hash,
        findings=last.findings,
        summary=last.summary,
    )


def _next_number(row: models.Event) -> int:
    return models.Revision.objects.filter(event=row).count() + 1


def identify(revision: models.Revision) -> dict[str, Any]:
    """Which content an act is about, for the log: the document proves that it was this one."""
    file = models.Submission.objects.filter(id=revision.submission_id).values_list("sha256", flat=True).first()
    return {"revision": revision.number, "content": revision.content_hash, **({"file": file} if file else {})}


# Which sections of an event a decision is about.


def chosen(row: models.Event, wanted: Collection[int] | None) -> tuple[list[int], list[int]]:
    """(sections that are decided on now, sections that wait on).

    Without a choice all that wait and were not sent back.
    """
    every = [section.number for section in documents.unpack(in_force(row).document, row.number).sections]
    accepted = row.status == models.Event.ACCEPTED
    waits = [number for number in every if number in pending_sections.numbers(row)] if accepted else every
    if not waits:
        raise OfficeError(f"event {row.number} has been accepted already")
    if wanted is None:
        wanted = [number for number in waits if number not in pending_sections.sent_back(row)]
        if not wanted:
            words = f"section {_listed(waits)} went back to its director: name it to decide on it all the same"
            raise OfficeError(f"event {row.number}: {words}")
    if strange := sorted(set(wanted) - set(waits)):
        words = "is rated already" if strange[0] in every else f"is none of its sections ({_listed(every)})"
        raise OfficeError(f"event {row.number}: section {strange[0]} {words}")
    if not wanted:
        raise OfficeError(f"event {row.number}: name at least one section ({_listed(waits)})")
    return [number for number in waits if number in wanted], [number for number in waits if number not in wanted]


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
