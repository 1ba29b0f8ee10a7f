"""Events: submit → review → accept → rated; corrections and withdrawals are new revisions. Nothing is overwritten."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from crosstable import checks, formats
from crosstable.errors import EventRejected, OfficeError
from crosstable.formats.base import Reading
from crosstable.model import Event, Finding, errors
from crosstable.office.audit.log import record
from crosstable.office.events import duplicates, enrolment, placing, submitted_files
from crosstable.office.events.ledger_checks import ledger_findings, merged_and_met
from crosstable.office.ledger import documents, for_the_record, input_checks, models
from crosstable.office.ledger import revisions as ledger_revisions
from crosstable.office.ledger.office_settings import office
from crosstable.office.people.rights import Actor, require
from crosstable.office.players import opening_ratings
from crosstable.office.players.opening_ratings import Reported
from crosstable.office.rating import rerating
from crosstable.office.rating.rerating import Rerated
from crosstable.office.storage.database import writing
from crosstable.systems.structure import error, problems

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


@dataclass(frozen=True, slots=True)
class Waiting:
    """An event in the review queue."""

    event: str
    name: str
    start: str
    end: str
    players: int
    games: int
    by: str
    at: str
    findings: tuple[Finding, ...]

    @property
    def acceptable(self) -> bool:
        return not errors(self.findings)


def submit(
    actor: Actor,
    data: bytes,
    name: str,
    number: str = "",
    reading: Reading | None = None,
    *,
    assume_games: int | None = None,
) -> Submitted:
    """A file comes in: stored byte by byte, read, looked through, and put into the review queue.

    `number`: the event's id, over the one in the file. `reading`: the file as already read, where a person added what the
    file does not hold. `assume_games`: so many games behind each rating that comes without a number of games.
    """
    require(actor, "event.submit")
    office()
    input_checks.refuse(input_checks.event_id(number) if number else ())
    reading = _assumed(reading or formats.read(data, name), assume_games)
    if reading.draft is not None:
        reading = replace(reading, draft=for_the_record.without_choices(reading.draft))
    findings = examined(reading)
    with writing():
        stored = models.Submission(
            file_name=documents.storable(name)[:255], data=data, sha256=hashlib.sha256(data).hexdigest(), format=reading.format,
            findings=[_as_json(finding) for finding in findings], author=actor.name,
        )  # fmt: skip
        outcome, event, message = _received(actor, stored, reading.draft, findings, number)
        record(
            actor.name, "event.submit", f"event:{event or '-'}", message,
            {"file": stored.sha256, "content": stored.content_hash, "outcome": outcome, **_assumption(assume_games)},
        )  # fmt: skip
    return Submitted(outcome, stored.id, event, tuple(findings), message)


def _assumed(reading: Reading, games: int | None) -> Reading:
    """The person's choice for what the file does not say; the revision holds it, and the log tells it."""
    if games is None or reading.draft is None:
        return reading
    if games < 1:
        raise OfficeError(f"{games} is no number of games behind a rating: give a whole number from 1 up")
    return replace(reading, draft=formats.assume_games(reading.draft, games))


def _assumption(games: int | None) -> dict[str, int]:
    return {} if games is None else {"assume_games": games}


def examined(reading: Reading) -> list[Finding]:
    """What reading and checking found."""
    findings = list(reading.findings)
    if reading.draft is not None:
        findings += [*checks.check(reading.draft), *enrolment.wrong_ids(reading.draft)]
    return checks.in_order(_once(findings))


def _once(findings: Iterable[Finding]) -> list[Finding]:
    return list(dict.fromkeys(findings))


def _received(
    actor: Actor, stored: models.Submission, event: Event | None, findings: Sequence[Finding], number: str
) -> tuple[str, str, str]:
    """(outcome, event id, message) of a submission, which is stored in any case."""
    if event is None or event.start is None or event.end is None:
        words = "no event could be read from it" if event is None else "it does not say when it was played"
        return _settle(stored, UNREADABLE, None), "", f"{words}: the file is kept, the findings say what to do"
    stored.content_hash = documents.content_hash(event)
    known = duplicates.known(stored.content_hash)
    if known is not None:
        return _settle(stored, SAME, known), known.number, _already(known, number)
    wanted = number or _own_number(event) or _free_number(f"{event.end:%Y%m%d}-{stored.content_hash[:8]}")
    other = models.Event.objects.filter(number=wanted).first()
    if other is not None:
        words = f"the office has an event {wanted} with other content: to change it, use `correct`"
        return _settle(stored, REFUSED, other), wanted, words
    row = _event_row(wanted, event, stored.content_hash)
    _settle(stored, QUEUED, row)
    _revise(actor, row, event, "submitted", "", stored)
    wrong = len(errors(list(findings)))
    return QUEUED, wanted, f"waits for review{f' with {wrong} errors to correct' if wrong else ''}"


