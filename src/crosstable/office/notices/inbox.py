"""A person's inbox."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from crosstable.office.notices.messages import Said
from crosstable.office.notices.models import Notice
from crosstable.office.people.rights import Actor, require
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing

NEWEST = 200


@dataclass(frozen=True, slots=True)
class Received(Said):
    """A message in the inbox."""

    read: datetime | None


def inbox(actor: Actor, count: int = NEWEST) -> list[Received]:
    """Return the newest messages to this person, newest first."""
    require(actor, "notice.read")
    rows = Notice.objects.filter(to_id=actor.user_id).select_related("message").order_by("-id")[:count]
    return [
        Received(
            number=row.id,
            about=row.message.about,
            by=row.message.author,
            subject=row.message.subject,
            words=row.message.words,
            at=row.message.at,
            read=row.read,
        )
        for row in rows
    ]


def unread(actor: Actor) -> int:
    """How many messages wait to be read."""
    if not actor.may("notice.read"):
        return 0
    return Notice.objects.filter(to_id=actor.user_id, read=None).count()


def settle(about: str) -> None:
    """Mark every message about a thing that is decided as read, in everyone's inbox; in the caller's transaction."""
    Notice.objects.filter(message__about=about, read=None).update(read=clock.now())


def mark_read(actor: Actor, numbers: Iterable[int] | None = None, *, about: str = "") -> int:
    """Mark these messages (or all, or all about something) as read. The log does not keep who reads what."""
    require(actor, "notice.read")
    with writing():
        rows = Notice.objects.filter(to_id=actor.user_id, read=None)
        rows = rows if numbers is None else rows.filter(id__in=list(numbers))
        rows = rows.filter(message__about=about) if about else rows
        return rows.update(read=clock.now())
