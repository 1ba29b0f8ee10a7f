"""What one volunteer decides for a club's office: its own numbers from a day on, and a season with a clean slate.

A federation's ratings take two officers; a club's office, rated by St. Charles or a relative, has no one to outvote.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from crosstable.errors import OfficeError
from crosstable.formats import event_json
from crosstable.model import Player
from crosstable.office.audit.log import record
from crosstable.office.ledger import input_checks, models, order
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import states
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.storage.database import writing
from crosstable.systems import RatingSystem
from crosstable.systems.st_charles import StCharles
from crosstable.systems.st_charles.numbers import numbers_of, wrong_numbers


def club_system() -> RatingSystem:
    """Return the one system of a club's office."""
    systems = all_systems(office())
    if len(systems) != 1 or len(systems[0].pools) != 1:
        raise OfficeError("this is not a club's office: a club has one rating system with one pool, such as st_charles")
    return systems[0]


def set_numbers(
    actor: Actor, day: date, numbers: Mapping[str, Any], reason: str = "", *, preview: bool = False
) -> Rerated:
    """Other numbers from a day on; what was played since then is rated again by them."""
    require(actor, "rating.preview" if preview else "club.numbers")
    input_checks.refuse(input_checks.reasons(reason, "new numbers", optional=True))
    with writing():
        if not isinstance(club_system(), StCharles):
            raise OfficeError(f"{club_system().title} has no numbers of a club's own")
        if wrong := wrong_numbers(numbers):
            raise OfficeError("; ".join(wrong))
        row = office()
        others = [one for one in row.numbers if one["from"] != day.isoformat()]
        same_day: dict[str, Any] = next((one for one in row.numbers if one["from"] == day.isoformat()), {})
        row.numbers = [*others, {**same_day, "from": day.isoformat(), **numbers}]
        row.save()
        changed = club_system()
        if isinstance(changed, StCharles) and (wrong := wrong_numbers(numbers_of(changed))):
            raise OfficeError("; ".join(wrong))
        details = {"from": day.isoformat(), "numbers": dict(numbers)}
        return rate_from(
            Act(actor=actor, action="club.numbers", subject="office", reason=reason, details=details, preview=preview),
            order.day_of(day),
        )


def clean_slate(actor: Actor, day: date, reason: str) -> int:
    """Everybody begins anew from a day on, as a newcomer; how many that are. Results and old ratings stay in the
    ledger.
    """
    require(actor, "club.clean_slate")
    input_checks.refuse(input_checks.reasons(reason, "a clean slate", optional=True))
    with writing():
        if not day >= input_checks.EARLIEST:
            raise OfficeError(f"{day}: a season begins after {input_checks.EARLIEST}")
        system, place = club_system(), order.day_of(day)
        if models.Section.objects.filter(position__gte=place).exists():
            raise OfficeError(
                f"games have been rated on {day} or later: a clean slate begins before the season's first game"
            )
        key = system.pools[0]
        who = [player for player, own in states.now().items() if key in own]
        fresh = event_json.rating_to_json(system.start(Player(0, ""), day)) | {"games": 0}
        unknown = {"wins": None, "draws": None, "losses": None, "peak": None}
        models.Adjustment.objects.bulk_create(
            models.Adjustment(
                player_id=player,
                pool=key,
                kind=models.Adjustment.RATING,
                date=day,
                position=place,
                fields={**unknown, **fresh},
                author=actor.name,
                reason=reason,
            )
            for player in who
        )
        record(actor.name, "club.clean_slate", "office", reason, {"date": day.isoformat(), "players": len(who)})
    return len(who)
