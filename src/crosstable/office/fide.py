"""Foreign FIDE events, imported per FIDE list: who is eligible and opted in has the games counted (2025 §6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from crosstable.office import events
from crosstable.office.audit.log import record
from crosstable.office.choices import OfficeError
from crosstable.office.database import writing
from crosstable.office.events import Submitted
from crosstable.office.ledger import models
from crosstable.office.people.rights import Actor, require
from crosstable.office.ratings import Rerated


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of the files of one list."""

    id: int
    list_date: date
    submitted: tuple[Submitted, ...]
    accepted: tuple[str, ...]


def import_batch(actor: Actor, list_date: date, files: Iterable[tuple[str, bytes]]) -> Batch:
    """All foreign events of one FIDE list, submitted and accepted together, or none of them."""
    require(actor, "event.accept")
    with writing():
        batch = models.FideBatch.objects.create(list_date=list_date, author=actor.name)
        received = [events.submit(actor, data, name) for name, data in files]
        accepted = []
        for one in received:
            if one.outcome != events.QUEUED:
                continue
            _refuse_others(one.event)
            models.Event.objects.filter(number=one.event).update(fide_batch=batch)
            _accept(actor, one.event, list_date)
            accepted.append(one.event)
        record(actor.name, "fide.batch", f"fide:{list_date}", f"FIDE list of {list_date}", {"events": accepted})
    return Batch(batch.id, list_date, tuple(received), tuple(accepted))


def _refuse_others(number: str) -> None:
    wrong = [section.number for section in events.document(number).sections if section.kind != "fide"]
    if wrong:
        numbers = ", ".join(map(str, wrong))
        raise OfficeError(f"event {number}, section {numbers}: kind is not fide; submit it as an event of our own")


def _accept(actor: Actor, number: str, list_date: date) -> Rerated:
    return events.accept(actor, number, f"FIDE list of {list_date}")
