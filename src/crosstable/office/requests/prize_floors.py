"""Floors by large cash prizes (2025 §5)."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any

from crosstable.errors import OfficeError
from crosstable.office.ledger import input_checks, models, order
from crosstable.office.ledger.models import Adjustment
from crosstable.office.ledger.players import find, main_record
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating.changes import watch
from crosstable.office.rating.floor_requests import rules_of
from crosstable.office.rating.rerating import Act, Rerated, has_played, rate_from
from crosstable.office.storage.database import writing
from crosstable.rulebook import Rules
from crosstable.systems.us_chess.pools import KEYS, MAIN
from crosstable.systems.us_chess.prizes import prize_floor as floor_by_prize


@dataclass(frozen=True, slots=True)
class Prize:
    """Money that was won in a section, under a rating limit."""

    event: str
    section: int
    under: float
    money: float


@dataclass(frozen=True, slots=True)
class PrizeFloor:
    """The floor that a prize gives, from a day on, and whose ratings it moves."""

    player: str
    name: str
    pool: str
    floor: float
    date: date
    changed: Rerated

    def as_json(self) -> dict[str, Any]:
        whose = {"player": self.player, "name": self.name, "pool": self.pool}
        return {**whose, "floor": self.floor, "from": str(self.date), **self.changed.as_json()}


def prize_floor(
    actor: Actor, player: str, prize: Prize, reason: str = "", pool: str = MAIN, *, preview: bool = False
) -> PrizeFloor:
    """Enough money in a section (or for a prize) under a rating gives a floor, from the day after the event's end."""
    require(actor, "rating.preview" if preview else "floor.write")
    input_checks.refuse([*input_checks.reasons(reason, "a prize floor", preview=preview), *_wrong_pool(pool)])
    with writing():
        who = main_record(find(player))
        row = models.Section.objects.filter(event__number=prize.event, number=prize.section).first()
        if row is None:
            raise OfficeError(f"event {prize.event} has no section {prize.section} that is rated")
        if not has_played(who.id, row):
            raise OfficeError(f"{who.number} did not play in section {prize.section} of event {prize.event}")
        level = prize_level(rules_of(row), prize.under, prize.money)
        _refuse_again(who, pool, prize)
        day = row.event_end + timedelta(days=1)
        watched = watch([who.id])
        Adjustment.objects.create(
            player=who,
            pool=pool,
            kind=Adjustment.PRIZE_FLOOR,
            date=day,
            position=order.day_of(day),
            fields={"prize_floor": level},
            details=asdict(prize),
            author=actor.name,
            reason=reason,
        )
        logged = {**asdict(prize), "pool": pool, "floor": level}
        act = Act(
            actor=actor,
            action="floor.write",
            subject=f"player:{who.number}",
            reason=reason,
            details=logged,
            preview=preview,
            watched=watched,
        )
        changed = rate_from(act, order.day_of(day), players=[who.id])
        return PrizeFloor(player=who.number, name=who.name, pool=pool, floor=level, date=day, changed=changed)


def _wrong_pool(pool: str) -> list[str]:
    return [] if pool in KEYS else [f"a prize floor is one of {', '.join(KEYS)}, not of {pool!r}"]


def _refuse_again(who: models.Player, pool: str, prize: Prize) -> None:
    """One prize gives one floor."""
    granted = Adjustment.objects.filter(player=who, pool=pool, kind=Adjustment.PRIZE_FLOOR, status=Adjustment.GRANTED)
    if any(row.details == asdict(prize) for row in granted):
        raise OfficeError(f"{who.number} has the {pool} floor of this prize already")


def prize_level(rules: Rules, under: float, money: float) -> float:
    """Return the floor that the prize gives, or OfficeError with the reason why it gives none."""
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
