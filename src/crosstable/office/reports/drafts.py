"""A draft from its first file on: kept at once, read, and never lost. Only its owner sees it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TypeVar

from django.db.models import Q, Sum
from django.db.models.functions import Length

from crosstable.errors import OfficeError
from crosstable.fixes.places import place_of
from crosstable.formats import event_json, limits
from crosstable.formats.base import Reading, in_section
from crosstable.model import Event, Finding, Section
from crosstable.office.audit.log import record
from crosstable.office.ledger import documents
from crosstable.office.people.rights import Actor, require
from crosstable.office.reports import typed_report
from crosstable.office.reports.file_reading import read_file
from crosstable.office.reports.models import Draft, DraftFile, Mend
from crosstable.office.reports.typed_report import Typed
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.office.storage.row import first_or

# A draft's event document as it is kept. Unlike one in the ledger it may not say yet when it was played.

#: Stands for a day that is not known: no one played chess on it
UNKNOWN = date.min

T = TypeVar("T", Event, Section)


def pack(event: Event) -> bytes:
    dated = replace(event, start=event.start or UNKNOWN, end=event.end or UNKNOWN)
    return documents.pack(event_json.to_json(dated))


def unpack(data: bytes) -> Event:
    event = documents.unpack(bytes(data))
    return _undated(replace(event, sections=tuple(_undated(section) for section in event.sections)))


def _undated(one: T) -> T:
    start, end = (None if day == UNKNOWN else day for day in (one.start, one.end))
    return replace(one, start=start, end=end)


#: So many open drafts of one person; no director has as many, and a broken program stops here
MOST = 500
#: So many bytes of one person's drafts: of the open ones, and of others that have changed within a day
MOST_BYTES = 250 * limits.MEGABYTE
COUNTED = timedelta(days=1)


class NoDraft(OfficeError):
    """There is none of this number, or none of this actor's."""


class DraftChanged(OfficeError):
    """Another window has saved since: nothing is overwritten."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A draft as it stands."""

    row: Draft
    event: Event | None
    reading: tuple[Finding, ...]  # what reading the file found, without what was settled

    @property
    def number(self) -> int:
        return self.row.id

    def as_reading(self) -> Reading:
        return Reading(self.row.format, self.event, self.reading)


@dataclass(frozen=True, slots=True)
class Line:
    """A draft in a list."""

    number: int
    name: str
    file_name: str
    state: str
    typed: bool
    players: int
    changed: datetime
    corrects: str
    replaces: str


def find(actor: Actor, number: int, *, sent: bool = True) -> Draft:
    """`sent`: also one that is sent or discarded, to look at."""
    require(actor, "draft.write")
    row = first_or(Draft.objects.filter(id=number, owner=actor.user), NoDraft(f"there is no draft {number} of yours"))
    if not sent and row.state != Draft.OPEN:
        raise OfficeError(f"draft {number} is {row.state}: nothing in it changes any more")
    return row


def load(actor: Actor, number: int) -> Loaded:
    return loaded(find(actor, number))


def loaded(row: Draft) -> Loaded:
    event = None if row.document is None else unpack(row.document)
    return Loaded(row, event, tuple(documents.finding_from_json(one) for one in row.reading))


def drafts(actor: Actor) -> list[Line]:
    """Return the open drafts of this actor, the last one first."""
    require(actor, "draft.write")
    rows = Draft.objects.filter(owner=actor.user, state=Draft.OPEN).order_by("-changed")[:MOST]
    return [_line(row) for row in rows]


def _line(row: Draft) -> Line:
    """From the stored document as it stands: a list need not read the games."""
    event = None if row.document is None else documents.as_json(row.document)
    typed = typed_report.from_json(row.typed) if row.typed else None
    name = event.get("name", "") if event else typed.facts.get("event", "") if typed else ""
    players = sum(len(one["players"]) for one in event["sections"]) if event else len(typed.used) if typed else 0
    return Line(
        number=row.id,
        name=name,
        file_name=row.file_name,
        state=row.state,
        typed=event is None and typed is not None,
        players=players,
        changed=row.changed,
        corrects=row.corrects,
        replaces=row.replaces,
    )


def start(actor: Actor, data: bytes, name: str, kind: str = DraftFile.FILE, corrects: str = "") -> Draft:
    """Start a draft from a file or a pasted text, which is saved and read.

    `corrects`: the rated event that it is to correct.
    """
    require(actor, "draft.write")
    limits.check_size(data)
    reading = _read(data, name)
    with writing():
        refuse_another(actor, len(data))
        row = Draft(owner=actor.user, corrects=corrects)
        _take(row, data, name, kind, reading)
        record(actor.name, "draft.start", f"draft:{row.id}", "", {"file": hashlib.sha256(data).hexdigest()})
    return row


def refuse_another(actor: Actor, size: int) -> None:
    """Raise where this person has too many open drafts for one more, or too many bytes in them.

    Within the transaction that adds the draft: as writers queue, drafts that are added at once are all counted.
    """
    if Draft.objects.filter(owner=actor.user, state=Draft.OPEN).count() >= MOST:
        raise OfficeError(f"you have {MOST} open drafts, which is the limit: send or delete some first")
    refuse_bytes(actor, size)


