"""A player's own floor requests: each lost match below a floor has opened one (see decisions.floors)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from crosstable.errors import OfficeError
from crosstable.office.audit.log import details_of, record
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import input_checks, models, order
from crosstable.office.ledger.models import Adjustment, Event, FloorRequest
from crosstable.office.ledger.players import find, main_record, with_duplicates
from crosstable.office.notices import messages
from crosstable.office.notices.models import Message
from crosstable.office.people.own_player import own_player, users_of
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.rating import floor_requests
from crosstable.office.rating.changes import watch
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.replay.us_chess import FLOOR_REQUEST
from crosstable.systems.us_chess.pools import MAIN

STATES = {
    FloorRequest.ASKED: "open",
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
    status: str
    asked: bool  # the player has written why
    answer: str
    decided_at: datetime | None

    @property
    def state_words(self) -> str:
        if self.status == FloorRequest.ASKED:
            return "waits for an officer" if self.asked else "you may ask for it"
        return STATES[self.status]

    @property
    def may_ask(self) -> bool:
        return self.status == FloorRequest.REFUSED or (self.status == FloorRequest.ASKED and not self.asked)


def own(actor: Actor) -> list[OwnFloor]:
    """The floor requests of the player that this user is, newest first; of each match the last."""
    require(actor, "floor.request")
    player = own_player(actor)
    if player is None:
        return []
    found = FloorRequest.objects.filter(player__in=with_duplicates([player.id]), status__in=STATES).order_by("id")
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
            status=row.status,
            asked=_about(row) in written,
            answer=row.reason,
            decided_at=row.decided_at,
        )
        for row in rows
    ]


def _about(row: FloorRequest) -> str:
    return f"floor:{row.id}"


# Lower floors after a match (2025 §7): requests, granted or refused.


@dataclass(frozen=True, slots=True)
class Decided:
    """A floor request with its answer, and whose ratings that moves."""

    request: FloorRequest
    changed: Rerated


def requests(actor: Actor, status: str = FloorRequest.ASKED) -> Iterator[dict[str, Any]]:
    """Floor requests, oldest first, with what was asked in words; of every status where that is empty."""
    require(actor, "event.review")
    rows = FloorRequest.objects.select_related("player", "section__event").order_by("id")
    words = _words_of_requests()
    for row in rows.filter(status=status) if status else rows:
        event = row.section.event if row.section else None
        by, asked = words.get(row.id, ("", ""))
        yield {
            "request": row.id,
            "player": row.player.number,
            "name": row.player.name,
            "pool": row.pool,
            "event": row.event_number,
            "section": row.section_number,
            "floor": row.floor,
            "wanted": row.wanted,
            "status": row.status,
            "event_name": event.name if event else "",
            "date": str(event.end) if event else None,
            "asked_by": by,
            "words": asked,
            "decided_by": row.decided_by,
            "decided_at": row.decided_at.isoformat(timespec="seconds") if row.decided_at else None,
            "answer": row.reason,
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
        who = main_record(find(player))
        _refuse_strangers(actor, who)
        row = models.RatingRow.objects.filter(
            section__event__number=event, section__number=section, player=who, pool=pool
        ).first()
        if row is None or not row.flags & FLOOR_REQUEST:
            words = f"no {pool} result of {player} in section {section} of event {event} fell below a floor"
            raise OfficeError(f"{words}: only a lost match opens the way to a lower one")
        asked = FloorRequest.objects.filter(section_id=row.section_id, player=who, pool=pool)
        if asked.filter(status=FloorRequest.GRANTED, adjustment__status=Adjustment.GRANTED).exists():
            raise OfficeError(f"this request of {player} has been granted already")
        found = asked.filter(status=FloorRequest.ASKED).first() or floor_requests.new(row)
        details = {"pool": pool, "request": found.id, "floor": found.floor, "wanted": found.wanted}
        subject = f"Player {who.number} asks for a lower {pool} floor ({found.wanted:g})"
        messages.send(messages.officers(), subject, reason, about=f"floor:{found.id}", by=actor.name)
        record(actor.name, "floor.request", f"player:{who.number}", reason, details)
    return found


def _refuse_strangers(actor: Actor, who: models.Player) -> None:
    """Players ask for themselves; officers for anybody."""
    if actor.may("floor.decide"):
        return
    own = own_player(actor)
    if own is None or own.id != who.id:
        raise NotAllowedError(
            f"{actor.name} ({actor.role}) may ask for a lower floor of the player that {actor.name} is"
        )


def decide(actor: Actor, request: int, granted: bool, reason: str = "", *, preview: bool = False) -> Decided:
    """Grant or refuse. A granted request lowers the floor from that match on, and what follows is rated again."""
    require(actor, "rating.preview" if preview else "floor.decide")
    input_checks.refuse(input_checks.reasons(reason, "a decision", preview=preview))
    with writing():
        row = FloorRequest.objects.filter(id=request).select_related("section", "player").first()
        if row is None:
            raise OfficeError(f"there is no floor request {request}")
        if row.status != FloorRequest.ASKED or row.section is None:
            raise OfficeError(f"floor request {request} is {row.status} already")
        row.status = FloorRequest.GRANTED if granted else FloorRequest.REFUSED
        row.decided_by, row.decided_at, row.reason = actor.name, clock.now(), reason
        watched, position = watch([main_record(row.player).id]), order.day_of(row.section.event_end)
        if granted:
            row.adjustment = Adjustment.objects.create(
                player=row.player,
                pool=row.pool,
                kind=Adjustment.LOWERED_FLOOR,
                date=row.section.event_end,
                position=position,
                fields=floor_requests.lowering(row),
                author=actor.name,
                details={"request": row.id, "event": row.event_number},
                reason=reason,
            )
        row.save()
        said = f"A lower {row.pool} floor ({row.wanted:g}): {row.status}"
        messages.send(users_of(main_record(row.player)), said, reason, about=f"floor:{row.id}", by=actor.name)
        details = {"pool": row.pool, "floor": row.floor, "wanted": row.wanted, "granted": granted}
        act = Act(actor, "floor.decide", f"player:{row.player.number}", reason, details, preview, watched)
        return Decided(row, rate_from(act, position if granted else None, players=[row.player_id]))
