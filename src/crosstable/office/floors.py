"""Floors that people decide about: requests after a match, granted or refused, and prize floors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date
from typing import Any

from django.utils import timezone

from crosstable.office import ratings
from crosstable.office.audit.log import record
from crosstable.office.choices import OfficeError
from crosstable.office.database import writing
from crosstable.office.floor_requests import rules_of
from crosstable.office.ledger import models, order
from crosstable.office.ledger.models import Adjustment, FloorRequest
from crosstable.office.people.rights import Actor, require
from crosstable.office.players import find
from crosstable.rulebook import Rules


def requests(actor: Actor, status: str = FloorRequest.ASKED) -> Iterator[dict[str, Any]]:
    """Floor requests, oldest first."""
    require(actor, "event.review")
    rows = FloorRequest.objects.filter(status=status).select_related("player").order_by("id")
    for row in rows:
        yield {
            "request": row.id, "player": row.player.number, "name": row.player.name, "system": row.system,
            "event": row.event_number, "section": row.section_number, "floor": row.floor, "wanted": row.wanted,
            "status": row.status,
        }  # fmt: skip


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
        row.decided_by, row.decided_at, row.reason = actor.name, timezone.now(), reason
        if granted:
            row.adjustment = Adjustment.objects.create(
                player=row.player, system=row.system, kind=Adjustment.LOWERED_FLOOR, date=row.section.event_end,
                position=order.day_of(row.section.event_end), fields={"lowered_floor": row.wanted}, author=actor.name,
                details={"request": row.id, "event": row.event_number}, reason=reason,
            )  # fmt: skip
        row.save()
        subject = f"player:{row.player.number}"
        details = {"system": row.system, "floor": row.floor, "wanted": row.wanted, "granted": granted}
        if granted:
            position = order.day_of(row.section.event_end)
            ratings.follow(actor, position, "floor.decide", subject, reason, details)
        else:
            record(actor.name, "floor.decide", subject, reason, details)
    return row


def prize_floor(
    actor: Actor, player: str, event: str, section: int, under: float, money: float, reason: str, system: str = "OTBR"
) -> Adjustment:
    """Enough money in a section (or for a prize) under a rating gives a floor, from the day after the event's end."""
    require(actor, "floor.write")
    with writing():
        row = models.Section.objects.filter(event__number=event, number=section).select_related("event").first()
        if row is None:
            raise OfficeError(f"event {event} has no section {section} that is rated")
        level = prize_level(rules_of(row), under, money)
        day = date.fromordinal(row.event_end.toordinal() + 1)
        details = {"event": event, "section": section, "under": under, "money": money}
        adjustment = Adjustment.objects.create(
            player=find(player), system=system, kind=Adjustment.PRIZE_FLOOR, date=day, position=order.day_of(day),
            fields={"prize_floor": level}, details=details, author=actor.name, reason=reason,
        )  # fmt: skip
        ratings.follow(
            actor,
            adjustment.position,
            "floor.write",
            f"player:{player}",
            reason,
            {**details, "system": system, "floor": level},
        )
    return adjustment


def prize_level(rules: Rules, under: float, money: float) -> float:
    """The first level at which the player could not have won that prize (2025 §5), or why there is none."""
    rule = rules["prize_floor"]
    if money < rule["dollars"] or (money == rule["dollars"] and not rule["inclusive"]):
        raise OfficeError(f"${money:,.0f} earns no floor: on {rules.date} it took {rule['threshold']}")
    level = math.ceil(under / rule["step"]) * rule["step"]
    if level > rule["highest"]:
        raise OfficeError(f"a prize under {under:g} earns no floor: prizes up to under {rule['highest']:g} do")
    return float(level)
