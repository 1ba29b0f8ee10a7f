"""The CFC desk: players with a CFC rating and no US Chess rating, whose conversions are done by hand (2025 §2.2,
footnote 2): in reports that wait for review, in the register, and those who got their first rating lately.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Min

from crosstable.model import Player as Entrant
from crosstable.office.ledger import revisions
from crosstable.office.ledger.models import Adjustment, Event, ExternalRating, Player, RatingRow, Section
from crosstable.office.ledger.players import merged_players
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import states
from crosstable.office.rating.facts import external, facts, on_day
from crosstable.office.storage import clock
from crosstable.systems.conversions import convert_rating
from crosstable.systems.us_chess.pools import KEYS

WAITING, REGISTER, RATED = "waiting", "register", "rated"
#: How long a first rating stays on the desk
LATELY = timedelta(days=365)
NOT_RESIDENT = "not a Canadian resident: the conversion is for residents (from 2025-01-01)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """A player of the desk. `converted` is what the formula of the day gives; `reason`: why it is not used."""

    state: str  # in a report that waits, in the register, or rated
    event: str  # the report that waits, or the event of the first rating
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
    """Everyone with a CFC rating and no US Chess rating on a day (default: today), then whom the year before has
    rated.
    """
    require(actor, "event.review")
    on = day or clock.today()
    waiting = {one.player: one for one in _waiting()}
    known = [one for one in _register(on) if one.player not in waiting]
    return [*waiting.values(), *known, *_rated(on)]


def _conversion(
    state: str, who: tuple[str, str], cfc: tuple[float, date], on: date, *, resident: bool, event: str = ""
) -> Conversion:
    number, name = who
    rating, list_date = cfc
    return Conversion(
        state=state,
        event=event,
        player=number,
        name=name,
        cfc=rating,
        list_date=list_date,
        canadian_resident=resident,
        converted=convert_rating("cfc", rating, on) if resident else None,
        reason="" if resident else NOT_RESIDENT,
    )


def _waiting() -> Iterator[Conversion]:
    """Yield the players of reports that wait: by the report's CFC rating, or by a list that the office has."""
    for row in Event.objects.filter(status=Event.SUBMITTED).order_by("end", "number"):
        entrants = [one for section in revisions.document(id=row.id).sections for one in section.players if one.id]
        rows = dict(Player.objects.filter(number__in={one.id for one in entrants}).values_list("number", "id"))
        same = merged_players()
        kept = {number: same.get(own, own) for number, own in rows.items()}
        rated, people, lists = states.now(kept.values()), facts(sorted(kept.values())), external(kept.values())
        for one in entrants:
            own = kept.get(one.id)
            listed = on_day(lists.get(own, ()), "cfc", row.end) if own is not None else None
            cfc = listed or one.cfc
            if cfc is None or ({*one.ratings, *(rated.get(own, {}) if own is not None else ())} & set(KEYS)):
                continue
            resident = people[own].on("canadian_resident", row.end) if own is not None else one.canadian_resident
            dated = cfc.rating, cfc.date or row.start
            yield _conversion(WAITING, (one.id, _name(one)), dated, row.end, resident=resident, event=row.number)


def _name(one: Entrant) -> str:
    return one.name or one.id


def _listed(on: date) -> list[Player]:
    """Return the players with a CFC rating by that day."""
    listed = ExternalRating.objects.filter(kind="cfc", date__lte=on).values_list("player_id", flat=True).distinct()
    return list(Player.objects.filter(id__in=list(listed), merged_into=None).order_by("number"))


def _register(on: date) -> Iterator[Conversion]:
    """Yield the players of the register without a US Chess rating."""
    rows = _listed(on)
    who = [row.id for row in rows]
    known, people, lists = states.on(on, who), facts(who), external(who)
    for row in rows:
        rating = on_day(lists.get(row.id, ()), "cfc", on)
        if rating is None or set(known.get(row.id, {})) & set(KEYS):
            continue
        resident = people[row.id].on("canadian_resident", on)
        yield _conversion(REGISTER, (row.number, row.name), (rating.rating, rating.date or on), on, resident=resident)


def _rated(on: date) -> Iterator[Conversion]:
    """Yield who got a first US Chess rating in the year before, newest first."""
    people = {row.id: row for row in _listed(on)}
    opened = set(
        Adjustment.objects.filter(player_id__in=list(people), pool__in=KEYS).values_list("player_id", flat=True)
    )
    own = RatingRow.objects.filter(player_id__in=people.keys() - opened, pool__in=KEYS)
    first = dict(own.order_by().values_list("player_id").annotate(Min("position")))
    sections = Section.objects.filter(position__in=set(first.values()), end__gt=on - LATELY, end__lte=on)
    at = {row.position: row for row in sections.select_related("event")}
    lists, known = external(people), facts(sorted(people))
    for player, position in sorted(first.items(), key=lambda one: (-one[1], people[one[0]].number)):
        section = at.get(position)
        cfc = on_day(lists.get(player, ()), "cfc", section.end) if section is not None else None
        if section is None or cfc is None:
            continue
        row, end = people[player], section.event_end
        resident, dated = known[player].on("canadian_resident", end), (cfc.rating, cfc.date or end)
        who, event = (row.number, row.name), section.event.number
        yield _conversion(RATED, who, dated, end, resident=resident, event=event)