def _already(known: models.Event, wanted: str) -> str:
    """What to say of a file whose event is here, under whatever id."""
    words = f"the office has this event already ({known.status})"
    if known.status == models.Event.WITHDRAWN:
        words += f"; `office accept {known.number}` brings it back"
    return (
        f"{words}; it is known as {known.number}, the id {wanted} is not used"
        if wanted not in ("", known.number)
        else words
    )


def _free_number(made: str) -> str:
    """An id that we make up ourselves is nobody else's: the event that had this content first may say something else now."""
    taken = set(models.Event.objects.filter(number__startswith=made).values_list("number", flat=True))
    return next(
        number for number in (made, *(f"{made}-{count}" for count in range(2, len(taken) + 3))) if number not in taken
    )


def _settle(stored: models.Submission, outcome: str, event: models.Event | None) -> str:
    stored.outcome, stored.event = outcome, event
    stored.save()
    return outcome


def _own_number(event: Event) -> str:
    """The id that the file itself gives."""
    own = event.notes.get("event_id")
    return str(own).strip()[:60] if own and str(own).strip("0 ") else ""


def _event_row(number: str, event: Event, content_hash: str) -> models.Event:
    row = models.Event(number=number, status=models.Event.SUBMITTED)
    _describe(row, event, content_hash)
    row.save()
    return row


def _describe(row: models.Event, event: Event, content_hash: str) -> None:
    row.start, row.end = opening_ratings.span(event)
    row.name, row.city, row.state = event.name[:200], event.city[:100], event.state[:40]
    row.affiliate, row.chief_td, row.content_hash = event.affiliate[:40], event.chief_td[:40], content_hash


def _revise(
    actor: Actor, row: models.Event, event: Event, kind: str, reason: str, submission: models.Submission | None
) -> models.Revision:
    number = models.Revision.objects.filter(event=row).count() + 1
    return models.Revision.objects.create(
        event=row, number=number, kind=kind, document=documents.pack_event(event), author=actor.name, reason=reason,
        content_hash=documents.content_hash(event), submission=submission,
    )  # fmt: skip


def _as_json(finding: Finding) -> dict[str, str]:
    return {name: documents.storable(str(value)) for name, value in asdict(finding).items()}


def find(number: str) -> models.Event:
    row = models.Event.objects.filter(number=number).first()
    if row is None:
        raise OfficeError(f"there is no event {number!r}; `office review` shows what waits")
    return row


def document(number: str) -> Event:
    """The event as the revision in force has it."""
    return ledger_revisions.document(id=find(number).id)


def revisions(number: str) -> list[dict[str, Any]]:
    """Every state that an event has had, the first one first."""
    rows = models.Revision.objects.filter(event=find(number)).order_by("number")
    return [
        {"revision": row.number, "kind": row.kind, "by": row.author, "at": row.at.isoformat(), "reason": row.reason}
        for row in rows
    ]


def review(actor: Actor, number: str = "") -> list[Waiting]:
    """The queue, or one event of it, with everything that a reviewer should know. Directors see what they submitted."""
    rows = submitted_files.visible_events(actor, models.Event.objects.filter(status=models.Event.SUBMITTED))
    lookout, public = duplicates.Lookout(), not actor.may("player.read_private")
    if not number:
        return [_waiting(row, lookout, public=public) for row in rows.order_by("end", "number")]
    row = find(number)
    submitted_files.refuse_others(actor, row)
    return [_waiting(row, lookout, public=public)]


def _waiting(row: models.Event, lookout: duplicates.Lookout, *, public: bool) -> Waiting:
    revision = ledger_revisions.in_force(id=row.id)
    event = documents.unpack(revision.document, row.number)
    return Waiting(
        event=row.number,
        name=row.name,
        start=str(row.start),
        end=str(row.end),
        players=sum(len(section.players) for section in event.sections),
        games=sum(len(section.games) for section in event.sections),
        by=revision.author,
        at=revision.at.isoformat(timespec="seconds"),
        findings=tuple(_reviewed(row, event, lookout, public=public)),
    )


