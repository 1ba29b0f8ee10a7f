"""Lower floors after a match (2025 §7): each lost match below a floor opens a request, which an officer decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from crosstable.errors import OfficeError
from crosstable.office.audit.log import details_of
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import input_checks, models, order
from crosstable.office.ledger.models import Adjustment, Event, FloorRequest
from crosstable.office.ledger.players import find as find_player
from crosstable.office.ledger.players import main_record, with_duplicates
from crosstable.office.notices import messages
from crosstable.office.notices.models import Message
from crosstable.office.people.own_player import own_player, users_of
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.rating import floor_requests
from crosstable.office.rating.changes import watch
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.requests import lifecycle
from crosstable.office.requests.lifecycle import Kind, Step
from crosstable.office.storage.database import writing
from crosstable.replay.us_chess import FLOOR_REQUEST
from crosstable.systems.us_chess.pools import MAIN

STATES = {
    FloorRequest.WAITING: "open",
    FloorRequest.GRANTED: "granted",
    FloorRequest.REFUSED: "refused",
}


@dataclass(frozen=True, slots=True)
class OwnFloor:
    """A match that ended below a floor, what may be asked for, and what the office said."""

    number: int
    event: str
    event_name: str
    section: int
    pool: str
    floor: float
    wanted: float
    state: str
    asked: bool  # the player has written why
    answer: str
    decided_at: datetime | None

    @property
    def state_words(self) -> str:
        if self.state == FloorRequest.WAITING:
            return "waits for an officer" if self.asked else "you may ask for it"
        return STATES[self.state]

    @property
    def may_ask(self) -> bool:
        return self.state == FloorRequest.REFUSED or (self.state == FloorRequest.WAITING and not self.asked)


def own(actor: Actor) -> list[OwnFloor]:
    """Return the floor requests of the player that this user is, newest first; of each match the last."""
    require(actor, "floor.request")
    player = own_player(actor)
    if player is None:
        return []
    found = FloorRequest.objects.filter(player__in=with_duplicates([player.id]), state__in=STATES).order_by("id")
    rows = list({(row.event_number, row.section_number, row.pool): row for row in found}.values())[::-1]
    names = dict(Event.objects.filter(number__in={row.event_number for row in rows}).values_list("number", "name"))
    written = set(Message.objects.filter(about__in=[_about(row) for row in rows]).values_list("about", flat=True))
    return [
        OwnFloor(
            number=row.id,
            event=row.event_number,
            event_name=names.get(row.event_number, row.event_number),
            section=row.section_number,
            pool=row.pool,
            floor=row.floor,
            wanted=row.wanted,
            state=row.state,
            asked=_about(row) in written,
            answer=row.answer,
            decided_at=row.decided_at,
        )
        for row in rows
    ]


def _about(row: FloorRequest) -> str:
    return f"floor:{row.id}"


class Floor(Kind[FloorRequest]):
    """Granted, the floor is lower from that match on, and what follows is rated again."""

    prefix = "floor"
    noun = "floor request"
    ask_right = "floor.request"
    decide_right = "floor.decide"
    always_answered = True

    def visible(self, actor: Actor) -> QuerySet[FloorRequest]:
        require(actor, "event.review")
        return FloorRequest.objects.select_related("player", "section__event")

    def author(self, row: FloorRequest) -> str:
        return ""  # a result opened it: no one can take it back

    def asked(self, actor: Actor, row: FloorRequest, words: str) -> Step:
        number = main_record(row.player).number
        return Step(
            action="floor.request",
            target=f"player:{number}",
            reason=words,
            details={"pool": row.pool, "request": row.id, "floor": row.floor, "wanted": row.wanted},
            to=messages.officers(),
            subject=f"Player {number} asks for a lower {row.pool} floor ({row.wanted:g})",
            words=words,
        )

    def decided(self, actor: Actor, row: FloorRequest) -> Step:
        granted = row.state == FloorRequest.GRANTED
        return Step(
            action="" if granted else "floor.decide",  # the run that lowers the floor writes the entry
            target=f"player:{row.player.number}",
            reason=row.answer,
            details=_logged(row),
            to=users_of(main_record(row.player)),
            subject=f"A lower {row.pool} floor ({row.wanted:g}): {row.state}",
            words=row.answer,
        )

    def carry_out(self, actor: Actor, row: FloorRequest, *, preview: bool = False) -> Rerated:
        if row.section is None:
            raise OfficeError(f"the match of floor request {row.pk} is no longer rated")
        watched, position = watch([main_record(row.player).id]), order.day_of(row.section.event_end)
        row.adjustment = Adjustment.objects.create(
            player=row.player,
            pool=row.pool,
            kind=Adjustment.LOWERED_FLOOR,
            date=row.section.event_end,
            position=position,
            fields={},  # what it lowers is found in the match, whenever that is rated
            author=actor.name,
            details={"request": row.id, "event": row.event_number},
            reason=row.answer,
        )
        row.save()
        target = f"player:{row.player.number}"
        act = Act(
            actor=actor,
            action="floor.decide",
            subject=target,
            reason=row.answer,
            details=_logged(row),
            preview=preview,
            watched=watched,
        )
        return rate_from(act, position, players=[row.player_id])

    def preview(self, actor: Actor, row: FloorRequest) -> Rerated:
        row.state = FloorRequest.GRANTED
        return self.carry_out(actor, row, preview=True)


FLOOR = Floor()


def _logged(row: FloorRequest) -> dict[str, Any]:
    granted = row.state == FloorRequest.GRANTED
    return {"pool": row.pool, "floor": row.floor, "wanted": row.wanted, "granted": granted}


def requests(actor: Actor, state: str = FloorRequest.WAITING) -> list[dict[str, Any]]:
    """Return floor requests, oldest first, with what was asked in words; of every state where that is empty."""
    rows = FLOOR.visible(actor).order_by("id")
    words = _words_of_requests()
    return [_summary(row, words) for row in (rows.filter(state=state) if state else rows)]


def find(actor: Actor, number: int) -> dict[str, Any]:
    """Return one floor request as the lists show it."""
    return _summary(lifecycle.find(actor, FLOOR, number), _words_of_requests())


def _summary(row: FloorRequest, words: Mapping[int, tuple[str, str]]) -> dict[str, Any]:
    event = row.section.event if row.section else None
    by, asked = words.get(row.id, ("", ""))
    return {
        "request": row.id,
        "player": row.player.number,
        "name": row.player.name,
        "pool": row.pool,
        "event": row.event_number,
        "section": row.section_number,
        "floor": row.floor,
        "wanted": row.wanted,
        "state": row.state,
        "effect": row.adjustment_id in floor_requests.lowered_by_decision(),  # of a granted one (readings 44)
        "event_name": event.name if event else "",
        "date": str(event.end) if event else None,
        "asked_by": by,
        "words": asked,
        "decided_by": row.decided_by,
        "decided_at": row.decided_at.isoformat(timespec="seconds") if row.decided_at else None,
        "answer": row.answer,
    }


def _words_of_requests() -> dict[int, tuple[str, str]]:
    """Request → who asked last, and in which words; requests that only a result opened have none."""
    entries = AuditEntry.objects.filter(action="floor.request").order_by("seq")
    return {details_of(one).get("request", 0): (one.actor, one.reason) for one in entries}


def request(actor: Actor, player: str, event: str, section: int, reason: str, pool: str = MAIN) -> FloorRequest:
    """Ask for a lower floor after a match, for oneself or as an officer for anybody.

    The match's result has opened a request already; it is this one that the words go to. After a refusal it is a new
    one.
    """
    require(actor, "floor.request")
    input_checks.refuse(input_checks.reasons(reason, "a request"))
    with writing():
        who = main_record(find_player(player))
        _refuse_others(actor, who)
        row = models.RatingRow.objects.filter(
            section__event__number=event, section__number=section, player=who, pool=pool
        ).first()
        if row is None or not row.flags & FLOOR_REQUEST:
            words = f"no {pool} result of {player} in section {section} of event {event} fell below a floor"
            raise OfficeError(f"{words}: a lower one can be requested only after a lost match")
        asked = FloorRequest.objects.filter(section_id=row.section_id, player=who, pool=pool)
        if asked.filter(state=FloorRequest.GRANTED, adjustment__status=Adjustment.GRANTED).exists():
            raise OfficeError(f"this request of {player} has been granted already")
        found = asked.filter(state=FloorRequest.WAITING).first() or floor_requests.new(row)
        return lifecycle.ask(actor, FLOOR, found, reason)


def _refuse_others(actor: Actor, who: models.Player) -> None:
    """Players ask for themselves; officers for anybody."""
    if actor.may("floor.decide"):
        return
    own = own_player(actor)
    if own is None or own.id != who.id:
        raise NotAllowedError(
            f"{actor.name} ({actor.role}) may ask for a lower floor of the player that {actor.name} is"
        )
