"""The CFC desk: players with a CFC rating and no US Chess rating, whose conversions are done by hand (2025 §2.2,
footnote 2).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from crosstable.office.ledger.models import ExternalRating, Player
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import states
from crosstable.office.rating.facts import external, facts, on_day
from crosstable.office.storage import clock
from crosstable.systems.conversions import convert_rating
from crosstable.systems.us_chess.pools import KEYS


@dataclass(frozen=True, slots=True)
class Conversion:
    """Somebody in the queue. `converted` is what the formula of the day gives; `reason`: why it is not used."""

    player: str
    name: str
    cfc: float
    list_date: date
    canadian_resident: bool
    converted: float | None
    reason: str

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "list_date": str(self.list_date)}


def cfc_desk(actor: Actor, day: date | None = None) -> list[Conversion]:
    """Everybody with a CFC rating and no US Chess rating on a day (default: today), by id."""
    require(actor, "event.review")
    on = day or clock.today()
    listed = ExternalRating.objects.filter(kind="cfc", date__lte=on).values_list("player_id", flat=True).distinct()
    rows = Player.objects.filter(id__in=list(listed), merged_into=None).order_by("number")
    who = [row.id for row in rows]
    known, people, lists = states.on(on, who), facts(who), external(who)
    found = []
    for row in rows:
        rating = on_day(lists.get(row.id, ()), "cfc", on)
        if rating is None or set(known.get(row.id, {})) & set(KEYS):
            continue
        resident = people[row.id].on("canadian_resident", on)
        reason = "" if resident else "not a Canadian resident: the conversion is for residents (from 2025-01-01)"
        converted = convert_rating("cfc", rating.rating, on) if resident else None
        found.append(Conversion(row.number, row.name, rating.rating, rating.date or on, resident, converted, reason))
    return found
