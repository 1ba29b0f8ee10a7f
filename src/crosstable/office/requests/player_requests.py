"""What claims and reported mistakes share: who may see them, how many one person may make, and their lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Max, Q, QuerySet

from crosstable.errors import OfficeError
from crosstable.office.ledger.models import Event, Player, Revision
from crosstable.office.ledger.players import main_record
from crosstable.office.notices import mail, messages
from crosstable.office.people.models import Person
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.reports import submissions
from crosstable.office.requests.lifecycle import Kind, Step, key
from crosstable.office.requests.models import CorrectionRequest, Request
from crosstable.office.storage import mail_settings
from crosstable.office.storage.row import first_or

#: The most requests of one person that may wait at a time
MOST_OPEN = 20


class PlayerRequest(Kind[Request]):
    """A claim or a reported mistake."""

    prefix = noun = "request"
    ask_right = "request.make"
    decide_right = "request.decide"
    #: What each state is called
    states: dict[str, str]
    kind: str

    def visible(self, actor: Actor) -> QuerySet[Request]:
        return visible(actor).filter(kind=self.kind)

    def author(self, row: Request) -> str:
        return row.author_name

    def decided(self, actor: Actor, row: Request) -> Step:
        return Step(
            action="request.decide",
            target=key(self, row),
            details={"kind": row.kind, "granted": row.state == Request.GRANTED, "user": row.author_name},
            to=participants(row),
            subject=self.answer_subject(row),
            words=row.answer,
        )

    def close(self, actor: Actor, row: Request) -> None:
        """Notify a visitor that the answer is behind the private link, and delete the address: it is no longer
        needed.
        """
        if row.email and mail_settings.configured():
            body = "The rating office has answered you. Open the link of our first e-mail to read the answer.\n"
            subject = f"The answer to your request {row.pk}"
            answer = EmailMessage(subject, body, settings.DEFAULT_FROM_EMAIL, [row.email])
            transaction.on_commit(partial(mail.hand_over, [answer]))
        if row.email:
            row.email = ""
            row.save(update_fields=["email"])

    def taken_back(self, row: Request) -> Step:
        return Step("request.take_back", key(self, row), details={"kind": row.kind})

    def answer_subject(self, row: Request) -> str:
        """Return the subject of the message that tells of the decision."""
        raise NotImplementedError


#: What a state is called, by kind
STATES = {
    Request.CLAIM: {
        Request.UNCONFIRMED: "not confirmed yet",
        Request.WAITING: "waits for an officer",
        Request.GRANTED: "confirmed",
        Request.REFUSED: "refused",
        Request.TAKEN_BACK: "taken back",
    },
    Request.MISTAKE: {
        Request.UNCONFIRMED: "not confirmed yet",
        Request.WAITING: "waits for an answer",
        Request.GRANTED: "corrected",
        Request.REFUSED: "not changed",
        Request.TAKEN_BACK: "taken back",
    },
}


def participants(row: Request) -> set[str]:
    """Return the people outside the office who read the answer: the author and the participants."""
    return messages.others_in(f"request:{row.pk}") | {row.author_name}


def visible(actor: Actor) -> QuerySet[Request]:
    """Return all requests for the office, those about own events for a director, and one's own for everyone."""
    require(actor, "request.make")
    rows = Request.objects.select_related("user").exclude(state=Request.UNCONFIRMED)
    if actor.may("event.review"):
        return rows
    wanted = Q(user_id=actor.user_id)
    if actor.may("submission.read"):
        own = submissions.visible_events(actor, Event.objects.all()).values("number")
        wanted |= Q(kind=Request.MISTAKE, event__in=own)
    return rows.filter(wanted)


def refuse_flood(actor: Actor) -> None:
    """Raise for a person without an account, or with too many open requests."""
    if actor.user_id is None:
        raise NotAllowedError(f"{actor.name} has no account: sign in to ask the office")
    if Request.objects.filter(user_id=actor.user_id, state=Request.WAITING).count() >= MOST_OPEN:
        raise OfficeError(f"{MOST_OPEN} requests of yours are open: wait for their answers first")


def fill_players(found: Sequence[Request]) -> None:
    """Set whose game a report is about, also where the author's claim was confirmed later. In memory only."""
    open_ = [row for row in found if row.kind == Request.MISTAKE and not row.player]
    own = dict(Person.objects.filter(user_id__in={row.user_id for row in open_}).values_list("user_id", "player_id"))
    known = {
        row.number: main_record(row).number for row in Player.objects.filter(number__in=filter(None, own.values()))
    }
    for row in open_:
        row.player = known.get(own.get(row.user_id or 0) or "", "")