def _reviewed(row: models.Event, event: Event, lookout: duplicates.Lookout, *, public: bool) -> list[Finding]:
    found = [*checks.check(event), *duplicates.refused_as_same(row), *lookout.possible_duplicates(row, event)]
    found += enrolment.newcomers(event)
    try:
        enrolment.refuse_wrong_ids(event)
        found += [*merged_and_met(event), *ledger_findings(office(), event, public=public)]
    except EventRejected as rejected:
        found += rejected.findings
    return checks.in_order(_once(found))


def accept(actor: Actor, number: str, reason: str = "", *, preview: bool = False) -> Rerated:
    """Rate a reviewed event, and everything after it that it touches; one that was withdrawn comes back."""
    require(actor, "rating.preview" if preview else "event.accept")
    with writing():
        row = find(number)
        if row.status == models.Event.ACCEPTED:
            raise OfficeError(f"event {number} has been accepted already")
        revision = ledger_revisions.in_force(id=row.id)
        event = documents.unpack(revision.document, row.number)
        if row.status == models.Event.WITHDRAWN:
            revision = _revise(actor, row, event, "restored", reason, None)
        row.status = models.Event.ACCEPTED
        row.save()
        return _rated(actor, row, event, "event.accept", reason, _named(revision), preview)


def _named(revision: models.Revision) -> dict[str, Any]:
    """Which content an act is about, for the log: whoever holds the document can prove that it was this one."""
    file = models.Submission.objects.filter(id=revision.submission_id).values_list("sha256", flat=True).first()
    return {"revision": revision.number, "content": revision.content_hash, **({"file": file} if file else {})}


def _rated(
    actor: Actor, row: models.Event, event: Event, action: str, reason: str, details: dict[str, Any], preview: bool
) -> Rerated:
    """Place the event's sections and rate from there on. Errors refuse it, all of them at once."""
    _refuse(row, event)
    before = placing.first_position(row)
    were_in = placing.entrants_of(row)
    players, since = enrolment.enrol(event)
    position, gone = placing.place(row, event, players)
    here = Reported(row.number, event)
    opened = opening_ratings.settle(actor, were_in | set(players.values()), [here], moved=bool(were_in))
    _refuse_by_ledger(event, row)
    begin = min(one for one in (position, before, since, opened) if one is not None)
    return rerating.follow(actor, begin, action, f"event:{row.number}", reason, details, gone=gone, preview=preview)


def accept_many(actor: Actor, numbers: Iterable[str], reason: str = "") -> Rerated:
    """Several reviewed events in one run and one transaction: all of them, or none."""
    require(actor, "event.accept")
    with writing():
        begin: int | None = None
        done: list[dict[str, Any]] = []
        batch: list[Reported] = []
        for row in sorted((find(number) for number in numbers), key=lambda row: (row.end, row.start, row.number)):
            revision = ledger_revisions.in_force(id=row.id)
            event = documents.unpack(revision.document, row.number)
            if begin is not None and any(section.kind == "match" for section in event.sections):
                rerating.follow(actor, begin, "event.accept", f"events:{len(done)}", reason, {"events": done})
                begin, done = None, []  # a match is held against the ratings of all that came before it
            batch.append(Reported(row.number, event))
            begin = _placed(actor, row, batch, begin)
            done.append({"event": row.number, **_named(revision)})
        if begin is None:
            raise OfficeError("no events to accept")
        return rerating.follow(actor, begin, "event.accept", f"events:{len(done)}", reason, {"events": done})


def _placed(actor: Actor, row: models.Event, batch: list[Reported], begin: int | None) -> int:
    event = batch[-1].event
    if row.status != models.Event.SUBMITTED:
        raise OfficeError(f"event {row.number} does not wait for review: it is {row.status}")
    _refuse(row, event)
    row.status = models.Event.ACCEPTED
    row.save()
    players, since = enrolment.enrol(event)
    position, _ = placing.place(row, event, players)
    opened = opening_ratings.settle(actor, players.values(), batch)
    _refuse_by_ledger(event, row)
    return min(one for one in (position, since, opened, begin) if one is not None)


def _refuse(row: models.Event, event: Event) -> None:
    """An event with errors is not rated. A history's events were, long ago: they only have to be whole."""
    found = problems(event) if placing.is_history(row) else checks.check(event)
    found += duplicates.refused_as_same(row)
    if errors(found):
        raise EventRejected(errors(found))


