"""Sending a message in the transaction of the act that it tells of, and the messages about one thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet

from crosstable.errors import OfficeError
from crosstable.office.audit.log import record
from crosstable.office.ledger import free_text
from crosstable.office.ledger.models import Submission
from crosstable.office.notices import mail
from crosstable.office.notices.models import LONGEST_SUBJECT, Message, Notice
from crosstable.office.people.rights import RIGHTS, Actor, NotAllowedError, Role, require, user_name
from crosstable.office.storage.database import writing

#: How the subject of what a person writes begins; decisions have subjects of their own
WRITTEN = "A message about"


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a conversation."""

    number: int
    about: str
    by: str
    subject: str
    words: str
    at: datetime

    @property
    def decision(self) -> str:
        """What it tells of; nothing of words that a person wrote."""
        return "" if self.subject.startswith(WRITTEN) else self.subject


def send(to: str | Iterable[str], subject: str, words: str, *, about: str, by: str) -> Message:
    """Deliver a message, within the transaction of the act that it tells of: they happen together, or not at all.

    `to`: names of users as the ledger has them; a token's name counts as its user's. The sender gets no message about
    an act of their own, and names without a user (a shell on the office's machine) are passed over.
    """
    if not transaction.get_connection().in_atomic_block:
        raise OfficeError(f"{about}: a message belongs into the transaction of the act that it tells of")
    message = Message(about=about, author=user_name(by), subject=subject[:LONGEST_SUBJECT], words=words)
    message.save()
    names = {user_name(one) for one in ([to] if isinstance(to, str) else to)} - {user_name(by)}
    people = list(User.objects.filter(username__in=names, is_active=True))
    Notice.objects.bulk_create([Notice(to=one, message=message) for one in people])
    mail.after_commit([one.email for one in people if one.email], message)
    return message


def officers() -> list[str]:
    """Who is told what players and directors write to the office."""
    return _with_roles({Role.OFFICER})


def having(right: str) -> list[str]:
    """Return the users who have this right."""
    return _with_roles(RIGHTS[right])


def _with_roles(roles: Iterable[Role]) -> list[str]:
    found = User.objects.filter(is_active=True, person__role__in=[role.value for role in roles])
    return sorted(found.values_list("username", flat=True))


def others_in(about: str) -> set[str]:
    """Return the participants outside the office: the file's author, and senders and receivers of messages."""
    names = {user_name(one) for one in _submissions(about).values_list("author", flat=True)}
    rows = Message.objects.filter(about=about)
    names |= {user_name(one) for one in rows.values_list("author", flat=True)}
    names |= set(Notice.objects.filter(message__in=rows).values_list("to__username", flat=True))
    office = User.objects.filter(username__in=names, person__role__in=(Role.OFFICER.value, Role.ADMIN.value))
    return names - set(office.values_list("username", flat=True))


def conversation(actor: Actor, about: str) -> list[Said]:
    """Return the messages about something, oldest first: all for the office,
    for others those they wrote or received.
    """
    require(actor, "notice.read")
    return [
        Said(number=row.id, about=row.about, by=row.author, subject=row.subject, words=row.words, at=row.at)
        for row in _visible(actor, about).order_by("id")
    ]


def unanswered(about: Sequence[str]) -> dict[str, datetime]:
    """Return what the office has written about without an answer, and when."""
    office = set(officers())
    last: dict[str, datetime | None] = {}
    rows = Message.objects.filter(about__in=about).order_by("id").values_list("about", "author", "subject", "at")
    for one, author, subject, at in rows:
        last[one] = at if author in office and subject.startswith(WRITTEN) else None
    return {one: at for one, at in last.items() if at is not None}


def write(actor: Actor, about: str, words: str) -> Message:
    """Write a message to the office; from the office to the sender of the file or another participant."""
    require(actor, "notice.write")
    if not words.strip():
        raise OfficeError("the message is empty")
    free_text.refuse(words, "the message", longest=free_text.LONGEST_MESSAGE)
    with writing():
        takes_part = others_in(about)
        if not _is_office(actor) and user_name(actor.name) not in takes_part:
            raise NotAllowedError(f"{actor.name} ({actor.role}) does not take part in the conversation about {about}")
        to = takes_part if _is_office(actor) else officers()
        message = send(to, f"{WRITTEN} {in_words(about)}", words.strip(), about=about, by=actor.name)
        record(actor.name, "notice.write", about, "", {"message": message.id})
    return message


def in_words(about: str) -> str:
    """ "submission:316" as one says it."""
    kind, _, number = about.partition(":")
    return f"{kind} {number}".strip()


def _submissions(about: str) -> QuerySet[Submission]:
    kind, _, number = about.partition(":")
    wanted = int(number) if kind == "submission" and number.isdecimal() and len(number) < 16 else 0
    return Submission.objects.filter(id=wanted)


def _is_office(actor: Actor) -> bool:
    return actor.may("event.review")


def _visible(actor: Actor, about: str) -> QuerySet[Message]:
    rows = Message.objects.filter(about=about)
    if _is_office(actor):
        return rows
    own = Notice.objects.filter(to_id=actor.user_id).values("message_id")
    return rows.filter(Q(id__in=own) | Q(author=user_name(actor.name)))
