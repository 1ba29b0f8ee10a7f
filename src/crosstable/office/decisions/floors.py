"""Lower floors after a match (2025 §7): requests, granted or refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crosstable.errors import OfficeError
from crosstable.office.audit.log import record
from crosstable.office.ledger import input_checks, models, order
from crosstable.office.ledger.models import Adjustment, FloorRequest
from crosstable.office.ledger.players import find, main_record
from crosstable.office.people.models import Person
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.rating import floor_requests
from crosstable.office.rating.changes import watch
from crosstable.office.rating.rerating import Act, rate_from
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.replay.us_chess import FLOOR_REQUEST


def requests(actor: Actor, status: str = FloorRequest.ASKED) -> Iterator[dict[str, Any]]:
    """Floor requests, oldest first."""
    require(actor, "event.review")
    rows = FloorRequest.objects.filter(status=status).select_related("player").order_by("id")
    for row in rows:
        yield {
            "request": row.id, "player": row.player.number, "name": row.player.name, "pool": row.pool,
            "event": row.event_number, "section": row.section_number, "floor": row.floor, "wanted": row.wanted,
            "status": row.status,
        }  # fmt: skip


def request(actor: Actor, player: str, event: str, section: int, reason: str, pool: str = "OTBR") -> FloorRequest:
    """Ask for a lower floor after a match, for oneself or as an officer for anybody.

    The match's result has opened a request already; it is this one that the words go to. After a refusal it is a new one.
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
        record(actor.name, "floor.request", f"player:{who.number}", reason, details)
    return found


def _refuse_strangers(actor: Actor, who: models.Player) -> None:
    """Players ask for themselves; officers for anybody."""
    if actor.may("floor.decide"):
        return
    person = Person.objects.filter(user_id=actor.user_id).first() if actor.user_id is not None else None
    own = models.Player.objects.filter(number=person.player_id).first() if person and person.player_id else None
    if own is None or main_record(own).id != who.id:
        raise NotAllowedError(
            f"{actor.name} ({actor.role}) may ask for a lower floor of the player that {actor.name} is"
        )


def decide(actor: Actor, request: int, granted: bool, reason: str) -> FloorRequest:
    """Grant or refuse. A granted request lowers the floor from that match on, and what follows is rated again."""
    require(actor, "floor.decide")
    if not reason.strip():
        raise OfficeError("a decision needs a reason")
    with writing():
        row = FloorRequest.objects.filter(id=request).select_related("section", "player").first()
        if row is None:
            raise OfficeError(f"there is no floor request {request}")
        if row.status != FloorRequest.ASKED or row.section is None:
            raise OfficeError(f"floor request {request} is {row.status} already")
        row.status = FloorRequest.GRANTED if granted else FloorRequest.REFUSED
        row.decided_by, row.decided_at, row.reason = actor.name, clock.now(), reason
        watched = watch([main_record(row.player).id])
        if granted:
            row.adjustment = Adjustment.objects.create(
                player=row.player, pool=row.pool, kind=Adjustment.LOWERED_FLOOR, date=row.section.event_end,
                position=order.day_of(row.section.event_end), fields={"lowered_floor": row.wanted}, author=actor.name,
                details={"request": row.id, "event": row.event_number}, reason=reason,
            )  # fmt: skip
        row.save()
        subject = f"player:{row.player.number}"
        details = {"pool": row.pool, "floor": row.floor, "wanted": row.wanted, "granted": granted}
        if granted:
            position = order.day_of(row.section.event_end)
            rate_from(Act(actor, "floor.decide", subject, reason, details, watched=watched), position)
        else:
            record(actor.name, "floor.decide", subject, reason, details)
    return row
