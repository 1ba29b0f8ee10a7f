"""Comments on the rows of a report: the office asks about a row, its director answers, and one of them resolves it.

Every comment is also a message about the report: it reaches inbox and mail, and the report waits for the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from crosstable.errors import OfficeError
from crosstable.formats.given import first_name_first
from crosstable.office.audit.log import record
from crosstable.office.ledger import free_text, revisions
from crosstable.office.ledger.models import Event, Submission
from crosstable.office.notices import messages
from crosstable.office.people.rights import Actor, NotAllowedError, require, user_name
from crosstable.office.reports import events, submissions
from crosstable.office.reports.models import RowComment
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, or an answer."""

    by: str
    words: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A comment on a row with its answers."""

    id: int
    section: int
    number: int  # the row
    player: str  # nothing where the report no longer has the row
    comments: tuple[Comment, ...]
    resolved: datetime | None
    resolved_by: str


def threads(actor: Actor, event: Event) -> tuple[Thread, ...]:
    """Return what was said about the rows of a report, to the office and to its director."""
    require(actor, "submission.read")
    submissions.refuse_others(actor, event)
    said: dict[int, list[Comment]] = {}
    firsts = []
    for row in RowComment.objects.filter(event=event).order_by("id"):
        said.setdefault(row.thread_id or row.id, []).append(Comment(row.author, row.words, row.at))
        if row.thread_id is None:
            firsts.append(row)
    if not firsts:
        return ()
    names = _names(event)
    return tuple(
        Thread(
            id=row.id,
            section=row.section,
            number=row.number,
            player=names.get((row.section, row.number), ""),
            comments=tuple(said[row.id]),
            resolved=row.resolved,
            resolved_by=row.resolved_by,
        )
        for row in sorted(firsts, key=lambda row: (row.section, row.number, row.id))
    )


def about(actor: Actor, number: str) -> tuple[Thread, ...]:
    """Return the same by the event's number, which may be empty; nothing of what this person may not see."""
    event = Event.objects.filter(number=number).first() if number else None
    return threads(actor, event) if event is not None and submissions.sees(actor, event) else ()


def comment(actor: Actor, number: str, place: tuple[int, int], words: str) -> RowComment:
    """Begin a thread on a row (section, pairing number) of a report that was sent."""
    require(actor, "notice.write")
    with writing():
        event = find(actor, number)
        if place not in _names(event):
            raise OfficeError(f"section {place[0]} has no row {place[1]}")
        row = RowComment(event=event, section=place[0], number=place[1], author=actor.user, words=_words(words))
        row.save()
        _tell(actor, row, "", words)
    return row


def answer(actor: Actor, thread: int, words: str) -> RowComment:
    """Answer a comment. A resolved thread is open again."""
    require(actor, "notice.write")
    with writing():
        first = _first(actor, thread)
        place = {"event": first.event, "section": first.section, "number": first.number}
        row = RowComment(**place, thread=first, author=actor.user, words=_words(words))
        row.save()
        RowComment.objects.filter(id=first.id).update(resolved=None, resolved_by="")
        _tell(actor, row, "", words)
    return row


def resolve(actor: Actor, thread: int) -> RowComment:
    """Mark a thread as resolved: by the office, or by who began it. An answer opens it again."""
    require(actor, "notice.write")
    with writing():
        first = _first(actor, thread)
        if not actor.may("event.review") and first.author != actor.user:
            raise NotAllowedError("Only the office, or who wrote the first comment, can resolve it.")
        if first.resolved is None:
            first.resolved, first.resolved_by = clock.now(), actor.user
            first.save(update_fields=["resolved", "resolved_by"])
            others = RowComment.objects.filter(event=first.event, thread=None, resolved=None)
            _tell(actor, first, "" if others.exists() else f"Resolved: row {first.number}", "Resolved.")
    return first


def _words(words: str) -> str:
    if not words.strip():
        raise OfficeError("the comment is empty")
    free_text.refuse(words, "the comment", longest=free_text.LONGEST_MESSAGE)
    return words.strip()


def find(actor: Actor, number: str) -> Event:
    """Return the event whose rows this person may comment on."""
    require(actor, "notice.write")
    require(actor, "submission.read")
    event = events.find(number)
    submissions.refuse_others(actor, event)
    return event


def _first(actor: Actor, thread: int) -> RowComment:
    row = RowComment.objects.filter(id=thread, thread=None).select_related("event").first()
    if row is None:
        raise OfficeError(f"there is no comment {thread}")
    find(actor, row.event.number)
    return row


def _names(event: Event) -> Mapping[tuple[int, int], str]:
    """Return (section, pairing number) → the name that the report gives."""
    return {
        (section.number, player.number): first_name_first(player.name or player.id or "")
        for section in revisions.document(id=event.id).sections
        for player in section.players
    }


def _tell(actor: Actor, row: RowComment, subject: str, words: str) -> None:
    """Send it as a message about the report, and log that it was written.

    What a person writes has the usual subject, so that the report waits for an answer; `subject`: that of the end.
    """
    event = row.event
    file = Submission.objects.filter(event=event, outcome="queued").only("id", "author").order_by("-id").first()
    details = {"comment": row.id, "section": row.section, "row": row.number}
    if file is not None:
        about = f"submission:{file.id}"
        to = {user_name(file.author)} if actor.may("event.review") else set(messages.officers())
        name = _names(event).get((row.section, row.number), "")
        text = f"Row {row.number}{f', {name}' if name else ''}: {words.strip()}"
        messages.send(to, subject or f"{messages.WRITTEN} {messages.in_words(about)}", text, about=about, by=actor.name)
    record(actor.name, "event.comment", f"event:{event.number}", "", details)
