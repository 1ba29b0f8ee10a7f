"""Floors by large cash prizes (2025 §5)."""

from __future__ import annotations

import math
from datetime import timedelta

from crosstable.errors import OfficeError
from crosstable.office.ledger import input_checks, models, order
from crosstable.office.ledger.models import Adjustment
from crosstable.office.ledger.players import find, main_record
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating.changes import watch
from crosstable.office.rating.floor_requests import rules_of
from crosstable.office.rating.rerating import Act, rate_from
from crosstable.office.storage.database import writing
from crosstable.rulebook import Rules
from crosstable.systems.us_chess.prizes import prize_floor as floor_by_prize


def prize_floor(
    actor: Actor, player: str, event: str, section: int, under: float, money: float, reason: str, pool: str = "OTBR"
) -> Adjustment:
    """Enough money in a section (or for a prize) under a rating gives a floor, from the day after the event's end."""
    require(actor, "floor.write")
    input_checks.refuse(input_checks.reasons(reason, "a prize floor"))
    with writing():
        row = models.Section.objects.filter(event__number=event, number=section).select_related("event").first()
        if row is None:
            raise OfficeError(f"event {event} has no section {section} that is rated")
        level = prize_level(rules_of(row), under, money)
        day = row.event_end + timedelta(days=1)
        details = {"event": event, "section": section, "under": under, "money": money}
        who = main_record(find(player))
        watched = watch([who.id])
        adjustment = Adjustment.objects.create(
            player=who, pool=pool, kind=Adjustment.PRIZE_FLOOR, date=day, position=order.day_of(day),
            fields={"prize_floor": level}, details=details, author=actor.name, reason=reason,
        )  # fmt: skip
        logged = {**details, "pool": pool, "floor": level}
        act = Act(actor, "floor.write", f"player:{who.number}", reason, logged, watched=watched)
        rate_from(act, adjustment.position)
    return adjustment


def prize_level(rules: Rules, under: float, money: float) -> float:
    """The floor that the prize gives, or OfficeError with the reason why it gives none."""
    if not (math.isfinite(under) and under > 0 and math.isfinite(money)):
        raise OfficeError(
            f"a prize of {money:g} dollars under {under:g}: give the rating limit and the money as numbers"
        )
    level = floor_by_prize(rules, money, under)
    if level is not None:
        return level
    rule = rules["prize_floor"]
    if under > rule["highest"]:
        raise OfficeError(f"a prize under {under:g} earns no floor: prizes up to under {rule['highest']:g} do")
    raise OfficeError(f"${money:,.0f} earns no floor: on {rules.date} it took {rule['threshold']}")
