"""A draft goes to the office: the file as it came, and the report as it was mended."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from crosstable.errors import OfficeError
from crosstable.formats.dates import day
from crosstable.office.audit.log import record
from crosstable.office.ledger import documents
from crosstable.office.ledger.models import Event, Submission
from crosstable.office.people.rights import Actor, require, user_name
from crosstable.office.reports import drafts, fixing, resubmitting, similar_events, submissions
from crosstable.office.reports.drafts import Loaded
from crosstable.office.reports.events import find, in_force
from crosstable.office.reports.file_reading import Added
from crosstable.office.reports.findings import of_reading
from crosstable.office.reports.models import Draft, DraftFile
from crosstable.office.reports.submission_status import NoSubmission
from crosstable.office.reports.submissions import QUEUED, SAME, Submitted, submit
from crosstable.office.storage.database import reading, writing


def send(actor: Actor, number: int) -> Submitted:
    """To the review queue, findings and all: what is in order can be rated at once. The draft stays to be read."""
    require(actor, "draft.write")
    with writing():
        row = drafts.find(actor, number, sent=False)
        file, reading = drafts.newest(row), drafts.loaded(row).as_reading()
        if file is None or reading.draft is None:
            raise OfficeError("no event could be read from it yet: there is nothing to send")
        if reading.draft.start is None or reading.draft.end is None:
            raise OfficeError("say first when it was played: nothing is rated without a date")
        data, name = bytes(file.data), file.file_name
        if row.corrects:
            raise OfficeError("this draft is a correction: ask for it, with a reason")
        if row.replaces:
            done = resubmitting.send_again(actor, row.replaces, data, name, reading)
        else:
            done = submit(actor, data, name, added=Added(reading))
        if done.ok:
            _sent(actor, row, done)
    return done


def _sent(actor: Actor, row: Draft, done: Submitted) -> None:
    row.state, row.submission_id = Draft.SENT, done.submission
    row.save()
    kept = [[line.place, line.before, line.after] for line in fixing.lines(row)]
    proof = hashlib.sha256(json.dumps(kept).encode()).hexdigest()
    details = {"submission": done.submission, "mends": len(kept), "mends_hash": proof}
    record(actor.name, "draft.send", f"draft:{row.id}", "", details)


def mends_of(actor: Actor, submission: int) -> list[fixing.Line]:
    """Return what its director fixed in a file before it was sent: for the director, and for the reviewer."""
    if not submissions.visible(actor).filter(id=submission).exists():
        return []
    return [line for row in Draft.objects.filter(submission_id=submission) for line in fixing.lines(row)]


def reopen(actor: Actor, submission: int) -> Draft:
    """Open a sent report as a draft again, to fix it: while it waits, after a refusal, or after it was taken back."""
    require(actor, "draft.write")
    with writing():
        file = _own(actor, submission)
        if file.event is None:
            return _from_file(actor, file)
        if not resubmitting.may_send_again(actor, file.event):
            raise OfficeError(f"event {file.event.number} is {file.event.status}: ask for a correction instead")
        number = file.event.number
        open_ = Draft.objects.filter(owner=actor.user, state=Draft.OPEN, replaces=number).first()
        if open_ is not None:
            return open_
        drafts.refuse_another(actor, len(file.data))
        revision = in_force(find(number))
        row = Draft(owner=actor.user, file_name=file.file_name, format=file.format, replaces=number)
        drafts.put(row, documents.unpack(revision.document, number), of_reading(revision))
        DraftFile.objects.create(draft=row, file_name=file.file_name, data=bytes(file.data))
        record(actor.name, "draft.start", f"draft:{row.id}", "", {"submission": submission})
    return row


def _from_file(actor: Actor, file: Submission) -> Draft:
    """Of a file that became no event, a draft from the beginning."""
    return drafts.start(actor, bytes(file.data), file.file_name)


def _own(actor: Actor, submission: int) -> Submission:
    row = submissions.visible(actor).filter(id=submission).select_related("event").first()
    if row is None or user_name(row.author) != actor.user:
        raise NoSubmission(f"there is no submission {submission} of yours")
    return row


# Before a draft is sent: whether the same file, or an event much like it, is in the office already.

_STATES = {Event.SUBMITTED: "waits", Event.ACCEPTED: "is rated"}


@dataclass(frozen=True, slots=True)
class Before:
    """What to know before sending, and where it can be read: in a submission of one's own, or as a rated event."""

    words: str
    submission: int | None = None
    event: str = ""


@reading()  # several questions about one moment
def sent_before(actor: Actor, draft: Loaded) -> list[Before]:
    """Return the director's own sending of this very file,
    and events that wait or count with much the same players and games.
    """
    if draft.row.corrects or draft.row.state != Draft.OPEN:
        return []
    return [*_same_file(actor, draft), *_alike(actor, draft)]


def _same_file(actor: Actor, draft: Loaded) -> Iterator[Before]:
    file = drafts.newest(draft.row)
    if file is None:
        return
    proof = hashlib.sha256(bytes(file.data)).hexdigest()
    sent = submissions.own_files(actor).filter(sha256=proof, outcome__in=(QUEUED, SAME))
    last = sent.exclude(event__number=draft.row.replaces).defer("data").order_by("-id").first()
    if last is not None:
        yield Before(f"You sent this very file on {day(last.at.date())} as submission {last.id}.", last.id)


def _alike(actor: Actor, draft: Loaded) -> Iterator[Before]:
    event = draft.event
    if event is None or event.start is None or event.end is None:
        return
    for other in similar_events.Lookout().alike_to_draft(event, draft.row.replaces):
        own = submissions.own_files(actor).filter(event=other).order_by("-id").values_list("id", flat=True).first()
        words = f"An event with much the same players and games {_STATES[other.status]} as {other.number}."
        yield Before(words, own, other.number if other.status == Event.ACCEPTED else "")
