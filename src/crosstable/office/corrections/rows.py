"""Finding correction requests, and reading the file that each brought."""

from __future__ import annotations

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
from crosstable.office.corrections.models import CorrectionRequest
from crosstable.office.events import findings, said_before
from crosstable.office.events.file_reading import dated_event
from crosstable.office.ledger import for_the_record, held, revisions
from crosstable.office.ledger.differences import differences
from crosstable.office.ledger.models import Event, Player
from crosstable.office.ledger.sections import called
from crosstable.office.people.rights import Actor, require
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


def find(actor: Actor, number: int) -> CorrectionRequest:
    return first_or(visible(actor).filter(id=number), OfficeError(f"there is no correction request {number} for you"))


def requests(actor: Actor, *, waiting: bool = False, event: str = "") -> list[Asked]:
    """All that this person may see, newest first; or those that wait, oldest first."""
    rows = visible(actor).defer("data")
    rows = rows.filter(event__number=event) if event else rows
    if waiting:
        return [shown(row) for row in rows.filter(state=CorrectionRequest.ASKED).order_by("id")]
    return [shown(row) for row in rows.order_by("-id")]


def shown(row: CorrectionRequest) -> Asked:
    counts = row.summary
    return Asked(
        row.id, row.event.number, row.event.name, row.author, row.at, row.reason, row.state, counts.get("result", 0),
        counts.get("player", 0), counts.get("fact", 0), tuple(counts.get("sections", ())), row.answer, row.decided_by,
        row.decided_at, row.revision,
    )  # fmt: skip


def read(event: Event, file: Reading) -> Document:
    """What a file would make of the event; EventRejected with everything that speaks against it."""
    old = revisions.document(id=event.id)
    reading, _ = said_before.kept(file, old)
    found = findings.of_file(reading)
    new = dated_event(reading, found)
    if wrong := [one for one in errors(found) if held.section_of(one) not in held.numbers(event)]:
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