def refuse_bytes(actor: Actor, size: int) -> None:
    """Raise where so many bytes more are too many for this person's drafts."""
    kept = Q(draft__state=Draft.OPEN) | Q(draft__changed__gt=clock.now() - COUNTED)
    files = DraftFile.objects.filter(kept, draft__owner=actor.user).aggregate(bytes=Sum(Length("data")))["bytes"] or 0
    mends = Mend.objects.filter(kept, draft__owner=actor.user).aggregate(bytes=Sum(Length("was_document")))["bytes"]
    if files + (mends or 0) + size > MOST_BYTES:
        most = MOST_BYTES // limits.MEGABYTE
        raise OfficeError(
            f"your drafts and their earlier versions have more than {most} MB, which is the limit: send or delete"
            " drafts, and try again tomorrow"
        )


def another_file(actor: Actor, number: int, data: bytes, name: str, kind: str = DraftFile.FILE) -> Draft:
    """Replace the draft's file with a better one; the earlier file is kept, and its fixes no longer count."""
    require(actor, "draft.write")
    limits.check_size(data)
    reading = _read(data, name)
    with writing():
        row = find(actor, number, sent=False)
        refuse_bytes(actor, len(data))
        row.mends.filter(undone=False).update(undone=True)  # type: ignore[attr-defined]  # Django's reverse name
        row.version += 1
        _take(row, data, name, kind, reading)
        record(actor.name, "draft.file", f"draft:{row.id}", "", {"file": hashlib.sha256(data).hexdigest()})
    return row


def _read(data: bytes, name: str) -> Reading:
    """Read the file. Each finding names its section where that is known: it does not hold up the others."""
    reading = read_file(data, name)
    event = reading.draft
    if event is None:
        return reading
    placed = [(one, place_of(one, event).section) for one in reading.findings]
    found = [one if section is None else in_section(section, [one])[0] for one, section in placed]
    return replace(reading, findings=tuple(found))


def _take(row: Draft, data: bytes, name: str, kind: str, reading: Reading) -> None:
    """Put the file and what was read of it into the draft."""
    row.file_name, row.format = documents.storable(name)[:255] or "file", reading.format
    put(row, reading.draft, reading.findings)
    DraftFile.objects.create(draft=row, kind=kind, file_name=row.file_name, data=data)


def put(row: Draft, event: Event | None, reading: Sequence[Finding]) -> None:
    """Set the draft's content."""
    row.document = None if event is None else pack(event)
    row.reading = [documents.finding_to_json(finding) for finding in reading]
    row.changed = clock.now()
    row.save()


def newest(row: Draft) -> DraftFile | None:
    return DraftFile.objects.filter(draft=row).order_by("-id").first()


def text(actor: Actor, number: int) -> str | None:
    """Return the newest file as text; None for an archive, a workbook or a table of a pairing program."""
    file = newest(find(actor, number))
    if file is None or bytes(file.data[:2]) == b"PK" or b"\0" in bytes(file.data[:4096]):
        return None
    try:
        return bytes(file.data).decode()
    except UnicodeDecodeError:
        return bytes(file.data).decode("latin-1")


def original(actor: Actor, number: int) -> tuple[str, bytes]:
    """Return the newest file as it came."""
    file = newest(find(actor, number))
    if file is None:
        raise NoDraft(f"draft {number} has no file yet: it is being typed")
    return file.file_name, bytes(file.data)


# typed reports


def start_typed(actor: Actor, typed: Typed) -> Draft:
    require(actor, "draft.write")
    typed = typed_report.checked(typed)
    with writing():
        refuse_another(actor, 0)
        row = Draft.objects.create(owner=actor.user, file_name="typed.csv", typed=typed_report.to_json(typed))
        record(actor.name, "draft.start", f"draft:{row.id}", "", {"typed": True})
    return row


def save_typed(actor: Actor, number: int, typed: Typed, version: int) -> Draft:
    """Save the cells as they are, from moment to moment. Refused where another window has saved since.

    No entry in the log: a draft is no one's record yet, and this happens at every pause in typing.
    """
    require(actor, "draft.write")
    typed = typed_report.checked(typed)
    with writing():
        row = find(actor, number, sent=False)
        if row.version != version:
            raise DraftChanged("another window has saved this draft since: reload the page to see it")
        row.typed, row.version, row.changed = typed_report.to_json(typed), row.version + 1, clock.now()
        row.save()
    return row


def read_typed(actor: Actor, number: int) -> Draft:
    """Typing is done: each game has both sides, and the table is read like any file."""
    require(actor, "draft.write")
    row = find(actor, number, sent=False)
    typed = typed_report.completed(typed_report.from_json(row.typed))
    with writing():
        row = find(actor, number, sent=False)
        row.typed = typed_report.to_json(typed)
        row.save()
    return another_file(actor, number, typed_report.as_table(typed), "typed.csv", DraftFile.GRID)


def typed_of(actor: Actor, number: int) -> tuple[Draft, Typed]:
    row = find(actor, number)
    if row.typed is None:
        raise NoDraft(f"draft {number} came as a file: it is not typed in")
    return row, typed_report.from_json(row.typed)


# away, and back


def discard(actor: Actor, number: int) -> None:
    """Off the desk. It is kept, and can be brought back."""
    _set_state(actor, number, Draft.OPEN, Draft.DISCARDED, "draft.discard")


def bring_back(actor: Actor, number: int) -> None:
    _set_state(actor, number, Draft.DISCARDED, Draft.OPEN, "draft.restore")


def _set_state(actor: Actor, number: int, was: str, state: str, action: str) -> None:
    with writing():
        row = find(actor, number)
        if row.state != was:
            raise OfficeError(f"draft {number} is {row.state}")
        if state == Draft.OPEN:
            refuse_another(actor, 0)
        row.state, row.changed = state, clock.now()
        row.save()
        record(actor.name, action, f"draft:{row.id}")