def is_correctable(row: Request) -> bool:
    """Return whether the report says enough to change the event: whose game, which round, which result."""
    return bool(row.player and row.section and row.round and row.result) and row.correction is None


# Lists of requests: for the people who made them, the officer who decides, and the director of the event.


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as its page shows it."""

    number: int
    kind: str
    by: str
    player: str
    player_name: str  # for the office only
    email: str  # a visitor's, for the office only
    event: str
    event_name: str
    section: int | None
    round: int | None
    result: str
    words: str
    at: datetime
    state: str
    answer: str
    decided_by: str
    decided_at: datetime | None
    correction: int | None
    correction_state: str  # asked, granted, refused, taken back; empty where there is none
    correctable: bool  # the program can change the event as reported
    corrected: bool  # the event was corrected after the report

    @property
    def about(self) -> str:
        return f"request:{self.number}"

    @property
    def waits(self) -> bool:
        return self.state == Request.WAITING

    @property
    def state_words(self) -> str:
        return STATES[self.kind][self.state]

    def as_json(self) -> dict[str, object]:
        return {
            "request": self.number,
            "kind": self.kind,
            "by": self.by,
            "player": self.player,
            "event": self.event,
            "section": self.section,
            "round": self.round,
            "result": self.result,
            "words": self.words,
            "at": self.at.isoformat(timespec="seconds"),
            "state": self.state,
            "answer": self.answer,
        }


def mine(actor: Actor, count: int = 100) -> list[Asked]:
    """Return what this person has asked, newest first."""
    require(actor, "request.make")
    found = Request.objects.filter(user_id=actor.user_id).select_related("user").order_by("-id")[:count]
    return records(actor, found)


def waiting(actor: Actor, event: str = "") -> list[Asked]:
    """Return what waits for an answer, oldest first: for the office all, for a director what is about own events."""
    found = visible(actor).filter(state=Request.WAITING)
    found = found if actor.may("event.review") else found.exclude(user_id=actor.user_id)
    return records(actor, (found.filter(event=event) if event else found).order_by("id"))


def decided(actor: Actor, count: int = 20) -> list[Asked]:
    """Return what the office answered last."""
    require(actor, "event.review")
    found = visible(actor).exclude(state=Request.WAITING).order_by("-decided_at", "-id")
    return records(actor, found[:count])


def one(actor: Actor, number: int) -> Asked:
    """Return a request that this person may see."""
    row = first_or(visible(actor).filter(id=number), OfficeError(f"there is no request {number} for you"))
    return records(actor, [row])[0]


def records(actor: Actor, found: Iterable[Request]) -> list[Asked]:
    """Return requests as pages show them to this person."""
    asked = list(found)
    fill_players(asked)
    events = dict(Event.objects.filter(number__in={row.event for row in asked}).values_list("number", "name"))
    private = actor.may("player.read_private")
    wanted = {row.player for row in asked} if private else set()
    names = dict(Player.objects.filter(number__in=wanted).values_list("number", "name"))
    made = {row.correction for row in asked if row.correction is not None}
    last = _corrected({row.event for row in asked if row.event})
    states = dict(CorrectionRequest.objects.filter(id__in=made).values_list("id", "state"))
    return [
        Asked(
            number=row.id,
            kind=row.kind,
            by=row.author_name,
            player=row.player,
            player_name=names.get(row.player, ""),
            email=row.email if private else "",
            event=row.event,
            event_name=events.get(row.event, row.event),
            section=row.section,
            round=row.round,
            result=row.result,
            words=row.words,
            at=row.at,
            state=row.state,
            answer=row.answer,
            decided_by=row.decided_by,
            decided_at=row.decided_at,
            correction=row.correction,
            correction_state=states.get(row.correction or 0, ""),
            correctable=is_correctable(row),
            corrected=row.event in last and last[row.event] > row.at,
        )
        for row in asked
    ]


def _corrected(events: set[str]) -> dict[str, datetime]:
    """Return when each event was last corrected."""
    done = Revision.objects.filter(event__number__in=events, kind__in=("corrected", "recorded"))
    return dict(done.values_list("event__number").annotate(last=Max("at")))
