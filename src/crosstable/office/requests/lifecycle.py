"""The life of a request: asked, discussed, decided, carried out.

              ┌─► granted      and carried out, in the same transaction
    waiting ──┼─► refused      with a reason
              ├─► taken back   by the person who asked
              └─► gone         the result that opened it no longer exists (floor requests, `rating.floor_requests`)

Each step checks who may take it, is written to the log, and reaches the people concerned in their inboxes. A `Kind`
says what is particular to one kind of request; `registry` lists all kinds. The discussion is in `notices.messages`,
under the request's key, such as "correction:7".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.db import transaction
from django.db.models import QuerySet

from crosstable.errors import OfficeError
from crosstable.office.audit.log import record
from crosstable.office.ledger import free_text, input_checks
from crosstable.office.notices import inbox, messages
from crosstable.office.people import four_eyes
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.storage.database import writing
from crosstable.office.storage.request_row import RequestRow
from crosstable.office.storage.row import first_or

R = TypeVar("R", bound=RequestRow)


@dataclass(frozen=True, slots=True)
class Step:
    """One step as the log and the inboxes have it."""

    action: str = ""  # of the log; empty where carrying it out writes the entry itself
    target: str = ""
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    to: Collection[str] = ()
    subject: str = ""  # of the message; empty where no one is to be notified
    words: str = ""


class Kind(ABC, Generic[R]):
    """What is particular to one kind of request."""

    #: The first part of the key ("correction:7"), and what a sentence calls it
    prefix: str
    noun: str
    ask_right: str
    decide_right: str
    preview_right: str = "rating.preview"
    #: A refusal always needs words; with this, so does granting
    always_answered: bool = False
    #: Who asked and then refuses it takes it back
    author_withdraws: bool = False

    @abstractmethod
    def visible(self, actor: Actor) -> QuerySet[R]:
        """Return the requests of this kind that a person may see."""

    @abstractmethod
    def author(self, row: R) -> str:
        """Return the user name of the person who asked."""

    def wanted_by(self, row: R) -> str:
        """Return the user name of the person whose wish it is, who does not grant it: the person who asked."""
        return self.author(row)

    @abstractmethod
    def asked(self, actor: Actor, row: R, words: str) -> Step:
        """Return what the log and the inboxes say when it is asked."""

    @abstractmethod
    def decided(self, actor: Actor, row: R) -> Step:
        """Return what they say when it is granted or refused."""

    def taken_back(self, row: R) -> Step:
        """Return what they say when the person who asked no longer does."""
        return Step(f"{self.prefix}.take_back", key(self, row))

    def check(self, actor: Actor, row: R, *, granted: bool) -> None:
        """Raise if this person cannot decide it so today."""

    def carry_out(self, actor: Actor, row: R) -> Any:
        """Do what was granted, in the decision's transaction; return what came of it."""

    def close(self, actor: Actor, row: R) -> None:
        """Do what else follows from a decision, granted or refused."""

    def preview(self, actor: Actor, row: R) -> Any:
        """Return what carrying it out would do; what is written is undone."""
        found = self.carry_out(actor, row)
        transaction.set_rollback(True)
        return found


@dataclass(frozen=True, slots=True)
class Decision(Generic[R]):
    """A request as decided, and what came of carrying it out (None where it was refused)."""

    row: R
    outcome: Any = None


def key(kind: Kind[R], row: R) -> str:
    """Return what notices and pages call a request, such as "correction:7"."""
    return f"{kind.prefix}:{row.pk}"


def ask(actor: Actor, kind: Kind[R], row: R, words: str) -> R:
    """Save a new request, log it and notify the people who decide; in the caller's transaction."""
    require(actor, kind.ask_right)
    if row.pk is None:
        row.save()
    _announce(actor, kind, row, kind.asked(actor, row, words))
    return row


def find(actor: Actor, kind: Kind[R], number: int) -> R:
    """Return a request that this person may see."""
    missing = OfficeError(f"there is no {kind.noun} {number} for you")
    return first_or(kind.visible(actor).filter(pk=number), missing)


def waiting(actor: Actor, kind: Kind[R], number: int) -> R:
    """Return a request that is not decided yet."""
    row = find(actor, kind, number)
    if row.state != RequestRow.WAITING:
        raise OfficeError(f"{kind.noun} {number} is {row.state} already")
    return row


def decide(actor: Actor, kind: Kind[R], number: int, *, granted: bool, words: str = "") -> Decision[R]:
    """Grant a request and carry it out, or refuse it; the people who take part read the answer."""
    require(actor, kind.decide_right)
    refuse_answer(kind, words, granted=granted)
    with writing():
        row = waiting(actor, kind, number)
        if kind.author_withdraws and not granted and kind.author(row) == actor.user:
            return Decision(take_back(actor, kind, number, words))
        kind.check(actor, row, granted=granted)
        if granted:
            four_eyes.refuse_own(actor, kind.wanted_by(row), f"{kind.noun} {number}")
        row.close(RequestRow.GRANTED if granted else RequestRow.REFUSED, words, actor.name)
        inbox.settle(key(kind, row))
        _announce(actor, kind, row, kind.decided(actor, row))
        outcome = kind.carry_out(actor, row) if granted else None
        kind.close(actor, row)
    return Decision(row, outcome)


def preview(actor: Actor, kind: Kind[R], number: int) -> Any:
    """Return what granting it would do today. Nothing is written."""
    require(actor, kind.preview_right)
    with writing():
        return kind.preview(actor, waiting(actor, kind, number))


def take_back(actor: Actor, kind: Kind[R], number: int, words: str = "") -> R:
    """End a request of one's own."""
    require(actor, kind.ask_right)
    free_text.refuse(words, "the reason")
    with writing():
        row = find(actor, kind, number)
        author = kind.author(row)
        if author != actor.user:
            raise NotAllowedError(f"{kind.noun} {number} is {author}'s to take back")
        waiting(actor, kind, number)
        row.close(RequestRow.TAKEN_BACK, words, actor.name)
        inbox.settle(key(kind, row))
        _announce(actor, kind, row, kind.taken_back(row))
    return row


def refuse_answer(kind: Kind[Any], words: str, *, granted: bool) -> None:
    """Raise for an answer that cannot be sent: a refusal without a reason, a text too long, a birth date in it."""
    what = "a decision" if kind.always_answered else "a refusal"
    input_checks.refuse(input_checks.reasons(words, what, optional=granted and not kind.always_answered))


def refuse_words(words: str, what: str) -> None:
    """Raise with everything that is wrong with what a person wrote."""
    empty = [] if words.strip() else [f"{what} is empty: say what you mean"]
    input_checks.refuse([*empty, *free_text.problems(words, what)])


def _announce(actor: Actor, kind: Kind[R], row: R, step: Step) -> None:
    if step.subject:
        messages.send(_names(step.to), step.subject, step.words, about=key(kind, row), by=actor.name)
    if step.action:
        record(actor.name, step.action, step.target, step.reason, step.details)


def _names(to: Iterable[str]) -> list[str]:
    return [to] if isinstance(to, str) else list(to)