def _refuse_by_ledger(event: Event, row: models.Event) -> None:
    """What the rules of the office's systems refuse, with the ratings that the ledger holds. Histories were rated."""
    found = merged_and_met(event)
    if not placing.is_history(row):
        found += errors(ledger_findings(office(), event, placing.first_position(row), row.id))
    if found:
        raise EventRejected(found)


def correct(
    actor: Actor,
    number: str,
    data: bytes,
    name: str,
    reason: str,
    *,
    preview: bool = False,
    reading: Reading | None = None,
    assume_games: int | None = None,
    record_only: bool = False,
) -> Rerated:
    """Another content for an event the office has: a new revision, and whatever follows from it is rated again.

    `record_only`: other results in the record, and the same ratings; the choice is kept and logged.
    """
    require(actor, "rating.preview" if preview else "event.correct")
    if not reason.strip():
        raise OfficeError("a correction needs a reason")
    reading = _assumed(reading or formats.read(data, name), assume_games)
    findings = examined(reading)
    if reading.draft is None or reading.draft.start is None or reading.draft.end is None:
        raise EventRejected(errors(findings) or [_undated()])
    with writing():
        row = find(number)
        event = _with_choices(number, reading.draft, record_only)
        if documents.as_json(ledger_revisions.in_force(id=row.id).document, number) == documents.as_json(
            documents.pack_event(event)
        ):
            raise OfficeError(f"nothing to correct: event {number} already says exactly this")
        stored = models.Submission(
            file_name=documents.storable(name)[:255], data=data, sha256=hashlib.sha256(data).hexdigest(), format=reading.format,
            findings=[_as_json(finding) for finding in findings], author=actor.name,
            content_hash=documents.content_hash(event),
        )  # fmt: skip
        _settle(stored, CORRECTION, row)
        kind = "recorded" if record_only else "corrected"
        details = _named(_revise(actor, row, event, kind, reason, stored)) | _assumption(assume_games)
        if record_only:
            details |= {"record_only": for_the_record.choices(event)}
        _describe(row, event, stored.content_hash)
        row.save()
        if row.status != models.Event.ACCEPTED:
            if same := duplicates.refused_as_same(row):
                raise EventRejected(same)
            return rerating.unrated(actor, "event.correct", f"event:{number}", reason, details, preview=preview)
        return _rated(actor, row, event, "event.correct", reason, details, preview)


def _with_choices(number: str, event: Event, record_only: bool) -> Event:
    """The new content with what earlier corrections, and this one, changed for the record only."""
    old = document(number)
    if record_only and for_the_record.other_differences(old, event):
        raise OfficeError("a correction for the record only changes results of games, and nothing else")
    return for_the_record.with_choices(old, event, record_only=record_only)


def _undated() -> Finding:
    return error("missing-date", "event", "start or end date is missing.", "Say when it was played (YYYY-MM-DD).")


def withdraw(actor: Actor, number: str, reason: str, *, preview: bool = False) -> Rerated:
    """The event no longer counts; what it touched is rated again without it. `accept` brings it back."""
    require(actor, "rating.preview" if preview else "event.withdraw")
    if not reason.strip():
        raise OfficeError("a withdrawal needs a reason")
    with writing():
        row = find(number)
        if row.status == models.Event.WITHDRAWN:
            raise OfficeError(f"event {number} has been withdrawn already")
        position = placing.first_position(row)
        details = _named(_revise(actor, row, ledger_revisions.document(id=row.id), "withdrawn", reason, None))
        row.status = models.Event.WITHDRAWN
        row.save()
        were_in = placing.entrants_of(row)
        gone = placing.unplace(row)
        if position is None:
            return rerating.unrated(actor, "event.withdraw", f"event:{number}", reason, details, preview=preview)
        opened = opening_ratings.settle(actor, were_in, moved=True)
        return rerating.follow(
            actor, position if opened is None else min(position, opened), "event.withdraw", f"event:{number}", reason,
            details, gone=gone, preview=preview,
        )  # fmt: skip


def original(submission: int) -> bytes:
    """A submitted file, byte by byte."""
    row = models.Submission.objects.filter(id=submission).first()
    if row is None:
        raise OfficeError(f"there is no submission {submission}")
    return bytes(row.data)
