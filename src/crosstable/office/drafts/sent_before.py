"""Before a draft is sent: whether the same file, or an event much like it, is in the office already."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from crosstable.formats.dates import day
from crosstable.office.drafts import drafting, standing
from crosstable.office.drafts.drafting import Loaded
from crosstable.office.drafts.models import Draft
from crosstable.office.events import duplicates
from crosstable.office.events.submitting import QUEUED, SAME
from crosstable.office.ledger.models import Event
from crosstable.office.people.rights import Actor
from crosstable.office.storage.database import reading

_STATES = {Event.SUBMITTED: "waits", Event.ACCEPTED: "is rated"}


@dataclass(frozen=True, slots=True)
class Before:
    """What to know before sending, and where it can be read: in a submission of one's own, or as a rated event."""

    words: str
    submission: int | None = None
    event: str = ""


@reading()  # several questions about one moment
def sent_before(actor: Actor, draft: Loaded) -> list[Before]:
    """The director's own sending of this very file, and events that wait or count with much the same players and games."""
    if draft.row.corrects or draft.row.state != Draft.OPEN:
        return []
    return [*_same_file(actor, draft), *_alike(actor, draft)]


def _same_file(actor: Actor, draft: Loaded) -> Iterator[Before]:
    file = drafting.newest(draft.row)
    if file is None:
        return
    proof = hashlib.sha256(bytes(file.data)).hexdigest()
    sent = standing.own_files(actor).filter(sha256=proof, outcome__in=(QUEUED, SAME))
    last = sent.exclude(event__number=draft.row.replaces).defer("data").order_by("-id").first()
    if last is not None:
        yield Before(f"You sent this very file on {day(last.at.date())} as submission {last.id}.", last.id)


def _alike(actor: Actor, draft: Loaded) -> Iterator[Before]:
    event = draft.event
    if event is None or event.start is None or event.end is None:
        return
    for other in duplicates.Lookout().alike_to_draft(event, draft.row.replaces):
        own = standing.own_files(actor).filter(event=other).order_by("-id").values_list("id", flat=True).first()
        words = f"An event with much the same players and games {_STATES[other.status]} as {other.number}."
        yield Before(words, own, other.number if other.status == Event.ACCEPTED else "")
