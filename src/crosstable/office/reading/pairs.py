"""Players who hold two ratings, for fitting a conversion (1996 report, appendix B): one pair a player.

The report's criteria: an established rating here, play in both federations in the period (FIDE: a year, CFC: half a year), and
of FIDE a rating of 2200 or more. Its tenth FIDE game of the year cannot be asked for: the office keeps ratings of FIDE lists,
not their games.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any

from crosstable.errors import OfficeError
from crosstable.office.ledger import order
from crosstable.office.ledger.models import ExternalRating, Player, RatingRow
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.facts import external
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.formulas import round_half_up
from crosstable.systems.us_chess.pools import MAIN

#: Source → (days in which both must be active, the least foreign rating)
CRITERIA = {"fide": (365, 2200.0), "cfc": (182, 0.0)}


@dataclass(frozen=True, slots=True)
class Pair:
    player: str
    foreign: float
    own: float

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def pairs(actor: Actor, source: str, day: date) -> list[Pair]:
    """The pairs of a day, by id: the newest foreign rating in the period, and the OTBR rating as published."""
    require(actor, "event.review")
    if source not in CRITERIA:
        raise OfficeError(f"no ratings of {source!r} are kept: there are {', '.join(CRITERIA)}")
    days, least = CRITERIA[source]
    since = day - timedelta(days=days)
    active = RatingRow.objects.filter(
        pool=MAIN, position__gte=order.day_of(since), position__lt=order.day_of(day) + order.DAY
    )
    listed = ExternalRating.objects.filter(kind=source, date__gt=since, date__lte=day)
    who = {*active.values_list("player_id", flat=True)} & {*listed.values_list("player_id", flat=True)}
    held, abroad, starts = states.on(day, who), external(who), AgeStarts(who)
    found = []
    for row in Player.objects.filter(id__in=list(who)).order_by("number"):
        own = held.get(row.id, {}).get(MAIN)
        foreign = [rating for when, kind, rating in abroad[row.id] if kind == source and since < when <= day][-1]
        if own is None or (own.games or 0) <= provisional_games(day) or foreign < least:
            continue
        if not starts.tells(row.id, MAIN, own.rating, order.day_of(day)):
            found.append(Pair(row.number, foreign, round_half_up(own.rating)))
    return found
