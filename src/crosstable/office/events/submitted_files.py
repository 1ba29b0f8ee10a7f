"""Submitted files, kept byte by byte: what was kept without becoming an event, and the way to get a file back.

Whoever reviews events sees all of them; a director sees what that director, or a program of the director's, sent in.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Substr

from crosstable.errors import OfficeError
from crosstable.office.events.event_rows import in_force
from crosstable.office.ledger.models import Event, Submission
from crosstable.office.people.rights import Actor, NotAllowedError, require, user_name

COLUMNS = ("number", "file", "format", "outcome", "event", "by", "at", "bytes", "findings")


def visible(actor: Actor) -> QuerySet[Submission]:
    """What this actor may look at."""
    if actor.may("event.review"):
        return Submission.objects.all()
    require(actor, "submission.read")
    program = f"{actor.user}/"
    # not `startswith`: SQLite's LIKE takes Dora for dora
    begins = Submission.objects.alias(begin=Substr("author", 1, len(program)))
    return begins.filter(Q(author=actor.user) | Q(begin=program))


def visible_events(actor: Actor, events: QuerySet[Event]) -> QuerySet[Event]:
    """The events among these whose submissions the actor may look at."""
    found = visible(actor)
    return events if actor.may("event.review") else events.filter(id__in=found.values("event_id"))


def refuse_others(actor: Actor, event: Event) -> None:
    """A director looks at the events that the director has submitted, and at no others."""
    if not visible_events(actor, Event.objects.filter(id=event.id)).exists():
        raise NotAllowedError(f"{actor.name} ({actor.role}) may look at the events that {actor.name} has submitted")


def came_back(actor: Actor, event: Event) -> bool:
    """Whether the event is the actor's to mend and send in again: the office refused it, or its director took it back.

    Only a file that still waits can be taken back. What an officer withdrew stays withdrawn, until `accept` brings it back.
    """
    if event.status == Event.REFUSED:
        return visible_events(actor, Event.objects.filter(id=event.id)).exists()
    last = in_force(event)
    taken_back = event.status == Event.WITHDRAWN and last.kind == "withdrawn" and not actor.may("event.withdraw")
    return taken_back and user_name(last.author) == actor.user


def submissions(actor: Actor, event: str = "") -> list[dict[str, Any]]:
    """The files of an event; without one, those that are kept but became no event: unreadable or refused."""
    rows = visible(actor)
    rows = rows.filter(event__number=event) if event else rows.filter(outcome__in=("unreadable", "refused"))
    return [
        {
            "number": row.id, "file": row.file_name, "format": row.format, "outcome": row.outcome,
            "event": row.event.number if row.event else "", "by": row.author, "at": row.at.isoformat(timespec="seconds"),
            "bytes": len(row.data), "findings": [_words(one) for one in row.findings],
        }
        for row in rows.select_related("event").order_by("id")
    ]  # fmt: skip


def _words(finding: dict[str, str]) -> str:
    return f"{finding['level']}: {finding['where']}: {finding['message']} [{finding['code']}]"


def original(actor: Actor, number: int) -> bytes:
    """A submitted file, byte by byte."""
    row = visible(actor).filter(id=number).first()
    if row is None:
        raise OfficeError(f"there is no submission {number} for you; `crosstable office submissions` shows them")
    return bytes(row.data)
