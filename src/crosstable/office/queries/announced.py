"""Announced events with a status that follows from facts: the days, and what became of the report."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from crosstable.office.ledger.models import Event, Submission
from crosstable.office.people.rights import Actor, require, user_name
from crosstable.office.reports.models import Announcement
from crosstable.office.reports.submissions import QUEUED
from crosstable.words.language import gettext_noop

#: So far ahead events are listed, and so long after they have ended
AHEAD, BEHIND = timedelta(days=120), timedelta(days=30)
MOST = 100


class Status(enum.StrEnum):
    """Where an announced event is."""

    ANNOUNCED = gettext_noop("announced")
    PLAYED = gettext_noop("being played now")
    EXPECTED = gettext_noop("report expected")
    RECEIVED = gettext_noop("report under review")
    RATED = gettext_noop("rated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """An announced event. Who announced it is not public."""

    number: int
    name: str
    start: date
    end: date
    place: str
    time_control: str
    rounds: int | None
    link: str
    status: Status
    event: str  # the rated event's number; nothing before it is rated


def coming(today: date) -> tuple[Announced, ...]:
    """Return the events of the coming weeks and of the last, by their days."""
    rows = Announcement.objects.filter(
        condition=Announcement.OPEN, start__lte=today + AHEAD, end__gte=today - BEHIND
    ).select_related("event")
    return _shown(rows.order_by("start", "end", "name", "id")[:MOST], today)


def own(actor: Actor, today: date) -> tuple[Announced, ...]:
    """Return a director's own announcements, newest days first; none of those cancelled or removed."""
    require(actor, "draft.write")
    rows = Announcement.objects.filter(owner=actor.user, condition=Announcement.OPEN).select_related("event")
    return _shown(rows.order_by("-start", "-id")[:MOST], today)


def others(actor: Actor, today: date) -> tuple[Announced, ...]:
    """Return what an officer can remove: the public ones of everybody else."""
    mine = {one.number for one in own(actor, today)}
    return tuple(one for one in coming(today) if one.number not in mine) if actor.may("event.refuse") else ()


def _shown(found: Iterable[Announcement], today: date) -> tuple[Announced, ...]:
    rows = list(found)
    reports = _reports(rows)
    return tuple(
        _one(row, row.event or next((one for owner, one in reports if _matches(row, owner, one)), None), today)
        for row in rows
    )


def _reports(rows: Sequence[Announcement]) -> list[tuple[str, Event]]:
    """Return (director, event) of the reports that came in about these days."""
    if not rows:
        return []
    first, last = min(row.start for row in rows), max(row.end for row in rows)
    found = Submission.objects.filter(outcome=QUEUED, event__start__lte=last, event__end__gte=first)
    found = found.select_related("event").defer("data", "findings").order_by("-id")
    return [(user_name(one.author), one.event) for one in found if one.event]


def _matches(row: Announcement, owner: str, event: Event) -> bool:
    """Return whether they have the same director and name, and days that overlap."""
    alike = " ".join(row.name.casefold().split()) == " ".join(event.name.casefold().split())
    return owner == row.owner and alike and event.start <= row.end and event.end >= row.start


def _one(row: Announcement, event: Event | None, today: date) -> Announced:
    rated = event is not None and event.status == Event.ACCEPTED
    return Announced(
        number=row.id,
        name=row.name,
        start=row.start,
        end=row.end,
        place=", ".join(part for part in (row.city, row.state) if part),
        time_control=row.time_control,
        rounds=row.rounds,
        link=row.link,
        status=_status(row, event, today),
        event=event.number if event is not None and rated else "",
    )


def _status(row: Announcement, event: Event | None, today: date) -> Status:
    """Return the status; a report that was refused or withdrawn is expected again."""
    if event is not None and event.status == Event.ACCEPTED:
        return Status.RATED
    if event is not None and event.status == Event.SUBMITTED:
        return Status.RECEIVED
    if today < row.start:
        return Status.ANNOUNCED
    return Status.PLAYED if today <= row.end else Status.EXPECTED
