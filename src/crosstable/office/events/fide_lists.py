"""Foreign FIDE events, imported per FIDE list: who is eligible and opted in has the games counted (2025 §6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from crosstable.errors import EventRejected
from crosstable.findings import declare
from crosstable.model import Finding, Level, Place
from crosstable.office.audit.log import record
from crosstable.office.events import event_rows, pipeline, submitting
from crosstable.office.events.submitting import Submitted
from crosstable.office.ledger import models
from crosstable.office.people.rights import Actor, require
from crosstable.office.storage.database import writing
from crosstable.systems.structure import error

declare(
    "withdrawn",
    Level.ERROR,
    "A foreign FIDE event of that number was withdrawn.",
    "Leave it out, or `office accept` it.",
)
declare(
    "not-taken",
    Level.ERROR,
    "An event of the list was refused, so nothing of it was kept.",
    "Correct it and give the whole list again.",
)
declare("not-fide", Level.ERROR, "A section of a FIDE list is not of kind fide.", "Submit it as one of our own.")


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of the files of one list."""

    id: int | None  # nothing: the office has all of these events already
    list_date: date
    submitted: tuple[Submitted, ...]
    accepted: tuple[str, ...]


def import_fide_batch(actor: Actor, list_date: date, files: Iterable[tuple[str, bytes]]) -> Batch:
    """All foreign events of one FIDE list, submitted and accepted together; or none, with everything that was found."""
    require(actor, "event.accept")
    with writing():
        received = [(name, submitting.submit(actor, data, name)) for name, data in files]
        wrong: list[Finding] = []
        accepted: list[str] = []
        for name, one in received:
            found = _accept(actor, one, list_date, accepted)
            wrong += [replace(finding, place=finding.place.at(file=name)) for finding in found]
        if wrong:
            raise EventRejected(wrong)
        batch = _batch(actor, list_date, accepted)
    return Batch(batch, list_date, tuple(one for _, one in received), tuple(accepted))


def _accept(actor: Actor, one: Submitted, list_date: date, accepted: list[str]) -> Sequence[Finding]:
    """Why this file is in the way of the whole list; nothing if its event counts now."""
    if not one.ok:
        return (*one.findings, _not_taken(one))
    status = event_rows.find(one.event).status
    if status == models.Event.ACCEPTED:  # in an earlier list, or twice in this one
        return ()
    if status == models.Event.WITHDRAWN:
        return [
            error("withdrawn", "event", f"event {one.event} was withdrawn.", "Leave it out, or `office accept` it.")
        ]
    if wrong := [section.number for section in event_rows.document(one.event).sections if section.kind != "fide"]:
        return [_other_kind(one.event, wrong)]
    try:
        pipeline.accept(actor, one.event, f"FIDE list of {list_date}")
    except EventRejected as rejected:
        return rejected.findings
    accepted.append(one.event)
    return ()


def _not_taken(one: Submitted) -> Finding:
    words = one.message if one.outcome == submitting.REFUSED else "no dated event could be read from it"
    return error("not-taken", "file", f"{words}.", "Then give the whole list again: nothing of it was kept.")


def _other_kind(number: str, sections: Sequence[int]) -> Finding:
    return error(
        "not-fide",
        Place(section=sections[0]),
        f"the kind of event {number} is not fide (sections {', '.join(map(str, sections))}).",
        "Submit it as one of our own.",
    )


def _batch(actor: Actor, list_date: date, accepted: Sequence[str]) -> int | None:
    """The list's row and its entry in the log, if it brought anything."""
    if not accepted:
        return None
    batch = models.FideBatch.objects.create(list_date=list_date, author=actor.name)
    models.Event.objects.filter(number__in=accepted).update(fide_batch=batch)
    details = {"events": list(accepted)}
    record(actor.name, "fide.batch", f"fide:{list_date}", f"FIDE list of {list_date}", details)
    return batch.id
