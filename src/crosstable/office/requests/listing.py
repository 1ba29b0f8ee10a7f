"""Requests for whoever made them, for the officer who decides, and for the director of the event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from crosstable.office.ledger.models import Event, Player, Revision
from crosstable.office.people.rights import Actor, require
from crosstable.office.requests import lifecycle
from crosstable.office.requests.mistake_corrections import can_be_made
from crosstable.office.requests.models import CorrectionRequest, Request

#: What a state means, by kind
STATES = {
    Request.CLAIM: {
        "waiting": "waits for an officer",
        "granted": "confirmed",
        "refused": "refused",
        "taken back": "taken back",
    },
    Request.MISTAKE: {
        "waiting": "waits for an answer",
        "granted": "mended",
        "refused": "stays as it is",
        "taken back": "taken back",
    },
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as its page shows it."""

    number: int
    kind: str
    by: str
    player: str
    player_name: str  # for the office only
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
    """What this person has asked, newest first."""
    require(actor, "request.make")
    found = Request.objects.filter(user_id=actor.user_id).select_related("user").order_by("-id")[:count]
    return _shown(actor, found)


def waiting(actor: Actor, event: str = "") -> list[Asked]:
    """What waits for an answer, oldest first: to the office everything, to a director what is about own events."""
    found = lifecycle.visible(actor).filter(state=Request.WAITING)
    found = found if actor.may("event.review") else found.exclude(user_id=actor.user_id)
    return _shown(actor, (found.filter(event=event) if event else found).order_by("id"))


def decided(actor: Actor, count: int = 20) -> list[Asked]:
    """What the office answered last."""
    require(actor, "event.review")
    found = lifecycle.visible(actor).exclude(state=Request.WAITING).order_by("-decided_at", "-id")
    return _shown(actor, found[:count])


def one(actor: Actor, number: int) -> Asked:
    return _shown(actor, [lifecycle.find(actor, number)])[0]


def _shown(actor: Actor, found: Iterable[Request]) -> list[Asked]:
    asked = list(found)
    lifecycle.fill_players(asked)
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
            by=row.user.username,
            player=row.player,
            player_name=names.get(row.player, ""),
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
            correctable=can_be_made(row),
            corrected=row.event in last and last[row.event] > row.at,
        )
        for row in asked
    ]


def _corrected(events: set[str]) -> dict[str, datetime]:
    """Event → when it was last corrected."""
    done = Revision.objects.filter(event__number__in=events, kind__in=("corrected", "recorded"))
    return dict(done.values_list("event__number").annotate(last=Max("at")))
