"""Accept, correct, withdraw, refuse, restore: the one way of an event to its ratings.

    refuse what the gate refuses
    → enrol the players → place the sections in the rating order → open the records of newcomers
    → refuse what the systems refuse with the ledger's own ratings
    → rate from there on → floors and titles follow → write, log, answer

`_place` is the first half, `rating.rerating.rate_from` the second. All of it is one transaction: what is refused on the
way was never there, and a preview takes the whole way and is rolled back at its end.

Some sections may be accepted while others wait (`ledger.held`). What waits follows as another revision: by `correct`,
which rates whatever has no errors any more, or by `accept`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from crosstable.errors import OfficeError
from crosstable.model import Event, Finding, errors
from crosstable.office.audit.log import record
from crosstable.office.ledger import documents, for_the_record, input_checks, models, names, order, pending_sections
from crosstable.office.people.rights import Actor, require
from crosstable.office.players.opening_ratings import Reported, open_records
from crosstable.office.rating.changes import watch
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.reports import (
    enrolment,
    events,
    findings,
    keep_missing_fields,
    ledger_checks,
    new_members,
    schedule,
    submissions,
    summaries,
)
from crosstable.office.reports.events import add_revision, describe, document, find, identify, in_force, repeat_revision
from crosstable.office.reports.file_reading import NOTHING, Added, dated_event, read_file
from crosstable.office.reports.notify import tell_author
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.office.storage.read_once import read_once


@dataclass(frozen=True, slots=True)
class _Placed:
    """An event in the rating order, not yet rated."""

    row: models.Event
    revision: models.Revision
    report: Reported
    position: int  # from here on ratings may change
    gone: Sequence[int]  # sections that it has no more
    others: set[int]  # players of whom more is another now than their results here


def accept(
    actor: Actor, number: str, reason: str = "", *, preview: bool = False, sections: Collection[int] | None = None
) -> Rerated:
    """Rate a reviewed event, and everything after it that it touches; one that was withdrawn or refused comes back.

    `sections`: these only; the others wait. Of an event whose sections wait, the ones that are rated now (default:
    all).
    """
    require(actor, "rating.preview" if preview else "event.accept")
    input_checks.refuse(input_checks.reasons(reason, "an acceptance", optional=True))
    with writing():
        row = find(number)
        if not preview:
            submissions.refuse_own(actor, row)
        now, waiting = events.chosen(row, sections)
        if row.status in (models.Event.WITHDRAWN, models.Event.REFUSED):
            repeat_revision(actor, row, "restored", reason)
        elif row.status == models.Event.ACCEPTED:
            repeat_revision(actor, row, "completed", reason)
        partly = {"accepted": now, "held": waiting} if waiting or row.held else {}
        watched = watch(schedule.entrants_of(row)) if row.held else None
        back = row.status in (models.Event.WITHDRAWN, models.Event.REFUSED)
        placed = _accepted(actor, row, waiting, reason)
        if back:
            summaries.look_again(row, document(number))
        details = identify(placed.revision) | partly
        return _rate(
            Act(
                actor=actor,
                action="event.accept",
                subject=f"event:{number}",
                reason=reason,
                details=details,
                preview=preview,
                watched=watched,
            ),
            [placed],
        )


def _accepted(
    actor: Actor, row: models.Event, waiting: Sequence[int], reason: str, earlier: Sequence[Reported] = ()
) -> _Placed:
    """Let the event count from now on, except for the sections that wait, and notify its director."""
    _set_status(row, models.Event.ACCEPTED, waiting)
    given = new_members.give_ids(actor, row)
    tell_author(actor, row, "accepted in part" if waiting else "accepted", f"{given} {reason}".strip())
    placed = _place(actor, row, earlier)
    if waiting:
        summaries.keep(row, placed.revision, documents.unpack(placed.revision.document, row.number))
    return placed


def accept_many(actor: Actor, numbers: Iterable[str], reason: str = "") -> Rerated:
    """Several reviewed events in one run and one transaction: all of them, or none. What was sent back waits."""
    require(actor, "event.accept")
    input_checks.refuse(input_checks.reasons(reason, "an acceptance", optional=True))
    with writing():
        placed: list[_Placed] = []
        earlier: list[Reported] = []
        for row in sorted((find(number) for number in numbers), key=lambda row: (row.end, row.start, row.number)):
            if row.status != models.Event.SUBMITTED:
                raise OfficeError(f"event {row.number} does not wait for review: it is {row.status}")
            submissions.refuse_own(actor, row)
            if placed and _has_match(row):  # a match is held against the ratings of all that came before it
                _rate(_acceptance(actor, placed, reason), placed)
                placed = []
            placed.append(_accepted(actor, row, events.chosen(row, None)[1], reason, earlier))
            earlier.append(placed[-1].report)
        if not placed:
            raise OfficeError("no events to accept")
        return _rate(_acceptance(actor, placed, reason), placed)


def correct(
    actor: Actor,
    number: str,
    data: bytes,
    name: str,
    reason: str,
    *,
    preview: bool = False,
    record_only: bool = False,
    added: Added = NOTHING,
) -> Rerated:
    """Another content for an event the office has: a new revision, and whatever follows from it is rated again.

    A file with errors is refused, whether the event has been accepted or not; but sections that waited and still have
    errors go on waiting. What the event has said so far stays where the file is silent. `record_only`: other results in
    the record, and the same ratings; the choice is kept and logged.
    """
    require(actor, "rating.preview" if preview else "event.correct")
    input_checks.refuse(input_checks.reasons(reason, "a correction", preview=preview))
    return carry_out(actor, number, data, name, reason, preview=preview, record_only=record_only, added=added)


def carry_out(
    actor: Actor,
    number: str,
    data: bytes,
    name: str,
    reason: str,
    *,
    preview: bool = False,
    record_only: bool = False,
    added: Added = NOTHING,
) -> Rerated:
    """Correct an event for a reason that was looked at when it was written, perhaps long ago."""
    require(actor, "rating.preview" if preview else "event.correct")
    read = read_file(data, name, added)
    with writing():
        row = find(number)
        reading, kept = keep_missing_fields.kept(read, document(number))
        found = findings.of_file(reading)
        watched = watch(schedule.entrants_of(row))
        event = _with_choices(number, dated_event(reading, found), record_only)
        file = submissions.stored_file(actor, data, name, reading, found)
        describe(row, event, file.content_hash if event == reading.draft else documents.content_hash(event))
        pending_sections.set_numbers(row, _still_waiting(row, event, reading.findings))
        findings.refuse(row, pending_sections.without(event, pending_sections.numbers(row)), reading.findings)
        _refuse_same_content(row, event)
        submissions.save_file(file, submissions.CORRECTION, row)
        kind = "recorded" if record_only else "corrected"
        revision = add_revision(actor, row, event, kind=kind, reason=reason, submission=file, findings=reading.findings)
        if row.status == models.Event.REFUSED:
            row.status = models.Event.SUBMITTED  # another content is looked at again
        row.save()
        revision, event, given = _with_ids(actor, row, revision, event)
        tell_author(actor, row, "corrected", f"{given} {reason}".strip())
        if row.held or row.status == models.Event.SUBMITTED:
            summaries.keep(row, revision, event)
        details = identify(revision) | added.in_log(reading) | _choices_in_log(row, event, record_only=record_only)
        act = Act(
            actor=actor,
            action="event.correct",
            subject=f"event:{number}",
            reason=reason,
            details=details,
            preview=preview,
            watched=watched,
        )
        done = _rate(act, [_place(actor, row)]) if row.status == models.Event.ACCEPTED else rate_from(act, None)
        return replace(done, note=kept)


def withdraw(actor: Actor, number: str, reason: str, *, preview: bool = False) -> Rerated:
    """Withdraw an event; what it touched is rated again without it. `accept` brings it back.

    A director may take back a file of the director's own that still waits, or that the office refused.
    """
    require(actor, "rating.preview" if preview else "event.submit")
    input_checks.refuse(input_checks.reasons(reason, "a withdrawal", preview=preview))
    with writing():
        row = find(number)
        if row.status == models.Event.SUBMITTED:
            submissions.refuse_others(actor, row)
        elif not submissions.came_back(actor, row):
            require(actor, "rating.preview" if preview else "event.withdraw")
        if row.status == models.Event.WITHDRAWN:
            raise OfficeError(f"event {number} has been withdrawn already")
        revision = repeat_revision(actor, row, "withdrawn", reason)
        _set_status(row, models.Event.WITHDRAWN, ())
        tell_author(actor, row, "withdrawn", reason)
        position, players = schedule.first_position(row), schedule.entrants_of(row)
        watched = watch(players)
        gone = schedule.unplace(row)
        summaries.look_again(row, document(number))
        opened = open_records(actor, players, moved=_day(position)) if players else None
        act = Act(
            actor=actor,
            action="event.withdraw",
            subject=f"event:{number}",
            reason=reason,
            details=identify(revision),
            preview=preview,
            watched=watched,
        )
        first = None if position is None else _earliest(position, opened)
        return rate_from(act, first, gone, [row.id], set() if opened is None else players)


def _place(actor: Actor, row: models.Event, earlier: Sequence[Reported] = ()) -> _Placed:
    """Place the event, up to the run that rates it. `earlier`: events placed before it, not rated
    yet.
    """
    revision = in_force(row)
    event = pending_sections.without(documents.unpack(revision.document, row.number), pending_sections.numbers(row))
    with read_once():
        findings.refuse(row, event, findings.of_reading(revision))
    before, were_in = schedule.first_position(row), schedule.entrants_of(row)
    players, since = enrolment.enrol(event)
    names.name_event(row)
    position, gone = schedule.place(row, event, players)
    report = Reported(row.number, event)
    everybody = were_in | set(players.values())
    opened = open_records(actor, everybody, [*earlier, report], moved=_day(before, position) if were_in else None)
    with read_once():
        ledger_checks.set_match_pools(row, event)
        findings.refuse_by_ledger(row, event)
    others = everybody if since is not None or opened is not None else set()
    return _Placed(row, revision, report, position=_earliest(position, before, since, opened), gone=gone, others=others)


def _rate(act: Act, placed: Sequence[_Placed]) -> Rerated:
    """Rate from the first change on; floors and titles follow; write, log, answer."""
    gone = [section for one in placed for section in one.gone]
    players = {player for one in placed for player in one.others}
    return rate_from(act, _earliest(*(one.position for one in placed)), gone, [one.row.id for one in placed], players)


def _acceptance(actor: Actor, placed: Sequence[_Placed], reason: str) -> Act:
    done = [
        {
            "event": one.row.number,
            **identify(one.revision),
            **({"held": pending_sections.numbers(one.row)} if one.row.held else {}),
        }
        for one in placed
    ]
    return Act(actor, "event.accept", f"events:{len(done)}", reason, {"events": done})


def _has_match(row: models.Event) -> bool:
    event = documents.unpack(in_force(row).document, row.number)
    return any(section.kind == "match" for section in event.sections)


def _set_status(row: models.Event, status: str, waiting: Iterable[int]) -> None:
    row.status = status
    if status == models.Event.ACCEPTED and row.rated_at is None:
        row.rated_at = clock.now()
    pending_sections.set_numbers(row, waiting)
    row.save()


def _still_waiting(row: models.Event, event: Event, read: Sequence[Finding]) -> list[int]:
    """Of the sections that waited, those that have errors in the new content too, or that went back and are the
    same.
    """
    if not row.held:
        return []
    wrong = findings.wrong_sections(row, event, read)
    old = {one.number: one for one in document(row.number).sections}
    same = {
        one.number
        for one in event.sections
        if one.number in pending_sections.sent_back(row) and one == old.get(one.number)
    }
    return [
        one.number
        for one in event.sections
        if one.number in pending_sections.numbers(row) and one.number in wrong | same
    ]


def _with_ids(
    actor: Actor, row: models.Event, revision: models.Revision, event: Event
) -> tuple[models.Revision, Event, str]:
    """Return the correction of a rated event with ids for new members, and who got which."""
    given = new_members.give_ids(actor, row) if row.status == models.Event.ACCEPTED else ""
    return (in_force(row), document(row.number), given) if given else (revision, event, "")


def _refuse_same_content(row: models.Event, event: Event) -> None:
    """Refuse the same content: it is a correction only if its file could not be read without errors."""
    revision = in_force(row)
    same = documents.as_json(revision.document, row.number) == documents.as_json(documents.pack_event(event))
    if same and not errors(findings.of_reading(revision)):
        raise OfficeError(f"nothing to correct: event {row.number} already says exactly this")


def _with_choices(number: str, event: Event, record_only: bool) -> Event:
    """Return the new content with what earlier corrections, and this one, changed for the record only."""
    old = document(number)
    if record_only and for_the_record.other_differences(old, event):
        raise OfficeError("a correction for the record only changes results of games, and nothing else")
    return for_the_record.with_choices(old, event, record_only=record_only)


def _choices_in_log(row: models.Event, event: Event, *, record_only: bool) -> dict[str, Any]:
    """Return what of a correction waits, and what changes the record alone."""
    details: dict[str, Any] = {"held": pending_sections.numbers(row)} if row.held else {}
    return details | ({"record_only": for_the_record.choices(event)} if record_only else {})


def _day(*positions: int | None) -> date:
    """Return the day of the first of these."""
    return order.date_of(_earliest(*positions))


def _earliest(*positions: int | None) -> int:
    return min(one for one in positions if one is not None)


# Refusing an event that waits, or sending a section of it back: the officer says why, and the director reads it.


def refuse(actor: Actor, number: str, reason: str, sections: Collection[int] | None = None) -> None:
    """Refuse the event as it is. `accept` can still accept it later.

    `sections`: these go back to their director, and the others go on. All that wait of an unrated event: the event
    itself.
    """
    require(actor, "event.refuse")
    input_checks.refuse(input_checks.reasons(reason, "a refusal"))
    with writing():
        row = find(number)
        waits = row.status == models.Event.SUBMITTED or (sections is not None and bool(row.held))
        if not waits:
            raise OfficeError(f"event {number} does not wait for review: it is {row.status}")
        back, others = ([], []) if sections is None else events.chosen(row, sections)
        if row.status == models.Event.SUBMITTED and not others:
            _refuse_event(actor, row, reason)
        else:
            _send_back(actor, row, back, reason)


def _refuse_event(actor: Actor, row: models.Event, reason: str) -> None:
    revision = repeat_revision(actor, row, "refused", reason)
    row.status = models.Event.REFUSED
    pending_sections.set_numbers(row, ())
    row.save()
    summaries.look_again(row, document(row.number))
    tell_author(actor, row, "refused", reason)
    record(actor.name, "event.refuse", f"event:{row.number}", reason, identify(revision))


def _send_back(actor: Actor, row: models.Event, sections: Sequence[int], reason: str) -> None:
    pending_sections.send_back(row, sections, reason)
    row.save()
    revision, event = in_force(row), document(row.number)
    summaries.keep(row, revision, event)
    names = [one.name or f"section {one.number}" for one in event.sections if one.number in sections]
    tell_author(actor, row, "sent back", reason, part=", ".join(names))
    details = identify(revision) | {"sent_back": list(sections)}
    record(actor.name, "event.refuse", f"event:{row.number}", reason, details)
